//! What had a CPU while a task was in its queue, and why the scheduler did not take it away.

mod choice;

use super::carrier::is_carrier;
use super::context::contexts;
use super::held::told_by_itself;
use super::idle::{slow_to_switch, with_idle_loop};
use super::interrupt::ON_ITS_WAY_NS;
use super::link::{Link, Subject};
use super::mechanism::{Certainty, Mechanism};
use super::mode::Mode;
use super::priority::{Rank, changed_to, is_real_time};
use super::recorded::{ends, section};
use super::resched::{Asked, asked, may_end_turn};
use super::scene::Scene;
use super::silence::{all_silences, is_silent_turn, may_be_still, silences, without};
use super::stall::is_slow_to_leave;
use super::throttle::is_out_of_bandwidth;
use super::wait::Waiter;
use super::waking_interrupt::{is_in_hard_interrupt, may_go_on, open_ended};
use crate::analyses::{Cause, SliceKind};
use crate::explain::blame::Held;
use crate::explain::route::{Leg, is_stopper_comm};
use crate::explain::span::Span;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// The links of a leg on which a task was in the queue of its CPU; `throttled` says from when to when the scheduler kept
/// it from running.
pub fn behind<'s, 'a>(
    scene: &Scene<'s, 'a>,
    waiter: &Waiter<'s, 'a>,
    leg: Leg,
    throttled: Option<(i64, i64)>,
) -> Vec<Link<'a>> {
    let asked = asked(scene, leg.cpu, leg.start_ns, leg.end_ns);
    let queue = Queue { scene, waiter, leg, asked, throttled };
    let held = with_idle_loop(scene, scene.held(leg, Some(waiter.task_idx)));
    held.iter().flat_map(|held| queue.links_until(held)).collect()
}

/// A task in the queue of a CPU, and when that CPU was asked to switch.
struct Queue<'q, 's, 'a> {
    scene: &'q Scene<'s, 'a>,
    waiter: &'q Waiter<'s, 'a>,
    leg: Leg,
    asked: Vec<Asked<'s, 'a>>,
    /// From when to when the scheduler kept the task from running.
    throttled: Option<(i64, i64)>,
}

impl<'a> Queue<'_, '_, 'a> {
    /// Cut where the task was not allowed to run any longer, or was again.
    fn links_until(&self, held: &Held<'a>) -> Vec<Link<'a>> {
        let mut links = Vec::new();
        let mut at_ns = held.start_ns;
        for cut_ns in self.throttled.into_iter().flat_map(|(from_ns, until_ns)| [from_ns, until_ns]) {
            if at_ns < cut_ns && cut_ns < held.end_ns {
                links.extend(self.links(&Held { start_ns: at_ns, end_ns: cut_ns, ..*held }));
                at_ns = cut_ns;
            }
        }
        links.extend(self.links(&Held { start_ns: at_ns, ..*held }));
        links
    }

    fn links(&self, held: &Held<'a>) -> Vec<Link<'a>> {
        match held.cause {
            Cause::Idle if self.is_passed_over(held) => vec![self.idle_in_its_place(held)],
            Cause::Idle => slow_to_switch(self.scene, self.leg.cpu, held, self.is_awake(held)),
            Cause::Task | Cause::Irqsoff | Cause::Preemptoff => self.behind_task(held),
            Cause::Itself => {
                let link = self.link(Mechanism::OwnWork, held).about(Subject::Task(self.waiter.task_idx));
                let silences = silences(self.scene, self.leg.cpu, held.start_ns, held.end_ns);
                without(self.scene, link, Subject::Task(self.waiter.task_idx), &silences)
            }
            Cause::Softirq if let Some(run) = self.carrier_of(held) => {
                self.behind_task(&Held { cause: Cause::Task, span: Some(*run), ..*held })
            }
            Cause::Irq | Cause::Nmi | Cause::Softirq | Cause::Gap | Cause::Unknown => {
                let mechanism = self.of_interrupt(held);
                told_by_itself(self.scene, self.leg.cpu, held, mechanism).unwrap_or_default()
            }
        }
    }

    /// The run of the thread whose work a softirq is: a task that waits for the CPU waits for that thread.
    fn carrier_of(&self, held: &Held<'a>) -> Option<&Span<'a>> {
        let softirq = held.span?;
        let run = self.scene.span_at(SliceKind::Sched, self.leg.cpu, held.start_ns)?;
        let is_its_work = run.task_idx == softirq.task_idx && run.task_idx != self.waiter.task_idx;
        let is_others = is_its_work && !self.is_own_interrupt(held);
        (is_others && is_carrier(self.scene.around, run.task_idx)).then_some(run)
    }

    fn link(&self, mechanism: Mechanism, held: &Held<'a>) -> Link<'a> {
        Link::new(mechanism, self.leg.cpu, held.start_ns, held.end_ns)
    }

    fn of_interrupt(&self, held: &Held<'_>) -> Mechanism {
        let is_asked = || self.asked.iter().any(|asked| asked.overlaps(held.start_ns, held.end_ns));
        match () {
            () if self.is_own_interrupt(held) => Mechanism::Handler,
            () if held.cause == Cause::Softirq && is_asked() => Mechanism::NotPreemptible,
            () => Mechanism::OtherInterrupt,
        }
    }

    /// The interrupt that woke it: the rest of its handlers. A softirq that it came into did not wake the task.
    fn is_own_interrupt(&self, held: &Held<'_>) -> bool {
        let is_here = |event: &&Seen<'_>| event.cpu == self.leg.cpu && event.switch().is_none();
        let span = held.span.filter(|span| span.kind != SliceKind::Sched);
        let waking = self.waiter.since.filter(is_here);
        waking.zip(span).is_some_and(|(waking, span)| {
            let is_around = span.start_ns <= waking.t_ns && waking.t_ns < span.end_ns;
            is_around && (span.kind != SliceKind::Softirq || !is_in_hard_interrupt(self.scene, waking))
        })
    }

    /// A CPU that wakes a task is not idle, whatever task is current on it.
    fn is_awake(&self, held: &Held<'_>) -> bool {
        let waking = self.waiter.since.filter(|event| event.switch().is_none());
        waking.is_some_and(|waking| waking.cpu == self.leg.cpu && waking.t_ns == held.start_ns)
    }

    /// Nothing ran, though the scheduler had the choice.
    fn idle_in_its_place(&self, held: &Held<'a>) -> Link<'a> {
        if self.is_known_to_wait(held) {
            let link = self.link(Mechanism::Throttled, held).inferred();
            return link.about(Subject::Task(self.waiter.task_idx));
        }
        self.link(Mechanism::Unknown, held).about(Subject::Cpu(self.leg.cpu))
    }

    /// Behind a task: cut where the CPU was in a softirq, and where the scheduler was asked to take the CPU from the
    /// task, and did not.
    fn behind_task(&self, held: &Held<'a>) -> Vec<Link<'a>> {
        let mut links = Vec::new();
        let mut at_ns = held.start_ns;
        // A task whose work softirqs are is asked and preempted like any other.
        let is_carrier = held.span.is_some_and(|span| is_carrier(self.scene.around, span.task_idx));
        let soft = match is_carrier {
            true => Vec::new(),
            false => contexts(self.scene, self.leg.cpu, held.start_ns, held.end_ns),
        };
        for soft in soft {
            links.extend(self.behind_task_alone(&Held { start_ns: at_ns, end_ns: soft.start_ns, ..*held }));
            links.push(soft.link(self.leg.cpu));
            at_ns = soft.end_ns;
        }
        links.extend(self.behind_task_alone(&Held { start_ns: at_ns, ..*held }));
        links
    }

    fn behind_task_alone(&self, held: &Held<'a>) -> Vec<Link<'a>> {
        let mut links = Vec::new();
        let mut at_ns = held.start_ns;
        let mut piece = |from_ns: i64, to_ns: i64, asked: Option<&Asked<'_, 'a>>| {
            if from_ns < to_ns {
                let held = Held { start_ns: from_ns, end_ns: to_ns, ..*held };
                links
                    .extend(self.piece(&held, asked).into_iter().flat_map(|link| self.without_silence(link)));
            }
        };
        for asked in self.asked.iter().filter(|asked| asked.overlaps(held.start_ns, held.end_ns)) {
            piece(at_ns, asked.start_ns.max(at_ns), None);
            piece(at_ns.max(asked.start_ns), asked.end_ns.min(held.end_ns), Some(asked));
            at_ns = at_ns.max(asked.end_ns.min(held.end_ns));
        }
        piece(at_ns, held.end_ns, None);
        links
    }

    fn piece(&self, held: &Held<'a>, asked: Option<&Asked<'_, 'a>>) -> Vec<Link<'a>> {
        let Some(runner_idx) = held.span.map(|span| span.task_idx) else {
            return vec![self.link(Mechanism::Unknown, held)];
        };
        if runner_idx == self.waiter.task_idx {
            return vec![self.link(Mechanism::OwnWork, held).about(Subject::Task(runner_idx))];
        }
        let runs_at_ns = held.start_ns.max(held.span.map_or(i64::MIN, |span| span.start_ns));
        let prios =
            (self.scene.prio(self.waiter.task_idx, held.start_ns), self.scene.prio(runner_idx, runs_at_ns));
        let link = |mechanism| self.link(mechanism, held).about(Subject::Task(runner_idx));
        let by_switch = |mechanism| link(mechanism).seen_by(ends(self.scene, self.leg.cpu, held));
        let is_section = matches!(held.cause, Cause::Irqsoff | Cause::Preemptoff);
        let is_hard = asked.is_some_and(|asked| !asked.is_lazy);
        let is_step = asked.is_some_and(|asked| asked.end_ns.saturating_sub(asked.start_ns) < ON_ITS_WAY_NS);
        let is_long = held.end_ns.saturating_sub(held.start_ns) >= ON_ITS_WAY_NS;
        let is_in_user_space = || {
            let is_seen = !self.scene.around.is_unseen_between(held.start_ns, held.end_ns);
            is_seen && self.scene.mode(runner_idx, held.start_ns) == Mode::User
        };
        let is_in_interrupt = !is_section && may_go_on(self.scene, self.waiter, self.leg.cpu, held);
        let kept = |link: Link<'a>| if is_in_interrupt { link.also(Mechanism::OtherInterrupt) } else { link };
        let not_preemptible = || match asked {
            _ if is_long && is_in_interrupt && is_in_user_space() => vec![open_ended(self.leg.cpu, held)],
            // Nothing in user space keeps the scheduler away.
            _ if is_long && !is_section && is_in_user_space() => {
                let stall = self.link(Mechanism::Stall, held).about(Subject::Cpu(self.leg.cpu));
                vec![stall.inferred().seen_by(ends(self.scene, self.leg.cpu, held))]
            }
            _ if is_section => section(self.scene, self.leg.cpu, held, Mechanism::NotPreemptible),
            Some(asked) => {
                let link = link(Mechanism::NotPreemptible).seen_by([asked.first]);
                let bounds = Some((asked.start_ns, asked.end_ns));
                let link = kept(Link { certainty: Certainty::Bounded, bounds, ..link });
                vec![if self.is_held_by_nothing(held) { link.also(Mechanism::Stall) } else { link }]
            }
            None => {
                let link = by_switch(Mechanism::NotPreemptible).inferred();
                let is_silent = may_be_still(self.scene, self.leg.cpu, (held.start_ns, held.end_ns));
                vec![kept(if is_silent { link.also(Mechanism::Stall) } else { link })]
            }
        };
        let is_out =
            || asked.is_none() && is_long && is_out_of_bandwidth(self.scene, self.waiter, self.leg.cpu, held);
        let (Some(mine), Some(its)) = prios else {
            return if is_hard || is_section {
                not_preemptible()
            } else {
                vec![by_switch(Mechanism::Unknown)]
            };
        };
        let rank = Rank::of(its, mine);
        // An interrupt may cut what it did off before the switch that tells how important it was made.
        let told_ns = held.span.map_or(held.end_ns, |span| if is_hard { held.end_ns } else { span.end_ns });
        let changed = changed_to(self.scene, runner_idx, (runs_at_ns, told_ns));
        let by_change = changed.and_then(|its| Rank::of(its, mine).mechanism());
        let is_allowed = !self.is_throttled_at(held.start_ns);
        // Without budget a deadline task is in no queue, whoever runs.
        if !is_allowed && !is_section && mine < 0 {
            return vec![by_switch(Mechanism::Throttled).inferred()];
        }
        let is_way = !is_section && is_allowed && self.is_on_its_way(held, rank, is_hard);
        match rank.mechanism() {
            _ if is_way => vec![Link { is_way, subject: None, ..by_switch(Mechanism::Handler) }],
            // The scheduler has decided for the one that waits, or for another one that comes at once.
            Some(_) if rank == Rank::Fair && is_hard && !is_step => not_preemptible(),
            Some(mechanism) => {
                let waiter_prio = Some(mine).filter(|mine| rank == Rank::Higher && is_real_time(*mine));
                let is_lazy = asked.is_some() && !is_hard;
                let link = Link { is_lazy, waiter_prio, ..by_switch(mechanism) };
                let has_turn = mechanism == Mechanism::FairShare || self.scene.is_kernel_thread(runner_idx);
                let between = (held.start_ns, held.end_ns);
                let is_silent = has_turn && is_silent_turn(self.scene, self.leg.cpu, between)
                    || self.is_stopper(Some(Subject::Task(runner_idx)))
                        && may_be_still(self.scene, self.leg.cpu, between);
                let link = if is_silent { link.also(Mechanism::Stall) } else { link };
                vec![match by_change.filter(|by_change| *by_change != mechanism) {
                    Some(by_change) => link.also(by_change),
                    None => link,
                }]
            }
            // It was made as important, at a time that is not recorded.
            None if let Some(mechanism) = by_change.filter(|_| !is_section) => {
                vec![by_switch(mechanism).inferred()]
            }
            None if !is_section && (self.is_passed_over(held) || is_out()) => {
                let is_throttled = self.may_be_throttled(held);
                let mechanism = if is_throttled { Mechanism::Throttled } else { Mechanism::Unknown };
                vec![by_switch(mechanism).inferred()]
            }
            // It may have been in the queue of another CPU.
            None if !is_section && asked.is_none() && (self.is_kept(held) || self.has_chosen(held)) => {
                vec![by_switch(Mechanism::Unknown)]
            }
            // Nothing but a section that cannot be preempted keeps a less important task on the CPU.
            None => not_preemptible(),
        }
    }

    /// Nothing happened for long after an event with preemption on, of a CPU that may stand still.
    fn is_held_by_nothing(&self, held: &Held<'_>) -> bool {
        let between = (held.start_ns, held.end_ns);
        let pairs = self.scene.neighbours(self.leg.cpu, between);
        let longest = pairs.max_by_key(|[first, second]| second.t_ns.saturating_sub(first.t_ns));
        longest.filter(|_| self.scene.may_stand_still()).is_some_and(|pair| {
            let flags = Flags(pair[0].flags.cast_unsigned());
            let is_free = flags.has(Flags::KNOWN) && flags.preempt_depth() == 0;
            let is_free = is_free && !flags.has(Flags::BH_OFF | Flags::SOFTIRQ);
            is_slow_to_leave(self.scene, pair) || is_free && may_be_still(self.scene, self.leg.cpu, between)
        })
    }

    /// The waking itself, until the task is in the queue; and the switch to it, from the moment at which nothing else
    /// is in its way. Both take their time.
    fn is_on_its_way(&self, held: &Held<'_>, rank: Rank, is_asked: bool) -> bool {
        let (usuals, around) = (&self.scene.usuals, self.scene.around);
        let is_way = |ns: i64| ns < ON_ITS_WAY_NS || usuals.is_usual_switch(around, ns);
        let is_short = is_way(held.end_ns.saturating_sub(held.start_ns));
        let waker_cpu = self.waiter.since.filter(|event| event.switch().is_none()).map(|event| event.cpu);
        let is_waking = waker_cpu == Some(self.leg.cpu)
            && self.waiter.queued.is_some_and(|queued| held.end_ns <= queued.t_ns);
        // What the CPU switched to while the task was in its queue and might run was chosen in the place of it.
        let begun_ns = held.span.map_or(i64::MIN, |span| span.start_ns);
        let allowed_ns = self.throttled.map_or(i64::MIN, |(_, until_ns)| until_ns);
        let is_chosen = self.queued().is_some_and(|(queued_ns, _)| queued_ns.max(allowed_ns) <= begun_ns);
        let is_decided = rank == Rank::Lower && !is_chosen || (rank == Rank::Fair && is_asked);
        let is_last = is_way(self.leg.end_ns.saturating_sub(held.start_ns));
        // Whoever woke it makes room for it at once.
        let is_at_once = |waking: &&Seen<'_>| self.leg.end_ns.saturating_sub(waking.t_ns) < ON_ITS_WAY_NS;
        let waker = self.waiter.since.filter(|_| waker_cpu == Some(self.leg.cpu)).filter(is_at_once);
        let is_of_waker = waker.zip(held.span).is_some_and(|(waking, span)| waking.task_idx == span.task_idx);
        is_short && (is_waking || (is_decided || is_of_waker) && is_last)
    }

    /// A link behind a task, cut where a timer's interrupt did not come, or ticks are missing: nobody decided anything then.
    fn without_silence(&self, link: Link<'a>) -> Vec<Link<'a>> {
        // Whatever runs in the place of a task that may not run, and however late its ticks are, is not what keeps it away.
        let is_cut = link.function_idx.is_none() && link.mechanism != Mechanism::Throttled;
        let Some(Subject::Task(runner_idx)) = link.subject.filter(|_| is_cut) else {
            return vec![link];
        };
        let is_decided = matches!(link.mechanism, Mechanism::HigherPriority | Mechanism::EqualPriority)
            && !self.is_stopper(link.subject);
        // A kernel with `nohz_full` stops the tick for such a task: only a timer that is known to be due is missing.
        let silences = if is_decided {
            silences(self.scene, self.leg.cpu, link.start_ns, link.end_ns)
        } else {
            all_silences(self.scene, self.leg.cpu, link.start_ns, link.end_ns)
        };
        let is_turn = link.mechanism == Mechanism::FairShare;
        let silences = silences
            .into_iter()
            .filter(|silence| !is_turn || may_end_turn(self.scene, self.leg.cpu, silence.end_ns));
        let mut links = without(self.scene, link, Subject::Task(runner_idx), &silences.collect::<Vec<_>>());
        for link in &mut links {
            let is_silence = matches!(link.mechanism, Mechanism::IrqsOff | Mechanism::Stall);
            link.chosen = Some(runner_idx).filter(|_| is_decided && is_silence);
        }
        links
    }

    /// The stopper has little to do, and does it in one go.
    fn is_stopper(&self, subject: Option<Subject>) -> bool {
        let Some(Subject::Task(idx)) = subject else { return false };
        self.scene.around.task(idx).is_some_and(|task| is_stopper_comm(task.comm.as_bytes()))
    }
}

//! One link of a chain, and how links become a chain.

use super::mechanism::{Certainty, Mechanism};
use super::scene::Scene;
use super::usual::Usual;
use crate::explain::blame::Held;
use crate::explain::place::without_noise_prefix;
use crate::explain::surroundings::{Seen, Surroundings};

/// Links of one chain at most; what is shorter joins its neighbour.
const MAX_LINKS: usize = 200;
/// Events of one link at most.
const MAX_EVIDENCE: usize = 8;

/// Whom or what a link is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    Task(i32),
    /// By its symbol; -1 where it is not named.
    Interrupt(i32),
    Softirq(i32),
    Function(i32),
    Cpu(i16),
}

impl Subject {
    /// The stable name of what it is, which the API shows.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Interrupt(_) => "interrupt",
            Self::Softirq(_) => "softirq",
            Self::Function(_) => "function",
            Self::Cpu(_) => "cpu",
        }
    }

    /// `hog-170`, `local_timer:236`, `CPU 1`; by the name that a task had at a time.
    pub fn name(self, around: &Surroundings<'_, '_>, t_ns: i64) -> String {
        let symbol = |idx: i32, nameless: &str| {
            let name = around.symbol(idx);
            name.map_or_else(|| nameless.to_owned(), |name| without_noise_prefix(&name).to_owned())
        };
        match self {
            Self::Task(idx) => around.task_name(idx, t_ns).unwrap_or_else(|| "an unknown task".to_owned()),
            Self::Interrupt(idx) => symbol(idx, "an interrupt"),
            Self::Softirq(idx) => symbol(idx, "a softirq"),
            Self::Function(idx) => symbol(idx, "an unknown function"),
            Self::Cpu(cpu) => format!("CPU {cpu}"),
        }
    }
}

/// What stops a task that could run (kernel/signal.c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `SIGSTOP`, `SIGTSTP`, `SIGTTIN` or `SIGTTOU`.
    Signal,
    /// A tracer, such as a debugger.
    Tracer,
}

/// A stretch [start, end) of a case, and why it went by.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    pub cpu: i16,
    pub mechanism: Mechanism,
    /// What else held over it, but was not what kept it from ending.
    pub also: Vec<Mechanism>,
    pub subject: Option<Subject>,
    /// The kernel's priority of a task that it is about.
    pub subject_prio: Option<i32>,
    /// The kernel's priority of a real-time task that waits behind a more important one.
    pub waiter_prio: Option<i32>,
    pub certainty: Certainty,
    /// It held at least from the one to the other.
    pub bounds: Option<(i64, i64)>,
    pub evidence: Vec<Seen<'a>>,
    /// How long such a stretch usually takes.
    pub usual: Option<Usual>,
    /// The longest single piece, and how many pieces there are.
    pub longest_ns: i64,
    pub pieces: usize,
    /// The function in which it was, where a section or a report names it.
    pub function_idx: Option<i32>,
    /// A CPU that was idle all the time, although the task has run on it in this recording.
    pub idle_cpu: Option<i16>,
    /// The chain of what it hangs on.
    pub deeper: Vec<Link<'a>>,
    /// The wakeup case in which that task waited longest, by its pid and start, where there is one.
    pub hangs_on: Option<(i32, i64)>,
    /// A task that runs waits for it to end.
    pub is_awaited: bool,
    /// What an interrupt did for others, before it came to the timer of the case.
    pub is_for_others: bool,
    /// The scheduler was asked lazily: it is to wait for the tick or the return to user space.
    pub is_lazy: bool,
    /// The waking itself, or the switch itself.
    pub is_way: bool,
    /// What waited was a softirq.
    pub is_soft: bool,
    /// Its events are left out.
    pub is_unseen: bool,
    /// The recording itself was off.
    pub is_off: bool,
    /// An interrupt or softirq that may have ended sooner: what it ends with is not recorded.
    pub has_open_end: bool,
    /// An interrupt that was due and did not come, though interrupts were on.
    pub is_undelivered: bool,
    /// On another CPU than the one that the headline names.
    pub is_elsewhere: bool,
    /// The task that had the CPU in a silence, where the scheduler had chosen it: a tick that comes would not have let the one
    /// that waits run.
    pub chosen: Option<i32>,
    /// Its timer was due, but had slack, of which it used `asked_ns`.
    pub is_slack: bool,
    /// Its task had set a timer of so long itself.
    pub asked_ns: Option<i64>,
    /// Its task was stopped.
    pub stop: Option<Stop>,
    /// Of a group of an idle CPU, true where that ran something between two of its pieces.
    pub is_apart: bool,
    /// Of a group, how many of its tasks have other names than its longest link's.
    pub mixed: usize,
    /// Of a group, true where its tasks have different priorities.
    pub has_prios: bool,
    /// Shorter links of others that joined it, and what they take.
    pub others: usize,
    pub others_ns: i64,
    pub sentence: String,
}

impl<'a> Link<'a> {
    /// A link in one piece, recorded rather than inferred, and about nobody yet. [`Mechanism::Unknown`] is
    /// always inferred.
    pub fn new(mechanism: Mechanism, cpu: i16, start_ns: i64, end_ns: i64) -> Self {
        Self {
            start_ns,
            end_ns,
            cpu,
            mechanism,
            also: Vec::new(),
            subject: None,
            subject_prio: None,
            waiter_prio: None,
            certainty: match mechanism {
                Mechanism::Unknown => Certainty::Inferred,
                _ => Certainty::Recorded,
            },
            bounds: None,
            evidence: Vec::new(),
            usual: None,
            longest_ns: end_ns.saturating_sub(start_ns),
            pieces: 1,
            function_idx: None,
            idle_cpu: None,
            deeper: Vec::new(),
            hangs_on: None,
            is_awaited: false,
            is_for_others: false,
            is_lazy: false,
            is_way: false,
            is_soft: false,
            is_unseen: false,
            is_off: false,
            has_open_end: false,
            is_undelivered: false,
            is_elsewhere: false,
            chosen: None,
            is_slack: false,
            asked_ns: None,
            stop: None,
            is_apart: false,
            mixed: 0,
            has_prios: false,
            others: 0,
            others_ns: 0,
            sentence: String::new(),
        }
    }

    /// Names whom or what the link is about.
    pub fn about(self, subject: Subject) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// About the task of the slice that says who had the CPU, where one does.
    pub fn about_task_of(self, held: &Held<'_>) -> Self {
        Self { subject: held.span.map(|span| Subject::Task(span.task_idx)), ..self }
    }

    /// As [`add`](Self::add), for a chain of calls.
    pub fn also(mut self, mechanism: Mechanism) -> Self {
        self.add(mechanism);
        self
    }

    /// Says once that something else held, too.
    pub fn add(&mut self, mechanism: Mechanism) {
        if !self.also.contains(&mechanism) {
            self.also.push(mechanism);
        }
    }

    /// Marks the link as concluded from other events, not recorded itself.
    pub fn inferred(self) -> Self {
        Self { certainty: Certainty::Inferred, ..self }
    }

    /// Adds events as evidence.
    pub fn seen_by<'e>(mut self, events: impl IntoIterator<Item = &'e Seen<'a>>) -> Self
    where
        'a: 'e,
    {
        self.evidence.extend(events.into_iter().copied());
        self
    }

    /// What is left of it in [start, end).
    pub fn between(self, start_ns: i64, end_ns: i64) -> Self {
        let (start_ns, end_ns) = (self.start_ns.max(start_ns), self.end_ns.min(end_ns));
        Self { start_ns, end_ns, longest_ns: end_ns.saturating_sub(start_ns), ..self }
    }

    pub fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// True where interrupts were off or the CPU stood still, and nothing says which. A thread of the kernel is likelier
    /// to have them off, unless CPUs are known to stand still here.
    pub fn may_be_stall(&self, scene: &Scene<'_, '_>) -> bool {
        let is_silence = self.mechanism == Mechanism::IrqsOff && self.also.contains(&Mechanism::Stall);
        let is_thread = || matches!(self.subject, Some(Subject::Task(idx)) if scene.is_kernel_thread(idx));
        is_silence && self.function_idx.is_none() && (!is_thread() || scene.has_stalls())
    }

    /// True for an interrupt or softirq in a function of somebody else, which ran long unless the CPU stood still in it, and
    /// for a task that kept its CPU, or its CPU was none.
    pub fn may_have_stood_still(&self) -> bool {
        let is_interrupt = matches!(self.subject, Some(Subject::Interrupt(_) | Subject::Softirq(_)));
        let is_meant = is_interrupt && self.mechanism != Mechanism::IrqsOff
            || matches!(
                self.mechanism,
                Mechanism::NotPreemptible | Mechanism::FairShare | Mechanism::KernelExit
            )
            || matches!(self.mechanism, Mechanism::HigherPriority | Mechanism::EqualPriority)
            || self.is_way && self.subject.is_none();
        is_meant && self.also.contains(&Mechanism::Stall)
    }

    /// How much of it lies before the first record, where that is most of it and it is unknown.
    pub fn before_recording_ns(&self) -> Option<i64> {
        let before_ns = self.start_ns.saturating_neg().min(self.duration_ns());
        let is_most = before_ns.saturating_mul(2) > self.duration_ns();
        (self.mechanism == Mechanism::Unknown && before_ns > 0 && is_most).then_some(before_ns)
    }

    /// Whom it is about, and whose it is where the CPU was silent in a task that was chosen.
    pub fn owner(&self) -> Option<Subject> {
        self.chosen.map(Subject::Task).or(self.subject)
    }

    fn is_same(&self, other: &Self) -> bool {
        let key = |link: &Self| {
            let kind = (
                (link.is_for_others, link.is_awaited),
                (link.is_unseen, link.is_off),
                link.is_undelivered,
                link.is_way,
                link.is_slack,
                (link.asked_ns, link.stop),
                link.chosen,
            );
            (link.mechanism, link.subject, link.cpu, link.function_idx, kind)
        };
        // Between two stalls an event shows that the CPU executed something.
        let is_apart = self.mechanism == Mechanism::Stall;
        key(self) == key(other) && self.deeper.is_empty() && other.deeper.is_empty() && !is_apart
    }

    fn join(&mut self, next: Self) {
        let is_shorter = self.duration_ns() < next.duration_ns();
        self.is_lazy = if is_shorter { next.is_lazy } else { self.is_lazy };
        self.end_ns = next.end_ns;
        self.certainty = self.certainty.max(next.certainty);
        next.also.iter().for_each(|mechanism| self.add(*mechanism));
        self.bounds = match (self.bounds, next.bounds) {
            (Some((from, _)), Some((_, to))) => Some((from, to)),
            (one, other) => one.or(other),
        };
        self.evidence.extend(next.evidence);
        self.evidence.truncate(MAX_EVIDENCE);
        self.usual = self.usual.or(next.usual);
        self.pieces = self.pieces.saturating_add(next.pieces).saturating_sub(1);
        self.longest_ns = self.longest_ns.max(next.longest_ns).max(self.duration_ns());
        self.idle_cpu = self.idle_cpu.filter(|_| self.idle_cpu == next.idle_cpu);
        self.has_open_end |= next.has_open_end;
    }

    /// Takes in a shorter link of something else.
    fn take_in(&mut self, other: &Self) {
        self.start_ns = self.start_ns.min(other.start_ns);
        self.end_ns = self.end_ns.max(other.end_ns);
        self.certainty = self.certainty.max(Certainty::Inferred);
        self.others = self.others.saturating_add(other.others).saturating_add(1);
        self.others_ns = self.others_ns.saturating_add(other.duration_ns());
    }
}

/// The links with neighbours of one mechanism and subject as one, and without empty ones.
pub fn merged(links: Vec<Link<'_>>) -> Vec<Link<'_>> {
    let mut chain: Vec<Link<'_>> = Vec::new();
    for link in links.into_iter().filter(|link| link.start_ns < link.end_ns) {
        match chain.last_mut() {
            Some(last) if last.is_same(&link) => last.join(link),
            _ => chain.push(link),
        }
    }
    for link in &mut chain {
        link.evidence.truncate(MAX_EVIDENCE);
    }
    chain
}

/// The links of a chain as it is shown: of too many, the short ones are taken in by their longer neighbours.
pub fn shown(links: Vec<Link<'_>>) -> Vec<Link<'_>> {
    let mut chain = links;
    let mut too_short_ns = 1_000_i64;
    while chain.len() > MAX_LINKS {
        let mut kept: Vec<Link<'_>> = Vec::new();
        for mut link in chain {
            match kept.last_mut() {
                Some(last) if last.is_same(&link) && last.others == 0 && link.others == 0 => last.join(link),
                Some(last)
                    if link.duration_ns() < too_short_ns && link.duration_ns() <= last.duration_ns() =>
                {
                    last.take_in(&link);
                }
                Some(last) if last.duration_ns() < too_short_ns => {
                    link.take_in(last);
                    *last = link;
                }
                _ => kept.push(link),
            }
        }
        chain = kept;
        too_short_ns = too_short_ns.saturating_mul(2);
    }
    chain
}

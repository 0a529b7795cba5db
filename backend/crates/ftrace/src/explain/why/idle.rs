//! A CPU without work: how long it took to notice new work, and what delayed it then.

use super::context::contexts;
use super::left_idle::has_left_idle;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::recorded::ends;
use super::scene::Scene;
use super::silence::may_be_still;
use super::stall::{LONG_STALL_NS, is_in_one_go, is_one_interrupt};
use crate::analyses::{Cause, SliceKind};
use crate::explain::blame::Held;
use crate::explain::span::Span;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// A guest's CPU that takes longer is one whose host runs something else.
pub const SLOW_TO_WAKE_NS: i64 = 100_000;
/// A CPU that executes takes less than this from the notice to the switch.
const ON_ITS_WAY_OUT_NS: i64 = 50_000;

/// What had a CPU, where sections of the idle task are idleness: its loop runs with preemption off, and parts of it with
/// interrupts off, and it is neither that anybody waits for (kernel/sched/idle.c, `do_idle`).
pub fn with_idle_loop<'a>(scene: &Scene<'_, 'a>, held: Vec<Held<'a>>) -> Vec<Held<'a>> {
    let is_section = |held: &Held<'_>| matches!(held.cause, Cause::Irqsoff | Cause::Preemptoff);
    let is_of_idle = |span: Span<'_>| scene.around.is_idle_task(span.task_idx);
    let mut joined: Vec<Held<'a>> = Vec::new();
    for mut held in held {
        if is_section(&held) && held.span.is_some_and(is_of_idle) {
            (held.cause, held.span) = (Cause::Idle, None);
        }
        match joined.last_mut() {
            Some(last) if last.cause == Cause::Idle && held.cause == Cause::Idle => {
                last.end_ns = held.end_ns;
            }
            _ => joined.push(held),
        }
    }
    joined
}

/// A CPU in an idle state that it has to leave first.
pub fn idle_exit<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>) -> Link<'a> {
    let link = Link::new(Mechanism::IdleExit, cpu, held.start_ns, held.end_ns)
        .about(Subject::Cpu(cpu))
        .seen_by(ends(scene, cpu, held));
    // No idle state of a guest's CPU takes that long to leave; the host was slow to run it again.
    let is_long = link.duration_ns() >= SLOW_TO_WAKE_NS && scene.is_guest();
    let link = if is_long { link.also(Mechanism::Stall) } else { link };
    // One that is in a softirq by then has left its idle state, at a time that is not recorded.
    let behind = scene.events(cpu, held.end_ns, i64::MAX).first();
    let is_in_softirq = behind.is_some_and(|event| Flags(event.flags.cast_unsigned()).has(Flags::SOFTIRQ));
    let may_be_softirq = is_in_softirq && !scene.around.records("softirq_entry");
    if may_be_softirq { link.also(Mechanism::OtherInterrupt) } else { link }
}

/// A CPU without work, cut where it was in a softirq: it had left its idle state then. Only idle states that are recorded
/// distinguish one softirq from two with a sleep between them.
pub fn idle_or_softirq<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>) -> Vec<Link<'a>> {
    let idle = |start_ns, end_ns| {
        (start_ns < end_ns).then(|| idle_exit(scene, cpu, &Held { start_ns, end_ns, ..*held }))
    };
    let mut links = Vec::new();
    let mut at_ns = held.start_ns;
    let is_told = scene.around.records("cpu_idle") && scene.around.records_interrupts();
    let softirqs = is_told.then(|| contexts(scene, cpu, held.start_ns, held.end_ns));
    for soft in softirqs.into_iter().flatten() {
        links.extend(idle(at_ns, soft.start_ns));
        links.push(soft.link_of(cpu, Mechanism::OtherInterrupt));
        at_ns = soft.end_ns;
    }
    links.extend(idle(at_ns, held.end_ns));
    links
}

/// An idle CPU that a task waits for: idle until it notices, and on its way out from then on. `is_awake` is true of a
/// CPU that put the task into its queue itself: it had left its idle state for that.
pub fn slow_to_switch<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>, is_awake: bool) -> Vec<Link<'a>> {
    let is_leaving = is_awake
        || is_on_its_way_out(scene, cpu, held.start_ns)
        || is_rescheduled(scene, cpu, held.start_ns)
        || has_left_idle(scene, cpu, held.start_ns);
    let noticed_ns = if is_leaving { held.start_ns } else { noticed_ns(scene, cpu, held) };
    let until = Held { end_ns: noticed_ns, ..*held };
    let usual = scene.usual_notice(until.end_ns.saturating_sub(until.start_ns));
    let noticed = scene.events(cpu, until.end_ns, until.end_ns).first().copied();
    let mut links = vec![Link { usual, ..idle_exit(scene, cpu, &until).seen_by(noticed) }];
    let mut at_ns = until.end_ns;
    for soft in contexts(scene, cpu, until.end_ns, held.end_ns) {
        links.extend(on_its_way_out(scene, cpu, at_ns, soft.start_ns));
        links.push(soft.link(cpu));
        at_ns = soft.end_ns;
    }
    links.extend(on_its_way_out(scene, cpu, at_ns, held.end_ns));
    links
}

/// True for a CPU that is to run another task already, by its last event. It goes idle again where another CPU takes that
/// task away: recorded idle states would show it, and so does a task that has waited and gets this CPU.
pub fn is_on_its_way_out(scene: &Scene<'_, '_>, cpu: i16, t_ns: i64) -> bool {
    let last = scene.last_event(cpu, t_ns.saturating_sub(1));
    last.is_some_and(|last| {
        let is_asked = Flags(last.flags.cast_unsigned()).needs_resched();
        let is_seen = || scene.around.records("cpu_idle") || scene.steps.has_waiting(cpu, t_ns);
        is_asked && !scene.around.is_unseen_between(last.t_ns, t_ns) && is_seen()
    })
}

/// True behind the interrupt that tells an idle CPU of a task in its queue: it has only to switch to it.
fn is_rescheduled(scene: &Scene<'_, '_>, cpu: i16, t_ns: i64) -> bool {
    let mut events = scene.events(cpu, t_ns, t_ns).iter();
    events.any(|event| scene.around.event_name(event) == "reschedule_exit")
}

/// The first event at which the CPU is to run another task, or leaves its idle state; the end where none is recorded.
fn noticed_ns(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> i64 {
    // A CPU that pulls a task is awake.
    let pulls =
        |event: &Seen<'_>| event.migration().is_some_and(|migration| i16::try_from(migration.cpu) == Ok(cpu));
    let shows = |event: &&&Seen<'_>| {
        let is_asked = Flags(event.flags.cast_unsigned()).needs_resched();
        event.ends_idle() || is_asked || event.wakeup().is_some() || pulls(event)
    };
    let noticed = scene.events(cpu, held.start_ns, held.end_ns).iter().find(shows);
    let goes_idle_again = |from_ns: i64| {
        let later = scene.events(cpu, from_ns, held.end_ns.saturating_sub(1)).iter().rev();
        let mut states = later.filter_map(|event| Some((event.t_ns, event.idle_state()?)));
        states.next().filter(|(_, state)| state.is_some()).map(|(t_ns, _)| t_ns)
    };
    match noticed.map(|event| event.t_ns) {
        // It went to sleep again, and noticed later.
        Some(t_ns) if goes_idle_again(t_ns).is_some_and(|again_ns| again_ns > t_ns) => held.end_ns,
        Some(t_ns) => t_ns.clamp(held.start_ns, held.end_ns),
        None => held.end_ns,
    }
}

/// It only has to switch: if that takes long, it executed nothing.
pub fn on_its_way_out<'a>(scene: &Scene<'_, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut at_ns = start_ns;
    for event in scene.events(cpu, start_ns.saturating_add(1), end_ns) {
        links.push(step_out(scene, cpu, (at_ns, event.t_ns), Some(event)));
        at_ns = event.t_ns;
    }
    // Another CPU may take the task away, which is recorded only later, if at all.
    let next = scene.events(cpu, end_ns, i64::MAX).first().copied();
    links.push(step_out(scene, cpu, (at_ns, end_ns), next));
    links
}

/// Between two events of a CPU on its way out, or from one of them to an end before the next.
fn step_out<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    (start_ns, end_ns): (i64, i64),
    next: Option<&'s Seen<'a>>,
) -> Link<'a> {
    let link = |mechanism| Link::new(mechanism, cpu, start_ns, end_ns);
    let open = |subject| {
        let link = link(Mechanism::OtherInterrupt).about(subject).inferred();
        let link = Link { has_open_end: true, ..link };
        if may_be_still(scene, cpu, (start_ns, end_ns)) { link.also(Mechanism::Stall) } else { link }
    };
    let is_told = scene.around.records_interrupts();
    let from = scene.last_event(cpu, start_ns);
    let flags = |event: Option<&Seen<'_>>| Flags(event.map_or(0, |event| event.flags.cast_unsigned()));
    let (before, behind) = (flags(from), flags(next));
    let path = from
        .zip(next)
        .filter(|(from, next)| is_in_one_go(from, next, is_one_interrupt(scene, cpu, [from, next])));
    let usual =
        path.and_then(|(from, next)| scene.usual_gap([from, next], next.t_ns.saturating_sub(from.t_ns)));
    let took_ns = end_ns.saturating_sub(start_ns);
    let is_switch = next.is_some_and(|next| next.switch().is_some());
    let way_out = || scene.usuals.way_out(scene.around, took_ns).filter(|_| is_switch);
    let is_usual = usual.or_else(way_out).is_some_and(|usual| !usual.is_much_exceeded_by(took_ns));
    let is_long = took_ns >= ON_ITS_WAY_OUT_NS && !is_usual;
    let until_ns = next.map_or(end_ns, |next| next.t_ns);
    let is_lost = scene.around.losses(cpu).any(|loss| loss.start_ns < until_ns && start_ns < loss.end_ns);
    // An interrupt that came into a softirq is not the one from before that softirq.
    let is_later = !before.has(Flags::SOFTIRQ) && behind.has(Flags::SOFTIRQ);
    let is_in_both = !is_told && before.has(Flags::HARDIRQ) && behind.has(Flags::HARDIRQ);
    let still = || Link { usual, ..link(Mechanism::Stall).about(Subject::Cpu(cpu)).inferred() };
    let found = match () {
        // Nothing else shows it, but both lie in one.
        () if is_in_both && !is_later => {
            link(Mechanism::OtherInterrupt).about(Subject::Interrupt(-1)).inferred()
        }
        () if !is_long => Link { is_way: true, ..link(Mechanism::Handler) },
        () if is_lost || scene.around.is_unseen_between(start_ns, end_ns) => link(Mechanism::Unknown),
        () if is_in_both => open(Subject::Softirq(-1)),
        // An interrupt whose end is not recorded may have gone on, and one that shows itself late have begun long before.
        () if !is_told && (before.has(Flags::HARDIRQ) || behind.has(Flags::HARDIRQ)) => {
            open(Subject::Interrupt(-1))
        }
        () if before.has(Flags::SOFTIRQ)
            && !before.has(Flags::HARDIRQ)
            && !is_behind_softirqs(scene, cpu, start_ns) =>
        {
            open(Subject::Softirq(-1))
        }
        // Whether it was in an interrupt, no flag says.
        () if !is_told && !before.has(Flags::KNOWN) => match took_ns >= LONG_STALL_NS {
            true if scene.may_stand_still() => still(),
            true => open(Subject::Interrupt(-1)),
            false => link(Mechanism::Unknown),
        },
        () => still(),
    };
    found.seen_by(from).seen_by(next)
}

/// True where softirqs are recorded, and none of them is running: what is flagged as one then is only the way out of them.
fn is_behind_softirqs(scene: &Scene<'_, '_>, cpu: i16, t_ns: i64) -> bool {
    let is_told = scene.around.records("softirq_entry") && scene.around.records("softirq_exit");
    is_told && scene.span_at(SliceKind::Softirq, cpu, t_ns).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::explain::{explain_all, headlines};

    /// How much of its wait a softirq spends behind another one, by its chain. It is raised in an interrupt of an idle
    /// CPU, and another interrupt, with these flags, comes before it.
    fn softirqs_ns(idle: &str, flags: &str) -> i64 {
        let mut found_ns = 0;
        let text = format!(
            "
            {idle}
            <idle>-0 [0] d.h1. 1.001000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.001002: softirq_raise: vec=1 [action=TIMER]
            <idle>-0 [0] {flags}1. 1.001009: local_timer_exit: vector=236
            <idle>-0 [0] {flags}1. 1.001011: irq_handler_entry: irq=25 name=virtio1-req.0
            <idle>-0 [0] {flags}1. 1.001051: irq_handler_exit: irq=25 ret=handled
            <idle>-0 [0] ..s1. 1.001053: softirq_entry: vec=1 [action=TIMER]
            <idle>-0 [0] ..s1. 1.001057: softirq_exit: vec=1 [action=TIMER]
            "
        );
        explain_all(
            &text,
            |name| name == "softirq_raise",
            |case, explanation, _| {
                let links = || explanation.why.iter();
                assert_eq!(links().map(Link::duration_ns).sum::<i64>(), case.duration_ns);
                let soft = links().filter(|link| matches!(link.subject, Some(Subject::Softirq(_))));
                assert!(soft.clone().all(|link| link.mechanism == Mechanism::OtherInterrupt));
                found_ns += soft.map(Link::duration_ns).sum::<i64>();
            },
        );
        found_ns
    }

    #[test]
    fn a_cpu_in_a_softirq_has_left_its_idle_state() {
        let idle = "<idle>-0 [0] d..1. 1.000000: cpu_idle: state=1 cpu_id=0";
        assert_eq!(softirqs_ns(idle, "d.H"), 4_000);
        assert_eq!(softirqs_ns(idle, "d.h"), 0);
        assert_eq!(softirqs_ns("", "d.H"), 0);
    }

    /// What kept CPU 0 from `b`, which is woken there by another CPU while `a` waits, by the flags of its events.
    fn waits_for(is_put_there: bool, flags: [&str; 2]) -> String {
        let [first, second] = flags;
        let put =
            if is_put_there { "sched_wakeup: comm=a pid=7 prio=120 target_cpu=000" } else { "print: x" };
        headlines(
            &format!(
                "
                <idle>-0 [0] d.h1. 1.000000: print: x
                <idle>-0 [0] {first}1. 1.000010: {put}
                sh-5     [1] d..2. 1.000500: sched_waking: comm=b pid=8 prio=120 target_cpu=000
                sh-5     [1] d..2. 1.000502: sched_wakeup: comm=b pid=8 prio=120 target_cpu=000
                <idle>-0 [0] {second}1. 1.004000: hrtimer_expire_entry: hrtimer=0000000000000001 function=f now=4000000
                <idle>-0 [0] d..2. 1.004010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
                a-7      [0] d..2. 1.004020: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
                "
            ),
            "wakeup",
        )
    }

    #[test]
    fn a_cpu_that_another_task_waits_for_is_not_idle() {
        let told = waits_for(true, ["dNh", "dNh"]);
        assert!(told.contains("an interrupt ran for 3.498 ms"), "{told}");
        let told = waits_for(true, ["dNh", "dNH"]);
        assert!(told.contains("a softirq ran for"), "{told}");
        // Nothing says that it did not go to sleep again.
        let told = waits_for(false, ["dNh", "dNh"]);
        assert!(told.contains("CPU 0 was idle and took 3.498 ms"), "{told}");
    }

    #[test]
    fn behind_the_interrupt_that_tells_it_of_a_task_a_cpu_has_only_to_switch() {
        let told = headlines(
            "
            sh-5     [1] 1.000000: sched_migrate_task: comm=a pid=7 prio=120 orig_cpu=1 dest_cpu=0
            sh-5     [1] 1.000002: sched_waking: comm=a pid=7 prio=120 target_cpu=000
            <idle>-0 [0] 1.000090: reschedule_entry: vector=253
            <idle>-0 [0] 1.000095: reschedule_exit: vector=253
            <idle>-0 [0] 1.002695: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
            ",
            "wakeup",
        );
        assert!(told.ends_with("CPU 0 stood still for 2.600 ms\n"), "{told}");
    }

    #[test]
    fn a_cpu_that_ran_something_in_between_was_idle_twice() {
        let told = headlines(
            "
            s-7      [0] d..1. 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000 softexpires=1000000
            s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d..2. 1.009000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
            b-8      [0] d..2. 1.009400: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.017400: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=17400000
            <idle>-0 [0] d.h2. 1.017410: sched_waking: comm=s pid=7 prio=19 target_cpu=000
            <idle>-0 [0] d..2. 1.017420: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19
            ",
            "cyclic",
        );
        assert!(told.contains("CPU 0 was idle twice and took 16.000 ms to notice\n"), "{told}");
    }
}

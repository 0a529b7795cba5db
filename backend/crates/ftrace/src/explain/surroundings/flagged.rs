//! Hard interrupts of which no entry and no exit is recorded, by the flags of what they did.

use hashbrown::HashMap;

use super::{Recorded, Seen};
use crate::analyses::{SliceFlags, SliceKind};
use crate::events::{NoiseEvent, Role};
use crate::explain::span::Span;
use crate::model::Flags;

/// Two events in interrupts belong to one if they are no further apart, unless a handler lies between them,
const LONGEST_STEP_NS: i64 = 20_000;
/// or if they are no further apart and a task runs: unlike an idle CPU, it has to do something between two interrupts.
const LONGEST_STEP_IN_TASK_NS: i64 = 50_000;
/// Softirqs that are not recorded begin no later than this after the last event of the interrupt that they come after.
const LONGEST_WAY_TO_SOFTIRQS_NS: i64 = 200_000;
/// Interrupts within each other at most, and those that such ones lie between.
const MOST_NESTED: usize = 4;

/// An interrupt that is not over.
#[derive(Clone, Copy)]
struct Open {
    first: (i64, i32),
    last_ns: i64,
    /// A handler has begun and not ended.
    is_in_handler: bool,
}

/// Since when the interrupt of the local timer runs whose end is recorded, but no beginning: since the first of its handlers.
#[derive(Default)]
struct Handling(HashMap<i16, (i64, i32)>);

impl Handling {
    /// Takes the next event; `is_inside` is true where it lies in an interrupt that is not recorded. At the end of the
    /// interrupt, the span from its first handler on.
    fn take<'a>(&mut self, event: &Seen<'a>, is_inside: bool) -> Option<Span<'a>> {
        if event.role == Some(Role::HrtimerExpireEntry) && is_inside {
            self.0.entry(event.cpu).or_insert((event.t_ns, event.task_idx));
        }
        if is_inside && !event.ends_interrupt() {
            return None;
        }
        let first = self.0.remove(&event.cpu).filter(|first| is_inside && first.1 == event.task_idx)?;
        let is_of_timers = event.role == Some(Role::VectorExit("local_timer"));
        let open = Open { first, last_ns: event.t_ns, is_in_handler: false };
        let span = span(event.cpu, open).filter(|_| is_of_timers)?;
        Some(Span { flags: SliceFlags::default(), ..span })
    }
}

/// From the first to the last event of each interrupt that is none of `spans`, or to the softirqs that follow it. They have no
/// symbol, and may have gone on.
pub fn flagged_interrupts<'a>(
    recorded: &Recorded<'a>,
    spans: &[Span<'a>],
    events: &[Seen<'a>],
) -> Vec<Span<'a>> {
    // The tracer of noise records interrupts by their names.
    if recorded.roles.contains(&Some(Role::Noise(NoiseEvent::Irq))) {
        return Vec::new();
    }
    let tells_softirqs = recorded.roles.contains(&Some(Role::SoftirqEntry));
    let tells_exits = recorded.roles.contains(&Some(Role::HrtimerExpireExit));
    let known = Known::of(spans);
    let mut open: HashMap<i16, Open> = HashMap::new();
    let mut handling = Handling::default();
    let mut found: Vec<Span<'a>> = Vec::new();
    for event in events {
        let flags = Flags(event.flags.cast_unsigned());
        let is_inside = flags.has(Flags::HARDIRQ) && !flags.has(Flags::NMI) && !known.has(event);
        let last = open.remove(&event.cpu);
        if let Some(whole) = handling.take(event, is_inside) {
            replace(&mut found, whole);
        }
        // The end of an interrupt that began before everything that is known here says more by itself.
        if event.ends_interrupt() {
            continue;
        }
        let is_idle = recorded.tasks.get(event.task_idx).is_none_or(|task| task.pid == Some(0));
        let longest_ns = if is_idle { LONGEST_STEP_NS } else { LONGEST_STEP_IN_TASK_NS };
        let goes_on = |last: &Open| {
            let is_one =
                last.first.1 == event.task_idx && event.t_ns.saturating_sub(last.last_ns) <= longest_ns;
            last.is_in_handler || is_one
        };
        let same = last.filter(|last| is_inside && goes_on(last));
        let is_followed = |last: &Open| {
            let is_soft = flags.has(Flags::SOFTIRQ) && !flags.has(Flags::HARDIRQ | Flags::NMI);
            let is_near = event.t_ns.saturating_sub(last.last_ns) <= LONGEST_WAY_TO_SOFTIRQS_NS;
            is_soft && is_near && last.first.1 == event.task_idx && !tells_softirqs
        };
        if same.is_none() {
            let ended = last.map(|last| match is_followed(&last) {
                true => Open { last_ns: event.t_ns, ..last },
                false => last,
            });
            found.extend(ended.and_then(|last| span(event.cpu, last)));
        }
        if is_inside {
            let before = same.unwrap_or(Open {
                first: (event.t_ns, event.task_idx),
                last_ns: event.t_ns,
                is_in_handler: false,
            });
            let is_in_handler = match event.role {
                Some(Role::HrtimerExpireEntry) => tells_exits,
                Some(Role::HrtimerExpireExit) => false,
                _ => before.is_in_handler,
            };
            open.insert(event.cpu, Open { last_ns: event.t_ns, is_in_handler, ..before });
        }
    }
    found.extend(open.into_iter().filter_map(|(cpu, last)| span(cpu, last)));
    found
}

/// Puts the span of an interrupt in the place of its parts, which are the last ones of its CPU.
fn replace<'a>(found: &mut Vec<Span<'a>>, whole: Span<'a>) {
    let is_before = |part: &Span<'_>| part.cpu == whole.cpu && part.start_ns < whole.start_ns;
    let parts = found.split_off(found.iter().rposition(is_before).map_or(0, |at| at.saturating_add(1)));
    found.extend(parts.into_iter().filter(|part| part.cpu != whole.cpu));
    found.push(whole);
}

/// The recorded interrupts of each CPU, in their order.
struct Known(HashMap<i16, Vec<(i64, i64)>>);

impl Known {
    fn of(spans: &[Span<'_>]) -> Self {
        let mut of_cpu: HashMap<i16, Vec<(i64, i64)>> = HashMap::new();
        for span in spans.iter().filter(|span| span.kind == SliceKind::Irq) {
            of_cpu.entry(span.cpu).or_default().push((span.start_ns, span.end_ns));
        }
        of_cpu.values_mut().for_each(|spans| spans.sort_unstable());
        Self(of_cpu)
    }

    /// Nested ones end before those around them: the last that began may not be the one that lasts.
    fn has(&self, event: &Seen<'_>) -> bool {
        let spans = self.0.get(&event.cpu).map(Vec::as_slice).unwrap_or_default();
        let begun = spans.get(..spans.partition_point(|span| span.0 <= event.t_ns)).unwrap_or_default();
        begun.iter().rev().take(MOST_NESTED).any(|span| event.t_ns <= span.1)
    }
}

fn span<'a>(cpu: i16, Open { first: (start_ns, task_idx), last_ns, .. }: Open) -> Option<Span<'a>> {
    let duration_ns = last_ns.saturating_sub(start_ns);
    (duration_ns > 0).then_some(Span {
        kind: SliceKind::Irq,
        start_ns,
        end_ns: last_ns,
        self_ns: duration_ns,
        cpu,
        task_idx,
        symbol_idx: -1,
        depth: 0,
        flags: SliceFlags::CUT_AT_END,
        args: "",
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// A sleeper whose timer was due at 1.003000 is woken at 1.003940, in no interrupt with a name; the handler of another
    /// timer runs from 1.003020 on.
    fn woken_after(other_exit_us: u32) -> String {
        let (own, other) = ("hrtimer=00000000000000aa", "hrtimer=00000000000000bb");
        headlines(
            &format!(
                "
                s-7      [0] d..1. 1.000000: hrtimer_start: {own} function=hrtimer_wakeup expires=3000000 softexpires=3000000
                s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                <idle>-0 [0] d.h1. 1.003020: hrtimer_expire_entry: {other} function=hfn now=3020000
                <idle>-0 [0] d.h1. 1.{other_exit_us:06}: hrtimer_expire_exit: {other}
                <idle>-0 [0] d.h1. 1.003935: hrtimer_expire_entry: {own} function=hrtimer_wakeup now=3020000
                <idle>-0 [0] d.h2. 1.003940: sched_waking: comm=s pid=7 prio=19 target_cpu=000
                <idle>-0 [0] dNh1. 1.003945: hrtimer_expire_exit: {own}
                <idle>-0 [0] d..2. 1.003950: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19
                "
            ),
            "cyclic",
        )
    }

    #[test]
    fn a_handler_keeps_the_next_one_waiting_whether_or_not_its_interrupt_has_a_name() {
        let told = woken_after(3_930);
        assert!(told.ends_with("915 µs in the handlers of other timers, mostly in hfn\n"), "{told}");
        // What lies between two interrupts is none.
        let told = woken_after(3_030);
        assert!(told.contains("CPU 0 was idle and took 925 µs to notice"), "{told}");
    }

    /// What kept a task from its CPU, whose tick has events so far apart; a softirq comes after it. Neither has a name.
    fn woken_in_tick(step_us: u32, runs: &str) -> String {
        let at = |steps: u32, more: u32| format!("1.{:06}", step_us * steps + more);
        let [second, third, soft, switch] = [at(1, 0), at(2, 0), at(2, 150), at(2, 170)];
        headlines(
            &format!(
                "
                {runs} [0] dNh2. 1.000000: sched_waking: comm=w pid=9 prio=120 target_cpu=000
                {runs} [0] dNh2. {second}: sched_stat_runtime: comm=t pid=8 runtime=1104375 [ns]
                {runs} [0] dNh2. {third}: sched_stat_runtime: comm=t pid=8 runtime=1104375 [ns]
                {runs} [0] dNs2. {soft}: sched_stat_runtime: comm=t pid=8 runtime=1104375 [ns]
                {runs} [0] d..3. {switch}: sched_switch: prev_comm=t prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
                "
            ),
            "wakeup",
        )
    }

    #[test]
    fn in_a_task_events_of_interrupts_belong_to_one_up_to_the_softirqs_behind_it() {
        let told = woken_in_tick(45, "t-8");
        assert!(told.contains("an interrupt itself took 240 µs"), "{told}");
        assert!(!told.contains("preempted"), "{told}");
        // Two interrupts that are further apart have the task between them.
        let told = woken_in_tick(80, "t-8");
        assert!(told.contains("t-8 could not be preempted for"), "{told}");
    }

    #[test]
    fn the_first_records_of_its_interrupt_are_no_other_one_that_kept_a_timer_waiting() {
        let told = headlines(
            "
            <idle>-0 [0] d..1. 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick_sched_timer expires=1000000 softexpires=1000000
            t-8      [0] d.h.. 1.001005: hrtimer_cancel: hrtimer=00000000000000aa
            t-8      [0] d.h.. 1.001018: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_sched_timer now=1019000
            ",
            "timer",
        );
        assert!(told.contains("ran 19 µs late: an interrupt itself took 13 µs"), "{told}");
    }

    /// A tick, which raises a softirq, ends so long after its handler; its beginning is not recorded.
    fn until_its_end(end_us: u32) -> String {
        let tick = "hrtimer=00000000000000aa function=tick_nohz_handler";
        headlines(
            &format!(
                "
                <idle>-0 [0] d.h1. 1.000001: hrtimer_expire_entry: {tick} now=1000001
                <idle>-0 [0] d.h1. 1.000003: softirq_raise: vec=7 [action=SCHED]
                <idle>-0 [0] d.h1. 1.000005: hrtimer_expire_exit: hrtimer=00000000000000aa
                <idle>-0 [0] d.h2. 1.000007: hrtimer_start: {tick} expires=2000000 softexpires=2000000
                <idle>-0 [0] d.h1. 1.{end_us:06}: local_timer_exit: vector=236
                <idle>-0 [0] ..s1. 1.{:06}: softirq_entry: vec=7 [action=SCHED]
                <idle>-0 [0] ..s1. 1.{:06}: softirq_exit: vec=7 [action=SCHED]
                ",
                end_us + 2,
                end_us + 5
            ),
            "softirq_raise",
        )
    }

    #[test]
    fn the_interrupt_of_a_timer_lasts_to_its_end_from_its_first_handler_on() {
        let told = until_its_end(10);
        assert!(told.contains("ran 9.0 µs after it was raised: an interrupt ran for 7.0 µs"), "{told}");
        let told = until_its_end(900);
        assert!(told.contains("ran 899 µs after it was raised: an interrupt ran for 897 µs"), "{told}");
    }
}

//! Hard interrupts of which no entry and no exit is recorded, by the flags of what they did.

use hashbrown::HashMap;

use super::{Recorded, Seen};
use crate::analyses::{SliceFlags, SliceKind};
use crate::events::Role;
use crate::explain::span::Span;
use crate::model::Flags;

/// Two events in interrupts belong to one if they are no further apart, unless a handler lies between them.
const LONGEST_STEP_NS: i64 = 20_000;
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

/// From the first to the last event of each interrupt that is none of `spans`, where handlers of timers are recorded. They
/// have no symbol, and may have gone on.
pub fn flagged_interrupts<'a>(
    recorded: &Recorded<'a>,
    spans: &[Span<'a>],
    events: &[Seen<'a>],
) -> Vec<Span<'a>> {
    if !recorded.roles.contains(&Some(Role::HrtimerExpireExit)) {
        return Vec::new();
    }
    let known = Known::of(spans);
    let mut open: HashMap<i16, Open> = HashMap::new();
    let mut found = Vec::new();
    for event in events {
        let flags = Flags(event.flags.cast_unsigned());
        let is_inside = flags.has(Flags::HARDIRQ) && !flags.has(Flags::NMI) && !known.has(event);
        let last = open.remove(&event.cpu);
        let goes_on =
            |last: &Open| last.is_in_handler || event.t_ns.saturating_sub(last.last_ns) <= LONGEST_STEP_NS;
        let same = last.filter(|last| is_inside && goes_on(last));
        if same.is_none() {
            found.extend(last.and_then(|last| span(event.cpu, last)));
        }
        if is_inside {
            let before = same.unwrap_or(Open {
                first: (event.t_ns, event.task_idx),
                last_ns: event.t_ns,
                is_in_handler: false,
            });
            let is_in_handler = match event.role {
                Some(Role::HrtimerExpireEntry) => true,
                Some(Role::HrtimerExpireExit) => false,
                _ => before.is_in_handler,
            };
            open.insert(event.cpu, Open { last_ns: event.t_ns, is_in_handler, ..before });
        }
    }
    found.extend(open.into_iter().filter_map(|(cpu, last)| span(cpu, last)));
    found
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
}

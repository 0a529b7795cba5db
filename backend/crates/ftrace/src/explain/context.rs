//! Who had the CPU while a wakeup tracer's report was written, by the context of each of its records.

use super::case::Case;
use super::cause::Cause;
use super::span::Span;
use super::surroundings::{Seen, Surroundings};
use crate::analyses::{SampleFlags, SliceFlags, SliceKind};
use crate::model::Flags;

/// One slice from each record of a report to the next; none where switches are recorded, which say more.
///
/// A report holds functions and the tracer's own two lines, and no events that begin or end anything. But
/// every record says in which task it was written, and whether in an interrupt of it.
pub fn spans<'a>(case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Vec<(Option<Cause>, Span<'a>)> {
    let is_report = case.flags.has(SampleFlags::REPORTED) && case.kind.name == "wakeup";
    if !is_report || around.is_switched(case.cpu) {
        return Vec::new();
    }
    let is_inside =
        |event: &&Seen<'_>| event.cpu == case.cpu && (case.start_ns..case.end_ns()).contains(&event.t_ns);
    let records = || around.events.iter().filter(is_inside);
    let ends = records().skip(1).map(|event| event.t_ns).chain([case.end_ns()]);
    records().zip(ends).map(|(event, end_ns)| span(case, event, end_ns, around)).collect()
}

fn span<'a>(
    case: &Case<'_>,
    event: &Seen<'a>,
    end_ns: i64,
    around: &Surroundings<'_, 'a>,
) -> (Option<Cause>, Span<'a>) {
    let flags = Flags(event.flags.cast_unsigned());
    let (cause, kind) = match flags {
        _ if flags.has(Flags::NMI) => (Cause::Nmi, SliceKind::Irq),
        _ if flags.has(Flags::HARDIRQ) => (Cause::Irq, SliceKind::Irq),
        _ if flags.has(Flags::SOFTIRQ) => (Cause::Softirq, SliceKind::Softirq),
        _ if around.is_idle_task(event.task_idx) => (Cause::Idle, SliceKind::Idle),
        _ if case.own_task_idx() == Some(event.task_idx) => (Cause::Itself, SliceKind::Sched),
        _ => (Cause::Task, SliceKind::Sched),
    };
    let span = Span {
        kind,
        start_ns: event.t_ns,
        end_ns,
        self_ns: end_ns.saturating_sub(event.t_ns),
        cpu: case.cpu,
        task_idx: event.task_idx,
        symbol_idx: -1,
        depth: 0,
        flags: SliceFlags::default(),
        args: "",
    };
    (Some(cause), span)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::explain::testing::check_file;

    #[test]
    fn a_report_tells_by_its_records_who_had_the_cpu() {
        check_file(
            "# tracer: wakeup_rt
#
# wakeup_rt latency trace v1.1.5 on 6.12.95+deb12-rt-amd64
# --------------------------------------------------------------------
# latency: 71 us, #5/5, CPU#0 | (M:preempt_rt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: irq/25-virtio1--142 (uid:0 nice:0 policy:1 rt_prio:50)
#    -----------------
#
#                    _------=> CPU#
#                   / _-----=> irqs-off/BH-disabled
#                  | / _----=> need-resched
#                  || / _---=> hardirq/softirq
#                  ||| / _--=> preempt-depth
#                  |||| / _-=> migrate-disable
#                  ||||| /     delay
#  cmd     pid     |||||| time  |   caller
#     \\   /        ||||||  \\    |    /
cyclicte-306       0dNh4.    0us+:      306:120:R   + [000]     142: 49:R irq/25-virtio1-
cyclicte-306       0dNh3.   35us : task_woken_rt <-ttwu_do_activate
cyclicte-306       0d..3.   40us : __schedule
cyclicte-306       0d..3.   41us+:      306:120:R ==> [000]     142: 49:R irq/25-virtio1-
",
            "wakeup",
            expect![[r#"
                Wakeup of irq/25-virtio1--142 on CPU 0 took 71 µs; 56 % of it an interrupt ran
                  wakeup -> switch: 71000
                  irq an interrupt: 40000, in cyclicte-306, pid 306, from 0, longest 40000
                  task cyclicte-306: 31000, pid 306, from 40000, longest 31000
                  reported latency: Nanoseconds(71000) None None
            "#]],
        );
    }
}

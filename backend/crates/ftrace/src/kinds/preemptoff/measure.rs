//! Preemption-off sections.
//!
//! The scheduler switches preemption off before it switches tasks, and the next task switches it on
//! again: such a section continues across the switch. The idle task never switches it on.

use super::KIND;
use crate::analyses::off_sections::OffSections;
use crate::analyses::{Analysis, Emit, Event, Gap, SliceKind, TraceEnd, reports};
use crate::events::{Decoded, Switch};
use crate::model::{Limits, ReadError, TaskRef};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Preemptoff { sections: OffSections::new(SliceKind::Preemptoff, &KIND), knows_switches: false })
}

/// What switches preemption off to switch tasks, perhaps to the idle task.
const SCHEDULER: &[u8] = b"schedule";

struct Preemptoff {
    sections: OffSections,
    knows_switches: bool,
}

impl Preemptoff {
    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        self.knows_switches = true;
        if switch.next.pid == 0 {
            return self.sections.pause(event.cpu, event.t_ns, emit);
        }
        if switch.prev.pid == 0 {
            let next = TaskRef { pid: Some(switch.next.pid), comm: switch.next.comm, tgid: None };
            let task = emit.task(event.cpu, next)?;
            self.sections.resume(event.cpu, event.t_ns, task);
        }
        Ok(())
    }

    /// Without switches, a section of the scheduler may hold any time that the CPU idled.
    fn may_hold_idle_time(&self, cpu: u16) -> bool {
        let is_scheduler = |caller: &[u8]| {
            caller.starts_with(SCHEDULER)
                || caller.strip_prefix(b"__").is_some_and(|name| name.starts_with(SCHEDULER))
        };
        !self.knows_switches && self.sections.open_caller(cpu).is_some_and(is_scheduler)
    }
}

impl Analysis for Preemptoff {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::PreemptDisable(site) => self.sections.switch_off(event, site, emit),
            Decoded::PreemptEnable(_) if self.may_hold_idle_time(event.cpu) => {
                self.sections.give_up(event.cpu, emit);
                Ok(())
            }
            Decoded::PreemptEnable(site) => self.sections.switch_on(event, site, emit),
            Decoded::Switch(switch) => self.switch(event, switch, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.sections.gap(gap, emit)
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.sections.finish(end, emit)?;
        reports::emit_slices(&end.reports, SliceKind::Preemptoff, emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn a_section_goes_on_over_a_switch_but_not_over_idle_time() {
        check_latencies(
            &["preemptoff"],
            "
            sh-7     [0] 1.000010: preempt_disable: caller=schedule+0x27/0x90 parent=schedule+0x27/0x90
            sh-7     [0] 1.000012: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000015: preempt_enable: caller=schedule+0x38/0x90 parent=schedule+0x38/0x90
            rt-9     [0] 1.000020: preempt_disable: caller=schedule+0x27/0x90 parent=schedule+0x27/0x90
            rt-9     [0] 1.000022: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] 1.001022: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [0] 1.001025: preempt_enable: caller=schedule+0x38/0x90 parent=schedule+0x38/0x90
            ",
            expect![[r#"
                preemptoff cpu 0 sh-7 schedule ← schedule start 0 duration 5000
                preemptoff cpu 0 rt-9 schedule ← schedule start 10000 duration 2000
                preemptoff cpu 0 sh-7 schedule ← schedule start 1012000 duration 3000
            "#]],
        );
    }

    #[test]
    fn without_switches_a_section_of_the_scheduler_gives_no_number() {
        check_latencies(
            &["preemptoff"],
            "
            sh-7     [0] 1.000010: preempt_disable: caller=schedule+0x27/0x90 parent=schedule+0x27/0x90
            sh-7     [0] 1.013000: preempt_enable: caller=schedule+0x38/0x90 parent=schedule+0x38/0x90
            sh-7     [0] 1.013010: preempt_disable: caller=vfs_write+0x103/0x200 parent=vfs_write+0x103/0x200
            sh-7     [0] 1.013014: preempt_enable: caller=vfs_write+0x125/0x200 parent=vfs_write+0x125/0x200
            ",
            expect![[r#"
                preemptoff cpu 0 sh-7 vfs_write ← vfs_write start 13000000 duration 4000
                preemptoff incomplete: 1 no_end
            "#]],
        );
    }
}

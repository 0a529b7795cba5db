//! Interrupts-off sections.

use super::KIND;
use crate::analyses::off_sections::OffSections;
use crate::analyses::{Analysis, Emit, Event, Gap, SliceKind, TraceEnd, reports};
use crate::events::Decoded;
use crate::model::{Limits, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Irqsoff { sections: OffSections::new(SliceKind::Irqsoff, &KIND), knows_idle: false })
}

/// What switches interrupts on again after an idle state that was entered with interrupts off.
const IDLE_EXITS: &[&str] = &["cpuidle_enter"];

struct Irqsoff {
    sections: OffSections,
    knows_idle: bool,
}

impl Analysis for Irqsoff {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::IrqDisable(site) => self.sections.switch_off(event, site, emit),
            Decoded::IrqEnable(site) if !self.knows_idle && site.is_in(IDLE_EXITS) => {
                self.sections.give_up(event.cpu, emit);
                Ok(())
            }
            Decoded::IrqEnable(site) => self.sections.switch_on(event, site, emit),
            Decoded::CpuIdle { state } => {
                self.knows_idle = true;
                match state {
                    Some(_) => self.sections.pause(event.cpu, event.t_ns, emit),
                    None => {
                        self.sections.resume(event.cpu, event.t_ns, event.task);
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.sections.gap(gap, emit)
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.sections.finish(end, emit)?;
        reports::emit_slices(&end.reports, SliceKind::Irqsoff, emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{check, check_latencies};

    #[test]
    fn a_section_is_told_by_the_place_that_switched_off() {
        check(
            "
            <...>-6462 [006] 14372.732649: irq_disable: caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0
            <...>-6462 [006] 14372.743615: irq_enable: caller=console_unlock+0x39c/0x510 parent=vprintk_emit+0x134/0x1d0
            <...>-6462 [006] 14372.743616: irq_disable: caller=el1_irq+0xb4/0x200 parent=console_unlock+0x3a0/0x510
            <...>-6462 [006] 14372.743625: irq_handler_exit: irq=3 ret=handled
            ",
            expect![[r#"
                irqsoff cpu 6 -6462 console_unlock ← vprintk_emit start 0 duration 10966000
                irqsoff cpu 6 -6462 el1_irq ← console_unlock start 10967000 duration 9000 cut-at-end
                unpaired_event: 1 from line 4
            "#]],
        );
    }

    #[test]
    fn idle_time_is_cut_out_of_a_section() {
        check(
            "
            <idle>-0 [0] 1.000010: irq_disable: caller=do_idle+0xa4/0x210 parent=cpu_startup_entry+0x2d/0x30
            <idle>-0 [0] 1.000012: cpu_idle: state=2 cpu_id=0
            <idle>-0 [0] 1.004012: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] 1.004015: irq_enable: caller=cpuidle_enter_state+0xa4/0x210 parent=cpuidle_enter+0x2d/0x30
            <idle>-0 [0] 1.004020: irq_disable: caller=do_idle+0xa4/0x210 parent=cpu_startup_entry+0x2d/0x30
            <idle>-0 [0] 1.004022: cpu_idle: state=1 cpu_id=0
            <idle>-0 [0] 1.004023: irq_enable: caller=default_idle_call+0x41/0x130 parent=do_idle+0x1f0/0x210
            <idle>-0 [0] 1.005000: irq_disable: caller=irqentry_enter+0x45/0x60 parent=sysvec_apic_timer_interrupt+0x13/0x90
            <idle>-0 [0] 1.005010: irq_enable: caller=irqentry_exit+0x5a/0x70 parent=sysvec_apic_timer_interrupt+0x87/0x90
            <idle>-0 [0] 1.005011: cpu_idle: state=4294967295 cpu_id=0
            ",
            expect![[r#"
                irqsoff cpu 0 <idle> do_idle ← cpu_startup_entry start 0 duration 2000
                irqsoff cpu 0 <idle> do_idle ← cpu_startup_entry start 4002000 duration 3000
                irqsoff cpu 0 <idle> do_idle ← cpu_startup_entry start 4010000 duration 2000
                irqsoff cpu 0 <idle> irqentry_enter ← sysvec_apic_timer_interrupt start 4990000 duration 10000
                idle cpu 0 state 2 start 2000 duration 4000000
                idle cpu 0 state 1 start 4012000 duration 989000
                counter cpu_idle cpu 0 at 2000: 2
                counter cpu_idle cpu 0 at 4002000: -1
                counter cpu_idle cpu 0 at 4012000: 1
                counter cpu_idle cpu 0 at 5001000: -1
            "#]],
        );
    }

    #[test]
    fn a_section_without_both_ends_gives_no_number() {
        check_latencies(
            &["irqsoff"],
            "
            sh-7     [0] 1.000010: irq_enable: caller=a+0x1/0x2 parent=b+0x1/0x2
            sh-7     [0] 1.000020: irq_disable: caller=c+0x1/0x2 parent=d+0x1/0x2
            sh-7     [0] 1.000030: irq_disable: caller=e+0x1/0x2 parent=f+0x1/0x2
            sh-7     [0] 1.000040: irq_enable: caller=a+0x1/0x2 parent=b+0x1/0x2
            sh-7     [0] 1.000050: irq_disable: caller=e+0x1/0x2 parent=f+0x1/0x2
            LOST     [0]
            sh-7     [0] 1.000060: irq_enable: caller=a+0x1/0x2 parent=b+0x1/0x2
            <idle>-0 [0] 1.000070: irq_disable: caller=do_idle+0xa4/0x210 parent=cpu_startup_entry+0x2d/0x30
            <idle>-0 [0] 1.004000: irq_enable: caller=cpuidle_enter_state+0xa4/0x210 parent=cpuidle_enter+0x2d/0x30
            sh-7     [0] 1.005000: irq_disable: caller=e+0x1/0x2 parent=f+0x1/0x2
            ",
            expect![[r#"
                irqsoff cpu 0 sh-7 e ← f start 20000 duration 10000
                irqsoff incomplete: 1 lost_events
                irqsoff incomplete: 2 no_start
                irqsoff incomplete: 3 no_end
            "#]],
        );
    }
}

//! Hard interrupts: devices' handlers and the CPU's own vectors, nested.

use std::collections::BTreeMap;
use std::io::Write;

use super::KIND;
use crate::analyses::nest::{Nest, Open, end_all_cpus, key_of};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, SliceFlags, SliceKind, TraceEnd};
use crate::events::{Decoded, Interrupt};
use crate::model::{Limits, ReadError};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Irq { max_depth: limits.max_depth, cpus: BTreeMap::new(), label: Vec::new() })
}

struct Irq {
    max_depth: u16,
    cpus: BTreeMap<u16, Nest>,
    label: Vec<u8>,
}

impl Irq {
    /// `eth0 [34]`: the handler's name first, because narrow slices show only the beginning; one
    /// handler may serve several lines.
    fn symbol(
        &mut self,
        interrupt: Interrupt<'_>,
        handler: &[u8],
        emit: &mut dyn Emit,
    ) -> Result<u32, ReadError> {
        match interrupt {
            Interrupt::Named(name) => emit.symbol(name),
            Interrupt::Line(line) => {
                self.label.clear();
                self.label.extend_from_slice(handler);
                // Writing to a Vec cannot fail.
                let _ = write!(self.label, " [{line}]");
                emit.symbol(self.label.trim_ascii_start())
            }
        }
    }
}

impl Analysis for Irq {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::InterruptEntry { interrupt, handler } => {
                let symbol = self.symbol(interrupt, handler, emit)?;
                let open = Open::new(key_of(interrupt, emit)?, event);
                let kind = Some(SliceKind::Irq);
                let open = Open { kind, symbol: Some(symbol), task: event.task, ..open };
                let nest = self.cpus.entry(event.cpu).or_default();
                nest.pass(event, emit)?;
                nest.enter(open, event.cpu, self.max_depth, emit)
            }
            Decoded::InterruptExit { interrupt } => {
                let key = key_of(interrupt, emit)?;
                let nest = self.cpus.entry(event.cpu).or_default();
                if nest.is_unknown(key) {
                    emit.incomplete(&KIND, IncompleteReason::NoStart);
                }
                nest.exit(key, event.cpu, event.t_ns, emit)
            }
            _ => self.cpus.get_mut(&event.cpu).map_or(Ok(()), |nest| nest.pass(event, emit)),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.cpus.entry(gap.cpu).or_default().end_all(gap.cpu, gap.start_ns, SliceFlags::HAS_GAP, emit)
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        end_all_cpus(&mut self.cpus, end, emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn nested_interrupts_are_subtracted() {
        check(
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000015: irq_handler_entry: irq=34 name=eth0
            sh-7 [0] 1.000019: irq_handler_exit: irq=34 ret=handled
            sh-7 [0] 1.000030: local_timer_exit: vector=236
            sh-7 [1] 1.000030: irq_handler_entry: irq=34 name=eth0
            sh-7 [1] 1.000031: irq_handler_exit: irq=34 ret=handled
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 0 duration 20000 self 16000
                irq cpu 0 sh-7 eth0 [34] depth 1 start 5000 duration 4000
                irq cpu 1 sh-7 eth0 [34] start 20000 duration 1000
            "#]],
        );
    }

    #[test]
    fn an_end_without_a_beginning_gives_no_duration() {
        check(
            "
            sh-7 [0] 1.000010: irq_handler_exit: irq=34 ret=handled
            sh-7 [0] 1.000020: local_timer_entry: vector=236
            sh-7 [0] 1.000025: reschedule_entry: vector=253
            sh-7 [0] 1.000030: local_timer_exit: vector=236
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 10000 duration 10000
                irq cpu 0 sh-7 reschedule depth 1 start 15000 duration 0 cut-at-end
                unpaired_event: 2 from line 1
            "#]],
        );
    }

    #[test]
    fn an_interrupt_does_not_interrupt_itself() {
        check(
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000012: call_function_entry: vector=252
            sh-7 [0] 1.000015: call_function_entry: vector=252
            sh-7 [0] 1.000017: call_function_exit: vector=252
            sh-7 [0] 1.000030: local_timer_exit: vector=236
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 0 duration 20000 self 18000
                irq cpu 0 sh-7 call_function depth 1 start 2000 duration 0 cut-at-end
                irq cpu 0 sh-7 call_function depth 1 start 5000 duration 2000
                unpaired_event: 1 from line 3
            "#]],
        );
    }

    #[test]
    fn an_open_interrupt_ends_at_the_last_record_of_its_cpu() {
        check(
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000015: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [1] 1.000080: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 0 duration 5000 cut-at-end
            "#]],
        );
    }

    #[test]
    fn without_ends_an_interrupt_lasts_until_its_last_sign_before_one_of_its_task() {
        check(
            "
            sh-7 [0] d.h. 1.000010: local_timer_entry: vector=236
            sh-7 [0] d.h. 1.000014: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] d... 1.000020: sched_waking: comm=ab pid=8 prio=120 target_cpu=000
            sh-7 [0] d.h. 1.000030: local_timer_entry: vector=236
            sh-7 [0] d... 1.000090: sched_waking: comm=ab pid=8 prio=120 target_cpu=000
            sh-7 [0] .... 1.001000: local_timer_entry: vector=236
            sh-7 [0] .... 1.001010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            rt-9 [0] d.h. 1.002000: local_timer_entry: vector=236
            rt-9 [0] d.h. 1.003000: local_timer_entry: vector=236
            ",
            expect![[r#"
                sched cpu 0 sh-7 start 0 duration 1000000 started-before
                sched cpu 0 rt-9 start 1000000 duration 1990000 cut-at-end
                irq cpu 0 sh-7 local_timer start 0 duration 4000 cut-at-end
                irq cpu 0 sh-7 local_timer start 20000 duration 0 cut-at-end
                irq cpu 0 sh-7 local_timer start 990000 duration 0 cut-at-end
                irq cpu 0 rt-9 local_timer start 1990000 duration 0 cut-at-end
                irq cpu 0 rt-9 local_timer start 2990000 duration 0 cut-at-end
                unpaired_event: 4 from line 3
            "#]],
        );
    }

    #[test]
    fn no_interval_reaches_across_a_step_back_in_time() {
        check(
            "
            sh-7 [0] 1.000000: tick_stop: success=1
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000005: local_timer_exit: vector=236
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 10000 duration 0 gap
                out_of_order: 1 from line 3
                unpaired_event: 1 from line 3
            "#]],
        );
    }
}

//! Scheduler ticks: what the timer interrupt of each CPU costs.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, TraceEnd};
use crate::events::{Decoded, Interrupt};
use crate::model::{Limits, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Tick::default())
}

#[derive(Default)]
struct Tick {
    /// The tick that each CPU is in.
    open: HashMap<u16, Open>,
}

#[derive(Clone, Copy)]
struct Open {
    /// The interrupt's number, where it is known by one.
    line: Option<i64>,
    start_ns: i64,
}

impl Tick {
    fn exit(
        &mut self,
        event: &Event<'_>,
        interrupt: Interrupt<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let line = match interrupt {
            Interrupt::Line(line) => Some(line),
            Interrupt::Named(_) if interrupt.is_tick(b"") => None,
            Interrupt::Named(_) => return Ok(()),
        };
        match self.open.get(&event.cpu) {
            Some(open) if open.line == line => {
                let sample = Sample::new(&KIND, event.cpu, open.start_ns, event.t_ns);
                self.open.remove(&event.cpu);
                emit.sample(&Sample { task: event.task, ..sample })
            }
            // Whether the end of a numbered interrupt is a tick's, only its beginning tells.
            None if line.is_none() => {
                emit.incomplete(&KIND, IncompleteReason::NoStart);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Analysis for Tick {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::InterruptEntry { interrupt, handler } if interrupt.is_tick(handler) => {
                let line = match interrupt {
                    Interrupt::Line(line) => Some(line),
                    Interrupt::Named(_) => None,
                };
                let open = Open { line, start_ns: event.t_ns };
                if self.open.insert(event.cpu, open).is_some() {
                    emit.incomplete(&KIND, IncompleteReason::NoEnd);
                }
                Ok(())
            }
            Decoded::InterruptExit { interrupt } => self.exit(event, interrupt, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if self.open.remove(&gap.cpu).is_some() {
            emit.incomplete(&KIND, IncompleteReason::LostEvents);
        }
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for _ in self.open.values() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn a_tick_has_another_name_on_every_architecture() {
        check_latencies(
            &["tick"],
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [1] 1.000011: irq_handler_entry: irq=3 name=arch_timer
            sh-7 [2] 1.000012: timer_interrupt_entry: pt_regs=c000
            sh-7 [3] 1.000013: irq_handler_entry: irq=34 name=eth0
            sh-7 [0] 1.000014: irq_handler_entry: irq=34 name=eth0
            sh-7 [0] 1.000015: irq_handler_exit: irq=34 ret=handled
            sh-7 [0] 1.000020: local_timer_exit: vector=236
            sh-7 [1] 1.000022: irq_handler_exit: irq=3 ret=handled
            sh-7 [2] 1.000024: timer_interrupt_exit: pt_regs=c000
            sh-7 [3] 1.000026: irq_handler_exit: irq=34 ret=handled
            ",
            expect![[r#"
                tick cpu 0 sh-7 start 0 duration 10000
                tick cpu 1 sh-7 start 1000 duration 11000
                tick cpu 2 sh-7 start 2000 duration 12000
            "#]],
        );
    }

    #[test]
    fn a_tick_without_both_ends_gives_no_number() {
        check_latencies(
            &["tick"],
            "
            sh-7 [0] 1.000010: local_timer_exit: vector=236
            sh-7 [0] 1.000020: local_timer_entry: vector=236
            LOST [0]
            sh-7 [0] 1.000030: local_timer_entry: vector=236
            ",
            expect![[r#"
                tick incomplete: 1 lost_events
                tick incomplete: 1 no_start
                tick incomplete: 1 no_end
            "#]],
        );
    }
}

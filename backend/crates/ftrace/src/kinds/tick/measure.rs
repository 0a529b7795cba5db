//! Scheduler ticks: what the timer interrupt of each CPU costs where it runs the tick.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, Interrupt, TICK_HANDLERS};
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Tick::default())
}

/// Interrupts of other timers, or so it seems, that are held until a handler shows what ticks look like here.
const MAX_HELD: usize = 4_096;

#[derive(Default)]
struct Tick {
    /// The interrupt of its own timer that each CPU is in.
    open: HashMap<u16, Open>,
    /// A tick's handler was recorded, so that interrupts without one are no ticks.
    has_handlers: bool,
    /// Interrupts without a tick's handler, until one is recorded.
    held: Vec<Sample>,
}

#[derive(Clone, Copy)]
struct Open {
    /// The interrupt's number, where it is known by one.
    line: Option<i64>,
    start_ns: Ns,
    is_tick: bool,
}

impl Tick {
    fn enter(&mut self, event: &Event<'_>, interrupt: Interrupt<'_>, emit: &mut dyn Emit) {
        let line = match interrupt {
            Interrupt::Line(line) => Some(line),
            Interrupt::Named(_) => None,
        };
        let open = Open { line, start_ns: event.t_ns, is_tick: false };
        if self.open.insert(event.cpu, open).is_some() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
    }

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
        match self.open.get(&event.cpu).copied() {
            Some(open) if open.line == line => {
                self.open.remove(&event.cpu);
                let sample = Sample::new(&KIND, event.cpu, open.start_ns, event.t_ns);
                self.end(open, Sample { task: event.task, ..sample }, emit)
            }
            // Only the beginning of a numbered interrupt shows whether its end is a tick's.
            None if line.is_none() => {
                emit.incomplete(&KIND, IncompleteReason::NoStart);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, open: Open, sample: Sample, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if open.is_tick {
            return emit.sample(&sample);
        }
        if self.has_handlers {
            return Ok(());
        }
        self.held.push(Sample { flags: SampleFlags::HANDLER_UNKNOWN, ..sample });
        if self.held.len() >= MAX_HELD { self.release(emit) } else { Ok(()) }
    }

    /// Takes every interrupt for a tick, as long as nothing shows which are.
    fn release(&mut self, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.held.drain(..).try_for_each(|sample| emit.sample(&sample))
    }

    fn handle(&mut self, cpu: u16) {
        self.has_handlers = true;
        self.held = Vec::new();
        if let Some(open) = self.open.get_mut(&cpu) {
            open.is_tick = true;
        }
    }
}

impl Analysis for Tick {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::InterruptEntry { interrupt, handler } if interrupt.is_tick(handler) => {
                self.enter(event, interrupt, emit);
            }
            Decoded::InterruptExit { interrupt } => return self.exit(event, interrupt, emit),
            Decoded::TimerExpiry(expiry) if TICK_HANDLERS.contains(&expiry.function) => {
                self.handle(event.cpu);
            }
            _ => {}
        }
        Ok(())
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
        self.release(emit)
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
                tick cpu 0 sh-7 start 0 duration 10000 handler_unknown
                tick cpu 1 sh-7 start 1000 duration 11000 handler_unknown
                tick cpu 2 sh-7 start 2000 duration 12000 handler_unknown
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

    #[test]
    fn the_interrupt_of_another_timer_is_no_tick() {
        check_latencies(
            &["tick"],
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000011: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=900
            sh-7 [0] 1.000012: local_timer_exit: vector=236
            sh-7 [1] 1.000020: local_timer_entry: vector=236
            sh-7 [0] 1.000021: local_timer_entry: vector=236
            sh-7 [1] 1.000022: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=1900
            sh-7 [1] 1.000023: hrtimer_expire_entry: hrtimer=00000000000000cc function=tick_nohz_handler now=1900
            sh-7 [0] 1.000024: local_timer_exit: vector=236
            sh-7 [1] 1.000025: local_timer_exit: vector=236
            sh-7 [0] 1.000030: irq_handler_entry: irq=3 name=arch_timer
            sh-7 [0] 1.000031: hrtimer_expire_entry: hrtimer=00000000000000dd function=tick_sched_timer now=9900
            sh-7 [0] 1.000032: irq_handler_exit: irq=3 ret=handled
            ",
            expect![[r#"
                tick cpu 1 sh-7 start 10000 duration 5000
                tick cpu 0 sh-7 start 20000 duration 2000
            "#]],
        );
    }
}

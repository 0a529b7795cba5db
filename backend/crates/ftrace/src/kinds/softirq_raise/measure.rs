//! Softirq raise latency: from the raising of a softirq to its handler.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::softirq_rounds::SoftirqRounds;
use crate::analyses::softirq_vectors::symbol_of;
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, TraceEnd};
use crate::events::Decoded;
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(SoftirqRaise::default())
}

#[derive(Default)]
struct SoftirqRaise {
    cpus: HashMap<u16, SoftirqRounds<Ns>>,
}

impl SoftirqRaise {
    fn run(
        &mut self,
        event: &Event<'_>,
        vector: i64,
        action: &[u8],
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let Some(raised_ns) = self.cpus.entry(event.cpu).or_default().run(vector, event.pid) else {
            emit.incomplete(&KIND, IncompleteReason::NoStart);
            return Ok(());
        };
        let symbol = Some(symbol_of(vector, action, emit)?);
        emit.sample(&Sample {
            task: event.task,
            symbol,
            ..Sample::new(&KIND, event.cpu, raised_ns, event.t_ns)
        })
    }
}

impl Analysis for SoftirqRaise {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::SoftirqRaise { vector } => {
                self.cpus.entry(event.cpu).or_default().raise(vector, event.t_ns);
                Ok(())
            }
            Decoded::SoftirqEntry { vector, action } => self.run(event, vector, action, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for _ in self.cpus.remove(&gap.cpu).iter().flat_map(SoftirqRounds::waiting) {
            emit.incomplete(&KIND, IncompleteReason::LostEvents);
        }
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for _ in self.cpus.values().flat_map(SoftirqRounds::waiting) {
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
    fn the_first_raise_counts_on_its_own_cpu_and_vector() {
        check_latencies(
            &["softirq_raise"],
            "
            sh-7 [0] 1.000010: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000012: softirq_raise: vec=1 [action=TIMER]
            sh-7 [1] 1.000013: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000014: softirq_raise: vec=7 [action=SCHED]
            sh-7 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.000021: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000025: softirq_exit: vec=1 [action=TIMER]
            sh-7 [0] 1.000026: softirq_entry: vec=7
            sh-7 [0] 1.000030: softirq_entry: vec=1
            ",
            expect![[r#"
                softirq_raise cpu 0 sh-7 TIMER start 0 duration 10000
                softirq_raise cpu 0 sh-7 SCHED start 4000 duration 12000
                softirq_raise cpu 0 sh-7 TIMER start 11000 duration 9000
                softirq_raise incomplete: 1 no_end
            "#]],
        );
    }

    #[test]
    fn what_is_raised_while_softirqs_run_is_for_the_next_round() {
        check_latencies(
            &["softirq_raise"],
            "
            sh-7 [0] 1.000010: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000011: softirq_raise: vec=9 [action=RCU]
            sh-7 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.000022: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000024: softirq_raise: vec=9 [action=RCU]
            sh-7 [0] 1.000025: softirq_exit: vec=1 [action=TIMER]
            sh-7 [0] 1.000026: softirq_entry: vec=9 [action=RCU]
            sh-7 [0] 1.000029: softirq_exit: vec=9 [action=RCU]
            sh-7 [0] 1.000030: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.000031: softirq_exit: vec=1 [action=TIMER]
            sh-7 [0] 1.000032: softirq_entry: vec=9 [action=RCU]
            ",
            expect![[r#"
                softirq_raise cpu 0 sh-7 TIMER start 0 duration 10000
                softirq_raise cpu 0 sh-7 RCU start 1000 duration 15000
                softirq_raise cpu 0 sh-7 TIMER start 12000 duration 8000
                softirq_raise cpu 0 sh-7 RCU start 14000 duration 8000
            "#]],
        );
    }

    #[test]
    fn what_is_raised_after_a_round_has_begun_is_not_of_it() {
        check_latencies(
            &["softirq_raise"],
            "
            sh-7 [0] 1.000010: softirq_raise: vec=7 [action=SCHED]
            sh-7 [0] 1.000011: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000012: softirq_entry: vec=7 [action=SCHED]
            sh-7 [0] 1.000015: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.001000: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.001010: softirq_entry: vec=1 [action=TIMER]
            ",
            expect![[r#"
                softirq_raise cpu 0 sh-7 SCHED start 0 duration 2000
                softirq_raise cpu 0 sh-7 TIMER start 1000 duration 9000
                softirq_raise cpu 0 sh-7 TIMER start 990000 duration 10000
            "#]],
        );
    }

    #[test]
    fn threads_have_rounds_of_their_own() {
        check_latencies(
            &["softirq_raise"],
            "
            sh-7      [0] 1.000010: softirq_raise: vec=1 [action=TIMER]
            sh-7      [0] 1.000011: softirq_raise: vec=7 [action=SCHED]
            ktimers-8 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
            ktimers-8 [0] 1.000025: softirq_raise: vec=7 [action=SCHED]
            sh-7      [0] 1.000030: softirq_entry: vec=7 [action=SCHED]
            sh-7      [0] 1.001000: softirq_raise: vec=7 [action=SCHED]
            sh-7      [0] 1.001010: softirq_entry: vec=7 [action=SCHED]
            ",
            expect![[r#"
                softirq_raise cpu 0 ktimers-8 TIMER start 0 duration 10000
                softirq_raise cpu 0 sh-7 SCHED start 1000 duration 19000
                softirq_raise cpu 0 sh-7 SCHED start 990000 duration 10000
            "#]],
        );
    }

    #[test]
    fn a_loss_or_a_missing_raise_gives_no_number() {
        check_latencies(
            &["softirq_raise"],
            "
            sh-7 [0] 1.000010: softirq_raise: vec=1 [action=TIMER]
            LOST [0]
            sh-7 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.000020: softirq_entry: vec=99
            ",
            expect![[r#"
                softirq_raise incomplete: 1 lost_events
                softirq_raise incomplete: 2 no_start
            "#]],
        );
    }
}

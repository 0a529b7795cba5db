//! What the timerlat tracer reports: how late its own timer reaches the interrupt, the thread, user space.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::stated::{contradiction, reported};
use crate::analyses::{Analysis, Emit, Event, Gap, Sample, TraceEnd};
use crate::events::{Decoded, TimerlatRecord};
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Timerlat::default())
}

#[derive(Default)]
struct Timerlat {
    /// The last report of each CPU: newer kernels can print each twice, as a line and as an event.
    last: HashMap<u16, (i64, i64)>,
}

impl Timerlat {
    fn report(
        &mut self,
        event: &Event<'_>,
        record: &TimerlatRecord<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let report = (record.activation, record.latency_ns);
        if self.last.insert(event.cpu, report) == Some(report) {
            return Ok(());
        }
        if let Some(reason) = contradiction(event, Ns(record.latency_ns)) {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        let symbol = Some(emit.symbol(record.context)?);
        // The interrupt's context is a task that has nothing to do with it.
        let task = if record.context == b"irq" { None } else { event.task };
        emit.sample(&Sample { symbol, task, ..reported(&KIND, event, Ns(record.latency_ns)) })
    }
}

impl Analysis for Timerlat {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Timerlat(record) => self.report(event, record, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, _gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    const KINDS: &[&str] = &["timerlat"];

    #[test]
    fn each_context_is_reported() {
        check_latencies(
            KINDS,
            "
            bash-183       [0] 117.079363: timerlat: #23    context    irq timer_latency     56515 ns
            timerlat/0-606 [0] 117.091922: timerlat: #23    context thread timer_latency  12619656 ns
            timerlat/0-606 [0] 117.091950: timerlat: #23    context user-ret timer_latency 12650000 ns
            ",
            expect![[r#"
                timerlat cpu 0 timerlat/0-606 user-ret start -63000 duration 12650000 reported
                timerlat cpu 0 timerlat/0-606 thread start -60656 duration 12619656 reported
                timerlat cpu 0 irq start -56515 duration 56515 reported
            "#]],
        );
    }

    #[test]
    fn a_report_that_is_told_twice_counts_once() {
        check_latencies(
            KINDS,
            "
            bash-183 [0] 117.079362: timerlat_sample: timer_latency=56515 seqnum=23 context=0
            bash-183 [0] 117.079363: timerlat: #23    context    irq timer_latency     56515 ns
            ",
            expect![[r#"
                timerlat cpu 0 irq start -56515 duration 56515 reported
            "#]],
        );
    }

    #[test]
    fn a_latency_longer_than_the_clock_has_run_is_none() {
        check_latencies(
            KINDS,
            "
            bash-183 [0] 0.000100: timerlat: #1 context irq timer_latency 100001 ns
            ",
            expect![[r#"
                timerlat incomplete: 1 out_of_order
            "#]],
        );
    }
}

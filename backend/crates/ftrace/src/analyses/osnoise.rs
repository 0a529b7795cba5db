//! What the osnoise tracer reports for each of its periods.

use super::timerlat::{contradiction, reported};
use super::{Analysis, AnalysisEntry, Emit, Event, LatencyKind, SampleSource, Subject, TraceEnd};
use crate::events::{Decoded, Role};
use crate::model::ReadError;

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "osnoise",
    title: "Noise as the osnoise tracer reports it",
    needs: &[&["osnoise"]],
    roles: &[Role::Osnoise],
    latencies: &[&KIND],
    start: |_| Box::new(Osnoise),
};

pub static KIND: LatencyKind = LatencyKind {
    code: 14,
    name: "osnoise",
    title: "OS noise",
    definition: "The noise of one sampling period of the osnoise tracer, summed up, as the tracer reports it.",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: None,
    has_sleep: false,
};

struct Osnoise;

impl Analysis for Osnoise {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::Osnoise { noise_ns } = event.decoded else { return Ok(()) };
        match contradiction(event, noise_ns) {
            Some(reason) => emit.incomplete(&KIND, reason),
            None => emit.sample(&reported(&KIND, event, noise_ns))?,
        }
        Ok(())
    }

    fn gap(&mut self, _cpu: u16, _t_ns: i64, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::testing::check_latencies;

    #[test]
    fn a_period_is_as_long_as_its_noise() {
        check_latencies(
            &["osnoise"],
            "
            osnoise/0-207 [0] 32.772479: osnoise: 1043767    1001980   4.00347  128678     82      0     99      0    284
            ",
            expect![[r#"
                osnoise cpu 0 start -1001980000 duration 1001980000 reported
            "#]],
        );
    }
}

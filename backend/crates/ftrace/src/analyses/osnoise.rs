//! What the osnoise tracer reports for each of its periods.

use super::stated::emit_reported;
use super::{Analysis, AnalysisEntry, Emit, Event, LatencyKind, SampleSource, Subject};
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
        emit_reported(&KIND, event, noise_ns, emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

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

//! Durations that events state themselves, which end at the event.

use super::{Emit, Event, IncompleteReason, LatencyKind, Sample, SampleFlags, TraceClock};
use crate::model::{Ns, ReadError, TimeUnit};

/// A number that a tracer states, which ends at its record.
pub fn reported(kind: &'static LatencyKind, event: &Event<'_>, duration_ns: Ns) -> Sample {
    let start_ns = event.t_ns - duration_ns;
    let sample = Sample::new(kind, event.cpu, start_ns, event.t_ns);
    Sample { duration_ns, flags: SampleFlags::REPORTED, ..sample }
}

/// Why a duration that an event states cannot end at that event.
pub fn contradiction(event: &Event<'_>, duration_ns: Ns) -> Option<IncompleteReason> {
    impossible(event.clock, event.t_ns, duration_ns)
}

/// Why a duration cannot end at that time, from the trace's first record.
pub fn impossible(clock: TraceClock, t_ns: Ns, duration_ns: Ns) -> Option<IncompleteReason> {
    if clock.unit != TimeUnit::Ns {
        return Some(IncompleteReason::TickClock);
    }
    let since_zero_ns = clock.origin_ns + t_ns;
    let is_possible = (Ns::ZERO..=since_zero_ns.max(Ns::ZERO)).contains(&duration_ns);
    (!is_possible).then_some(IncompleteReason::OutOfOrder)
}

/// Emits the duration as a sample, or the reason why it is none.
pub fn emit_reported(
    kind: &'static LatencyKind,
    event: &Event<'_>,
    duration_ns: Ns,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    match contradiction(event, duration_ns) {
        Some(reason) => {
            emit.incomplete(kind, reason);
            Ok(())
        }
        None => emit.sample(&reported(kind, event, duration_ns)),
    }
}

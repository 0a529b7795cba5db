//! Durations that events state themselves, which end at the event.

use super::{Emit, Event, IncompleteReason, LatencyKind, Sample, SampleFlags, TraceClock};
use crate::model::{ReadError, TimeUnit};

/// A number that a tracer states, which ends at its record.
pub fn reported(kind: &'static LatencyKind, event: &Event<'_>, duration_ns: i64) -> Sample {
    let start_ns = event.t_ns.saturating_sub(duration_ns);
    let sample = Sample::new(kind, event.cpu, start_ns, event.t_ns);
    Sample { duration_ns, flags: SampleFlags::REPORTED, ..sample }
}

/// Why a duration that an event states cannot end at that event.
pub fn contradiction(event: &Event<'_>, duration_ns: i64) -> Option<IncompleteReason> {
    impossible(event.clock, event.t_ns, duration_ns)
}

/// Why a duration cannot end at that time, from the trace's first record.
pub fn impossible(clock: TraceClock, t_ns: i64, duration_ns: i64) -> Option<IncompleteReason> {
    if clock.unit != TimeUnit::Ns {
        return Some(IncompleteReason::TickClock);
    }
    let since_zero_ns = clock.origin_ns.saturating_add(t_ns);
    let is_possible = (0..=since_zero_ns.max(0)).contains(&duration_ns);
    (!is_possible).then_some(IncompleteReason::OutOfOrder)
}

/// Emits the duration as a sample, or the reason why it is none.
pub fn emit_reported(
    kind: &'static LatencyKind,
    event: &Event<'_>,
    duration_ns: i64,
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

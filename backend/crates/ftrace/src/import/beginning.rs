//! Where the time of a recording begins.

use super::reports::{FirstRecord, Reports};
use super::summary::merge;
use crate::model::{
    CallRecord, Diagnostic, EventRecord, Facts, LossRecord, NoteRecord, Ns, Sink, StackRecord, Stop,
    TimeOrigin, Timestamp,
};

/// The first moment that a record at `ts` speaks of.
pub fn moment(ts: Timestamp, facts: &Facts, reports: &Reports) -> Timestamp {
    // Positions that are laid out from durations begin at zero; the first line may be a close.
    let is_derived = facts.time_origin == Some(TimeOrigin::Derived);
    // A latency tracer's stamps count from the beginning of what it reports, which is the trace's too.
    if is_derived || reports.counts_from_section(ts) { Timestamp::default() } else { ts }
}

/// Looks for the earliest moment of a recording whose first record is not the earliest, as that of several
/// traces or of one CPU after the other in one text.
#[derive(Default)]
pub struct Beginning {
    facts: Facts,
    reports: Reports,
    pub earliest: Option<Timestamp>,
}

impl Beginning {
    fn take(&mut self, ts: Timestamp) {
        let moment = moment(ts, &self.facts, &self.reports);
        self.earliest = Some(self.earliest.map_or(moment, |earliest| earliest.min(moment)));
        if self.reports.is_waiting() {
            self.reports.take(ts, Ns::ZERO, &FirstRecord::default());
        }
    }
}

impl Sink for Beginning {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.reports.facts(&facts);
        merge(&mut self.facts, facts);
        Ok(())
    }

    fn buffer(&mut self, _name: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        if i16::try_from(event.cpu).is_ok() {
            self.take(event.ts);
        }
        Ok(())
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        if let Some(ts) = call.at().ts {
            self.take(ts);
        }
        Ok(())
    }

    fn stack(&mut self, _stack: &StackRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn loss(&mut self, _loss: &LossRecord) -> Result<(), Stop> {
        Ok(())
    }

    fn note(&mut self, _note: &NoteRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, _diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn progress(&mut self, _used_bytes: u64, _skipped_bytes: u64) -> Result<(), Stop> {
        Ok(())
    }
}

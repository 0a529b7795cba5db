//! Function calls as slices.

use super::{Analysis, AnalysisEntry, Emit, Event, LatencyKind, SampleSource, Slice, Subject};
use crate::model::ReadError;

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "calls",
    title: "Function calls",
    needs: &[&["function_graph tracer"]],
    roles: &[],
    latencies: &[&KIND],
    start: |_| Box::new(Calls),
};

pub static KIND: LatencyKind = LatencyKind {
    code: 12,
    name: "call",
    title: "Call duration",
    definition: "From the entry to the exit of a function that no other traced function called.",
    source: SampleSource::RootCalls,
    subject: Subject::Task,
    key_name: Some("function"),
    has_sleep: false,
};

struct Calls;

impl Analysis for Calls {
    fn event(&mut self, _event: &Event<'_>, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn call(&mut self, call: &Slice<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        emit.slice(call)
    }
}

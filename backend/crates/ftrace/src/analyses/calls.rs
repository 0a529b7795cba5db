//! Function calls as slices.

use super::{Analysis, AnalysisEntry, Emit, Event, Slice, TraceEnd};
use crate::model::ReadError;

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "calls",
    title: "Function calls",
    needs: &[&["function_graph tracer"]],
    roles: &[],
    latencies: &[],
    start: |_| Box::new(Calls),
};

struct Calls;

impl Analysis for Calls {
    fn event(&mut self, _event: &Event<'_>, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn call(&mut self, call: &Slice<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        emit.slice(call)
    }

    fn gap(&mut self, _cpu: u16, _t_ns: i64, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }
}

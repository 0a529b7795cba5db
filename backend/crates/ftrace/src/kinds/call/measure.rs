//! Function calls as slices.

use crate::analyses::{Analysis, Emit, Event, Slice};
use crate::model::{Limits, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Calls)
}

struct Calls;

impl Analysis for Calls {
    fn event(&mut self, _event: &Event<'_>, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    fn call(&mut self, call: &Slice<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        emit.slice(call)
    }
}

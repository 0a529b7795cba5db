//! The functions that records of a tracer's report name.

use super::{Recorded, Seen, Surroundings};
use crate::store::read::name_idx::Name;

impl<'a> Recorded<'a> {
    /// The functions that events name, each once, in the order of their text.
    pub(super) fn functions(&self, events: &[Seen<'a>]) -> Vec<&'a str> {
        let mut functions: Vec<&str> =
            events.iter().filter(|event| self.is_function(event)).map(|event| event.args).collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// Some records of reports name no function but the address 0.
    pub(super) fn is_function(&self, event: &Seen<'_>) -> bool {
        let event_type = self.types.get(event.type_idx);
        event_type.is_some_and(|of| of.kind == "function") && !is_nowhere(event.args)
    }
}

impl Surroundings<'_, '_> {
    /// What stands for the symbol of a function that only this event of a report names.
    pub fn function_idx(&self, event: &Seen<'_>) -> Option<i32> {
        let is_function = self.recorded.is_function(event);
        let at = self.functions.binary_search(&event.args).ok().filter(|_| is_function)?;
        Some(Name::Function(i32::try_from(at).ok()?).idx())
    }
}

/// True for the address 0, at which no function lies.
pub fn is_nowhere(function: &str) -> bool {
    matches!(function, "0" | "0x0")
}

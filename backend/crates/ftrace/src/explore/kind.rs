//! Kinds of slices, as lanes and requests name them.

use crate::analyses::SliceKind;

/// Slices of function calls.
pub const CALL: i16 = SliceKind::Call.code();

/// The public name of a stored kind.
pub fn name(kind: i16) -> &'static str {
    SliceKind::of_code(kind).map_or("other", SliceKind::name)
}

/// The number that is stored for a kind.
pub fn parse(name: &str) -> Option<i16> {
    SliceKind::of_name(name).map(SliceKind::code)
}

/// Names of all kinds that have lanes on the timeline, for messages.
pub fn timeline_names() -> String {
    let names: Vec<&str> =
        SliceKind::ALL.iter().filter(|kind| **kind != SliceKind::Call).map(|kind| kind.name()).collect();
    names.join(", ")
}

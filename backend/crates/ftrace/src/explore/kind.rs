//! Kinds of slices, as lanes and requests name them.

use crate::analyses::SliceKind;

/// Slices of function calls.
pub const CALL: i16 = SliceKind::Call.code();

/// What tasks do without a CPU.
pub const TASK: i16 = SliceKind::Task.code();

/// Priorities that tasks were lent.
pub const BOOST: i16 = SliceKind::Boost.code();

/// Running tasks, and what may interrupt them.
pub const SCHED: i16 = SliceKind::Sched.code();
pub const IRQ: i16 = SliceKind::Irq.code();
pub const SOFTIRQ: i16 = SliceKind::Softirq.code();

/// True where lanes of CPUs show it.
pub fn is_of_cpu(kind: i16) -> bool {
    SliceKind::of_code(kind).is_none_or(SliceKind::is_of_cpu)
}

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
    let has_lanes =
        |kind: &&SliceKind| **kind == SliceKind::Task || (**kind != SliceKind::Call && kind.is_of_cpu());
    SliceKind::ALL.iter().filter(has_lanes).map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

//! Durations in two columns: as much of each as an `integer` holds, and the rest of those that are longer.

use crate::model::Ns;

/// As much of a time as an `integer` holds.
pub fn within_limit(time_ns: Ns) -> i32 {
    i32::try_from(time_ns.0).unwrap_or(i32::MAX)
}

/// The rest of it.
pub fn excess(time_ns: Ns) -> Ns {
    time_ns - Ns(i64::from(within_limit(time_ns)))
}

//! Durations in two columns: as much of each as an `integer` holds, and the rest of those that are longer.

/// As much of a time as an `integer` holds.
pub fn within_limit(time_ns: i64) -> i32 {
    i32::try_from(time_ns).unwrap_or(i32::MAX)
}

/// The rest of it.
pub fn excess(time_ns: i64) -> i64 {
    time_ns.saturating_sub(i64::from(within_limit(time_ns)))
}

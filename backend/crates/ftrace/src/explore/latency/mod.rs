//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

pub(crate) mod samples;

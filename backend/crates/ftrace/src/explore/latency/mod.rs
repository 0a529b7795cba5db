//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

mod case_id;
pub(crate) mod samples;

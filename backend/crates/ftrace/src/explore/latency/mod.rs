//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

pub(crate) mod case_id;
mod item;
mod kinds;
mod list;
#[cfg(test)]
mod list_tests;
mod order;
mod plan;
pub(crate) mod samples;
mod selection;
mod worst;

pub use kinds::{KindTables, latency_kinds};
pub use list::{NameTables, latencies, worst_latencies};
pub use plan::{plan_latencies, plan_samples};

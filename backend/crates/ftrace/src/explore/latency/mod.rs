//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

mod case;
mod case_answer;
pub(crate) mod case_id;
mod check;
mod distribution;
mod groups;
mod histogram;
mod item;
mod kinds;
mod list;
#[cfg(test)]
mod list_tests;
mod needs;
mod order;
mod plan;
pub(crate) mod samples;
mod selection;
mod series;
mod shelves;
mod stats;
#[cfg(test)]
mod testing;
mod worst;
mod worst_cases;

pub use case::{case, locate_case, plan_case};
pub use check::{CheckTables, latency_check};
pub use kinds::{KindTables, latency_kinds};
pub use list::{NameTables, latencies, worst_latencies};
pub use plan::{plan_latencies, plan_samples};
pub use series::latency_series;
pub use stats::latency_stats;
pub use worst_cases::{explain_worst_cases, plan_worst_cases};

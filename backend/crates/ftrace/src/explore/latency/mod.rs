//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

mod case;
mod case_answer;
pub(crate) mod case_id;
mod check;
mod distribution;
mod distributions;
mod field_series;
mod found;
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
mod rank_search;
pub(crate) mod samples;
mod scan;
mod selection;
mod series;
mod shelves;
mod stats;
#[cfg(test)]
mod testing;
mod worst;
mod worst_cases;

pub(crate) use case::{CaseRecord, Located, comm_of, interval};
pub use case::{case, locate_case, plan_case};
pub use check::whole_check;
pub use field_series::{FieldSeries, field_series};
pub use kinds::{KindTables, latency_kinds};
pub use list::{NameTables, worst_latencies};
pub(crate) use needs::{AT_LOAD, Headers, Needs, ON_DEMAND};
pub use samples::SampleBlocks;
pub use scan::{LatencyScan, Purpose, ScanTables};
pub(crate) use selection::Selection;
pub use worst_cases::{explain_worst_cases, plan_worst_cases};

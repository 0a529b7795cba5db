//! Answers questions about a window of a stored trace: bytes of COPY streams in, JSON out.
//!
//! A request is a JSON object of query parameters (`request`); a plan says which blocks it needs
//! (`plan`); each answer is one file. Nothing here costs more than the screen or the page asked for.

mod args;
pub(crate) mod blocks;
mod call_detail;
mod call_filter;
mod call_nodes;
mod calls;
mod calltree;
pub(crate) mod counters;
pub(crate) mod dictionaries;
mod diff;
mod duration;
mod error;
mod event_item;
mod event_plan;
mod event_request;
mod events;
mod filter;
#[cfg(test)]
mod fixture;
mod functions;
mod grid;
mod ids;
mod interference;
#[cfg(test)]
mod interference_tests;
mod invert;
pub(crate) mod kind;
mod lane_filter;
mod lanes;
pub(crate) mod latency;
mod merged_tree;
mod names;
mod page;
mod plan;
mod request;
mod timeline;
mod wanted;

pub use call_detail::call;
pub use calls::{CallTables, calls, plan_calls};
pub use calltree::{CallTreeTables, calltree, plan_calltree};
pub use diff::{
    CallSideTables, choose_blocks, choose_calls, choose_cases, diff_calls, diff_cases, function_calls,
    group_symbols, instances, locate_call, plan_cases,
};
pub use error::ExploreError;
pub use event_plan::plan_events;
pub use events::events;
pub use functions::functions;
pub use interference::interference;
pub use latency::{
    KindTables, LatencyScan, NameTables, Purpose, SampleBlocks, ScanTables, case, explain_worst_cases,
    field_series, latency_kinds, locate_case, plan_case, plan_worst_cases, whole_check, worst_latencies,
};
pub use timeline::{TimelineTables, plan_timeline, timeline};
pub use wanted::wanted_in_blocks;

use crate::store::tables;

/// `(start_ns, end_ns)` of a request, half-open: what its SQL asks for.
pub fn window(request: &str) -> Result<(i64, i64), ExploreError> {
    let window = request::Params::parse(request)?.window()?;
    Ok((window.start_ns, window.end_ns))
}

/// JSON object: for each table, the columns that its streams must have, in order.
pub fn table_columns() -> Result<String, ExploreError> {
    let columns: std::collections::BTreeMap<&str, Vec<&str>> = tables::ALL
        .iter()
        .map(|table| (table.name, table.columns.iter().map(|column| column.name).collect()))
        .collect();
    answer_json(&columns).map(|json| String::from_utf8_lossy(&json).into_owned())
}

/// Fails only where a shape of ours cannot be JSON, which a test of the shape would show.
fn answer_json(answer: &impl serde::Serialize) -> Result<Vec<u8>, ExploreError> {
    serde_json::to_vec(answer).map_err(|error| ExploreError::bad("answer", error.to_string()))
}

//! Answers questions about a window of a stored trace: bytes of COPY streams in, JSON out.
//!
//! Each question is one file and a line in the `registry`; the `protocol` is how it gets its rows. Nothing here costs
//! more than the screen or the page that is asked for.

mod answer_size;
mod args;
mod arrow_plan;
mod arrows;
#[cfg(test)]
mod arrows_tests;
mod call_detail;
mod call_filter;
mod call_list;
mod call_nodes;
mod calls;
mod calltree;
pub(crate) mod counters;
mod diff;
mod duration;
mod error;
mod event_counts;
mod event_item;
mod event_plan;
mod event_request;
mod event_selection;
mod events;
mod export;
mod filter;
#[cfg(test)]
mod fixture;
mod functions;
mod grid;
mod headers;
mod ids;
mod interference;
#[cfg(test)]
mod interference_tests;
mod invert;
mod kind;
mod lane_columns;
mod lane_filter;
mod lanes;
pub(crate) mod latency;
mod merged_tree;
mod names;
mod net_calls;
mod page;
mod plan;
mod priority_class;
mod protocol;
mod registry;
mod request;
mod rows;
mod shelf;
mod slice_totals;
mod task_lanes;
mod time_away;
mod timeline;
mod timeline_answer;
mod timeline_plan;
#[cfg(test)]
mod timeline_tests;
mod wanted;
mod warnings;

pub use error::ExploreError;
pub use export::{ExportFormat, FORMATS as EXPORT_FORMATS};
pub use latency::{MEASURING, Measuring};
pub use protocol::{Filter, Need, Part, Question, Turn};
pub use shelf::{Known, Received, ShelfError, Shelves, Unreceived};

use crate::store::tables;

/// JSON object: for each table, the `columns` that its streams must have, in order, and its primary `key`.
pub fn tables() -> Result<String, ExploreError> {
    #[derive(serde::Serialize)]
    struct Shape {
        columns: Vec<&'static str>,
        key: &'static [&'static str],
    }
    let all = tables::ALL.iter().chain(tables::projections::ALL);
    let shapes: std::collections::BTreeMap<&str, Shape> = all
        .map(|table| {
            let columns = table.columns.iter().map(|column| column.name).collect();
            (table.name, Shape { columns, key: table.key })
        })
        .collect();
    answer_json(&shapes).map(|json| String::from_utf8_lossy(&json).into_owned())
}

/// Fails only where a shape of ours cannot be JSON, which a test of the shape would show.
fn answer_json(answer: &impl serde::Serialize) -> Result<Vec<u8>, ExploreError> {
    serde_json::to_vec(answer).map_err(|error| ExploreError::bad("answer", error.to_string()))
}

//! The lists that can be had as a whole, and their columns.

use serde_json::{Map, Value};

use super::super::protocol::{Answering, Stored};
use super::super::{ExploreError, call_list, events, functions, latency};

/// What the values of a column are. Any of them may be missing.
#[derive(Clone, Copy)]
pub enum Type {
    /// Nanoseconds: a duration, or a time from the first record.
    Ns,
    Long,
    Int,
    Bool,
    /// Mostly another one in each row.
    Text,
    /// One of a few, which formats with dictionaries write once.
    Name,
    Names,
    /// Fields that differ from row to row.
    Json,
}

/// A list that is answered page by page.
pub struct List {
    pub name: &'static str,
    /// Fields of an item; a nested field follows a point.
    pub columns: &'static [(&'static str, Type)],
    pub ask: fn(Stored) -> Answering,
    /// Refuses what a list of any length cannot do, and says what its pages leave open.
    pub check: fn(&mut Map<String, Value>) -> Result<(), ExploreError>,
}

pub const LISTS: &[List] = &[
    List {
        name: "events",
        columns: &[
            ("seq", Type::Long),
            ("t", Type::Ns),
            ("cpu", Type::Int),
            ("buffer", Type::Name),
            ("pid", Type::Int),
            ("comm", Type::Name),
            ("event", Type::Name),
            ("flags.irqs_off", Type::Bool),
            ("flags.need_resched", Type::Bool),
            ("flags.need_resched_lazy", Type::Bool),
            ("flags.preempt_resched", Type::Bool),
            ("flags.hardirq", Type::Bool),
            ("flags.softirq", Type::Bool),
            ("flags.nmi", Type::Bool),
            ("flags.bh_off", Type::Bool),
            ("flags.preempt_depth", Type::Int),
            ("flags.preempt_lazy_depth", Type::Int),
            ("flags.migrate_disable_depth", Type::Int),
            ("args", Type::Json),
            ("raw", Type::Text),
        ],
        ask: |stored| Box::pin(events::events(stored)),
        check: |_| Ok(()),
    },
    List {
        name: "latencies",
        columns: &[
            ("id", Type::Text),
            ("kind", Type::Name),
            ("t", Type::Ns),
            ("end", Type::Ns),
            ("duration_ns", Type::Ns),
            ("unit", Type::Name),
            ("cpu", Type::Int),
            ("start_cpu", Type::Int),
            ("pid", Type::Int),
            ("comm", Type::Name),
            ("key", Type::Name),
            ("flags", Type::Names),
            ("weight", Type::Long),
            ("detail", Type::Text),
            ("headline", Type::Text),
            ("is_explained", Type::Bool),
            ("url", Type::Text),
        ],
        ask: |stored| Box::pin(latency::latencies(stored)),
        check: in_order_of_time,
    },
    List {
        name: "functions",
        columns: &[
            ("symbol", Type::Name),
            ("module", Type::Name),
            ("count", Type::Long),
            ("total_ns", Type::Ns),
            ("self_ns", Type::Ns),
            ("min_ns", Type::Ns),
            ("p50_ns", Type::Ns),
            ("p99_ns", Type::Ns),
            ("max_ns", Type::Ns),
            ("percentile_error_ppm", Type::Long),
            ("slowest.id", Type::Text),
            ("slowest.t", Type::Ns),
            ("slowest.cpu", Type::Int),
            ("slowest.pid", Type::Int),
            ("slowest.comm", Type::Name),
        ],
        ask: |stored| Box::pin(functions::functions(stored)),
        check: |_| Ok(()),
    },
    List {
        name: "calls",
        columns: &[
            ("id", Type::Text),
            ("t", Type::Ns),
            ("duration_ns", Type::Ns),
            ("self_ns", Type::Ns),
            ("cpu", Type::Int),
            ("pid", Type::Int),
            ("comm", Type::Name),
            ("symbol", Type::Name),
            ("depth", Type::Int),
            ("flags", Type::Int),
        ],
        ask: |stored| Box::pin(call_list::call_list(stored)),
        check: |_| Ok(()),
    },
];

/// Pages in the order of durations look at all samples each; those in the order of time, only at their own.
fn in_order_of_time(request: &mut Map<String, Value>) -> Result<(), ExploreError> {
    match request.get("sort").and_then(Value::as_str) {
        None => {
            request.insert("sort".to_owned(), "t".into());
            Ok(())
        }
        Some("t" | "-t") => Ok(()),
        Some(other) => {
            let detail = format!("{other:?} is for pages; a whole list comes in the order of time (t, -t)");
            Err(ExploreError::bad("sort", detail))
        }
    }
}

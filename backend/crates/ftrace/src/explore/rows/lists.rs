//! The lists that can be had as a whole, and their columns.

use serde_json::{Map, Value};

use super::super::protocol::{Answering, Stored};
use super::super::{ExploreError, call_list, events, functions, latency};

/// A list that is answered page by page.
pub struct List {
    pub name: &'static str,
    /// Fields of an item; what lies in a field of it stands behind a point.
    pub columns: &'static [&'static str],
    pub ask: fn(Stored) -> Answering,
    /// Refuses what a list of any length cannot do, and says what its pages leave open.
    pub check: fn(&mut Map<String, Value>) -> Result<(), ExploreError>,
}

pub const LISTS: &[List] = &[
    List {
        name: "events",
        columns: &[
            "seq",
            "t",
            "cpu",
            "buffer",
            "pid",
            "comm",
            "event",
            "flags.irqs_off",
            "flags.need_resched",
            "flags.need_resched_lazy",
            "flags.preempt_resched",
            "flags.hardirq",
            "flags.softirq",
            "flags.nmi",
            "flags.bh_off",
            "flags.preempt_depth",
            "flags.preempt_lazy_depth",
            "flags.migrate_disable_depth",
            "args",
            "raw",
        ],
        ask: |stored| Box::pin(events::events(stored)),
        check: |_| Ok(()),
    },
    List {
        name: "latencies",
        columns: &[
            "id",
            "kind",
            "t",
            "end",
            "duration_ns",
            "unit",
            "cpu",
            "start_cpu",
            "pid",
            "comm",
            "key",
            "flags",
            "weight",
            "detail",
            "headline",
            "is_explained",
            "url",
        ],
        ask: |stored| Box::pin(latency::latencies(stored)),
        check: in_order_of_time,
    },
    List {
        name: "functions",
        columns: &[
            "symbol",
            "module",
            "count",
            "total_ns",
            "self_ns",
            "min_ns",
            "p50_ns",
            "p99_ns",
            "max_ns",
            "percentile_error_ppm",
            "slowest.id",
            "slowest.t",
            "slowest.cpu",
            "slowest.pid",
            "slowest.comm",
        ],
        ask: |stored| Box::pin(functions::functions(stored)),
        check: |_| Ok(()),
    },
    List {
        name: "calls",
        columns: &["id", "t", "duration_ns", "self_ns", "cpu", "pid", "comm", "symbol", "depth", "flags"],
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

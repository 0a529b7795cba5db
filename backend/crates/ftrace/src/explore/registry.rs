//! Every question that can be asked of stored traces, by the name that drivers know it by.

use super::protocol::{Answering, Stored};
use super::{
    arrows, call_detail, calls, calltree, diff, event_counts, events, export, functions, interference,
    latency, rows, slice_totals, timeline, warnings,
};

type Ask = fn(Stored) -> Answering;

pub const QUESTIONS: &[(&str, Ask)] = &[
    ("arrows", |stored| Box::pin(arrows::arrows(stored))),
    ("call", |stored| Box::pin(call_detail::call(stored))),
    ("calls", |stored| Box::pin(calls::calls(stored))),
    ("calltree", |stored| Box::pin(calltree::calltree(stored))),
    ("diff", |stored| Box::pin(diff::diff(stored))),
    ("diff_like", |stored| Box::pin(diff::diff_like(stored))),
    ("event_counts", |stored| Box::pin(event_counts::event_counts(stored))),
    ("events", |stored| Box::pin(events::events(stored))),
    ("export", |stored| Box::pin(export::export(stored))),
    ("function_instances", |stored| Box::pin(diff::function_instances(stored))),
    ("functions", |stored| Box::pin(functions::functions(stored))),
    ("interference", |stored| Box::pin(interference::interference(stored))),
    ("latencies", |stored| Box::pin(latency::latencies(stored))),
    ("latency_case", |stored| Box::pin(latency::latency_case(stored))),
    ("latency_check", |stored| Box::pin(latency::latency_check(stored))),
    ("latency_kinds", |stored| Box::pin(latency::latency_kinds(stored))),
    ("latency_series", |stored| Box::pin(latency::latency_series(stored))),
    ("latency_stats", |stored| Box::pin(latency::latency_stats(stored))),
    ("latency_tail", |stored| Box::pin(latency::latency_tail(stored))),
    ("latency_tasks", |stored| Box::pin(latency::latency_tasks(stored))),
    ("latency_values", |stored| Box::pin(latency::latency_values(stored))),
    ("rows", |stored| Box::pin(rows::rows(stored))),
    ("slice_totals", |stored| Box::pin(slice_totals::slice_totals(stored))),
    ("timeline", |stored| Box::pin(timeline::timeline(stored))),
    ("warnings", |stored| Box::pin(warnings::warnings(stored))),
    ("worst_cases", |stored| Box::pin(latency::worst_cases(stored))),
];

//! Latencies of a stored trace: lists, statistics, series, and single cases with what explains them.

mod advice_answer;
mod affordable;
mod case;
mod case_answer;
pub(crate) mod case_id;
mod case_parts;
mod check;
#[cfg(test)]
mod check_tests;
mod distribution;
mod distributions;
mod explaining;
mod field_series;
mod groups;
mod histogram;
mod item;
mod kinds;
mod list;
#[cfg(test)]
mod list_tests;
mod measured;
mod needs;
mod order;
mod placed_sample;
mod plan;
mod rank_search;
mod ruler_item;
mod scan;
mod selection;
mod sentences;
mod series;
mod shelves;
mod side_by_side;
mod stats;
mod tail;
mod tail_bands;
mod tail_choice;
mod tail_profile;
mod tail_sentence;
#[cfg(test)]
mod tail_tests;
mod task_filter;
mod tasks;
#[cfg(test)]
mod testing;
mod values;
mod why_answer;
mod worst;
mod worst_cases;

pub(super) use case::{CaseRecord, Located, comm_of, interval, latency_case, located_case};
pub(super) use case_parts::CaseParts;
pub(super) use check::latency_check;
pub(super) use field_series::{FieldSeries, params_with_series};
pub(super) use kinds::latency_kinds;
pub(super) use list::latencies;
pub use measured::{MEASURING, Measuring};
pub(super) use needs::{AT_LOAD, Needs, ON_DEMAND};
pub(super) use selection::{Selection, known_kind};
pub(super) use series::latency_series;
pub(super) use stats::latency_stats;
pub(super) use tail::latency_tail;
pub(super) use tasks::latency_tasks;
pub(super) use values::latency_values;
pub(super) use worst_cases::worst_cases;

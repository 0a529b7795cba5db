//! Comparisons of two calls or cases, which may be of different traces.

mod answer;
mod call_diff;
mod call_tree;
mod case_diff;
mod event_tree;
mod group;
mod guard;
mod instances;
mod located;
mod normal_calls;
mod side;
mod stored_calls;
#[cfg(test)]
mod testing;
mod words;

pub use call_diff::{CallSideTables, diff_calls};
pub use case_diff::diff_cases;
pub use group::{choose_blocks, group_symbols};
pub use instances::instances;
pub use located::locate_call;
pub use normal_calls::choose_calls;

//! Comparisons of two calls or cases, which may be of different traces.

mod answer;
mod block_budget;
mod call_diff;
mod call_tree;
mod case_diff;
mod comparison;
mod event_tree;
#[cfg(test)]
mod event_tree_tests;
mod group;
mod guard;
mod instance_sets;
mod instances;
mod located;
mod normal_calls;
mod normal_cases;
mod options;
mod sentence;
mod side;
mod stored_calls;
#[cfg(test)]
mod testing;
mod words;

pub use call_diff::{CallSideTables, diff_calls};
pub use case_diff::diff_cases;
pub use group::{choose_blocks, group_symbols};
pub use instances::{function_calls, instances};
pub use located::locate_call;
pub use normal_calls::choose_calls;
pub use normal_cases::{choose_cases, plan_cases};

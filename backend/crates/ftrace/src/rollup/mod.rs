//! Aggregates that are made while slices come in, so that looking at a whole trace costs what a screen
//! shows.

mod call_tree;
mod cell;
mod claims;
mod functions;
mod interference;
mod lanes;
pub(crate) mod quantiles;
mod task_lanes;

pub use call_tree::CallTree;
pub use functions::FunctionStats;
pub use interference::{Interference, TICK, TIMER_INTERRUPT, UNSEEN_RUN};
pub use lanes::Lanes;
pub use task_lanes::TaskLanes;

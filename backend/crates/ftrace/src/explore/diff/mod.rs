//! Comparisons of two calls or cases, which may be of different traces.

mod group;
mod instances;
mod located;
mod normal_calls;
#[cfg(test)]
mod testing;

pub use group::{choose_blocks, group_symbols};
pub use instances::instances;
pub use located::locate_call;
pub use normal_calls::choose_calls;

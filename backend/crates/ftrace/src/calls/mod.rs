//! From lines of a function graph to finished calls.

mod builder;
mod call;
mod closing;
mod interrupts;
mod task_stack;
mod tasks;
#[cfg(test)]
mod tests;
mod unopened;

pub use builder::CallBuilder;
pub use call::{Call, CallFlags, CallSink};
pub use interrupts::is_entry as is_interrupt_entry;

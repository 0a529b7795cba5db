//! The kernel's print formats: `print fmt: "irq=%d name=%s", REC->irq, __get_str(name)`.
//!
//! A format is C. It is compiled once for each event type ([`compile()`]) to pieces and code for a small
//! stack machine, and run for each record ([`Printer`]).

mod bitmap;
mod calls;
mod compile;
mod constants;
mod emit;
mod eval;
mod expression;
pub mod number;
pub mod pointer;
mod printer;
mod program;
pub mod spec;
mod token;
mod types;
mod values;

pub use compile::compile;
pub use expression::Failure;
pub use printer::Printer;
pub use program::Program;
pub use values::PrintContext;

#[cfg(test)]
mod tests;

//! The Python edge of the `ftrace` crate.

//! The layout of the function graph tracer.
#![no_main]
#![allow(clippy::disallowed_types, reason = "libfuzzer's macro can write what it runs to a file")]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ftrace_fuzz::check("function_graph_text", bytes));

//! Feeds the target that the environment variable `FUZZ_TARGET` names.
#![no_main]
#![allow(clippy::disallowed_types, reason = "libfuzzer's macro can write what it runs to a file")]
#![allow(clippy::disallowed_methods, reason = "libfuzzer passes its own arguments on to nobody")]

use std::sync::LazyLock;

use ftrace_fuzz::Target;

static TARGET: LazyLock<Target> =
    LazyLock::new(|| ftrace_fuzz::target(&std::env::var("FUZZ_TARGET").unwrap_or_default()));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.check)(bytes));

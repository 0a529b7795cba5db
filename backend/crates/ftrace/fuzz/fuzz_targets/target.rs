//! Feeds the target that the environment variable `FUZZ_TARGET` names; without it, prints the names of all, one a line.
#![no_main]
#![allow(clippy::disallowed_types, reason = "libfuzzer's macro can write what it runs to a file")]
#![allow(clippy::disallowed_methods, reason = "libfuzzer passes its own arguments on to nobody")]

use std::process::exit;
use std::sync::LazyLock;

use ftrace::fuzzing::{Target, target, targets};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let Ok(name) = std::env::var("FUZZ_TARGET") else {
        targets().iter().for_each(|target| println!("{}", target.name));
        exit(0);
    };
    target(&name)
});

libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&TARGET); }, |bytes: &[u8]| (TARGET.check)(bytes));

//! Every seed, and everything that fuzzing ever found, passes its target: without the fuzzer, in every test run.
#![allow(clippy::disallowed_methods, reason = "seeds are files")]

use std::fs;
use std::path::Path;

use super::{TARGETS, check};

/// Files of `<folder>/<target>`; a target without any has no folder.
fn files(folder: &str, target: &str) -> Vec<(String, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target);
    let entries = fs::read_dir(path).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

#[test]
fn seeds_and_findings_pass() {
    let mut count = 0;
    for (target, _) in TARGETS {
        for (path, bytes) in [files("seeds", target), files("findings", target)].concat() {
            println!("{path}");
            check(target, &bytes);
            count += 1;
        }
    }
    assert!(count > 0, "there are no seeds");
}

#[test]
fn every_target_has_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    let mut expected: Vec<_> = TARGETS.iter().map(|(name, _)| format!("{name}.rs")).collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
}

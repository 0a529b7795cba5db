//! Every seed, and everything that fuzzing ever found, passes its target: without the fuzzer, in every test run.
#![allow(clippy::disallowed_methods, reason = "seeds are files")]

use std::fs;
use std::path::{Path, PathBuf};

use super::{Target, targets};

/// Where seeds, findings and the fuzzer's program are.
fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// Files of `<folder>/<target>`; a target without any has no folder.
pub(super) fn files(folder: &str, target: &str) -> Vec<(String, Vec<u8>)> {
    let path = fuzz_folder().join(folder).join(target);
    let entries = fs::read_dir(path).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

#[test]
fn seeds_and_findings_pass() {
    let mut count = 0;
    for Target { name, check } in targets() {
        for (path, bytes) in [files("seeds", name), files("findings", name)].concat() {
            println!("{path}");
            check(&bytes);
            count += 1;
        }
    }
    assert!(count > 0, "there are no seeds");
}

#[test]
fn every_folder_is_a_target_s() {
    let names: Vec<&str> = targets().iter().map(|target| target.name).collect();
    for folder in ["seeds", "findings"] {
        for entry in fs::read_dir(fuzz_folder().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(names.contains(&name.as_str()), "{folder}/{name}");
        }
    }
}

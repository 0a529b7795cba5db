//! The order of the core's folders: none imports one that is above it, in code or in tests.

use std::path::Path;
use std::{fs, io};

/// From the ground up, as ARCHITECTURE.md draws them.
const FLOORS: [&str; 15] = [
    "model", "input", "events", "formats", "calls", "analyses", "store", "rollup", "explain", "kinds",
    "import", "diff", "explore", "catalog", "fuzzing",
];

/// Tests of every floor may import text from top to bottom with it; no code can, because it is compiled only for tests.
const FOR_TESTS: &str = "testing";

/// One line for each import of a higher floor in `source`, the file at `path` below `src`.
fn violations(path: &str, source: &str) -> Vec<String> {
    let Some(folder) = path.split(['/', '.']).next().filter(|folder| *folder != FOR_TESTS) else {
        return Vec::new();
    };
    let height = |name: &str| FLOORS.iter().position(|floor| *floor == name);
    let problem = |line: &str| {
        if reaches_root(path, line) {
            return Some("climbs to the root with `super`; write `crate::`".to_owned());
        }
        line.split("crate::").skip(1).find_map(|rest| {
            let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
            match (height(folder), height(name)) {
                (Some(own), Some(other)) if other <= own => None,
                _ if name == FOR_TESTS => None,
                (Some(_), Some(_)) => Some(format!("{folder} is below {name}")),
                _ => Some(format!("`{folder}` or `{name}` has no floor in testing/floors.rs")),
            }
        })
    };
    let lines = (1..).zip(source.lines());
    lines.filter_map(|(number, line)| Some(format!("src/{path}:{number}: {}", problem(line)?))).collect()
}

/// Modules inside of a file are indented and one deeper than it.
fn reaches_root(path: &str, line: &str) -> bool {
    let is_inside = line.starts_with(' ');
    let depth = path.trim_end_matches("/mod.rs").split('/').count() + usize::from(is_inside);
    line.contains(&"super::".repeat(depth))
}

/// Every file below `src` with its text, under its path from there.
fn sources(folder: &Path, prefix: &str, found: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            sources(&entry.path(), &format!("{path}/"), found)?;
        } else if path != "lib.rs" {
            found.push((path, fs::read_to_string(entry.path())?));
        }
    }
    Ok(())
}

#[test]
fn no_folder_imports_one_above_it() {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found).unwrap();
    assert!(found.len() > FLOORS.len());
    let violations: Vec<String> = found.iter().flat_map(|(path, source)| violations(path, source)).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_way_up_is_found() {
    fn check(path: &str, line: &str, expected: &[&str]) {
        assert_eq!(violations(path, &format!("//! First line.\n{line}")), expected);
    }
    check("store/read/rows.rs", "use crate::model::Flags;", &[]);
    check("store/read/rows.rs", "use crate::store::tables;", &[]);
    check("store/read/rows.rs", "use super::super::tables;", &[]);
    check("analyses/sched.rs", "    use crate::testing::check;", &[]);
    check("explore/kind.rs", "use crate::explore::grid;", &[]);
    check("store/rows.rs", "use crate::explore::kind;", &["src/store/rows.rs:2: store is below explore"]);
    check("catalog.rs", "    use crate::explore::kind;", &[]);
    check(
        "model/mod.rs",
        "    let x = crate::input::Lines::new();",
        &["src/model/mod.rs:2: model is below input"],
    );
    check("model/time.rs", "/// See [`crate::import`].", &["src/model/time.rs:2: model is below import"]);
    check(
        "store/rows.rs",
        "use super::super::explore::kind;",
        &["src/store/rows.rs:2: climbs to the root with `super`; write `crate::`"],
    );
    check("store/rows.rs", "    use super::super::tables;", &[]);
    check(
        "attic/old.rs",
        "use crate::{explore, store};",
        &["src/attic/old.rs:2: `attic` or `` has no floor in testing/floors.rs"],
    );
}

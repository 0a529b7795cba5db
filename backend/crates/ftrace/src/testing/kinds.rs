//! Only its own folder knows a kind of latency: no other code asks for one by its name.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::kinds::latency_kinds;

/// Names that mean something else, too: a kind of slice or cause, a lateness, a mechanism, an event, a parameter of
/// requests.
const WITH_OTHER_MEANINGS: [&str; 11] = [
    "call",
    "field",
    "irq",
    "irqsoff",
    "measured",
    "migration",
    "preemptoff",
    "softirq",
    "softirq_raise",
    "tick",
    "timer",
];

/// Folders and files that say something about latencies, from the root of the repository.
const SOURCES: [&str; 8] = [
    "backend/crates/ftrace/src/explain",
    "backend/crates/ftrace/src/explore",
    "backend/crates/ftrace/src/import",
    "backend/crates/ftrace/src/rollup",
    "backend/crates/ftrace/src/store",
    "backend/crates/ftrace/src/catalog.rs",
    "backend/jitterscope",
    "frontend/src",
];

/// Tests name kinds, and so do examples.
const EXEMPT: [&str; 11] = [
    "tests.rs",
    "properties.rs",
    "planted/",
    "tests/",
    "testing.rs",
    "testing/",
    ".test.ts",
    "fixture.ts",
    "examples.ts",
    "generated.ts",
    "schemas/",
];

#[test]
fn no_code_outside_of_a_kind_asks_for_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = Vec::new();
    for source in SOURCES {
        read_code(&root.join(source), &mut files).unwrap();
    }
    let names: Vec<&str> = latency_kinds().map(|kind| kind.name).collect();
    let found: Vec<String> = files.iter().flat_map(|(path, text)| violations(path, text, &names)).collect();
    assert!(files.len() > 300, "{} files", files.len());
    assert!(found.is_empty(), "belongs into backend/crates/ftrace/src/kinds:\n{}", found.join("\n"));
}

/// Every file of code at or below `path`, with its text.
fn read_code(path: &Path, files: &mut Vec<(PathBuf, String)>) -> io::Result<()> {
    if path.is_dir() {
        fs::read_dir(path)?.try_for_each(|entry| read_code(&entry?.path(), files))
    } else {
        if is_code(&path.to_string_lossy()) {
            files.push((path.to_owned(), fs::read_to_string(path)?));
        }
        Ok(())
    }
}

fn is_code(path: &str) -> bool {
    [".rs", ".py", ".ts", ".tsx"].iter().any(|ending| path.ends_with(ending))
        && !EXEMPT.iter().any(|part| path.contains(part))
}

fn violations(path: &Path, text: &str, names: &[&str]) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = (1..).zip(code.lines());
    let named = lines.filter(|(_, line)| names.iter().any(|name| asks_for(line, name)));
    named.map(|(number, line)| format!("{}:{number}: {}", path.display(), line.trim())).collect()
}

fn asks_for(line: &str, name: &str) -> bool {
    let is_quoted = ['"', '\''].iter().any(|quote| line.contains(&format!("{quote}{name}{quote}")));
    let is_clear = !WITH_OTHER_MEANINGS.contains(&name);
    // Stages and events have some of the names.
    let is_kind = !["Mark::", "Decoded::"].iter().any(|other| line.contains(other));
    let compares = line.contains("latency().name") || line.contains("kind.name");
    is_quoted && is_kind && (is_clear || compares)
}

#[test]
fn every_way_to_ask_is_found() {
    let found = |line| ["cyclic", "irq"].iter().any(|name| asks_for(line, name));
    assert!(found(r#"        "cyclic" => events.cyclic(),"#));
    assert!(found("const LATENESS = ['cyclic', 'timerlat'];"));
    assert!(found(r#"if case.latency().name == "irq" {"#));
    assert!(!found(r#"SliceKind::Irq => "irq","#));
    assert!(!found("cyclic latencies"));
}

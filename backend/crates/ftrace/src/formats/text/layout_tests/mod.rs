//! An example of every layout that ftrace writes, as it is read. The examples are our own.

mod passed_on;
mod report;
mod tracefs;
mod tracers;

use crate::model::Stop;
use expect_test::Expect;

use super::reader;
use super::test_log::Log;
use crate::formats::{FORMATS, Likeness};
use crate::model::Limits;

/// `format` says that the example is its own, and no other does; it is read as `expected`.
fn check(format: &str, example: &str, expected: Expect) {
    check_bytes(format, example.as_bytes(), expected);
}

fn check_bytes(format: &str, example: &[u8], expected: Expect) {
    let likeness = |name: &dyn Fn(&str) -> bool| {
        let of = FORMATS.iter().filter(|format| name(format.name()));
        of.map(|format| format.likeness(example)).max().unwrap_or(Likeness::No)
    };
    let (own, others) = (likeness(&|name| name == format), likeness(&|name| name != format));
    assert!(own > Likeness::No, "{format} does not know its own");
    assert!(
        own == Likeness::Sure && others < Likeness::Sure || others < own,
        "{format} {own:?}, others {others:?}"
    );
    let mut log = Log::default();
    let mut stream = example;
    if let Err(Stop::Failed(error)) = reader::read(&mut stream, &Limits::default(), &mut log) {
        log.text += &format!("failed: {}\n", error.code.name());
    }
    assert_eq!(log.accounted.0 + log.accounted.1, example.len() as u64);
    let told: Vec<_> = log.text.lines().filter(|line| !line.starts_with("facts")).collect();
    expected.assert_eq(&(told.join("\n") + "\n"));
}

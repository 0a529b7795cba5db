//! The difference in one sentence, whose numbers add up.

use super::contribution::{Contribution, Contributions};
use super::names::Names;
use super::row::{Row, Status};
use super::tree::Kind;

pub fn summary(names: &Names, delta_ns: i64, rows: &[Row], contributions: &Contributions) -> String {
    let parts = parts(names, contributions);
    if parts.is_empty() {
        let is_equal = rows.iter().all(|row| row.delta_ns == 0 && matches!(row.status, Status::Matched));
        return if is_equal {
            "The two are equal.".to_owned()
        } else {
            "The two take equally long.".to_owned()
        };
    }
    let parts: Vec<String> =
        parts.iter().map(|part| format!("{} {}", microseconds(part.delta_ns), part.text)).collect();
    let sign = if delta_ns > 0 { "+" } else { "" };
    format!("{sign}{}: {}.", microseconds(delta_ns), parts.join(", "))
}

struct Part {
    delta_ns: i64,
    text: String,
}

fn parts(names: &Names, contributions: &Contributions) -> Vec<Part> {
    let only = |status, is_interrupt| {
        let is_it =
            move |one: &&Contribution| one.status == status && (one.kind == Kind::Interrupt) == is_interrupt;
        contributions.only_one_side.iter().filter(is_it).collect::<Vec<_>>()
    };
    let said = [
        (only(Status::Added, false), "in calls that the normal one does not make"),
        (only(Status::Removed, false), "in calls that only the normal one makes"),
        (only(Status::Added, true), "in interrupts that only it took"),
        (only(Status::Removed, true), "in interrupts that only the normal one took"),
    ];
    let mut parts: Vec<Part> = Vec::new();
    for (found, text) in said {
        if !found.is_empty() {
            parts.push(Part { delta_ns: sum(&found), text: format!("{text} ({})", places(names, &found)) });
        }
    }
    let matched_ns = sum(&contributions.slower.iter().collect::<Vec<_>>());
    if matched_ns != 0 {
        let text = if matched_ns > 0 { "spread over slower calls" } else { "spread over faster calls" };
        parts.push(Part { delta_ns: matched_ns, text: text.to_owned() });
    }
    parts
}

fn sum(found: &[&Contribution]) -> i64 {
    found.iter().fold(0, |sum, one| sum.saturating_add(one.delta_ns))
}

fn places(names: &Names, found: &[&Contribution]) -> String {
    let place = |one: &Contribution| {
        let called: Vec<&str> = one.names.iter().map(|name| names.text(*name)).collect();
        match one.path.last() {
            Some(under) if one.kind != Kind::Interrupt => {
                format!("{} under {}", called.join(", "), names.text(*under))
            }
            _ => called.join(", "),
        }
    };
    found.iter().take(2).map(|one| place(one)).collect::<Vec<_>>().join("; ")
}

fn microseconds(ns: i64) -> String {
    let sign = if ns < 0 { "−" } else { "" };
    format!("{sign}{}.{:03} µs", ns.unsigned_abs() / 1_000, ns.unsigned_abs() % 1_000)
}

//! The difference in one sentence, whose numbers add up.

use std::cmp::Reverse;

use super::amounts;
use super::contribution::{Contribution, Contributions};
use super::names::Names;
use super::phrase::{self, Words};
use super::row::{Row, Status};
use super::tree::Kind;

/// `+10.056 µs: 8.369 µs in calls that the normal one does not make (ktime_get under f), 1.687 µs spread over slower calls.`
pub fn summary(names: &Names, delta_ns: i64, rows: &[Row], contributions: &Contributions) -> String {
    let parts = parts(names, contributions);
    let parts_ns: Vec<i64> = parts.iter().map(|part| part.delta_ns).collect();
    let amounts = amounts::print(delta_ns, &parts_ns);
    let said: Vec<(String, &Part)> =
        amounts.parts.into_iter().zip(&parts).filter_map(|(amount, part)| Some((amount?, part))).collect();
    match said.as_slice() {
        [] => equal(rows, &parts),
        [(amount, part)] if amounts.sum.trim_start_matches('+') == amount => {
            format!("{}, all of it {}.", amounts.sum, part.text)
        }
        said => {
            let said: Vec<String> =
                said.iter().map(|(amount, part)| format!("{amount} {}", part.text)).collect();
            let sum = if delta_ns == 0 { "Equally long" } else { &amounts.sum };
            format!("{sum}: {}.", said.join(", "))
        }
    }
}

/// Where there is no difference in time.
fn equal(rows: &[Row], parts: &[Part]) -> String {
    match parts.first() {
        Some(part) => format!("The two take equally long; they differ {}.", part.text),
        None if rows.iter().all(|row| row.delta_ns == 0 && row.other_name.is_none()) => {
            "The two are equal.".to_owned()
        }
        None => "The two take equally long.".to_owned(),
    }
}

struct Part {
    delta_ns: i64,
    text: String,
}

/// The largest first.
fn parts(names: &Names, contributions: &Contributions) -> Vec<Part> {
    let words = Words::of(contributions.all().any(|one| one.kind == Kind::Event));
    let only = |status, is_interrupt| {
        let is_it =
            move |one: &&Contribution| one.status == status && (one.kind == Kind::Interrupt) == is_interrupt;
        contributions.only_one_side.iter().filter(is_it).collect::<Vec<_>>()
    };
    let only_one_side = [
        (only(Status::Added, false), words.added),
        (only(Status::Removed, false), words.removed),
        (only(Status::Added, true), "in interrupts that only it took"),
        (only(Status::Removed, true), "in interrupts that only the normal one took"),
    ];
    let mut parts: Vec<Part> = Vec::new();
    for (found, text) in only_one_side {
        if !found.is_empty() {
            parts.push(Part {
                delta_ns: sum(found.iter().copied()),
                text: format!("{text} ({})", phrase::places(names, &found)),
            });
        }
    }
    let largest_ns = contributions.all().fold(0_u64, |sum, one| sum.max(one.delta_ns.unsigned_abs()));
    for matched in matched(&contributions.slower) {
        parts.extend(named(names, &matched, largest_ns, &words));
    }
    parts.sort_by_key(|part| Reverse(part.delta_ns.unsigned_abs()));
    parts
}

/// What matched calls take more, and what they take less, apart only where neither is small beside the other.
fn matched(slower: &[Contribution]) -> Vec<Vec<&Contribution>> {
    let (more, less): (Vec<_>, Vec<_>) = slower.iter().partition(|one| one.delta_ns > 0);
    let (more_ns, less_ns) =
        (sum(more.iter().copied()).unsigned_abs(), sum(less.iter().copied()).unsigned_abs());
    if more_ns.min(less_ns).saturating_mul(4) >= more_ns.max(less_ns) {
        vec![more, less]
    } else {
        vec![slower.iter().collect()]
    }
}

/// A call that makes most of them by itself is named; the others are summed.
fn named(names: &Names, matched: &[&Contribution], largest_ns: u64, words: &Words) -> Vec<Part> {
    let all_ns = sum(matched.iter().copied());
    let is_most = |one: &&&Contribution| {
        let own_ns = one.delta_ns.unsigned_abs();
        one.delta_ns.signum() == all_ns.signum()
            && own_ns.saturating_mul(2) >= all_ns.unsigned_abs()
            && own_ns.saturating_mul(4) >= largest_ns
    };
    let first = matched.first().filter(is_most);
    let rest_ns = all_ns.saturating_sub(first.map_or(0, |one| one.delta_ns));
    let mut parts: Vec<Part> = Vec::new();
    parts.extend(first.map(|one| Part { delta_ns: one.delta_ns, text: phrase::itself(names, one, words) }));
    if rest_ns != 0 {
        let text = if rest_ns > 0 { words.slower } else { words.faster };
        parts.push(Part { delta_ns: rest_ns, text: text.to_owned() });
    }
    parts
}

fn sum<'c>(found: impl Iterator<Item = &'c Contribution>) -> i64 {
    found.fold(0, |sum, one| sum.saturating_add(one.delta_ns))
}

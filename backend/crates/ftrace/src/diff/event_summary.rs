//! The sentence of cases, which are compared by their events.

use std::cmp::Reverse;

use super::contribution::{Contribution, Contributions};
use super::names::Names;
use super::phrase;
use super::repeat::Repeat;
use super::row::Status;
use super::summary::{self, Part};
use super::tree::Kind;

/// Parts that are said by themselves.
const MOST_PARTS: usize = 3;
/// What a part makes of the largest one at least, to be said by itself.
const LEAST_PCT: u64 = 5;
/// Extra events that are named whether they take long or not.
const MOST_EXTRA: usize = 4;
const MIGRATION: &str = "sched_migrate_task";

/// The largest waits and interruptions, and all others as one.
pub fn parts(names: &Names, contributions: &Contributions) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for status in [Status::Added, Status::Removed] {
        for kind in [Kind::Interrupt, Kind::Softirq] {
            parts.extend(summary::interruptions(names, contributions, status, kind));
        }
    }
    let waits = contributions.all().filter(|one| is_wait(one));
    parts.extend(waits.map(|one| {
        let named = one.names.first().copied().into_iter().collect();
        Part { delta_ns: one.delta_ns, text: phrase::wait(names, one), count: 1, named }
    }));
    parts.sort_by_key(|part| Reverse(part.delta_ns.unsigned_abs()));
    let largest_ns = parts.first().map_or(0, |part| part.delta_ns.unsigned_abs());
    let is_small =
        |part: &Part| part.delta_ns.unsigned_abs().saturating_mul(100) < largest_ns.saturating_mul(LEAST_PCT);
    let said = parts.iter().position(is_small).unwrap_or(parts.len()).min(MOST_PARTS);
    summary::shortened(parts, said)
}

/// True for an event until the next one, and for interrupts and softirqs of both sides.
fn is_wait(one: &Contribution) -> bool {
    one.kind == Kind::Event || one.status == Status::Matched
}

/// ` Only the abnormal run has irq eth0, sched_migrate_task.`: extra events that no part names, as they took no time.
pub fn extra(names: &Names, contributions: &Contributions, said: &[Part]) -> String {
    let of = |status: Status| {
        let is_extra = |one: &&Contribution| {
            let Some(name) = one.names.first() else { return false };
            let is_notable = one.kind != Kind::Event || names.text(*name).starts_with(MIGRATION);
            let is_said = said.iter().any(|part| part.named.contains(name));
            one.status == status && one.repeat == Repeat::New && is_notable && !is_said
        };
        let found = contributions.only_one_side.iter().filter(is_extra);
        found.filter_map(|one| one.names.first()).map(|name| phrase::clip(names, *name)).collect::<Vec<_>>()
    };
    let sentence = |(side, found): (&str, Vec<String>)| {
        let (named, rest) = found.split_at(phrase::shown_of(found.len(), MOST_EXTRA));
        match rest.len() {
            _ if named.is_empty() => String::new(),
            0 => format!(" Only the {side} run has {}.", named.join(", ")),
            more => format!(" Only the {side} run has {} and {more} more.", named.join(", ")),
        }
    };
    [("abnormal", of(Status::Added)), ("normal", of(Status::Removed))].map(sentence).concat()
}

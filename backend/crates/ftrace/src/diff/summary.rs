//! The difference in one sentence, whose numbers add up.

use crate::model::grouped;
use std::cmp::Reverse;

use super::amounts;
use super::contribution::{Contribution, Contributions};
use super::event_summary;
use super::names::{NameId, Names};
use super::phrase;
use super::repeat::Repeat;
use super::row::{Row, Status};
use super::tree::Kind;

/// Parts that are named one by one.
const MOST_PARTS: usize = 4;

/// `+10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get under f), 1.69 µs in slower calls.`
pub fn summary(names: &Names, delta_ns: i64, rows: &[Row], contributions: &Contributions) -> String {
    let is_of_events = rows.first().is_some_and(|root| root.kind == Kind::Event);
    if is_of_events {
        let said = event_summary::parts(names, contributions);
        return format!(
            "{}{}",
            sentence(delta_ns, rows, &said),
            event_summary::extra(names, contributions, &said)
        );
    }
    sentence(delta_ns, rows, &shortened(parts(names, contributions), MOST_PARTS))
}

/// One sentence of all parts.
fn sentence(delta_ns: i64, rows: &[Row], parts: &[Part]) -> String {
    let parts_ns: Vec<i64> = parts.iter().map(|part| part.delta_ns).collect();
    let amounts = amounts::print(delta_ns, &parts_ns);
    let said: Vec<(String, &Part)> =
        amounts.parts.into_iter().zip(parts).filter_map(|(amount, part)| Some((amount?, part))).collect();
    match said.as_slice() {
        [] => equal(rows, parts),
        [(amount, part)] if amounts.sum.trim_start_matches('+') == amount => {
            format!("{}, all {}.", amounts.sum, part.text)
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
        Some(part) => format!("Both take equally long; they differ {}.", part.text),
        None if rows.iter().all(|row| row.delta_ns == 0 && row.other_name.is_none()) => {
            "The two are equal.".to_owned()
        }
        None => "Both take equally long.".to_owned(),
    }
}

/// Something that makes a part of the difference.
pub struct Part {
    pub delta_ns: i64,
    pub text: String,
    /// The contributions that it sums up.
    pub count: usize,
    /// Of interrupts, softirqs and events: those that it names.
    pub named: Vec<NameId>,
}

/// The largest first.
fn parts(names: &Names, contributions: &Contributions) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let moved = moved(names, contributions);
    for status in [Status::Added, Status::Removed] {
        let repeats = [Repeat::New, Repeat::More, Repeat::Moved];
        for repeat in repeats.into_iter().filter(|repeat| *repeat != Repeat::Moved || moved.is_none()) {
            let found = contributions.one_sided(status, Kind::Call, |found| found == repeat);
            let text = phrase::of_calls(status, repeat, &found);
            parts.extend(Part::of(&found, || format!("{text} ({})", phrase::places(names, &found))));
        }
        parts.extend(interruptions(names, contributions, status, Kind::Interrupt));
    }
    parts.extend(moved);
    let largest_ns = contributions.all().fold(0_u64, |sum, one| sum.max(one.delta_ns.unsigned_abs()));
    for matched in matched(&contributions.slower) {
        parts.extend(named(names, &matched, largest_ns));
    }
    parts.sort_by_key(|part| Reverse(part.delta_ns.unsigned_abs()));
    parts
}

/// Calls that each side makes where the other does not, as one part: what they take there and what they take here cancel out
/// but for the difference. `None` where only one side has some.
fn moved(names: &Names, contributions: &Contributions) -> Option<Part> {
    let of = |status: Status| contributions.one_sided(status, Kind::Call, |repeat| repeat == Repeat::Moved);
    let (added, removed) = (of(Status::Added), of(Status::Removed));
    if added.is_empty() || removed.is_empty() {
        return None;
    }
    // Most of them have the same names.
    let places = phrase::places(names, &added);
    let found: Vec<&Contribution> = added.into_iter().chain(removed).collect();
    Part::of(&found, || format!("{} ({places})", phrase::REORDERED))
}

/// Interrupts, or softirqs, that one side only has: those that the other does not know, and those of which it has fewer.
pub fn interruptions(names: &Names, contributions: &Contributions, status: Status, kind: Kind) -> Vec<Part> {
    let of_kind = |is_new: bool| {
        let found = contributions.one_sided(status, kind, |found| (found == Repeat::New) == is_new);
        let text = match kind {
            Kind::Softirq => phrase::of_softirqs(status, is_new),
            _ => phrase::of_interrupts(status, is_new),
        };
        Part::of(&found, || format!("{text} ({})", phrase::interruptions(names, &found)))
    };
    [true, false].into_iter().filter_map(of_kind).collect()
}

impl Part {
    /// `None` of nothing.
    fn of(found: &[&Contribution], text: impl FnOnce() -> String) -> Option<Self> {
        let delta_ns = sum(found.iter().copied());
        let named = found.iter().take(phrase::MOST_NAMES).filter_map(|one| one.names.first().copied());
        (!found.is_empty()).then(|| Self {
            delta_ns,
            text: text(),
            count: found.len(),
            named: named.collect(),
        })
    }
}

/// The first few, and the rest as one.
pub fn shortened(mut parts: Vec<Part>, most: usize) -> Vec<Part> {
    if parts.len() > most.saturating_add(1) {
        let rest = parts.split_off(most);
        let count = rest.iter().map(|part| part.count).sum();
        parts.push(Part {
            delta_ns: rest.iter().fold(0, |sum, part| sum.saturating_add(part.delta_ns)),
            text: format!("in {} smaller differences", grouped(count)),
            count,
            named: Vec::new(),
        });
    }
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
fn named(names: &Names, matched: &[&Contribution], largest_ns: u64) -> Vec<Part> {
    let all_ns = sum(matched.iter().copied());
    let is_most = |one: &&&Contribution| {
        let own_ns = one.delta_ns.unsigned_abs();
        one.delta_ns.signum() == all_ns.signum()
            && own_ns.saturating_mul(2) >= all_ns.unsigned_abs()
            && own_ns.saturating_mul(4) >= largest_ns
    };
    let first = matched.first().filter(is_most);
    let rest_ns = all_ns.saturating_sub(first.map_or(0, |one| one.delta_ns));
    let rest = matched.len().saturating_sub(usize::from(first.is_some()));
    let mut parts: Vec<Part> = Vec::new();
    let part = |delta_ns, text, count| Part { delta_ns, text, count, named: Vec::new() };
    parts.extend(first.map(|one| part(one.delta_ns, phrase::itself(names, one), 1)));
    if rest_ns != 0 {
        let text = if rest_ns > 0 { phrase::SLOWER } else { phrase::FASTER };
        parts.push(part(rest_ns, text.to_owned(), rest));
    }
    parts
}

fn sum<'c>(found: impl Iterator<Item = &'c Contribution>) -> i64 {
    found.fold(0, |sum, one| sum.saturating_add(one.delta_ns))
}

//! Calls and places as a sentence names them.

use super::contribution::Contribution;
use super::names::{NameId, Names};
use super::row::Status;
use super::tree::Kind;

/// Places that a sentence names.
const MOST_PLACES: usize = 2;
/// Calls that it names at one place.
const MOST_NAMES: usize = 3;
/// Characters of a name: names come from the trace.
const MOST_CHARS: usize = 80;

/// What is said of calls, or of events.
pub struct Words {
    pub added: &'static str,
    pub removed: &'static str,
    pub slower: &'static str,
    pub faster: &'static str,
    is_of_events: bool,
}

impl Words {
    pub fn of(is_of_events: bool) -> Self {
        if is_of_events {
            Self {
                added: "after events that the normal one does not have",
                removed: "after events that only the normal one has",
                slower: "spread over longer waits between events",
                faster: "spread over shorter waits between events",
                is_of_events,
            }
        } else {
            Self {
                added: "in calls that the normal one does not make",
                removed: "in calls that only the normal one makes",
                slower: "spread over slower calls",
                faster: "spread over faster calls",
                is_of_events,
            }
        }
    }
}

/// `a, b, c and 2 more under f; d ×40 under g; 3 more places`
pub fn places(names: &Names, found: &[&Contribution]) -> String {
    let mut places: Vec<String> = found.iter().take(MOST_PLACES).map(|one| place(names, one)).collect();
    match found.len().saturating_sub(MOST_PLACES) {
        0 => (),
        1 => places.push("1 more place".to_owned()),
        more => places.push(format!("{more} more places")),
    }
    places.join("; ")
}

fn place(names: &Names, one: &Contribution) -> String {
    let called: Vec<String> = one.names.iter().take(MOST_NAMES).map(|name| clip(names, *name)).collect();
    let called = called.join(", ");
    let called = match one.names.len().saturating_sub(MOST_NAMES) {
        0 if one.names.len() == 1 && one.count > 1 => format!("{called} ×{}", thousands(one.count)),
        0 => called,
        more => format!("{called} and {more} more"),
    };
    let placed = match one.path.last() {
        Some(under) if one.kind == Kind::Call => format!("{called} under {}", clip(names, *under)),
        _ => called,
    };
    match one.normal_set.filter(|_| one.status == Status::Added) {
        Some(set) => format!("{placed}, in {} of {} normal ones", thousands(set.seen), thousands(set.of)),
        None => placed,
    }
}

/// `4,812`
fn thousands(count: u32) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len().saturating_mul(2));
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `in lock itself (under f)`, `in lock itself (20 calls under f)`, `after sched_waking`
pub fn itself(names: &Names, one: &Contribution, words: &Words) -> String {
    let name = one.names.first().map(|name| clip(names, *name)).unwrap_or_default();
    let under = one.path.last().map(|under| clip(names, *under));
    match (under, one.count) {
        _ if words.is_of_events => format!("after {name}"),
        (Some(under), 1) => format!("in {name} itself (under {under})"),
        (Some(under), count) => format!("in {name} itself ({} calls under {under})", thousands(count)),
        (None, _) => format!("in {name} itself"),
    }
}

fn clip(names: &Names, name: NameId) -> String {
    let text = names.text(name);
    match text.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

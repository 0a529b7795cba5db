//! Calls and places as a sentence names them.

use super::amounts;
use super::contribution::Contribution;
use super::names::{NameId, Names};
use super::repeat::Repeat;
use super::row::Status;
use super::set::Spread;
use super::sides::Sides;
use crate::model::grouped;

/// Places that a sentence names.
const MOST_PLACES: usize = 2;
/// Interrupts and softirqs, and functions that they hit.
pub const MOST_NAMES: usize = 3;
/// Characters of a name: names come from the trace.
const MOST_CHARS: usize = 80;

pub const SLOWER: &str = "in slower calls";
pub const FASTER: &str = "in faster calls";
pub const REORDERED: &str = "in calls made in another order";

/// Calls that one side makes and the other does not, or makes less often or elsewhere.
pub fn of_calls(status: Status, repeat: Repeat, found: &[&Contribution]) -> &'static str {
    let is_once =
        found.iter().all(|one| one.passes == 1 && usize::try_from(one.count) == Ok(one.names.len()));
    let is_rare = found.iter().any(|one| one.spreads.normal.is_some_and(|spread| spread.seen > 0));
    match (status, repeat) {
        (Status::Added, Repeat::New) if is_rare => "in calls that many normal runs lack",
        (Status::Added, Repeat::New) => "in calls missing from the normal run",
        (Status::Added, Repeat::More) if is_once => "in calls made once more",
        (Status::Added, Repeat::More) => "in calls made more often",
        (Status::Added, Repeat::Moved) => "in calls made elsewhere in the normal run",
        (_, Repeat::New) => "in calls missing from the abnormal run",
        (_, Repeat::More) if is_once => "in calls made once more in the normal run",
        (_, Repeat::More) => "in calls made more often in the normal run",
        (_, Repeat::Moved) => "in calls made elsewhere in the abnormal run",
    }
}

/// Where the time of interrupts went that one side has; `is_new` where the other side has none of the name.
pub fn of_interrupts(status: Status, is_new: bool) -> &'static str {
    match (status, is_new) {
        (Status::Added, true) => "in interrupts missing from the normal run",
        (Status::Added, false) => "in additional interrupts",
        (_, true) => "in interrupts missing from the abnormal run",
        (_, false) => "in additional interrupts of the normal run",
    }
}

/// The same of softirqs.
pub fn of_softirqs(status: Status, is_new: bool) -> &'static str {
    match (status, is_new) {
        (Status::Added, true) => "in softirqs missing from the normal run",
        (Status::Added, false) => "in additional softirqs",
        (_, true) => "in softirqs missing from the abnormal run",
        (_, false) => "in additional softirqs of the normal run",
    }
}

/// How many of some are named, where `most` are as a rule: a last one takes no more room than the words that count it.
pub fn shown_of(count: usize, most: usize) -> usize {
    if count == most.saturating_add(1) { count } else { count.min(most) }
}

/// `a, b, c and 2 more under f; d ×40 under g; 3 more places`
pub fn places(names: &Names, found: &[&Contribution]) -> String {
    let (shown, rest) = found.split_at(shown_of(found.len(), MOST_PLACES));
    let mut text = String::new();
    let next = shown.iter().skip(1).map(Some).chain([None]);
    for (one, next) in shown.iter().zip(next) {
        // Two at one place share its name.
        let is_bare = one.inside.is_none() && one.spreads.normal.is_none();
        let goes_on = is_bare && next.is_some_and(|next| next.path == one.path);
        text += &if goes_on { called(names, one) } else { place(names, one) };
        text += if goes_on {
            ", "
        } else if next.is_some() || !rest.is_empty() {
            "; "
        } else {
            ""
        };
    }
    match rest.len() {
        0 => text,
        more => text + &format!("{} more places", grouped(more)),
    }
}

fn called(names: &Names, one: &Contribution) -> String {
    let is_one_left = one.names.len() == one.main_names.len().saturating_add(1) && !one.main_names.is_empty();
    let shown = if is_one_left { &one.names } else { &one.main_names };
    let called: Vec<String> = shown.iter().map(|name| clip(names, *name)).collect();
    let called = called.join(", ");
    match one.names.len().saturating_sub(shown.len()) {
        0 if one.names.len() == 1 => times(&called, one.count),
        0 => called,
        more => format!("{called} and {more} more"),
    }
}

fn place(names: &Names, one: &Contribution) -> String {
    let called = called(names, one);
    let placed = match one.path.last() {
        Some(under) => format!("{called} under {}", clip(names, *under)),
        _ => called,
    };
    let inside = one.inside.map(|inside| {
        let amount = amounts::amount(inside.delta_ns.saturating_abs());
        let other = if one.status == Status::Added { "normal" } else { "abnormal" };
        format!(", {amount} of it in {}, missing from the {other} run", clip(names, inside.name))
    });
    let seen = if one.status == Status::Added { seen(one.spreads) } else { String::new() };
    format!("{placed}{}{seen}", inside.unwrap_or_default())
}

/// `, in 9 of 10 abnormal and 0 of 4,812 normal instances`, where the normal side is a set.
fn seen(spreads: Sides<Option<Spread>>) -> String {
    let spreads = spreads.normal.map(|_| spreads).unwrap_or_default();
    instances(spreads).map(|instances| format!(", in {instances}")).unwrap_or_default()
}

/// `9 of 10 abnormal and 0 of 4,812 normal instances`; none where neither side is a set.
pub fn instances(spreads: Sides<Option<Spread>>) -> Option<String> {
    let named = Sides { abnormal: "abnormal", normal: "normal" };
    let counts = spreads.zip(named).map(|(spread, name)| {
        spread.map(|Spread { seen, of, .. }| format!("{} of {} {name}", grouped(seen), grouped(of)))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    (!counts.is_empty()).then(|| format!("{} instances", counts.join(" and ")))
}

/// `local_timer ×2, eth0 in g, IPI reschedule and 2 more`: interrupts or softirqs, by name.
pub fn interruptions(names: &Names, found: &[&Contribution]) -> String {
    let shown = shown_of(found.len(), MOST_NAMES);
    let named = found.iter().take(shown).map(|one| {
        let name = one.names.first().map(|name| clip(names, *name)).unwrap_or_default();
        let bare = ["irq ", "softirq "].iter().find_map(|what| name.strip_prefix(what)).unwrap_or(&name);
        let shown = shown_of(one.hit.len(), MOST_NAMES);
        let hit: Vec<String> = one.hit.iter().take(shown).map(|name| clip(names, *name)).collect();
        let hit = match (hit.as_slice(), one.hit.len().saturating_sub(shown)) {
            ([], _) => String::new(),
            (hit, 0) => format!(" in {}", hit.join(", ")),
            (hit, more) => format!(" in {} and {more} more", hit.join(", ")),
        };
        format!("{}{hit}{}", times(bare, one.count), seen(one.spreads))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    match found.len().saturating_sub(shown) {
        0 => named,
        more => format!("{named}; {} more", grouped(more)),
    }
}

fn times(name: &str, count: u32) -> String {
    if count > 1 { format!("{name} ×{}", grouped(count)) } else { name.to_owned() }
}

/// `in lock itself (under f)`, `in lock itself (20 calls under f)`
pub fn itself(names: &Names, one: &Contribution) -> String {
    let name = one.names.first().map(|name| clip(names, *name)).unwrap_or_default();
    let under = one.path.last().map(|under| clip(names, *under));
    match (under, one.count) {
        (Some(under), 1) => format!("in {name} itself (under {under})"),
        (Some(under), count) => format!("in {name} itself ({} calls under {under})", grouped(count)),
        (None, _) => format!("in {name} itself"),
    }
}

/// `from hrtimer_expire_exit to irq local_timer`, `after sched_stat_runtime ×3 (extra)`
pub fn wait(names: &Names, one: &Contribution) -> String {
    let event = |name: NameId| {
        let text = clip(names, name);
        let is_end = ["exit of ", "entry of "].iter().any(|what| text.starts_with(what));
        if is_end { format!("the {text}") } else { text }
    };
    let from = one.names.first().map(|name| event(*name)).unwrap_or_default();
    let said = match one.count {
        // The middle of a long case is not read.
        _ if one.path.is_empty() => "where events were not read".to_owned(),
        1 => format!("from {from} to {}", one.until.map_or_else(|| "the end".to_owned(), event)),
        count => format!("after {}", times(&from, count)),
    };
    let marked = match (one.status, one.repeat) {
        (Status::Added, Repeat::Moved) | (Status::Removed, Repeat::Moved) => " (in another order)",
        (Status::Added, _) => " (extra)",
        (Status::Removed, _) => " (missing)",
        _ => "",
    };
    format!("{said}{marked}")
}

/// A name of at most `MOST_CHARS` characters; `…` stands for what was cut off.
pub fn clip(names: &Names, name: NameId) -> String {
    let text = names.text(name);
    match text.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

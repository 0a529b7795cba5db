//! Which calls of the same function one is compared with.

use serde::Serialize;

use super::group::{BlockChoice, CallGroup};
use super::instances::{Instance, Spread, median, read_instances};
use super::located::{LocatedCall, blocks_of, parse_headers};
use crate::explore::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Fewer calls on one CPU than this are no picture of what is normal there.
const MIN_ON_CPU: usize = 3;
/// Calls of a set that can be aligned.
const MAX_MEMBERS: usize = 2_000;

/// What is taken of the calls that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// The median one.
    One,
    /// All, with the median one to speak for them.
    All,
}

/// JSON: the calls to compare with, and what to fetch for them.
#[derive(Debug, Serialize)]
struct Chosen {
    /// The one of median length.
    median: LocatedCall,
    /// Where a set is wanted: its members, the median one among them, evenly over time where they are many.
    members: Vec<LocatedCall>,
    spread: Option<Spread>,
    notes: Vec<String>,
    blocks: Vec<(i16, i32)>,
}

/// JSON of the normal calls of the group that the request names; `null` where it has none.
///
/// `pick` is `one` or `all`. `abnormal` is the call that they are for, if it is of the same trace: it is
/// left out with all that overlaps it, and what is like it comes first. `headers` describes all blocks of calls.
pub fn choose_calls(
    request: &str,
    pick: &str,
    abnormal: &str,
    (choice, headers): (&str, &str),
    slice_block: &[u8],
    (task, symbol): (&[u8], &[u8]),
) -> Result<String, ExploreError> {
    let group = CallGroup::from_params(&Params::parse(request)?)?;
    let pick = if pick == "all" { Pick::All } else { Pick::One };
    let abnormal = LocatedCall::parse(abnormal)?;
    let (tasks, symbols) = (read_tasks(task)?, read_symbols(symbol)?);
    let found = read_instances(&group, slice_block, &tasks, &symbols)?;
    let like = Like { abnormal: abnormal.as_ref(), tasks: &tasks };
    let found = match pick {
        Pick::One => like.near(found),
        Pick::All => like.others(found),
    };
    let note = BlockChoice::parse(choice)?.note(&group.function);
    let chosen = chosen(pick, &found, &tasks, &symbols, note, headers)?;
    answer_json(&chosen).map(|json| String::from_utf8_lossy(&json).into_owned())
}

fn chosen(
    pick: Pick,
    found: &[Instance],
    tasks: &Dictionary<Task<'_>>,
    symbols: &Dictionary<Symbol<'_>>,
    note: Option<String>,
    headers: &str,
) -> Result<Option<Chosen>, ExploreError> {
    let Some(middle) = median(found) else { return Ok(None) };
    let located = |instance: &Instance| LocatedCall::of(instance, tasks, symbols);
    let (members, spread) = match pick {
        Pick::One => (Vec::new(), None),
        Pick::All => (
            evenly(found, &middle).iter().map(located).collect(),
            Spread::of(found.iter().map(|instance| instance.duration_ns)),
        ),
    };
    let median = located(&middle);
    let headers = parse_headers(headers)?;
    let blocks = blocks_of(&members.iter().chain([&median]).collect::<Vec<_>>(), &headers)?;
    Ok(Some(Chosen { median, members, spread, notes: note.into_iter().collect(), blocks }))
}

/// The same calls, or as many as can be aligned, evenly over time and with `always` among them.
fn evenly(found: &[Instance], always: &Instance) -> Vec<Instance> {
    let step = found.len().div_ceil(MAX_MEMBERS.saturating_sub(1)).max(1);
    let is_kept = |at: usize| found.len() <= MAX_MEMBERS || at.is_multiple_of(step);
    let kept = found.iter().enumerate();
    kept.filter(|(at, instance)| is_kept(*at) || *instance == always).map(|(_, instance)| *instance).collect()
}

/// What is like the abnormal call.
struct Like<'c, 'd, 'a> {
    abnormal: Option<&'c LocatedCall>,
    tasks: &'d Dictionary<Task<'a>>,
}

impl Like<'_, '_, '_> {
    /// All others, whole ones where there are any; for a call without a caller, such without one.
    fn others(&self, mut found: Vec<Instance>) -> Vec<Instance> {
        let own = self.abnormal.and_then(LocatedCall::standing);
        found.retain(|instance| own.is_none_or(|own| !own.overlaps(&instance.standing(self.tasks))));
        prefer(&mut found, 1, Instance::is_whole);
        if self.abnormal.is_none_or(|abnormal| abnormal.is_root) {
            prefer(&mut found, 1, |instance| instance.is_root);
        }
        found
    }

    /// Those of the same CPU, where there are enough.
    fn near(&self, found: Vec<Instance>) -> Vec<Instance> {
        let mut found = self.others(found);
        if let Some(abnormal) = self.abnormal {
            prefer(&mut found, MIN_ON_CPU, |instance| instance.cpu == abnormal.cpu);
        }
        found
    }
}

/// Keeps only such for which `is_better` holds, where they are `enough`.
fn prefer(found: &mut Vec<Instance>, enough: usize, is_better: impl Fn(&Instance) -> bool) {
    if found.iter().filter(|instance| is_better(instance)).count() >= enough {
        found.retain(is_better);
    }
}

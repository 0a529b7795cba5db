//! Which calls of the same function one is compared with.

use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::block_budget::within_budget;
use super::group::{BlockChoice, CallGroup, CallHeader};
use super::instances::{Instance, Spread, median, read_instances};
use super::located::{LocatedCall, MAX_SIDE_RECORDS, blocks_of, parse_headers, touching};
use crate::diff::evenly;
use crate::explore::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Fewer calls on one CPU than this are no picture of what is normal there.
const MIN_ON_CPU: usize = 3;
/// Calls of a set that are aligned.
const MAX_MEMBERS: usize = 5_000;

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

/// What the calls are for: one that is compared with them, or a group.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Abnormal {
    call: Option<LocatedCall>,
    /// The request that named its group.
    group: Option<String>,
}

/// JSON of the calls of the group that the request names; `null` where it has none.
///
/// `pick` is `one` or `all`. `abnormal` is JSON of the call that they are for, if it is of the same trace: it is
/// left out with all that overlaps it and with its group, and what is like it comes first. `headers` describes all
/// blocks of calls, `calls` is what `function_calls` found.
pub fn choose_calls(
    request: &str,
    pick: &str,
    abnormal: &str,
    (choice, headers): (&str, &str),
    calls: &[u8],
    (task, symbol): (&[u8], &[u8]),
) -> Result<String, ExploreError> {
    let group = CallGroup::from_params(&Params::parse(request)?)?;
    let pick = if pick == "all" { Pick::All } else { Pick::One };
    let abnormal: Abnormal =
        serde_json::from_str(abnormal).map_err(|error| ExploreError::bad("abnormal", error.to_string()))?;
    let (tasks, symbols) = (read_tasks(task)?, read_symbols(symbol)?);
    let mut found = read_instances(&group, calls, &tasks)?;
    if let Some(request) = &abnormal.group {
        let own = CallGroup::from_params(&Params::parse(request)?)?;
        let functions = own.symbols(&symbols);
        found.retain(|call| {
            let task = tasks.get(call.task_idx);
            !functions.contains(&call.symbol_idx)
                || !own.holds(call.start_ns, call.duration_ns, call.cpu, task)
        });
    }
    let like = Like { abnormal: abnormal.call.as_ref(), tasks: &tasks };
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
    let headers = parse_headers(headers)?;
    let located = |instance: &Instance| LocatedCall::of(instance, tasks, symbols);
    let median = located(&middle);
    let mut blocks = blocks_of(&[&median], &headers)?;
    let (mut members, mut spread) = (Vec::new(), None);
    if pick == Pick::All {
        spread = Spread::of(found.iter().map(|instance| instance.duration_ns));
        let picked = evenly(found.len(), MAX_MEMBERS).into_iter().filter_map(|at| found.get(at));
        let others = picked.filter(|instance| **instance != middle).map(located);
        let wanted = [median.clone()].into_iter().chain(others).collect();
        let (kept, more) = readable(wanted, &headers);
        members = kept;
        blocks.extend(more);
        blocks.sort_unstable();
        blocks.dedup();
    }
    Ok(Some(Chosen { median, members, spread, notes: note.into_iter().collect(), blocks }))
}

/// As many of the calls as lie in blocks that may be read, the first of them for sure, and these blocks.
fn readable(wanted: Vec<LocatedCall>, headers: &[CallHeader]) -> (Vec<LocatedCall>, Vec<(i16, i32)>) {
    let counts: HashMap<(i16, i32), i64> =
        headers.iter().map(|(kind, block, _, _, count, _)| ((*kind, *block), *count)).collect();
    let needs: Vec<Vec<(i16, i32)>> = wanted.iter().map(|call| touching(&[call], headers)).collect();
    let count = |block: &(i16, i32)| counts.get(block).copied().unwrap_or(0);
    let (kept, blocks) = within_budget(&needs, count, MAX_SIDE_RECORDS);
    let kept: HashSet<usize> = kept.into_iter().collect();
    let members = wanted.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, call)| call);
    (members.collect(), blocks)
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

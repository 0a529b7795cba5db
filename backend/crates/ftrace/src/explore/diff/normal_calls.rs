//! Which calls of the same function one is compared with.

use hashbrown::{HashMap, HashSet};

use super::block_budget::within_budget;
use super::call_shapes::{MOST_SHAPED, MOST_SHAPED_RECORDS};
use super::group::{CallGroup, calls_of_group};
use super::instances::{Instance, Spread, median};
use super::located::{LocatedCall, MAX_SIDE_RECORDS, blocks_of, touching};
use crate::diff::evenly;
use crate::explore::ExploreError;
use crate::explore::protocol::Stored;
use crate::store::read::dictionaries::{Dictionary, Task, read_symbols, read_tasks};
use crate::store::read::headers::BlockHeader;
use crate::store::tables;

/// With fewer calls, a CPU has no normal of its own.
pub const MIN_ON_CPU: usize = 3;
/// Calls of a set that are aligned.
const MAX_MEMBERS: usize = 5_000;

/// What is taken of the group that one is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The median one.
    One,
    /// All, with the median one to speak for them.
    All,
    /// As many as are worth looking at, to find their shapes.
    Shaped,
}

/// The calls to compare with, and what to fetch for them.
#[derive(Debug)]
pub struct ChosenCalls {
    /// The one of median length.
    pub median: LocatedCall,
    /// Where a set is wanted: its members, the median one among them, evenly over time where they are many.
    pub members: Vec<LocatedCall>,
    pub spread: Option<Spread>,
    /// Of all of the set, in no order.
    pub durations_ns: Vec<i64>,
    pub notes: Vec<String>,
    pub blocks: Vec<(i16, i32)>,
}

impl ChosenCalls {
    /// A call that speaks for itself.
    pub fn alone(median: LocatedCall, notes: Vec<String>, blocks: Vec<(i16, i32)>) -> Self {
        Self { median, members: Vec::new(), spread: None, durations_ns: Vec::new(), notes, blocks }
    }
}

/// What normal calls are for: one call, or the median one of a group. What is like it comes first; where it is of the
/// same trace, it is left out with its group and with all that overlaps it.
#[derive(Default)]
pub struct AbnormalCalls {
    pub call: Option<LocatedCall>,
    pub group: Option<CallGroup>,
    pub is_same_trace: bool,
}

/// The calls of the group that a question names; `None` where there is none besides the abnormal ones. `headers` are
/// of all blocks of calls.
pub async fn choose_calls(
    stored: &Stored,
    group: &CallGroup,
    pick: Pick,
    abnormal: &AbnormalCalls,
    headers: &[BlockHeader],
) -> Result<Option<ChosenCalls>, ExploreError> {
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
    let (choice, mut found) = calls_of_group(stored, group, (&tasks, &symbols)).await?;
    if let Some(own) = &abnormal.group {
        let functions = own.symbols(&symbols);
        found.retain(|call| {
            let task = tasks.get(call.task_idx);
            !functions.contains(&call.symbol_idx)
                || !own.holds(call.start_ns, call.duration_ns, call.cpu, task)
        });
    }
    let own = abnormal.call.as_ref();
    let is_root = own.is_none_or(|call| call.is_root);
    let like = Like { abnormal: own.filter(|_| abnormal.is_same_trace), is_root, tasks: &tasks };
    let found = match pick {
        Pick::One => like.near(found),
        Pick::All | Pick::Shaped => like.others(found),
    };
    let Some(middle) = median(&found) else { return Ok(None) };
    let located = |instance: &Instance| LocatedCall::of(instance, &tasks, &symbols);
    let median = located(&middle);
    let mut blocks = blocks_of(&[&median], headers)?;
    let (mut members, mut spread) = (Vec::new(), None);
    if pick != Pick::One {
        let (most, records) = match pick {
            Pick::Shaped => (MOST_SHAPED, MOST_SHAPED_RECORDS),
            _ => (MAX_MEMBERS, MAX_SIDE_RECORDS),
        };
        spread = Spread::of(found.iter().map(|instance| instance.duration_ns));
        let picked = evenly(found.len(), most).into_iter().filter_map(|at| found.get(at));
        let others = picked.filter(|instance| **instance != middle).map(located);
        let wanted = [median.clone()].into_iter().chain(others).collect();
        let (kept, more) = readable(wanted, headers, records);
        members = kept;
        blocks.extend(more);
        blocks.sort_unstable();
        blocks.dedup();
    }
    let notes = choice.note(&group.function).into_iter().collect();
    let durations_ns = found.iter().map(|instance| instance.duration_ns).collect();
    Ok(Some(ChosenCalls { median, members, spread, durations_ns, notes, blocks }))
}

/// As many of the calls as lie in blocks that may be read, the first of them for sure, and these blocks.
fn readable(
    wanted: Vec<LocatedCall>,
    headers: &[BlockHeader],
    most: i64,
) -> (Vec<LocatedCall>, Vec<(i16, i32)>) {
    let counts: HashMap<(i16, i32), i64> = headers.iter().map(|header| (header.id(), header.count)).collect();
    let needs: Vec<Vec<(i16, i32)>> = wanted.iter().map(|call| touching(&[call], headers)).collect();
    let count = |block: &(i16, i32)| counts.get(block).copied().unwrap_or(0);
    let (kept, blocks) = within_budget(&needs, count, most);
    let kept: HashSet<usize> = kept.into_iter().collect();
    let members = wanted.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, call)| call);
    (members.collect(), blocks)
}

/// What is like the abnormal call.
struct Like<'c, 'd, 'a> {
    /// Where it is of the same trace.
    abnormal: Option<&'c LocatedCall>,
    is_root: bool,
    tasks: &'d Dictionary<Task<'a>>,
}

impl Like<'_, '_, '_> {
    /// All others; whole ones if there are any, and for a root call, root calls if there are any.
    fn others(&self, mut found: Vec<Instance>) -> Vec<Instance> {
        let own = self.abnormal.and_then(LocatedCall::standing);
        found.retain(|instance| own.is_none_or(|own| !own.overlaps(&instance.standing(self.tasks))));
        prefer(&mut found, 1, Instance::is_whole);
        if self.is_root {
            prefer(&mut found, 1, Instance::is_root);
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

/// Keeps only those for which `is_better` holds, if there are `enough` of them.
fn prefer(found: &mut Vec<Instance>, enough: usize, is_better: impl Fn(&Instance) -> bool) {
    if found.iter().filter(|instance| is_better(instance)).count() >= enough {
        found.retain(is_better);
    }
}

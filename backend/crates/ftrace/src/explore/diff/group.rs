//! Which calls of one function a question is about, and which blocks to read for them.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashSet;

use super::instances::Instance;
use crate::explore::call_filter::{CallFilter, read_calls};
use crate::explore::ids::Owner;
use crate::explore::kind::CALL;
use crate::explore::plan::MAX_RAW_SLICES;
use crate::explore::protocol::{Filter, Listed, Stored};
use crate::explore::request::{Params, Window};
use crate::explore::{ExploreError, answer_json};
use crate::model::grouped;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::headers::{BlockHeader, read_blocks};
use crate::store::tables;
use crate::store::tables::projections::SLICE_HEADER;

const MAX_FUNCTION_CHARS: usize = 512;

/// Calls of `function` that begin in the window.
#[derive(Clone, Debug)]
pub struct CallGroup {
    pub function: String,
    filter: CallFilter,
    max_ns: i64,
    window: Window,
}

impl CallGroup {
    /// From the parameters `function`, `cpu`, `pid`, `min`, `max`, `start` and `end`.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let function = params.text("function", MAX_FUNCTION_CHARS)?;
        let function =
            function.ok_or_else(|| ExploreError::bad("function", "the name of a function is missing"))?;
        let filter = CallFilter::from_params(params)?;
        let max_ns = params.duration("max")?.unwrap_or(i64::MAX);
        if max_ns < filter.min_ns {
            let (max_ns, min_ns) = (max_ns, filter.min_ns);
            return Err(ExploreError::bad("max", format!("max ({max_ns}) must not be below min ({min_ns})")));
        }
        // What began before the recording has a start before it, too.
        let window = match params.has_no_window() {
            true => Window { start_ns: i64::MIN, end_ns: i64::MAX },
            false => params.window()?,
        };
        Ok(Self { function, filter, max_ns, window })
    }

    /// Stored indices of the function, with its module or without.
    pub fn symbols(&self, symbols: &Dictionary<Symbol<'_>>) -> HashSet<i32> {
        let function = self.function.as_str();
        let named =
            symbols.iter().filter(|(_, symbol)| symbol.name == function || symbol.display() == function);
        named.map(|(idx, _)| idx).collect()
    }

    /// True for an instance that begins in the window and passes the filter.
    pub fn holds(&self, start_ns: i64, duration_ns: i64, cpu: i16, task: Option<&Task<'_>>) -> bool {
        self.window.contains(start_ns)
            && (self.filter.min_ns..=self.max_ns).contains(&duration_ns)
            && self.filter.has_cpu(cpu)
            && self.filter.has_task(task)
    }

    fn touches(&self, t0: i64, t1: i64, max_ns: i64) -> bool {
        t0 < self.window.end_ns && t1 >= self.window.start_ns && max_ns >= self.filter.min_ns
    }
}

/// What is read of a trace to find the calls of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockChoice {
    pub blocks: Vec<(i16, i32)>,
    /// Records in all blocks that may hold one, and in those that are read.
    pub calls: i64,
    pub calls_read: i64,
}

impl BlockChoice {
    /// Every block with its number of records, or as many as may be read, evenly.
    pub fn evenly(blocks: impl Iterator<Item = ((i16, i32), i64)>, limit: i64) -> Self {
        let blocks: Vec<((i16, i32), i64)> = blocks.collect();
        let calls: i64 = blocks.iter().map(|(_, count)| *count).sum();
        let mut choice = Self { calls, ..Self::default() };
        let step = calls.saturating_add(limit.saturating_sub(1)).div_euclid(limit.max(1)).max(1);
        for (block, count) in blocks.iter().step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            choice.calls_read = choice.calls_read.saturating_add(*count);
            choice.blocks.push(*block);
        }
        choice
    }

    /// True where only some of the calls were read.
    pub fn is_sample(&self) -> bool {
        self.calls_read < self.calls
    }

    /// The sentence that says so, where not all blocks are read.
    pub fn note(&self, function: &str) -> Option<String> {
        let (calls, calls_read) = (grouped(self.calls), grouped(self.calls_read));
        self.is_sample().then(|| {
            format!(
                "Of {calls} records that may be of {function}, {calls_read} were read, sampled evenly over the recording; \
                 a shorter window (start, end) is read whole."
            )
        })
    }
}

/// Every block that may hold a call of the group, or as many as may be read, evenly over the trace.
fn choose(group: &CallGroup, headers: &[BlockHeader], limit: i64) -> BlockChoice {
    let touching = headers.iter().filter(|header| group.touches(header.t0, header.t1, header.max_ns));
    BlockChoice::evenly(touching.map(|header| (header.id(), header.count)), limit)
}

/// The calls of a group, in the order of time, and what was read to find them.
///
/// Calls of the function are kept for the next question about it, whatever else that one asks for.
/// Errors: the trace has no such function.
pub async fn calls_of_group(
    stored: &Stored,
    group: &CallGroup,
    (tasks, symbols): (&Dictionary<Task<'_>>, &Dictionary<Symbol<'_>>),
) -> Result<(BlockChoice, Vec<Instance>), ExploreError> {
    let mut functions: Vec<i32> = group.symbols(symbols).into_iter().collect();
    functions.sort_unstable();
    if functions.is_empty() {
        let (function, trace) = (&group.function, stored.trace_id());
        return Err(ExploreError::Missing(format!(
            "There is no call of {function:?} in the trace {trace:?}."
        )));
    }
    let headers = stored.all(&SLICE_HEADER).filtered(Filter::Holds(Listed::Symbol, functions.clone()));
    let mut headers = read_blocks(&SLICE_HEADER, &stored.part(headers).await)?;
    headers.retain(|header| header.kind == CALL);
    let choice = choose(group, &headers, MAX_RAW_SLICES);
    let mut hasher = DefaultHasher::new();
    (&functions, &choice.blocks).hash(&mut hasher);
    let name = format!("calls {:x} of {} blocks", hasher.finish(), choice.blocks.len());
    let mut calls: Vec<Instance> = if let Some(kept) = stored.kept(&name).await {
        serde_json::from_slice(&kept).map_err(|error| ExploreError::bad("calls", error.to_string()))?
    } else {
        let slice_block = stored.part(stored.blocks(&tables::SLICE_BLOCK, &choice.blocks)).await;
        let calls = calls_of(&functions, &slice_block)?;
        stored.keep(&name, answer_json(&calls)?);
        calls
    };
    calls.retain(|call| group.holds(call.start_ns, call.duration_ns, call.cpu, tasks.get(call.task_idx)));
    calls.sort_unstable_by_key(|call| (call.start_ns, call.depth, call.number));
    Ok((choice, calls))
}

/// Every call of the functions with these stored indices.
fn calls_of(functions: &[i32], slice_block: &[u8]) -> Result<Vec<Instance>, ExploreError> {
    let mut calls = Vec::new();
    read_calls(slice_block, |block| {
        calls.extend(Instance::all(block).filter(|call| functions.contains(&call.symbol_idx)));
    })?;
    Ok(calls)
}

/// Who made a call, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub owner: Owner,
    pub start_ns: i64,
    pub end_ns: i64,
}

impl Standing {
    /// True where one lies in the other, or both are the same call.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.owner == other.owner && self.start_ns < other.end_ns && other.start_ns < self.end_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: &str, limit: i64, expected: &str) {
        let header = |block, t0, t1, max_ns| BlockHeader { kind: 5, block, t0, t1, count: 10, max_ns };
        let headers = [header(0, 0, 90, 50), header(1, 80, 200, 9), header(2, 200, 300, 50)];
        let group = Params::parse(request).and_then(|params| CallGroup::from_params(&params));
        let found = group.map(|group| {
            let choice = choose(&group, &headers, limit);
            format!("{:?} {} of {}", choice.blocks, choice.calls_read, choice.calls)
        });
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn blocks_that_can_hold_a_wanted_call_are_read() {
        check(r#"{"function":"f"}"#, 100, "[(5, 0), (5, 1), (5, 2)] 30 of 30");
        check(r#"{"function":"f","start":100,"end":150}"#, 100, "[(5, 1)] 10 of 10");
        check(r#"{"function":"f","min":10}"#, 100, "[(5, 0), (5, 2)] 20 of 20");
    }

    #[test]
    fn above_the_limit_some_are_read_evenly() {
        check(r#"{"function":"f"}"#, 20, "[(5, 0), (5, 2)] 20 of 30");
        check(r#"{"function":"f"}"#, 10, "[(5, 0)] 10 of 30");
    }

    #[test]
    fn refusals_name_the_parameter() {
        check("{}", 1, "function: the name of a function is missing");
        check(r#"{"function":"f","min":9,"max":8}"#, 1, "max: max (8) must not be below min (9)");
    }
}

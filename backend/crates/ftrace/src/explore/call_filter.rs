//! Which function calls a request is about, and the blocks that hold them.

use hashbrown::HashSet;

use super::ExploreError;
use super::kind::CALL;
use super::request::Params;
use crate::store::read::blocks::{ABSENT, SliceBlock};
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::read_rows;

const MAX_SYMBOL_CHARS: usize = 512;

/// Which calls a request asks for, in charts and in merged trees.
#[derive(Clone, Debug, Default)]
pub struct CallFilter {
    pub cpus: Vec<i16>,
    pub pids: Vec<i32>,
    /// Only calls of this function and what they call.
    pub root: Option<String>,
    pub min_ns: i64,
}

impl CallFilter {
    /// Errors: a parameter that is malformed or out of its range.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        Ok(Self {
            cpus: params.ints("cpu")?,
            pids: params.ints("pid")?,
            root: params.text("root", MAX_SYMBOL_CHARS)?,
            min_ns: params.duration("min")?.unwrap_or(0),
        })
    }

    /// True where calls on this CPU are wanted.
    pub fn has_cpu(&self, cpu: i16) -> bool {
        self.cpus.is_empty() || self.cpus.contains(&cpu)
    }

    /// True where calls of this task are wanted; an unknown task only where all are.
    pub fn has_task(&self, task: Option<&Task<'_>>) -> bool {
        self.pids.is_empty() || task.and_then(|task| task.pid).is_some_and(|pid| self.pids.contains(&pid))
    }

    /// Stored indices of the functions named `root`, with its module or without.
    pub fn root_symbols(&self, symbols: &Dictionary<Symbol<'_>>) -> Option<HashSet<i32>> {
        let root = self.root.as_deref()?;
        let named = symbols.iter().filter(|(_, symbol)| symbol.name == root || symbol.display() == root);
        Some(named.map(|(idx, _)| idx).collect())
    }
}

/// Ids of the calls of `roots` and of everything under them.
///
/// A caller lies less deep than what it calls, so in the order of depths it comes first; the order of
/// starts would not do, because the recorder's clock readings let a few calls begin before their caller.
/// What touches a window has its callers in the blocks that touch it, but for those few at its ends.
pub fn calls_within(slice_block: &[u8], roots: &HashSet<i32>) -> Result<HashSet<i32>, ExploreError> {
    let mut calls: Vec<(i16, i32, i32, i32)> = Vec::new();
    read_calls(slice_block, |block| {
        let columns = block.depth.iter().zip(&block.id).zip(&block.parent).zip(&block.symbol_idx);
        calls.extend(columns.map(|(((depth, id), parent), symbol_idx)| (*depth, *id, *parent, *symbol_idx)));
    })?;
    calls.sort_unstable();
    let mut within = HashSet::new();
    for (_, id, parent, symbol_idx) in calls {
        if id != ABSENT && (roots.contains(&symbol_idx) || within.contains(&parent)) {
            within.insert(id);
        }
    }
    Ok(within)
}

/// Every block of calls, one at a time: two million calls are too many to hold decoded.
pub fn read_calls(slice_block: &[u8], mut each: impl FnMut(&SliceBlock)) -> Result<(), ExploreError> {
    read_rows(SliceBlock::TABLE, slice_block, |row| {
        let block = SliceBlock::read(row)?;
        if block.kind == CALL {
            each(&block);
        }
        Ok(())
    })?;
    Ok(())
}

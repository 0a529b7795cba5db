//! The comparison of two calls, or of one with a set.

use serde::Deserialize;

use super::answer::Shown;
use super::call_tree::CallTrees;
use super::comparison::{Comparison, SideTrees};
use super::guard::{Circumstances, differences};
use super::instance_sets::{MOST_CALLS, member_trees, most_of_each};
use super::instances::Spread;
use super::located::LocatedCall;
use super::side::{Side, TraceOfSide};
use super::stored_calls::StoredCalls;
use crate::analyses::SliceFlags;
use crate::diff::{Names, Tree};
use crate::explore::ExploreError;
use crate::explore::blocks::{CounterBlock, read_rows};
use crate::explore::counters::frequency_khz;
use crate::explore::dictionaries::{read_counters, read_losses, read_symbols};
use crate::explore::request::Params;

/// Streams that hold one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallSideTables<'a> {
    pub slice_block: &'a [u8],
    pub symbol: &'a [u8],
    pub loss: &'a [u8],
    /// Those that touch the call.
    pub counter_block: &'a [u8],
    pub counter: &'a [u8],
}

/// What is asked for on one side, as JSON: what `locate_call` or `choose_calls` found, and its trace.
#[derive(Deserialize)]
pub struct AskedCalls {
    trace: TraceOfSide,
    call: LocatedCall,
    #[serde(default)]
    members: Vec<LocatedCall>,
    spread: Option<Spread>,
    #[serde(default)]
    notes: Vec<String>,
}

impl AskedCalls {
    fn parse(json: &str) -> Result<Self, ExploreError> {
        serde_json::from_str(json).map_err(|error| ExploreError::bad("side", error.to_string()))
    }

    fn circumstances<'s>(
        &'s self,
        side: &'s Side,
        tables: &CallSideTables<'_>,
        tree: &Tree,
    ) -> Result<Circumstances<'s>, ExploreError> {
        let flags = SliceFlags(self.call.flags);
        let has_gap = flags.has(SliceFlags::HAS_GAP);
        let counters = read_counters(tables.counter)?;
        let blocks = read_rows(CounterBlock::TABLE, tables.counter_block, CounterBlock::read)?;
        Ok(Circumstances {
            trace: &self.trace,
            side,
            has_loss: has_gap || side.has_loss(&read_losses(tables.loss)?),
            is_cut: flags.has(SliceFlags::STARTED_BEFORE) || flags.has(SliceFlags::CUT_AT_END),
            frequency_khz: frequency_khz(&blocks, &counters, side.cpu, self.call.end_ns()),
            deepest: Some(deepest(tree)),
        })
    }

    /// The calls of the side, where it is a set.
    fn set(&self) -> &[LocatedCall] {
        if self.spread.is_some() { &self.members } else { &[] }
    }
}

/// JSON answer of GET diff for calls. `url` is the page of the comparison.
pub fn diff_calls(
    request: &str,
    url: &str,
    (abnormal, abnormal_tables): (&str, CallSideTables<'_>),
    (normal, normal_tables): (&str, CallSideTables<'_>),
) -> Result<Vec<u8>, ExploreError> {
    let shown = Shown::from_params(&Params::parse(request)?)?;
    let (abnormal, normal) = (AskedCalls::parse(abnormal)?, AskedCalls::parse(normal)?);
    let mut names = Names::default();
    let abnormal_symbols = read_symbols(abnormal_tables.symbol)?;
    let abnormal_calls = StoredCalls::read(abnormal_tables.slice_block)?;
    let mut abnormal_trees = CallTrees::new(&abnormal_calls, &abnormal_symbols);
    let a = abnormal_trees.tree(&abnormal.call, &mut names)?;
    let normal_symbols = read_symbols(normal_tables.symbol)?;
    let normal_calls = StoredCalls::read(normal_tables.slice_block)?;
    let mut normal_trees = CallTrees::new(&normal_calls, &normal_symbols);
    let b = normal_trees.tree(&normal.call, &mut names)?;
    let most = most_of_each(MOST_CALLS, [abnormal.spread, normal.spread]);
    let mut members_of = |side: &AskedCalls, trees: &mut CallTrees<'_, '_, '_>| {
        member_trees(side.set(), (&a, &b), most, |member| trees.tree(member, &mut names))
    };
    let a_members = members_of(&abnormal, &mut abnormal_trees)?;
    let b_members = members_of(&normal, &mut normal_trees)?;
    let a_side = Side::of_call(&abnormal.trace, &abnormal.call);
    let b_side = Side::of_call(&normal.trace, &normal.call);
    let guard = differences(
        &abnormal.circumstances(&a_side, &abnormal_tables, &a)?,
        &normal.circumstances(&b_side, &normal_tables, &b)?,
    );
    let notes = abnormal.notes.iter().chain(&normal.notes).cloned().collect();
    Comparison { kind: "calls", guard, notes, url: url.to_owned() }.answer(
        &names,
        SideTrees { side: a_side, tree: a, members: a_members, spread: abnormal.spread },
        SideTrees { side: b_side, tree: b, members: b_members, spread: normal.spread },
        shown,
    )
}

fn deepest(tree: &Tree) -> u32 {
    let mut ends: Vec<u32> = Vec::new();
    let mut deepest = 0;
    for (at, node) in (0_u32..).zip(tree.nodes()) {
        while ends.pop_if(|end| *end <= at).is_some() {}
        deepest = deepest.max(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        ends.push(node.end);
    }
    deepest
}

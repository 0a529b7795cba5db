//! The comparison of two calls, or of one with a set.

use super::answer::Shown;
use super::call_tree::CallTrees;
use super::comparison::{Comparison, SideTrees};
use super::group::CallGroup;
use super::guard::{Circumstances, differences};
use super::instance_sets::{MOST_CALLS, member_trees, most_of_each};
use super::instances::Spread;
use super::located::{LocatedCall, call_headers, located_call};
use super::normal_calls::{AbnormalCalls, ChosenCalls, Pick, choose_calls};
use super::side::{Recording, Side};
use super::sides::{Normal, Ref, page_url};
use super::stored_calls::StoredCalls;
use crate::analyses::SliceFlags;
use crate::diff::{Names, Tree};
use crate::explain::frequency_khz;
use crate::explore::ExploreError;
use crate::explore::protocol::{Answer, Part, Stored};
use crate::explore::request::Window;
use crate::store::read::blocks::CounterBlock;
use crate::store::read::dictionaries::{read_counters, read_losses, read_symbols};
use crate::store::read::read_rows;
use crate::store::tables;

/// One side: a call, and the calls behind it where it is a set, with the rows that hold them.
struct CallSide {
    trace: Recording,
    call: LocatedCall,
    members: Vec<LocatedCall>,
    spread: Option<Spread>,
    notes: Vec<String>,
    slice_block: Part,
    symbol: Part,
    loss: Part,
    /// Those that touch the call.
    counter_block: Part,
    counter: Part,
}

impl CallSide {
    /// The call that a side names; of a group, all of them.
    async fn named(stored: &Stored, side: &Ref) -> Result<Self, ExploreError> {
        if side.is_group() {
            return Self::of_group(stored, side, Pick::All, &AbnormalCalls::default()).await;
        }
        let stored = side.stored(stored)?;
        let params = stored.params().await?;
        let headers = call_headers(&stored).await?;
        let (median, blocks) = located_call(&stored, &params, &headers).await?;
        let call = ChosenCalls { median, members: Vec::new(), spread: None, notes: Vec::new(), blocks };
        Self::fetch(&stored, call).await
    }

    /// The calls of a group, without the abnormal one and its group.
    async fn of_group(
        stored: &Stored,
        side: &Ref,
        pick: Pick,
        abnormal: &AbnormalCalls,
    ) -> Result<Self, ExploreError> {
        let stored = side.stored(stored)?;
        let params = stored.params().await?;
        let group = CallGroup::from_params(&params)?;
        let headers = call_headers(&stored).await?;
        let Some(chosen) = choose_calls(&stored, &group, pick, abnormal, &headers).await? else {
            let other = if abnormal.call.is_some() { "other " } else { "" };
            let (function, trace) = (&group.function, stored.trace_id());
            return Err(ExploreError::Missing(format!(
                "There is no {other}call of {function:?} like that in the trace {trace:?}; name a call to compare \
                 with (normal=<trace>/<call>)."
            )));
        };
        Self::fetch(&stored, chosen).await
    }

    async fn fetch(stored: &Stored, chosen: ChosenCalls) -> Result<Self, ExploreError> {
        let ChosenCalls { median: call, members, spread, notes, blocks } = chosen;
        let window = Window { start_ns: call.t, end_ns: call.end_ns().saturating_add(1) };
        let [slice_block, symbol, loss, counter_block, counter] = stored
            .parts([
                stored.blocks(&tables::SLICE_BLOCK, &blocks),
                stored.all(&tables::SYMBOL),
                stored.all(&tables::LOSS),
                stored.touching(&tables::COUNTER_BLOCK, window),
                stored.all(&tables::COUNTER),
            ])
            .await;
        let trace = Recording::fetch(stored).await?;
        Ok(Self { trace, call, members, spread, notes, slice_block, symbol, loss, counter_block, counter })
    }

    fn circumstances<'s>(&'s self, side: &'s Side, tree: &Tree) -> Result<Circumstances<'s>, ExploreError> {
        let flags = SliceFlags(self.call.flags);
        let has_gap = flags.has(SliceFlags::HAS_GAP);
        let counters = read_counters(&self.counter)?;
        let blocks = read_rows(CounterBlock::TABLE, &self.counter_block, CounterBlock::read)?;
        Ok(Circumstances {
            trace: &self.trace,
            side,
            has_loss: has_gap || side.has_loss(&read_losses(&self.loss)?),
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

/// The comparison of two calls, of one and a set, or of two sets.
pub async fn diff_calls(stored: &Stored, left: &Ref, right: &Normal, shown: Shown) -> Answer {
    let abnormal = CallSide::named(stored, left).await.map_err(|error| left.refused(error))?;
    let (normal_ref, pick) = match right {
        Normal::Named(side) => (side.clone(), None),
        Normal::Picked(pick) => {
            let group = format!("calls:{}", abnormal.call.symbol);
            (Ref::new("normal", &left.trace, group), Some(*pick))
        }
    };
    let pick = pick.or_else(|| normal_ref.is_group().then_some(Pick::All));
    let normal = match pick {
        None => CallSide::named(stored, &normal_ref).await,
        Some(pick) => {
            let own = abnormal_calls(stored, left, &normal_ref, &abnormal.call).await?;
            CallSide::of_group(stored, &normal_ref, pick, &own).await
        }
    };
    let normal = normal.map_err(|error| normal_ref.refused(error))?;
    answer(&abnormal, &normal, page_url(&abnormal.trace.url, &left.to_string(), &right.to_string()), shown)
}

/// What is left out of the normal calls, where they are of the same trace.
async fn abnormal_calls(
    stored: &Stored,
    left: &Ref,
    normal: &Ref,
    call: &LocatedCall,
) -> Result<AbnormalCalls, ExploreError> {
    if normal.trace != left.trace {
        return Ok(AbnormalCalls::default());
    }
    let mut own = AbnormalCalls { call: Some(call.clone()), group: None };
    if left.is_group() {
        let params = left.stored(stored)?.params().await?;
        own.group = Some(CallGroup::from_params(&params)?);
    }
    Ok(own)
}

fn answer(abnormal: &CallSide, normal: &CallSide, url: String, shown: Shown) -> Answer {
    let mut names = Names::default();
    let abnormal_symbols = read_symbols(&abnormal.symbol)?;
    let abnormal_calls = StoredCalls::read(&abnormal.slice_block)?;
    let mut abnormal_trees = CallTrees::new(&abnormal_calls, &abnormal_symbols);
    let a = abnormal_trees.tree(&abnormal.call, &mut names)?;
    let normal_symbols = read_symbols(&normal.symbol)?;
    let normal_calls = StoredCalls::read(&normal.slice_block)?;
    let mut normal_trees = CallTrees::new(&normal_calls, &normal_symbols);
    let b = normal_trees.tree(&normal.call, &mut names)?;
    let most = most_of_each(MOST_CALLS, [abnormal.spread, normal.spread]);
    let mut members_of = |side: &CallSide, trees: &mut CallTrees<'_, '_, '_>| {
        member_trees(side.set(), (&a, &b), most, |member| trees.tree(member, &mut names))
    };
    let a_members = members_of(abnormal, &mut abnormal_trees)?;
    let b_members = members_of(normal, &mut normal_trees)?;
    let a_side = Side::of_call(&abnormal.trace, &abnormal.call);
    let b_side = Side::of_call(&normal.trace, &normal.call);
    let guard = differences(&abnormal.circumstances(&a_side, &a)?, &normal.circumstances(&b_side, &b)?);
    let notes = abnormal.notes.iter().chain(&normal.notes).cloned().collect();
    Comparison { kind: "calls", guard, notes, url }.answer(
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

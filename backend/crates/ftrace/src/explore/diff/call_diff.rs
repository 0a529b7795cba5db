//! The comparison of two calls, or of one with a set.

use hashbrown::HashSet;

use super::answer::Shown;
use super::call_shapes::{CallShapes, ShapeItem, functions_in};
use super::call_tree::CallTrees;
use super::clocks::refuse_other_clocks;
use super::comparison::{Comparison, SideTrees};
use super::group::CallGroup;
use super::guard::{Circumstances, differences};
use super::instance_sets::{MOST_CALLS, member_trees, most_of_each};
use super::instances::Spread;
use super::located::{LocatedCall, blocks_of, call_headers, located_call};
use super::normal_calls::{AbnormalCalls, ChosenCalls, Pick, choose_calls};
use super::refs::{Normal, Ref, page_url};
use super::several::{InTrace, Several};
use super::side::{Recording, Side};
use super::stored_calls::StoredCalls;
use crate::analyses::SliceFlags;
use crate::diff::{Names, Sides, Tree};
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
    durations_ns: Vec<i64>,
    notes: Vec<String>,
    slice_block: Part,
    symbol: Part,
    loss: Part,
    /// Those that touch the call.
    counter_block: Part,
    counter: Part,
}

impl CallSide {
    /// Trees of the calls of the set.
    fn member_trees(
        &self,
        compared: Sides<&Tree>,
        most_nodes: usize,
        names: &mut Names,
    ) -> Result<Vec<Tree>, ExploreError> {
        let (calls, symbols) = (StoredCalls::read(&self.slice_block)?, read_symbols(&self.symbol)?);
        let mut of_calls = CallTrees::new(&calls, &symbols);
        member_trees(self.set(), compared, most_nodes, |member| of_calls.tree(member, names))
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
            return Err(missing(&stored, &group, abnormal));
        };
        Self::fetch(&stored, chosen).await
    }

    /// The median call of the shape that is nearest to the abnormal call, and all shapes.
    async fn of_shape(
        stored: &Stored,
        side: &Ref,
        abnormal: &AbnormalCalls,
        functions: &HashSet<String>,
    ) -> Result<(Self, Option<CallShapes>), ExploreError> {
        let stored = side.stored(stored)?;
        let group = CallGroup::from_params(&stored.params().await?)?;
        let headers = call_headers(&stored).await?;
        let shapes = CallShapes::of(&stored, &group, abnormal, &headers).await?;
        let cpu = abnormal.call.as_ref().filter(|_| abnormal.is_same_trace).map(|call| call.cpu);
        let normal = shapes.as_ref().and_then(|shapes| shapes.normal(functions, cpu)).cloned();
        let median = normal.ok_or_else(|| missing(&stored, &group, abnormal))?;
        let blocks = blocks_of(&[&median], &headers)?;
        let notes = shapes.as_ref().map(|shapes| shapes.notes.clone()).unwrap_or_default();
        Ok((Self::fetch(&stored, ChosenCalls::alone(median, notes, blocks)).await?, shapes))
    }

    /// What it calls, at any depth.
    fn functions(&self) -> Result<HashSet<String>, ExploreError> {
        let (calls, symbols) = (StoredCalls::read(&self.slice_block)?, read_symbols(&self.symbol)?);
        Ok(functions_in(&self.call, &calls, &symbols))
    }

    async fn fetch(stored: &Stored, chosen: ChosenCalls) -> Result<Self, ExploreError> {
        let ChosenCalls { median: call, members, spread, durations_ns, notes, blocks } = chosen;
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
        Ok(Self {
            trace,
            call,
            members,
            spread,
            durations_ns,
            notes,
            slice_block,
            symbol,
            loss,
            counter_block,
            counter,
        })
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

impl InTrace for CallSide {
    async fn named(stored: &Stored, side: &Ref) -> Result<Self, ExploreError> {
        if side.is_group() {
            return Self::of_group(stored, side, Pick::All, &AbnormalCalls::default()).await;
        }
        let stored = side.stored(stored)?;
        let params = stored.params().await?;
        let headers = call_headers(&stored).await?;
        let (median, blocks) = located_call(&stored, &params, &headers).await?;
        Self::fetch(&stored, ChosenCalls::alone(median, Vec::new(), blocks)).await
    }

    fn trace(&self) -> &Recording {
        &self.trace
    }

    fn median_ns(&self) -> i64 {
        self.call.duration_ns
    }

    fn spread(&self) -> Option<Spread> {
        self.spread
    }

    fn durations_ns(&self) -> &[i64] {
        &self.durations_ns
    }
}

/// The comparison of two calls, of one and a set, or of two sets.
pub async fn diff_calls(stored: &Stored, abnormal: &Ref, normal: &Normal, shown: Shown) -> Answer {
    let abnormal_sides: Several<CallSide> =
        Several::named(stored, abnormal).await.map_err(|error| abnormal.refused(error))?;
    let abnormal_side = &abnormal_sides.shown;
    let url = page_url(&abnormal_side.trace.url, abnormal, normal);
    let (normal, pick) = match normal {
        Normal::Named(normal) => (normal.clone(), normal.is_group().then_some(Pick::All)),
        Normal::Picked(pick, trace) => {
            let group = format!("calls:{}", abnormal_side.call.symbol);
            let normal = match trace {
                None if *pick == Pick::All => abnormal.naming("normal", group),
                _ => Ref::new("normal", trace.as_ref().unwrap_or(&abnormal.trace), group),
            };
            (normal, Some(*pick))
        }
    };
    let own = abnormal_calls(stored, abnormal, &normal, &abnormal_side.call).await?;
    let functions = abnormal_side.functions()?;
    let normal_side = match pick {
        None => Several::named(stored, &normal).await.map(|side| (side, None)),
        Some(Pick::All) => {
            let mut found = Vec::new();
            for part in normal.parts() {
                let like = abnormal_sides.in_trace_of(&part).unwrap_or(abnormal_side);
                let own = abnormal_calls(stored, abnormal, &part, &like.call).await?;
                found.push(CallSide::of_group(stored, &part, Pick::All, &own).await);
            }
            Several::of(found, CallSide::median_ns).map(|side| (side, None))
        }
        Some(_) => CallSide::of_shape(stored, &normal, &own, &functions)
            .await
            .and_then(|(side, shapes)| Ok((Several::of(vec![Ok(side)], CallSide::median_ns)?, shapes))),
    };
    let (normal_sides, mut found) = normal_side.map_err(|error| normal.refused(error))?;
    let normal_side = &normal_sides.shown;
    if pick.is_none() && normal_side.call.symbol == abnormal_side.call.symbol {
        let group = Ref::new("normal", &normal.trace, format!("calls:{}", normal_side.call.symbol));
        let stored = group.stored(stored)?;
        let group = CallGroup::from_params(&stored.params().await?)?;
        found = CallShapes::of(&stored, &group, &own, &call_headers(&stored).await?).await?;
    }
    let shapes = match &found {
        None => Vec::new(),
        Some(found) => found.items(&normal.trace, &normal_side.call, &normal_side.functions()?),
    };
    answer(Sides { abnormal: &abnormal_sides, normal: &normal_sides }, url, shapes, shown)
}

fn missing(stored: &Stored, group: &CallGroup, abnormal: &AbnormalCalls) -> ExploreError {
    let other = if abnormal.call.is_some() && abnormal.is_same_trace { "other " } else { "" };
    let (function, trace) = (&group.function, stored.trace_id());
    ExploreError::Missing(format!(
        "The trace {trace:?} has no {other}call of {function:?} that fits; compare with one of another \
         trace (normal=<trace>/auto or normal=<trace>/<call>)."
    ))
}

/// What the normal calls are to be like, and is left out of them where they are of the same trace.
async fn abnormal_calls(
    stored: &Stored,
    abnormal: &Ref,
    normal: &Ref,
    call: &LocatedCall,
) -> Result<AbnormalCalls, ExploreError> {
    let is_same_trace = abnormal.parts().iter().any(|part| part.trace == normal.trace);
    let mut own = AbnormalCalls { call: Some(call.clone()), group: None, is_same_trace };
    if abnormal.is_group() && is_same_trace {
        let params = stored.about(&normal.trace, abnormal.request()?).params().await?;
        own.group = Some(CallGroup::from_params(&params)?);
    }
    Ok(own)
}

fn answer(found: Sides<&Several<CallSide>>, url: String, shapes: Vec<ShapeItem>, shown: Shown) -> Answer {
    refuse_other_clocks(found.map(|side| side.iter().map(|part| &part.trace)))?;
    let sides = found.map(|side| &side.shown);
    let spreads = found.map(Several::spread);
    let mut names = Names::default();
    let symbols = sides.try_map(|side| read_symbols(&side.symbol))?;
    let calls = sides.try_map(|side| StoredCalls::read(&side.slice_block))?;
    let mut of_calls =
        calls.as_ref().zip(symbols.as_ref()).map(|(calls, symbols)| CallTrees::new(calls, symbols));
    let trees = sides.zip(of_calls.as_mut()).try_map(|(side, trees)| trees.tree(&side.call, &mut names))?;
    let most = most_of_each(MOST_CALLS, spreads);
    let members = found.try_map(|side| {
        side.member_trees(most, |part, most| part.member_trees(trees.as_ref(), most, &mut names))
    })?;
    let shown_sides = sides.map(|side| Side::of_call(&side.trace, &side.call));
    let circumstances = sides
        .zip(shown_sides.as_ref().zip(trees.as_ref()))
        .try_map(|(side, (shown, tree))| side.circumstances(shown, tree))?;
    let guard = differences(circumstances.as_ref());
    let which = Sides { abnormal: "abnormal", normal: "normal" };
    let several = found.zip(which).into_iter().filter_map(|(side, which)| side.note(which));
    let parts = found.into_iter().flat_map(Several::iter);
    let notes = several.chain(parts.flat_map(|part| part.notes.clone())).collect();
    let trees = spreads
        .zip(shown_sides)
        .zip(trees.zip(members))
        .map(|((spread, side), (tree, members))| SideTrees { side, tree, members, spread });
    let (unit, causes, stages) = (sides.abnormal.trace.time_unit, Vec::new(), Vec::new());
    Comparison { kind: "calls", unit, guard, notes, url, causes, stages, shapes }.answer(&names, trees, shown)
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

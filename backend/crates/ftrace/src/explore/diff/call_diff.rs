//! The comparison of two calls, or of one with a set.

use serde::Deserialize;

use super::answer::{Compared, DiffAnswer, NormalSet, Shown};
use super::call_tree::CallTrees;
use super::guard::{Circumstances, differences};
use super::instances::Spread;
use super::located::LocatedCall;
use super::side::{Side, TraceOfSide};
use super::stored_calls::StoredCalls;
use crate::analyses::SliceFlags;
use crate::diff::{InstanceSet, Limits, Names, Tree, diff_among, evenly};
use crate::explore::dictionaries::{Loss, read_losses, read_symbols};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Streams that hold one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallSideTables<'a> {
    pub slice_block: &'a [u8],
    pub symbol: &'a [u8],
    pub loss: &'a [u8],
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
    frequency_khz: Option<i64>,
}

impl AskedCalls {
    fn parse(json: &str) -> Result<Self, ExploreError> {
        serde_json::from_str(json).map_err(|error| ExploreError::bad("side", error.to_string()))
    }

    fn circumstances<'s>(&'s self, side: &'s Side, losses: &[Loss], tree: &Tree) -> Circumstances<'s> {
        let flags = SliceFlags(self.call.flags);
        let has_gap = flags.has(SliceFlags::HAS_GAP);
        Circumstances {
            trace: &self.trace,
            side,
            has_loss: has_gap || side.has_loss(losses),
            is_cut: flags.has(SliceFlags::STARTED_BEFORE) || flags.has(SliceFlags::CUT_AT_END),
            frequency_khz: self.frequency_khz,
            deepest: Some(deepest(tree)),
        }
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
    let a = CallTrees::new(&abnormal_calls, &abnormal_symbols).tree(&abnormal.call, &mut names)?;
    let normal_symbols = read_symbols(normal_tables.symbol)?;
    let normal_calls = StoredCalls::read(normal_tables.slice_block)?;
    let mut trees = CallTrees::new(&normal_calls, &normal_symbols);
    let b = trees.tree(&normal.call, &mut names)?;
    let members = member_trees(&normal, (&a, &b), &mut trees, &mut names)?;
    let limits = Limits::default();
    let mut set = InstanceSet::new(&a, &b);
    members.iter().for_each(|member| set.add(&names, &a, &b, member, &limits));
    let compared = diff_among(&names, &a, &b, normal.spread.map(|_| &set), &limits);
    let set = normal.spread.map(|spread| NormalSet { spread, used: members.len() });
    let a_side = Side::of_call(&abnormal.trace, &abnormal.call);
    let b_side = Side::of_call(&normal.trace, &normal.call);
    let guard = differences(
        &abnormal.circumstances(&a_side, &read_losses(abnormal_tables.loss)?, &a),
        &normal.circumstances(&b_side, &read_losses(normal_tables.loss)?, &b),
    );
    let notes = abnormal.notes.iter().chain(&normal.notes).cloned();
    let notes = notes.chain(sample_note(set.as_ref())).collect();
    answer_json(&DiffAnswer::new(
        Compared {
            names: &names,
            diff: &compared,
            abnormal: a_side,
            normal: b_side,
            set,
            kind: "calls",
            guard,
            notes,
            url: url.to_owned(),
        },
        shown,
    ))
}

/// Trees of the set, evenly over time and the same each time.
fn member_trees(
    normal: &AskedCalls,
    (a, b): (&Tree, &Tree),
    trees: &mut CallTrees<'_, '_, '_>,
    names: &mut Names,
) -> Result<Vec<Tree>, ExploreError> {
    let used = evenly(normal.members.len(), InstanceSet::most_instances(a, b));
    let used = used.into_iter().filter_map(|member| normal.members.get(member));
    used.map(|member| trees.tree(member, names)).collect()
}

fn sample_note(set: Option<&NormalSet>) -> Option<String> {
    let NormalSet { spread, used } = set.filter(|set| set.used < set.spread.count)?;
    Some(format!(
        "How often each call is found is counted in {used} of the {} normal ones, evenly over the recording.",
        spread.count
    ))
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

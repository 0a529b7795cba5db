//! From the two sides of a comparison to its answer, whatever their nodes are.

use super::answer::{Compared, DiffAnswer, SetOfSide, Shown, SideOfAnswer};
use super::call_shapes::ShapeItem;
use super::causes::{self, CauseItem};
use super::guard::Difference;
use super::instance_sets::{set_notes, set_of};
use super::instances::Spread;
use super::side::Side;
use super::stage_pairs::{self, StagePair};
use super::words::signed_time;
use crate::diff::{Kind, Limits, Names, Sides, Tree, amount, diff_among};
use crate::explain::words;
use crate::explore::{ExploreError, answer_json};
use crate::model::TimeUnit;

/// A side: the tree that is compared, and those of the set behind it, where there is one.
pub struct SideTrees {
    pub side: Side,
    pub tree: Tree,
    pub members: Vec<Tree>,
    pub spread: Option<Spread>,
}

impl SideTrees {
    fn set(&self) -> Option<SetOfSide> {
        self.spread.map(|spread| SetOfSide { spread, used: self.members.len() })
    }
}

/// What is said of a comparison beside its two sides.
pub struct Comparison {
    pub kind: &'static str,
    /// Of the times of both sides.
    pub unit: TimeUnit,
    pub guard: Vec<Difference>,
    pub notes: Vec<String>,
    /// The page of it.
    pub url: String,
    /// Of cases: what had the CPU, and their stages.
    pub causes: Vec<CauseItem>,
    pub stages: Vec<StagePair>,
    /// Those of the normal side's like, where there are several.
    pub shapes: Vec<ShapeItem>,
}

impl Comparison {
    /// JSON answer of GET diff.
    pub fn answer(
        self,
        names: &Names,
        sides: Sides<SideTrees>,
        shown: Shown,
    ) -> Result<Vec<u8>, ExploreError> {
        words::in_unit(self.unit, || self.in_its_unit(names, sides, shown))
    }

    fn in_its_unit(
        self,
        names: &Names,
        sides: Sides<SideTrees>,
        shown: Shown,
    ) -> Result<Vec<u8>, ExploreError> {
        let trees = sides.as_ref().map(|side| &side.tree);
        let instances = sides.as_ref().map(|side| set_of(names, trees, &side.members));
        let diff = diff_among(names, trees, instances.as_ref().map(Option::as_ref), &Limits::default());
        let unexplained = without_events(trees);
        let sets = sides.as_ref().map(SideTrees::set);
        let mut notes = self.notes;
        notes.extend(set_notes(sets.as_ref().map(Option::as_ref)));
        let sides = sides.zip(sets).map(|(side, set)| SideOfAnswer { side: side.side, set });
        let Self { kind, unit, guard, url, causes, stages, shapes, .. } = self;
        let said = causes::sentence(diff.delta_ns, &causes)
            .map(|sentence| sentence + &stage_pairs::sentence(diff.delta_ns, &stages));
        let compared = Compared {
            names,
            diff: &diff,
            sides,
            kind,
            unit,
            guard,
            notes,
            url,
            causes,
            stages,
            shapes,
            said,
            unexplained,
        };
        answer_json(&DiffAnswer::new(compared, shown))
    }
}

/// `+80.00 µs: 118.00 µs against 38.00 µs. Neither recording has events that show why.`
///
/// `None` where either side has anything inside, as all calls do.
fn without_events(trees: Sides<&Tree>) -> Option<String> {
    let is_empty = |tree: &Tree| matches!(tree.nodes(), [root] if root.kind == Kind::Event);
    let Sides { abnormal, normal } = trees;
    let (abnormal_ns, normal_ns) = (abnormal.duration_ns(), normal.duration_ns());
    (is_empty(abnormal) && is_empty(normal)).then(|| {
        format!(
            "{}: {} against {}. Neither recording has events that show why.",
            signed_time(abnormal_ns.saturating_sub(normal_ns)),
            amount(abnormal_ns),
            amount(normal_ns)
        )
    })
}

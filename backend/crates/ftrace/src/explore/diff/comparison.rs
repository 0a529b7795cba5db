//! From the two sides of a comparison to its answer, whatever their nodes are.

use super::answer::{Compared, DiffAnswer, SetOfSide, Shown};
use super::guard::Difference;
use super::instance_sets::{set_notes, set_of};
use super::instances::Spread;
use super::side::Side;
use crate::diff::{Limits, Names, Sets, Tree, diff_among};
use crate::explore::{ExploreError, answer_json};

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
    pub guard: Vec<Difference>,
    pub notes: Vec<String>,
    /// The page of it.
    pub url: String,
}

impl Comparison {
    /// JSON answer of GET diff.
    pub fn answer(
        self,
        names: &Names,
        abnormal: SideTrees,
        normal: SideTrees,
        shown: Shown,
    ) -> Result<Vec<u8>, ExploreError> {
        let (a, b) = (&abnormal.tree, &normal.tree);
        let (a_set, b_set) =
            (set_of(names, (a, b), &abnormal.members), set_of(names, (a, b), &normal.members));
        let sets = Sets { abnormal: a_set.as_ref(), normal: b_set.as_ref() };
        let diff = diff_among(names, a, b, sets, &Limits::default());
        let (abnormal_set, normal_set) = (abnormal.set(), normal.set());
        let mut notes = self.notes;
        notes.extend(set_notes(abnormal_set.as_ref(), normal_set.as_ref()));
        answer_json(&DiffAnswer::new(
            Compared {
                names,
                diff: &diff,
                abnormal: abnormal.side,
                normal: normal.side,
                abnormal_set,
                normal_set,
                kind: self.kind,
                guard: self.guard,
                notes,
                url: self.url,
            },
            shown,
        ))
    }
}

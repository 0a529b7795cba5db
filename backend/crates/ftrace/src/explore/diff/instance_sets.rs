//! The instances of a side, aligned with the two that are compared.

use super::answer::SetOfSide;
use crate::diff::{InstanceSet, Limits, Names, Tree};

/// `None` of a side that is no set.
pub fn set_of(names: &Names, (a, b): (&Tree, &Tree), members: &[Tree]) -> Option<InstanceSet> {
    let mut set = InstanceSet::new(a, b);
    members.iter().for_each(|member| set.add(names, a, b, member, &Limits::default()));
    (!members.is_empty()).then_some(set)
}

/// What is to be known of the sets, in sentences.
pub fn set_notes(abnormal: Option<&SetOfSide>, normal: Option<&SetOfSide>) -> impl Iterator<Item = String> {
    let group = abnormal.map(|set| {
        format!(
            "Of the {} abnormal ones, that of median length is compared, and all are counted.",
            set.spread.count
        )
    });
    let part = |set: Option<&SetOfSide>, which: &str| {
        let SetOfSide { spread, used } = set.filter(|set| set.used < set.spread.count)?;
        Some(format!(
            "How often each is found is counted in {used} of the {} {which} ones, evenly over the recording: to \
             align all would take too long.",
            spread.count
        ))
    };
    [group, part(abnormal, "abnormal"), part(normal, "normal")].into_iter().flatten()
}

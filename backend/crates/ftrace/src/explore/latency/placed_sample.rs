//! Samples that an answer shows, and what their public names take.

use hashbrown::HashMap;

use super::case_id::CaseNames;
use crate::analyses::LatencyKind;
use crate::store::read::samples::{Severity, StoredLatency};

/// Where a sample is stored among those of its kind: block, and number in the block.
pub type StoredAt = (i32, usize);

/// A sample, and where it is stored. Its name is only complete when every block that can hold others like it was seen.
#[derive(Clone, Copy, Debug)]
pub struct PlacedSample {
    pub kind: &'static LatencyKind,
    pub sample: StoredLatency,
    pub at: StoredAt,
    /// Tells cases of one owner and one start apart, see [`CaseId`](super::case_id::CaseId).
    pub number: u32,
}

impl PlacedSample {
    /// From the worst to the best, among equal ones in the order in which they are stored.
    pub fn rank(&self) -> (Severity, StoredAt) {
        (self.sample.severity(), self.at)
    }
}

/// Counts, for each of the shown samples of a kind, those of this block that come before it under its name.
pub fn count_rivals(
    names: &CaseNames<'_, '_>,
    block: i32,
    samples: &[StoredLatency],
    shown: &mut [&mut PlacedSample],
) {
    let mut by_time: HashMap<i64, Vec<usize>> = HashMap::new();
    for (at, found) in shown.iter().enumerate() {
        by_time.entry(names.named_ns(&found.sample)).or_default().push(at);
    }
    for (number, sample) in samples.iter().enumerate() {
        for at in by_time.get(&names.named_ns(sample)).into_iter().flatten() {
            let Some(found) = shown.get_mut(*at) else { continue };
            let is_before = (sample.severity(), (block, number)) < found.rank();
            if is_before && names.is_one_name(sample, &found.sample) {
                found.number = found.number.saturating_add(1);
            }
        }
    }
}

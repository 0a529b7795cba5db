//! The stored tail profile of a kind, and what a request wants of it.

use std::collections::BTreeMap;

use crate::explore::priority_class::PriorityClass;
use crate::store::decode::DecodeError;
use crate::store::read::read_rows;
use crate::store::tables;

/// The samples of one cell of durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCount {
    pub count: i64,
    pub total_ns: i64,
    pub min_ns: i64,
    pub max_ns: i64,
}

/// Whose samples a row adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    pub number: i32,
    pub task_idx: Option<i32>,
    pub class: Option<PriorityClass>,
}

/// A cause with the mechanism that goes with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CauseKey {
    pub cause: String,
    pub name: Option<String>,
    pub mechanism: String,
}

/// What took the time of samples, by cell of their durations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    pub counts: BTreeMap<i16, CellCount>,
    pub causes: BTreeMap<CauseKey, BTreeMap<i16, i64>>,
    pub stages: BTreeMap<(String, String), BTreeMap<i16, i64>>,
}

/// Of one kind, who its samples are kept of.
pub fn read_subjects(latency_tail: &[u8], kind: i16) -> Result<Vec<(Subject, Profile)>, DecodeError> {
    let rows = read_rows(&tables::LATENCY_TAIL, latency_tail, |row| {
        row.skip("trace_key")?;
        let row_kind: i16 = row.int("kind")?;
        let number = row.int("subject")?;
        let task_idx = row.optional_int("task")?;
        let class = row.optional_int("prio")?.map(PriorityClass::of);
        let cells: Vec<i16> = row.ints("cell")?;
        let counts: Vec<i64> = row.ints("count")?;
        let totals: Vec<i64> = row.ints("total_ns")?;
        let (mins, maxes): (Vec<i64>, Vec<i64>) = (row.ints("min_ns")?, row.ints("max_ns")?);
        let sums = counts.into_iter().zip(totals).zip(mins.into_iter().zip(maxes));
        let sums =
            sums.map(|((count, total_ns), (min_ns, max_ns))| CellCount { count, total_ns, min_ns, max_ns });
        let profile = Profile { counts: cells.into_iter().zip(sums).collect(), ..Profile::default() };
        Ok((row_kind, Subject { number, task_idx, class }, profile))
    })?;
    let of_kind = rows.into_iter().filter(|(row_kind, ..)| *row_kind == kind);
    Ok(of_kind.map(|(_, subject, profile)| (subject, profile)).collect())
}

/// Adds causes and stages of one kind to the profile of those subjects that are in it.
pub fn read_parts(
    latency_tail_part: &[u8],
    kind: i16,
    is_wanted: impl Fn(i32) -> bool,
    profile: &mut Profile,
) -> Result<(), DecodeError> {
    read_rows(&tables::LATENCY_TAIL_PART, latency_tail_part, |row| {
        row.skip("trace_key")?;
        let row_kind: i16 = row.int("kind")?;
        let subject = row.int("subject")?;
        row.skip("part")?;
        let [cause, name, mechanism] =
            [row.optional_text("cause")?, row.optional_text("name")?, row.optional_text("mechanism")?];
        let [from, to] = [row.optional_text("stage_from")?, row.optional_text("stage_to")?];
        let cells: Vec<i16> = row.ints("cell")?;
        let durations: Vec<i64> = row.ints("duration_ns")?;
        if row_kind != kind || !is_wanted(subject) {
            return Ok(());
        }
        let sums = match (cause, from, to) {
            (Some(cause), ..) => {
                let (cause, mechanism) = (cause.to_owned(), mechanism.unwrap_or("unknown").to_owned());
                let key = CauseKey { cause, name: name.map(str::to_owned), mechanism };
                profile.causes.entry(key).or_default()
            }
            (None, Some(from), Some(to)) => {
                profile.stages.entry((from.to_owned(), to.to_owned())).or_default()
            }
            _ => return Ok(()),
        };
        for (cell, duration_ns) in cells.into_iter().zip(durations) {
            let sum = sums.entry(cell).or_default();
            *sum = sum.saturating_add(duration_ns);
        }
        Ok(())
    })?;
    Ok(())
}

impl Profile {
    /// Adds the counts of another one.
    pub fn count(&mut self, other: &Self) {
        for (cell, more) in &other.counts {
            self.counts.entry(*cell).and_modify(|known| known.add(more)).or_insert(*more);
        }
    }
}

impl CellCount {
    fn add(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }
}

//! The small tables of latencies: sums by kind, what gave no number, the worst samples.

use std::collections::BTreeMap;

use super::distribution::Sums;
use crate::analyses::SampleFlags;
use crate::store::decode::DecodeError;
use crate::store::read::blocks::ABSENT;
use crate::store::read::read_rows;
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

/// What all samples of a kind add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindTotals {
    pub count: i64,
    pub min_ns: i64,
    pub max_ns: i64,
    pub total_ns: i64,
    /// Element `i` counts the durations of `i` bits.
    pub log2_counts: Vec<i64>,
}

impl KindTotals {
    pub fn sums(&self) -> Sums {
        Sums { count: self.count, total: i128::from(self.total_ns), min: self.min_ns, max: self.max_ns }
    }
}

/// By stored number of the kind.
pub fn read_totals(latency_kind: &[u8]) -> Result<BTreeMap<i16, KindTotals>, DecodeError> {
    let rows = read_rows(&tables::LATENCY_KIND, latency_kind, |row| {
        row.skip("trace_key")?;
        let kind = row.int("kind")?;
        row.skip("name")?;
        let totals = KindTotals {
            count: row.int("count")?,
            min_ns: row.int("min_ns")?,
            max_ns: row.int("max_ns")?,
            total_ns: row.int("total_ns")?,
            log2_counts: row.ints("log2_counts")?,
        };
        Ok((kind, totals))
    })?;
    Ok(rows.into_iter().collect())
}

/// By stored number of the kind: `(reason, count)` each.
pub fn read_incomplete(latency_incomplete: &[u8]) -> Result<BTreeMap<i16, Vec<(String, i64)>>, DecodeError> {
    let rows = read_rows(&tables::LATENCY_INCOMPLETE, latency_incomplete, |row| {
        row.skip("trace_key")?;
        Ok((row.int("kind")?, (row.text("reason")?.to_owned(), row.int("count")?)))
    })?;
    let mut by_kind: BTreeMap<i16, Vec<(String, i64)>> = BTreeMap::new();
    for (kind, reason) in rows {
        by_kind.entry(kind).or_default().push(reason);
    }
    Ok(by_kind)
}

/// What one task has of a kind.
#[derive(Clone, Copy, Debug)]
pub struct OfTask {
    pub count: i64,
    pub worst: StoredLatency,
}

/// By stored number of the kind: what each task has of it.
pub fn read_by_task(latency_task: &[u8]) -> Result<BTreeMap<i16, Vec<OfTask>>, DecodeError> {
    let rows = read_rows(&tables::LATENCY_TASK, latency_task, |row| {
        row.skip("trace_key")?;
        let kind: i16 = row.int("kind")?;
        let task_idx = row.int("task")?;
        let count = row.int("count")?;
        let (start_ns, duration_ns) = (row.int("start_ns")?, row.int("duration_ns")?);
        let cpu = row.int("cpu")?;
        let worst = StoredLatency {
            start_ns,
            duration_ns,
            cpu,
            start_cpu: row.optional_int("start_cpu")?.unwrap_or(cpu),
            task_idx,
            symbol_idx: row.optional_int("symbol")?.unwrap_or(ABSENT),
            flags: SampleFlags(row.int::<i16>("flags")?.cast_unsigned()),
            sleep_ns: row.optional_int("sleep_ns")?,
            frequency_khz: row.optional_int("frequency_khz")?,
            idle_state: row.optional_int("idle_state")?,
            // How often it was measured is kept with its block.
            weight: 1,
        };
        Ok((kind, OfTask { count, worst }))
    })?;
    let mut by_kind: BTreeMap<i16, Vec<OfTask>> = BTreeMap::new();
    for (kind, of_task) in rows {
        by_kind.entry(kind).or_default().push(of_task);
    }
    Ok(by_kind)
}

/// By stored number of the kind: its worst samples, the worst first.
pub fn read_worst(latency_case: &[u8]) -> Result<BTreeMap<i16, Vec<StoredLatency>>, DecodeError> {
    let rows = read_rows(&tables::LATENCY_CASE, latency_case, |row| {
        row.skip("trace_key")?;
        let kind: i16 = row.int("kind")?;
        row.skip("rank")?;
        let (start_ns, duration_ns) = (row.int("start_ns")?, row.int("duration_ns")?);
        let cpu = row.int("cpu")?;
        let sample = StoredLatency {
            start_ns,
            duration_ns,
            cpu,
            start_cpu: row.optional_int("start_cpu")?.unwrap_or(cpu),
            task_idx: row.optional_int("task")?.unwrap_or(ABSENT),
            symbol_idx: row.optional_int("symbol")?.unwrap_or(ABSENT),
            flags: SampleFlags(row.int::<i16>("flags")?.cast_unsigned()),
            sleep_ns: row.optional_int("sleep_ns")?,
            frequency_khz: row.optional_int("frequency_khz")?,
            idle_state: row.optional_int("idle_state")?,
            weight: row.int("weight")?,
        };
        Ok((kind, sample))
    })?;
    let mut by_kind: BTreeMap<i16, Vec<StoredLatency>> = BTreeMap::new();
    for (kind, sample) in rows {
        by_kind.entry(kind).or_default().push(sample);
    }
    Ok(by_kind)
}

//! When tasks ran on each CPU around a case.

use std::collections::BTreeMap;

use crate::analyses::SliceKind;
use crate::explain::span::Span;

/// Running tasks by CPU, in order of time.
pub struct Runs<'a>(BTreeMap<i16, Vec<Span<'a>>>);

impl<'a> Runs<'a> {
    /// The slices of running tasks among `spans`, sorted.
    pub fn of<'s>(spans: impl Iterator<Item = &'s Span<'a>>) -> Self
    where
        'a: 's,
    {
        let mut by_cpu: BTreeMap<i16, Vec<Span<'a>>> = BTreeMap::new();
        for span in spans.filter(|span| span.kind == SliceKind::Sched) {
            by_cpu.entry(span.cpu).or_default().push(*span);
        }
        for runs in by_cpu.values_mut() {
            runs.sort_unstable_by_key(|span| span.start_ns);
        }
        Self(by_cpu)
    }

    /// True where a task ran on a CPU in [start, end).
    pub fn is_busy(&self, cpu: i16, start_ns: i64, end_ns: i64) -> bool {
        let runs = self.0.get(&cpu).map(Vec::as_slice).unwrap_or_default();
        // Of one CPU, tasks run one after the other.
        let first = runs.partition_point(|span| span.end_ns <= start_ns);
        runs.get(first).is_some_and(|span| span.start_ns < end_ns)
    }

    /// True where a task had any CPU in [start, end).
    pub fn has_run(&self, task_idx: i32, start_ns: i64, end_ns: i64) -> bool {
        let mut runs = self.0.values().flatten().filter(|span| span.task_idx == task_idx);
        runs.any(|span| span.overlap_ns(start_ns, end_ns) > 0)
    }

    /// True where a task has run on a CPU, or was put into its queue.
    pub fn has_been_on(&self, task_idx: i32, cpu: i16) -> bool {
        self.0.get(&cpu).is_some_and(|runs| runs.iter().any(|span| span.task_idx == task_idx))
    }
}

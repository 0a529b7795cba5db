//! The latency to explain.

use super::kind::Kind;
use super::span::Span;
use crate::analyses::{LatencyKind, SampleFlags};
use crate::model::TimeUnit;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::StoredLatency;

/// How much is looked at around a short case, and around a long one.
const MIN_MARGIN_NS: i64 = 50_000;
const MAX_MARGIN_NS: i64 = 1_000_000;

/// One latency with its names: [end - duration, end).
#[derive(Clone, Debug)]
pub struct Case<'a> {
    pub kind: &'static dyn Kind,
    pub start_ns: i64,
    pub duration_ns: i64,
    /// Where it ended.
    pub cpu: i16,
    pub start_cpu: i16,
    pub task_idx: i32,
    pub symbol_idx: i32,
    /// `None` for the idle task, too, of which every CPU has its own.
    pub pid: Option<i32>,
    pub comm: Option<&'a str>,
    pub key: Option<&'a str>,
    pub flags: SampleFlags,
    pub sleep_ns: Option<i64>,
    pub frequency_khz: Option<i32>,
    pub idle_state: Option<i16>,
}

impl<'a> Case<'a> {
    /// The case of a stored sample, with the names of its task and symbol.
    pub fn new(
        kind: &'static dyn Kind,
        sample: &StoredLatency,
        tasks: &Dictionary<Task<'a>>,
        symbols: &Dictionary<Symbol<'a>>,
    ) -> Self {
        let task = tasks.get(sample.task_idx);
        Self {
            kind,
            start_ns: sample.start_ns,
            duration_ns: sample.duration_ns,
            cpu: sample.cpu,
            start_cpu: sample.start_cpu,
            task_idx: sample.task_idx,
            symbol_idx: sample.symbol_idx,
            pid: task.and_then(|task| task.pid).filter(|pid| *pid != 0),
            comm: task.map(|task| task.comm),
            key: symbols.get(sample.symbol_idx).map(|symbol| symbol.name),
            flags: sample.flags,
            sleep_ns: sample.sleep_ns,
            frequency_khz: sample.frequency_khz,
            idle_state: sample.idle_state,
        }
    }

    pub fn latency(&self) -> &'static LatencyKind {
        self.kind.latency()
    }

    pub fn end_ns(&self) -> i64 {
        self.start_ns.saturating_add(self.duration_ns)
    }

    /// The unit of its times, on a clock of that unit.
    pub fn time_unit(&self, clock: TimeUnit) -> TimeUnit {
        if self.kind.is_stated() { TimeUnit::Ns } else { clock }
    }

    /// The task whose case it is: its own work does not delay it.
    pub fn own_task_idx(&self) -> Option<i32> {
        Some(self.task_idx).filter(|idx| self.kind.is_of_task() && *idx >= 0)
    }

    /// True where events say more about it than slices do.
    pub fn needs_events(&self) -> bool {
        self.kind.needs_events() || self.flags.has(SampleFlags::REPORTED)
    }

    /// The interval to examine: the case, and some time around it.
    pub fn reach(&self) -> (i64, i64) {
        let margin_ns = self.duration_ns.div_euclid(4).clamp(MIN_MARGIN_NS, MAX_MARGIN_NS);
        let start_ns = self.start_ns.min(self.end_ns().saturating_sub(self.kind.reach_ns()));
        (start_ns.saturating_sub(margin_ns), self.end_ns().saturating_add(margin_ns))
    }

    /// True for a section that a tracer reports: what ran in it is the cause.
    pub fn is_reported_section(&self) -> bool {
        self.flags.has(SampleFlags::REPORTED) && self.kind.slice_kind().is_some()
    }

    /// True for the slice that is the case itself.
    pub fn is_span(&self, span: &Span<'_>) -> bool {
        self.kind.slice_kind() == Some(span.kind)
            && (span.cpu, span.start_ns, span.end_ns) == (self.cpu, self.start_ns, self.end_ns())
    }

    /// Half of its duration or more.
    pub fn is_most(&self, part_ns: i64) -> bool {
        part_ns > 0 && part_ns >= self.duration_ns.saturating_sub(part_ns)
    }
}

//! The latency that is to be explained.

use super::span::Span;
use crate::analyses::{LatencyKind, SampleFlags, SampleSource, SliceKind, Subject};
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::StoredLatency;

/// So much is looked at around a short case, and around a long one.
const MIN_MARGIN_NS: i64 = 50_000;
const MAX_MARGIN_NS: i64 = 1_000_000;
/// A period of the osnoise tracer is a second, if nobody sets it, and a little more.
const OSNOISE_PERIOD_NS: i64 = 1_100_000_000;

/// Kinds of a CPU that one task measures or does.
const OF_A_TASK: &[&str] = &["call", "timerlat", "osnoise"];
const NEED_EVENTS: &[&str] = &["timer", "cyclic", "wakeup", "preempted", "timerlat", "osnoise"];

/// One latency with its names: [end - duration, end).
#[derive(Clone, Debug)]
pub struct Case<'a> {
    pub kind: &'static LatencyKind,
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
    pub fn new(
        kind: &'static LatencyKind,
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

    pub fn end_ns(&self) -> i64 {
        self.start_ns.saturating_add(self.duration_ns)
    }

    /// The task whose case it is: what it did is not in its own way. A task in whose context something of
    /// a CPU was measured is another one.
    pub fn own_task_idx(&self) -> Option<i32> {
        let is_own = self.kind.subject == Subject::Task || OF_A_TASK.contains(&self.kind.name);
        Some(self.task_idx).filter(|idx| is_own && *idx >= 0)
    }

    /// True where somebody or something had to wait, and not for what was measured itself.
    pub fn is_wait(&self) -> bool {
        self.kind.source == SampleSource::Samples && !matches!(self.kind.name, "tick" | "hwlat")
    }

    /// True where events say more of it than slices do: its steps, where it waited, how important tasks are.
    pub fn needs_events(&self) -> bool {
        NEED_EVENTS.contains(&self.kind.name) || self.flags.has(SampleFlags::REPORTED)
    }

    /// What has to be looked at: the case, and some of what was around it.
    pub fn reach(&self) -> (i64, i64) {
        let margin_ns = self.duration_ns.div_euclid(4).clamp(MIN_MARGIN_NS, MAX_MARGIN_NS);
        let start_ns = match self.kind.name {
            "osnoise" => self.start_ns.min(self.end_ns().saturating_sub(OSNOISE_PERIOD_NS)),
            _ => self.start_ns,
        };
        (start_ns.saturating_sub(margin_ns), self.end_ns().saturating_add(margin_ns))
    }

    /// True for a section that a tracer's report is about: what ran in it is what there is to tell.
    pub fn is_reported_section(&self) -> bool {
        self.flags.has(SampleFlags::REPORTED) && matches!(self.kind.name, "irqsoff" | "preemptoff")
    }

    /// True for the slice that is the case itself.
    pub fn is_span(&self, span: &Span<'_>) -> bool {
        let kind =
            if self.kind.name == "tick" { Some(SliceKind::Irq) } else { self.kind.source.slice_kind() };
        let is_of_kind = kind == Some(span.kind);
        is_of_kind && (span.cpu, span.start_ns, span.end_ns) == (self.cpu, self.start_ns, self.end_ns())
    }

    /// Half of its duration or more.
    pub fn is_most(&self, part_ns: i64) -> bool {
        part_ns > 0 && part_ns >= self.duration_ns.saturating_sub(part_ns)
    }
}

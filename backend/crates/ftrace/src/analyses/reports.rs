//! What the kernel's latency tracers report in the header of a trace: the longest latency that they met.

use std::collections::BTreeMap;

use super::{Emit, LatencyKind, Sample, SampleFlags, Slice, SliceFlags, SliceKind};
use crate::model::{Ns, ReadError};

/// The report of one trace; a file may hold several.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub tracer: LatencyTracer,
    pub start_ns: Ns,
    /// The tracer's own number.
    pub duration_ns: Ns,
    pub cpu: u16,
    pub task: Option<u32>,
    /// The place where it began, `caller ← parent` where the trace shows the caller.
    pub place: Vec<u8>,
    /// `started_at=... ended_at=...`
    pub args: Vec<u8>,
}

/// What a tracer of the longest latency looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LatencyTracer {
    #[default]
    Irqsoff,
    Preemptoff,
    Wakeup,
}

impl LatencyTracer {
    /// What `name` looks for. `preemptirqsoff` takes the time in which either is off, so that its
    /// sections are counted to what they begin with.
    ///
    /// Source: kernel/trace/trace_irqsoff.c, trace_sched_wakeup.c, Linux 6.12.
    pub fn of(name: &str, begins_with_irqs_off: bool) -> Option<Self> {
        match name {
            "irqsoff" => Some(LatencyTracer::Irqsoff),
            "preemptoff" => Some(LatencyTracer::Preemptoff),
            "preemptirqsoff" if begins_with_irqs_off => Some(LatencyTracer::Irqsoff),
            "preemptirqsoff" => Some(LatencyTracer::Preemptoff),
            "wakeup" | "wakeup_rt" | "wakeup_RT" | "wakeup_dl" => Some(LatencyTracer::Wakeup),
            _ => None,
        }
    }

    fn slice_kind(self) -> Option<SliceKind> {
        match self {
            LatencyTracer::Irqsoff => Some(SliceKind::Irqsoff),
            LatencyTracer::Preemptoff => Some(SliceKind::Preemptoff),
            LatencyTracer::Wakeup => None,
        }
    }
}

/// Emits the sections of this kind that are reported. Each lies a level below the sections that events
/// tell, and below the reports before it, so that no lane shows two things at once.
pub fn emit_slices(reports: &[Report], kind: SliceKind, emit: &mut dyn Emit) -> Result<(), ReadError> {
    let mut depths: BTreeMap<u16, u16> = BTreeMap::new();
    for report in reports.iter().filter(|report| report.tracer.slice_kind() == Some(kind)) {
        let depth = depths.entry(report.cpu).or_default();
        *depth = depth.saturating_add(1);
        let symbol = if report.place.is_empty() { None } else { Some(emit.symbol(&report.place)?) };
        let end_ns = report.end_ns();
        emit.slice(&Slice {
            task: report.task,
            symbol,
            depth: *depth,
            flags: SliceFlags::REPORTED,
            args: &report.args,
            ..Slice::new(kind, report.cpu, report.start_ns, end_ns)
        })?;
    }
    Ok(())
}

/// Emits the wakeups that are reported.
pub fn emit_wakeups(
    kind: &'static LatencyKind,
    reports: &[Report],
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    for report in reports.iter().filter(|report| report.tracer == LatencyTracer::Wakeup) {
        let sample = Sample::new(kind, report.cpu, report.start_ns, report.end_ns());
        emit.sample(&Sample { task: report.task, flags: SampleFlags::REPORTED, ..sample })?;
    }
    Ok(())
}

impl Report {
    pub fn end_ns(&self) -> Ns {
        self.start_ns + self.duration_ns
    }
}

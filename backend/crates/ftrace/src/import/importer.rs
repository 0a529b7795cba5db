//! The receiving end of every format.

mod ending;
mod sink;

use super::beginning::moment;
use super::buffers::Buffers;
use super::calls::CallReceiver;
use super::counting::Counting;
use super::cpus::{Arrival, Cpus};
use super::doubtful_values::DoubtfulValues;
use super::file_progress::FileProgress;
use super::losses::Losses;
use super::missed_switches::MissedSwitches;
use super::names::Interned;
use super::partners::{Partners, Seen};
use super::recording::Recording;
use super::repeats::Repeats;
use super::reports::{FirstRecord, Reported, Reports};
use super::run::Extent;
use super::tasks::NameSource;
use crate::analyses::{ARROWS, Analysis, AnalysisEntry, Event, Gap, TraceClock};
use crate::calls::CallBuilder;
use crate::events::{Decoded, NoiseEvent, Role, decode};
use crate::kinds;
use crate::model::{
    Code, Diagnostic, EventKind, EventRecord, Facts, Limits, Ns, ReadError, Stop, TaskRef, Timestamp,
};
use crate::store::frames::{Output, Progress, Stage};
use crate::store::writer::TableWriter;

/// One progress frame per this many bytes of input; the core has no clock.
const PROGRESS_BYTES: u64 = 4 << 20;

/// An analysis at work.
pub struct RunningAnalysis {
    entry: &'static AnalysisEntry,
    analysis: Box<dyn Analysis>,
    found_any: bool,
}

impl RunningAnalysis {
    /// Lets the analysis do `step`, and notes whether it found anything.
    pub fn run<'o>(
        &mut self,
        recording: &mut Recording<'o>,
        step: impl FnOnce(&mut dyn Analysis, &mut Recording<'o>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let before = recording.emission_count;
        step(self.analysis.as_mut(), recording)?;
        self.found_any |= recording.emission_count > before;
        Ok(())
    }
}

/// What is known of an event type.
struct TypeState {
    role: Option<Role>,
    /// Indices of the analyses that want it.
    analyses: Vec<usize>,
    count: i64,
}

/// Turns what a format reads into stored tables.
pub struct Importer<'a> {
    recording: Recording<'a>,
    analyses: Vec<RunningAnalysis>,
    /// By index of the event type.
    types: Vec<TypeState>,
    calls: CallBuilder<'a>,
    call_count: i64,
    event_count: i64,
    cpus: Cpus,
    switches: MissedSwitches,
    doubtful: DoubtfulValues,
    partners: Partners,
    buffers: Buffers,
    repeats: Repeats,
    /// The buffer whose call graph is read.
    graph_buffer: Option<u8>,
    losses: Losses,
    facts: Facts,
    reports: Reports,
    origin: Option<Timestamp>,
    counting: Counting,
    /// Nothing is earlier than the origin; else the first record is taken for the earliest, until one is.
    is_origin_known: bool,
    last_record_ns: Ns,
    stack_count: i32,
    note_count: i32,
    used_bytes: u64,
    skipped_bytes: u64,
    next_progress: u64,
    file: FileProgress<'a>,
}

impl<'a> Importer<'a> {
    pub fn new(
        output: &'a mut dyn Output,
        trace_key: i64,
        limits: &'a Limits,
        extent: Extent,
        file: FileProgress<'a>,
    ) -> Self {
        let start = |entry: &'static AnalysisEntry| RunningAnalysis {
            entry,
            analysis: (entry.start)(limits),
            found_any: false,
        };
        Self {
            recording: Recording::new(TableWriter::new(output, trace_key), limits, extent),
            analyses: kinds::analyses().filter(|entry| is_needed(entry, extent)).map(start).collect(),
            types: Vec::new(),
            calls: CallBuilder::new(limits),
            call_count: 0,
            event_count: 0,
            cpus: Cpus::default(),
            switches: MissedSwitches::default(),
            doubtful: DoubtfulValues::default(),
            partners: Partners::default(),
            buffers: Buffers::default(),
            repeats: Repeats::default(),
            graph_buffer: None,
            losses: Losses::default(),
            facts: Facts::default(),
            reports: Reports::default(),
            origin: None,
            counting: Counting::default(),
            is_origin_known: false,
            last_record_ns: Ns::ZERO,
            stack_count: 0,
            note_count: 0,
            used_bytes: 0,
            skipped_bytes: 0,
            next_progress: PROGRESS_BYTES,
            file,
        }
    }

    /// Takes `origin` for the earliest moment, which none of the records may be before.
    pub fn begin_at(&mut self, origin: Timestamp) {
        self.origin = Some(origin);
        self.is_origin_known = true;
    }

    /// True where nothing was recorded, or nothing of it could be read.
    pub fn is_empty(&self) -> bool {
        self.event_count == 0 && self.call_count == 0
    }

    /// Accounts for bytes of the stored file that never reached the format, because they could not be expanded.
    pub fn skip(&mut self, bytes: u64) {
        self.skipped_bytes = self.skipped_bytes.saturating_add(bytes);
    }

    /// The time of a record from the trace's first. `None`, with a diagnostic, where 64 bits cannot hold it.
    ///
    /// Errors: [`Stop::BeginsEarlier`] where the record is earlier than the first one, unless the origin is known.
    fn rebase(&mut self, ts: Timestamp) -> Result<Option<Ns>, Stop> {
        let moment = moment(ts, &self.facts, &self.reports);
        let origin = *self.origin.get_or_insert(moment);
        if moment < origin && !self.is_origin_known {
            return Err(Stop::BeginsEarlier);
        }
        let t_ns = ts.0.checked_sub(origin.0).map(Ns);
        match t_ns {
            Some(t_ns) => self.last_record_ns = self.last_record_ns.max(t_ns),
            None => self.recording.problem(Code::TimestampOutOfRange, b""),
        }
        Ok(t_ns)
    }

    /// What the time of an event means for its CPU. A measurement is placed where its value began, and those of a CPU
    /// may overlap in any order.
    fn arrival(&mut self, event: &EventRecord<'_>, t_ns: Ns) -> Arrival {
        if event.kind != EventKind::Measurement {
            return self.cpus.arrive(event.cpu, t_ns);
        }
        self.cpus.touch(event.cpu, t_ns);
        Arrival { known_since_ns: t_ns, stepped_back_from_ns: None }
    }

    /// Puts what a latency tracer reports at the first record after its header.
    fn place_report<'r>(&mut self, ts: Timestamp, t_ns: Ns, first: impl FnOnce() -> FirstRecord<'r>) {
        if !self.reports.is_waiting() {
            return;
        }
        let Some(Reported { mut report, pid, comm }) = self.reports.take(ts, t_ns, &first()) else { return };
        let task = TaskRef { pid, comm: comm.as_bytes(), tgid: None };
        report.task = self.recording.task_index(report.cpu, task, NameSource::Moment);
        self.reports.add(report);
    }

    /// The time of something between records: its own, else that of the record before it.
    fn time_beside(&mut self, ts: Option<Timestamp>, cpu: Option<u16>) -> Result<Option<Ns>, Stop> {
        match ts {
            Some(ts) => self.rebase(ts),
            None => Ok(Some(cpu.and_then(|cpu| self.cpus.last_record(cpu)).unwrap_or(self.last_record_ns))),
        }
    }

    fn event_type(&mut self, event: &EventRecord<'_>) -> usize {
        let idx = match self.recording.types.intern(event.kind, event.name, event.system) {
            Interned::Known(idx) => idx,
            Interned::New(idx) => {
                self.recording.check_name(event.name);
                idx
            }
            Interned::Refused => {
                self.recording.problem(Code::TooManyNames, event.name);
                self.recording.types.next_index()
            }
        };
        let idx = usize::try_from(idx).unwrap_or(usize::MAX);
        while self.types.len() <= idx {
            let role = Role::of(event.kind, event.name);
            let wants = |running: &RunningAnalysis| role.is_some_and(|role| running.entry.wants(role));
            let wanted = self.analyses.iter().enumerate().filter(|(_, running)| wants(running));
            let analyses = wanted.map(|(idx, _)| idx).collect();
            self.types.push(TypeState { role, analyses, count: 0 });
        }
        idx
    }

    /// The number of a buffer; a name past the limit is reported.
    fn buffer_number(&mut self, name: &[u8]) -> u8 {
        self.buffers.number(name).unwrap_or_else(|others| {
            self.recording.problem(Code::TooManyNames, name);
            others
        })
    }

    fn analyse(
        &mut self,
        event: &EventRecord<'_>,
        event_type: usize,
        seen: SeenEvent,
    ) -> Result<(), ReadError> {
        let Some(TypeState { role: Some(role), analyses, .. }) = self.types.get(event_type) else {
            return Ok(());
        };
        let Some(decoded) = decode(*role, event.args) else {
            // power_start is also about frequencies, sample_threshold about noise that has an event of its own.
            if !matches!(role, Role::PowerStart | Role::Noise(NoiseEvent::Sample)) {
                self.recording.problem(Code::OddFields, event.args);
            }
            return Ok(());
        };
        let SeenEvent { t_ns, task, known_since_ns, buffer } = seen;
        let (cpu, pid, flags, name) = (event.cpu, event.task.pid, event.flags, event.name);
        let mut unseen = Vec::new();
        if let Decoded::Switch(switch) = &decoded {
            unseen = self.cpus.take_unseen(cpu, switch.prev.pid);
            if self.cpus.switch(cpu, buffer, switch.prev.pid, switch.next.pid) {
                self.switches.miss(event.place, event.args);
                self.switches.report(self.event_count, &mut self.recording);
            }
            if [switch.prev, switch.next].iter().any(|task| task.idle_cpu().is_some_and(|idle| idle != cpu)) {
                self.recording.problem(Code::OtherCpu, event.args);
            }
        }
        if let Some(place) = self.doubtful.look(&decoded, pid, event.place) {
            let (code, sample) = (Code::DoubtfulValue, event.args);
            self.recording.diagnostics.add(&Diagnostic { code, place, sample, count: 1 });
        }
        self.partners.see(&decoded, &Seen { cpu, pid, name, args: event.args, place: event.place });
        let clock = TraceClock {
            origin_ns: Ns(self.origin.unwrap_or_default().0),
            unit: self.facts.time_unit.unwrap_or_default(),
        };
        let (is_filtered, hidden_idle_ns) = (self.cpus.is_filtered(cpu), self.cpus.hidden_idle(cpu));
        let decoded = Event {
            t_ns,
            cpu,
            task,
            pid,
            flags,
            name,
            known_since_ns,
            is_filtered,
            hidden_idle_ns,
            unseen: &unseen,
            clock,
            decoded,
        };
        if let Some(tails) = &mut self.recording.tails {
            tails.event(&decoded);
        }
        for idx in analyses {
            if let Some(running) = self.analyses.get_mut(*idx) {
                running
                    .run(&mut self.recording, |analysis, recording| analysis.event(&decoded, recording))?;
            }
        }
        self.recording.tell_found_problems(event.args);
        Ok(())
    }

    /// Hands losses on to the tails, and adds up what came in a while ago.
    fn settle_tails(&mut self) {
        let Recording { tails, tasks, .. } = &mut self.recording;
        let placed = self.losses.take_placed();
        let Some(tails) = tails else { return };
        for (cpu, start_ns, end_ns) in placed {
            tails.loss(cpu, start_ns.0, end_ns.0);
        }
        tails.settle_what_is_due(tasks);
    }

    /// Tells the analyses that records of a CPU are missing.
    fn gap(&mut self, gap: Gap) -> Result<(), ReadError> {
        self.partners.forget();
        if let Some(tails) = &mut self.recording.tails {
            tails.gap(gap);
        }
        for running in &mut self.analyses {
            running.run(&mut self.recording, |analysis, recording| analysis.gap(gap, recording))?;
        }
        self.recording.tell_found_problems(b"");
        Ok(())
    }

    /// Lets the call builder work, and passes on the first error of what receives its calls.
    fn with_calls(
        &mut self,
        work: impl FnOnce(&mut CallBuilder<'a>, &mut CallReceiver<'_, 'a>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut receiver = CallReceiver {
            recording: &mut self.recording,
            analyses: &mut self.analyses,
            origin: self.origin.unwrap_or_default(),
            call_count: 0,
            result: Ok(()),
        };
        work(&mut self.calls, &mut receiver)?;
        self.call_count = self.call_count.saturating_add(receiver.call_count);
        receiver.result
    }

    fn report_progress(&mut self, stage: Stage) -> Result<(), ReadError> {
        let accounted = self.used_bytes.saturating_add(self.skipped_bytes);
        let bytes_done = self.file.done_bytes(accounted);
        let bytes_total = self.file.size_bytes;
        let events = self.event_count.saturating_add(self.call_count);
        let expanded_bytes = accounted;
        self.recording.writer.progress(&Progress { stage, bytes_done, bytes_total, expanded_bytes, events })
    }
}

/// Arrows are drawn on pages; no case is explained by them.
fn is_needed(entry: &'static AnalysisEntry, extent: Extent) -> bool {
    extent == Extent::Whole || !ARROWS.iter().any(|kind| std::ptr::eq(&kind.analysis, entry))
}

/// What the importer has found out about an event.
#[derive(Clone, Copy)]
struct SeenEvent {
    t_ns: Ns,
    task: Option<u32>,
    known_since_ns: Ns,
    buffer: u8,
}

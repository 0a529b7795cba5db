//! The trace in the making: its dictionaries, and its blocks on their way out.

use super::aggregates::Aggregates;
use super::diagnostics::Diagnostics;
use super::fields::EventFields;
use super::latencies::Latencies;
use super::names::{Interned, Names};
use super::run::Extent;
use super::tails::Tails;
use super::tasks::{NameSource, TaskIndex, Tasks};
use super::{narrow, stored};
use crate::analyses::{
    CounterChange, CounterName, Emit, IncompleteReason, LatencyKind, Sample, SampleFlags, Slice, SliceKind,
};
use crate::events::{Machine, NUMBERED_SYSCALL, Role};
use crate::explain::Way;
use crate::kinds::{KINDS, TICK, latency_kinds};
use crate::model::{Code, Diagnostic, EventKind, Limits, Ns, Place, ReadError, TaskRef};
use crate::rollup::Lanes;
use crate::store::counter_blocks::{CounterBlocks, StoredChange};
use crate::store::event_blocks::EventBlocks;
use crate::store::slice_blocks::{BlocksOfKind, StoredSlice};
use crate::store::tables::{COUNTER, EVENT_TYPE, SYMBOL};
use crate::store::writer::TableWriter;

/// Stands for every name past the limit.
const OTHER_NAMES: &[u8] = b"(other names)";

/// Calls that are folded because the call tree would be too large.
const OTHER_CALLS: &[u8] = b"(other)";

/// Everything that is written, and the indices that it is written with.
pub struct Recording<'o> {
    pub writer: TableWriter<'o>,
    pub tasks: Tasks,
    pub types: Names<EventKind>,
    pub diagnostics: Diagnostics,
    pub events: EventBlocks,
    pub fields: EventFields,
    /// The record that is being looked at.
    pub place: Place,
    pub slice_count: i64,
    /// Problems that an analysis has just found; the importer knows the record that they are about.
    pub found_problems: Vec<Code>,
    /// Slices and counter changes so far; shows whether an analysis found anything.
    pub emission_count: u64,
    /// The latest end of a slice, which may lie after the last record.
    pub last_end_ns: Ns,
    symbols: Names<()>,
    other_symbol: Option<u32>,
    counter_names: Vec<CounterName>,
    counters: CounterBlocks,
    slices: Vec<(SliceKind, BlocksOfKind)>,
    latencies: Latencies,
    pub tails: Option<Tails>,
    /// Its clock counts events.
    counts_events: bool,
    /// Positions are laid out from the durations of calls.
    is_laid_out: bool,
    lanes: Lanes,
    aggregates: Option<Aggregates>,
}

impl<'o> Recording<'o> {
    /// `extent` says whether the whole file is read or only its beginning.
    pub fn new(writer: TableWriter<'o>, limits: &Limits, extent: Extent) -> Self {
        let is_whole = extent == Extent::Whole;
        let max_types = limits.max_event_formats.min(usize::from(i16::MAX.unsigned_abs()).saturating_sub(1));
        Self {
            writer,
            tasks: Tasks::new(limits.max_tasks),
            types: Names::new(max_types),
            diagnostics: Diagnostics::new(limits.max_diagnostics_kept),
            events: EventBlocks::default(),
            fields: EventFields::default(),
            place: Place::default(),
            slice_count: 0,
            emission_count: 0,
            found_problems: Vec::new(),
            last_end_ns: Ns::ZERO,
            symbols: Names::new(limits.max_names),
            other_symbol: None,
            counter_names: Vec::new(),
            counters: CounterBlocks::default(),
            slices: SliceKind::ALL.iter().map(|kind| (*kind, blocks_of(*kind))).collect(),
            latencies: Latencies::new(latency_kinds(), is_whole),
            tails: is_whole.then(Tails::default),
            counts_events: false,
            is_laid_out: false,
            lanes: if is_whole { Lanes::default() } else { Lanes::without_levels() },
            aggregates: is_whole.then(Aggregates::default),
        }
    }

    /// Counts a diagnostic at the line or byte that is being read.
    pub fn problem(&mut self, code: Code, sample: &[u8]) {
        self.diagnostics.add(&Diagnostic { code, place: self.place, sample, count: 1 });
    }

    /// Takes note that something inside the file could not be read.
    pub fn lose_some(&mut self) {
        self.latencies.lose_some();
    }

    /// Takes note that the file ends before the recording did.
    pub fn cut_off(&mut self) {
        self.latencies.cut_off();
    }

    /// Takes note that the clock counts events: there are no durations, and no latencies.
    pub fn count_events(&mut self) {
        if !std::mem::replace(&mut self.counts_events, true) {
            self.latencies = Latencies::new(std::iter::empty(), self.tails.is_some());
            self.tails = self.tails.take().map(|_| Tails::default());
            self.problem(Code::ClockCountsEvents, b"");
        }
    }

    /// Takes note that only the durations of calls are known: how long it was from one call to another is not.
    pub fn lay_out(&mut self) {
        self.is_laid_out = true;
    }

    /// Tells the problems that analyses found in the record with this sample.
    pub fn tell_found_problems(&mut self, sample: &[u8]) {
        for code in std::mem::take(&mut self.found_problems) {
            self.problem(code, sample);
        }
    }

    /// The index of a task; problems with its name are reported once per name.
    pub fn task_index(&mut self, cpu: u16, task: TaskRef<'_>, source: NameSource) -> Option<u32> {
        match self.tasks.intern(cpu, task, source) {
            TaskIndex::Known(idx) => Some(idx),
            TaskIndex::Named(idx) => {
                self.check_name(task.comm);
                Some(idx)
            }
            TaskIndex::Shared(idx) => {
                self.problem(Code::TooManyTasks, task.comm);
                Some(idx)
            }
            TaskIndex::Unnamed => None,
        }
    }

    /// The index of a function, or of any other name on slices.
    pub fn symbol_index(&mut self, name: &[u8], module: Option<&[u8]>) -> u32 {
        match self.symbols.intern((), name, module) {
            Interned::Known(idx) => idx,
            Interned::New(idx) => {
                self.check_name(name);
                idx
            }
            Interned::Refused => {
                self.problem(Code::TooManyNames, name);
                // One index past the last that can be interned.
                *self.other_symbol.get_or_insert(self.symbols.next_index())
            }
        }
    }

    /// Says what is odd about a name that is seen for the first time.
    pub fn check_name(&mut self, name: &[u8]) {
        if str::from_utf8(name).is_err() {
            self.problem(Code::NonUtf8Name, name);
        }
        // The format reports a NUL, for the whole line.
        if name.iter().any(|byte| byte.is_ascii_control() && *byte != 0) {
            self.problem(Code::ControlChars, name);
        }
    }

    fn counter_index(&mut self, name: CounterName) -> i16 {
        let known = self.counter_names.iter().position(|known| *known == name);
        let idx = known.unwrap_or_else(|| {
            self.counter_names.push(name);
            self.counter_names.len().saturating_sub(1)
        });
        i16::try_from(idx).unwrap_or(i16::MAX)
    }

    /// Writes what is still collected, and the dictionaries but for event types. The `kernel` may say what
    /// the numbers of system calls mean.
    pub fn flush(&mut self, kernel: Option<&str>) -> Result<(), ReadError> {
        self.events.flush(&mut self.writer)?;
        self.counters.flush(&mut self.writer)?;
        for (_, blocks) in &mut self.slices {
            blocks.flush(&mut self.writer)?;
        }
        self.latencies.write(&mut self.writer)?;
        let symbols = &self.symbols;
        let symbol = |idx| symbols.get(idx).map(|symbol| symbol.name.to_vec());
        self.latencies.write_summaries(&self.tasks, &symbol, &mut self.writer)?;
        if let Some(tails) = &mut self.tails {
            tails.write(&self.tasks, symbol, &mut self.writer)?;
        }
        std::mem::take(&mut self.lanes).write(&mut self.writer)?;
        if let Some(aggregates) = self.aggregates.take() {
            let folded = if aggregates.is_folded() { self.symbol_index(OTHER_CALLS, None) } else { 0 };
            aggregates.write(folded, &mut self.writer)?;
        }
        self.tasks.write(&mut self.writer)?;
        self.write_symbols(kernel)?;
        for (idx, counter) in (0_i32..).zip(&self.counter_names) {
            self.writer.row(&COUNTER, |row| {
                row.int(idx).text(counter.name.as_bytes()).optional_text(counter.unit.map(str::as_bytes));
            })?;
        }
        self.diagnostics.write(&mut self.writer)
    }

    fn write_symbols(&mut self, kernel: Option<&str>) -> Result<(), ReadError> {
        let syscalls = self.machine(kernel).map(Machine::syscalls).unwrap_or_default();
        // syscall 230
        let syscall = |name: &[u8]| {
            let nr = str::from_utf8(name).ok()?.strip_prefix(NUMBERED_SYSCALL)?.parse().ok()?;
            syscalls.get::<i64>(&nr).map(|name| name.as_bytes())
        };
        for (idx, symbol) in self.symbols.iter() {
            self.writer.row(&SYMBOL, |row| {
                let name = syscall(symbol.name).unwrap_or(symbol.name);
                row.int(stored(idx)).text(name).optional_text(symbol.qualifier);
            })?;
        }
        match self.other_symbol {
            Some(idx) => self.writer.row(&SYMBOL, |row| {
                row.int(stored(idx)).text(OTHER_NAMES).optional_text(None);
            }),
            None => Ok(()),
        }
    }

    /// The machine that was recorded, as its records show it.
    fn machine(&self, kernel: Option<&str>) -> Option<Machine> {
        let by_event = || self.types.iter().find_map(|(_, event_type)| Machine::of_event(event_type.name));
        let by_function = || self.symbols.iter().find_map(|(_, symbol)| Machine::of_function(symbol.name));
        kernel.and_then(Machine::of_kernel).or_else(by_event).or_else(by_function)
    }

    /// Writes the event types; `counts` holds the events of each, one more than there are names where
    /// some types were past the limit.
    pub fn write_types(&mut self, counts: &[i64]) -> Result<(), ReadError> {
        for (idx, (row_idx, count)) in (0_u32..).zip((0_i32..).zip(counts)) {
            let known = self.types.get(idx);
            let kind = known.map_or(EventKind::Unknown, |name| name.tag);
            self.writer.row(&EVENT_TYPE, |row| {
                row.int(row_idx).text(known.map_or(OTHER_NAMES, |name| name.name)).text(kind_name(kind));
                row.optional_text(known.and_then(|name| name.qualifier)).int(*count);
            })?;
        }
        Ok(())
    }

    /// Writes the fields of the event types.
    pub fn write_fields(&mut self) -> Result<(), ReadError> {
        let Self { fields, types, symbols, writer, .. } = self;
        let name = |idx: usize| u32::try_from(idx).ok().and_then(|idx| types.get(idx)).map(|name| name.name);
        let is_sampled =
            |event: &str, field: &str| symbols.is_known((), format!("{event}.{field}").as_bytes(), None);
        fields.write(name, is_sampled, writer)
    }
}

impl Emit for Recording<'_> {
    fn task(&mut self, cpu: u16, task: TaskRef<'_>) -> Result<Option<u32>, ReadError> {
        Ok(self.task_index(cpu, task, NameSource::Moment))
    }

    fn priority(&mut self, task: u32, prio: i32) {
        self.tasks.seen_with(task, prio);
    }

    fn symbol(&mut self, name: &[u8]) -> Result<u32, ReadError> {
        Ok(self.symbol_index(name, None))
    }

    fn slice(&mut self, slice: &Slice<'_>) -> Result<(), ReadError> {
        self.emission_count = self.emission_count.saturating_add(1);
        self.slice_count = self.slice_count.saturating_add(i64::from(!slice.kind.is_arrow()));
        self.last_end_ns = self.last_end_ns.max(slice.end_ns());
        if let Some(aggregates) = &mut self.aggregates {
            aggregates.add(slice);
        }
        if slice.kind.is_of_cpu() {
            self.lanes.add(slice);
            let Self { latencies, tails, tasks, .. } = self;
            latencies.add_slice(slice, |kind| {
                if let Some(tails) = tails {
                    tails.slice_sample(kind, slice, tasks);
                }
            });
            if let Some(tails) = tails {
                tails.slice(slice, tasks);
            }
        }
        let row = StoredSlice {
            start_ns: slice.start_ns,
            duration_ns: slice.duration_ns,
            self_ns: slice.self_ns,
            cpu: narrow(slice.cpu),
            task: slice.task.map(stored),
            symbol: slice.symbol.map(stored),
            depth: narrow(slice.depth),
            id: slice.id.and_then(|id| i32::try_from(id).ok()),
            parent: slice.parent.and_then(|parent| i32::try_from(parent).ok()),
            flags: narrow(slice.flags.0),
        };
        match self.slices.iter_mut().find(|(kind, _)| *kind == slice.kind) {
            Some((_, blocks)) => blocks.push(row, slice.args, slice.retval, &mut self.writer),
            None => Ok(()),
        }
    }

    fn counter(&mut self, change: &CounterChange) -> Result<(), ReadError> {
        self.emission_count = self.emission_count.saturating_add(1);
        let counter = self.counter_index(change.counter);
        let cpu = narrow(change.cpu);
        let change = StoredChange { t_ns: change.t_ns, counter, cpu, value: change.value };
        self.counters.push(change, &mut self.writer)
    }

    fn sample(&mut self, sample: &Sample) -> Result<(), ReadError> {
        if self.counts_events {
            return Ok(());
        }
        self.emission_count = self.emission_count.saturating_add(1);
        if self.is_laid_out && is_from_call_to_call(sample.kind) {
            self.latencies.incomplete(sample.kind, IncompleteReason::LaidOut, 1);
            return Ok(());
        }
        if let Some(tails) = &mut self.tails {
            tails.sample(sample, &self.tasks);
        }
        if sample.kind.code == TICK.code {
            let is_known = !sample.flags.has(SampleFlags::HANDLER_UNKNOWN);
            if let Some(aggregates) = &mut self.aggregates {
                aggregates.add_tick(sample.cpu, sample.start_ns, sample.duration_ns, is_known);
            }
        }
        self.latencies.add(sample, &mut self.writer)
    }

    fn incomplete(&mut self, kind: &'static LatencyKind, reason: IncompleteReason) {
        self.latencies.incomplete(kind, reason, 1);
    }

    fn not_listed(&mut self, kind: &'static LatencyKind, count: i64) {
        self.latencies.incomplete(kind, IncompleteReason::NotListed, count);
    }

    fn diagnostic(&mut self, code: Code) -> Result<(), ReadError> {
        self.found_problems.push(code);
        Ok(())
    }
}

/// True for what begins in one call of the kernel's and ends in another one.
fn is_from_call_to_call(kind: &LatencyKind) -> bool {
    let waits = |way: Way| matches!(way, Way::Timer | Way::Sleeper | Way::Wait | Way::Softirq);
    let way = KINDS.iter().find(|known| known.latency().code == kind.code).map(|known| known.way());
    way.is_some_and(waits) || kind.analysis.wants(Role::SyscallExit)
}

/// Waits of tasks, and of timers for their expiry, may be as long as the trace: they are stored by length.
fn blocks_of(kind: SliceKind) -> BlocksOfKind {
    if kind.is_of_cpu() { BlocksOfKind::new(kind.code()) } else { BlocksOfKind::by_length(kind.code()) }
}

fn kind_name(kind: EventKind) -> &'static [u8] {
    match kind {
        EventKind::Tracepoint => b"tracepoint",
        EventKind::Print => b"print",
        EventKind::Bprint => b"bprint",
        EventKind::Function => b"function",
        EventKind::Tracer => b"tracer",
        EventKind::Measurement => b"measurement",
        EventKind::Unknown => b"unknown",
    }
}

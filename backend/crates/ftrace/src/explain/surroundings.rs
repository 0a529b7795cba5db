//! What is known around a case: slices of all kinds, events, counters, stacks and losses of all CPUs.

mod earlier;
mod flagged;
mod functions;
mod later;
mod names;
mod nearby;
mod unswitched;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use hashbrown::HashMap;

use self::earlier::Earlier;
use self::flagged::flagged_interrupts;
pub use self::functions::is_nowhere;
use self::names::Names;
use self::unswitched::runs_by_events;
use super::case::Case;
use super::implied_flags::imply_flags;
use super::recorded_blocks::{Events, Slices};
pub use super::seen::Seen;
use super::seen::first_prios;
use super::span::Span;
use super::why::{UsualsOfBlocks, is_carrier_comm};
use crate::analyses::{SampleFlags, SliceKind};
use crate::events::{Decoded, Role};
use crate::model::{EventKind, TimeUnit};
use crate::store::decode::DecodeError;
use crate::store::read::blocks::{CounterBlock, EventBlock, SliceBlock};
use crate::store::read::dictionaries::{
    Counter, Dictionary, EventType, Loss, Stack, Symbol, Task, read_counters, read_event_types, read_losses,
    read_stacks, read_symbols, read_tasks,
};
use crate::store::read::name_idx::Name;
use crate::store::read::read_rows;
use crate::store::tables::{self, Table};

/// Decoded blocks, out of which each case takes what lies around it.
pub struct Recorded<'a> {
    pub tasks: Dictionary<Task<'a>>,
    pub symbols: Dictionary<Symbol<'a>>,
    pub types: Dictionary<EventType<'a>>,
    roles: Vec<Option<Role>>,
    counters: Dictionary<Counter<'a>>,
    slice_blocks: Vec<Slices<'a>>,
    event_blocks: Vec<Events<'a>>,
    counter_blocks: Vec<CounterBlock>,
    stacks: Vec<Stack<'a>>,
    losses: Vec<Loss>,
    /// CPUs whose switches are recorded, so that what is not running is idle.
    switched_cpus: BTreeSet<i16>,
    trace: TraceFacts,
    usuals: UsualsOfBlocks,
    of_names: OfNames,
}

/// What names say of the recording, found out when somebody asks: there may be tens of thousands.
#[derive(Default)]
struct OfNames {
    is_guest: OnceLock<bool>,
    /// Types of events by their names, the first of each.
    types: OnceLock<HashMap<String, i32>>,
}

/// What must be known of the trace as a whole.
#[derive(Clone, Debug, Default)]
pub struct TraceFacts {
    /// Absolute time of the trace's first record.
    pub origin_ns: i64,
    /// What one step of its clock is.
    pub time_unit: TimeUnit,
    /// Slices that end before this are not in the blocks.
    pub known_from_ns: i64,
    /// CPUs on which switches are known to be recorded; those with switches in the blocks need not be here.
    pub switched_cpus: Vec<i16>,
    /// Names of the buffers that events come from, by number; `None` for the top one.
    pub buffers: Vec<Option<String>>,
}

impl<'a> Recorded<'a> {
    /// `rows` gives the COPY stream of a table: all that is in the cases' reach, and of small tables everything.
    pub fn read(rows: impl Fn(&'static Table) -> &'a [u8], trace: TraceFacts) -> Result<Self, DecodeError> {
        let types = read_event_types(rows(&tables::EVENT_TYPE))?;
        let slice_blocks = read_rows(&tables::SLICE_BLOCK, rows(&tables::SLICE_BLOCK), |row| {
            let columns = SliceBlock::read(row)?;
            Ok(SliceKind::of_code(columns.kind).zip(Some((columns, row.texts("args")?))))
        })?;
        let slice_blocks: Vec<Slices<'a>> = slice_blocks.into_iter().flatten().map(Slices::new).collect();
        let of_switches = slice_blocks.iter().filter(|block| block.kind == SliceKind::Sched);
        let switched = of_switches.flat_map(|block| &block.columns.cpu).chain(&trace.switched_cpus);
        let switched: BTreeSet<i16> = switched.copied().collect();
        let mut event_blocks = read_rows(EventBlock::TABLE, rows(EventBlock::TABLE), EventBlock::read)?;
        event_blocks.sort_by_key(|block| block.first_seq);
        let roles: Vec<_> = types.iter().map(|(_, event_type)| role_of(event_type)).collect();
        let losses = read_losses(rows(&tables::LOSS))?;
        let tasks = read_tasks(rows(&tables::TASK))?;
        let is_carrier = |idx: i32| tasks.get(idx).is_some_and(|task| is_carrier_comm(task.comm.as_bytes()));
        imply_flags(&mut event_blocks, &roles, &losses, is_carrier);
        let event_blocks = event_blocks.into_iter().filter_map(Events::new).collect();
        Ok(Self {
            tasks,
            symbols: read_symbols(rows(&tables::SYMBOL))?,
            roles,
            types,
            counters: read_counters(rows(&tables::COUNTER))?,
            slice_blocks,
            event_blocks,
            counter_blocks: read_rows(CounterBlock::TABLE, rows(CounterBlock::TABLE), CounterBlock::read)?,
            stacks: read_stacks(rows(&tables::STACK))?,
            losses,
            switched_cpus: switched,
            trace,
            usuals: UsualsOfBlocks::default(),
            of_names: OfNames::default(),
        })
    }

    /// Nothing but names, and the unit of the clock.
    pub fn of_names(
        tasks: Dictionary<Task<'a>>,
        symbols: Dictionary<Symbol<'a>>,
        time_unit: TimeUnit,
    ) -> Self {
        Self {
            tasks,
            symbols,
            types: Dictionary::empty(),
            roles: Vec::new(),
            counters: Dictionary::empty(),
            slice_blocks: Vec::new(),
            event_blocks: Vec::new(),
            counter_blocks: Vec::new(),
            stacks: Vec::new(),
            losses: Vec::new(),
            switched_cpus: BTreeSet::new(),
            trace: TraceFacts { time_unit, ..TraceFacts::default() },
            usuals: UsualsOfBlocks::default(),
            of_names: OfNames::default(),
        }
    }

    /// What lies around a case. Events inside of `unseen` are left out, whether they are here or not.
    pub fn around(&self, case: &Case<'_>, unseen: Option<(i64, i64)>) -> Surroundings<'_, 'a> {
        let (start_ns, end_ns) = case.reach();
        let touching = self.slice_blocks.iter().filter(|block| block.touches(start_ns, end_ns));
        let spans: Vec<_> = touching.flat_map(|block| block.spans(start_ns, end_ns)).collect();
        let is_near = |t_ns: i64| start_ns <= t_ns && t_ns <= end_ns;
        // Whatever other blocks are at hand for other cases: the same is said of a case wherever it is explained.
        let is_of_case = |block: &&Events<'a>| {
            let Events { first_ns, last_ns, .. } = **block;
            let is_unseen = unseen.is_some_and(|(from, to)| from < first_ns && last_ns < to);
            !(is_unseen || first_ns > end_ns || last_ns < start_ns)
        };
        let blocks: Vec<&Events<'a>> = self.event_blocks.iter().filter(is_of_case).collect();
        let mut events = Vec::new();
        for of_block in &blocks {
            let block = &of_block.columns;
            let is_seen = |t_ns: i64| unseen.is_none_or(|(from, to)| t_ns <= from || to <= t_ns);
            let rows = of_block.rows(start_ns, end_ns);
            events.reserve(rows.len());
            let rows = rows.filter(|row| {
                block.t_ns.get(*row).is_some_and(|t_ns| is_near(*t_ns) && is_seen(*t_ns))
                    && !block.is_repeated(*row)
            });
            events.extend(rows.filter_map(|row| self.event(block, row)));
        }
        let stacks = self.stacks.iter().filter(|stack| is_near(stack.t_ns)).collect();
        let functions =
            if case.flags.has(SampleFlags::REPORTED) { self.functions(&events) } else { Vec::new() };
        let Earlier { last: earlier, timers } = self.before(&blocks, start_ns);
        let with_place = events.iter().enumerate();
        let scheduled: Vec<_> = with_place.filter_map(|(at, event)| Some((at, event.scheduled()?))).collect();
        let names = Names::of(self, &earlier, &events, &scheduled);
        let concluded = match case.flags.has(SampleFlags::REPORTED) {
            true => Vec::new(),
            false => [flagged_interrupts(self, &spans, &events), runs_by_events(self, &events)].concat(),
        };
        Surroundings {
            recorded: self,
            spans,
            concluded,
            earlier,
            timers,
            events,
            later: self.after(&blocks, end_ns),
            stacks,
            functions,
            blocks,
            reach: (start_ns, end_ns),
            unseen,
            scheduled,
            prios: OnceCell::new(),
            names,
        }
    }

    /// The index of the first type of events of that name.
    fn type_idx(&self, event: &str) -> Option<i32> {
        let types = self.of_names.types.get_or_init(|| {
            let mut types = HashMap::new();
            for (idx, event_type) in self.types.iter() {
                types.entry_ref(event_type.name).or_insert(idx);
            }
            types
        });
        types.get(event).copied()
    }

    fn event(&self, block: &EventBlock<'a>, row: usize) -> Option<Seen<'a>> {
        let type_idx = i32::from(*block.type_idx.get(row)?);
        let role = usize::try_from(type_idx).ok().and_then(|idx| self.roles.get(idx)).copied().flatten();
        Some(Seen {
            seq: block.first_seq.saturating_add(i64::try_from(row).ok()?),
            t_ns: *block.t_ns.get(row)?,
            cpu: *block.cpu.get(row)?,
            buffer: *block.buffer.get(row)?,
            task_idx: *block.task_idx.get(row)?,
            type_idx,
            flags: *block.flags.get(row)?,
            args: block.args.get(row)?,
            role,
        })
    }
}

// Durations that any event states are no business of explanations.
fn role_of(event_type: &EventType<'_>) -> Option<Role> {
    Role::of(EventKind::Tracer, event_type.name.as_bytes())
}

/// What lies around one case. Events are in the order of the trace.
pub struct Surroundings<'r, 'a> {
    recorded: &'r Recorded<'a>,
    pub spans: Vec<Span<'a>>,
    /// What events show to have run, of which no slice is recorded.
    concluded: Vec<Span<'a>>,
    /// The last events before those.
    pub earlier: Vec<Seen<'a>>,
    /// Starts and expiries of timers before all of them.
    pub timers: Vec<Seen<'a>>,
    pub events: Vec<Seen<'a>>,
    /// The next events of CPUs after those.
    pub later: Vec<Seen<'a>>,
    pub stacks: Vec<&'r Stack<'a>>,
    /// Of a tracer's report: `function <-caller`, each once, sorted.
    functions: Vec<&'a str>,
    blocks: Vec<&'r Events<'a>>,
    reach: (i64, i64),
    /// Events between these two times are not among those of the case.
    unseen: Option<(i64, i64)>,
    /// What the scheduler's events say, by their place among the events: taken apart once.
    scheduled: Vec<(usize, Decoded<'a>)>,
    /// By pid, as they are stated first.
    prios: OnceCell<HashMap<i32, i32>>,
    names: Names<'a>,
}

impl<'r, 'a> Surroundings<'r, 'a> {
    /// Slices and events that are looked at.
    pub fn record_count(&self) -> usize {
        self.spans.len().saturating_add(self.events.len()).saturating_add(self.earlier.len())
    }

    /// What is recorded to have run, and what events show to have.
    pub fn seen_spans(&self) -> impl Iterator<Item = &Span<'a>> {
        self.spans.iter().chain(&self.concluded)
    }

    /// The absolute time of the trace's first record, in nanoseconds.
    pub fn origin_ns(&self) -> i64 {
        self.recorded.trace.origin_ns
    }

    pub fn time_unit(&self) -> TimeUnit {
        self.recorded.trace.time_unit
    }

    /// Before this, nothing is known of what CPUs did.
    pub fn known_from_ns(&self) -> i64 {
        self.recorded.trace.known_from_ns.max(0)
    }

    /// The task of an event.
    pub fn task(&self, task_idx: i32) -> Option<&'r Task<'a>> {
        self.recorded.tasks.get(task_idx)
    }

    /// True where switches of this CPU are recorded.
    pub fn is_switched(&self, cpu: i16) -> bool {
        self.recorded.switched_cpus.contains(&cpu)
    }

    /// True where the events of `raw_syscalls` are recorded: then a task between two calls is in user space.
    pub fn records_all_syscalls(&self) -> bool {
        self.records("sys_enter")
    }

    /// True where the recording has an event of that name.
    pub fn records(&self, event: &str) -> bool {
        self.recorded.type_idx(event).is_some()
    }

    /// True for a recording of a virtual machine, recognised by devices that only guests have.
    pub fn is_guest(&self) -> bool {
        *self.recorded.of_names.is_guest.get_or_init(|| {
            self.has_symbol(|name| {
                ["virtio", "hyperv", "vmxnet", "xen-", "vmbus"].iter().any(|prefix| name.contains(prefix))
            })
        })
    }

    /// True where a name in the recording, of an interrupt or a function, is as wanted.
    pub fn has_symbol(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.recorded.symbols.iter().any(|(_, symbol)| is_wanted(symbol.name))
    }

    /// The index of the symbol with this name, where the recording has one.
    pub fn symbol_idx(&self, name: &str) -> Option<i32> {
        self.recorded.symbols.iter().find(|(_, symbol)| symbol.name == name).map(|(idx, _)| idx)
    }

    /// The name of the event's type, without its system; empty where it is not known.
    pub fn event_name(&self, event: &Seen<'_>) -> &'a str {
        self.recorded.types.get(event.type_idx).map_or("", |event_type| event_type.name)
    }

    /// The buffer of an event; `None` for the top one.
    pub fn buffer_name(&self, event: &Seen<'_>) -> Option<&'r str> {
        let name = self.recorded.trace.buffers.get(usize::try_from(event.buffer).ok()?)?;
        name.as_deref()
    }

    /// The kind of the event's type (`event_type.kind`); empty where it is not known.
    pub fn event_kind(&self, event: &Seen<'_>) -> &'a str {
        self.recorded.types.get(event.type_idx).map_or("", |event_type| event_type.kind)
    }

    /// The pid of a task that is none of the idle ones.
    pub fn pid(&self, task_idx: i32) -> Option<i32> {
        self.recorded.tasks.get(task_idx).and_then(|task| task.pid).filter(|pid| *pid != 0)
    }

    pub fn is_idle_task(&self, task_idx: i32) -> bool {
        self.recorded.tasks.get(task_idx).is_some_and(|task| task.pid == Some(0))
    }

    /// The bare name of a symbol.
    pub fn symbol_name(&self, symbol_idx: i32) -> Option<&'a str> {
        self.recorded.symbols.get(symbol_idx).map(|symbol| symbol.name)
    }

    /// A symbol as the kernel prints it, with its module; a function of a report with its caller.
    pub fn symbol(&self, symbol_idx: i32) -> Option<String> {
        match Name::of(symbol_idx) {
            Name::Function(at) => {
                let function = self.functions.get(usize::try_from(at).ok()?)?;
                Some(function.replace(" <-", " ← "))
            }
            _ => self.recorded.symbols.get(symbol_idx).map(Symbol::display),
        }
    }

    /// The events, those of the scheduler with what they say: a switch, a waking, a wakeup.
    pub fn scheduled(&self) -> impl Iterator<Item = (&Seen<'a>, Option<Decoded<'a>>)> {
        let mut scheduled = self.scheduled.iter().peekable();
        self.events.iter().enumerate().map(move |(at, event)| {
            (event, scheduled.next_if(|(of, _)| *of == at).map(|(_, decoded)| *decoded))
        })
    }

    /// The kernel's priority of a task, as the switches and wakeups around the case say it.
    pub fn prio(&self, pid: i32) -> Option<i32> {
        let scheduled = || self.scheduled.iter().map(|(_, decoded)| *decoded);
        self.prios.get_or_init(|| first_prios(scheduled())).get(&pid).copied()
    }

    /// The frequency of a CPU at a time, where a change of it lies in the blocks before that.
    pub fn frequency_khz(&self, cpu: i16, t_ns: i64) -> Option<i64> {
        let Recorded { counter_blocks, counters, .. } = self.recorded;
        super::frequency_khz(counter_blocks, counters, cpu, t_ns)
    }
}

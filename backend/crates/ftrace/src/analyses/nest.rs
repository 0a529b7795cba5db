//! Intervals that nest on a CPU: the last to begin is the first to end.

use std::collections::BTreeMap;

use super::{Emit, Event, Slice, SliceFlags, SliceKind, TraceEnd};
use crate::events::{Decoded, Interrupt, Role};
use crate::model::{Code, Flags, Ns, ReadError};

/// What makes the end of an interval fit its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Line(i64),
    Named(u32),
    Softirq(i64),
}

impl Key {
    /// One for all whose ends are events of the same type.
    fn of_kind(self) -> Self {
        match self {
            Self::Line(_) => Self::Line(0),
            Self::Named(name) => Self::Named(name),
            Self::Softirq(_) => Self::Softirq(0),
        }
    }
}

/// An interval that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub key: Key,
    /// `None`: it is only here to be subtracted from what it interrupts.
    pub kind: Option<SliceKind>,
    pub symbol: Option<u32>,
    pub task: Option<u32>,
    pub start_ns: Ns,
    pub nested_ns: Ns,
    /// The end of the last interval inside it, else its start.
    pub known_until_ns: Ns,
    /// The flag that says so of what happens inside it; 0 where its beginning does not have it.
    pub flag: u32,
    /// The task that had the CPU at its beginning.
    pub pid: Option<i32>,
    /// The task that carries it, which may be switched out in it.
    pub carrier_pid: Option<i32>,
    pub suspension: Option<Suspension>,
    pub flags: SliceFlags,
}

/// Since when the carrier of an interval is switched out.
#[derive(Clone, Copy, Debug)]
pub struct Suspension {
    since_ns: Ns,
    /// What was nested in the interval by then. What the CPU does in the meantime is not nested in it.
    nested_ns: Ns,
}

impl Open {
    /// An interval that `event` begins, of no kind, with nothing nested in it.
    pub fn new(key: Key, event: &Event<'_>) -> Self {
        Self {
            key,
            kind: None,
            symbol: None,
            task: None,
            start_ns: event.t_ns,
            nested_ns: Ns::ZERO,
            known_until_ns: event.t_ns,
            flag: event.flags.0
                & if matches!(key, Key::Softirq(_)) { Flags::SOFTIRQ } else { Flags::HARDIRQ },
            pid: event.pid,
            carrier_pid: None,
            suspension: None,
            flags: SliceFlags::default(),
        }
    }

    /// True where an event of its CPU, not its end, cannot lie in it: by its flags or, where there are none and ends are not
    /// recorded, by what it is. While another task has the CPU, nothing is known of a softirq that its own one carries.
    fn is_over_at(&self, event: &Event<'_>, has_ends: bool) -> bool {
        let is_outside = self.flag != 0 && event.flags.has(Flags::KNOWN) && !event.flags.has(self.flag);
        let is_of_task = match &event.decoded {
            // On PREEMPT_RT a thread may be preempted in a softirq, or sleep for a lock in it.
            Decoded::Switch(switch) => self.carrier_pid.is_none() || switch.prev_state == b"S",
            other => matches!(
                other,
                Decoded::CpuIdle { .. } | Decoded::SyscallEnter { .. } | Decoded::SyscallExit { .. }
            ),
        };
        let is_over = is_outside || is_of_task && self.flag == 0 && !has_ends;
        match self.key {
            Key::Softirq(_) => {
                let is_next = matches!(event.decoded, Decoded::SoftirqEntry { .. });
                self.suspension.is_none() && event.pid == self.pid && (is_over || is_next && !has_ends)
            }
            Key::Line(_) | Key::Named(_) => is_over,
        }
    }

    fn resume(&mut self, t_ns: Ns) {
        let Some(Suspension { since_ns, nested_ns }) = self.suspension.take() else { return };
        self.nested_ns = nested_ns + since_ns.until(t_ns);
        self.known_until_ns = self.known_until_ns.max(t_ns);
        self.flags = self.flags.with(SliceFlags::SUSPENDED);
    }
}

/// The open intervals of one CPU, outermost first.
#[derive(Default)]
pub struct Nest {
    open: Vec<Open>,
    /// What was open when events were lost: it is reported with them, and its end is not counted again.
    cut: Vec<Key>,
    /// Of what kinds an end was recorded.
    ended: Vec<Key>,
}

impl Nest {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// True while an interval with this key is open at any depth.
    pub fn is_open(&self, key: Key) -> bool {
        self.open.iter().any(|open| open.key == key)
    }

    /// True where the end of an interval with this key is the first that is known of it.
    pub fn is_unknown(&self, key: Key) -> bool {
        !self.is_open(key) && !self.cut.contains(&key)
    }

    /// True where ends of this kind were recorded, if not that of this interval.
    fn has_ends(&self, key: Key) -> bool {
        self.ended.contains(&key.of_kind())
    }

    /// Ends the intervals that an event, not the end of one of them, shows to be over though their ends were not recorded.
    pub fn pass(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if let Some(at) = self.open.iter().position(|open| open.is_over_at(event, self.has_ends(open.key))) {
            return self.end_unended(at, event.cpu, emit);
        }
        // The flags of a beginning are those of what it begins.
        let is_beginning =
            matches!(event.decoded, Decoded::InterruptEntry { .. } | Decoded::SoftirqEntry { .. });
        if let Some(open) = self.open.last_mut().filter(|open| !is_beginning && event.flags.has(open.flag)) {
            open.known_until_ns = open.known_until_ns.max(event.t_ns);
        }
        Ok(())
    }

    /// The task is switched out: the intervals that it carries continue when it runs again.
    pub fn switch_out(&mut self, pid: i32, t_ns: Ns) {
        if let Some(open) = self.open.iter_mut().rfind(|open| open.carrier_pid == Some(pid)) {
            let nested_ns = open.nested_ns;
            open.suspension.get_or_insert(Suspension { since_ns: t_ns, nested_ns });
        }
    }

    /// The task has the CPU again.
    pub fn switch_in(&mut self, pid: i32, t_ns: Ns) {
        if let Some(open) = self.open.iter_mut().rfind(|open| open.carrier_pid == Some(pid)) {
            open.resume(t_ns);
        }
    }

    /// Begins an interval. One with the same key that is still open cannot go on inside itself: its end was
    /// not recorded, nor those of the intervals inside it.
    pub fn enter(
        &mut self,
        open: Open,
        cpu: u16,
        max_depth: u16,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if let Some(at) = self.open.iter().position(|outer| outer.key == open.key) {
            self.end_unended(at, cpu, emit)?;
        }
        if self.open.len() >= usize::from(max_depth) {
            return emit.diagnostic(Code::DepthLimit);
        }
        self.open.push(open);
        Ok(())
    }

    /// Ends the innermost interval with this key, and those inside it, whose ends were not recorded. Without
    /// one there is no duration to report.
    pub fn exit(&mut self, key: Key, cpu: u16, t_ns: Ns, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(at) = self.open.iter().rposition(|open| open.key == key) else {
            self.cut.retain(|cut| *cut != key);
            return emit.diagnostic(Code::UnpairedEvent);
        };
        if !self.has_ends(key) {
            self.ended.push(key.of_kind());
        }
        self.end_unended(at.saturating_add(1), cpu, emit)?;
        self.close(cpu, t_ns, SliceFlags::default(), emit)
    }

    /// Ends the intervals from `depth` inwards, whose ends were not recorded, where the last one inside
    /// each of them ended: until then it is known to have lasted.
    fn end_unended(&mut self, depth: usize, cpu: u16, emit: &mut dyn Emit) -> Result<(), ReadError> {
        while self.open.len() > depth {
            let Some(known_until_ns) = self.open.last().map(|open| open.known_until_ns) else { break };
            self.close(cpu, known_until_ns, SliceFlags::CUT_AT_END, emit)?;
            emit.diagnostic(Code::UnpairedEvent)?;
        }
        Ok(())
    }

    /// Ends every interval at the last moment at which it is known to be open.
    pub fn end_all(
        &mut self,
        cpu: u16,
        t_ns: Ns,
        flags: SliceFlags,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        self.cut = self.open.iter().map(|open| open.key).collect();
        while !self.open.is_empty() {
            self.close(cpu, t_ns, flags, emit)?;
        }
        Ok(())
    }

    fn close(&mut self, cpu: u16, t_ns: Ns, flags: SliceFlags, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(mut open) = self.open.pop() else { return Ok(()) };
        open.resume(t_ns);
        let duration_ns = open.start_ns.until(t_ns);
        if let Some(outer) = self.open.last_mut() {
            outer.nested_ns += duration_ns;
            outer.known_until_ns = outer.known_until_ns.max(t_ns);
        }
        let Some(kind) = open.kind else { return Ok(()) };
        let depth = self.open.iter().filter(|outer| outer.kind == Some(kind)).count();
        emit.slice(&Slice {
            self_ns: open.nested_ns.until(duration_ns),
            task: open.task,
            symbol: open.symbol,
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            flags: flags.with(open.flags),
            ..Slice::new(kind, cpu, open.start_ns, t_ns)
        })
    }
}
/// What begins and ends hard interrupts and softirqs, and what shows that they are over.
pub const NESTED_ROLES: &[Role] = &[
    Role::IrqEntry,
    Role::IrqExit,
    Role::VectorEntry(""),
    Role::VectorExit(""),
    Role::IpiEntry,
    Role::IpiExit,
    Role::SoftirqEntry,
    Role::SoftirqExit,
    Role::SoftirqRaise,
    Role::SchedSwitch,
    Role::SchedWaking,
    Role::SchedWakeup,
    Role::CpuIdle,
    Role::SyscallEnter,
    Role::SyscallExit,
    Role::HrtimerStart,
    Role::HrtimerExpireEntry,
    Role::HrtimerExpireExit,
];

/// The key of an interrupt, for every analysis that follows them.
pub fn key_of(interrupt: Interrupt<'_>, emit: &mut dyn Emit) -> Result<Key, ReadError> {
    match interrupt {
        Interrupt::Line(line) => Ok(Key::Line(line)),
        Interrupt::Named(name) => emit.symbol(name).map(Key::Named),
    }
}

/// An interrupt that is open at the last record of its CPU is drawn to there, no further.
pub fn end_all_cpus(
    cpus: &mut BTreeMap<u16, Nest>,
    end: &TraceEnd,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    for (cpu, nest) in cpus {
        let last_ns = end.cpus.get(cpu).copied().unwrap_or(end.t_ns);
        nest.end_all(*cpu, last_ns, SliceFlags::CUT_AT_END, emit)?;
    }
    Ok(())
}

//! Pairs entries and exits into calls, per task.

use hashbrown::HashMap;

use super::call::{CallFlags, CallSink};
use super::closing::Exit;
use super::interrupts;
use super::task_stack::{OpenCall, TaskStack};
use super::tasks::{CpuState, StackKey, key};
use super::unopened::Recorded;
use crate::model::{
    CallRecord, Code, Diagnostic, FailureClass, Flags, GraphPoint, Limits, Ns, Place, ReadError, TaskRef,
};

/// Calls open at once over all tasks; deeper ones are folded into their caller.
const OPEN_LIMIT: usize = 1_000_000;

/// Turns the lines of a function graph into calls: one stack per task, resynchronised by depth.
///
/// The return stack belongs to the task, so a stack is found by the pid of the line, else by the task
/// that the last banner put on the CPU; before any banner the task has a negative placeholder pid.
/// Times come with the records; a record without one takes the last time of its CPU.
/// Memory: the open calls, at most `max_depth` a task and 1,000,000 in all, and 65,536 calls that wait
/// for a parent which began before the file, and as many whose entry is not in the file before there is any.
pub struct CallBuilder<'l> {
    pub(super) limits: &'l Limits,
    pub(super) stacks: Vec<TaskStack>,
    pub(super) by_key: HashMap<StackKey, usize>,
    pub(super) cpus: HashMap<u16, CpuState>,
    pub(super) recorded: Recorded,
    losses_everywhere: u64,
    next_id: u32,
    /// Over all tasks.
    pub(super) open_count: usize,
    pub(super) orphan_count: usize,
    pub(super) spare: Vec<OpenCall>,
}

impl<'l> CallBuilder<'l> {
    pub fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            stacks: Vec::new(),
            by_key: HashMap::new(),
            cpus: HashMap::new(),
            recorded: Recorded::default(),
            losses_everywhere: 0,
            next_id: 0,
            open_count: 0,
            orphan_count: 0,
            spare: Vec::new(),
        }
    }

    /// Takes one line; hands every call that it closes to `out`.
    ///
    /// Errors: only past 4,294,967,295 calls.
    pub fn record(&mut self, call: &CallRecord<'_>, out: &mut dyn CallSink) -> Result<(), ReadError> {
        match *call {
            CallRecord::Enter { at, symbol, args } => self.enter(at, symbol, args, out),
            CallRecord::Leaf { at, symbol, duration_ns, args } => {
                self.leaf(at, symbol, duration_ns, args, out)
            }
            CallRecord::Exit { at, symbol, duration_ns, retval } => {
                let (cpu, time) = self.arrive(&at);
                self.exit(&Exit { at, cpu, time, symbol, duration_ns, retval }, out)
            }
            CallRecord::Irq { at, enter } => {
                let (cpu, _) = self.arrive(&at);
                let state = self.cpus.entry(cpu).or_default();
                state.interrupts = if enter {
                    state.interrupts.saturating_add(1)
                } else {
                    state.interrupts.saturating_sub(1)
                };
                Ok(())
            }
            CallRecord::Switch { at, prev, next } => {
                self.switch(&at, prev, next, out);
                Ok(())
            }
            CallRecord::Elided { at } => {
                self.elided(&at, out);
                Ok(())
            }
        }
    }

    /// Calls that are open on `cpu` (on all, if `None`) have a gap from here on.
    pub fn loss(&mut self, cpu: Option<u16>, _out: &mut dyn CallSink) {
        match cpu {
            Some(cpu) => {
                let state = self.cpus.entry(cpu).or_default();
                state.losses = state.losses.saturating_add(1);
                state.interrupts = 0;
            }
            None => self.losses_everywhere = self.losses_everywhere.saturating_add(1),
        }
    }

    /// Closes what is still open, at the last line of its task.
    pub fn finish(&mut self, out: &mut dyn CallSink) {
        for index in 0..self.stacks.len() {
            self.unwind(index, 0, Place::default(), out);
            self.adopt(index, 0, None, out);
        }
        if matches!(self.recorded, Recorded::Unknown(_)) {
            self.decide(Recorded::OnlyEnds, out);
        }
    }

    /// The number of the next call, in the order of opening.
    ///
    /// Errors: more calls than 32 bits count.
    pub(super) fn take_id(&mut self, place: Place) -> Result<u32, ReadError> {
        let id = self.next_id;
        self.next_id = id.checked_add(1).ok_or_else(|| {
            let sentence = "The trace has more than 4,294,967,295 calls; upload a shorter recording.";
            ReadError::new(FailureClass::Limit, Code::ExpandedTooLarge, place, sentence)
        })?;
        Ok(id)
    }

    /// Losses so far that concern `cpu`, those of no known CPU included.
    pub(super) fn losses_on(&self, cpu: u16) -> u64 {
        let own = self.cpus.get(&cpu).map_or(0, |state| state.losses);
        own.saturating_add(self.losses_everywhere)
    }

    /// Flags of a call that opens now under `parent`.
    pub(super) fn context_flags(&self, at: &GraphPoint<'_>, cpu: u16, parent_flags: u8, symbol: &[u8]) -> u8 {
        let marked = self.cpus.get(&cpu).is_some_and(|state| state.interrupts > 0);
        let in_irq = marked
            || parent_flags & CallFlags::IRQ != 0
            || at.flags.has(Flags::HARDIRQ)
            || interrupts::is_entry(symbol);
        if in_irq { CallFlags::IRQ } else { 0 }
    }

    fn enter(
        &mut self,
        at: GraphPoint<'_>,
        symbol: &[u8],
        args: &[u8],
        out: &mut dyn CallSink,
    ) -> Result<(), ReadError> {
        let (cpu, time) = self.arrive(&at);
        let index = self.stack_of(&at, cpu);
        let Some(mut call) = self.open(&at, index, symbol, out)? else {
            if let Some(stack) = self.stacks.get_mut(index) {
                stack.folded = stack.folded.saturating_add(u64::from(at.depth.is_none()));
            }
            return Ok(());
        };
        call.start = time;
        call.symbol.extend_from_slice(symbol);
        call.args.extend_from_slice(args);
        if let Some(stack) = self.stacks.get_mut(index) {
            stack.last_cpu = cpu;
            stack.last_time = time;
            stack.open.push(call);
            self.open_count = self.open_count.saturating_add(1);
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        at: GraphPoint<'_>,
        symbol: &[u8],
        duration_ns: Option<Ns>,
        args: &[u8],
        out: &mut dyn CallSink,
    ) -> Result<(), ReadError> {
        let (cpu, time) = self.arrive(&at);
        let index = self.stack_of(&at, cpu);
        let Some(mut call) = self.open(&at, index, symbol, out)? else { return Ok(()) };
        call.start = time;
        call.symbol.extend_from_slice(symbol);
        call.args.extend_from_slice(args);
        if let Some(stack) = self.stacks.get_mut(index) {
            stack.last_cpu = cpu;
            stack.last_time = time + duration_ns.unwrap_or_default();
        }
        self.close(index, call, duration_ns.unwrap_or_default(), b"", out);
        Ok(())
    }

    /// A call that begins on stack `index` at the line's depth, after all that this line shows to have
    /// ended unseen; `None` past the depth limit.
    fn open(
        &mut self,
        at: &GraphPoint<'_>,
        index: usize,
        symbol: &[u8],
        out: &mut dyn CallSink,
    ) -> Result<Option<OpenCall>, ReadError> {
        if !matches!(self.recorded, Recorded::Entries) {
            self.decide(Recorded::Entries, out);
        }
        let cpu = at.cpu.unwrap_or_default();
        let Some(stack) = self.stacks.get(index) else { return Ok(None) };
        let depth = at.depth.unwrap_or_else(|| stack.next_depth());
        if depth >= self.limits.max_depth || self.open_count >= OPEN_LIMIT {
            out.diagnostic(Diagnostic { code: Code::DepthLimit, place: at.place, sample: symbol, count: 1 });
            return Ok(None);
        }
        self.unwind(index, depth, at.place, out);
        self.adopt(index, depth.saturating_add(1), None, out);
        let parent = self.stacks.get_mut(index).and_then(|stack| stack.open.last_mut());
        let (parent, parent_flags) =
            parent.map_or((None, 0), |parent| (Some(parent.id), parent.flags_before_child()));
        let mut call = self.spare.pop().unwrap_or_default();
        call.symbol.clear();
        call.args.clear();
        call.id = self.take_id(at.place)?;
        call.parent = parent;
        call.children_ns = Ns::ZERO;
        call.depth = depth;
        call.cpu = cpu;
        call.flags = self.context_flags(at, cpu, parent_flags, symbol);
        if parent_flags & CallFlags::ELIDED_LAST != 0 {
            call.flags |= CallFlags::ELIDED_BEFORE;
        }
        call.losses = self.losses_on(cpu);
        Ok(Some(call))
    }

    fn switch(&mut self, at: &GraphPoint<'_>, prev: TaskRef<'_>, next: TaskRef<'_>, out: &mut dyn CallSink) {
        let (cpu, time) = self.arrive(at);
        if let Some(index) = self.cpus.get(&cpu).and_then(|state| state.current) {
            self.name_placeholder(index, cpu, prev, out);
        }
        if let Some(pid) = next.pid {
            let index = self.stack(key(pid, cpu), cpu);
            if let Some(stack) = self.stacks.get_mut(index) {
                stack.name(next);
                stack.last_cpu = cpu;
            }
            let state = self.cpus.entry(cpu).or_default();
            state.current = Some(index);
            // No task is switched inside a hard interrupt: its end marker was lost.
            state.interrupts = 0;
        }
        out.switch(cpu, time, prev, next);
    }

    fn elided(&mut self, at: &GraphPoint<'_>, out: &mut dyn CallSink) {
        let (cpu, _) = self.arrive(at);
        let index = self.stack_of(at, cpu);
        out.diagnostic(Diagnostic { code: Code::ElidedCalls, place: at.place, sample: b"...", count: 1 });
        let Some(stack) = self.stacks.get_mut(index) else { return };
        let holds = |call: &&mut OpenCall| at.depth.is_none_or(|depth| call.depth < depth);
        if let Some(parent) = stack.open.iter_mut().rev().find(holds) {
            parent.flags |= CallFlags::ELIDED_CHILDREN | CallFlags::ELIDED_LAST;
        }
    }
}

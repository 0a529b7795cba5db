//! How calls end: by their own exit, by a line that shows them to be over, or by the end of the trace.

use super::CallBuilder;
use super::call::{Call, CallFlags, CallSink};
use super::task_stack::{OpenCall, Orphan};
use crate::model::{Code, Diagnostic, GraphPoint, Ns, Place, ReadError, Timestamp};

/// Past this many stacks, a close that fits none on its own CPU is not searched for.
const MIGRATION_SEARCH_LIMIT: usize = 64;
/// Calls that wait for a parent which began before the file; past it, they are handed on as roots.
const ORPHAN_LIMIT: usize = 65_536;

/// An exit as the stack sees it.
pub(super) struct Exit<'a> {
    pub at: GraphPoint<'a>,
    pub cpu: u16,
    pub time: Timestamp,
    pub symbol: Option<&'a [u8]>,
    pub duration_ns: Option<Ns>,
    pub retval: &'a [u8],
}

impl CallBuilder<'_> {
    /// Ends every open call at `depth` or deeper: a line that shallow says that they are over.
    pub(super) fn unwind(&mut self, index: usize, depth: u16, place: Place, out: &mut dyn CallSink) {
        loop {
            let Some(stack) = self.stacks.get_mut(index) else { return };
            let Some(mut call) = stack.open.pop_if(|top| top.depth >= depth) else { return };
            let duration_ns = call.start.until(stack.last_time);
            self.open_count = self.open_count.saturating_sub(1);
            call.flags |= CallFlags::CUT_AT_END;
            out.diagnostic(Diagnostic { code: Code::UnclosedCall, place, sample: &call.symbol, count: 1 });
            self.close(index, call, duration_ns, b"", out);
        }
    }

    /// Ends the call that the line closes: of its own task, of one that came from another CPU, or one that was open
    /// before the file began.
    pub(super) fn exit(&mut self, exit: &Exit<'_>, out: &mut dyn CallSink) -> Result<(), ReadError> {
        let own = self.stack_of(&exit.at, exit.cpu);
        if exit.at.depth.is_some_and(|depth| depth >= self.limits.max_depth) {
            return Ok(());
        }
        if let Some(stack) = self.stacks.get_mut(own)
            && exit.at.depth.is_none()
            && stack.folded > 0
        {
            stack.folded = stack.folded.saturating_sub(1);
            return Ok(());
        }
        let index = if self.fits(own, exit) { own } else { self.migrated_from(own, exit).unwrap_or(own) };
        if index != own || self.fits(own, exit) {
            self.close_matching(index, exit, out);
            return Ok(());
        }
        self.close_unopened(own, exit, out)
    }

    /// True where stack `index` has an open call that `exit` can be the end of.
    fn fits(&self, index: usize, exit: &Exit<'_>) -> bool {
        let Some(stack) = self.stacks.get(index) else { return false };
        let candidate = match exit.at.depth {
            Some(depth) => {
                stack.open.iter().rev().find(|call| call.depth <= depth).filter(|call| call.depth == depth)
            }
            None => stack.open.last(),
        };
        candidate.is_some_and(|call| exit.symbol.is_none_or(|symbol| call.symbol == symbol))
    }

    /// The one other stack, last seen on another CPU, whose innermost call `exit` ends: without a task
    /// column and a banner a call can still move, `1) fsync() {` ... `5) } /* fsync */`.
    fn migrated_from(&self, own: usize, exit: &Exit<'_>) -> Option<usize> {
        if exit.at.task.is_some() || self.stacks.len() > MIGRATION_SEARCH_LIMIT {
            return None;
        }
        let mut candidates = self.stacks.iter().enumerate().filter(|(index, stack)| {
            *index != own
                && stack.last_cpu != exit.cpu
                && stack.open.last().is_some_and(|top| match exit.symbol {
                    Some(symbol) => top.symbol == symbol,
                    None => exit.at.depth == Some(top.depth),
                })
        });
        let found = candidates.next().map(|(index, _)| index);
        found.filter(|_| candidates.next().is_none())
    }

    /// Ends the call that `fits` or `migrated_from` found, and before it all that is open inside it.
    fn close_matching(&mut self, index: usize, exit: &Exit<'_>, out: &mut dyn CallSink) {
        if let Some(depth) = exit.at.depth {
            self.unwind(index, depth.saturating_add(1), exit.at.place, out);
        }
        let Some(stack) = self.stacks.get_mut(index) else { return };
        let Some(call) = stack.open.pop() else { return };
        stack.last_cpu = exit.cpu;
        stack.last_time = exit.time;
        self.open_count = self.open_count.saturating_sub(1);
        self.adopt(index, call.depth.saturating_add(1), None, out);
        let duration_ns = exit.duration_ns.unwrap_or_else(|| call.start.until(exit.time));
        if call.children_ns > duration_ns && exit.duration_ns.is_some() {
            let code = Code::ChildExceedsParent;
            out.diagnostic(Diagnostic { code, place: exit.at.place, sample: &call.symbol, count: 1 });
        }
        self.close(index, call, duration_ns, exit.retval, out);
    }

    /// An exit whose entry is not in the file: with a name and a duration it is a call that began earlier.
    fn close_unopened(
        &mut self,
        index: usize,
        exit: &Exit<'_>,
        out: &mut dyn CallSink,
    ) -> Result<(), ReadError> {
        let depth = exit.at.depth.unwrap_or_default();
        if exit.at.depth.is_some() {
            self.unwind(index, depth, exit.at.place, out);
        }
        let sample = exit.symbol.unwrap_or(b"}");
        self.unopened(exit.at.place, sample, out);
        if let Some(stack) = self.stacks.get_mut(index) {
            stack.last_cpu = exit.cpu;
            stack.last_time = exit.time;
        }
        let (Some(symbol), Some(duration_ns)) = (exit.symbol, exit.duration_ns) else {
            self.adopt(index, depth.saturating_add(1), None, out);
            return Ok(());
        };
        let id = self.take_id(exit.at.place)?;
        let children_ns = self.adopt(index, depth.saturating_add(1), Some(id), out);
        let parent = self.stacks.get(index).and_then(|stack| stack.open.last());
        let (parent, parent_flags) = parent.map_or((None, 0), |parent| (Some(parent.id), parent.flags));
        let flags = self.context_flags(&exit.at, exit.cpu, parent_flags, symbol) | CallFlags::STARTED_BEFORE;
        let call = OpenCall {
            id,
            parent,
            start: exit.time - duration_ns,
            children_ns,
            depth,
            cpu: exit.cpu,
            flags,
            losses: self.losses_on(exit.cpu),
            symbol: symbol.to_vec(),
            args: Vec::new(),
        };
        self.close(index, call, duration_ns, exit.retval, out);
        Ok(())
    }

    /// Hands waiting calls of `depth` or deeper on as children of `parent`; their time is the answer.
    pub(super) fn adopt(
        &mut self,
        index: usize,
        depth: u16,
        parent: Option<u32>,
        out: &mut dyn CallSink,
    ) -> Ns {
        let Some(stack) = self.stacks.get_mut(index) else { return Ns::ZERO };
        if stack.orphans.is_empty() {
            return Ns::ZERO;
        }
        let split = stack.orphans.partition_point(|orphan| orphan.call.depth < depth);
        let mut total = Ns::ZERO;
        let adopted: Vec<Orphan> = stack.orphans.drain(split..).collect();
        self.orphan_count = self.orphan_count.saturating_sub(adopted.len());
        for mut orphan in adopted {
            total += orphan.duration_ns;
            orphan.call.parent = parent;
            self.hand_on(index, &orphan.call, (orphan.duration_ns, orphan.self_ns), &orphan.retval, out);
        }
        total
    }

    /// Finishes `call`, which is no longer on the stack.
    pub(super) fn close(
        &mut self,
        index: usize,
        mut call: OpenCall,
        duration_ns: Ns,
        retval: &[u8],
        out: &mut dyn CallSink,
    ) {
        let self_ns = call.children_ns.until(duration_ns);
        if self.losses_on(call.cpu) != call.losses {
            call.flags |= CallFlags::HAS_GAP;
        }
        let Some(stack) = self.stacks.get_mut(index) else { return };
        if let Some(parent) = stack.open.last_mut() {
            parent.children_ns += duration_ns;
        } else if call.depth > 0 && self.orphan_count < ORPHAN_LIMIT {
            stack.orphans.push(Orphan { call, duration_ns, self_ns, retval: retval.to_vec() });
            self.orphan_count = self.orphan_count.saturating_add(1);
            return;
        }
        self.hand_on(index, &call, (duration_ns, self_ns), retval, out);
        self.spare.push(call);
    }

    pub(super) fn emit(
        &self,
        index: usize,
        call: &OpenCall,
        duration_ns: Ns,
        self_ns: Ns,
        retval: &[u8],
        out: &mut dyn CallSink,
    ) {
        let Some(stack) = self.stacks.get(index) else { return };
        let (symbol, module) = split_module(&call.symbol);
        out.call(&Call {
            id: call.id,
            parent: call.parent,
            start: call.start,
            duration_ns,
            self_ns,
            depth: call.depth,
            cpu: call.cpu,
            task: stack.task(),
            symbol,
            module,
            args: &call.args,
            retval,
            flags: self.flags_of(call),
        });
    }
}

/// `vfio_fops_open [vfio]` as name and module.
fn split_module(printed: &[u8]) -> (&[u8], Option<&[u8]>) {
    let split = printed.strip_suffix(b"]").and_then(|printed| {
        let at = memchr::memmem::rfind(printed, b" [")?;
        Some((printed.get(..at)?, printed.get(at.checked_add(2)?..)?))
    });
    split.map_or((printed, None), |(symbol, module)| (symbol, Some(module)))
}

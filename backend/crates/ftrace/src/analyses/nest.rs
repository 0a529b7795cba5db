//! Intervals that nest on a CPU: the last to begin is the first to end.

use super::{Emit, Slice, SliceFlags, SliceKind};
use crate::model::{Code, ReadError};

/// What makes the end of an interval fit its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Line(i64),
    Named(u32),
    Softirq(i64),
}

/// An interval that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub key: Key,
    /// `None`: it is only here to be subtracted from what it interrupts.
    pub kind: Option<SliceKind>,
    pub symbol: Option<u32>,
    pub task: Option<u32>,
    pub start_ns: i64,
    pub nested_ns: i64,
}

impl Open {
    pub fn new(key: Key, start_ns: i64) -> Self {
        Self { key, kind: None, symbol: None, task: None, start_ns, nested_ns: 0 }
    }
}

/// The open intervals of one CPU, outermost first.
#[derive(Default)]
pub struct Nest {
    open: Vec<Open>,
}

impl Nest {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn is_open(&self, key: Key) -> bool {
        self.open.iter().any(|open| open.key == key)
    }

    pub fn enter(&mut self, open: Open, max_depth: u16, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if self.open.len() >= usize::from(max_depth) {
            return emit.diagnostic(Code::DepthLimit);
        }
        self.open.push(open);
        Ok(())
    }

    /// Ends the innermost interval with this key. Without one there is no duration to tell; nor is
    /// there for those inside it, whose ends were not recorded.
    pub fn exit(&mut self, key: Key, cpu: u16, t_ns: i64, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(at) = self.open.iter().rposition(|open| open.key == key) else {
            return emit.diagnostic(Code::UnpairedEvent);
        };
        let mut nested_ns = 0_i64;
        for unended in self.open.drain(at.saturating_add(1)..).rev() {
            // What ended inside it is now nested in this one.
            nested_ns = unended.nested_ns.saturating_add(nested_ns);
            emit.diagnostic(Code::UnpairedEvent)?;
        }
        if let Some(open) = self.open.last_mut() {
            open.nested_ns = open.nested_ns.saturating_add(nested_ns);
        }
        self.close(cpu, t_ns, SliceFlags::default(), emit)
    }

    /// Ends every interval at the last moment at which it is known to be open.
    pub fn end_all(
        &mut self,
        cpu: u16,
        t_ns: i64,
        flags: SliceFlags,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        while !self.open.is_empty() {
            self.close(cpu, t_ns, flags, emit)?;
        }
        Ok(())
    }

    fn close(
        &mut self,
        cpu: u16,
        t_ns: i64,
        flags: SliceFlags,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let duration_ns = t_ns.saturating_sub(open.start_ns).max(0);
        if let Some(outer) = self.open.last_mut() {
            outer.nested_ns = outer.nested_ns.saturating_add(duration_ns);
        }
        let Some(kind) = open.kind else { return Ok(()) };
        let depth = self.open.iter().filter(|outer| outer.kind == Some(kind)).count();
        emit.slice(&Slice {
            self_ns: duration_ns.saturating_sub(open.nested_ns).max(0),
            task: open.task,
            symbol: open.symbol,
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            flags,
            ..Slice::new(kind, cpu, open.start_ns, t_ns)
        })
    }
}

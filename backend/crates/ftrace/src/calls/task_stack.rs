//! The open calls of one task.

use super::call::CallFlags;
use crate::model::{Ns, TaskRef, Timestamp};

/// A call whose exit has not come yet.
#[derive(Clone, Debug, Default)]
pub struct OpenCall {
    pub id: u32,
    pub parent: Option<u32>,
    pub start: Timestamp,
    pub children_ns: Ns,
    pub depth: u16,
    pub cpu: u16,
    pub flags: u8,
    /// How many losses there had been on its CPU when it opened.
    pub losses: u64,
    /// As printed, module and all.
    pub symbol: Vec<u8>,
    pub args: Vec<u8>,
}

impl OpenCall {
    /// Its flags, when another call opens inside it: what was left out so far was not the last.
    pub fn flags_before_child(&mut self) -> u8 {
        let flags = self.flags;
        self.flags &= !CallFlags::ELIDED_LAST;
        flags
    }
}

/// A finished call whose parent had begun before the file; kept until that parent ends.
#[derive(Clone, Debug)]
pub struct Orphan {
    pub call: OpenCall,
    pub duration_ns: Ns,
    pub self_ns: Ns,
    pub retval: Vec<u8>,
}

/// The return stack of a task; it survives context switches and migration.
#[derive(Clone, Debug, Default)]
pub struct TaskStack {
    pub pid: i32,
    pub tgid: Option<i32>,
    pub comm: Vec<u8>,
    pub open: Vec<OpenCall>,
    pub orphans: Vec<Orphan>,
    pub last_cpu: u16,
    pub last_time: Timestamp,
    /// Calls past the depth limit that are open, where the lines have no depth of their own.
    pub folded: u64,
}

impl TaskStack {
    pub fn new(pid: i32) -> Self {
        Self { pid, ..Self::default() }
    }

    /// Takes over a better name; `<...>` comes as an empty one and changes nothing.
    pub fn name(&mut self, task: TaskRef<'_>) {
        if !task.comm.is_empty() && self.comm != task.comm {
            self.comm.clear();
            self.comm.extend_from_slice(task.comm);
        }
        self.tgid = task.tgid.or(self.tgid);
    }

    pub fn task(&self) -> TaskRef<'_> {
        TaskRef { pid: Some(self.pid), comm: &self.comm, tgid: self.tgid }
    }

    /// The depth of the next call, only by matching brackets.
    pub fn next_depth(&self) -> u16 {
        self.open.last().map_or(0, |top| top.depth.saturating_add(1))
    }
}

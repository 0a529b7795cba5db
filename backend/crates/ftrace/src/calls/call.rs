//! A finished call and who receives it.

use crate::model::{Diagnostic, Ns, TaskRef, Timestamp};

/// One call of a function, from entry to exit, with what ran inside it taken out of `self_ns`.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Order of opening, from 0. A call whose entry is not in the file gets its id at its end, so its
    /// id may be larger than its children's.
    pub id: u32,
    pub parent: Option<u32>,
    /// Before the first record of the trace where the call had begun before it.
    pub start: Timestamp,
    /// At least 0, as printed by the kernel where it is printed.
    pub duration_ns: Ns,
    /// `duration_ns` without the calls inside; at least 0.
    pub self_ns: Ns,
    pub depth: u16,
    /// Where the call was opened (closed, if its entry is not in the file).
    pub cpu: u16,
    /// A negative pid stands for a task that nothing has named yet; see [`CallSink::rename`].
    pub task: TaskRef<'a>,
    pub symbol: &'a [u8],
    pub module: Option<&'a [u8]>,
    pub args: &'a [u8],
    pub retval: &'a [u8],
    pub flags: CallFlags,
}

/// What is special about a call, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallFlags(pub u8);

impl CallFlags {
    /// The entry is not in the file: `start` is its end minus its duration.
    pub const STARTED_BEFORE: u8 = 1 << 0;
    /// The exit was not seen: the call is drawn to the last line of its task.
    pub const CUT_AT_END: u8 = 1 << 1;
    /// Events were lost on its CPU while it was open.
    pub const HAS_GAP: u8 = 1 << 2;
    /// A person left out calls inside it (`...`).
    pub const ELIDED_CHILDREN: u8 = 1 << 3;
    /// It ran in a hard interrupt: between the graph's markers, or under an interrupt's entry function.
    pub const IRQ: u8 = 1 << 4;
    /// A person left out calls between the one before it, or its caller's entry, and this one.
    pub const ELIDED_BEFORE: u8 = 1 << 5;
    /// A person left out the last calls inside it.
    pub const ELIDED_LAST: u8 = 1 << 6;
    /// Its callers are not in the file, and never were; none of them is open around it.
    pub const OUTERMOST: u8 = 1 << 7;

    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// Receives calls when they close, so children come before their parents.
pub trait CallSink {
    fn call(&mut self, call: &Call<'_>);
    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>);
    /// The graph shows another task on `cpu` from `ts` on.
    fn switch(&mut self, cpu: u16, ts: Timestamp, prev: TaskRef<'_>, next: TaskRef<'_>);
    /// The task that calls so far named by `placeholder_pid` is `task`.
    fn rename(&mut self, placeholder_pid: i32, task: TaskRef<'_>);
}

//! What a format hands to the [`Sink`](super::Sink), one recorded thing at a time.

use super::{Flags, Ns, Place, Timestamp};

/// The task of a record as its line or its binary header names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskRef<'a> {
    /// The kernel's pid (the thread's). `None` where the file does not say.
    pub pid: Option<i32>,
    /// At most 15 bytes from the kernel, any bytes at all from a text; empty for `<...>`.
    pub comm: &'a [u8],
    pub tgid: Option<i32>,
}

/// What sort of record an event is. Tracepoints keep their own name; the others have one name each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A tracepoint, kprobe, uprobe, synthetic event: `name` is the event's.
    Tracepoint,
    /// `trace_marker` text (`tracing_mark_write`); `name` is `print`.
    Print,
    /// `trace_printk` text; `name` is `bprint`, `args` is `caller: text`.
    Bprint,
    /// A function tracer line; `name` is `function`, `args` is `func <-parent`.
    Function,
    /// A line of a tracer itself (`osnoise`, `timerlat`, `hwlat`, `blk` ...); `name` is the tracer's.
    Tracer,
    /// What a program that measures latency printed; `name` is the program's, and `args` have one form for all.
    Measurement,
    /// A record of an unknown type; `name` says what is known of it.
    Unknown,
}

/// One ring-buffer record with a time stamp.
#[derive(Clone, Copy, Debug)]
pub struct EventRecord<'a> {
    /// Absolute, on the trace clock.
    pub ts: Timestamp,
    pub cpu: u16,
    /// The trace instance that recorded it; empty for the top one.
    pub buffer: &'a [u8],
    pub task: TaskRef<'a>,
    pub flags: Flags,
    pub kind: EventKind,
    /// `sched` for `sched_switch` where the file says it (trace.dat does, text does not).
    pub system: Option<&'a [u8]>,
    pub name: &'a [u8],
    /// The printed arguments, in the kernel's own print format where the file is binary.
    pub args: &'a [u8],
    pub place: Place,
}

/// One line or record of a function graph. The call builder pairs them.
#[derive(Clone, Copy, Debug)]
pub enum CallRecord<'a> {
    /// `f() {`
    Enter { at: GraphPoint<'a>, symbol: &'a [u8], args: &'a [u8] },
    /// `}`; `symbol` where the line names it, `duration_ns` where it is printed.
    Exit { at: GraphPoint<'a>, symbol: Option<&'a [u8]>, duration_ns: Option<Ns>, retval: &'a [u8] },
    /// `f();`
    Leaf { at: GraphPoint<'a>, symbol: &'a [u8], duration_ns: Option<Ns>, args: &'a [u8] },
    /// `==========> |` (`enter: true`) or `<========== |`.
    Irq { at: GraphPoint<'a>, enter: bool },
    /// ` 0)  prev-18 => next-17653`: the task shown on this CPU changes.
    Switch { at: GraphPoint<'a>, prev: TaskRef<'a>, next: TaskRef<'a> },
    /// `...` written by a person or a tool in place of calls.
    Elided { at: GraphPoint<'a> },
}

impl<'a> CallRecord<'a> {
    /// Where in the trace the record lies.
    pub fn at(&self) -> GraphPoint<'a> {
        match *self {
            CallRecord::Enter { at, .. }
            | CallRecord::Exit { at, .. }
            | CallRecord::Leaf { at, .. }
            | CallRecord::Irq { at, .. }
            | CallRecord::Switch { at, .. }
            | CallRecord::Elided { at } => at,
        }
    }
}

/// The CPU, task and time of a graph line.
#[derive(Clone, Copy, Debug)]
pub struct GraphPoint<'a> {
    /// Entry time for `Enter` and `Leaf`, exit time for `Exit`; `None` without absolute times.
    pub ts: Option<Timestamp>,
    pub cpu: Option<u16>,
    /// The trace instance that recorded it; empty for the top one.
    pub buffer: &'a [u8],
    /// `None` where the line does not name the task.
    pub task: Option<TaskRef<'a>>,
    pub flags: Flags,
    /// From the indentation or the record; `None` where neither can be trusted.
    pub depth: Option<u16>,
    pub place: Place,
}

/// Which stack follows an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackKind {
    Kernel,
    User,
}

/// The frames of a stack, innermost first; it belongs to the event before it on the same CPU.
#[derive(Clone, Copy, Debug)]
pub struct StackRecord<'a> {
    pub ts: Option<Timestamp>,
    pub cpu: Option<u16>,
    pub kind: StackKind,
    pub frames: &'a [&'a [u8]],
    pub place: Place,
}

/// Events that were overwritten or dropped before they could be read.
#[derive(Clone, Copy, Debug)]
pub struct LossRecord<'a> {
    /// `None` where the file says only a total.
    pub cpu: Option<u16>,
    /// The trace instance that lost them, empty for the top one; `None` where the file does not say which.
    pub buffer: Option<&'a [u8]>,
    /// The first record after the gap, where known; the loss lies between it and the last one before.
    pub ts: Option<Timestamp>,
    /// `None` where events are known to be lost but not how many.
    pub count: Option<u64>,
    pub cause: LossCause,
    pub place: Place,
}

/// Why events are not in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The kernel dropped them, and marked the gap where it lies.
    Overwritten,
    /// The same, by statistics after all records: `ts` is the first record of the CPU.
    OverwrittenBefore,
    /// A person left them out; the format has reported it.
    LeftOut,
    /// They were in the file, which is damaged there; the format has reported it.
    Unreadable,
    /// The file ends before the recording did; the format has reported it. `ts` is `None`, and all that was
    /// going on is cut off.
    CutOff,
}

/// A hand annotation (`<=== why`) kept at the time of its line.
#[derive(Clone, Copy, Debug)]
pub struct NoteRecord<'a> {
    pub ts: Option<Timestamp>,
    pub cpu: Option<u16>,
    pub text: &'a [u8],
    pub place: Place,
}

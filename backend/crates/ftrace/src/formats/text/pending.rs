//! An event whose text may continue in the next line, and the stack lines after an event.

use crate::model::{
    EventKind, EventRecord, Flags, Place, Sink, StackKind, StackRecord, Stop, TaskRef, Timestamp,
};

/// How the next line would be part of an event's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The text itself holds line ends (trace_marker, trace_printk, console).
    NewLine,
    /// A mailer broke the line: `preempt_count_add` / `<-_raw_spin_lock_irqsave`.
    Parent,
    /// A mailer broke the line: `#1 inner/outer(us): ` / `  41/41    ts:1702045267.016266287 count:9976`.
    Fields,
}

/// The event that waits for its next line.
#[derive(Debug)]
pub struct Pending {
    ts: Timestamp,
    cpu: u16,
    buffer: Vec<u8>,
    pid: Option<i32>,
    tgid: Option<i32>,
    flags: Flags,
    kind: EventKind,
    place: Place,
    continuation: Option<Continuation>,
    comm: Vec<u8>,
    name: Vec<u8>,
    args: Vec<u8>,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            ts: Timestamp(0),
            cpu: 0,
            buffer: Vec::new(),
            pid: None,
            tgid: None,
            flags: Flags::default(),
            kind: EventKind::Unknown,
            place: Place::default(),
            continuation: None,
            comm: Vec::new(),
            name: Vec::new(),
            args: Vec::new(),
        }
    }
}

impl Pending {
    /// Keeps a copy of `event`; the one before must have been flushed.
    pub fn hold(&mut self, event: &EventRecord<'_>, continuation: Continuation) {
        (self.ts, self.cpu, self.flags, self.kind, self.place) =
            (event.ts, event.cpu, event.flags, event.kind, event.place);
        (self.pid, self.tgid) = (event.task.pid, event.task.tgid);
        self.continuation = Some(continuation);
        for (to, from) in [
            (&mut self.buffer, event.buffer),
            (&mut self.comm, event.task.comm),
            (&mut self.name, event.name),
            (&mut self.args, event.args),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
    }

    /// True where an event is held back.
    pub fn is_waiting(&self) -> bool {
        self.continuation.is_some()
    }

    /// True where the waiting event says itself that it is text.
    pub fn is_print(&self) -> bool {
        matches!(self.kind, EventKind::Print | EventKind::Bprint) || self.name == b"console"
    }

    /// True where the waiting event is a marker of Android's atrace, which is one line: `C|124|VSYNC|1`, `B|340|draw`.
    pub fn is_atrace(&self) -> bool {
        self.is_print()
            && matches!(
                self.args.as_slice(),
                [b'B' | b'C' | b'S' | b'F' | b'I' | b'N' | b'G' | b'H', b'|', b'0'..=b'9', ..]
            )
    }

    /// Appends `line` where it continues the waiting event; false where it does not.
    pub fn go_on(&mut self, line: &[u8], trimmed: &[u8], max_bytes: usize) -> bool {
        let (separator, text) = match self.continuation {
            Some(Continuation::NewLine) => (b'\n', line),
            Some(Continuation::Parent) if trimmed.starts_with(b"<-") => (b' ', trimmed),
            Some(Continuation::Fields) if trimmed.first().is_some_and(u8::is_ascii_digit) => (b' ', trimmed),
            _ => return false,
        };
        if self.args.len().saturating_add(text.len()) >= max_bytes {
            return false;
        }
        if self.args.last() != Some(&b' ') {
            self.args.push(separator);
        }
        self.args.extend_from_slice(text);
        if self.continuation != Some(Continuation::NewLine) {
            self.continuation = Some(Continuation::Parent);
        }
        true
    }

    /// Hands the waiting event on, if there is one.
    pub fn flush(&mut self, sink: &mut dyn Sink) -> Result<(), Stop> {
        if self.continuation.take().is_none() {
            return Ok(());
        }
        sink.event(&EventRecord {
            ts: self.ts,
            cpu: self.cpu,
            buffer: &self.buffer,
            task: TaskRef { pid: self.pid, comm: &self.comm, tgid: self.tgid },
            flags: self.flags,
            kind: self.kind,
            system: None,
            name: &self.name,
            args: &self.args,
            place: self.place,
        })
    }
}

/// The frames read so far of one stack.
#[derive(Debug)]
pub struct StackLines {
    kind: StackKind,
    is_expected: bool,
    at: Option<(Timestamp, u16)>,
    place: Place,
    /// All frames, one after the other, and the end of each.
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Frames kept of one stack; the kernel records at most a few hundred.
const MAX_FRAMES: usize = 1_024;
const MAX_STACK_BYTES: usize = 256 << 10;

impl Default for StackLines {
    fn default() -> Self {
        Self {
            kind: StackKind::Kernel,
            is_expected: false,
            at: None,
            place: Place::default(),
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl StackLines {
    /// What kind of stack the frames that come next are of.
    pub fn expect(&mut self, kind: StackKind) {
        (self.kind, self.is_expected) = (kind, true);
    }

    /// The record that came last has no stack.
    pub fn expect_none(&mut self) {
        (self.kind, self.is_expected) = (StackKind::Kernel, false);
    }

    /// True where the lines that come next may be frames of a stack.
    pub fn is_expected(&self) -> bool {
        self.is_expected
    }

    /// Takes a frame of the stack of what was recorded `at` that time and CPU.
    pub fn push(&mut self, frame: &[u8], at: Option<(Timestamp, u16)>, place: Place) {
        if self.ends.is_empty() {
            (self.at, self.place) = (at, place);
        }
        let bytes = self.bytes.len().saturating_add(frame.len());
        if self.ends.len() < MAX_FRAMES && bytes <= MAX_STACK_BYTES {
            self.bytes.extend_from_slice(frame);
            self.ends.push(self.bytes.len());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Hands the stack on, if there are frames.
    pub fn flush(&mut self, sink: &mut dyn Sink) -> Result<(), Stop> {
        if self.ends.is_empty() {
            return Ok(());
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let frames: Vec<&[u8]> =
            starts.zip(&self.ends).filter_map(|(start, end)| self.bytes.get(start..*end)).collect();
        let (ts, cpu) = self.at.unzip();
        sink.stack(&StackRecord { ts, cpu, kind: self.kind, frames: &frames, place: self.place })?;
        self.bytes.clear();
        self.ends.clear();
        Ok(())
    }
}

//! Events on their way into `event_block`.

use super::distinct::Distinct;
use super::tables::EVENT_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::ReadError;

/// Records of a full block.
pub const BLOCK_RECORDS: usize = 8_192;
/// A block with this many bytes of text is closed early, which bounds memory and the size of a frame.
pub const BLOCK_TEXT_BYTES: usize = 2 << 20;

/// An event with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug)]
pub struct StoredEvent<'a> {
    pub t_ns: i64,
    pub cpu: i16,
    pub task: Option<i32>,
    pub event_type: i16,
    /// Zero where the file has no flag column.
    pub flags: i32,
    pub args: &'a [u8],
}

/// The block that is being filled.
#[derive(Default)]
pub struct EventBlocks {
    block: i32,
    first_seq: i64,
    times: TimeAxis,
    context_idx: Vec<i16>,
    contexts: Distinct<Context>,
    message_idx: Vec<i16>,
    /// By type, with the arguments as text.
    messages: Distinct<i16>,
}

/// Where an event happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    cpu: i16,
    task: Option<i32>,
    flags: i32,
}

impl EventBlocks {
    pub fn push(&mut self, event: &StoredEvent<'_>, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let is_full = self.times.len() >= BLOCK_RECORDS || self.messages.text_bytes() >= BLOCK_TEXT_BYTES;
        if is_full || !self.times.push(event.t_ns, event.t_ns) {
            self.flush(writer)?;
            self.times.push(event.t_ns, event.t_ns);
        }
        let context = Context { cpu: event.cpu, task: event.task, flags: event.flags };
        self.context_idx.push(self.contexts.index_of(context, b""));
        self.message_idx.push(self.messages.index_of(event.event_type, event.args));
        Ok(())
    }

    /// Writes the block out, if there is anything in it.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.times.is_empty() {
            return Ok(());
        }
        let count = i32::try_from(self.times.len()).unwrap_or(i32::MAX);
        let has_flags = self.contexts.tags().any(|context| context.flags != 0);
        let flag_count = if has_flags { self.contexts.tags().len() } else { 0 };
        writer.row(&EVENT_BLOCK, |row| {
            row.int(self.block).int(self.times.t0()).int(self.times.t1()).int(count).int(self.first_seq);
            row.ints(self.times.dt());
            row.ints(self.context_idx.iter().copied()).ints(self.message_idx.iter().copied());
            row.ints(self.contexts.tags().map(|context| context.cpu));
            row.optional_ints(self.contexts.tags().map(|context| context.task));
            row.ints(self.contexts.tags().take(flag_count).map(|context| context.flags));
            row.ints(self.messages.tags()).texts(&self.messages.texts());
        })?;
        self.block = self.block.saturating_add(1);
        self.first_seq = self.first_seq.saturating_add(i64::from(count));
        self.times.clear();
        self.context_idx.clear();
        self.contexts.clear();
        self.message_idx.clear();
        self.messages.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::blocks::{EventBlock, read_rows};
    use crate::import::testing::{KEY, Written};
    use crate::store::elements::Int;

    type Told<'a> = (i16, Option<i32>, i16, i32, &'a str);

    fn write(events: &[Told<'_>]) -> Vec<u8> {
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, KEY);
        let mut blocks = EventBlocks::default();
        for (t_ns, (cpu, task, event_type, flags, args)) in (0..).zip(events) {
            let (cpu, task, event_type, flags) = (*cpu, *task, *event_type, *flags);
            let event = StoredEvent { t_ns, cpu, task, event_type, flags, args: args.as_bytes() };
            blocks.push(&event, &mut writer).unwrap();
        }
        blocks.flush(&mut writer).unwrap();
        writer.finish().unwrap();
        written.streams(&EVENT_BLOCK).next().unwrap().to_vec()
    }

    /// What is written comes back.
    fn check(events: &[Told<'_>]) {
        let stream = write(events);
        let block = read_rows(&EVENT_BLOCK, &stream, EventBlock::read).unwrap().remove(0);
        let at = |at: usize| {
            let task = Some(block.task_idx[at]).filter(|task| *task >= 0);
            (block.cpu[at], task, block.type_idx[at], block.flags[at], block.args[at])
        };
        let told: Vec<_> = (0..block.t_ns.len()).map(at).collect();
        assert_eq!(told, events);
    }

    #[test]
    fn events_come_back_as_they_were() {
        check(&[(0, None, 0, 0, "")]);
        check(&[
            (0, Some(1), 0, 0, "x=1"),
            (1, None, 1, 0, "x=1"),
            (0, Some(1), 0, 0, "x=1"),
            (0, Some(1), 0, 0, ""),
        ]);
        check(&[(0, Some(1), 0, 5, "a"), (0, Some(1), 0, 0, "a\nb"), (0, None, 2, 5, "a")]);
    }

    #[test]
    fn a_combination_that_is_not_there_is_an_error() {
        let mut stream = write(&[(0, Some(1), 0, 0, "x=1"), (1, None, 1, 0, "x=1")]);
        let header = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, i16::OID.to_be_bytes()[3], 0, 0, 0, 2, 0, 0, 0, 1];
        let context_idx = stream.windows(header.len()).position(|window| window == header).unwrap();
        // The length of an element is four bytes, its value two.
        stream[context_idx + header.len() + 5] = 2;
        let error = read_rows(&EVENT_BLOCK, &stream, EventBlock::read).unwrap_err();
        let expected = "event_block.cpu at byte 0 of its stream: a record's combination is not in its block";
        assert_eq!(error.to_string(), expected);
    }
}

//! Events on their way into `event_block`.

use super::distinct::Distinct;
use super::tables::EVENT_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::{Ns, ReadError, Recent};

/// Records of a full block.
pub const BLOCK_RECORDS: usize = 8_192;
/// A block with this many bytes of text is closed early, which bounds memory and the size of a frame.
pub const BLOCK_TEXT_BYTES: usize = 2 << 20;

/// An event with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug)]
pub struct StoredEvent<'a> {
    pub t_ns: Ns,
    pub cpu: i16,
    pub task: Option<i32>,
    pub event_type: i16,
    /// Zero where the file has no flag column.
    pub flags: i32,
    /// Zero for the top buffer.
    pub buffer: i16,
    pub args: &'a [u8],
}

/// The events that are being collected for the next block.
#[derive(Default)]
pub struct EventBlocks {
    block: i32,
    first_seq: i64,
    events: Vec<Collected>,
    names: Names,
}

/// An event, with indices into the [`Names`] of its block.
#[derive(Clone, Copy)]
struct Collected {
    t_ns: Ns,
    context: i16,
    message: i16,
}

/// What events of one block have in common.
#[derive(Default)]
struct Names {
    contexts: Distinct<Context>,
    recent: Recent<Context, i16>,
    /// By type, with the arguments as text.
    messages: Distinct<i16>,
}

impl Names {
    fn context(&mut self, context: Context) -> i16 {
        let Self { contexts, recent, .. } = self;
        let cpu = context.cpu.cast_unsigned();
        recent.get_or(cpu, context, || Some(contexts.index_of(context, b""))).unwrap_or(i16::MAX)
    }

    fn clear(&mut self) {
        self.contexts.clear();
        self.recent = Recent::default();
        self.messages.clear();
    }
}

/// Where an event happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    cpu: i16,
    task: Option<i32>,
    flags: i32,
    buffer: i16,
}

impl EventBlocks {
    /// Adds an event, and writes the block before it if that is full.
    pub fn push(&mut self, event: &StoredEvent<'_>, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.events.len() >= BLOCK_RECORDS || self.names.messages.text_bytes() >= BLOCK_TEXT_BYTES {
            self.flush(writer)?;
        }
        let StoredEvent { cpu, task, flags, buffer, .. } = *event;
        let context = Context { cpu, task, flags, buffer };
        self.events.push(Collected {
            t_ns: event.t_ns,
            context: self.names.context(context),
            message: self.names.messages.index_of(event.event_type, event.args),
        });
        Ok(())
    }

    /// Writes what is collected: one block, or more where `dt` cannot hold a distance.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let mut events = std::mem::take(&mut self.events);
        let mut names = std::mem::take(&mut self.names);
        let (times, count) = TimeAxis::of_first(events.iter().map(|event| event.t_ns));
        if count == events.len() {
            self.write(&events, &times, &names, writer)?;
        } else {
            // The clocks of two CPUs may be seconds apart. In the order of the file each step from one
            // to the other would begin a block; in the order of time there are as many as clocks.
            events.sort_by_key(|event| event.t_ns);
            self.write_parts(&events, &names, writer)?;
        }
        events.clear();
        names.clear();
        (self.events, self.names) = (events, names);
        Ok(())
    }

    /// Writes blocks of neighbouring events, each with the names of its own only.
    fn write_parts(
        &mut self,
        events: &[Collected],
        names: &Names,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let contexts: Vec<Context> = names.contexts.tags().collect();
        let mut rest = events;
        while !rest.is_empty() {
            let (times, count) = TimeAxis::of_first(rest.iter().map(|event| event.t_ns));
            let (part, after) = rest.split_at(count);
            let mut own = Names::default();
            let renamed = part.iter().filter_map(|event| {
                let context = contexts.get(usize::try_from(event.context).ok()?)?;
                let (event_type, args) = names.messages.entry(event.message)?;
                let context = own.context(*context);
                Some(Collected { context, message: own.messages.index_of(event_type, args), ..*event })
            });
            let renamed: Vec<Collected> = renamed.collect();
            self.write(&renamed, &times, &own, writer)?;
            rest = after;
        }
        Ok(())
    }

    fn write(
        &mut self,
        events: &[Collected],
        times: &TimeAxis,
        names: &Names,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        if events.is_empty() {
            return Ok(());
        }
        let count = i32::try_from(events.len()).unwrap_or(i32::MAX);
        let Names { contexts, messages, .. } = names;
        let has_flags = contexts.tags().any(|context| context.flags != 0);
        let flag_count = if has_flags { contexts.tags().len() } else { 0 };
        let has_instances = contexts.tags().any(|context| context.buffer != 0);
        let buffer_count = if has_instances { contexts.tags().len() } else { 0 };
        writer.row(&EVENT_BLOCK, |row| {
            row.int(self.block).int(times.t0()).int(times.t1()).int(count).int(self.first_seq);
            row.ints(times.dt());
            row.ints(events.iter().map(|event| event.context));
            row.ints(events.iter().map(|event| event.message));
            row.ints(contexts.tags().map(|context| context.cpu));
            row.optional_ints(contexts.tags().map(|context| context.task));
            row.ints(contexts.tags().take(flag_count).map(|context| context.flags));
            row.ints(messages.tags()).texts(&messages.texts());
            row.ints(contexts.tags().take(buffer_count).map(|context| context.buffer));
        })?;
        self.block = self.block.saturating_add(1);
        self.first_seq = self.first_seq.saturating_add(i64::from(count));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::elements::Int;
    use crate::store::read::blocks::EventBlock;
    use crate::store::read::read_rows;
    use crate::store::testing::{KEY, Written};

    /// CPU, task, type, flags, arguments; the buffer has the number of the CPU.
    type Columns<'a> = (i16, Option<i32>, i16, i32, &'a str);

    fn write(events: &[Columns<'_>]) -> Vec<u8> {
        write_at(&mut (0..), events)
    }

    fn write_at(times_ns: &mut dyn Iterator<Item = i64>, events: &[Columns<'_>]) -> Vec<u8> {
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, KEY);
        let mut blocks = EventBlocks::default();
        for (t_ns, (cpu, task, event_type, flags, args)) in times_ns.zip(events) {
            let (cpu, task, event_type, flags) = (*cpu, *task, *event_type, *flags);
            let (buffer, args) = (cpu, args.as_bytes());
            let event = StoredEvent { t_ns: Ns(t_ns), cpu, task, event_type, flags, buffer, args };
            blocks.push(&event, &mut writer).unwrap();
        }
        blocks.flush(&mut writer).unwrap();
        writer.finish().unwrap();
        written.streams(&EVENT_BLOCK).next().unwrap().to_vec()
    }

    /// What is written comes back.
    fn check(events: &[Columns<'_>]) {
        let stream = write(events);
        let block = read_rows(&EVENT_BLOCK, &stream, EventBlock::read).unwrap().remove(0);
        let at = |at: usize| {
            let task = Some(block.task_idx[at]).filter(|task| *task >= 0);
            (block.cpu[at], task, block.type_idx[at], block.flags[at], block.args[at])
        };
        let records: Vec<_> = (0..block.t_ns.len()).map(at).collect();
        assert_eq!(records, events);
        assert_eq!(block.buffer, block.cpu);
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
        // The CPUs 0 and 8 are remembered in one place.
        check(&[
            (0, Some(1), 0, 5, "a"),
            (8, Some(1), 0, 5, "a"),
            (0, Some(1), 0, 5, "a"),
            (8, None, 0, 5, "a"),
        ]);
    }

    #[test]
    fn clocks_that_are_seconds_apart_make_a_block_each() {
        let texts = ["a", "b", "c", "d", "e"];
        let events = texts.map(|text| (i16::from(text > "b"), None, 0, 0, text));
        let far = 3_000_000_000;
        let stream = write_at(&mut [0, far, 1, far + 1, 2].into_iter(), &events);
        let blocks = read_rows(&EVENT_BLOCK, &stream, EventBlock::read).unwrap();
        let columns: Vec<_> =
            blocks.iter().map(|block| (block.first_seq, &block.t_ns[..], &block.args[..])).collect();
        assert_eq!(columns, [(0, &[0, 1, 2][..], &["a", "c", "e"][..]), (3, &[far, far + 1], &["b", "d"])]);
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

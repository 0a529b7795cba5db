//! Events on their way into `event_block`.

use super::copy::TextColumn;
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
    cpu: Vec<i16>,
    task: Vec<Option<i32>>,
    event_type: Vec<i16>,
    flags: Vec<i32>,
    has_flags: bool,
    args: TextColumn,
}

impl EventBlocks {
    pub fn push(&mut self, event: &StoredEvent<'_>, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let is_full = self.times.len() >= BLOCK_RECORDS || self.args.size_bytes() >= BLOCK_TEXT_BYTES;
        if is_full || !self.times.push(event.t_ns, event.t_ns) {
            self.flush(writer)?;
            self.times.push(event.t_ns, event.t_ns);
        }
        self.cpu.push(event.cpu);
        self.task.push(event.task);
        self.event_type.push(event.event_type);
        self.flags.push(event.flags);
        self.has_flags |= event.flags != 0;
        self.args.push(event.args);
        Ok(())
    }

    /// Writes the block out, if there is anything in it.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.times.is_empty() {
            return Ok(());
        }
        let count = i32::try_from(self.times.len()).unwrap_or(i32::MAX);
        let flags = if self.has_flags { self.flags.as_slice() } else { &[] };
        writer.row(&EVENT_BLOCK, |row| {
            row.int(self.block).int(self.times.t0()).int(self.times.t1()).int(count).int(self.first_seq);
            row.ints(self.times.dt()).ints(self.cpu.iter().copied());
            row.optional_ints(self.task.iter().copied()).ints(self.event_type.iter().copied());
            row.ints(flags.iter().copied()).texts(&self.args);
        })?;
        self.block = self.block.saturating_add(1);
        self.first_seq = self.first_seq.saturating_add(i64::from(count));
        self.times.clear();
        self.cpu.clear();
        self.task.clear();
        self.event_type.clear();
        self.flags.clear();
        self.has_flags = false;
        self.args.clear();
        Ok(())
    }
}

//! What is known of blocks before they are read.

use super::columns::read_rows;
use crate::store::decode::DecodeError;
use crate::store::tables::Table;
use crate::store::tables::projections::EVENT_HEADER;

/// A block of slices or samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    pub kind: i16,
    pub block: i32,
    pub t0: i64,
    pub t1: i64,
    pub count: i64,
    /// Its longest record.
    pub max_ns: i64,
}

/// A block of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventHeader {
    pub block: i32,
    pub t0: i64,
    pub t1: i64,
    pub count: i64,
}

impl BlockHeader {
    /// The block's kind and number, which is its primary key in the trace.
    pub fn id(&self) -> (i16, i32) {
        (self.kind, self.block)
    }
}

/// One header a block of samples or slices, in the order of the stream.
pub fn read_blocks(table: &'static Table, stream: &[u8]) -> Result<Vec<BlockHeader>, DecodeError> {
    read_rows(table, stream, |row| {
        row.skip("trace_key")?;
        Ok(BlockHeader {
            kind: row.int("kind")?,
            block: row.int("block")?,
            t0: row.int("t0")?,
            t1: row.int("t1")?,
            count: row.int::<i32>("count")?.into(),
            max_ns: row.int("max_ns")?,
        })
    })
}

/// One header a block of events, in the order of the stream.
pub fn read_events(stream: &[u8]) -> Result<Vec<EventHeader>, DecodeError> {
    read_rows(&EVENT_HEADER, stream, |row| {
        row.skip("trace_key")?;
        Ok(EventHeader {
            block: row.int("block")?,
            t0: row.int("t0")?,
            t1: row.int("t1")?,
            count: row.int::<i32>("count")?.into(),
        })
    })
}

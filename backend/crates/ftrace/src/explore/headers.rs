//! What is known of blocks before they are read.

use super::ExploreError;
use super::blocks::read_rows;
use super::protocol::{Filter, Listed, Stored};
use super::request::Window;
use super::wanted::Wanted;
use crate::store::decode::DecodeError;
use crate::store::tables::Table;
use crate::store::tables::projections::{EVENT_HEADER, SAMPLE_HEADER, SLICE_HEADER};

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
    pub fn id(&self) -> (i16, i32) {
        (self.kind, self.block)
    }
}

/// Of every block of a trace.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    pub samples: Vec<BlockHeader>,
    pub slices: Vec<BlockHeader>,
    pub events: Vec<EventHeader>,
}

impl Headers {
    pub async fn fetch(stored: &Stored) -> Result<Self, ExploreError> {
        let [samples, slices, events] = stored.whole([&SAMPLE_HEADER, &SLICE_HEADER, &EVENT_HEADER]).await;
        Ok(Self {
            samples: read_blocks(&SAMPLE_HEADER, &samples)?,
            slices: read_blocks(&SLICE_HEADER, &slices)?,
            events: read_events(&events)?,
        })
    }

    /// Only the blocks of samples and slices that hold what is wanted.
    pub async fn of_samples(stored: &Stored, wanted: &Wanted) -> Result<Self, ExploreError> {
        let needs = [&SAMPLE_HEADER, &SLICE_HEADER].map(|table| wanted.narrow(stored.all(table)));
        let [samples, slices] = stored.parts(needs).await;
        Ok(Self {
            samples: read_blocks(&SAMPLE_HEADER, &samples)?,
            slices: read_blocks(&SLICE_HEADER, &slices)?,
            ..Self::default()
        })
    }

    /// Only the blocks of events that hold one of the types.
    pub async fn of_types(stored: &Stored, types: &[i16]) -> Result<Self, ExploreError> {
        let events = stored
            .all(&EVENT_HEADER)
            .filtered(Filter::Holds(Listed::Type, types.iter().map(|one| i32::from(*one)).collect()));
        let events = stored.part(events).await;
        Ok(Self { events: read_events(&events)?, ..Self::default() })
    }
}

/// The blocks of one kind that have an instant in the window.
pub fn touching(blocks: &[BlockHeader], kind: i16, window: Window) -> Vec<(i16, i32)> {
    let touches =
        |block: &&BlockHeader| block.kind == kind && block.t1 >= window.start_ns && block.t0 < window.end_ns;
    blocks.iter().filter(touches).map(BlockHeader::id).collect()
}

/// Headers of all blocks of slices.
pub async fn slice_headers(stored: &Stored) -> Result<Vec<BlockHeader>, DecodeError> {
    let [headers] = stored.whole([&SLICE_HEADER]).await;
    read_blocks(&SLICE_HEADER, &headers)
}

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

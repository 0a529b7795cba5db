//! Which blocks there are, for questions that read only some of them.

use super::protocol::{Filter, Listed, Stored};
use super::request::Window;
use super::wanted::Wanted;
use super::{ExploreError, kind};
use crate::store::decode::DecodeError;
use crate::store::read::headers::{BlockHeader, EventHeader, read_blocks, read_events};
use crate::store::tables::projections::{EVENT_HEADER, SAMPLE_HEADER, SLICE_HEADER};

/// Of every block of a trace.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    pub samples: Vec<BlockHeader>,
    pub slices: Vec<BlockHeader>,
    pub events: Vec<EventHeader>,
}

impl Headers {
    /// Headers of all samples and events, and of the slices of CPUs.
    pub async fn fetch(stored: &Stored) -> Result<Self, ExploreError> {
        let [samples, slices, events] = stored.whole([&SAMPLE_HEADER, &SLICE_HEADER, &EVENT_HEADER]).await;
        Ok(Self {
            samples: read_blocks(&SAMPLE_HEADER, &samples)?,
            slices: of_cpus(read_blocks(&SLICE_HEADER, &slices)?),
            events: read_events(&events)?,
        })
    }

    /// Only the blocks of samples and slices that hold what is wanted.
    pub async fn of_samples(stored: &Stored, wanted: &Wanted) -> Result<Self, ExploreError> {
        let needs = [&SAMPLE_HEADER, &SLICE_HEADER].map(|table| wanted.narrow(stored.all(table)));
        let [samples, slices] = stored.parts(needs).await;
        Ok(Self {
            samples: read_blocks(&SAMPLE_HEADER, &samples)?,
            slices: of_cpus(read_blocks(&SLICE_HEADER, &slices)?),
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

/// What tasks did without a CPU is only for their lanes, and arrows for pictures: cases are explained by what ran,
/// and by events.
fn of_cpus(mut blocks: Vec<BlockHeader>) -> Vec<BlockHeader> {
    blocks.retain(|block| kind::is_of_cpu(block.kind));
    blocks
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
    read_blocks(&SLICE_HEADER, &headers).map(of_cpus)
}

//! The blocks of slices of a window, one after the other.

use std::collections::VecDeque;

use super::super::ExploreError;
use super::super::headers::slice_headers;
use super::super::protocol::{Part, Stored};
use super::scope::Scope;
use crate::analyses::SliceKind;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::headers::BlockHeader;

/// Blocks of what is drawn on lanes of CPUs, but for calls, in the order of their kinds. Arrows and states of tasks
/// overlap on a CPU.
pub struct SliceBlocks(VecDeque<BlockHeader>);

impl SliceBlocks {
    /// The blocks of slices of CPUs with an instant in the window.
    pub async fn plan(stored: &Stored, scope: &Scope) -> Result<Self, ExploreError> {
        let mut headers = slice_headers(stored).await?;
        let window = scope.window;
        headers.retain(|block| {
            is_on_cpus(block.kind) && block.t0 < window.end_ns && block.t1 >= window.start_ns
        });
        Ok(Self(headers.into()))
    }

    /// The next block; the one after it is fetched in the background.
    pub async fn next(&mut self, stored: &Stored) -> Option<Part> {
        let header = self.0.pop_front()?;
        let need = |header: &BlockHeader| stored.blocks(SliceBlock::TABLE, &[header.id()]);
        stored.expect(self.0.front().map(need));
        Some(stored.part(need(&header)).await)
    }
}

fn is_on_cpus(kind: i16) -> bool {
    SliceKind::of_code(kind).is_some_and(|kind| kind != SliceKind::Call && kind.is_of_cpu())
}

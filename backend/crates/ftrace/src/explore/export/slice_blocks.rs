//! The blocks of slices of a window, one after the other.

use std::collections::VecDeque;

use super::super::ExploreError;
use super::super::headers::slice_headers;
use super::super::kind::CALL;
use super::super::protocol::{Part, Stored};
use super::scope::Scope;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::headers::BlockHeader;

/// Blocks of slices that are no calls, in the order of their kinds.
pub struct SliceBlocks(VecDeque<BlockHeader>);

impl SliceBlocks {
    pub async fn plan(stored: &Stored, scope: &Scope) -> Result<Self, ExploreError> {
        let mut headers = slice_headers(stored).await?;
        let window = scope.window;
        headers.retain(|block| block.kind != CALL && block.t0 < window.end_ns && block.t1 >= window.start_ns);
        Ok(Self(headers.into()))
    }

    /// The next block; the one behind it is fetched meanwhile.
    pub async fn next(&mut self, stored: &Stored) -> Option<Part> {
        let header = self.0.pop_front()?;
        let need = |header: &BlockHeader| stored.blocks(SliceBlock::TABLE, &[header.id()]);
        stored.expect(self.0.front().map(need));
        Some(stored.part(need(&header)).await)
    }
}

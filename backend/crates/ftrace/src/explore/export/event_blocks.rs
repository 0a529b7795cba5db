//! The blocks of events of a window, one after the other.

use std::collections::VecDeque;

use super::super::ExploreError;
use super::super::protocol::{Filter, Listed, Part, Stored};
use super::super::request::Window;
use super::scope::Scope;
use crate::store::read::blocks::EventBlock;
use crate::store::read::headers::{EventHeader, read_events};
use crate::store::tables::projections::EVENT_HEADER;

/// Blocks that are still to be read, in the order of the trace.
#[derive(Clone)]
pub struct EventBlocks(VecDeque<EventHeader>);

impl EventBlocks {
    /// The blocks of events with a record on the wanted CPUs in the window.
    pub async fn plan(stored: &Stored, scope: &Scope) -> Result<Self, ExploreError> {
        let mut need = stored.all(&EVENT_HEADER);
        if !scope.cpus.is_empty() {
            need = need
                .filtered(Filter::Holds(Listed::Cpu, scope.cpus.iter().map(|cpu| i32::from(*cpu)).collect()));
        }
        let mut headers = read_events(&stored.part(need).await)?;
        headers.retain(|header| header.t0 < scope.window.end_ns && header.t1 >= scope.window.start_ns);
        Ok(Self(headers.into()))
    }

    /// The headers of the blocks that are still to be read.
    pub fn headers(&self) -> impl Iterator<Item = &EventHeader> {
        self.0.iter()
    }

    /// The window in pieces that hold about as many events each.
    pub fn pieces(&self, window: Window) -> Vec<Window> {
        let mut starts: Vec<i64> = self.0.iter().map(|header| header.t0.max(window.start_ns)).collect();
        starts.push(window.start_ns);
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([window.end_ns]);
        starts.iter().zip(ends).map(|(start_ns, end_ns)| Window { start_ns: *start_ns, end_ns }).collect()
    }

    /// The next block; the one after it is fetched in the background.
    pub async fn next(&mut self, stored: &Stored) -> Option<Part> {
        let header = self.0.pop_front()?;
        let need = |header: &EventHeader| stored.numbered(EventBlock::TABLE, &[header.block]);
        stored.expect(self.0.front().map(need));
        Some(stored.part(need(&header)).await)
    }
}

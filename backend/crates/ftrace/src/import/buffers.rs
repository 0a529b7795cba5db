//! The trace instances that records come from, each with a ring buffer of its own.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::{Interned, Names};
use crate::model::Ns;
use crate::store::text::storable;

/// Instances with a number of their own, so that a bit of an `u128` stands for each, for the top buffer, and
/// for all others together. Instances are made by hand.
const MAX_NAMES: usize = 126;

/// What stands for every instance past the limit.
const OTHER_BUFFERS: &[u8] = b"(other instances)";

/// The number of the top buffer.
pub const TOP: u8 = 0;

/// Instances by number, counted from 1, and what was recorded in them.
pub struct Buffers {
    names: Names<()>,
    event_counts: Vec<i64>,
    /// By CPU and buffer; kept where there are several.
    last_records_ns: BTreeMap<(u16, u8), Ns>,
}

/// A buffer and how many events it has.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct BufferCount {
    /// `None` for the top buffer.
    pub name: Option<String>,
    pub event_count: i64,
}

impl Default for Buffers {
    fn default() -> Self {
        Self { names: Names::new(MAX_NAMES), event_counts: Vec::new(), last_records_ns: BTreeMap::new() }
    }
}

impl Buffers {
    /// The number of a buffer; `Err` with that of all others for one past the limit.
    pub fn number(&mut self, name: &[u8]) -> Result<u8, u8> {
        if name.is_empty() {
            return Ok(TOP);
        }
        let behind_top = |idx: u32| u8::try_from(idx.saturating_add(1)).unwrap_or(u8::MAX);
        match self.names.intern((), name, None) {
            Interned::Known(idx) | Interned::New(idx) => Ok(behind_top(idx)),
            Interned::Refused => Err(behind_top(self.names.next_index())),
        }
    }

    /// True once there is an instance beside the top buffer.
    pub fn are_several(&self) -> bool {
        self.names.next_index() > 0
    }

    /// Counts an event of a buffer by its number, from 0 for the top one.
    pub fn count_event(&mut self, buffer: u8) {
        let at = usize::from(buffer);
        if self.event_counts.len() <= at {
            self.event_counts.resize(at.saturating_add(1), 0);
        }
        if let Some(count) = self.event_counts.get_mut(at) {
            *count = count.saturating_add(1);
        }
    }

    /// A record of `cpu` is at `t_ns`.
    pub fn touch(&mut self, cpu: u16, buffer: u8, t_ns: Ns) {
        if self.are_several() {
            self.last_records_ns.insert((cpu, buffer), t_ns);
        }
    }

    /// The last record of `cpu` in this buffer.
    pub fn last_record(&self, cpu: u16, buffer: u8) -> Option<Ns> {
        self.last_records_ns.get(&(cpu, buffer)).copied()
    }

    /// All buffers in the order of their numbers; none where there is no instance.
    pub fn counts(&self) -> Vec<BufferCount> {
        if !self.are_several() {
            return Vec::new();
        }
        let instances = self.names.iter().map(|(_, name)| Some(name.name));
        let names = std::iter::once(None).chain(instances);
        let known_count = usize::try_from(self.names.next_index()).unwrap_or(MAX_NAMES).saturating_add(1);
        let has_others = self.event_counts.len() > known_count;
        let names = names.chain(has_others.then_some(Some(OTHER_BUFFERS)));
        let counted = self.event_counts.iter().copied().chain(std::iter::repeat(0));
        names
            .zip(counted)
            .map(|(name, event_count)| BufferCount {
                name: name.map(|name| String::from_utf8_lossy(&storable(name)).into_owned()),
                event_count,
            })
            .collect()
    }
}

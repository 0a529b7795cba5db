//! Arrows that have begun and not ended.

use std::collections::BTreeSet;
use std::hash::Hash;

use hashbrown::HashMap;

use super::{Lossy, Origin};
use crate::analyses::{Event, Gap, LossKind};

/// What has begun, by the key that its end will have. The end may come on any CPU, so a loss on any may hide it.
pub struct Open<K> {
    max_count: usize,
    origins: HashMap<K, Origin>,
    lossy: Lossy,
    /// CPUs of which nothing can be read at present.
    unreadable: BTreeSet<u16>,
}

impl<K: Eq + Hash> Open<K> {
    pub fn new(max_count: usize) -> Self {
        Self { max_count, origins: HashMap::new(), lossy: Lossy::default(), unreadable: BTreeSet::new() }
    }

    /// Takes note that events of this CPU can be read.
    pub fn see(&mut self, event: &Event<'_>) {
        if !self.unreadable.is_empty() && self.unreadable.remove(&event.cpu) {
            self.origins.clear();
        }
    }

    /// The later of two beginnings counts.
    pub fn begin(&mut self, key: K, event: &Event<'_>) {
        if self.origins.len() < self.max_count || self.origins.contains_key(&key) {
            self.origins.insert(key, Origin::of(event));
        }
    }

    /// The origin stored under `key`, taken out; `None` where there is none or a loss may hide a later one.
    pub fn end(&mut self, key: &K, event: &Event<'_>) -> Option<Origin> {
        let origin = self.origins.remove(key)?;
        (self.unreadable.is_empty() && !self.lossy.hides(origin, event)).then_some(origin)
    }

    /// Forgets every open origin, because the lost events may have ended it or begun another.
    pub fn gap(&mut self, gap: Gap) {
        self.origins.clear();
        self.lossy.gap(gap);
        if gap.kind == LossKind::Unreadable {
            self.unreadable.insert(gap.cpu);
        }
    }
}

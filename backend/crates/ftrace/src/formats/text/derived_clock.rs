//! Times for a graph that was recorded without any: laid out per CPU from the printed durations.

use hashbrown::HashMap;

use crate::model::Timestamp;

const MAX_DEPTH: u16 = 1_024;

/// One cursor per CPU. It starts at zero, moves over every leaf by its duration, and at a close to the
/// opening of that call plus its duration. Depths past 1,024 count as one.
#[derive(Debug, Default)]
pub struct DerivedClock {
    cpus: HashMap<u16, Cursor>,
}

#[derive(Debug, Default)]
struct Cursor {
    now: i64,
    /// Begin of the earliest line at each depth since the last shallower one, and whether it is an open call.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    depth: u16,
    start: i64,
    is_open: bool,
}

impl DerivedClock {
    /// The time of the next line of `cpu`.
    pub fn now(&mut self, cpu: u16) -> Timestamp {
        Timestamp(self.cpus.entry(cpu).or_default().now)
    }

    /// The time of an entry at `depth`, which ends every call of this CPU that is as deep or deeper.
    pub fn enter(&mut self, cpu: u16, depth: u16) -> Timestamp {
        let depth = depth.min(MAX_DEPTH);
        let cursor = self.cpus.entry(cpu).or_default();
        cursor.marks.truncate(cursor.shallower(depth));
        cursor.marks.push(Mark { depth, start: cursor.now, is_open: true });
        Timestamp(cursor.now)
    }

    /// The entry of a leaf; the cursor moves on to its exit.
    pub fn leaf(&mut self, cpu: u16, depth: u16, duration_ns: i64) -> Timestamp {
        let depth = depth.min(MAX_DEPTH);
        let cursor = self.cpus.entry(cpu).or_default();
        let start = cursor.now;
        cursor.remember(depth, start);
        cursor.now = start.saturating_add(duration_ns);
        Timestamp(start)
    }

    /// The exit of the call at `depth`. Where its entry is not in the file, it began with the first
    /// deeper line before it, or now.
    pub fn exit(&mut self, cpu: u16, depth: u16, duration_ns: i64) -> Timestamp {
        let depth = depth.min(MAX_DEPTH);
        let cursor = self.cpus.entry(cpu).or_default();
        let at = cursor.shallower(depth);
        let inner = cursor.marks.get(at).copied();
        let start = match inner {
            Some(mark) if mark.depth == depth && !mark.is_open => {
                cursor.marks.get(at.saturating_add(1)).map_or(cursor.now, |deeper| deeper.start)
            }
            Some(mark) => mark.start,
            None => cursor.now,
        };
        cursor.now = cursor.now.max(start.saturating_add(duration_ns));
        cursor.remember(depth, start);
        Timestamp(cursor.now)
    }
}

impl Cursor {
    /// How many marks are shallower than `depth`.
    fn shallower(&self, depth: u16) -> usize {
        self.marks.partition_point(|mark| mark.depth < depth)
    }

    /// Keeps the earliest line at `depth` and forgets all deeper ones.
    fn remember(&mut self, depth: u16, start: i64) {
        let at = self.shallower(depth);
        let start = match self.marks.get(at) {
            Some(mark) if mark.depth == depth => mark.start.min(start),
            _ => start,
        };
        self.marks.truncate(at);
        self.marks.push(Mark { depth, start, is_open: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_close_lies_at_its_opening_plus_its_duration() {
        let mut clock = DerivedClock::default();
        assert_eq!(clock.enter(0, 0), Timestamp(0));
        assert_eq!(clock.leaf(0, 1, 20), Timestamp(0));
        assert_eq!(clock.leaf(0, 1, 30), Timestamp(20));
        assert_eq!(clock.exit(0, 0, 100), Timestamp(100));
        assert_eq!(clock.enter(0, 0), Timestamp(100));
        assert_eq!(clock.enter(1, 0), Timestamp(0));
    }

    #[test]
    fn closes_alone_contain_the_deeper_ones_before_them() {
        let mut clock = DerivedClock::default();
        assert_eq!(clock.exit(0, 2, 30), Timestamp(30));
        assert_eq!(clock.exit(0, 1, 32), Timestamp(32));
        assert_eq!(clock.exit(0, 1, 10), Timestamp(42));
        assert_eq!(clock.exit(0, 0, 50), Timestamp(50));
    }
}

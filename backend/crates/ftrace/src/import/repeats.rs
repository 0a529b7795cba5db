//! Records that several trace instances made of the same moment.
//!
//! A tracepoint that is enabled in several instances writes a record to each of them, one right after the
//! other, from one task on one CPU; only interrupts come in between. Analyses want to see it once.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};

use crate::model::Ns;

/// Between the first record of a moment and the last one: what a few interrupts take, and less than it takes
/// to come to the same tracepoint with the same arguments again.
const WINDOW: Ns = Ns(10_000);

/// Records of a CPU that are remembered: those of the interrupts that came in between.
const REMEMBERED: usize = 8;

/// What was recorded last, on each CPU.
#[derive(Default)]
pub struct Repeats {
    hasher: DefaultHashBuilder,
    cpus: HashMap<u16, VecDeque<First>>,
}

/// The first record of a moment.
struct First {
    t_ns: Ns,
    /// Of everything that records of the same moment have in common.
    hash: u64,
    /// A bit for each buffer that has it.
    buffers: u128,
}

/// What records of the same moment have in common, beside their CPU.
#[derive(Clone, Copy, Hash)]
pub struct Content<'a> {
    pub event_type: usize,
    pub pid: Option<i32>,
    pub args: &'a [u8],
}

impl Repeats {
    /// True where another buffer has this record already; it is remembered if not.
    pub fn is_repeated(&mut self, cpu: u16, buffer: u8, t_ns: Ns, content: Content<'_>) -> bool {
        let hash = self.hasher.hash_one(content);
        let bit = 1_u128.checked_shl(u32::from(buffer)).unwrap_or_default();
        let firsts = self.cpus.entry(cpu).or_default();
        let is_same = |first: &&mut First| {
            let passed_ns = t_ns - first.t_ns;
            first.hash == hash && first.buffers & bit == 0 && (Ns::ZERO..=WINDOW).contains(&passed_ns)
        };
        if let Some(first) = firsts.iter_mut().find(is_same) {
            first.buffers |= bit;
            return true;
        }
        if firsts.len() >= REMEMBERED {
            firsts.pop_front();
        }
        firsts.push_back(First { t_ns, hash, buffers: bit });
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Buffer, CPU, time and arguments each; answers which of them are repeated.
    fn check(records: &[(u8, u16, i64, &str)], expected: &[usize]) {
        let mut repeats = Repeats::default();
        let is_repeated = |(_, (buffer, cpu, t_ns, args)): &(usize, &(u8, u16, i64, &str))| {
            let content = Content { event_type: 1, pid: Some(7), args: args.as_bytes() };
            repeats.is_repeated(*cpu, *buffer, Ns(*t_ns), content)
        };
        let repeated: Vec<_> = records.iter().enumerate().filter(is_repeated).map(|(idx, _)| idx).collect();
        assert_eq!(repeated, expected);
    }

    #[test]
    fn every_other_buffer_repeats_a_record_once() {
        check(&[(0, 0, 10, "a"), (1, 0, 11, "a"), (2, 0, 12, "a")], &[1, 2]);
        check(&[(0, 0, 10, "a"), (1, 0, 11, "a"), (0, 0, 20, "a"), (1, 0, 21, "a")], &[1, 3]);
        check(&[(0, 0, 10, "a"), (0, 0, 11, "a"), (1, 0, 12, "a"), (1, 0, 13, "a")], &[2, 3]);
    }

    #[test]
    fn other_moments_are_no_repetition() {
        check(&[(0, 0, 10, "a"), (0, 0, 10, "a")], &[]);
        check(&[(0, 0, 10, "a"), (1, 0, 10, "b")], &[]);
        check(&[(0, 0, 10, "a"), (1, 1, 10, "a")], &[]);
        check(&[(0, 0, 10, "a"), (1, 0, 10_011, "a"), (0, 0, 20_011, "a")], &[2]);
    }

    #[test]
    fn an_interrupt_in_between_may_record_something() {
        check(&[(0, 0, 10, "a"), (0, 0, 20, "b"), (1, 0, 21, "b"), (1, 0, 30, "a")], &[2, 3]);
    }
}

//! The frequency of a CPU, as its counter says it.

use crate::store::read::blocks::CounterBlock;
use crate::store::read::dictionaries::{Counter, Dictionary};

/// The frequency of a CPU at a time, where a change of it lies in the blocks before that.
pub fn frequency_khz(
    blocks: &[CounterBlock],
    counters: &Dictionary<Counter<'_>>,
    cpu: i16,
    t_ns: i64,
) -> Option<i64> {
    let is_frequency =
        |idx: i16| counters.get(i32::from(idx)).is_some_and(|counter| counter.name == "cpu_frequency");
    let mut last: Option<(i64, i64)> = None;
    for block in blocks {
        let places = block.t_ns.iter().zip(&block.cpu);
        for ((at_ns, at_cpu), (counter, value)) in places.zip(block.counter_idx.iter().zip(&block.value)) {
            let is_later = last.is_none_or(|(last_ns, _)| last_ns <= *at_ns);
            if *at_cpu == cpu && *at_ns <= t_ns && is_later && is_frequency(*counter) {
                last = Some((*at_ns, *value));
            }
        }
    }
    last.map(|(_, khz)| khz)
}

/// The frequencies of a CPU that the blocks record, by time.
pub fn frequencies_khz(
    blocks: &[CounterBlock],
    counters: &Dictionary<Counter<'_>>,
    cpu: i16,
) -> Vec<(i64, i64)> {
    let is_frequency =
        |idx: i16| counters.get(i32::from(idx)).is_some_and(|counter| counter.name == "cpu_frequency");
    let changes = blocks.iter().flat_map(|block| {
        let places = block.t_ns.iter().zip(&block.cpu).zip(block.counter_idx.iter().zip(&block.value));
        let of_cpu = places.filter(|((_, at_cpu), (counter, _))| **at_cpu == cpu && is_frequency(**counter));
        of_cpu.map(|((t_ns, _), (_, value))| (*t_ns, *value))
    });
    let mut changes: Vec<(i64, i64)> = changes.collect();
    changes.sort_unstable();
    changes
}

//! Where a CPU executed nothing: holes inside interrupts, softirqs and the scheduler's own path.

use std::collections::BTreeMap;

use super::scene::Scene;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// A hole is no stall unless it is so long, and so many times longer than such a pair of events is apart.
const MIN_STALL_NS: i64 = 20_000;
const TIMES_THE_MEDIAN: i64 = 20;
/// Of fewer pairs nothing is known.
const MIN_PAIRS: usize = 4;

/// A stretch in which a CPU executed nothing, though it had nothing to wait for.
#[derive(Clone, Copy)]
pub struct Hole<'s, 'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    pub events: [&'s Seen<'a>; 2],
    /// How long it is between two such events as a rule.
    pub usual: Option<Usual>,
}

/// The holes that touch [start, end) of a CPU.
pub fn holes<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Hole<'s, 'a>> {
    // The event before it may be the beginning of a hole.
    let before = scene.last_event(cpu, start_ns);
    let inside = scene.events(cpu, start_ns.saturating_add(1), i64::MAX);
    let until = inside.partition_point(|event| event.t_ns < end_ns).saturating_add(1).min(inside.len());
    let inside = inside.get(..until).unwrap_or_default();
    let events: Vec<&'s Seen<'a>> = before.into_iter().chain(inside.iter().copied()).collect();
    let pairs = events.iter().zip(events.iter().skip(1));
    let holes = pairs.filter_map(|(first, second)| {
        let hole_ns = second.t_ns.saturating_sub(first.t_ns);
        if hole_ns < MIN_STALL_NS || !is_in_one_go(first, second) {
            return None;
        }
        let usual = scene.around.usual_gap(first, second, hole_ns);
        let is_stall = usual.is_none_or(|usual| hole_ns >= usual.median_ns.saturating_mul(TIMES_THE_MEDIAN));
        is_stall.then_some(Hole { start_ns: first.t_ns, end_ns: second.t_ns, events: [first, second], usual })
    });
    holes.collect()
}

/// True where nothing but the kernel's own short path lies between two events of a CPU: both inside of one interrupt,
/// or from a moment with interrupts off to the switch.
fn is_in_one_go(first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let flags = |event: &Seen<'_>| Flags(event.flags.cast_unsigned());
    let interrupt = |event: &Seen<'_>| {
        let flags = flags(event);
        (flags.has(Flags::NMI), flags.has(Flags::HARDIRQ), flags.has(Flags::SOFTIRQ))
    };
    let context = interrupt(first);
    if context != (false, false, false) {
        return context == interrupt(second) && !first.ends_interrupt() && !second.begins_interrupt();
    }
    flags(first).has(Flags::IRQS_OFF) && first.task_idx == second.task_idx && second.switch().is_some()
}

/// How far apart two kinds of events of one CPU are when they follow each other in one go.
#[derive(Default)]
pub struct Gaps(BTreeMap<(i32, i32), Vec<i64>>);

impl Gaps {
    /// Counts what lies between the events of a block, which are in the order of the trace.
    pub fn count<'a>(&mut self, events: impl Iterator<Item = Seen<'a>>) {
        let mut last: BTreeMap<i16, Seen<'a>> = BTreeMap::new();
        for event in events {
            if let Some(before) = last.insert(event.cpu, event).filter(|before| is_in_one_go(before, &event))
            {
                let gap_ns = event.t_ns.saturating_sub(before.t_ns);
                self.0.entry((before.type_idx, event.type_idx)).or_default().push(gap_ns);
            }
        }
    }

    /// What a pair takes as a rule, where there are enough of them, and which place `gap_ns` has among them.
    pub fn usual(&self, pair: (i32, i32), gap_ns: i64) -> Option<Usual> {
        let mut gaps = self.0.get(&pair).filter(|gaps| gaps.len() >= MIN_PAIRS)?.clone();
        gaps.sort_unstable();
        let at = |part: usize| {
            gaps.get(gaps.len().saturating_sub(1).saturating_mul(part).div_euclid(100)).copied()
        };
        let longer = gaps.len().saturating_sub(gaps.partition_point(|gap| *gap <= gap_ns));
        Some(Usual {
            count: gaps.len(),
            median_ns: at(50)?.max(1),
            p99_ns: at(99)?,
            rank: longer.saturating_add(1),
        })
    }
}

/// What such a stretch takes elsewhere in the recording around the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    pub count: usize,
    pub median_ns: i64,
    pub p99_ns: i64,
    /// Of this one; the longest is the first.
    pub rank: usize,
}

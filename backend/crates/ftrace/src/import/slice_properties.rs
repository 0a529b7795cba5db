//! What holds for the slices of any events, however little they fit together.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::testing::import_lines;
use crate::analyses::{SampleSource, SliceKind};
use crate::kinds::latency_kinds;
use crate::rollup::{TICK, TIMER_INTERRUPT};
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::read_rows;
use crate::store::read::samples::read_samples;
use crate::store::tables;
use crate::store::testing::Written;

/// Events of every role, in any order, and losses.
const LINES: [&str; 43] = [
    "sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120",
    "sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120",
    "irq_handler_entry: irq=34 name=eth0",
    "irq_handler_exit: irq=34 ret=handled",
    "local_timer_entry: vector=236",
    "local_timer_exit: vector=236",
    "softirq_entry: vec=1 [action=TIMER]",
    "softirq_exit: vec=1 [action=TIMER]",
    "cpu_idle: state=1 cpu_id=0",
    "cpu_idle: state=4294967295 cpu_id=0",
    "irq_disable: caller=a+0x1/0x2 parent=b+0x1/0x2",
    "irq_enable: caller=a+0x1/0x2 parent=b+0x1/0x2",
    "preempt_disable: caller=schedule+0x1/0x2 parent=b+0x1/0x2",
    "preempt_enable: caller=a+0x1/0x2 parent=b+0x1/0x2",
    "softirq_raise: vec=1 [action=TIMER]",
    "sched_waking: comm=b pid=2 prio=120 target_cpu=000",
    "sys_enter: NR 0 (3, 0, 0, 0, 0, 0)",
    "sys_enter_read: fd: 3",
    "sys_exit: NR 0 = 1",
    "sys_exit_clock_nanosleep: 0x0",
    "sched_wakeup: comm=a pid=1 prio=19 target_cpu=001",
    "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000 softexpires=1000 mode=ABS",
    "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=9223372036854775807 softexpires=0",
    "hrtimer_start: hrtimer=00000000000000bb function=tick_nohz_handler expires=0 softexpires=0 mode=ABS",
    "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=3000",
    "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=-9223372036854775807",
    "hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=9223372036854775807",
    "hrtimer_expire_exit: hrtimer=00000000000000aa",
    "timerlat: #1 context thread timer_latency 1500 ns",
    "osnoise: 1000000 190 99.98100 9 18 0 1007 18 1",
    "hwlat: #1 inner/outer(us): 9223372036854775807/9 ts:1.000000000",
    "hwlat: #1 inner/outer(us): 7/9 ts:1.000000000",
    "irq_noise: local_timer:236 start 1.000000001 duration 1500 ns",
    "irq_noise: eth0:34 start 1.000000500 duration 2500 ns",
    "softirq_noise: RCU:9 start 1.000001000 duration 1500 ns",
    "thread_noise: b:2 start 0.999999000 duration 3000 ns",
    "nmi_noise: start 1.000002000 duration 700 ns",
    "sample_threshold: start 1.000001500 duration 900 ns interference 0",
    "thread_noise: a:1 start 9223372036.854775807 duration 9223372036854775807 ns",
    "probe: delta=3 [us]",
    "probe: delta=-9223372036854775808 [ms] lag=7 [us]",
    "probe: lag=5 [us]",
    "probe: delta=9223372036854775807 [us]",
];

/// Kinds whose events state a duration, which may reach back to before the first record.
const STATED: [&str; 6] = ["timer", "cyclic", "timerlat", "osnoise", "hwlat", "field"];
/// Noise may have begun before the trace did.
const NOISE: i16 = SliceKind::Noise.code();

fn recording(events: &[(u16, usize, u32)]) -> String {
    let mut micros = 0;
    let lines = events.iter().map(|(cpu, line, step)| {
        micros += step;
        match LINES.get(*line) {
            Some(event) => format!("a-1 [{cpu}] 1.{micros:06}: {event}\n"),
            None => format!("LOST [{cpu}]\n"),
        }
    });
    lines.collect()
}

type Lane = (i16, i32, i16);

/// (start, end, self) of the slices of each lane (kind, cpu, depth), by start; states of tasks are on a lane for each
/// task, whatever the state.
fn lanes(written: &Written) -> BTreeMap<Lane, Vec<(i64, i64, i64)>> {
    let mut lanes: BTreeMap<Lane, Vec<(i64, i64, i64)>> = BTreeMap::new();
    for stream in written.streams(&tables::SLICE_BLOCK) {
        for block in read_rows(&tables::SLICE_BLOCK, stream, SliceBlock::read).unwrap() {
            // Any number of arrows may be on their way at a time.
            if SliceKind::of_code(block.kind).is_some_and(SliceKind::is_arrow) {
                continue;
            }
            for at in 0..block.start_ns.len() {
                let lane = if [SliceKind::Task.code(), SliceKind::Boost.code()].contains(&block.kind) {
                    (block.kind, block.task_idx[at], 0)
                } else {
                    (block.kind, block.cpu[at].into(), block.depth[at])
                };
                let (start, duration) = (block.start_ns[at], block.duration_ns[at]);
                lanes.entry(lane).or_default().push((start, start + duration, block.self_ns[at]));
            }
        }
    }
    // Blocks of states are in the order of their lengths.
    lanes.values_mut().for_each(|slices| slices.sort_unstable());
    lanes
}

proptest! {
    #[test]
    fn slices_of_a_lane_do_not_overlap_and_self_times_add_up(
        events in proptest::collection::vec((0_u16..2, 0..=LINES.len(), 0_u32..3), 1..120)
    ) {
        let (written, summary) = import_lines(&recording(&events));
        let lanes = lanes(&written);
        for (lane, slices) in &lanes {
            prop_assert!(slices.is_sorted_by(|a, b| a.1 <= b.0), "{lane:?} {slices:?}");
            for (start, end, self_ns) in slices {
                prop_assert!(0 <= *start || lane.0 == NOISE);
                prop_assert!(start <= end && *end <= summary.duration_ns);
                prop_assert!((0..=end - start).contains(self_ns));
            }
        }
        for cpu in 0..2 {
            // Interrupts nest only in one another, so the outermost are as long as all self times.
            let of_cpu = lanes.iter().filter(|((kind, on, _), _)| (*kind, *on) == (2, cpu));
            let self_ns: i64 = of_cpu.flat_map(|(_, slices)| slices).map(|slice| slice.2).sum();
            let outermost = lanes.get(&(2, cpu, 0)).into_iter().flatten();
            prop_assert_eq!(self_ns, outermost.map(|slice| slice.1 - slice.0).sum::<i64>());
        }
        let count = lanes.values().map(Vec::len).sum::<usize>();
        prop_assert_eq!(summary.slice_count, i64::try_from(count).unwrap());
    }
}

proptest! {
    #[test]
    fn no_more_of_a_cpu_is_taken_than_there_is(
        events in proptest::collection::vec((0_u16..2, 0..=LINES.len(), 0_u32..3), 1..120)
    ) {
        let (written, summary) = import_lines(&recording(&events));
        let mut taken: BTreeMap<i16, i64> = BTreeMap::new();
        let rows = written.rows(&tables::INTERFERENCE, |row| {
            row.skip("idx").unwrap();
            let cpu = row.int::<i16>("cpu").unwrap();
            let victim = row.optional_int::<i32>("victim").unwrap();
            let cause = row.int::<i16>("cause").unwrap();
            for name in ["symbol", "task", "count"] {
                row.skip(name).unwrap();
            }
            let total_ns = row.int::<i64>("total_ns").unwrap();
            let max_ns = row.int::<i64>("max_ns").unwrap();
            assert!((0..=total_ns).contains(&max_ns));
            for name in ["max_start_ns", "first_start_ns", "last_start_ns"] {
                row.skip(name).unwrap();
            }
            // What a task did not get is counted a second time, by what took it, and ticks once more beside interrupts.
            let is_told_again =
                cause == SliceKind::Sched.code() && victim.is_some() || [TICK, TIMER_INTERRUPT].contains(&cause);
            (cpu, if is_told_again { 0 } else { total_ns })
        });
        for (cpu, total_ns) in rows {
            *taken.entry(cpu).or_default() += total_ns;
        }
        for (cpu, taken_ns) in taken {
            prop_assert!(taken_ns <= summary.duration_ns, "CPU {cpu}: {taken_ns} of {}", summary.duration_ns);
        }
    }
}

proptest! {
    #[test]
    fn samples_lie_in_the_trace_and_sections_do_not_overlap(
        events in proptest::collection::vec((0_u16..2, 0..=LINES.len(), 0_u32..3), 1..120)
    ) {
        let (written, summary) = import_lines(&recording(&events));
        let samples: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
        let slices: Vec<&[u8]> = written.streams(&tables::SLICE_BLOCK).collect();
        let counts = written.rows(&tables::LATENCY_KIND, |row| {
            let code = row.int::<i16>("kind").unwrap();
            row.skip("name").unwrap();
            (code, row.int::<i64>("count").unwrap())
        });
        for kind in latency_kinds() {
            let found = read_samples(kind, &samples, &slices).unwrap();
            let counted = counts.iter().find(|(code, _)| *code == kind.code).map_or(0, |(_, count)| *count);
            prop_assert_eq!(found.len(), usize::try_from(counted).unwrap(), "{}", kind.name);
            for sample in &found {
                let may_reach_back = STATED.contains(&kind.name);
                prop_assert!(may_reach_back || sample.start_ns >= 0, "{}", kind.name);
                prop_assert!(sample.duration_ns >= 0, "{}", kind.name);
                prop_assert!(sample.start_ns + sample.duration_ns <= summary.duration_ns, "{}", kind.name);
            }
            if matches!(kind.source, SampleSource::Slices(SliceKind::Irqsoff | SliceKind::Preemptoff)) {
                for cpu in 0..2 {
                    let on_cpu = found.iter().filter(|sample| sample.cpu == cpu);
                    let mut spans: Vec<_> = on_cpu.map(|one| (one.start_ns, one.duration_ns)).collect();
                    spans.sort_unstable();
                    prop_assert!(spans.is_sorted_by(|a, b| a.0 + a.1 <= b.0), "{} {spans:?}", kind.name);
                }
            }
        }
    }
}

#[test]
fn rollups_add_up_to_the_stored_slices() {
    let pair = [(0, 4, 3), (0, 5, 1)];
    let events: Vec<_> = pair.into_iter().cycle().take(60_000).collect();
    let (written, _) = import_lines(&recording(&events));
    let expected: i64 = lanes(&written).values().flatten().map(|slice| slice.1 - slice.0).sum();
    let mut by_level: BTreeMap<i16, (i64, i64, i64)> = BTreeMap::new();
    for stream in written.streams(&tables::ROLLUP_BLOCK) {
        for block in read_rows(&tables::ROLLUP_BLOCK, stream, RollupBlock::read).unwrap() {
            let level = by_level.entry(block.level).or_insert((block.width_ns, 0, 0));
            level.1 += block.busy_ns.iter().sum::<i64>();
            level.2 += block.slices.iter().map(|slices| i64::from(*slices)).sum::<i64>();
        }
    }
    assert!(by_level.len() >= 2, "{by_level:?}");
    for (width_ns, busy_ns, slices) in by_level.values() {
        assert_eq!((*busy_ns, *slices), (expected, 30_000), "cells of {width_ns} ns");
    }
}

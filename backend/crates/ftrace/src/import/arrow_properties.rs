//! Arrows against pairs found the slow way: from each end, back over everything before it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::testing::import_lines;
use crate::analyses::ARROWS;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::read_rows;
use crate::store::tables;

const CPUS: u16 = 3;

/// A line of a recording, on a CPU; tasks are 1 to 3, and 0 is idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Lost,
    Waking(i32),
    Switch { prev: i32, next: i32 },
    Start(u8),
    Expire(u8),
    Send { target: u16, is_call: bool },
    Handle { is_call: bool },
    Queue(u8),
    Execute(u8),
}

fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        1 => Just(Line::Lost),
        6 => (1_i32..4).prop_map(Line::Waking),
        6 => (0_i32..4, 0_i32..4).prop_map(|(prev, next)| Line::Switch { prev, next }),
        4 => (0_u8..2).prop_map(Line::Start),
        4 => (0_u8..2).prop_map(Line::Expire),
        4 => (0..CPUS, any::<bool>()).prop_map(|(target, is_call)| Line::Send { target, is_call }),
        4 => any::<bool>().prop_map(|is_call| Line::Handle { is_call }),
        3 => (0_u8..2).prop_map(Line::Queue),
        3 => (0_u8..2).prop_map(Line::Execute),
    ]
}

fn text(lines: &[(u16, Line)]) -> String {
    let mut text = String::new();
    for (micros, (cpu, line)) in (10..).zip(lines) {
        let event = match line {
            Line::Lost => {
                text.push_str(&format!("LOST [{cpu}]\n"));
                continue;
            }
            Line::Waking(pid) => format!("sched_waking: comm=t{pid} pid={pid} prio=120 target_cpu=000"),
            Line::Switch { prev, next } => format!(
                "sched_switch: prev_comm=t prev_pid={prev} prev_prio=120 prev_state=S ==> next_comm=t \
                 next_pid={next} next_prio=120"
            ),
            Line::Start(timer) => {
                format!("hrtimer_start: hrtimer=a{timer} function=f expires=1 softexpires=1")
            }
            Line::Expire(timer) => format!("hrtimer_expire_entry: hrtimer=a{timer} function=f now=2"),
            Line::Send { target, is_call } => {
                format!(
                    "ipi_send_cpu: cpu={target} callsite=x callback={}",
                    if *is_call { "f" } else { "0x0" }
                )
            }
            Line::Handle { is_call: true } => "call_function_entry: vector=1".to_owned(),
            Line::Handle { is_call: false } => "reschedule_entry: vector=2".to_owned(),
            Line::Queue(work) => format!("workqueue_queue_work: work struct=b{work} function=f"),
            Line::Execute(work) => format!("workqueue_execute_start: work struct b{work}: function f"),
        };
        text.push_str(&format!("x-50 [{cpu}] 1.{micros:06}: {event}\n"));
    }
    text
}

type Arrow = (&'static str, i64, u16, i64, u16);

fn slow(lines: &[(u16, Line)]) -> BTreeSet<Arrow> {
    let first = lines.iter().position(|(_, line)| *line != Line::Lost).unwrap_or(0);
    let t = |at: usize| i64::try_from(at - first).unwrap() * 1_000;
    let mut arrows = BTreeSet::new();
    for (to, (cpu, end)) in lines.iter().enumerate() {
        let Some((name, from)) = begin(lines, to, *cpu, *end) else { continue };
        arrows.insert((name, t(from), lines[from].0, t(to), *cpu));
    }
    arrows
}

/// Where the arrow that ends at `to` begins.
fn begin(lines: &[(u16, Line)], to: usize, cpu: u16, end: Line) -> Option<(&'static str, usize)> {
    let before = || (0..to).rev();
    let last = |is_it: &dyn Fn(usize) -> bool| before().find(|at| is_it(*at));
    let is_lost = |from: usize, is_its: &dyn Fn(u16) -> bool| {
        lines[from..to].iter().any(|(cpu, line)| *line == Line::Lost && is_its(*cpu))
    };
    let (name, from, is_anywhere) = match end {
        Line::Switch { prev, next } if next != 0 && prev != next => {
            let concerns = |at: usize| match lines[at].1 {
                Line::Switch { prev, next: other } => prev == next || other == next,
                _ => false,
            };
            let since = last(&concerns).map_or(0, |at| at + 1);
            let wakes = |at: &usize| lines[*at].1 == Line::Waking(next) && !is_running(lines, *at, next);
            ("wakeup", (since..to).find(wakes)?, false)
        }
        Line::Expire(timer) => {
            let from =
                last(&|at| matches!(lines[at].1, Line::Start(one) | Line::Expire(one) if one == timer))?;
            ("timer", (lines[from].1 == Line::Start(timer)).then_some(from)?, true)
        }
        Line::Execute(work) => {
            let from =
                last(&|at| matches!(lines[at].1, Line::Queue(one) | Line::Execute(one) if one == work))?;
            ("work", (lines[from].1 == Line::Queue(work)).then_some(from)?, true)
        }
        Line::Handle { is_call } => {
            let since = last(&|at| lines[at] == (cpu, end) || lines[at] == (cpu, Line::Lost));
            let sent = |at: &usize| lines[*at].1 == Line::Send { target: cpu, is_call };
            ("ipi", (since.map_or(0, |at| at + 1)..to).find(sent)?, false)
        }
        _ => return None,
    };
    let from_cpu = lines[from].0;
    // What is lost of a CPU reaches up to its next record.
    let loss = before().find(|at| lines[*at] == (cpu, Line::Lost));
    let known_since =
        loss.and_then(|loss| (loss..=to).find(|at| lines[*at].0 == cpu && lines[*at].1 != Line::Lost));
    if known_since.is_some_and(|since| from < since) {
        return None;
    }
    (!is_lost(from, &|lost| is_anywhere || lost == cpu || lost == from_cpu)).then_some((name, from))
}

/// Whether a CPU runs the task, as its last switch says, if nothing of it was lost since.
fn is_running(lines: &[(u16, Line)], at: usize, pid: i32) -> bool {
    (0..CPUS).any(|cpu| {
        let is_news =
            |(on, line): &&(u16, Line)| *on == cpu && matches!(line, Line::Switch { .. } | Line::Lost);
        let news = lines[..at].iter().rev().find(is_news);
        matches!(news, Some((_, Line::Switch { next, .. })) if *next == pid)
    })
}

fn found(lines: &[(u16, Line)]) -> BTreeSet<Arrow> {
    let (written, _) = import_lines(&text(lines));
    let slices = written.whole(&tables::SLICE_BLOCK);
    let mut arrows = BTreeSet::new();
    for block in read_rows(&tables::SLICE_BLOCK, &slices, SliceBlock::read).unwrap() {
        let Some(kind) = ARROWS.iter().find(|kind| kind.slices.code() == block.kind) else { continue };
        for at in 0..block.start_ns.len() {
            let from = (block.start_ns[at], block.depth[at].cast_unsigned());
            let to = (block.start_ns[at] + block.duration_ns[at], block.cpu[at].cast_unsigned());
            arrows.insert((kind.name, from.0, from.1, to.0, to.1));
        }
    }
    arrows
}

proptest! {
    #[test]
    fn arrows_are_the_pairs_that_are_found_the_slow_way(
        lines in proptest::collection::vec((0..CPUS, line()), 1..80)
    ) {
        prop_assert_eq!(found(&lines), slow(&lines));
    }
}

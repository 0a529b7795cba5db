//! What had the CPU in the two cases of a comparison, and how much longer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::analyses::Cause;
use crate::diff::{Sides, amount, amounts, shown_of};
use crate::explain::Blame;
use crate::model::grouped;

/// Causes that the sentence names, and names that it gives for each.
const MOST_CAUSES: usize = 3;
const MOST_NAMES: usize = 3;
/// What one makes of the largest at least, to be said by itself.
const LEAST_PCT: u64 = 5;

/// The time of both sides, and abnormal minus normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    abnormal_ns: i64,
    normal_ns: i64,
    pub delta_ns: i64,
}

impl Times {
    /// The time of one cause on both sides, and the difference.
    pub fn of(ns: Sides<i64>) -> Self {
        Self { abnormal_ns: ns.abnormal, normal_ns: ns.normal, delta_ns: ns.delta() }
    }

    fn size(&self) -> u64 {
        self.delta_ns.unsigned_abs()
    }
}

/// One cause on both sides. Those of a comparison add up to its difference.
#[derive(Debug, Serialize)]
pub struct CauseItem {
    #[serde(skip)]
    kind: Cause,
    cause: &'static str,
    #[serde(flatten)]
    times: Times,
    parts: Vec<CausePart>,
}

/// What of a cause had the CPU: tasks of one name, an interrupt, an idle state.
#[derive(Debug, Serialize)]
struct CausePart {
    what: String,
    /// Tasks of this name on each side.
    tasks: Sides<usize>,
    #[serde(flatten)]
    times: Times,
}

#[derive(Default)]
struct Tally {
    ns: Sides<i64>,
    tasks: Sides<BTreeSet<i32>>,
}

/// The causes of both sides, the largest difference first.
pub fn causes(blame: Sides<&[Blame<'_>]>) -> Vec<CauseItem> {
    let mut tallies: BTreeMap<Cause, BTreeMap<String, Tally>> = BTreeMap::new();
    let Sides { abnormal, normal } = blame;
    let abnormal = abnormal.iter().map(|row| Sides { abnormal: Some(row), normal: None });
    let normal = normal.iter().map(|row| Sides { abnormal: None, normal: Some(row) });
    for of_side in abnormal.chain(normal) {
        let Some(row) = of_side.either() else { continue };
        let tally = tallies.entry(row.cause).or_default().entry(name(row)).or_default();
        let ns = of_side.map(|row| row.map_or(0, |row| row.duration_ns));
        tally.ns = tally.ns.zip(ns).map(|(sum_ns, ns)| sum_ns.saturating_add(ns));
        for (tasks, row) in tally.tasks.as_mut().zip(of_side) {
            tasks.extend(row.and_then(|row| row.pid).filter(|_| is_of_tasks(row_cause(row))));
        }
    }
    let mut items: Vec<CauseItem> = tallies.into_iter().map(|(cause, parts)| item(cause, parts)).collect();
    items.sort_by_key(|item| (Reverse(item.times.size()), item.kind));
    items
}

fn row_cause(row: Option<&Blame<'_>>) -> Option<Cause> {
    row.map(|row| row.cause)
}

fn is_of_tasks(cause: Option<Cause>) -> bool {
    matches!(cause, Some(Cause::Task | Cause::Itself))
}

/// The same for all tasks of a name, which have other pids in another recording.
fn name(row: &Blame<'_>) -> String {
    let pid = row.pid.filter(|_| matches!(row.cause, Cause::Task | Cause::Itself));
    let comm = pid.and_then(|pid| row.what.strip_suffix(&format!("-{pid}")));
    comm.unwrap_or(&row.what).to_owned()
}

fn item(cause: Cause, parts: BTreeMap<String, Tally>) -> CauseItem {
    let mut parts: Vec<CausePart> = parts.into_iter().map(|(what, tally)| part(what, tally)).collect();
    parts.sort_by_key(|part| Reverse(part.times.size()));
    let ns = parts.iter().fold(Sides::default(), |sum: Sides<i64>, CausePart { times, .. }| Sides {
        abnormal: sum.abnormal.saturating_add(times.abnormal_ns),
        normal: sum.normal.saturating_add(times.normal_ns),
    });
    CauseItem { kind: cause, cause: cause.name(), times: Times::of(ns), parts }
}

fn part(what: String, Tally { ns, tasks }: Tally) -> CausePart {
    let only = |tasks: &BTreeSet<i32>| tasks.first().copied().filter(|_| tasks.len() == 1);
    // A single task, or the same one on both sides, goes by its full name.
    let pid = match tasks.as_ref().map(only) {
        Sides { abnormal: Some(pid), normal } if normal.is_none_or(|other| other == pid) => Some(pid),
        Sides { abnormal: None, normal } if tasks.abnormal.is_empty() => normal,
        _ => None,
    };
    let is_one = tasks.as_ref().map(BTreeSet::len).into_iter().all(|count| count <= 1);
    let what = pid.filter(|_| is_one).map_or(what.clone(), |pid| format!("{what}-{pid}"));
    CausePart { what, tasks: tasks.map(|tasks| tasks.len()), times: Times::of(ns) }
}

impl CausePart {
    /// `hackbench × 3`
    fn named(&self) -> String {
        let Sides { abnormal, normal } = self.tasks;
        let count = if self.times.delta_ns < 0 { normal } else { abnormal };
        if count > 1 { format!("{} × {}", self.what, grouped(count)) } else { self.what.clone() }
    }
}

/// `+3.012 ms: other tasks ran 2.900 ms more: hackbench × 3 2.100 ms, dd-371 800 µs; the CPU was idle 112 µs longer.`
///
/// `None` where the causes say nothing, as where neither recording shows what ran.
pub fn sentence(delta_ns: i64, items: &[CauseItem]) -> Option<String> {
    let largest = items.first().filter(|item| item.times.size() > 0)?;
    let is_telling = |item: &CauseItem| !matches!(item.kind, Cause::Unknown | Cause::Itself);
    if !is_telling(largest) {
        return None;
    }
    let is_said = |item: &&CauseItem| is_much(item.times, largest.times);
    let said: Vec<&CauseItem> = items.iter().take_while(is_said).take(MOST_CAUSES).collect();
    let rest = items.iter().skip(said.len()).filter(|item| item.times.size() > 0);
    let (rest_count, rest_ns) =
        rest.fold((0_usize, 0_i64), |(count, ns), item| (count + 1, ns.saturating_add(item.times.delta_ns)));
    // What is said to be less is not printed with a sign, so that numbers round alike.
    let parts_ns: Vec<i64> = said.iter().map(|item| item.times.delta_ns).chain([rest_ns]).collect();
    let printed = amounts(delta_ns, &parts_ns);
    let mut clauses: Vec<String> = said
        .iter()
        .zip(&printed.parts)
        .filter_map(|(item, amount)| Some(clause(item, amount.as_ref()?.trim_start_matches('−'))))
        .collect();
    if let Some(amount) = printed.parts.last().cloned().flatten() {
        let differences = if rest_count == 1 { "a smaller difference" } else { "smaller differences" };
        clauses.push(format!("{amount} in {differences}"));
    }
    let sum = if delta_ns == 0 { "Equally long" } else { &printed.sum };
    Some(format!("{sum}: {}.", clauses.join("; ")))
}

fn is_much(times: Times, largest: Times) -> bool {
    times.size().saturating_mul(100) >= largest.size().saturating_mul(LEAST_PCT).max(1)
}

/// `other tasks ran 2.900 ms more: hackbench × 3 2.100 ms, cyclictest-371 800 µs`
fn clause(item: &CauseItem, amount: &str) -> String {
    let (more, longer) = if item.times.delta_ns > 0 { ("more", "longer") } else { ("less", "shorter") };
    let said = match item.kind {
        Cause::Task => format!("other tasks ran {amount} {more}"),
        Cause::Irq => format!("interrupts took {amount} {more}"),
        Cause::Softirq => format!("softirqs took {amount} {more}"),
        Cause::Nmi => format!("NMIs took {amount} {more}"),
        Cause::Gap => format!("the hardware or a hypervisor had the CPU {amount} {longer}"),
        Cause::Idle => format!("the CPU was idle {amount} {longer}"),
        Cause::Irqsoff => format!("interrupts were off {amount} {longer}"),
        Cause::Preemptoff => format!("preemption was off {amount} {longer}"),
        Cause::Itself => format!("its own work took {amount} {more}"),
        Cause::Unknown => format!("{amount} {more} is not recorded"),
    };
    let names = names(item);
    if names.is_empty() { said } else { format!("{said}: {names}") }
}

/// Whose difference it is: only the name where there is one, else names with their times.
fn names(item: &CauseItem) -> String {
    // That the CPU was idle says all there is to it.
    if matches!(item.kind, Cause::Unknown | Cause::Gap | Cause::Nmi | Cause::Idle) {
        return String::new();
    }
    let Some(largest) = item.parts.first() else { return String::new() };
    let parts: Vec<&CausePart> = item.parts.iter().filter(|part| part.times.size() > 0).collect();
    let large = parts.iter().take_while(|part| is_much(part.times, largest.times)).count();
    let said = parts.get(..shown_of(parts.len(), large.min(MOST_NAMES))).unwrap_or_default();
    let is_alone = said.len() == 1 && said.iter().all(|part| part.times.delta_ns == item.times.delta_ns);
    let less = item.times.delta_ns < 0;
    let texts: Vec<String> = said
        .iter()
        .map(|part| {
            let ns = part.times.delta_ns.saturating_abs();
            // As the clause says of all of them that it is less, or more.
            let but = match part.times.delta_ns < 0 {
                is_less if is_less == less => "",
                true => " less",
                false => " more",
            };
            if is_alone { part.named() } else { format!("{} {}{but}", part.named(), amount(ns)) }
        })
        .collect();
    match parts.len().saturating_sub(said.len()) {
        0 => texts.join(", "),
        more => format!("{} and {more} more", texts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::explain::explain_all;

    /// The second case of the lines against the first.
    fn check(lines: &str, kind: &str, expected: Expect) {
        let mut sides: Vec<Vec<Blame<'static>>> = Vec::new();
        explain_all(
            lines,
            |name| name == kind,
            |_, explanation, _| {
                let rows = explanation.blame.iter();
                sides.push(rows.map(|one| row(one.cause, &one.what, one.duration_ns, one.pid)).collect());
            },
        );
        expected.assert_eq(&said(&sides[1], &sides[0]));
    }

    fn row(cause: Cause, what: &str, duration_ns: i64, pid: Option<i32>) -> Blame<'static> {
        Blame {
            cause,
            what: what.to_owned(),
            place: None,
            cpu: Some(0),
            duration_ns,
            first_ns: 0,
            longest_ns: duration_ns,
            function: None,
            pid,
            prio: None,
            span: None,
        }
    }

    fn said(abnormal: &[Blame<'static>], normal: &[Blame<'static>]) -> String {
        let sum = |rows: &[Blame<'_>]| rows.iter().map(|row| row.duration_ns).sum::<i64>();
        let (delta_ns, items) = (sum(abnormal) - sum(normal), causes(Sides { abnormal, normal }));
        assert_eq!(items.iter().map(|item| item.times.delta_ns).sum::<i64>(), delta_ns);
        sentence(delta_ns, &items).unwrap_or_default()
    }

    #[test]
    fn tasks_of_one_name_are_added_up() {
        let hackbench = |pid| row(Cause::Task, &format!("hackbench-{pid}"), 700_000, Some(pid));
        let dd = row(Cause::Task, "dd-371", 1_000_000, Some(371));
        let abnormal = [hackbench(5), hackbench(6), hackbench(7), dd, row(Cause::Idle, "idle", 90_000, None)];
        let normal =
            [row(Cause::Task, "hackbench-9", 200_000, Some(9)), row(Cause::Irq, "eth0", 7_000, None)];
        assert_eq!(
            said(&abnormal, &normal),
            "+2.983 ms: other tasks ran 2.900 ms more: hackbench × 3 1.900 ms, dd-371 1.000 ms; 83 µs in smaller \
             differences."
        );
    }

    #[test]
    fn the_tasks_that_were_late_are_one_row() {
        let itself = |pid, ns| row(Cause::Itself, &format!("cyclictest-{pid}"), ns, Some(pid));
        let items = causes(Sides { abnormal: &[itself(166, 31_000)], normal: &[itself(165, 3_000)] });
        let names: Vec<_> = items.iter().flat_map(|item| &item.parts).map(CausePart::named).collect();
        assert_eq!(names, ["cyclictest"]);
        let items = causes(Sides { abnormal: &[itself(166, 31_000)], normal: &[itself(166, 3_000)] });
        let names: Vec<_> = items.iter().flat_map(|item| &item.parts).map(CausePart::named).collect();
        assert_eq!(names, ["cyclictest-166"]);
    }

    #[test]
    fn less_is_said_without_a_sign() {
        let idle = |ns| row(Cause::Idle, "idle", ns, None);
        let task = |ns| row(Cause::Task, "sh-7", ns, Some(7));
        assert_eq!(
            said(&[task(50_000), idle(5_000)], &[task(10_000), idle(25_000)]),
            "+20.00 µs: other tasks ran 40.00 µs more: sh-7; the CPU was idle 20.00 µs shorter."
        );
        assert_eq!(said(&[task(10_000)], &[task(50_000)]), "−40.00 µs: other tasks ran 40.00 µs less: sh-7.");
        assert_eq!(said(&[task(10_000)], &[task(10_000)]), "");
    }

    #[test]
    fn what_is_not_recorded_says_nothing() {
        let unknown = |ns| row(Cause::Unknown, "not recorded", ns, None);
        assert_eq!(said(&[unknown(90_000)], &[unknown(10_000)]), "");
    }

    #[test]
    fn a_slow_wakeup_waits_for_a_task_and_an_interrupt() {
        check(
            "
            sh-7 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            rt-9 [0] 1.000100: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            sh-7 [0] 2.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] 2.000010: irq_handler_entry: irq=24 name=eth0
            sh-7 [0] 2.000030: irq_handler_exit: irq=24 ret=handled
            sh-7 [0] 2.000100: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            ",
            "wakeup",
            expect!["+90.00 µs: other tasks ran 70.00 µs more: sh-7; interrupts took 20.00 µs more: eth0 [24]."],
        );
    }
}

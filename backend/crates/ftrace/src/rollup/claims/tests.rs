use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

const CAUSES: [Cause; 4] = [Cause::Irq, Cause::Softirq, Cause::Irqsoff, Cause::Task];

/// Claimants as they come: cause, stated or not, start, end.
fn nets(claimants: &[(Cause, bool, i64, i64)], most: usize) -> Vec<(usize, i64)> {
    let mut claims = Claims::default();
    let mut nets = Vec::new();
    for (sum, (cause, is_stated, start_ns, end_ns)) in claimants.iter().enumerate() {
        let claimant = Claimant::new(sum, *cause, Ns(*start_ns), Ns(*end_ns));
        claims.add(if *is_stated { claimant.stated(Ns::MAX) } else { claimant });
        if claims.count() > most {
            claims.settle(most / 2, |claimant| nets.push((claimant.sum, claimant.net_ns.0)));
        }
    }
    claims.settle(0, |claimant| nets.push((claimant.sum, claimant.net_ns.0)));
    nets
}

fn check(claimants: &[(Cause, bool, i64, i64)], expected: Expect) {
    let mut text = String::new();
    for (sum, net_ns) in nets(claimants, usize::MAX) {
        let (cause, ..) = claimants[sum];
        writeln!(text, "{cause:?} {net_ns}").unwrap();
    }
    expected.assert_eq(&text);
}

#[test]
fn the_innermost_has_the_time() {
    let nested = [
        (Cause::Irq, false, 20, 30),
        (Cause::Softirq, false, 15, 35),
        (Cause::Irq, false, 40, 41),
        (Cause::Irqsoff, false, 38, 50),
        (Cause::Task, false, 0, 45),
        (Cause::Preemptoff, false, 42, 60),
        (Cause::Task, false, 45, 100),
    ];
    check(
        &nested,
        expect![[r#"
                Irq 10
                Softirq 10
                Irq 1
                Irqsoff 11
                Task 18
                Preemptoff 10
                Task 40
            "#]],
    );
}

#[test]
fn other_tasks_have_the_time_in_which_a_softirq_is_suspended() {
    let claimant = |sum, cause, start_ns, end_ns| Claimant::new(sum, cause, Ns(start_ns), Ns(end_ns));
    let run = |task, start_ns, end_ns| claimant(0, Cause::Task, start_ns, end_ns).run_by(Some(task));
    let mut claims = Claims::default();
    claims.add(run(9, 20, 90));
    // Of the 20 that are left, the CPU was idle for 5.
    claims.add(claimant(1, Cause::Softirq, 10, 100).suspended(Some(16), Ns(15)));
    claims.add(run(16, 90, 110));
    let mut nets = Vec::new();
    claims.settle(0, |claimant| nets.push(claimant.net_ns.min(claimant.most_ns).0));
    assert_eq!(nets, [70, 15, 10]);
}

#[test]
fn what_comes_late_takes_what_it_hides() {
    let crossing = [(Cause::Task, false, 0, 50), (Cause::Irqsoff, false, 40, 60), (Cause::Irq, false, 0, 70)];
    check(
        &crossing,
        expect![[r#"
                Task 0
                Irqsoff 0
                Irq 70
            "#]],
    );
}

#[test]
fn one_thing_told_by_two_counts_once() {
    let stated_first = [(Cause::Irq, true, 9, 30), (Cause::Irq, false, 10, 28), (Cause::Task, false, 0, 100)];
    let stated_last = [(Cause::Irq, false, 10, 28), (Cause::Irq, true, 9, 30), (Cause::Task, false, 0, 100)];
    check(
        &stated_first,
        expect![[r#"
            Irq 18
            Task 82
        "#]],
    );
    check(
        &stated_last,
        expect![[r#"
            Irq 18
            Task 82
        "#]],
    );
    // An interrupt of no length is one all the same, and what a tracer alone tells counts.
    let others = [
        (Cause::Irq, true, 9, 30),
        (Cause::Irq, false, 10, 10),
        (Cause::Irq, true, 40, 45),
        (Cause::Task, false, 0, 100),
    ];
    check(
        &others,
        expect![[r#"
            Irq 0
            Irq 5
            Task 95
        "#]],
    );
}

#[test]
fn a_long_run_gets_what_its_interrupts_leave_however_many_there_are() {
    let mut claimants: Vec<_> = (0..5_000).map(|at| (Cause::Irq, false, at * 10 + 5, at * 10 + 8)).collect();
    claimants.push((Cause::Task, false, 0, 50_000));
    let nets = nets(&claimants, 100);
    assert_eq!(nets.len(), claimants.len());
    assert_eq!(nets.last(), Some(&(5_000, 35_000)));
}

proptest! {
    #[test]
    fn every_nanosecond_counts_once(
        mut claimants in prop::collection::vec(
            (0_usize..4, any::<bool>(), 0_i64..200, 0_i64..60), 1..80
        ),
        most in 2_usize..100,
    ) {
        claimants.sort_by_key(|(.., start_ns, duration_ns)| start_ns + duration_ns);
        let claimants: Vec<_> = claimants
            .into_iter()
            .map(|(cause, is_stated, start_ns, duration_ns)| {
                (CAUSES[cause], is_stated, start_ns, start_ns + duration_ns)
            })
            .collect();
        let known: Vec<_> = claimants.iter().copied().filter(|(_, is_stated, ..)| !is_stated).collect();
        let covered = |claimants: &[(Cause, bool, i64, i64)]| {
            let is_covered = |t: &i64| claimants.iter().any(|(.., start, end)| (*start..*end).contains(t));
            (0_i64..300).filter(is_covered).count()
        };
        let sum = |nets: Vec<(usize, i64)>| {
            assert!(nets.iter().all(|(_, net_ns)| *net_ns >= 0));
            usize::try_from(nets.iter().map(|(_, net_ns)| *net_ns).sum::<i64>()).unwrap()
        };
        prop_assert!(sum(nets(&claimants, most)) <= covered(&claimants));
        prop_assert_eq!(sum(nets(&known, usize::MAX)), covered(&known));
    }
}

//! What of a recording is the tree of a case.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::event_tree::event_tree;
use crate::diff::{Kind, Names, Tree};
use crate::explain::route;
use crate::testing::explain::explain_all;

/// The tree of every case of a kind, with the time of each node in ns.
fn check(lines: &str, kind: &str, expected: Expect) {
    check_unseen(lines, kind, None, expected);
}

/// The same where events between two times are not read.
fn check_unseen(lines: &str, kind: &str, unseen: Option<(i64, i64)>, expected: Expect) {
    let mut text = String::new();
    explain_all(
        lines,
        |name| name == kind,
        |case, _, around| {
            let mut names = Names::default();
            let tree = event_tree(case, &route(case, around), around, unseen, &mut names).unwrap();
            print(&names, &tree, &mut text);
        },
    );
    expected.assert_eq(&text);
}

fn print(names: &Names, tree: &Tree, text: &mut String) {
    let mut ends: Vec<u32> = Vec::new();
    for (at, node) in (0_u32..).zip(tree.nodes()) {
        while ends.pop_if(|end| *end <= at).is_some() {}
        let mark = match node.kind {
            Kind::Call => "call ",
            Kind::Interrupt => "!",
            Kind::Softirq => "~",
            Kind::Event => "",
        };
        let indent = "  ".repeat(ends.len());
        writeln!(text, "{indent}{mark}{} {}", names.text(node.name), node.duration_ns).unwrap();
        ends.push(node.end);
    }
}

#[test]
fn a_wakeup_is_its_events_until_the_next_ones() {
    check(
        "
        <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000003: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [1] 1.000004: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
        <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            wakeup 10000
              sched_waking this task 3000
              sched_wakeup this task 7000
              sched_switch → this task 0
        "#]],
    );
}

#[test]
fn interrupts_and_softirqs_hold_what_happens_in_them() {
    check(
        "
        sh-7 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        sh-7 [0] 1.000010: irq_handler_entry: irq=24 name=eth0
        sh-7 [0] 1.000012: softirq_raise: vec=3 [action=NET_RX]
        sh-7 [0] 1.000015: irq_handler_exit: irq=24 ret=handled
        sh-7 [0] 1.000016: softirq_entry: vec=3 [action=NET_RX]
        sh-7 [0] 1.000020: reschedule_entry: vector=253
        sh-7 [0] 1.000022: reschedule_exit: vector=253
        sh-7 [0] 1.000030: softirq_exit: vec=3 [action=NET_RX]
        sh-7 [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            wakeup 40000
              sched_waking this task 10000
              !irq eth0 5000
                entry of irq eth0 2000
                softirq_raise NET_RX 3000
              exit of irq eth0 1000
              ~softirq NET_RX 14000
                entry of softirq NET_RX 4000
                !IPI reschedule 2000
                  entry of IPI reschedule 2000
                exit of IPI reschedule 8000
              exit of softirq NET_RX 10000
              sched_switch → this task 0
        "#]],
    );
}

#[test]
fn a_task_that_migrates_is_followed() {
    check(
        "
        <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        sh-7     [0] 1.000005: sched_stat_runtime: comm=sh pid=7 runtime=5 [ns]
        sh-8     [1] 1.000007: sched_stat_runtime: comm=sh pid=8 runtime=5 [ns]
        sh-7     [0] 1.000010: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
        sh-7     [0] 1.000012: sched_stat_runtime: comm=sh pid=7 runtime=5 [ns]
        sh-8     [1] 1.000015: sched_stat_runtime: comm=sh pid=8 runtime=5 [ns]
        sh-8     [1] 1.000020: sched_switch: prev_comm=sh prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            wakeup 20000
              sched_waking this task 5000
              sched_stat_runtime 5000
              sched_migrate_task this task 5000
              sched_stat_runtime 5000
              sched_switch → this task 0
        "#]],
    );
}

#[test]
fn an_interrupt_that_was_running_already_has_no_entry() {
    check(
        "
        <idle>-0 [0] 1.000000: irq_handler_entry: irq=24 name=eth0
        <idle>-0 [0] 1.000002: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000008: irq_handler_exit: irq=24 ret=handled
        <idle>-0 [0] 1.000009: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            wakeup 8000
              sched_waking this task 6000
              exit of irq 24 1000
              cpu_idle exit 1000
              sched_switch → this task 0
        "#]],
    );
}

#[test]
fn a_late_timer_is_the_events_before_it() {
    check(
        "
        <idle>-0 [0] 1.000000: hrtimer_start: hrtimer=00000000aa function=hrtimer_wakeup expires=1000100000 softexpires=1000100000 mode=ABS
        <idle>-0 [0] 1.000102: local_timer_entry: vector=236
        <idle>-0 [0] 1.000105: hrtimer_expire_entry: hrtimer=00000000aa function=hrtimer_wakeup now=1000105000
        <idle>-0 [0] 1.000107: hrtimer_expire_exit: hrtimer=00000000aa
        <idle>-0 [0] 1.000109: local_timer_exit: vector=236
        ",
        "timer",
        expect![[r#"
            timer 5000
              the start 2000
              entry of irq local_timer 3000
              hrtimer_expire_entry hrtimer_wakeup 0
        "#]],
    );
}

#[test]
fn what_is_not_read_of_a_long_case_is_nobodys() {
    check_unseen(
        "
        <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000003: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=000
        sh-7     [0] 1.000090: sched_stat_runtime: comm=sh pid=7 runtime=5 [ns]
        <idle>-0 [0] 1.000100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        Some((5_000, 80_000)),
        expect![[r#"
            wakeup 100000
              sched_waking this task 3000
              sched_wakeup this task 2000
              sched_stat_runtime 10000
              sched_switch → this task 0
        "#]],
    );
}

//! System calls that sleep, also where the events of their middle are not looked at.

use expect_test::expect;

use crate::testing::explain::{explain_partly, headlines};

/// A call that sets a timer of 10 ms and ends 5 ms after it, with its result.
fn call(nr: u32, result: i64) -> String {
    format!(
        "
        s-7      [0] ..... 1.000000: sys_enter: NR {nr} (1, 0, 0, 0, 0, 0)
        s-7      [0] d..1. 1.000004: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=10050000 softexpires=10000000
        s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
        b-8      [0] d.h1. 1.010058: local_timer_entry: vector=236
        b-8      [0] d.h1. 1.010060: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10055000
        b-8      [0] d.h2. 1.010062: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        b-8      [0] d.h1. 1.010066: local_timer_exit: vector=236
        b-8      [0] d.h1. 1.014900: local_timer_entry: vector=236
        b-8      [0] d.h1. 1.014902: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=14897000
        b-8      [0] d.h1. 1.014904: local_timer_exit: vector=236
        b-8      [0] d..2. 1.015000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        s-7      [0] ..... 1.015010: sys_exit: NR {nr} = {result}
        "
    )
}

#[test]
fn a_time_out_is_told_from_a_sleep() {
    expect![[r#"
        futex of s-7 on CPU 0 took 15.010 ms: it slept 10.052 ms until its own time-out of 10.001 ms, then waited behind b-8 for 4.930 ms
    "#]]
    .assert_eq(&headlines(&call(202, -110), "syscall"));
}

/// Where the middle is not looked at, only what the call returned says that its time ran out.
#[test]
fn a_long_wait_that_timed_out_says_so() {
    for (result, is_time_out) in [(-110, true), (0, false), (-11, false), (1, false)] {
        let mut seen = 0;
        let unseen = |_: &crate::explain::Case<'_>| (1_000_000, 14_000_000);
        explain_partly(&call(202, result), unseen, |case, explanation, _| {
            if case.latency().name == "syscall" {
                seen += 1;
                let said = &explanation.headline;
                assert_eq!(said.contains("its own time-out of 10.001 ms"), is_time_out, "{result}: {said}");
            }
        });
        assert_eq!(seen, 1);
    }
}

/// The slices of the waker say when it ran, also where its events are not looked at.
#[test]
fn a_waker_that_did_not_run_for_long_is_the_one_that_did_not_run() {
    let text = "
        s-7      [0] ..... 1.000000: sys_enter: NR 202 (1, 0, 0, 0, 0, 0)
        s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=w next_pid=9 next_prio=120
        w-9      [0] d..2. 1.000200: sched_switch: prev_comm=w prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d..2. 1.014000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
        w-9      [0] d..3. 1.014500: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        w-9      [0] d..2. 1.014600: sched_switch: prev_comm=w prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
        s-7      [0] ..... 1.014610: sys_exit: NR 202 = 0
        ";
    let mut said = Vec::new();
    explain_partly(
        text,
        |_| (1_000_000, 13_000_000),
        |case, explanation, _| {
            if case.latency().name == "syscall" {
                said.push(explanation.headline.clone());
            }
        },
    );
    expect!["Syscall 202 of s-7 on CPU 0 took 14.610 ms: it slept 14.490 ms until w-9 (nice 0) woke it, which did not run for 13.800 ms"].assert_eq(&said.join("\n"));
}

/// `w` sleeps on a timer of 2 ms that has some slack, and is woken as late as that allows.
fn sleep_with_slack(slack_us: u32) -> String {
    let due_us = 2_004 + slack_us;
    headlines(
        &format!(
            "
            w-7      [1] ..... 1.000000: sys_enter: NR 230 (1, 0, 0, 0, 0, 0)
            w-7      [1] d..1. 1.000004: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={due_us}000 softexpires=2004000
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            <idle>-0 [1] d.h1. 1.{due_us:06}: local_timer_entry: vector=236
            <idle>-0 [1] d.h1. 1.{due_us:06}: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={due_us}000
            <idle>-0 [1] d.h2. 1.{due_us:06}: sched_waking: comm=w pid=7 prio=120 target_cpu=001
            <idle>-0 [1] dNh1. 1.{due_us:06}: local_timer_exit: vector=236
            <idle>-0 [1] d..2. 1.{:06}: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            w-7      [1] ..... 1.{:06}: sys_exit: NR 230 = 0
            ",
            due_us + 4,
            due_us + 6,
        ),
        "syscall",
    )
}

#[test]
fn a_sleep_that_its_slack_makes_longer_says_so() {
    let told = sleep_with_slack(5_000);
    assert!(
        told.ends_with(": it slept 6.994 ms until its timer of 2.000 ms and 5.000 ms of slack expired\n"),
        "{told}"
    );
    let told = sleep_with_slack(50);
    assert!(told.ends_with(": it slept 2.044 ms until its timer of 2.000 ms expired\n"), "{told}");
}

/// CPU 1 is silent while the timer of `w` is due there, and `c` wakes `w` from CPU 0 before that is called; `late` and
/// `again` are what comes of the timer.
fn woken_past_its_timer(late: &str, again: &str) -> String {
    headlines(
        &format!(
            "
            c-9      [0] d..2. 0.999000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=c next_pid=9 next_prio=29
            w-7      [1] ..... 1.000000: sys_enter: NR 230 (1, 0, 0, 0, 0, 0)
            w-7      [1] d..1. 1.000004: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=2004000 softexpires=2004000
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            <idle>-0 [1] d..1. 1.000020: cpu_idle: state=1 cpu_id=1
            <idle>-0 [1] d.h1. 1.001000: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_sched_timer now=1000000
            <idle>-0 [1] d.h1. 1.001004: softirq_raise: vec=7 [action=SCHED]
            <idle>-0 [1] d.h1. 1.001006: hrtimer_expire_exit: hrtimer=00000000000000bb
            c-9      [0] d..3. 1.037000: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            <idle>-0 [1] dNH2. 1.037010: sched_wakeup: comm=w pid=7 prio=49 target_cpu=001
            {late}
            <idle>-0 [1] .Ns1. 1.037040: softirq_entry: vec=7 [action=SCHED]
            <idle>-0 [1] .Ns1. 1.037044: softirq_exit: vec=7 [action=SCHED]
            <idle>-0 [1] .N.1. 1.037048: cpu_idle: state=4294967295 cpu_id=1
            <idle>-0 [1] d..2. 1.037050: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=49
            {again}
            w-7      [1] ..... 1.037060: sys_exit: NR 230 = 0
            "
        ),
        "syscall",
    )
}

#[test]
fn whoever_wakes_a_task_whose_own_timer_is_overdue_only_comes_first() {
    let expiry = "<idle>-0 [1] dNH1. 1.037020: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=37020000";
    let told = woken_past_its_timer(expiry, "");
    assert!(told.ends_with(": CPU 1 stood still for 34.996 ms\n"), "{told}");
    // Its timer was cancelled, and is started again later, or never.
    let again = "w-7 [1] d..1. 1.037055: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=37057000 softexpires=37057000
                 w-7 [1] d.h1. 1.037058: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=37058000";
    for cancelled in ["", again] {
        let told = woken_past_its_timer("", cancelled);
        assert!(told.contains("it slept 36.990 ms until c-9 (rt 70) woke it"), "{told}");
    }
}

/// A task that does nothing in a system call but to wake another one, in so long.
#[test]
fn what_a_task_did_itself_is_told_where_it_woke_somebody() {
    let told = |us: u32| {
        headlines(
            &format!(
                "
                s-7 [0] ..... 1.000000: sys_enter: NR 1 (1, 2, 3, 4, 5, 6)
                s-7 [0] d..2. 1.000002: sched_waking: comm=w pid=9 prio=120 target_cpu=001
                s-7 [0] d..3. 1.{:06}: sched_wakeup: comm=w pid=9 prio=120 target_cpu=001
                s-7 [0] ..... 1.000020: sys_exit: NR 1 = 0
                ",
                2 + us
            ),
            "syscall",
        )
    };
    let said = told(10);
    assert!(said.ends_with("the task itself ran for 20 µs, 10 µs of it waking w-9\n"), "{said}");
    let said = told(5);
    assert!(said.ends_with("the task itself ran for 20 µs\n"), "{said}");
}

//! Interrupts and softirqs of which one end alone is recorded.

use expect_test::{Expect, expect};

use crate::testing::explain::headlines;

/// An interrupt wakes `rt` on top of `b`, and ends 900 µs later by this event.
fn ends(before: &str, ending: &str, between: &str) -> String {
    headlines(
        &format!(
            "
            {before}
            b-8  [0] d.h2. 1.000000: sched_waking: comm=rt pid=7 prio=19 target_cpu=000
            b-8  [0] dNh3. 1.000003: sched_wakeup: comm=rt pid=7 prio=19 target_cpu=000
            {between}
            b-8  [0] dNh1. 1.000900: {ending}
            b-8  [0] d..2. 1.000904: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=7 next_prio=19
            rt-7 [0] d..2. 1.001904: sched_switch: prev_comm=rt prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8  [0] d.h1. 1.002904: local_timer_entry: vector=236
            b-8  [0] d.h1. 1.002906: local_timer_exit: vector=236
            "
        ),
        "wakeup",
    )
}

fn check(said: &str, expected: Expect) {
    expected.assert_eq(said);
}

#[test]
fn an_interrupt_that_began_before_the_recording_has_the_cpu_until_its_end() {
    check(
        &ends("", "local_timer_exit: vector=236", ""),
        expect![[r#"
            Wakeup of rt-7 on CPU 0 took 904 µs: interrupt local_timer ran for 900 µs
        "#]],
    );
}

#[test]
fn an_interrupt_that_began_before_a_loss_has_the_cpu_until_its_end() {
    let before = "b-8 [0] d.h1. 0.900000: local_timer_entry: vector=236
            b-8  [0] d.h1. 0.900009: local_timer_exit: vector=236
            LOST [0]";
    check(
        &ends(before, "local_timer_exit: vector=236", ""),
        expect![[r#"
            Wakeup of rt-7 on CPU 0 took 904 µs: interrupt local_timer ran for 900 µs
        "#]],
    );
}

#[test]
fn an_interrupt_whose_like_is_never_seen_to_begin_may_have_been_another_one() {
    check(
        &ends("", "irq_handler_exit: irq=25 ret=handled", ""),
        expect![[r#"
        Wakeup of rt-7 on CPU 0 took 904 µs: b-8 (nice 0) could not be preempted for 901 µs, or the interrupt that woke it ran on
    "#]],
    );
}

#[test]
fn an_interrupt_is_over_where_the_task_goes_on() {
    let between = "b-8 [0] dN.1. 1.000100: print: out of it";
    check(
        &ends("", "local_timer_exit: vector=236", between),
        expect![[r#"
        Wakeup of rt-7 on CPU 0 took 904 µs: b-8 (nice 0) could not be preempted for 901 µs
    "#]],
    );
}

/// A softirq hands its rest on, and nothing comes for long.
fn handed_on(last: &str) -> String {
    headlines(
        &format!(
            "
            <idle>-0 [0] d..1. 0.999000: cpu_idle: state=1 cpu_id=0
            <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
            <idle>-0 [0] d.h3. 1.000002: sched_waking: comm=rt pid=7 prio=19 target_cpu=000
            <idle>-0 [0] dNh4. 1.000005: sched_wakeup: comm=rt pid=7 prio=19 target_cpu=000
            <idle>-0 [0] dNh1. 1.000009: local_timer_exit: vector=236
            <idle>-0 [0] .Ns1. 1.000011: softirq_entry: vec=9 [action=RCU]
            {last}
            <idle>-0 [0] dNs4. 1.000032: sched_wakeup: comm=ksoftirqd/0 pid=23 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 1.000965: local_timer_entry: vector=236
            <idle>-0 [0] dNh1. 1.000969: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 1.000974: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=7 next_prio=19
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_cpu_without_work_that_is_done_with_its_softirqs_stands_still() {
    let done = "<idle>-0 [0] .Ns1. 1.000028: softirq_exit: vec=9 [action=RCU]";
    check(
        &handed_on(done),
        expect![[r#"
        Wakeup of rt-7 on CPU 0 took 972 µs: CPU 0 stood still for 933 µs
    "#]],
    );
    check(
        &handed_on(""),
        expect![[r#"
            Wakeup of rt-7 on CPU 0 took 972 µs: a softirq ran for up to 933 µs (its end is not recorded)
        "#]],
    );
}

#[test]
fn a_stall_that_began_before_the_case_is_said_in_whole_too() {
    let ticks: String = (0..20)
        .map(|ms| {
            format!(
                "<idle>-0 [0] d.h1. 0.9{ms:02}000: local_timer_entry: vector=236
                 <idle>-0 [0] d.h1. 0.9{ms:02}010: local_timer_exit: vector=236\n"
            )
        })
        .collect();
    let told = headlines(
        &format!(
            "
            {ticks}
            <idle>-0 [0] d..2. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000100000 softexpires=1000100000
            <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.000002: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=1000001000
            <idle>-0 [0] d.h1. 1.000010: hrtimer_expire_exit: hrtimer=00000000000000bb
            <idle>-0 [0] d.h1. 1.000950: local_timer_exit: vector=236
            <idle>-0 [0] d.h1. 1.000955: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.000957: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1000956000
            <idle>-0 [0] d.h1. 1.000960: hrtimer_expire_exit: hrtimer=00000000000000aa
            "
        ),
        "timer",
    );
    assert!(told.contains("CPU 0 stood still for 849 µs (940 µs in all"), "{told}");
}

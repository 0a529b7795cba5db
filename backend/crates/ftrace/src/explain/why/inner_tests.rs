//! What a task did while another one waited for it, or on its own way back.

use expect_test::{Expect, expect};

use crate::testing::explain::headlines;

fn check(said: &str, expected: Expect) {
    expected.assert_eq(said);
}

/// A kernel thread that others hand work to keeps the CPU for 1 ms.
fn behind_worker(first: &str, second: &str) -> String {
    headlines(
        &format!(
            "
            s-7 [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=kworker/0:1H next_pid=60 next_prio=100
            kworker/0:1H-60 [0] ..... 1.000010: workqueue_execute_start: work struct 00000000000000aa: function {first}
            kworker/0:1H-60 [0] ..... 1.000300: workqueue_execute_end: work struct 00000000000000aa: function {first}
            kworker/0:1H-60 [0] ..... 1.000310: workqueue_execute_start: work struct 00000000000000bb: function {second}
            kworker/0:1H-60 [0] ..... 1.000600: workqueue_execute_end: work struct 00000000000000bb: function {second}
            kworker/0:1H-60 [0] d..2. 1.000900: sched_switch: prev_comm=kworker/0:1H prev_pid=60 prev_prio=100 prev_state=I ==> next_comm=s next_pid=7 next_prio=120
            "
        ),
        "preempted",
    )
}

#[test]
fn the_work_that_took_most_of_a_threads_time_is_named() {
    check(
        &behind_worker("slow_work [late]", "slow_work [late]"),
        expect![[r#"
        s-7 was preempted on CPU 0 for 900 µs: behind kworker/0:1H-60 (nice -20) for 900 µs, mostly in slow_work
    "#]],
    );
    check(
        &behind_worker("slow_work", "other_work"),
        expect![[r#"
        s-7 was preempted on CPU 0 for 900 µs: behind kworker/0:1H-60 (nice -20) for 900 µs
    "#]],
    );
}

/// A task that is back in user space 600 µs after it was switched to.
fn on_its_way(at_us: u32, met: &str) -> String {
    headlines(
        &format!(
            "
            rt-7     [0] ...1. 0.998900: sys_enter_clock_nanosleep: which_clock: 1, flags: 1, rqtp: 7f, rmtp: 0
            rt-7     [0] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=10000000 softexpires=10000000 mode=ABS|HARD
            rt-7     [0] d..2. 0.999005: sched_switch: prev_comm=rt prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.000001: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.000002: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10001000
            <idle>-0 [0] d.h3. 1.000003: sched_waking: comm=rt pid=7 prio=19 target_cpu=000
            <idle>-0 [0] dNh4. 1.000006: sched_wakeup: comm=rt pid=7 prio=19 target_cpu=000
            <idle>-0 [0] dNh1. 1.000010: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 1.000014: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=7 next_prio=19
            rt-7     [0] d.... 1.{at_us:06}: {met}
            rt-7     [0] ...1. 1.000614: sys_exit_clock_nanosleep: -> 0x0
            "
        ),
        "cyclic",
    )
}

#[test]
fn a_way_to_user_space_ends_where_a_timer_did_not_come() {
    let tick = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let late = format!(
        "hrtimer_start: {tick} expires=10100000 softexpires=10100000 mode=ABS|HARD
            rt-7     [0] d.h.. 1.000500: local_timer_entry: vector=236
            rt-7     [0] d.h.. 1.000501: hrtimer_expire_entry: {tick} now=10500000
            rt-7     [0] d.h.. 1.000503: hrtimer_expire_exit: hrtimer=00000000000000bb
            rt-7     [0] d.h.. 1.000505: local_timer_exit: vector=236"
    );
    let told = on_its_way(16, &late);
    assert!(told.contains("interrupts were off in rt-7 (rt 80) for 399 µs"), "{told}");
}

#[test]
fn what_a_task_met_on_its_way_to_user_space_is_said_where_most_came_after_it() {
    let fault = "page_fault_user: address=0x7f01 ip=0x5501 error_code=0x6";
    check(
        &on_its_way(16, fault),
        expect![[r#"
        rt-7 on CPU 0 woke 613 µs late: its return to user space took 600 µs, mostly after a page fault
    "#]],
    );
    check(
        &on_its_way(16, "signal_deliver: sig=14 errno=0 code=0 sa_handler=55 sa_flags=0"),
        expect![[r#"
            rt-7 on CPU 0 woke 613 µs late: its return to user space took 600 µs, mostly after a signal
        "#]],
    );
    check(
        &on_its_way(500, fault),
        expect![[r#"
        rt-7 on CPU 0 woke 613 µs late: its return to user space took 600 µs
    "#]],
    );
    check(
        &on_its_way(16, "print: hello"),
        expect![[r#"
        rt-7 on CPU 0 woke 613 µs late: its return to user space took 600 µs
    "#]],
    );
}

//! A CPU that stands still while a task is on its way to sleep or off its CPU, and silences that say more than who ran.

use crate::testing::explain::headlines;

const SLEEP: &str =
    "hrtimer=00000000000000aa function=hrtimer_wakeup expires=2000000000 softexpires=2000000000";

/// `r` falls asleep six times within 8 µs.
fn sleeps() -> String {
    let once = |t_us: u32| {
        format!(
            "
            r-9      [1] d..1. 1.{:06}: hrtimer_start: {SLEEP}
            r-9      [1] d..2. 1.{:06}: sched_stat_runtime: comm=r pid=9 runtime=9000 [ns]
            r-9      [1] d..2. 1.{:06}: sched_switch: prev_comm=r prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
            k-8      [1] d..2. 1.{:06}: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=r next_pid=9 next_prio=19
            ",
            t_us,
            t_us + 3,
            t_us + 8,
            t_us + 90,
        )
    };
    (1..=6).map(|idx| once(idx * 100)).collect()
}

/// `w` waits for CPU 1 while `r` does there what `meanwhile` says, from 1.001010 to 1.002950.
fn waits_behind(meanwhile: &str) -> String {
    headlines(
        &format!(
            "
            k-8      [1] d.h1. 1.000001: softirq_entry: vec=9 [action=RCU]
            k-8      [1] d.h1. 1.000002: softirq_exit: vec=9 [action=RCU]
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=r next_pid=9 next_prio=19
            {}
            sh-5     [0] d..2. 1.001000: sched_waking: comm=w pid=7 prio=120 target_cpu=001
            {meanwhile}
            r-9      [1] d..2. 1.003000: sched_switch: prev_comm=r prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
            ",
            sleeps(),
        ),
        "wakeup",
    )
}

/// The timer starts, and its interrupt comes 1.9 ms later; `behind` is what `r` does then.
fn starts(timer: &str, behind: &str) -> String {
    waits_behind(&format!(
        "r-9 [1] d..1. 1.001010: hrtimer_start: {timer}
        r-9 [1] d.h1. 1.002950: local_timer_entry: vector=236
        r-9 [1] d.h2. 1.002955: sched_waking: comm=r pid=9 prio=19 target_cpu=001
        r-9 [1] d.h1. 1.002960: local_timer_exit: vector=236
        {behind}"
    ))
}

#[test]
fn a_cpu_stands_still_on_a_tasks_way_to_sleep() {
    let still = "CPU 1 stood still for 1.940 ms (normally 8.0 µs)\n";
    let returns = "r-9 [1] ...1. 1.002970: sys_exit_clock_nanosleep: -> 0x0";
    let told = starts(SLEEP, returns);
    assert!(told.ends_with(still), "{told}");
    let preempted = "r-9 [1] d..1. 1.002990: sched_stat_runtime: comm=r pid=9 runtime=9000 [ns]";
    let told = starts(SLEEP, preempted);
    assert!(told.ends_with(still), "{told}");
    // What it does after the start of another timer is its own affair.
    let told = starts(&SLEEP.replace("hrtimer_wakeup", "posix_timer_fn"), returns);
    assert!(told.contains("behind r-9 (rt 80) for"), "{told}");
    let told = waits_behind(&format!(
        "r-9 [1] d..1. 1.001010: hrtimer_start: {SLEEP}\nr-9 [1] ..... 1.001020: print: busy"
    ));
    assert!(told.contains("behind r-9 (rt 80) for"), "{told}");
}

/// A sleeper starts its timer 40 ms late: two others have its CPU meanwhile, whose ticks come so late.
fn started_late(tick_late_us: u32) -> String {
    let tick = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let turn = |task: &str, next: &str, at_us: u32| {
        let due_us = at_us + 18_000 - tick_late_us;
        let (comm, pid) = task.split_once('-').unwrap();
        let (next_comm, next_pid) = next.split_once('-').unwrap();
        format!(
            "
            {task} [0] d.h1. 1.{:06}: hrtimer_start: {tick} expires={due_us}000 softexpires={due_us}000
            {task} [0] d.h1. 1.{:06}: local_timer_entry: vector=236
            {task} [0] d.h1. 1.{:06}: hrtimer_expire_entry: {tick} now={}000
            {task} [0] dNh1. 1.{:06}: local_timer_exit: vector=236
            {task} [0] d..2. 1.{:06}: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state=R ==> next_comm={next_comm} next_pid={next_pid} next_prio=120
            ",
            at_us + 100,
            at_us + 18_000,
            at_us + 18_002,
            at_us + 18_002,
            at_us + 18_010,
            at_us + 18_020,
        )
    };
    headlines(
        &format!(
            "
            s-7 [0] d..2. 1.001000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
            {}
            {}
            s-7 [0] d..1. 1.043000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=3000000 softexpires=3000000
            s-7 [0] d..2. 1.043002: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8 [0] d.h1. 1.043006: local_timer_entry: vector=236
            b-8 [0] d.h1. 1.043008: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=43008000
            b-8 [0] d.h2. 1.043010: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            b-8 [0] dNh1. 1.043012: local_timer_exit: vector=236
            b-8 [0] d..2. 1.043014: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            ",
            turn("b-8", "c-9", 1_000),
            turn("c-9", "s-7", 20_000),
        ),
        "cyclic",
    )
}

#[test]
fn silences_before_a_late_start_say_more_than_who_ran() {
    let told = started_late(10_500);
    assert!(told.contains(", after interrupts were off or CPU 0 stood still for 21.000 ms"), "{told}");
    let told = started_late(6_000);
    assert!(told.contains(", after waiting 3") && told.contains(" behind 2 tasks"), "{told}");
}

/// `b` has preempted `a` often, within 5 µs, on a guest; the last time `w` waits for that, and it takes so long.
fn leaves_after(left_us: u32) -> String {
    let once = |idx: u32, left_us: u32| {
        let at_us = 1_000 + idx * 100;
        format!(
            "
            a-5      [1] dN.4. 1.{at_us:06}: sched_wakeup: comm=b pid=8 prio=120 target_cpu=001
            a-5      [1] d..2. 1.{:06}: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
            b-8      [1] d..2. 1.{:06}: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=a next_pid=5 next_prio=120
            ",
            at_us + left_us,
            at_us + left_us + 20,
        )
    };
    let often: String = (0..30).map(|idx| once(idx, 5)).collect();
    headlines(
        &format!(
            "
            a-5      [1] d.h1. 1.000000: irq_handler_entry: irq=25 name=virtio0-requests
            a-5      [1] d.h1. 1.000005: irq_handler_exit: irq=25 ret=handled
            {often}
            a-5      [1] d..3. 1.004998: sched_waking: comm=b pid=8 prio=120 target_cpu=001
            {}
            ",
            once(40, left_us),
        ),
        "wakeup",
    )
}

#[test]
fn whoever_is_asked_to_leave_may_have_stood_still_where_others_leave_at_once() {
    let told = leaves_after(690);
    assert!(
        told.contains("a-5 (nice 0) could not be preempted for") && told.contains("or CPU 1 stood still"),
        "{told}"
    );
    let told = leaves_after(15);
    assert!(!told.contains("stood still"), "{told}");
}

/// A program starts a timer that was due long ago, and the CPU goes idle and notices it so much later.
fn due_before(expires_us: u32) -> String {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    headlines(
        &format!(
            "
            s-7      [0] ..... 1.030000: sys_enter_write: fd: 1
            s-7      [0] d..1. 1.030010: hrtimer_start: {timer} expires={expires_us}000 softexpires={expires_us}000
            s-7      [0] d..2. 1.030020: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.037000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.037002: hrtimer_expire_entry: {timer} now=37002000
            <idle>-0 [0] d.h2. 1.037004: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 1.037006: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 1.037010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7      [0] ..... 1.037012: sys_exit_write: 0x1
            "
        ),
        "syscall",
    )
}

#[test]
fn nobody_sleeps_until_a_timer_that_was_due_before() {
    let told = due_before(10_000);
    assert!(told.contains("CPU 0 was idle and took 6.980 ms to notice"), "{told}");
    let told = due_before(36_990);
    assert!(told.contains("it slept 6.984 ms until its own time-out"), "{told}");
}

/// `w` sleeps until `h`, which is preempted by three others for longer than it runs.
#[test]
fn a_waker_that_ran_for_less_than_it_waited_has_waited() {
    let others: String = (0..3)
        .map(|idx| {
            let at_us = 2_000 + idx * 3_000;
            format!(
                "
                h-8  [1] d..2. 1.{at_us:06}: sched_switch: prev_comm=h prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=o{idx} next_pid=2{idx} next_prio=120
                o{idx}-2{idx} [1] d..2. 1.{:06}: sched_switch: prev_comm=o{idx} prev_pid=2{idx} prev_prio=120 prev_state=R ==> next_comm=h next_pid=8 next_prio=120
                ",
                at_us + 2_500,
            )
        })
        .collect();
    let told = headlines(
        &format!(
            "
            h-8      [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=h next_pid=8 next_prio=120
            w-7      [0] ..... 1.000100: sys_enter_futex: uaddr: 0x1
            w-7      [0] d..2. 1.000110: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            {others}
            h-8      [1] d..2. 1.011000: sched_waking: comm=w pid=7 prio=120 target_cpu=000
            <idle>-0 [0] d..2. 1.011010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            w-7      [0] ..... 1.011020: sys_exit_futex: 0x0
            "
        ),
        "syscall",
    );
    assert!(told.contains("until h-8 (nice 0) woke it, which waited 7.500 ms behind 3 tasks"), "{told}");
}

#[test]
fn a_cpu_stands_still_as_a_thread_of_softirqs_has_no_more_to_do() {
    let run = |at_us: u32, sleeps_us: u32| {
        format!(
            "
            w-7           [0] d..2. 1.{:06}: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/0 next_pid=14 next_prio=120
            ksoftirqd/0-14 [0] ..s1. 1.{:06}: softirq_entry: vec=7 [action=SCHED]
            ksoftirqd/0-14 [0] ..s1. 1.{:06}: softirq_exit: vec=7 [action=SCHED]
            ksoftirqd/0-14 [0] d..2. 1.{:06}: sched_switch: prev_comm=ksoftirqd/0 prev_pid=14 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
            ",
            at_us,
            at_us + 10,
            at_us + 20,
            at_us + 20 + sleeps_us,
        )
    };
    let runs: String = (1..=8).map(|idx| run(idx * 1_000, 10)).collect();
    let told = headlines(&format!("{runs}{}", run(20_000, 3_300)), "preempted");
    assert!(told.ends_with("for 3.320 ms: CPU 0 stood still for 3.300 ms (normally 10 µs)\n"), "{told}");
}

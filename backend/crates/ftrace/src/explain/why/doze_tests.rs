//! A CPU that stands still while a task is on its way to sleep.

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

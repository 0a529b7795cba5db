//! CPUs that stand still in the middle of a waking.

use crate::testing::explain::headlines;

/// A task of CPU 0 is woken by a CPU that stands still in the middle of it, and by then its own CPU has stood still, too.
#[test]
fn two_cpus_that_stood_still_are_both_told() {
    let usual = |us: u32| {
        format!(
            "
            sh-5     [1] d..2. 1.{us:06}: sched_waking: comm=w pid=9 prio=120 target_cpu=000
            sh-5     [1] d..3. 1.{:06}: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000
            <idle>-0 [0] dN.1. 1.{:06}: print: x
            <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
            w-9      [0] d..2. 1.{:06}: sched_switch: prev_comm=w prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            us + 4,
            us + 10,
            us + 14,
            us + 40
        )
    };
    let before: String = (0..30).map(|round| usual(1_000 * round)).collect();
    let said = headlines(
        &format!(
            "{before}
            sh-5     [1] d..2. 1.040000: sched_waking: comm=w pid=9 prio=120 target_cpu=000
            sh-5     [1] d..3. 1.044000: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000
            <idle>-0 [0] dN.1. 1.044010: print: x
            <idle>-0 [0] d..2. 1.047000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
            "
        ),
        "wakeup",
    );
    let last = said.lines().find(|line| line.contains("took 7.000 ms")).unwrap();
    assert!(last.contains("CPU 1 stood still for 4.000 ms"), "{last}");
    assert!(last.contains(", and CPU 0 for 2.990 ms"), "{last}");
}

/// CPU 0 is in the idle task, and stands still while that wakes a task of its own in an interrupt; another CPU wakes `w`.
#[test]
fn an_idle_cpu_in_the_middle_of_a_waking_does_not_sleep() {
    let waking = |us: u32, long_us: u32| {
        format!(
            "
            <idle>-0 [0] dNh3. 1.{us:06}: sched_waking: comm=r pid=8 prio=98 target_cpu=000
            <idle>-0 [0] dNh4. 1.{:06}: sched_wakeup: comm=r pid=8 prio=98 target_cpu=000
            <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=r next_pid=8 next_prio=98
            r-8      [0] d..2. 1.{:06}: sched_switch: prev_comm=r prev_pid=8 prev_prio=98 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            us + long_us,
            us + long_us + 10,
            us + long_us + 20
        )
    };
    let before: String = (0..30).map(|round| waking(1_000 * round, 4)).collect();
    let last = waking(40_000, 24_000);
    let last = last.lines().take(3).collect::<Vec<_>>().join("\n");
    let said = headlines(
        &format!(
            "{before}
            sh-5     [1] d..2. 1.045000: sched_waking: comm=w pid=9 prio=120 target_cpu=000
            sh-5     [1] d..3. 1.045002: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000
            {last}
            <idle>-0 [0] d..2. 1.064010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
            "
        ),
        "wakeup",
    );
    let last = said.lines().find(|line| line.starts_with("Wakeup of w-9")).unwrap();
    assert!(last.contains("CPU 0 stood still for 18.998 ms"), "{last}");
}

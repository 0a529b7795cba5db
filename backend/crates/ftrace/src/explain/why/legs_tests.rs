//! Whoever is followed back in time, on the CPUs on which it was.

use crate::testing::explain::headlines;

/// `w` waits in a call for `h`, which is preempted on CPU 0 and moved twice before it runs and wakes `w`.
#[test]
fn a_waker_that_was_moved_waits_on_the_cpu_that_it_was_moved_to() {
    let told = headlines(
        "
        w-7      [2] ..... 1.000050: sys_enter: NR 202 (1, 1, 1, 1, 1, 1)
        w-7      [2] d..2. 1.000060: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/2 next_pid=0 next_prio=120
        h-8      [0] d..2. 1.000100: sched_switch: prev_comm=h prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=a next_pid=20 next_prio=120
        <idle>-0 [1] d..2. 1.000900: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=21 next_prio=49
        b-21     [1] d.s2. 1.001000: sched_migrate_task: comm=h pid=8 prio=120 orig_cpu=0 dest_cpu=1
        a-20     [0] d..2. 1.001500: sched_switch: prev_comm=a prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        b-21     [1] d..2. 1.009000: sched_switch: prev_comm=b prev_pid=21 prev_prio=49 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0 [0] d..2. 1.009005: sched_migrate_task: comm=h pid=8 prio=120 orig_cpu=1 dest_cpu=0
        <idle>-0 [0] d..2. 1.009010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=h next_pid=8 next_prio=120
        h-8      [0] d..2. 1.009040: sched_waking: comm=w pid=7 prio=120 target_cpu=002
        <idle>-0 [2] d..2. 1.009050: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
        w-7      [2] ..... 1.009060: sys_exit: NR 202 = 0
        ",
        "syscall",
    );
    assert!(told.contains("woke it, which waited 8.000 ms behind b-21"), "{told}");
    assert!(!told.contains("throttled"), "{told}");
}

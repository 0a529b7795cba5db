//! Where a task waited, and behind what there.

use expect_test::expect;

use crate::testing::explain::check;

#[test]
fn what_runs_while_a_softirq_is_suspended_is_not_the_softirq() {
    // On PREEMPT_RT the thread of a softirq is preempted like any other.
    check(
        "
        waker-5      [0] 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ktimers/0 next_pid=16 next_prio=98
        ktimers/0-16 [0] 1.000010: softirq_entry: vec=8 [action=HRTIMER]
        ktimers/0-16 [0] 1.000012: sched_waking: comm=late pid=7 prio=120 target_cpu=000
        ktimers/0-16 [0] 1.000020: sched_switch: prev_comm=ktimers/0 prev_pid=16 prev_prio=98 prev_state=R+ ==> next_comm=hog next_pid=9 next_prio=9
        hog-9        [0] 1.000090: sched_switch: prev_comm=hog prev_pid=9 prev_prio=9 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0     [0] 1.000094: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ktimers/0 next_pid=16 next_prio=98
        ktimers/0-16 [0] 1.000099: softirq_exit: vec=8 [action=HRTIMER]
        ktimers/0-16 [0] 1.000100: sched_switch: prev_comm=ktimers/0 prev_pid=16 prev_prio=98 prev_state=S ==> next_comm=late next_pid=7 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of late-7 on CPU 0 took 88 µs: behind hog-9 (rt 90) for 70 µs
              waking -> switch: 88000
              task hog-9: 70000, rt 90, pid 9, from 20000, longest 70000
              softirq HRTIMER: 13000, in ktimers/0-16, pid 16, from 12000, longest 8000
              idle idle: 4000, from 90000, longest 4000
              task ktimers/0-16: 1000, rt 1, pid 16, from 99000, longest 1000
              handler (recorded) 8000: softirq HRTIMER itself took 8.0 µs
              higher_priority (recorded) 70000: behind hog-9 (rt 90) for 70 µs
              idle_exit (recorded) 4000: CPU 0 was idle and took 4.0 µs to notice
              handler (recorded) 5000: softirq HRTIMER itself took 5.0 µs
              higher_priority (recorded) 1000: behind ktimers/0-16 (rt 1) for 1.0 µs
              behind: softirq HRTIMER ran for 15 µs (in ktimers/0-16)
              behind: hog-9 (rt 90) ran for 70 µs
              behind: ktimers/0-16 (rt 1) ran for 20 µs
        "#]],
    );
}

#[test]
fn a_woken_task_waits_where_its_wakeup_says_though_no_migration_was_recorded() {
    // `sched_waking` names CPU 0, where it slept, `sched_wakeup` the one that the scheduler chose.
    check(
        "
        sh-3     [0] 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=busy next_pid=5 next_prio=120
        sh-3     [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=9 next_prio=120
        w-4      [2] 1.000010: sched_waking: comm=late pid=7 prio=120 target_cpu=000
        w-4      [2] 1.000011: sched_wakeup: comm=late pid=7 prio=120 target_cpu=001
        hog-9    [1] 1.000090: sched_switch: prev_comm=hog prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=late next_pid=7 next_prio=120
        busy-5   [0] 1.000100: sched_switch: prev_comm=busy prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of late-7 on CPU 1 took 80 µs: behind hog-9 (nice 0) for 79 µs
              waking -> wakeup: 1000
              wakeup -> switch: 79000
              task hog-9: 80000, nice 0, pid 9, from 10000, longest 80000
              handler (recorded) 1000: the wakeup and the switch themselves took 1.0 µs
              fair_share (recorded) 79000: behind hog-9 (nice 0) for 79 µs
              behind: hog-9 (nice 0) ran for 90 µs
        "#]],
    );
}

#[test]
fn a_task_that_moves_away_and_back_is_followed() {
    check(
        "
        a-2      [0] 1.000000: sched_switch: prev_comm=late prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=one next_pid=5 next_prio=120
        b-3      [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=two next_pid=6 next_prio=120
        two-6    [1] 1.000010: sched_migrate_task: comm=late pid=7 prio=120 orig_cpu=0 dest_cpu=1
        one-5    [0] 1.000070: sched_migrate_task: comm=late pid=7 prio=120 orig_cpu=1 dest_cpu=0
        one-5    [0] 1.000080: sched_switch: prev_comm=one prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=late next_pid=7 next_prio=120
        two-6    [1] 1.000100: sched_switch: prev_comm=two prev_pid=6 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        ",
        "preempted",
        expect![[r#"
            late-7 was preempted on CPU 0 for 80 µs: CPU 1 pulled it as two-6 went to sleep, and took 60 µs to switch to it
              switch out -> migration: 10000
              migration -> migration: 60000
              migration -> switch: 10000
              task two-6: 60000 on cpu 1, nice 0, pid 6, from 10000, longest 60000
              task one-5: 20000, nice 0, pid 5, from 0, longest 10000
              fair_share (recorded) 10000: behind one-5 (nice 0) for 10 µs
              migration (recorded) 60000: CPU 1 pulled it as two-6 went to sleep, and took 60 µs to switch to it
              migration (recorded) 10000: CPU 0 pulled it as one-5 went to sleep, and took 10 µs to switch to it
              behind: two-6 (nice 0) ran for 100 µs
        "#]],
    );
}

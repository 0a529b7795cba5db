//! Which wakeups have a latency, and which end unseen.

use expect_test::expect;

use crate::testing::check_latencies;

const KINDS: &[&str] = &["wakeup"];

#[test]
fn a_woken_task_waits_until_it_is_switched_to() {
    check_latencies(
        KINDS,
        "
        <idle>-0 [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        <idle>-0 [0] 1.000012: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=001
        <idle>-0 [1] 1.000035: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup cpu 1 rt-9 start 0 duration 25000 from cpu 0
        "#]],
    );
}

#[test]
fn the_first_of_two_wakings_counts_and_one_of_a_running_task_does_not() {
    check_latencies(
        KINDS,
        "
        a-3      [1] 1.000000: sched_waking: comm=a pid=3 prio=120 target_cpu=001
        <idle>-0 [0] 1.000010: sched_wakeup: rt:9 [89] CPU:001
        <idle>-0 [0] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        <idle>-0 [2] 1.000030: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        <idle>-0 [0] 1.000040: sched_waking: comm=rt pid=9 prio=89 target_cpu=002
        rt-9     [2] 1.000050: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/2 next_pid=0 next_prio=120
        <idle>-0 [2] 1.000080: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup cpu 2 rt-9 start 10000 duration 20000 from cpu 0 migrated from_wakeup
            wakeup incomplete: 1 no_end
        "#]],
    );
}

#[test]
fn a_task_that_begins_or_ends_a_system_call_does_not_wait() {
    check_latencies(
        KINDS,
        "
        <idle>-0 [0] 1.000000: sched_waking: comm=a pid=3 prio=120 target_cpu=000
        a-3      [0] 1.000020: sys_exit_clock_nanosleep: -> 0x0
        a-3      [0] 1.000025: sys_enter_clock_nanosleep: which_clock: 0x00000001
        <idle>-0 [0] 1.010000: sched_waking: comm=a pid=3 prio=120 target_cpu=000
        <idle>-0 [0] 1.010015: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=3 next_prio=120
        ",
        expect![[r#"
            wakeup incomplete: 1 no_end
        "#]],
    );
}

#[test]
fn a_task_that_leaves_a_cpu_did_not_wait_for_one() {
    check_latencies(
        KINDS,
        "
        <idle>-0 [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        rt-9     [0] 1.000040: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000500: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000508: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup cpu 0 rt-9 start 490000 duration 8000 slept 460000
            wakeup incomplete: 1 no_end
        "#]],
    );
}

#[test]
fn a_task_whose_leaving_was_not_seen_can_be_woken() {
    check_latencies(
        KINDS,
        "
        <idle>-0 [0] 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000025: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup cpu 0 rt-9 start 20000 duration 5000
        "#]],
    );
}

#[test]
fn what_the_task_woke_to_is_told() {
    check_latencies(
        KINDS,
        "
        rt-9     [0] 1.000010: cpu_frequency: state=1800000 cpu_id=0
        rt-9     [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000015: cpu_idle: state=2 cpu_id=0
        <idle>-0 [1] 1.000110: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000120: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] 1.000130: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup cpu 0 rt-9 start 100000 duration 20000 from cpu 1 slept 100000 at 1800000 kHz idle state 2
        "#]],
    );
}

#[test]
fn a_loss_or_a_missing_end_gives_no_number() {
    check_latencies(
        KINDS,
        "
        <idle>-0 [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        LOST     [0]
        <idle>-0 [0] 1.000030: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        rt-9     [0] 1.000040: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
        ",
        expect![[r#"
            wakeup incomplete: 1 lost_events
            wakeup incomplete: 1 no_end
        "#]],
    );
}

#[test]
fn what_was_lost_before_the_first_record_of_a_cpu_counts_too() {
    check_latencies(
        KINDS,
        "
        sh-7     [1] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        LOST     [0]
        <idle>-0 [0] 1.000030: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup incomplete: 1 lost_events
        "#]],
    );
}

#[test]
fn a_gap_costs_the_same_however_many_tasks_wait() {
    // A walk over all tasks at each of the gaps would be 4,000,000,000 steps: minutes.
    let mut text = String::new();
    for pid in 1..=60_000 {
        text += &format!("a-{pid} [0] 1.000000: sched_waking: comm=b pid={pid} prio=1 target_cpu=000\n");
    }
    for _ in 0..60_000 {
        text += "LOST [1]\n";
    }
    check_latencies(
        KINDS,
        &text,
        expect![[r#"
            wakeup incomplete: 60000 no_end
        "#]],
    );
}

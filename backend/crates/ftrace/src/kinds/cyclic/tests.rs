//! Sleepers that come back, and some that do not.

use expect_test::expect;

use crate::testing::check_latencies;

const KINDS: &[&str] = &["timer", "cyclic"];

#[test]
fn the_sleeper_is_back_when_its_system_call_returns() {
    check_latencies(
        KINDS,
        "
        rt-1213  [1] 2563.694114: sys_enter_clock_nanosleep: which_clock: 1, flags: 1, rqtp: 7fea2bcbb900, rmtp: 0
        rt-1213  [1] 2563.694114: hrtimer_start: hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900935569 mode=ABS
        <idle>-0 [1] 2563.694116: cpu_idle: state=2 cpu_id=1
        <idle>-0 [1] 2563.695110: local_timer_entry: vector=236
        <idle>-0 [1] 2563.695118: hrtimer_cancel: hrtimer=000000002ad8bc6a
        <idle>-0 [1] 2563.695119: hrtimer_expire_entry: hrtimer=000000002ad8bc6a function=hrtimer_wakeup now=6389900945120
        <idle>-0 [1] 2563.695119: sched_waking: comm=rt pid=1213 prio=19 target_cpu=001
        <idle>-0 [1] 2563.695122: sched_wakeup: comm=rt pid=1213 prio=19 target_cpu=001
        <idle>-0 [1] 2563.695122: hrtimer_expire_exit: hrtimer=000000002ad8bc6a
        <idle>-0 [1] 2563.695123: cpu_idle: state=4294967295 cpu_id=1
        <idle>-0 [1] 2563.695126: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=1213 next_prio=19
        rt-1213  [1] 2563.695128: sys_exit: NR 230 = 0
        rt-1213  [1] 2563.695128: sys_exit_clock_nanosleep: 0x0
        ",
        expect![[r#"
            cyclic cpu 1 rt-1213 start 995449 duration 18551 slept 995449 idle state 2
            timer cpu 1 hrtimer_wakeup start 995449 duration 9551
        "#]],
    );
}

#[test]
fn without_system_calls_the_sleeper_is_back_at_the_switch() {
    check_latencies(
        &["cyclic"],
        "
        rt-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        <idle>-0 [0] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [0] 1.000053: sched_wakeup: comm=rt pid=9 prio=19 target_cpu=002
        <idle>-0 [0] 1.000054: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [2] 1.000060: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        expect![[r#"
            cyclic cpu 2 rt-9 start 51000 duration 9000 from cpu 0 migrated ends_at_switch slept 51000
        "#]],
    );
}

#[test]
fn a_sleeper_waits_for_the_timers_that_are_handled_before_its_own() {
    check_latencies(
        KINDS,
        "
        rt-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        <idle>-0 [1] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=51000
        <idle>-0 [1] 1.000064: hrtimer_expire_exit: hrtimer=00000000000000bb
        <idle>-0 [1] 1.000065: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [1] 1.000066: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        <idle>-0 [1] 1.000067: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [1] 1.000070: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        expect![[r#"
            cyclic cpu 1 rt-9 start 51000 duration 19000 ends_at_switch slept 51000
            timer cpu 1 hrtimer_wakeup start 51000 duration 1000
            timer incomplete: 1 no_start
        "#]],
    );
}

#[test]
fn only_who_started_the_timer_is_its_sleeper() {
    check_latencies(
        &["cyclic"],
        "
        sh-7     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        <idle>-0 [1] 1.000051: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=51000
        <idle>-0 [1] 1.000051: sched_waking: comm=rcu pid=20 prio=98 target_cpu=001
        <idle>-0 [1] 1.000051: hrtimer_expire_exit: hrtimer=00000000000000bb
        <idle>-0 [1] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [1] 1.000053: sched_waking: comm=rcu pid=21 prio=98 target_cpu=001
        <idle>-0 [1] 1.000054: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [1] 1.000055: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
        <idle>-0 [1] 1.000060: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
        ",
        expect![""],
    );
}

#[test]
fn a_return_that_is_not_recorded_is_not_waited_for() {
    check_latencies(
        &["cyclic"],
        "
        rt-9     [0] 1.000000: sys_enter: NR 230 (1, 1, 7f00, 0, 0, 0)
        rt-9     [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        <idle>-0 [0] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [0] 1.000053: sched_waking: comm=rt pid=9 prio=19 target_cpu=000
        <idle>-0 [0] 1.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        rt-9     [0] 1.000070: sys_enter: NR 230 (1, 1, 7f00, 0, 0, 0)
        rt-9     [0] 1.000071: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=90000 softexpires=90000
        <idle>-0 [0] 1.000092: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=91000
        <idle>-0 [0] 1.000093: sched_waking: comm=rt pid=9 prio=19 target_cpu=000
        ",
        expect![[r#"
            cyclic cpu 0 rt-9 start 51000 duration 9000 ends_at_switch slept 50000
            cyclic incomplete: 1 no_end
        "#]],
    );
}

#[test]
fn a_softirq_thread_is_preempted_before_it_wakes_its_sleeper() {
    check_latencies(
        KINDS,
        "
        sh-8       [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        rt-9       [0] 1.000002: hrtimer_start: hrtimer=00000000000000bb function=hrtimer_wakeup expires=1900 softexpires=1900
        ktimers-18 [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1000
        ktimers-18 [0] 1.000011: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=2000
        ktimers-18 [0] 1.000012: sched_waking: comm=rt pid=9 prio=19 target_cpu=000
        ktimers-18 [0] 1.000013: hrtimer_expire_exit: hrtimer=00000000000000bb
        ktimers-18 [0] 1.000014: sched_switch: prev_comm=ktimers prev_pid=18 prev_prio=98 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=19
        rt-9       [0] 1.000020: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=ktimers next_pid=18 next_prio=98
        ktimers-18 [0] 1.000021: sched_waking: comm=sh pid=8 prio=120 target_cpu=000
        ktimers-18 [0] 1.000022: hrtimer_expire_exit: hrtimer=00000000000000aa
        ktimers-18 [0] 1.000030: sched_switch: prev_comm=ktimers prev_pid=18 prev_prio=98 prev_state=S ==> next_comm=sh next_pid=8 next_prio=120
        ",
        expect![[r#"
            cyclic cpu 0 sh-8 start 8900 duration 20100 ends_at_switch slept 8900
            cyclic cpu 0 rt-9 start 9900 duration 3100 ends_at_switch slept 8900
            timer cpu 0 hrtimer_wakeup start 8900 duration 100
            timer cpu 0 hrtimer_wakeup start 9900 duration 100
        "#]],
    );
}

#[test]
fn a_loss_before_the_sleeper_is_back_gives_no_number() {
    check_latencies(
        &["cyclic"],
        "
        rt-9     [0] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        <idle>-0 [0] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [0] 1.000053: sched_waking: comm=rt pid=9 prio=19 target_cpu=000
        LOST     [0]
        <idle>-0 [0] 1.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        expect![[r#"
            cyclic incomplete: 1 lost_events
        "#]],
    );
}

#[test]
fn a_task_that_its_timer_finds_running_is_late_until_the_interrupt_ends_at_least() {
    check_latencies(
        &["cyclic"],
        "
        sh-9     [0] 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=9 next_prio=120
        sh-9     [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        sh-9     [0] 1.000008: local_timer_entry: vector=236
        sh-9     [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=8900
        sh-9     [0] 1.000011: sched_waking: comm=sh pid=9 prio=120 target_cpu=000
        sh-9     [0] 1.000012: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9     [0] 1.000013: irq_handler_entry: irq=5 name=disk
        sh-9     [0] 1.000014: irq_handler_exit: irq=5 ret=handled
        sh-9     [0] 1.000015: local_timer_exit: vector=236
        sh-9     [0] 1.000030: local_timer_entry: vector=236
        sh-9     [0] 1.000031: local_timer_exit: vector=236
        sh-9     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=7 next_prio=120
        hog-7    [0] 1.005000: sched_switch: prev_comm=hog prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
        ",
        expect![[r#"
            cyclic cpu 0 sh-9 start 2000 duration 13000 at_least slept 1000
        "#]],
    );
}

#[test]
fn a_task_that_did_not_sleep_is_back_when_its_system_call_returns() {
    check_latencies(
        &["cyclic"],
        "
        sh-9 [0] 1.000000: sys_enter: NR 230 (1, 1, 7f00, 0, 0, 0)
        sh-9 [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        sh-9 [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=8900
        sh-9 [0] 1.000011: sched_waking: comm=sh pid=9 prio=120 target_cpu=000
        sh-9 [0] 1.000012: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9 [0] 1.000020: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=R+ ==> next_comm=hog next_pid=7 next_prio=19
        hog-7 [0] 1.000050: sched_switch: prev_comm=hog prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
        sh-9 [0] 1.000055: sys_exit: NR 230 = 0
        ",
        expect![[r#"
            cyclic cpu 0 sh-9 start 2000 duration 53000 slept 1000
        "#]],
    );
}

#[test]
fn a_task_that_ran_elsewhere_when_its_timer_woke_it_did_not_sleep() {
    check_latencies(
        &["cyclic"],
        "
        <idle>-0 [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=9 next_prio=120
        sh-9     [1] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        hog-7    [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=8900
        hog-7    [0] 1.000011: sched_waking: comm=sh pid=9 prio=120 target_cpu=001
        hog-7    [0] 1.000012: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9     [1] 1.000020: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=hog next_pid=7 next_prio=19
        ",
        expect![[r#"
            cyclic cpu 1 sh-9 start 2000 duration 9000 from cpu 0 at_least slept 1000
        "#]],
    );
}

#[test]
fn where_only_switches_to_a_task_are_recorded_it_is_back_at_the_next() {
    check_latencies(
        &["cyclic"],
        "
        <idle>-0 [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        rt-9     [1] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        <idle>-0 [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=8900
        <idle>-0 [0] 1.000011: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        <idle>-0 [0] 1.000012: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [1] 1.000020: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        expect![[r#"
            cyclic cpu 1 rt-9 start 2000 duration 18000 from cpu 0 ends_at_switch slept 1000
        "#]],
    );
}

#[test]
fn a_timer_that_fires_within_its_slack_does_not_make_its_sleeper_early() {
    check_latencies(
        KINDS,
        "
        sh-9     [0] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=60000 softexpires=10000
        sh-8     [0] 1.000001: hrtimer_start: hrtimer=00000000000000bb function=hrtimer_wakeup expires=60000 softexpires=10000
        <idle>-0 [0] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=40000
        <idle>-0 [0] 1.000053: sched_waking: comm=sh pid=9 prio=120 target_cpu=000
        <idle>-0 [0] 1.000054: sched_wakeup: comm=sh pid=9 prio=120 target_cpu=001
        <idle>-0 [0] 1.000055: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [0] 1.000056: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=40000
        <idle>-0 [0] 1.000057: sched_waking: comm=sh pid=8 prio=120 target_cpu=000
        <idle>-0 [0] 1.000058: hrtimer_expire_exit: hrtimer=00000000000000bb
        <idle>-0 [0] 1.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=8 next_prio=120
        hog-7    [1] 1.000900: sched_switch: prev_comm=hog prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
        ",
        expect![[r#"
            cyclic cpu 1 sh-9 start 72000 duration 828000 migrated ends_at_switch slept 72000
            cyclic incomplete: 1 early
            timer incomplete: 2 early
        "#]],
    );
}

#[test]
fn a_sleep_that_something_else_ends_is_counted() {
    check_latencies(
        &["cyclic"],
        "
        sh-9     [0] 1.000000: sys_enter: NR 230 (0, 0, 7f00, 0, 0, 0)
        sh-9     [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900000 softexpires=900000
        sh-9     [0] 1.000020: sys_exit: NR 230 = -516
        sh-9     [0] 1.000021: sys_clock_nanosleep -> 0xfffffffffffffdfc
        sh-8     [0] 1.000030: sys_enter: NR 7 (0, 0, 7f00, 0, 0, 0)
        sh-8     [0] 1.000031: hrtimer_start: hrtimer=00000000000000bb function=hrtimer_wakeup expires=900000 softexpires=900000
        sh-8     [0] 1.000040: sys_exit: NR 7 = 1
        sh-7     [0] 1.000050: hrtimer_start: hrtimer=00000000000000cc function=hrtimer_wakeup expires=60000 softexpires=60000
        <idle>-0 [0] 1.000055: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
        <idle>-0 [0] 1.000061: hrtimer_expire_entry: hrtimer=00000000000000cc function=hrtimer_wakeup now=60500
        <idle>-0 [0] 1.000062: hrtimer_expire_exit: hrtimer=00000000000000cc
        <idle>-0 [0] 1.000070: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
        ",
        expect![[r#"
            cyclic incomplete: 2 interrupted
        "#]],
    );
}

#[test]
fn a_task_that_must_give_way_before_it_is_back_waits_in_its_sleep() {
    check_latencies(
        &["cyclic"],
        "
        sh-9  [0] .... 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=900 softexpires=900
        sh-9  [0] d.h. 1.000008: local_timer_entry: vector=236
        sh-9  [0] d.h. 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=8900
        sh-9  [0] d.h. 1.000011: sched_waking: comm=sh pid=9 prio=120 target_cpu=000
        sh-9  [0] dNh. 1.000012: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9  [0] dNh. 1.000015: local_timer_exit: vector=236
        sh-9  [0] d... 1.000020: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=7 next_prio=120
        hog-7 [0] d... 1.005000: sched_switch: prev_comm=hog prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
        sh-9  [0] .... 1.005001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=5000900 softexpires=5000900
        sh-9  [0] d.h. 1.005008: local_timer_entry: vector=236
        sh-9  [0] d.h. 1.005010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=5008900
        sh-9  [0] d.h. 1.005011: sched_waking: comm=sh pid=9 prio=120 target_cpu=000
        sh-9  [0] dNh. 1.005012: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9  [0] dNh. 1.005015: local_timer_exit: vector=236
        sh-9  [0] d.h. 1.006000: local_timer_entry: vector=236
        sh-9  [0] dNh. 1.006001: local_timer_exit: vector=236
        sh-9  [0] d... 1.006002: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=7 next_prio=120
        hog-7 [0] d... 1.009000: sched_switch: prev_comm=hog prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=9 next_prio=120
        ",
        expect![[r#"
            cyclic cpu 0 sh-9 start 1000 duration 4998000 ends_at_switch slept 1000
            cyclic cpu 0 sh-9 start 5001000 duration 13000 at_least slept 1000
        "#]],
    );
}

#[test]
fn a_sleep_may_have_been_due_before_the_recording_began() {
    check_latencies(
        &["cyclic"],
        "
        rt-9     [0] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=5000 softexpires=5000
        <idle>-0 [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=45000
        <idle>-0 [0] 1.000011: sched_waking: comm=rt pid=9 prio=19 target_cpu=000
        <idle>-0 [0] 1.000015: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        expect![[r#"
            cyclic cpu 0 rt-9 start -30000 duration 45000 ends_at_switch slept 0
        "#]],
    );
}

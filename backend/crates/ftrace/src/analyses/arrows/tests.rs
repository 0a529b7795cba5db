use expect_test::expect;

use crate::testing::check_arrows as check;

#[test]
fn a_waking_leads_to_the_switch_to_its_task() {
    check(
        "
        sh-7     [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        sh-7     [0] 1.000012: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=001
        <idle>-0 [1] 1.000035: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        sh-7     [0] 1.000040: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        rt-9     [1] 1.000050: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=R ==> next_comm=a next_pid=3 next_prio=80
        a-3      [1] 1.000060: sched_switch: prev_comm=a prev_pid=3 prev_prio=80 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
        ",
        expect![[r#"
            wakeup 0 cpu 0 pid 7 -> 25000 cpu 1 pid 9
        "#]],
    );
}

#[test]
fn a_timer_leads_from_its_last_start_to_its_expiry() {
    check(
        "
        rt-9     [0] 1.000010: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=3000 softexpires=3000 mode=ABS
        rt-9     [0] 1.000020: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=4000 softexpires=4000 mode=ABS
        sh-7     [1] 1.000021: timer_start: timer=00000000000000aa function=process_timeout expires=4294671927 [timeout=3] cpu=1 idx=56 flags=
        <idle>-0 [1] 1.000030: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=4000
        <idle>-0 [1] 1.000040: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=5000
        <idle>-0 [0] 1.000050: timer_expire_entry: timer=00000000000000aa function=process_timeout now=4294671927 baseclk=4294671927
        ",
        expect![[r#"
            timer 10000 cpu 0 pid 9 -> 20000 cpu 1 pid 0 hrtimer_wakeup
            timer 11000 cpu 1 pid 7 -> 40000 cpu 0 pid 0 process_timeout
        "#]],
    );
}

#[test]
fn a_softirq_leads_from_its_raise_to_its_handler_on_the_same_cpu() {
    check(
        "
        sh-7        [0] 1.000010: softirq_raise: vec=1 [action=TIMER]
        sh-7        [1] 1.000011: softirq_entry: vec=1 [action=TIMER]
        ksoftirqd-8 [0] 1.000020: softirq_entry: vec=1 [action=TIMER]
        ksoftirqd-8 [0] 1.000030: softirq_entry: vec=1 [action=TIMER]
        ",
        expect![[r#"
            softirq 0 cpu 0 pid 7 -> 10000 cpu 0 pid 8 TIMER
        "#]],
    );
}

#[test]
fn an_ipi_leads_to_the_handler_of_its_purpose_on_every_target() {
    check(
        "
        sh-7     [0] 1.000010: ipi_send_cpu: cpu=1 callsite=try_to_wake_up+0x260/0x510 callback=0x0
        sh-7     [0] 1.000012: ipi_send_cpumask: cpumask=6 callsite=smp_call_function_many_cond+0x1a callback=generic_smp_call_function_single_interrupt+0x0/0x20
        ab-5     [2] 1.000013: ipi_send_cpu: cpu=1 callsite=try_to_wake_up+0x260/0x510 callback=0x0
        <idle>-0 [1] 1.000020: call_function_single_entry: vector=251
        <idle>-0 [1] 1.000030: reschedule_entry: vector=253
        <idle>-0 [1] 1.000040: reschedule_entry: vector=253
        ab-5     [2] 1.000050: call_function_entry: vector=252
        ",
        expect![[r#"
            ipi 0 cpu 0 pid 7 -> 20000 cpu 1 pid 0 reschedule
            ipi 2000 cpu 0 pid 7 -> 10000 cpu 1 pid 0 call_function_single
            ipi 2000 cpu 0 pid 7 -> 40000 cpu 2 pid 5 call_function
        "#]],
    );
}

#[test]
fn an_ipi_of_arm_says_its_reason_and_one_of_powerpc_does_not() {
    check(
        "
        sh-7     [0] 1.000010: ipi_raise: target_mask=00000000,00000002 (Rescheduling interrupts)
        <idle>-0 [1] 1.000011: ipi_entry: (Function call interrupts)
        <idle>-0 [1] 1.000020: ipi_entry: (Rescheduling interrupts)
        sh-7     [0] 1.000030: ipi_send_cpu: cpu=1 callsite=x callback=0x0
        <idle>-0 [1] 1.000040: doorbell_entry: pt_regs=00000000deadbeef
        ",
        expect![[r#"
            ipi 0 cpu 0 pid 7 -> 10000 cpu 1 pid 0 Rescheduling interrupts
            ipi 20000 cpu 0 pid 7 -> 30000 cpu 1 pid 0 doorbell
        "#]],
    );
}

#[test]
fn work_leads_from_its_queueing_to_its_start() {
    check(
        "
        sh-7      [0] 1.000010: workqueue_queue_work: work struct=000000000330d0cd function=vmstat_update workqueue=mm_percpu_wq req_cpu=1 cpu=1
        kworker-5 [1] 1.000030: workqueue_execute_start: work struct 000000000330d0cd: function vmstat_update
        kworker-5 [1] 1.000040: workqueue_execute_start: work struct 000000000330d0cd: function vmstat_update
        ",
        expect![[r#"
            work 0 cpu 0 pid 7 -> 20000 cpu 1 pid 5 vmstat_update
        "#]],
    );
}

#[test]
fn a_loss_between_the_ends_leaves_no_arrow() {
    check(
        "
        sh-7     [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        rt-3     [0] 1.000011: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=3000 softexpires=3000 mode=ABS
        sh-7     [1] 1.000012: softirq_raise: vec=1 [action=TIMER]
        sh-7     [0] 1.000013: ipi_send_cpu: cpu=1 callsite=x callback=0x0
        sh-7     [0] 1.000014: workqueue_queue_work: work struct=00000000000000bb function=f workqueue=q req_cpu=1 cpu=1
        LOST     [1]
        <idle>-0 [1] 1.000020: reschedule_entry: vector=253
        <idle>-0 [1] 1.000021: softirq_entry: vec=1 [action=TIMER]
        <idle>-0 [1] 1.000022: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=4000
        <idle>-0 [1] 1.000035: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        kw-5     [1] 1.000040: workqueue_execute_start: work struct 00000000000000bb: function f
        ",
        expect![""],
    );
}

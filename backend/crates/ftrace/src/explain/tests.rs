//! Cases of every kind, from the lines of a trace to their sentence.

use expect_test::expect;

use crate::testing::explain::check;

#[test]
fn the_worst_case_of_a_cyclic_sleeper() {
    check(
        "
        cyclicte-1213 [1] 2563.694114: sys_enter: NR 230 (1, 1, 7fea2bcbb900, 0, 0, 0)
        cyclicte-1213 [1] 2563.694114: hrtimer_start: hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900935569 mode=ABS
        cyclicte-1213 [1] 2563.694120: sched_switch: prev_comm=cyclictest prev_pid=1213 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0      [1] 2563.695110: local_timer_entry: vector=236
        <idle>-0      [1] 2563.695118: hrtimer_cancel: hrtimer=000000002ad8bc6a
        <idle>-0      [1] 2563.695119: hrtimer_expire_entry: hrtimer=000000002ad8bc6a function=hrtimer_wakeup now=6389900945120
        <idle>-0      [1] 2563.695119: sched_waking: comm=cyclictest pid=1213 prio=19 target_cpu=001
        <idle>-0      [1] 2563.695122: sched_wakeup: comm=cyclictest pid=1213 prio=19 target_cpu=001
        <idle>-0      [1] 2563.695122: hrtimer_expire_exit: hrtimer=000000002ad8bc6a
        <idle>-0      [1] 2563.695123: local_timer_exit: vector=236
        <idle>-0      [1] 2563.695126: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=cyclictest next_pid=1213 next_prio=19
        cyclicte-1213 [1] 2563.695128: sys_exit: NR 230 = 0
        ",
        "cyclic",
        expect![[r#"
            cyclictest-1213 on CPU 1 woke 18.6 µs late: interrupt local_timer itself took 13 µs
              expected expiry -> interrupt entry: 551
              interrupt entry -> timer handler: 9000
              timer handler -> waking: 0
              waking -> wakeup: 3000
              wakeup -> interrupt exit: 1000
              interrupt exit -> switch: 3000
              switch -> return to user: 2000
              irq local_timer: 13000, in the idle task, from 996000, longest 13000
              idle idle: 3551, from 995449, longest 3000
              itself cyclictest-1213: 2000, pid 1213, from 1012000, longest 2000
              idle_exit (recorded) 551: CPU 1 was idle and took 551 ns to notice
              handler (recorded) 13000: interrupt local_timer itself took 13 µs
              idle_exit (recorded) 3000: CPU 1 was idle and took 3.0 µs to notice
              kernel_exit (recorded) 2000: its return to user space took 2.0 µs
              behind: interrupt local_timer ran for 13 µs (in the idle task)
        "#]],
    );
}

#[test]
fn a_sleeper_that_never_slept_is_late_by_an_unknown_time() {
    check(
        "
        sh-9     [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=9 next_prio=120
        sh-9     [1] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        sh-9     [1] 1.000061: local_timer_entry: vector=236
        sh-9     [1] 1.000065: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=62000
        sh-9     [1] 1.000066: sched_waking: comm=sh pid=9 prio=120 target_cpu=001
        sh-9     [1] 1.000067: hrtimer_expire_exit: hrtimer=00000000000000aa
        sh-9     [1] 1.000068: local_timer_exit: vector=236
        sh-9     [1] 1.000080: sched_switch: prev_comm=sh prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        ",
        "cyclic",
        expect![[r#"
            sh-9 on CPU 1 woke at least 15 µs late: its interrupt came 8.0 µs late, and interrupt local_timer itself took 7.0 µs
              expected expiry -> interrupt entry: 8000
              interrupt entry -> timer handler: 4000
              timer handler -> waking: 1000
              waking -> interrupt exit: 2000
              itself sh-9: 8000, pid 9, from 53000, longest 8000
              irq local_timer: 7000, in sh-9, pid 9, from 61000, longest 7000
              handler (recorded) 8000: its interrupt came 8.0 µs late
              handler (recorded) 7000: interrupt local_timer itself took 7.0 µs
        "#]],
    );
}

#[test]
fn a_sleeper_waits_for_the_handlers_of_earlier_timers() {
    check(
        "
        rt-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        rt-9     [1] 1.000001: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0 [1] 1.000051: local_timer_entry: vector=236
        <idle>-0 [1] 1.000052: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=51000
        <idle>-0 [1] 1.000064: hrtimer_expire_exit: hrtimer=00000000000000bb
        <idle>-0 [1] 1.000065: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=51000
        <idle>-0 [1] 1.000066: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        <idle>-0 [1] 1.000067: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [1] 1.000068: local_timer_exit: vector=236
        <idle>-0 [1] 1.000070: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ",
        "cyclic",
        expect![[r#"
            rt-9 on CPU 1 woke 19 µs late: 13 µs in the handlers of other timers
              expected expiry -> interrupt entry: 0
              interrupt entry -> first timer handler: 1000
              first timer handler -> timer handler: 13000
              timer handler -> waking: 1000
              waking -> interrupt exit: 2000
              interrupt exit -> switch: 2000
              irq local_timer: 17000, in the idle task, from 51000, longest 17000
              idle idle: 2000, from 68000, longest 2000
              handler (recorded) 1000: interrupt local_timer itself took 1.0 µs
              handler (recorded) 13000: 13 µs in the handlers of other timers
              handler (recorded) 3000: interrupt local_timer itself took 3.0 µs
              idle_exit (recorded) 2000: CPU 1 was idle and took 2.0 µs to notice
              behind: interrupt local_timer ran for 17 µs (in the idle task)
        "#]],
    );
}

#[test]
fn a_woken_task_waits_for_the_one_that_runs() {
    check(
        "
        sh-7          [1] 1.000000: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=hackbench next_pid=2001 next_prio=120
        <idle>-0      [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
        hackbench-2001 [1] 1.000012: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=001
        hackbench-2001 [1] 1.000020: irq_handler_entry: irq=24 name=eth0
        hackbench-2001 [1] 1.000028: irq_handler_exit: irq=24 ret=handled
        hackbench-2001 [1] 1.000028: softirq_entry: vec=3 [action=NET_RX]
        hackbench-2001 [1] 1.000030: softirq_exit: vec=3 [action=NET_RX]
        hackbench-2001 [1] 1.000035: sched_switch: prev_comm=hackbench prev_pid=2001 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 1 took 25 µs: hackbench-2001 (nice 0) could not be preempted for 8.0 µs, and interrupt eth0 [24] ran for 8.0 µs
              waking -> wakeup: 2000
              wakeup -> switch: 23000
              task hackbench-2001: 15000, nice 0, pid 2001, from 10000, longest 10000
              irq eth0 [24]: 8000, in hackbench-2001, pid 2001, from 20000, longest 8000
              softirq NET_RX: 2000, in hackbench-2001, pid 2001, from 28000, longest 2000
              ipi (recorded) 2000: CPU 1 took 2.0 µs to notice the wakeup
              not_preemptible (inferred) 8000: hackbench-2001 (nice 0) could not be preempted for 8.0 µs
              other_interrupt (recorded) 8000: interrupt eth0 [24] ran for 8.0 µs
              other_interrupt (recorded) 2000: softirq NET_RX ran for 2.0 µs
              handler (recorded) 5000: the wakeup and the switch themselves took 5.0 µs
              behind: hackbench-2001 (nice 0) ran for 35 µs
        "#]],
    );
}

#[test]
fn the_wait_before_a_migration_is_on_the_cpu_of_the_queue() {
    check(
        "
        sh-7     [0] 1.000000: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=hog next_pid=20 next_prio=120
        cc-8     [1] 1.000000: sys_exit: NR 0 = 0
        cc-8     [1] 1.000005: sched_switch: prev_comm=cc prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        hog-20   [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [1] 1.000040: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
        <idle>-0 [1] 1.000045: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 1 took 35 µs: hog-20 (nice 0) could not be preempted for 30 µs on CPU 0
              waking -> migration: 30000
              migration -> switch: 5000
              task hog-20: 30000 on cpu 0, nice 0, pid 20, from 10000, longest 30000
              idle idle: 5000, from 40000, longest 5000
              not_preemptible (inferred) 30000: hog-20 (nice 0) could not be preempted for 30 µs
              handler +migration (recorded) 5000: the wakeup and the switch themselves took 5.0 µs
              behind: hog-20 (nice 0) ran for at least 45 µs
        "#]],
    );
}

#[test]
fn a_cpu_that_leaves_an_idle_state_takes_its_time() {
    check(
        "
        rt-9     [0] 1.000000: cpu_frequency: state=1800000 cpu_id=0
        rt-9     [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000015: cpu_idle: state=2 cpu_id=0
        sh-7     [1] 1.000110: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000150: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] 1.000153: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 1.000160: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 50 µs: CPU 0 was idle and took 43 µs to notice
              waking -> idle exit: 40000
              idle exit -> wakeup: 3000
              wakeup -> switch: 7000
              idle state 2: 40000, at 1.8 GHz, from 110000, longest 40000
              idle idle: 10000, at 1.8 GHz, from 150000, longest 10000
              idle_exit +ipi (recorded) 43000: CPU 0 was idle and took 43 µs to notice
              handler (recorded) 7000: the wakeup and the switch themselves took 7.0 µs
        "#]],
    );
}

#[test]
fn what_is_not_recorded_is_not_guessed() {
    check(
        "
        sh-7     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=50000 softexpires=50000
        LOST     [1]
        x-9      [1] 1.000060: hrtimer_start: hrtimer=00000000000000bb function=late expires=61000 softexpires=61000
        <idle>-0 [1] 1.000090: hrtimer_expire_entry: hrtimer=00000000000000bb function=late now=91000
        ",
        "timer",
        expect![[r#"
            late on CPU 1 ran 30 µs late: no record of what ran then
              expected expiry -> timer handler: 30000
              unknown not recorded: 30000, from 60000, longest 30000
              unknown (inferred) 30000: no record of what ran then
        "#]],
    );
}

#[test]
fn an_interrupt_that_began_before_the_expiry_is_part_of_the_handlers_step() {
    check(
        "
        sh-7     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=late expires=50000 softexpires=50000
        sh-7     [1] 1.000040: local_timer_entry: vector=236
        sh-7     [1] 1.000060: hrtimer_expire_entry: hrtimer=00000000000000aa function=late now=65000
        sh-7     [1] 1.000070: local_timer_exit: vector=236
        ",
        "timer",
        expect![[r#"
            late on CPU 1 ran 15 µs late: interrupt local_timer itself took 15 µs
              expected expiry -> timer handler: 15000
              irq local_timer: 15000, in sh-7, pid 7, from 45000, longest 15000
              handler (recorded) 15000: interrupt local_timer itself took 15 µs
              behind: interrupt local_timer ran for 30 µs (in sh-7)
        "#]],
    );
}

#[test]
fn osnoise_says_what_its_noise_was() {
    check(
        "
        osnoise/1-372 [1] 9.900000: sched_process_exit: comm=sh pid=7 prio=120
        osnoise/1-372 [1] 10.100000: irq_noise: local_timer:236 start 10.099990000 duration 9000 ns
        osnoise/1-372 [1] 10.200000: irq_noise: local_timer:236 start 10.199990000 duration 4000 ns
        osnoise/1-372 [1] 10.300000: thread_noise: sh:7 start 10.299990000 duration 2000 ns
        osnoise/1-372 [1] 11.000000: osnoise: 1000000    20   99.99    9     1      0     2      0    1
        ",
        "osnoise",
        expect![[r#"
            Noise took 20 µs of 1.000 s on CPU 1, at most 9.0 µs at a time: interrupt local_timer:236 ran for 65 % of it
              irq local_timer:236: 13000, pid 372, from 199990000, longest 9000
              unknown not recorded: 5000, from 1099980000, longest 5000
              task sh-7: 2000, pid 7, from 399990000, longest 2000
              runtime: Nanoseconds(1000000000) None None
              noise: Nanoseconds(20000) None None
              noise of the runtime: Ratio(20) None None
              longest single noise: Nanoseconds(9000) None None
              hardware: Count(1) None None
              NMIs: Count(0) None None
              interrupts: Count(2) None None
              softirqs: Count(0) None None
              threads: Count(1) None None
        "#]],
    );
}

#[test]
fn hwlat_blames_the_hardware() {
    check(
        "
        <...>-993 [0] 301.100000: hwlat: #1     inner/outer(us): 9/8 ts:1795220337.000647021 count:180
        <...>-993 [0] 301.584852: hwlat: #2     inner/outer(us): 17403/16024 ts:1795220337.000647021 count:180
        ",
        "hwlat",
        expect![[r#"
            Hardware or a hypervisor held CPU 0 for 9.0 µs
              gap hardware or a hypervisor: 9000, from -9000, longest 9000
              between two readings of the clock: Nanoseconds(9000) None None
              between two loops: Nanoseconds(8000) None None
              over the threshold: Count(180) None None
            Hardware or a hypervisor held CPU 0 for 17.403 ms
              gap hardware or a hypervisor: 17403000, from 467449000, longest 17403000
              between two readings of the clock: Nanoseconds(17403000) None None
              between two loops: Nanoseconds(16024000) None None
              over the threshold: Count(180) None None
        "#]],
    );
}

#[test]
fn a_late_event_waited_behind_interrupts_that_were_off() {
    check(
        "
        <...>-6462 [6] 14372.732649: irq_disable: caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0
        <...>-6462 [6] 14372.743615: irq_enable: caller=console_unlock+0x39c/0x510 parent=vprintk_emit+0x134/0x1d0
        <...>-6462 [6] 14372.743616: irq_disable: caller=el1_irq+0xb4/0x200 parent=console_unlock+0x3a0/0x510
        <...>-6462 [6] 14372.743617: irq_handler_entry: irq=3 name=arch_timer
        <...>-6462 [6] 14372.743618: hrtimer_cb: hrtimer stat: now: 14372743560 [us] expect_expires: 14372733903 [us], delta: 9656, next_expires: 14372744570
        <...>-6462 [6] 14372.743625: irq_handler_exit: irq=3 ret=handled
        ",
        "field",
        expect![[r#"
            hrtimer_cb on CPU 6 was 9.656 ms late: interrupts were off for 10.966 ms in console_unlock ← vprintk_emit (pid 6462)
              irqsoff console_unlock ← vprintk_emit: 9653000, pid 6462, console_unlock+0xc0/0x510, pid 6462, from 1313000, longest 9653000
              unknown not recorded: 1000, from 10966000, longest 1000
              irqsoff el1_irq ← console_unlock: 1000, pid 6462, el1_irq+0xb4/0x200, pid 6462, from 10967000, longest 1000
              irq arch_timer [3]: 1000, in pid 6462, pid 6462, from 10968000, longest 1000
              irqs_off (recorded) 9653000: interrupts were off in console_unlock ← vprintk_emit for 9.653 ms
              unknown (inferred) 1000: pid 6462 ran for 1.0 µs, and no record says why
              irqs_off (recorded) 1000: interrupts were off in el1_irq ← console_unlock for 1.0 µs
              other_interrupt (recorded) 1000: interrupt arch_timer [3] ran for 1.0 µs
              behind: interrupts were off for 10.966 ms in console_unlock ← vprintk_emit (pid 6462)
        "#]],
    );
}

#[test]
fn a_section_is_told_once() {
    check(
        "
        sh-7 [0] 1.000000: irq_disable: caller=_raw_spin_lock_irqsave+0x1/0x20 parent=try_to_wake_up+0x5/0x40
        sh-7 [0] 1.000040: irq_enable: caller=_raw_spin_unlock_irqrestore+0x9/0x20 parent=try_to_wake_up+0x15/0x40
        ",
        "irqsoff",
        expect![[r#"
            Interrupts were off for 40 µs on CPU 0 in _raw_spin_lock_irqsave ← try_to_wake_up (sh-7)
              irqsoff _raw_spin_lock_irqsave ← try_to_wake_up: 40000, sh-7, _raw_spin_lock_irqsave+0x1/0x20, pid 7, from 0, longest 40000
              irqs_off (recorded) 40000: interrupts were off in _raw_spin_lock_irqsave ← try_to_wake_up for 40 µs
        "#]],
    );
}

#[test]
fn a_preempted_task_waits_for_who_preempted_it() {
    check(
        "
        sh-7  [0] 1.000000: sys_enter: NR 0 (0, 0, 0, 0, 0, 0)
        sh-7  [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
        rt-9  [0] 1.000035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
        ",
        "preempted",
        expect![[r#"
            sh-7 was preempted on CPU 0 for 25 µs: behind rt-9 (rt 10) for 25 µs
              switch out -> switch: 25000
              task rt-9: 25000, rt 10, pid 9, from 10000, longest 25000
              higher_priority (recorded) 25000: behind rt-9 (rt 10) for 25 µs
              behind: rt-9 (rt 10) ran for 25 µs
        "#]],
    );
}

#[test]
fn a_system_call_that_sleeps_waits_for_nobody() {
    check(
        "
        sh-7     [0] 1.000000: sys_enter: NR 0 (0, 0, 0, 0, 0, 0)
        sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000035: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
        sh-7     [0] 1.000040: sys_exit: NR 0 = 3
        ",
        "syscall",
        expect![[r#"
            Syscall 0 of sh-7 on CPU 0 took 40 µs: it slept 25 µs; no record says who woke it; the task itself ran for 15 µs
              idle idle: 25000, from 10000, longest 25000
              itself sh-7: 15000, pid 7, from 0, longest 10000
              own_work (recorded) 10000: the task itself ran for 10 µs
              waits_for (inferred) 25000: it slept 25 µs; no record says who woke it
              own_work (recorded) 5000: the task itself ran for 5.0 µs
        "#]],
    );
}

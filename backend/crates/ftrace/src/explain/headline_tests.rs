//! Sentences that name the right cause, in words that people use.

use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::testing::explain::headlines;

fn check(text: &str, kind: &str, expected: Expect) {
    expected.assert_eq(&headlines(text, kind));
}

#[test]
fn tasks_that_are_together_to_blame_are_told_together() {
    check(
        "
        a-1 [0] 1.000000: sched_waking: comm=rt pid=9 prio=120 target_cpu=000
        a-1 [0] 1.000040: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=120
        b-2 [0] 1.000085: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=c next_pid=3 next_prio=120
        c-3 [0] 1.000100: sched_switch: prev_comm=c prev_pid=3 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: behind 3 tasks for 100 µs, longest behind b-2 (nice 0) for 45 µs
        "#]],
    );
}

#[test]
fn what_a_task_does_with_preemption_off_is_what_others_wait_for() {
    check(
        "
        b-2  [0] 1.000000: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=a next_pid=1 next_prio=120
        a-1  [0] 1.000000: sched_waking: comm=rt pid=9 prio=120 target_cpu=000
        a-1  [0] 1.000020: preempt_disable: caller=f+0x1/0x2 parent=g+0x1/0x2
        a-1  [0] 1.000060: preempt_enable: caller=f+0x1/0x2 parent=g+0x1/0x2
        a-1  [0] 1.000060: local_timer_entry: vector=236
        a-1  [0] 1.000090: local_timer_exit: vector=236
        a-1  [0] 1.000100: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: behind a-1 (nice 0) for 70 µs, and interrupt local_timer ran for 30 µs
        "#]],
    );
}

#[test]
fn many_short_sections_are_not_told_as_one() {
    check(
        "
        a-1  [0] 1.000000: preempt_disable: caller=f+0x1/0x2 parent=g+0x1/0x2
        a-1  [0] 1.000010: irq_disable: caller=h+0x1/0x2 parent=i+0x1/0x2
        a-1  [0] 1.000040: irq_enable: caller=h+0x1/0x2 parent=i+0x1/0x2
        a-1  [0] 1.000050: irq_disable: caller=h+0x1/0x2 parent=i+0x1/0x2
        a-1  [0] 1.000080: irq_enable: caller=h+0x1/0x2 parent=i+0x1/0x2
        a-1  [0] 1.000100: preempt_enable: caller=f+0x1/0x2 parent=g+0x1/0x2
        ",
        "preemptoff",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in f ← g (a-1): interrupts were off twice in h ← i for 60 µs (longest 30 µs)
        "#]],
    );
}

#[test]
fn noise_of_many_threads_names_the_one_that_had_most_of_all() {
    check(
        "
        osnoise/0-7 [0] 1.000100: thread_noise: a:3 start 1.000080000 duration 20000 ns
        osnoise/0-7 [0] 1.000300: thread_noise: a:3 start 1.000280000 duration 20000 ns
        osnoise/0-7 [0] 1.000500: thread_noise: b:4 start 1.000465000 duration 35000 ns
        osnoise/0-7 [0] 1.000700: thread_noise: c:5 start 1.000675000 duration 25000 ns
        osnoise/0-7 [0] 1.001000: osnoise: 1000 100 90.00000 35 0 0 0 0 4
        ",
        "osnoise",
        expect![[r#"
            Noise took 100 µs of 1.000 ms on CPU 0, at most 35 µs at a time: other tasks ran for all of it, above all a-3 (40 µs)
        "#]],
    );
}

#[test]
fn noise_is_told_by_what_made_most_of_it() {
    check(
        "
        osnoise/0-7 [0] 1.000500: irq_noise: local_timer:236 start 1.000440000 duration 60000 ns
        osnoise/0-7 [0] 1.001000: osnoise: 1000 70 93.00000 60 0 0 1 0 0
        osnoise/1-8 [1] 1.001000: osnoise: 1000 30 97.00000 20 3 0 1 0 0
        ",
        "osnoise",
        expect![[r#"
            Noise took 70 µs of 1.000 ms on CPU 0, at most 60 µs at a time: interrupt local_timer:236 ran for 86 % of it
            Noise took 30 µs of 1.000 ms on CPU 1, at most 20 µs at a time: 3 hardware gaps, 1 interrupt
        "#]],
    );
}

/// Where each round of the loop is noise by the tracer's threshold, no hardware is; and what is not recorded says nothing.
#[test]
fn noise_of_the_tracer_s_own_loop_is_told_as_such() {
    let of_rounds = |rounds: u32, round_ns: u32, noise_us: u32| {
        let mut text = String::new();
        for round in 0..rounds {
            let at_ns = 1_000_000_000 + u64::from(round * round_ns);
            let (s, ns) = (at_ns / 1_000_000_000, at_ns % 1_000_000_000);
            writeln!(
                text,
                "osnoise/0-7 [0] {s}.{:06}: sample_threshold: start {s}.{ns:09} duration {round_ns} ns interference 0",
                (ns + u64::from(round_ns)) / 1_000
            )
            .unwrap();
        }
        text += "osnoise/0-7 [0] 1.000950: thread_noise: a:3 start 1.000650000 duration 300000 ns\n";
        writeln!(text, "osnoise/0-7 [0] 1.001000: osnoise: 1000 {noise_us} 0.10000 35 {rounds} 0 0 0 1")
            .unwrap();
        headlines(&text, "osnoise")
    };
    let own = of_rounds(200, 2_000, 999);
    assert!(
        own.contains("each round of its own loop took 2.0 µs, longer than its threshold: 400 µs in all"),
        "{own}"
    );
    let few = of_rounds(50, 2_000, 999);
    assert!(few.contains("a-3 ran for 30 % of it"), "{few}");
    let quiet = of_rounds(200, 2_000, 800);
    assert!(quiet.contains("hardware or a hypervisor held the CPU for 50 % of it"), "{quiet}");
}

#[test]
fn a_timerlat_interrupt_waits_behind_what_ran_before_it() {
    check(
        "
        sh-7         [0] 1.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
        sh-7         [0] 1.000100: timerlat: #1     context    irq timer_latency     90000 ns
        sh-7         [0] 1.000104: irq_noise: local_timer:236 start 1.000098000 duration 6000 ns
        timerlat/0-9 [0] 1.000110: timerlat: #1     context thread timer_latency    100000 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 0 was 90 µs late: interrupts were off in sh-7 (nice 0) for 88 µs, or CPU 0 stood still: no event in between
            The timerlat thread on CPU 0 was 100 µs late: interrupts were off in sh-7 (nice 0) for 88 µs, or CPU 0 stood still: no event in between
        "#]],
    );
}

#[test]
fn a_timerlat_thread_behind_a_silence_is_told_by_its_interrupt() {
    check(
        "
        sh-183         [0] 117.079363: timerlat: #23    context    irq timer_latency     56515 ns
        timerlat/0-606 [0] 117.220095: irq_noise: local_timer:236 start 117.219885202 duration 192221 ns
        sleep-604      [0] d.h.. 117.239263: timerlat: #52    context    irq timer_latency  18949640 ns
        sleep-604      [0] dNh1. 117.247808: irq_noise: local_timer:236 start 117.239222948 duration 8552975 ns
        sleep-604      [0] d..3. 117.247937: thread_noise:    sleep:604 start 117.239250227 duration 152854 ns
        timerlat/0-606 [0] ....1 117.247992: timerlat: #52    context thread timer_latency  27681765 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 0 was 56.5 µs late: the recording begins only after its first 56.5 µs
            The timerlat thread on CPU 0 was 27.682 ms late: interrupts were off in sleep-604 for 18.913 ms, or CPU 0 stood still, and interrupt local_timer:236 ran for 8.585 ms
            The timerlat interrupt on CPU 0 was 18.950 ms late: interrupts were off in sleep-604 for 18.910 ms, or CPU 0 stood still: no event in between
        "#]],
    );
}

#[test]
fn a_timerlat_hit_of_which_little_was_recorded_says_so() {
    check(
        "
        <idle>-0     [0] 1.000100: timerlat: #1     context    irq timer_latency     90000 ns
        timerlat/0-9 [0] 1.000110: timerlat: #1     context thread timer_latency    100000 ns
        <idle>-0     [1] 1.000100: timerlat: #1     context    irq timer_latency      4000 ns
        <idle>-0     [1] 1.000104: irq_noise: local_timer:236 start 1.000098000 duration 6000 ns
        timerlat/1-9 [1] 1.000200: timerlat: #1     context thread timer_latency    100000 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 0 was 90 µs late: the recording begins only after its first 90 µs
            The timerlat thread on CPU 0 was 100 µs late: the recording begins only after its first 90 µs
            The timerlat interrupt on CPU 1 was 4.0 µs late: the recording begins only after its first 2.0 µs, and interrupt local_timer:236 ran for 2.0 µs
            The timerlat thread on CPU 1 was 100 µs late: no record of what ran for 96 µs
        "#]],
    );
}

#[test]
fn a_tick_is_no_evidence_against_itself() {
    crate::testing::explain::check(
        "
        sh-7 [0] 1.000010: local_timer_entry: vector=236
        sh-7 [0] 1.000030: local_timer_exit: vector=236
        ",
        "tick",
        expect![[r#"
            The timer interrupt on CPU 0 took 20 µs: nothing recorded in it says what it did
              irq local_timer: 20000, in sh-7, pid 7, from 0, longest 20000
              handler (recorded) 20000: interrupt local_timer itself took 20 µs
        "#]],
    );
}

#[test]
fn a_running_task_does_not_keep_an_interrupt_from_coming() {
    let text = "
        hog-20   [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=50000 softexpires=50000
        rt-9     [1] 1.000001: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=hog next_pid=20 next_prio=120
        hog-20   [1] 1.000460: local_timer_entry: vector=236
        hog-20   [1] 1.000461: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=460000
        hog-20   [1] 1.000462: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        hog-20   [1] 1.000463: sched_wakeup: comm=rt pid=9 prio=19 target_cpu=001
        hog-20   [1] 1.000464: hrtimer_expire_exit: hrtimer=00000000000000aa
        hog-20   [1] 1.000465: local_timer_exit: vector=236
        hog-20   [1] 1.000470: sched_switch: prev_comm=hog prev_pid=20 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ";
    check(
        text,
        "timer",
        expect![[r#"
            hrtimer_wakeup on CPU 1 ran 410 µs late: interrupts were off in hog-20 (nice 0) for 409 µs, or CPU 1 stood still: no event in between
        "#]],
    );
    // Of what the task did meanwhile, the scheduler did all with interrupts off.
    let (first, rest) = text.split_once("        hog-20   [1] 1.000460").unwrap();
    let waking = "hog-20 [1] d..3. 1.000200: sched_waking: comm=sh pid=5 prio=120 target_cpu=000";
    check(
        &format!("{first}{waking}\n        hog-20   [1] 1.000460{rest}"),
        "timer",
        expect![[r#"
            hrtimer_wakeup on CPU 1 ran 410 µs late: interrupts were off in hog-20 (nice 0) for 409 µs, or CPU 1 stood still: every event in between has them off
        "#]],
    );
    // The task armed its own timer.
    check(
        &text.replacen("hog-20   [1] 1.000000", "rt-9     [1] 1.000000", 1),
        "cyclic",
        expect![[r#"
            rt-9 on CPU 1 woke 419 µs late: interrupts were off in hog-20 (nice 0) for 409 µs, or CPU 1 stood still: no event in between
        "#]],
    );
}

#[test]
fn a_period_that_is_started_too_late_is_no_wait_for_the_one_before() {
    check(
        "
        loop-9 [0] 1.000100: hrtimer_start: hrtimer=aa function=hrtimer_wakeup expires=1000200000 softexpires=1000200000
        loop-9 [0] 1.000110: sched_switch: prev_comm=loop prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.h1. 1.001200: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.001201: hrtimer_expire_entry: hrtimer=aa function=hrtimer_wakeup now=1001201000
        <idle>-0 [0] d.h2. 1.001202: sched_waking: comm=loop pid=9 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.001204: local_timer_exit: vector=236
        <idle>-0 [0] d..2. 1.001206: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=loop next_pid=9 next_prio=120
        loop-9 [0] d..1. 1.001220: hrtimer_start: hrtimer=bb function=hrtimer_wakeup expires=1000700000 softexpires=1000700000
        loop-9 [0] d.h1. 1.001222: local_timer_entry: vector=236
        loop-9 [0] d.h1. 1.001223: hrtimer_expire_entry: hrtimer=bb function=hrtimer_wakeup now=1001223000
        loop-9 [0] d.h2. 1.001224: sched_waking: comm=loop pid=9 prio=120 target_cpu=000
        loop-9 [0] d.h1. 1.001226: local_timer_exit: vector=236
        loop-9 [0] d..2. 1.001230: sched_switch: prev_comm=loop prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ",
        "cyclic",
        expect![[r#"
            loop-9 on CPU 0 woke 1.006 ms late: CPU 0 was idle and took 1.000 ms to notice
            loop-9 on CPU 0 woke at least 526 µs late: it started its timer 520 µs after the expiry: CPU 0 was idle and took 500 µs to notice
        "#]],
    );
}

/// Since it was switched to: when its timer was due is no beginning of that.
#[test]
fn a_task_that_started_its_timer_too_late_had_run_since_it_was_switched_to() {
    check(
        "
        loop-9 [0] 1.000100: hrtimer_start: hrtimer=aa function=hrtimer_wakeup expires=1001200000 softexpires=1001200000
        loop-9 [0] 1.000110: sched_switch: prev_comm=loop prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.h1. 1.001200: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.001201: hrtimer_expire_entry: hrtimer=aa function=hrtimer_wakeup now=1001201000
        <idle>-0 [0] d.h2. 1.001202: sched_waking: comm=loop pid=9 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.001204: local_timer_exit: vector=236
        <idle>-0 [0] d..2. 1.001206: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=loop next_pid=9 next_prio=120
        loop-9 [0] d..1. 1.001806: hrtimer_start: hrtimer=bb function=hrtimer_wakeup expires=1001500000 softexpires=1001500000
        loop-9 [0] d.h1. 1.001808: local_timer_entry: vector=236
        loop-9 [0] d.h1. 1.001809: hrtimer_expire_entry: hrtimer=bb function=hrtimer_wakeup now=1001809000
        loop-9 [0] d.h2. 1.001810: sched_waking: comm=loop pid=9 prio=120 target_cpu=000
        loop-9 [0] d.h1. 1.001812: local_timer_exit: vector=236
        loop-9 [0] d..2. 1.001816: sched_switch: prev_comm=loop prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ",
        "cyclic",
        expect![[r#"
            loop-9 on CPU 0 woke 6.0 µs late: interrupt local_timer itself took 4.0 µs
            loop-9 on CPU 0 woke at least 312 µs late: it started its timer 306 µs after the expiry, after running for 600 µs
        "#]],
    );
}

/// A lock that switches off both is the section, not its cause.
#[test]
fn a_lock_that_switches_off_interrupts_too_is_not_named_twice() {
    let section = |inside: &str| {
        format!(
            "
        sh-7 [0] d.... 1.000000: irq_disable: caller=_raw_spin_lock_irqsave+0x40/0x60 parent=wake_up_new_task+0x2c/0x310
        sh-7 [0] d..1. 1.000001: preempt_disable: caller=_raw_spin_lock_irqsave+0x26/0x60 parent=wake_up_new_task+0x2c/0x310
        {inside}
        sh-7 [0] d..1. 1.000800: irq_enable: caller=_raw_spin_unlock_irqrestore+0x19/0x40 parent=wake_up_new_task+0x211/0x310
        sh-7 [0] ...1. 1.000803: preempt_enable: caller=_raw_spin_unlock_irqrestore+0x24/0x40 parent=wake_up_new_task+0x211/0x310
        "
        )
    };
    check(
        &section(""),
        "preemptoff",
        expect![[r#"
            Preemption was off for 802 µs on CPU 0 in _raw_spin_lock_irqsave ← wake_up_new_task (sh-7): nothing recorded for 799 µs between preempt_disable and irq_enable
        "#]],
    );
    check(
        &section(
            "sh-7 [0] d..1. 1.000100: sched_waking: comm=rt pid=9 prio=120 target_cpu=001
        sh-7 [0] d..1. 1.000700: sched_wakeup: comm=rt pid=9 prio=120 target_cpu=001",
        ),
        "preemptoff",
        expect![[r#"
            Preemption was off for 802 µs on CPU 0 in _raw_spin_lock_irqsave ← wake_up_new_task (sh-7): 600 µs of it waking rt-9
        "#]],
    );
}

#[test]
fn only_tasks_are_counted_as_tasks() {
    check(
        "
        b-2 [0] d..2. 1.000000: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=a next_pid=1 next_prio=120
        a-1 [0] dNs2. 1.000000: sched_waking: comm=rt pid=9 prio=120 target_cpu=000
        a-1 [0] dNs2. 1.000030: print: in a softirq
        a-1 [0] d..2. 1.000060: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=120
        b-2 [0] d..2. 1.000095: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 95 µs: behind b-2 (nice 0) for 35 µs, behind a-1 (nice 0) for 30 µs, and a softirq ran for 30 µs
        "#]],
    );
}

//! What is only on its way, and what may have ended sooner than it seems.

use std::fmt::Write;

use expect_test::expect;
use proptest::prelude::*;

use crate::testing::explain::{check, headlines, switch};

/// Wakeups of a task on an idle CPU a millisecond apart, which each take so many microseconds from the CPU's timer to its
/// switch.
fn ways_out(steps_us: &[u32]) -> String {
    let mut text = String::new();
    for (ms, step_us) in steps_us.iter().enumerate() {
        let mut line = |us: u32, who: &str, flags: &str, event: &str| {
            text += &format!("{who} [0] {flags} 1.{ms:03}{us:03}: {event}\n");
        };
        let idle = "<idle>-0";
        line(100, idle, "d.h1.", "local_timer_entry: vector=236");
        line(102, idle, "d.h3.", "sched_waking: comm=w pid=7 prio=120 target_cpu=000");
        line(105, idle, "dNh4.", "sched_wakeup: comm=w pid=7 prio=120 target_cpu=000");
        line(108, idle, "dNh1.", "local_timer_exit: vector=236");
        line(
            112,
            idle,
            "dN.2.",
            "hrtimer_start: hrtimer=00000000000000cc function=tick_nohz_handler expires=4000000 softexpires=4000000",
        );
        line(step_us + 112, idle, "d..2.", &switch("swapper/0-0", "R", "w-7"));
        line(step_us + 122, "w-7", "d..2.", &switch("w-7", "S", "swapper/0-0"));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Where every step takes long, as in an emulator, a long one says nothing of its CPU; one that takes far longer does.
    #[test]
    fn a_way_out_of_idle_as_long_as_any_is_no_stall(
        steps in prop::collection::vec(55_u32..110, 12..20),
        stall_us in 600_u32..850,
    ) {
        let told = headlines(&ways_out(&steps), "wakeup");
        prop_assert!(!told.contains("stood still"), "{}", told);
        let mut steps = steps;
        steps.push(stall_us);
        let told = headlines(&ways_out(&steps), "wakeup");
        let expected = format!("CPU 0 stood still for {stall_us} µs (normally ");
        prop_assert!(told.contains(&expected), "{}", told);
    }
}

#[test]
fn a_carrier_that_nothing_keeps_comes_as_late_as_its_switch() {
    check(
        "
        <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
        <idle>-0 [0] d.h2. 1.000002: softirq_raise: vec=8 [action=HRTIMER]
        <idle>-0 [0] d.h1. 1.000004: local_timer_exit: vector=236
        <idle>-0 [0] d..3. 1.000006: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        <idle>-0 [0] dN.4. 1.000010: sched_wakeup: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        <idle>-0 [0] d..2. 1.000020: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ktimers/0 next_pid=18 next_prio=98
        ktimers/0-18 [0] ..s.2 1.000023: softirq_entry: vec=8 [action=HRTIMER]
        ktimers/0-18 [0] ..s.2 1.000029: softirq_exit: vec=8 [action=HRTIMER]
        ",
        "softirq_raise",
        expect![[r#"
            Softirq HRTIMER on CPU 0 ran 21 µs after it was raised: it was handed to ktimers/0-18 (rt 1)
              idle idle: 16000, from 4000, longest 16000
              task ktimers/0-18: 3000, rt 1, pid 18, from 20000, longest 3000
              irq local_timer: 2000, in the idle task, from 2000, longest 2000
              deferred (recorded) 21000: it was handed to ktimers/0-18 (rt 1)
              behind: interrupt local_timer ran for 4.0 µs (in the idle task)
        "#]],
    );
}

#[test]
fn a_softirq_whose_end_is_not_recorded_ran_no_longer_than_until_the_next_event() {
    check(
        "
        <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
        <idle>-0 [0] d.h3. 1.000002: sched_waking: comm=w pid=7 prio=120 target_cpu=000
        <idle>-0 [0] dNh4. 1.000005: sched_wakeup: comm=w pid=7 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.000008: local_timer_exit: vector=236
        <idle>-0 [0] dNs4. 1.000013: sched_waking: comm=rcu_preempt pid=16 prio=120 target_cpu=001
        <idle>-0 [0] d..2. 1.000413: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
        ",
        "wakeup",
        expect![[r#"
            Wakeup of w-7 on CPU 0 took 411 µs: a softirq ran for up to 400 µs (its end is not recorded)
              waking -> wakeup: 3000
              wakeup -> switch: 408000
              unknown not recorded: 405000, from 8000, longest 405000
              irq local_timer: 6000, in the idle task, from 2000, longest 6000
              handler (recorded) 6000: interrupt local_timer itself took 6.0 µs
              handler (recorded) 5000: the wakeup and the switch themselves took 5.0 µs
              other_interrupt (inferred) 400000: a softirq ran for up to 400 µs (its end is not recorded)
              behind: interrupt local_timer ran for 8.0 µs (in the idle task)
        "#]],
    );
}

#[test]
fn a_timer_that_expires_as_another_interrupt_ends_waits_for_its_own() {
    check(
        "
        w-7      [0] d..2. 1.000000: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.H1. 1.000001: irq_handler_entry: irq=25 name=disk
        <idle>-0 [0] d.H2. 1.000002: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires=8000 softexpires=8000
        <idle>-0 [0] d.H1. 1.000007: irq_handler_exit: irq=25 ret=handled
        <idle>-0 [0] d.H1. 1.000010: local_timer_entry: vector=236
        <idle>-0 [0] d.H1. 1.000011: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=11000
        <idle>-0 [0] d.H1. 1.000015: local_timer_exit: vector=236
        ",
        "timer",
        expect![[r#"
            tick_nohz_handler on CPU 0 ran 3.0 µs late: its interrupt came 2.0 µs late
              expected expiry -> interrupt entry: 2000
              interrupt entry -> timer handler: 1000
              unknown not recorded: 2000, from 8000, longest 2000
              irq local_timer: 1000, in the idle task, from 10000, longest 1000
              handler (recorded) 2000: its interrupt came 2.0 µs late
              handler (recorded) 1000: interrupt local_timer itself took 1.0 µs
        "#]],
    );
}

/// A task is late with its next timer by stalls, and stalls keep it from its CPU afterwards.
#[test]
fn stalls_before_and_after_a_late_start_are_told_together() {
    let mut text = String::new();
    let mut line = |us: u32, who: &str, flags: &str, event: &str| {
        text += &format!("{who} [0] {flags} 1.{us:06}: {event}\n");
    };
    let interrupt = |line: &mut dyn FnMut(u32, &str, &str, &str), us: u32, took_us: u32| {
        line(us, "w-7", "d.h1.", "local_timer_entry: vector=236");
        line(
            us + 2,
            "w-7",
            "d.h1.",
            "hrtimer_expire_entry: hrtimer=00000000000000cc function=tick_nohz_handler now=7",
        );
        line(us + took_us, "w-7", "d.h1.", "local_timer_exit: vector=236");
    };
    line(10, "<idle>-0", "d..2.", &switch("swapper/0-0", "R", "w-7"));
    for ms in 0..8 {
        interrupt(&mut line, ms * 1_000 + 100, 4);
    }
    // Its timer is to expire at 9 ms, by a clock that is 1 s behind.
    interrupt(&mut line, 9_100, 900);
    line(
        10_400,
        "w-7",
        "d..1.",
        "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=9000000 softexpires=9000000",
    );
    line(10_402, "w-7", "d..2.", &switch("w-7", "S", "b-8"));
    line(10_404, "b-8", "d.h1.", "local_timer_entry: vector=236");
    line(
        10_405,
        "b-8",
        "d.h1.",
        "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10405000",
    );
    line(10_406, "b-8", "d.h3.", "sched_waking: comm=w pid=7 prio=120 target_cpu=000");
    line(10_408, "b-8", "dNh4.", "sched_wakeup: comm=w pid=7 prio=120 target_cpu=000");
    line(
        10_410,
        "b-8",
        "dNh1.",
        "hrtimer_expire_entry: hrtimer=00000000000000cc function=tick_nohz_handler now=7",
    );
    line(12_410, "b-8", "dNh1.", "local_timer_exit: vector=236");
    line(12_416, "b-8", "d..2.", &switch("b-8", "R", "w-7"));
    expect![[r#"
        w-7 on CPU 0 woke 3.416 ms late: CPU 0 stood still twice for 2.898 ms (longest 2.000 ms, normally 2.0 µs)
    "#]]
    .assert_eq(&headlines(&text, "cyclic"));
}

/// A task is woken for a CPU that another one has, and is moved away from it just before it runs.
#[test]
fn what_kept_a_task_on_another_cpu_than_it_ran_on_is_said_to_be_there() {
    let told = |ending: &str| {
        headlines(
            &format!(
                "
                b-8 [0] d..2. 1.000000: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
                x-9 [1] d..2. 1.000010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=9 next_prio=120
                b-8 [0] d..2. 1.001000: sched_waking: comm=w pid=7 prio=120 target_cpu=000
                b-8 [0] d..3. 1.001003: sched_wakeup: comm=w pid=7 prio=120 target_cpu=000
                {ending}
                "
            ),
            "wakeup",
        )
    };
    let runs = "next_comm=w next_pid=7 next_prio=120";
    let moved = format!(
        "x-9 [1] d..2. 1.001900: sched_migrate_task: comm=w pid=7 prio=120 orig_cpu=0 dest_cpu=1
        x-9 [1] d..2. 1.001907: sched_switch: prev_comm=x prev_pid=9 prev_prio=120 prev_state=S ==> {runs}"
    );
    assert_eq!(told(&moved), "Wakeup of w-7 on CPU 1 took 907 µs: behind b-8 (nice 0) for 900 µs on CPU 0\n");
    let stays = format!(
        "b-8 [0] d..2. 1.001907: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> {runs}"
    );
    assert_eq!(told(&stays), "Wakeup of w-7 on CPU 0 took 907 µs: behind b-8 (nice 0) for 907 µs\n");
}

#[test]
fn an_interrupt_that_does_not_come_though_interrupts_are_on_is_nobodys_fault() {
    let told = |flags: &str, first_us: u32, last_us: u32| {
        headlines(
            &format!(
                "
                w-7 [0] d.h1. 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires=5000 softexpires=5000
                w-7 [0] d..2. 1.000002: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
                b-8 [0] {flags} 1.000{first_us}: sched_process_exec: filename=/usr/bin/b pid=8 old_pid=8
                b-8 [0] {flags} 1.000{last_us}: sched_process_exec: filename=/usr/bin/b pid=8 old_pid=8
                b-8 [0] d.h.. 1.000900: local_timer_entry: vector=236
                b-8 [0] d.h.. 1.000905: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=905000
                b-8 [0] d.h.. 1.000910: local_timer_exit: vector=236
                "
            ),
            "timer",
        )
    };
    assert_eq!(
        told(".....", 300, 870),
        "tick_nohz_handler on CPU 0 ran 900 µs late: its interrupt did not come for 865 µs, though interrupts were on\n"
    );
    // It comes soon after they are on again.
    assert!(told(".....", 840, 890).contains("interrupts were off in b-8 (nice 0) for 895 µs"));
    assert!(told(".....", 200, 300).contains("interrupts were off in b-8 (nice 0) for 600 µs"));
    assert!(told("d....", 200, 300).contains("interrupts were off in b-8 (nice 0) for 895 µs"));
}

/// A task wakes another one, and something else is recorded of that on the way.
fn long_waking(inside: &str, others: u32, queued_us: u32) -> String {
    let mut lines = String::new();
    for at in 1..=others {
        let t_us = 1_000 + at * 100;
        writeln!(
            lines,
            "a-8 [0] d..3. 1.{t_us:06}: sched_waking: comm=b pid={pid} prio=49 target_cpu=001
             a-8 [0] d..4. 1.{queued_us:06}: sched_wakeup: comm=b pid={pid} prio=49 target_cpu=001",
            pid = 20 + at,
            queued_us = t_us + 5,
        )
        .unwrap();
    }
    headlines(
        &format!(
            "
            {lines}
            a-8      [0] d..3. 1.010000: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            a-8      [0] d..4. 1.010004: {inside}
            a-8      [0] d..4. 1.{queued_us:06}: sched_wakeup: comm=w pid=7 prio=49 target_cpu=001
            <idle>-0 [1] d..2. 1.030010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=49
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_waking_that_takes_long_stands_still_in_the_middle_of_it() {
    for inside in
        ["sched_stat_runtime: comm=c pid=9 runtime=20 [ns]", "ipi_send_cpu: cpu=1 callsite=x callback=0x0"]
    {
        let said = long_waking(inside, 9, 30_000);
        assert!(said.contains("CPU 0 stood still for 19.996 ms (normally 5.0 µs)"), "{said}");
        let said = long_waking(inside, 3, 30_000);
        assert!(!said.contains("stood still"), "nothing says what is usual: {said}");
        let said = long_waking(inside, 9, 10_200);
        assert!(!said.contains("CPU 0 stood still"), "what lies between takes its time: {said}");
    }
}

#[test]
fn a_carrier_behind_much_of_little_each_came_late() {
    let told = headlines(
        "
        t-7        [0] d.h.. 1.000000: local_timer_entry: vector=236
        t-7        [0] d.h.. 1.000005: softirq_raise: vec=1 [action=TIMER]
        t-7        [0] d.h2. 1.000007: sched_waking: comm=rcuc/0 pid=23 prio=98 target_cpu=000
        t-7        [0] dNh3. 1.000010: sched_wakeup: comm=rcuc/0 pid=23 prio=98 target_cpu=000
        t-7        [0] dNh.. 1.000022: local_timer_exit: vector=236
        t-7        [0] dN.2. 1.000024: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        t-7        [0] dN.3. 1.000028: sched_wakeup: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        t-7        [0] d..2. 1.000036: sched_switch: prev_comm=t prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rcuc/0 next_pid=23 next_prio=98
        rcuc/0-23  [0] d..2. 1.000050: sched_switch: prev_comm=rcuc/0 prev_pid=23 prev_prio=98 prev_state=S ==> next_comm=ktimers/0 next_pid=18 next_prio=98
        ktimers/0-18 [0] ..s.2 1.000052: softirq_entry: vec=1 [action=TIMER]
        ktimers/0-18 [0] ..s.2 1.000060: softirq_exit: vec=1 [action=TIMER]
        ",
        "softirq_raise",
    );
    assert!(told.ends_with("it was handed to ktimers/0-18 (rt 1)\n"), "{told}");
}

/// A timer of an idle CPU expires in an interrupt that stands still; two others come between that and its own.
#[test]
fn a_cpu_between_two_interrupts_is_not_idle() {
    let said = headlines(
        "
        s-7      [0] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000020000 softexpires=1000020000
        s-7      [0] d..2. 0.999010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.h1. 1.000000: irq_handler_entry: irq=25 name=eth0
        <idle>-0 [0] d.h1. 1.000022: irq_handler_exit: irq=25 ret=handled
        <idle>-0 [0] d.h1. 1.000030: reschedule_entry: vector=253
        <idle>-0 [0] dNh1. 1.000031: reschedule_exit: vector=253
        <idle>-0 [0] dNh1. 1.000034: local_timer_entry: vector=236
        <idle>-0 [0] dNh1. 1.000036: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1000036000
        <idle>-0 [0] dNh1. 1.000038: local_timer_exit: vector=236
        ",
        "timer",
    );
    assert!(said.contains("ran 16 µs late: its interrupt took 11 µs to come"), "{said}");
}

/// `s` is woken in the second pass of an interrupt, after its timer was due for as long as the first pass took.
#[test]
fn the_handlers_of_others_and_the_rest_are_one_interrupt() {
    let (to_idle, to_s) = (switch("s-7", "S", "swapper/0-0"), switch("swapper/0-0", "R", "s-7"));
    let said = headlines(
        &format!(
            "
            s-7 [0] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000003000 softexpires=1000003000
            s-7 [0] d..2. 0.999010: {to_idle}
            <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.000002: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=1000001000
            <idle>-0 [0] d.h1. 1.000010: hrtimer_expire_exit: hrtimer=00000000000000bb
            <idle>-0 [0] d.h1. 1.000011: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1000010000
            <idle>-0 [0] d.h2. 1.000013: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 1.000019: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 1.000021: {to_s}
            "
        ),
        "cyclic",
    );
    let expected = "interrupt local_timer itself took 8.0 µs, and 7.0 µs in the handlers of other timers";
    assert!(said.contains(expected), "{said}");
}

/// A tick is due as an interrupt calls the handler of another timer, and has its own handler called in a second pass.
#[test]
fn handlers_of_an_earlier_pass_are_those_of_other_timers() {
    let said = headlines(
        "
        s-7 [0] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=tick_sched_timer expires=1000003000 softexpires=1000003000
        s-7 [0] d.h1. 1.000000: local_timer_entry: vector=236
        s-7 [0] d.h1. 1.000002: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=1000001000
        s-7 [0] d.h1. 1.000009: hrtimer_expire_exit: hrtimer=00000000000000bb
        s-7 [0] d.h1. 1.000011: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_sched_timer now=1000010000
        s-7 [0] d.h1. 1.000015: hrtimer_expire_exit: hrtimer=00000000000000aa
        s-7 [0] d.h1. 1.000016: local_timer_exit: vector=236
        ",
        "timer",
    );
    assert!(said.contains("tick_sched_timer on CPU 0 ran"), "{said}");
    assert!(said.contains("in the handlers of other timers"), "{said}");
}

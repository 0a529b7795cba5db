//! Classes of cases, each on the few lines that prove what is right, and without what proves it.

use expect_test::{Expect, expect};

use crate::testing::explain::{headlines, switch};

fn check(text: &str, kind: &str, expected: Expect) {
    expected.assert_eq(&headlines(text, kind));
}

/// `b` has the CPU of `s`, and leaves it with a priority.
fn behind_b(first: i32, last: i32, between: &str) -> String {
    headlines(
        &format!(
            "
            s-7 [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio={first}
            {between}
            b-8 [0] d..2. 1.000600: sched_switch: prev_comm=b prev_pid=8 prev_prio={last} prev_state=S ==> next_comm=s next_pid=7 next_prio=120
            "
        ),
        "preempted",
    )
}

#[test]
fn a_priority_that_changes_is_said_as_it_was_and_as_it_became() {
    let said =
        |ending: &str| format!("s-7 was preempted on CPU 0 for 600 µs: behind b-8 ({ending}) for 600 µs\n");
    for (first, last, ending) in [
        (120, 120, "nice 0"),
        (120, 19, "nice 0, rt 80 by the end"),
        (120, 130, "nice 0, nice 10 by the end"),
        (19, 120, "rt 80, nice 0 by the end"),
        (98, 98, "rt 1"),
    ] {
        assert_eq!(behind_b(first, last, ""), said(ending), "{first} {last}");
    }
    let lent = "w-9 [1] d..2. 1.000100: sched_pi_setprio: comm=b pid=8 oldprio=120 newprio=19";
    assert_eq!(behind_b(120, 19, lent), said("nice 0"));
}

#[test]
fn who_was_made_more_important_kept_the_cpu_by_that() {
    check(
        "
        s-7 [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=50 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
        b-8 [0] d..2. 1.000600: sched_switch: prev_comm=b prev_pid=8 prev_prio=19 prev_state=S ==> next_comm=s next_pid=7 next_prio=50
        ",
        "preempted",
        expect![[r#"
            s-7 was preempted on CPU 0 for 600 µs: behind b-8 (nice 0, rt 80 by the end) for 600 µs
        "#]],
    );
}

#[test]
fn a_task_that_the_stopper_takes_away_is_moved() {
    let moved = |to: u8, stopper: &str| {
        headlines(
            &format!(
                "
                b-8 [1] d..2. 0.999000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
                s-7 [0] d..2. 1.000007: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm={stopper} next_pid=21 next_prio=0
                {stopper}-21 [0] d..2. 1.000019: sched_switch: prev_comm={stopper} prev_pid=21 prev_prio=0 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                b-8 [{to}] d..2. 1.000700: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
                "
            ),
            "preempted",
        )
    };
    let is_moved =
        |said: String| said.contains("s-7 was moved from CPU 0 to CPU 1 by migration/0, and waited 693 µs");
    assert!(is_moved(moved(1, "migration/0")));
    assert!(!is_moved(moved(0, "migration/0")));
    assert!(!is_moved(moved(1, "other")));
}

/// A task that starts its timer too late was held up by something, and that is what is said.
#[test]
fn what_held_a_task_up_before_it_started_its_timer_is_said() {
    let switch = |t_us: u32, prev: &str, state: &str, next: &str| {
        format!("{prev} [0] d..2. 1.{t_us:06}: {}\n", switch(prev, state, next))
    };
    // Due at 1.010000, started at 1.013000; in between it waits behind `b` for so long.
    let late = |waited_us: u32| {
        let mut text = switch(1_000, "swapper/0-0", "R", "s-7");
        if waited_us > 0 {
            text += &switch(10_100, "s-7", "R", "b-8");
            text += &switch(10_100 + waited_us, "b-8", "S", "s-7");
        }
        text += "s-7 [0] d..1. 1.013000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1010000000 softexpires=1010000000\n";
        text += &switch(13_002, "s-7", "S", "swapper/0-0");
        text += "<idle>-0 [0] d.h1. 1.013006: local_timer_entry: vector=236\n";
        text += "<idle>-0 [0] d.h1. 1.013008: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1013008000\n";
        text += "<idle>-0 [0] d.h2. 1.013010: sched_waking: comm=s pid=7 prio=120 target_cpu=000\n";
        text += "<idle>-0 [0] d.h1. 1.013012: local_timer_exit: vector=236\n";
        text += &switch(13_014, "swapper/0-0", "R", "s-7");
        text
    };
    let behind = headlines(&late(2_500), "cyclic");
    let said = "it started its timer 3.000 ms after the expiry, after waiting 2.500 ms behind b-8 (nice 0)";
    assert!(behind.contains(said), "{behind}");
    let itself = headlines(&late(0), "cyclic");
    assert!(itself.contains("3.000 ms after the expiry"), "{itself}");
    assert!(!itself.contains("behind"), "{itself}");
}

#[test]
fn an_interrupt_on_top_of_a_softirq_found_no_idle_cpu() {
    let late = |flags: &str| {
        headlines(
            &format!(
                "
                <idle>-0 [0] d.h1. 1.000000: timerlat: #1     context    irq timer_latency      2000 ns
                <idle>-0 [0] d.h1. 1.000004: irq_noise: local_timer:236 start 0.999998000 duration 6000 ns
                <idle>-0 [0] {flags}1. 1.001500: timerlat: #2     context    irq timer_latency    500000 ns
                "
            ),
            "timerlat",
        )
    };
    let is_idle = |flags| late(flags).contains("CPU 0 was idle and took");
    assert!(is_idle("d.h"), "{}", late("d.h"));
    assert!(is_idle("dNh"));
    assert!(!is_idle("d.H"), "{}", late("d.H"));
    assert!(!is_idle("dNH"));
    assert!(late("d.H").contains("came into a softirq, and no record says why"), "{}", late("d.H"));
}

/// Only the flags of its events show the interrupt that raises a softirq; an interrupt that ends, or a task that goes
/// on with softirqs off, is another story.
#[test]
fn an_interrupt_without_an_end_goes_on_for_as_long_as_its_events_say() {
    let raised = |between: &str| {
        headlines(
            &format!(
                "
                s-7 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
                s-7 [0] d.h1. 1.000100: softirq_raise: vec=1 [action=TIMER]
                {between}
                s-7 [0] ..s1. 1.000133: softirq_entry: vec=1 [action=TIMER]
                s-7 [0] ..s1. 1.000140: softirq_exit: vec=1 [action=TIMER]
                "
            ),
            "softirq_raise",
        )
    };
    let inside = "s-7 [0] d.h4. 1.000109: sched_waking: comm=w pid=9 prio=120 target_cpu=000";
    expect![[r#"
        Softirq TIMER on CPU 0 ran 33 µs after it was raised: the interrupt that raised it ran on for 9.0 µs to 33 µs (its end is not recorded)
    "#]]
    .assert_eq(&raised(inside));
    assert!(raised("").contains("ran on for up to 33 µs"), "{}", raised(""));
    let until_then = "s-7 [0] d.h4. 1.000132999: sched_waking: comm=w pid=9 prio=120 target_cpu=000";
    assert!(raised(until_then).contains("ran on for 33 µs (its end"), "{}", raised(until_then));
    let task = "s-7 [0] b..1. 1.000109: sched_waking: comm=w pid=9 prio=120 target_cpu=000";
    assert!(raised(task).contains("softirqs were off in s-7"), "{}", raised(task));
}

/// Its thread waits behind one task after another, none of which has most of it.
#[test]
fn the_tasks_that_were_waited_for_are_summed() {
    let switch = |t_us: u32, prev: &str, state: &str, next: &str| {
        format!("{prev} [0] d..2. 1.{t_us:06}: {}\n", switch(prev, state, next))
    };
    let waits = |last_us: u32| {
        let mut text = switch(0, "swapper/0-0", "R", "a-7");
        text += &switch(100, "s-9", "R", "a-7");
        text += &switch(119, "a-7", "S", "b-8");
        text += &switch(134, "b-8", "S", "c-6");
        text + &switch(last_us, "c-6", "S", "s-9")
    };
    let said = headlines(&waits(150), "preempted");
    assert!(said.contains("behind 3 tasks for 50 µs, longest behind a-7 (nice 0) for 19 µs"), "{said}");
    let said = headlines(&waits(400), "preempted");
    assert!(said.contains("behind c-6 (nice 0) for 266 µs"), "{said}");
}

/// Who puts a task into the queue of another CPU has that locked until it is done, though that CPU was told.
#[test]
fn a_cpu_that_was_told_waits_for_its_queue() {
    let said = headlines(
        "
        w-5      [1] d..2. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] d.h1. 1.000043: reschedule_entry: vector=253
        <idle>-0 [0] dNh1. 1.000044: reschedule_exit: vector=253
        w-5      [1] d..2. 1.003700: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] d..2. 1.004600: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        ",
        "wakeup",
    );
    assert!(
        said.contains("CPU 1 stood still for 3.")
            || said.contains("the wakeup and the switch themselves took 3.7"),
        "{said}"
    );
}

/// The CPU of the task knows of it from its interrupt on; whatever the waker still does is not waited for.
#[test]
fn a_cpu_that_was_told_stands_still_itself() {
    let mut text = String::new();
    for number in 1..8 {
        let at = |us: u32| format!("1.{:06}", number * 1_000 + us);
        text += &format!("w-5 [1] d..2. {}: sched_waking: comm=s pid=7 prio=120 target_cpu=000\n", at(0));
        let (queued_us, noticed_us) = if number == 7 { (60_000, 85_000) } else { (20, 40) };
        text += &format!("<idle>-0 [0] d.h1. {}: reschedule_entry: vector=253\n", at(5));
        text += &format!("<idle>-0 [0] dNh1. {}: reschedule_exit: vector=253\n", at(noticed_us));
        text +=
            &format!("w-5 [1] d..2. {}: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000\n", at(queued_us));
        text +=
            &format!("<idle>-0 [0] d..2. {}: {}\n", at(noticed_us + 10), switch("swapper/0-0", "R", "s-7"));
        text += &format!("s-7 [0] d..2. {}: {}\n", at(noticed_us + 20), switch("s-7", "S", "swapper/0-0"));
    }
    let said = headlines(&text, "wakeup");
    assert!(said.contains("CPU 0 stood still for"), "{said}");
    assert!(!said.contains("the wakeup and the switch themselves took 6"), "{said}");
}

/// The host of a guest with two CPUs runs one of them at a time, or neither; an idle one proves nothing.
#[test]
fn a_stall_says_what_the_other_cpu_of_the_guest_did() {
    let guest = |other: &str| {
        let mut text = String::new();
        for number in 1..8 {
            let at = |us: u32| format!("1.{:06}", number * 10_000 + us);
            let ends_us = if number == 7 { 1_004 } else { 4 };
            text += &format!("t-5 [0] d.h1. {}: irq_handler_entry: irq=25 name=virtio1-req.0\n", at(0));
            text += &format!("t-5 [0] d.h1. {}: sched_waking: comm=s pid=7 prio=120 target_cpu=000\n", at(1));
            if number == 7 {
                text += other;
            }
            text += &format!("t-5 [0] dNh1. {}: irq_handler_exit: irq=25 ret=handled\n", at(ends_us));
        }
        headlines(&text, "irq")
    };
    let runs: String = (1..10)
        .map(|step| format!("u-8 [1] ..... 1.0{}: sys_enter: NR 0 ()\n", 70_000 + step * 100))
        .collect();
    assert!(guest(&runs).contains("CPU 0 stood still for 1.003 ms (normally 3.0 µs) while CPU 1 ran"));
    let idles = runs.replace("u-8", "<idle>-0");
    assert!(guest(&idles).contains("as a guest's CPU does while its host runs something else"));
    let third = runs.clone() + &runs.replace("[1]", "[2]");
    assert!(guest(&third).contains("as a guest's CPU does while its host runs something else"));
}

/// Before the expiry of the tick that did not come, the silence of a busy CPU says nothing of its interrupts.
#[test]
fn a_silence_counts_from_the_timer_that_was_due() {
    let mut text = format!("x-4 [0] d..2. 0.999000: {}\n", switch("x-4", "S", "hog-5"));
    for tick_ms in (0..=40).step_by(4) {
        let (at, now_ns) = (format!("1.{tick_ms:03}"), i64::from(tick_ms) * 1_000_000);
        text += &format!("hog-5 [0] d.h.. {at}002: local_timer_entry: vector=236\n");
        text += &format!(
            "hog-5 [0] d.h.. {at}003: hrtimer_expire_entry: hrtimer=00000000000000cc function=tick_nohz_handler now={now_ns}\n"
        );
        let next_ns = now_ns + 4_000_000;
        text += &format!(
            "hog-5 [0] d.h.. {at}005: hrtimer_start: hrtimer=00000000000000cc function=tick_nohz_handler expires={next_ns} softexpires={next_ns} mode=ABS\n"
        );
        text += &format!("hog-5 [0] d.h.. {at}006: local_timer_exit: vector=236\n");
    }
    text += "hog-5 [0] dN... 1.041000: sched_waking: comm=s pid=7 prio=120 target_cpu=000\n";
    text += "hog-5 [0] dNh.. 1.070000: local_timer_entry: vector=236\n";
    text += "hog-5 [0] dNh.. 1.070001: hrtimer_expire_entry: hrtimer=00000000000000cc function=tick_nohz_handler now=69998000\n";
    text += "hog-5 [0] dNh.. 1.070005: local_timer_exit: vector=236\n";
    text += &format!("hog-5 [0] d..2. 1.070010: {}\n", switch("hog-5", "R", "s-7"));
    let said = headlines(&text, "wakeup");
    assert!(
        said.contains("interrupts were off in hog-5 (nice 0) for 25.997 ms, or CPU 0 stood still"),
        "{said}"
    );
}

/// A task is in the way that is called `first` when it gets the CPU and `last` when it leaves it, and `later` at last.
fn behind_a_renamed_task(first: &str, between: &str, last: &str) -> String {
    headlines(
        &format!(
            "
            s-7 [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R ==> next_comm={first} next_pid=8 next_prio=120
            {between}
            {last}-8 [0] d..2. 1.000600: sched_switch: prev_comm={last} prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
            later-8 [1] d..2. 1.200000: sched_switch: prev_comm=later prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            "
        ),
        "preempted",
    )
}

#[test]
fn tasks_have_the_name_that_they_had_then() {
    let said =
        |name: &str| format!("s-7 was preempted on CPU 0 for 600 µs: behind {name}-8 (nice 0) for 600 µs\n");
    let exec = "sh-8 [0] ..... 1.000200: sched_process_exec: filename=/usr/bin/cat pid=8 old_pid=8";
    let rename = "sh-8 [0] ..... 1.000200: task_rename: pid=8 oldcomm=sh newcomm=my name oom_score_adj=0";
    assert_eq!(behind_a_renamed_task("sh", "", "sh"), said("sh"));
    assert_eq!(behind_a_renamed_task("sh", exec, "cat"), said("cat"));
    assert_eq!(behind_a_renamed_task("sh", rename, "my name"), said("my name"));
    assert_eq!(behind_a_renamed_task("<...>", exec, "<...>"), said("cat"));
}

#[test]
fn many_tasks_with_little_each_are_one_cause() {
    let behind = |idle_us: u32, first_us: u32| {
        let [idle_us, first_us, last_us] =
            [1_000_000 + idle_us, 1_000_004 + idle_us + first_us, 1_000_004 + idle_us + 400];
        headlines(
            &format!(
                "
                s-7 [0] d..2. 0.999000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                b-8 [1] d..2. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
                <idle>-0 [0] dNh2. 1.{:06}: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
                <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=9 next_prio=120
                x-9 [0] d..2. 1.{:06}: sched_switch: prev_comm=x prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=y next_pid=10 next_prio=120
                y-10 [0] d..2. 1.{:06}: sched_switch: prev_comm=y prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
                ",
                idle_us - 1_000_000,
                idle_us - 999_996,
                first_us - 1_000_000,
                last_us - 1_000_000
            ),
            "wakeup",
        )
    };
    expect![[r#"
        Wakeup of s-7 on CPU 0 took 704 µs: behind x-9 for 210 µs, behind y-10 for 190 µs, and CPU 0 was idle and took 300 µs to notice
    "#]]
    .assert_eq(&behind(300, 210));
    expect![[r#"
        Wakeup of s-7 on CPU 0 took 904 µs: CPU 0 was idle and took 500 µs to notice, and it waited behind 2 tasks for 400 µs
    "#]]
    .assert_eq(&behind(500, 210));
}

/// A call whose task leaves the CPU in a state, until `w` wakes it.
fn left_in(state: &str) -> String {
    headlines(
        &format!(
            "
            s-7 [0] ..... 1.000000: sys_enter: NR 0 (1, 1, 1, 1, 1, 1)
            s-7 [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state={state} ==> next_comm=swapper/0 next_pid=0 next_prio=120
            w-8 [1] d..2. 1.000610: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] d..2. 1.000620: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7 [0] ..... 1.000630: sys_exit: NR 0 = 1
            "
        ),
        "syscall",
    )
}

#[test]
fn who_is_stopped_is_not_said_to_sleep() {
    for (state, said) in [
        ("T", "it was stopped for 600 µs until w-8 let it go on"),
        ("t", "a tracer stopped it for 600 µs until w-8 let it go on"),
        ("S", "it slept 600 µs until w-8 woke it"),
        ("D", "it slept 600 µs until w-8 woke it"),
    ] {
        let headline = left_in(state);
        assert!(headline.contains(said), "{headline}");
    }
}

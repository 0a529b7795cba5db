//! Sentences that were wrong once: each on the few lines that prove what is right.

use expect_test::{Expect, expect};

use crate::testing::explain::{headlines, switch};

fn check(text: &str, kind: &str, expected: Expect) {
    expected.assert_eq(&headlines(text, kind));
}

#[test]
fn a_task_sleeps_as_long_as_it_asked_to() {
    check(
        "
        s-7      [0] ..... 1.000000: sys_enter: NR 230 (1, 0, 0, 0, 0, 0)
        s-7      [0] d..1. 1.000004: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=10050000 softexpires=10000000
        s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.h1. 1.010045: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.010047: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10043000
        <idle>-0 [0] d.h2. 1.010049: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.010053: local_timer_exit: vector=236
        <idle>-0 [0] d..2. 1.010060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        s-7      [0] ..... 1.010065: sys_exit: NR 230 = 0
        ",
        "syscall",
        expect![[r#"
            clock_nanosleep of s-7 on CPU 0 took 10.065 ms: it slept 10.039 ms until its timer of 10.000 ms expired
        "#]],
    );
}

#[test]
fn a_cpu_that_the_stopper_took_a_task_from_is_no_idle_cpu_for_it() {
    check(
        "
        b-8      [1] d..2. 0.999000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
        s-7      [0] dN.4. 1.000000: sched_waking: comm=migration/0 pid=21 prio=0 target_cpu=000
        s-7      [0] d..2. 1.000007: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=migration/0 next_pid=21 next_prio=0
        migration/0-21 [0] d..2. 1.000019: sched_switch: prev_comm=migration/0 prev_pid=21 prev_prio=0 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        b-8      [1] d..2. 1.000700: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
        ",
        "preempted",
        expect![[r#"
            s-7 was moved from CPU 0 to CPU 1 by migration/0, and waited 693 µs: behind b-8 (nice 0) for 681 µs
        "#]],
    );
}

#[test]
fn whoever_waits_for_a_thread_that_runs_softirqs_waits_for_the_thread() {
    check(
        "
        s-7      [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=ktimers/0 next_pid=18 next_prio=98
        ktimers/0-18 [0] ..s.2 1.000003: softirq_entry: vec=1 [action=TIMER]
        ktimers/0-18 [0] ..s.2 1.000028: softirq_exit: vec=1 [action=TIMER]
        ktimers/0-18 [0] d..2. 1.000035: sched_switch: prev_comm=ktimers/0 prev_pid=18 prev_prio=98 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
        k-8      [0] d..2. 1.000060: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
        ",
        "preempted",
        expect![[r#"
            s-7 was preempted on CPU 0 for 60 µs: behind ktimers/0-18 (rt 1) for 35 µs, and behind k-8 (nice 0) for 25 µs
        "#]],
    );
}

#[test]
fn what_a_softirq_did_is_without_who_ran_in_between() {
    check(
        "
        <idle>-0 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/0 next_pid=15 next_prio=120
        ksoftirqd/0-15 [0] ..s.2 1.000003: softirq_entry: vec=1 [action=TIMER]
        ksoftirqd/0-15 [0] ..s.3 1.000008: timer_expire_entry: timer=00000000000000aa function=process_timeout now=1 baseclk=1
        ksoftirqd/0-15 [0] d.s23 1.000020: sched_switch: prev_comm=ksoftirqd/0 prev_pid=15 prev_prio=120 prev_state=R+ ==> next_comm=r next_pid=17 next_prio=98
        r-17     [0] d..21 1.000033: sched_switch: prev_comm=r prev_pid=17 prev_prio=98 prev_state=D ==> next_comm=ksoftirqd/0 next_pid=15 next_prio=120
        ksoftirqd/0-15 [0] ..s.3 1.000036: timer_expire_exit: timer=00000000000000aa
        ksoftirqd/0-15 [0] ..s.2 1.000040: softirq_exit: vec=1 [action=TIMER]
        ",
        "softirq",
        expect![[r#"
            Softirq TIMER on CPU 0 took 37 µs: 15 µs of it in process_timeout, and r-17 preempted it for 13 µs
        "#]],
    );
}

#[test]
fn a_handler_that_ends_as_its_timer_is_due_stood_still_however_often_it_does() {
    let mut text = String::new();
    for number in 0..6_u64 {
        let at_ms = 1_000 + number;
        let (s, ms) = (at_ms / 1_000, at_ms % 1_000);
        let due = (number + 1) * 1_000_000;
        for (us, event) in [
            (3, "local_timer_entry: vector=236".to_owned()),
            (
                5,
                format!(
                    "hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now={}",
                    due - 1_000_000 + 4_000
                ),
            ),
            (11, "hrtimer_expire_exit: hrtimer=00000000000000aa".to_owned()),
            (
                12,
                format!(
                    "hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires={due} softexpires={due}"
                ),
            ),
        ] {
            text += &format!("<idle>-0 [0] d.h1. {s}.{ms:03}{us:03}: {event}\n");
        }
        let (s, ms) = ((at_ms + 1) / 1_000, (at_ms + 1) % 1_000);
        text += &format!("<idle>-0 [0] d.h1. {s}.{ms:03}001: local_timer_exit: vector=236\n");
    }
    check(
        &text,
        "irq",
        expect![[r#"
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
        Interrupt local_timer on CPU 0 took 998 µs: CPU 0 stood still for 989 µs
    "#]],
    );
}

#[test]
fn a_cpu_that_pulls_a_task_is_awake() {
    check(
        "
        b-8      [1] d..2. 1.000000: sched_switch: prev_comm=r prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
        <idle>-0 [0] d.s2. 1.000010: sched_stat_runtime: comm=b pid=8 runtime=12271280 [ns]
        <idle>-0 [0] d.s2. 1.000020: sched_migrate_task: comm=r pid=9 prio=120 orig_cpu=1 dest_cpu=0
        <idle>-0 [0] .N.1. 1.000071: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] d..2. 1.000100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=r next_pid=9 next_prio=120
        ",
        "migration",
        expect![[r#"
            r-9 waited 80 µs for CPU 0 after its migration: a softirq ran for up to 51 µs (its end is not recorded)
        "#]],
    );
}

/// Where words are short, what kept the carrier says more than its name.
#[test]
fn what_kept_a_carrier_is_said_before_its_name() {
    check(
        "
        a b c d e f g h i-7 [0] d.h.. 1.000000: local_timer_entry: vector=236
        a b c d e f g h i-7 [0] d.h1. 1.000002: softirq_raise: vec=1 [action=TIMER]
        a b c d e f g h i-7 [0] d.h.. 1.000004: local_timer_exit: vector=236
        a b c d e f g h i-7 [0] d..2. 1.000006: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        a b c d e f g h i-7 [0] d..3. 1.000008: sched_wakeup: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        a b c d e f g h i-7 [0] d..2. 1.000110: sched_switch: prev_comm=a b c d e f g h i prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=ktimers/0 next_pid=18 next_prio=98
        ktimers/0-18 [0] ..s.2 1.000114: softirq_entry: vec=1 [action=TIMER]
        ktimers/0-18 [0] ..s.2 1.000116: softirq_exit: vec=1 [action=TIMER]
        ",
        "softirq_raise",
        expect![[r#"
            Softirq TIMER on CPU 0 ran 112 µs after it was raised: behind a b c d e f g h i-7 for 104 µs
        "#]],
    );
}

#[test]
fn what_took_much_of_a_carriers_way_is_said() {
    check(
        "
        r-9 [0] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=2000000 softexpires=2000000 mode=REL
        r-9 [0] d..2. 0.999002: sched_switch: prev_comm=r prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=h next_pid=5 next_prio=120
        h-5 [0] d.h.. 1.000000: local_timer_entry: vector=236
        h-5 [0] d.h1. 1.000002: softirq_raise: vec=8 [action=HRTIMER]
        h-5 [0] d.h.. 1.000004: local_timer_exit: vector=236
        h-5 [0] d..2. 1.000006: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        h-5 [0] d..3. 1.000008: sched_wakeup: comm=ktimers/0 pid=18 prio=98 target_cpu=000
        h-5 [0] d.h.. 1.000010: irq_handler_entry: irq=24 name=eth0
        h-5 [0] d.h.. 1.000050: irq_handler_exit: irq=24 ret=handled
        h-5 [0] ..s.. 1.000051: softirq_entry: vec=3 [action=NET_RX]
        h-5 [0] ..s.. 1.000081: softirq_exit: vec=3 [action=NET_RX]
        h-5 [0] d..2. 1.000083: sched_switch: prev_comm=h prev_pid=5 prev_prio=120 prev_state=R+ ==> next_comm=a next_pid=7 next_prio=49
        a-7 [0] d..2. 1.000111: sched_switch: prev_comm=a prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=ktimers/0 next_pid=18 next_prio=98
        ktimers/0-18 [0] ..s.2 1.000114: softirq_entry: vec=8 [action=HRTIMER]
        ktimers/0-18 [0] ..s.3 1.000115: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=2115000
        ktimers/0-18 [0] ..s.2 1.000118: softirq_exit: vec=8 [action=HRTIMER]
        ",
        "timer",
        expect![[r#"
            hrtimer_wakeup on CPU 0 ran 115 µs late: it was handed to ktimers/0-18 (rt 1), which ran it 112 µs later; interrupt eth0 [24] ran for 40 µs
        "#]],
    );
}

/// A softirq waits for whoever is woken to run it, and then for two who share that time.
fn raised(woken_us: u32, runs_us: u32) -> String {
    headlines(
        &format!(
            "
            h-5 [0] d..2. 0.999990: sched_switch: prev_comm=r prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=h next_pid=5 next_prio=49
            h-5 [0] d.h.. 1.000000: local_timer_entry: vector=236
            h-5 [0] d.h.. 1.000002: softirq_raise: vec=7 [action=SCHED]
            h-5 [0] d.h.. 1.000004: local_timer_exit: vector=236
            h-5 [0] d..2. 1.{woken_us:06}: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
            h-5 [0] d..3. 1.{:06}: sched_wakeup: comm=ktimers/0 pid=18 prio=98 target_cpu=000
            h-5 [0] d.h.. 1.001100: irq_handler_entry: irq=24 name=eth0
            h-5 [0] d.h.. 1.002000: irq_handler_exit: irq=24 ret=handled
            h-5 [0] d..2. 1.{runs_us:06}: sched_switch: prev_comm=h prev_pid=5 prev_prio=49 prev_state=S ==> next_comm=ktimers/0 next_pid=18 next_prio=98
            ktimers/0-18 [0] ..s.2 1.{:06}: softirq_entry: vec=7 [action=SCHED]
            ktimers/0-18 [0] ..s.2 1.{:06}: softirq_exit: vec=7 [action=SCHED]
            ",
            woken_us + 1,
            runs_us + 2,
            runs_us + 9,
        ),
        "softirq_raise",
    )
}

#[test]
fn a_carrier_that_was_woken_late_is_late_for_that() {
    expect![[r#"
        Softirq SCHED on CPU 0 ran 2.010 ms after it was raised: it was handed to ktimers/0-18 (rt 1), which was woken only 1.088 ms later
    "#]].assert_eq(&raised(1_090, 2_010));
    expect![[r#"
        Softirq SCHED on CPU 0 ran 2.010 ms after it was raised: it was handed to ktimers/0-18 (rt 1), which waited 1.104 ms behind h-5 (rt 50)
    "#]].assert_eq(&raised(6, 2_010));
}

/// Whoever was on the CPU meanwhile has nothing to do with it.
#[test]
fn the_way_of_an_interrupt_is_one_across_a_switch() {
    expect![[r#"
        hrtimer_wakeup on CPU 1 ran 7.0 µs late: its interrupt came 6.0 µs late
    "#]].assert_eq(&headlines(
        "
        a-7 [1] d..1. 0.999000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=9000000 softexpires=9000000 mode=ABS
        a-7 [1] d..2. 1.000003: sched_switch: prev_comm=a prev_pid=7 prev_prio=130 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
        b-8 [1] d.h1. 1.000006: local_timer_entry: vector=236
        b-8 [1] d.h1. 1.000007: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=9007000
        b-8 [1] d.h1. 1.000009: local_timer_exit: vector=236
        ",
        "timer",
    ));
}

/// What it is only tells at its switch, and an interrupt came before that.
#[test]
fn who_was_made_more_important_before_an_interrupt_kept_the_cpu_by_that() {
    for (flags, said) in [
        ("d.h1.", "behind b-8 (nice 0, deadline by the end) for 500 µs"),
        ("dNh1.", "behind b-8 (nice 0) for 500 µs, which could not be preempted for 400 µs of it"),
    ] {
        let text = format!(
            "
            s-7 [0] d..2. 0.999900: sched_switch: prev_comm=s prev_pid=7 prev_prio=50 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8 [0] {flags} 1.000000: sched_wakeup: comm=s pid=7 prio=50 target_cpu=000
            b-8 [0] {flags} 1.000400: local_timer_entry: vector=236
            b-8 [0] {flags} 1.000500: local_timer_exit: vector=236
            b-8 [0] d..2. 1.000600: sched_switch: prev_comm=b prev_pid=8 prev_prio=-1 prev_state=R ==> next_comm=s next_pid=7 next_prio=50
            "
        );
        let headline = headlines(&text, "wakeup");
        assert!(headline.contains(said), "{headline}");
    }
}

/// A sleep of 2 ms, after which the task waits behind another for a time.
fn slept_and_waited(until_us: u32, hog: &str) -> String {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    headlines(
        &format!(
            "
            w-7      [1] ..... 1.000000: sys_enter: NR 230 (1, 1, 1, 1, 1, 1)
            w-7      [1] d..1. 1.000010: hrtimer_start: {timer} expires=2010000 softexpires=2010000
            w-7      [1] d..2. 1.000020: sched_switch: prev_comm=w prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=hog next_pid=8 next_prio=9
            hog-8    [1] d.h1. 1.002011: local_timer_entry: vector=236
            hog-8    [1] d.h1. 1.002012: hrtimer_expire_entry: {timer} now=2012000
            hog-8    [1] d.h2. 1.002013: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            hog-8    [1] d.h3. 1.002014: sched_wakeup: comm=w pid=7 prio=49 target_cpu=001
            hog-8    [1] d.h1. 1.002015: local_timer_exit: vector=236
            hog-8    [1] d..2. 1.{until_us:06}: sched_switch: prev_comm=hog prev_pid=8 prev_prio=9 prev_state=S ==> next_comm=w next_pid=7 next_prio=49
            w-7      [1] ..... 1.{until_us:06}: sys_exit: NR 230 = 0
            "
        )
        .replace("hog", hog),
        "syscall",
    )
}

#[test]
fn what_comes_beside_a_sleep_is_what_was_late() {
    let slept = "it slept 1.993 ms until its timer of 2.000 ms expired";
    let late = slept_and_waited(2_915, "hog");
    assert!(late.ends_with(&format!("{slept}, then waited behind hog-8 for 900 µs\n")), "{late}");
    let few = slept_and_waited(2_915, "1 a b c hog");
    assert!(
        few.ends_with("it slept 1.993 ms as requested, then waited behind 1 a b c hog-8 for 900 µs\n"),
        "{few}"
    );
    let on_time = slept_and_waited(2_045, "hog");
    assert!(on_time.ends_with(&format!("{slept}\n")), "{on_time}");
}

/// `s` is woken on CPU 0, which is idle for `idle_us`, and then runs `h` for `behind_us`.
fn woken_on_idle_cpu(idle_us: u32, behind_us: u32) -> String {
    let (noticed, end) = (100 + idle_us, 100 + idle_us + behind_us);
    headlines(
        &format!(
            "
            k-9      [1] d..2. 1.000100: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            k-9      [1] d..2. 1.000101: sched_waking: comm=h pid=5 prio=19 target_cpu=000
            <idle>-0 [0] d..2. 1.{noticed:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=h next_pid=5 next_prio=19
            h-5      [0] d..2. 1.{end:06}: sched_switch: prev_comm=h prev_pid=5 prev_prio=19 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_second_cause_that_took_much_is_told_beside_the_first() {
    let told = |idle_us, behind_us| {
        let said = woken_on_idle_cpu(idle_us, behind_us);
        said.lines().find(|line| line.starts_with("Wakeup of s-7")).unwrap().to_owned()
    };
    let (idle, behind) = ("CPU 0 was idle and took 600 µs to notice", "behind h-5 (rt 80)");
    let said = told(600, 400);
    assert!(said.ends_with(&format!("{idle}, and it waited behind h-5 for 400 µs")), "{said}");
    assert!(told(600, 150).ends_with(idle), "{}", told(600, 150));
    let said = told(400, 600);
    assert!(
        said.contains(&format!("{behind} for 600 µs, and CPU 0 was idle and took 400 µs to notice")),
        "{said}"
    );
}

#[test]
fn tasks_that_preempted_a_softirq_are_told_together() {
    let (to_c, from_c) = (switch("k-3", "R", "c-5"), switch("c-5", "S", "k-3"));
    let (to_w, from_w) = (switch("k-3", "R", "w-6"), switch("w-6", "S", "k-3"));
    let said = headlines(
        &format!(
            "
            k-3 [0] ..s.. 1.000000: softirq_entry: vec=1 [action=TIMER]
            k-3 [0] d.s2. 1.000010: {to_c}
            c-5 [0] d..2. 1.000026: {from_c}
            k-3 [0] d.s2. 1.000045: {to_w}
            w-6 [0] d..2. 1.000059: {from_w}
            k-3 [0] ..s.. 1.000064: softirq_exit: vec=1 [action=TIMER]
            "
        ),
        "softirq",
    );
    assert!(said.contains("2 tasks preempted it for 30 µs"), "{said}");
}

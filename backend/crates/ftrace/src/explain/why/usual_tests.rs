//! What is judged against what is usual in the recording.

use expect_test::expect;
use proptest::prelude::*;

use crate::testing::explain::{explain_all, headlines, switch};

/// Interrupts a millisecond apart, whose last step takes so many microseconds each.
fn interrupts(steps_us: &[u32]) -> String {
    let mut text = String::new();
    for (ms, step_us) in steps_us.iter().enumerate() {
        for (us, event) in [
            (100, "local_timer_entry: vector=236"),
            (102, "hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=7"),
            (108, "hrtimer_expire_exit: hrtimer=00000000000000aa"),
            (110, "softirq_raise: vec=1 [action=TIMER]"),
            (step_us.saturating_add(110), "local_timer_exit: vector=236"),
        ] {
            text += &format!("busy-8 [0] d.h1. 1.{ms:03}{us:03}: {event}\n");
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Of a step that takes up to 3 µs in at least every tenth interrupt, and in the others as long as the CPU stands
    /// still on it, no median says what is normal.
    #[test]
    fn a_cpu_that_stands_still_in_most_interrupts_stands_still(
        stalls in prop::collection::vec(150_u32..850, 18..30),
        steps in prop::collection::vec(1_u32..4, 4..8),
    ) {
        let longest = stalls.iter().max().copied().unwrap_or_default();
        let told = headlines(&interrupts(&[steps, stalls].concat()), "irq");
        let first = told.lines().find(|line| line.contains(&format!("still for {longest} µs")));
        prop_assert!(first.is_some_and(|line| line.contains("(at best ")), "{}", told);
    }

    /// The same step, never longer than twice its median, is no stall.
    #[test]
    fn what_varies_little_is_no_stall(steps in prop::collection::vec(20_u32..41, 12..30)) {
        let told = headlines(&interrupts(&steps), "irq");
        prop_assert!(!told.contains("stood still"), "{}", told);
    }
}

#[test]
fn what_takes_less_than_a_step_of_the_clock_is_no_nanosecond() {
    let mut told = Vec::new();
    let text = interrupts(&[vec![0; 9], vec![400]].concat());
    explain_all(
        &text,
        |name| name == "irq",
        |_, explanation, _| {
            let stalls = explanation.why.iter().filter(|link| link.sentence.contains("stood still"));
            told.extend(stalls.map(|link| (link.sentence.clone(), link.usual.map(|usual| usual.median_ns))));
        },
    );
    let [(sentence, median_ns)] = told.try_into().unwrap();
    assert!(sentence.contains("normally less than 1 µs"), "{sentence}");
    assert_eq!(median_ns, Some(0));
}

#[test]
fn the_longer_of_two_timers_is_named_behind_what_is_normal() {
    let mut text = String::new();
    for ms in 0..8 {
        text += &format!("busy-8 [0] d.h1. 1.{ms:03}100: local_timer_entry: vector=236\n");
        for (us, timer) in [(101, "aa"), (110, "bb")] {
            let (function, took) =
                if timer == "bb" { ("posix_timer_fn", 10) } else { ("tick_nohz_handler", 8) };
            if ms == 0 || timer == "aa" {
                text += &format!(
                    "busy-8 [0] d.h1. 1.{ms:03}{us:03}: hrtimer_expire_entry: hrtimer=00000000000000{timer} function={function} now=7\n"
                );
                text += &format!(
                    "busy-8 [0] d.h1. 1.{ms:03}{:03}: hrtimer_expire_exit: hrtimer=00000000000000{timer}\n",
                    us + took
                );
            }
        }
        let exit = if ms == 0 { 124 } else { 111 };
        text += &format!("busy-8 [0] d.h1. 1.{ms:03}{exit:03}: local_timer_exit: vector=236\n");
    }
    let told = headlines(&text, "irq");
    expect![[r#"
        Interrupt local_timer on CPU 0 took 24 µs (normally 11 µs): it ran 2 timers; the longer, posix_timer_fn, took 10 µs
    "#]]
    .assert_eq(&format!("{}\n", told.lines().next().unwrap_or_default()));
}

#[test]
fn softirqs_after_one_another_are_one_cause() {
    let text = "
        s-7      [0] d..2. 1.000000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=8 next_prio=120
        b-8      [0] d.h.. 1.000010: local_timer_entry: vector=236
        b-8      [0] d.h.. 1.000014: local_timer_exit: vector=236
        b-8      [0] ..s.. 1.000015: softirq_entry: vec=7 [action=SCHED]
        b-8      [0] ..s.. 1.000030: softirq_exit: vec=7 [action=SCHED]
        b-8      [0] ..s.. 1.000031: softirq_entry: vec=9 [action=RCU]
        b-8      [0] ..s.. 1.000044: softirq_exit: vec=9 [action=RCU]
        b-8      [0] d..2. 1.000050: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
    ";
    expect![[r#"
        s-7 was preempted on CPU 0 for 50 µs: softirqs (mostly SCHED) ran for 28 µs (longest 15 µs), and it waited behind b-8 for 17 µs
    "#]]
    .assert_eq(&headlines(text, "preempted"));
}

#[test]
fn an_interrupt_that_comes_later_than_all_others_was_kept_away() {
    let mut text = "    s-7 [0] d..2. 1.000050: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=dd next_pid=8 next_prio=120\n".to_owned();
    for ms in 0..30_u64 {
        let late = if ms == 20 { 9 } else { 2 };
        let (due, at) = ((ms + 1) * 1_000_000, 100 + late);
        let (s, before) = (1, 102);
        text += &format!(
            "dd-8 [0] d.h1. {s}.{ms:03}{before}: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires={due} softexpires={due}\n"
        );
        text += &format!("dd-8 [0] d.h1. {s}.{ms:03}103: local_timer_exit: vector=236\n");
        let next = ms + 1;
        text += &format!("dd-8 [0] d.h1. {s}.{next:03}{:03}: local_timer_entry: vector=236\n", at - 1);
        text += &format!(
            "dd-8 [0] d.h1. {s}.{next:03}{at:03}: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now={}\n",
            due + late * 1_000
        );
        if ms == 20 {
            break;
        }
    }
    let told = headlines(&text, "timer");
    expect![[r#"
        tick_nohz_handler on CPU 0 ran 9.0 µs late: interrupts were off in dd-8 (nice 0) for 8.0 µs, or CPU 0 stood still: no event in between
    "#]]
    .assert_eq(&format!("{}\n", told.lines().find(|line| line.contains("9.0 µs late")).unwrap_or_default()));
}

/// Each task leaves its CPU this many microseconds after it was asked to, the last one to `rt`.
fn switches(ways_us: &[u32]) -> String {
    let mut text = String::new();
    let last = ways_us.len().saturating_sub(1);
    for (number, way_us) in ways_us.iter().enumerate() {
        let (comm, pid, prio) = if number == last { ("rt", 7, 19) } else { ("b", 9, 120) };
        for (us, event) in [
            (100, format!("sched_wakeup: comm={comm} pid={pid} prio={prio} target_cpu=000")),
            (
                way_us.saturating_add(100),
                format!(
                    "sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm={comm} next_pid={pid} next_prio={prio}"
                ),
            ),
        ] {
            text += &format!("a-8 [0] dN.2. 1.{number:03}{us:03}: {event}\n");
        }
        text += &format!(
            "{comm}-{pid} [0] d..2. 1.{number:03}800: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio={prio} prev_state=S ==> next_comm=a next_pid=8 next_prio=120\n"
        );
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// On a slow machine every switch takes long, and says nothing of who had the CPU.
    #[test]
    fn a_switch_that_takes_as_long_as_all_is_on_its_way(ways in prop::collection::vec(40_u32..80, 30..40)) {
        let told = headlines(&switches(&ways), "wakeup");
        let first = told.lines().find(|line| line.contains("rt-7")).unwrap_or_default();
        prop_assert!(first.contains("the wakeup and the switch themselves"), "{}", told);
    }

    /// Where the others take a few, as long a one is held up.
    #[test]
    fn a_switch_that_takes_longer_than_all_is_held_up(
        ways in prop::collection::vec(2_u32..5, 30..40),
        last in 40_u32..300,
    ) {
        let told = headlines(&switches(&[ways, vec![last]].concat()), "wakeup");
        let first = told.lines().find(|line| line.contains("rt-7")).unwrap_or_default();
        prop_assert!(!first.is_empty() && !first.contains("the wakeup and the switch themselves"), "{}", told);
    }
}

/// A hole of 20 µs after 299 steps of 2 µs, or after as many of which some take longer.
#[test]
fn what_nearly_none_of_many_takes_is_a_stall_sooner() {
    let last = |steps: Vec<u32>| {
        let told = headlines(&interrupts(&steps), "irq");
        told.lines().find(|line| line.contains("took 30 µs")).map(str::to_owned).unwrap()
    };
    let (even, few) = (vec![2; 299], vec![2; 50]);
    let uneven: Vec<u32> = (0..299).map(|n| if n % 20 == 0 { 12 } else { 2 }).collect();
    let with_hole = |steps: Vec<u32>| last(steps.into_iter().chain([20]).collect());
    assert!(with_hole(even).contains("CPU 0 stood still for 20 µs (normally 2.0 µs)"));
    for steps in [few, uneven] {
        let said = with_hole(steps);
        assert!(!said.contains("stood still for"), "{said}");
    }
}

/// Of thirty wakeups of an idle CPU, the last one takes long from its last event to the switch.
#[test]
fn an_idle_cpu_that_switches_as_slowly_as_ever_does_not_stand_still() {
    let switch_out = |at_us: u32, us: u32| {
        format!(
            "
            b-8 [1] d..2. 1.{at_us:06}: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 1.{:06}: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dN.1. 1.{:06}: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7 [0] d..2. 1.{:06}: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            at_us + 5,
            at_us + 6,
            at_us + 6 + us,
            at_us + 16 + us,
        )
    };
    let said = |usual_us: u32| {
        let all: String =
            (0..30).map(|n| switch_out(1_000 * n, if n == 29 { 80 } else { usual_us })).collect();
        headlines(&all, "wakeup")
    };
    let last = |said: String| said.lines().find(|line| line.contains("took 86 µs")).map(str::to_owned);
    let slow = last(said(40)).unwrap();
    assert!(slow.contains("the wakeup and the switch themselves took"), "{slow}");
    let quick = last(said(2)).unwrap();
    assert!(quick.contains("CPU 0 stood still for 80 µs"), "{quick}");
}

/// Of thirty wakeups by another CPU, whose idle CPU shows itself after so long each, the last one.
#[test]
fn what_another_cpu_sends_is_measured_by_what_others_sent() {
    let woken = |at_us: u32, us: u32| {
        format!(
            "
            b-8 [1] d..2. 1.{at_us:06}: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            b-8 [1] d..2. 1.{:06}: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 1.{:06}: reschedule_entry: vector=253
            <idle>-0 [0] dNh1. 1.{:06}: reschedule_exit: vector=253
            <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7 [0] d..2. 1.{:06}: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            at_us + 1,
            at_us + 1 + us,
            at_us + 2 + us,
            at_us + 4 + us,
            at_us + 20 + us,
        )
    };
    let all: String = (0..30).map(|n| woken(1_000 * n, if n == 29 { 60 } else { 15 })).collect();
    let told = headlines(&all, "wakeup");
    let late = told.lines().find(|line| line.contains("took 64 µs"));
    assert!(late.is_some_and(|line| line.contains("to notice (normally 15 µs)")), "{told}");
}

#[test]
fn of_a_step_that_is_several_times_longer_now_and_then_the_shortest_is_said() {
    let last = |long_us: u32| {
        let steps: Vec<u32> = (0..40).map(|n| if n % 3 == 0 { 2 } else { long_us }).collect();
        let told = headlines(&interrupts(&[steps, vec![850]].concat()), "irq");

        told.lines().find(|line| line.contains("still for 850 µs")).map(str::to_owned).unwrap()
    };
    assert!(last(15).contains("(at best 2.0 µs)"), "{}", last(15));
    assert!(last(6).contains("(normally 6.0 µs)"), "{}", last(6));
}

/// Ticks whose interrupts come so late, and whose handlers run so long after the entry; the last one comes 300 µs late.
#[test]
fn how_late_interrupts_come_is_measured_at_their_entries() {
    let timer = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let mut text = "<idle>-0 [0] d..1. 1.000000: cpu_idle: state=1 cpu_id=0\n".to_owned();
    for number in 0..20_u32 {
        let due_us = number * 4_000;
        let late_us = if number == 19 { 300 } else { 5 };
        for (us, event) in [
            (0, "local_timer_entry: vector=236".to_owned()),
            (40, format!("hrtimer_expire_entry: {timer} now={}", (due_us + late_us + 40) * 1_000)),
            (44, format!("hrtimer_start: {timer} expires={0} softexpires={0}", (due_us + 4_000) * 1_000)),
            (46, "local_timer_exit: vector=236".to_owned()),
        ] {
            text += &format!("<idle>-0 [0] d.h1. 1.{:06}: {event}\n", due_us + late_us + us);
        }
    }
    let told = headlines(&text, "timer");
    let late = told.lines().find(|line| line.contains("took 300 µs to notice"));
    assert!(late.is_some_and(|line| line.contains("(normally 5.0 µs)")), "{told}");
}

/// Sleepers that return from their call so long after the switch; the last one after 31 µs.
#[test]
fn what_a_task_takes_to_return_is_measured_by_other_returns() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let mut text = String::new();
    for number in 0..20_u32 {
        let (at_us, back_us) = (number * 1_000, if number == 19 { 31 } else { 3 });
        for (us, event) in [
            (0, "s-7 [0] ..... {}: sys_enter: NR 230 (1, 0, 0, 0, 0, 0)".to_owned()),
            (
                2,
                format!(
                    "s-7 [0] d..1. {{}}: hrtimer_start: {timer} expires={0} softexpires={0}",
                    (at_us + 900) * 1_000
                ),
            ),
            (5, format!("s-7 [0] d..2. {{}}: {}", switch("s-7", "S", "swapper/0-0"))),
            (900, "<idle>-0 [0] d.h1. {}: local_timer_entry: vector=236".to_owned()),
            (
                901,
                format!(
                    "<idle>-0 [0] d.h1. {{}}: hrtimer_expire_entry: {timer} now={}",
                    (at_us + 901) * 1_000
                ),
            ),
            (902, "<idle>-0 [0] d.h2. {}: sched_waking: comm=s pid=7 prio=120 target_cpu=000".to_owned()),
            (903, "<idle>-0 [0] dNh1. {}: local_timer_exit: vector=236".to_owned()),
            (906, format!("<idle>-0 [0] d..2. {{}}: {}", switch("swapper/0-0", "R", "s-7"))),
            (906 + back_us, "s-7 [0] ..... {}: sys_exit: NR 230 = 0".to_owned()),
        ] {
            text += &format!("{}\n", event.replacen("{}", &format!("1.{:06}", at_us + us), 1));
        }
    }
    let told = headlines(&text, "cyclic");
    let late = told.lines().find(|line| line.contains("its return to user space took 31 µs"));
    assert!(late.is_some_and(|line| line.contains("(normally 3.0 µs)")), "{told}");
}

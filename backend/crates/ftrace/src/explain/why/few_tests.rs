//! What recordings of few events tell, and what they leave open.

use crate::explain::Case;
use crate::testing::explain::{explain_file, explain_partly, headlines};

/// A task calls a system call and leaves its CPU to the task `comm` with that pid, until it runs again; no waking is
/// recorded.
fn off_its_cpu(comm: &str, pid: i32) -> String {
    headlines(
        &format!(
            "
            sh-7 [0] ..... 1.000000: sys_enter: NR 0 (0, 0, 0, 0, 0, 0)
            sh-7 [0] d..2. 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm={comm} next_pid={pid} next_prio=120
            {comm}-{pid} [0] d..2. 1.005010: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
            sh-7 [0] ..... 1.005020: sys_exit: NR 0 = 3
            "
        ),
        "syscall",
    )
}

#[test]
fn without_wakings_a_sleep_may_be_a_wait() {
    let said = off_its_cpu("b", 8);
    let expected = "it slept or waited for CPU 0 for 5.000 ms; no record says when it was woken";
    assert!(said.contains(expected), "{said}");
    let said = off_its_cpu("swapper/0", 0);
    assert!(said.contains("it slept 5.000 ms; no record says who woke it"), "{said}");
}

#[test]
fn whoever_starts_a_timer_late_is_told_without_any_switch() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let said = headlines(
        &format!(
            "
            s-7 [0] d..1. 1.000100: hrtimer_start: {timer} expires=1000500000 softexpires=1000500000
            b-8 [0] d.h1. 1.000520: hrtimer_expire_entry: {timer} now=1000515000
            s-7 [0] d..1. 1.013000: hrtimer_start: {timer} expires=1010000000 softexpires=1010000000
            s-7 [0] d.h1. 1.013010: hrtimer_expire_entry: {timer} now=1013005000
            "
        ),
        "timer",
    );
    assert!(said.contains("s-7 started the timer"), "{said}");
    assert!(!said.contains("no record of what ran for 3"), "{said}");
}

/// The wait of `s` for its CPU began before the events that are looked at.
#[test]
fn a_task_that_is_switched_to_without_a_waking_has_waited() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let busy: String = (0..150)
        .map(|idx| {
            let t_us = 1_000 + idx * 20;
            format!("b-8 [0] d.h1. 1.00{t_us:04}: irq_handler_entry: irq=24 name=eth0\nb-8 [0] d.h1. 1.00{:04}: irq_handler_exit: irq=24 ret=handled\n", t_us + 2)
        })
        .collect();
    let said = headlines(
        &format!(
            "
            s-7 [0] d..2. 1.000100: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8 [0] d.h2. 1.000200: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            {busy}
            b-8 [0] d..2. 1.012000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7 [0] d..1. 1.013000: hrtimer_start: {timer} expires=1010000000 softexpires=1010000000
            s-7 [0] d..2. 1.013002: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8 [0] d.h1. 1.013006: local_timer_entry: vector=236
            b-8 [0] d.h1. 1.013008: hrtimer_expire_entry: {timer} now=1013008000
            b-8 [0] d.h2. 1.013010: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            b-8 [0] dNh1. 1.013012: local_timer_exit: vector=236
            b-8 [0] d..2. 1.013014: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            "
        ),
        "timer",
    );
    let expected = "started the timer 3.000 ms after the expiry, after waiting 2.000 ms behind b-8";
    assert!(said.contains(expected), "{said}");
}

/// The recording begins while `s` waits for its CPU behind others, of which the last one has priority `prio`.
fn waiting_from_the_beginning(prio: i32, more: &str) -> String {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    headlines(
        &format!(
            "
            b-8 [0] d.h1. 1.000100: irq_handler_entry: irq=24 name=eth0
            b-8 [0] d.h1. 1.000102: irq_handler_exit: irq=24 ret=handled
            {more}
            b-8 [0] d..2. 1.003000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=c next_pid=9 next_prio=120
            c-9 [0] d..2. 1.012000: sched_switch: prev_comm=c prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio={prio}
            s-7 [0] d..1. 1.013000: hrtimer_start: {timer} expires=1002000000 softexpires=1002000000
            s-7 [0] d..2. 1.013002: sched_switch: prev_comm=s prev_pid=7 prev_prio={prio} prev_state=S ==> next_comm=b next_pid=8 next_prio=120
            b-8 [0] d.h1. 1.013006: local_timer_entry: vector=236
            b-8 [0] d.h1. 1.013008: hrtimer_expire_entry: {timer} now=1013008000
            b-8 [0] d.h2. 1.013010: sched_waking: comm=s pid=7 prio={prio} target_cpu=000
            b-8 [0] dNh1. 1.013012: local_timer_exit: vector=236
            b-8 [0] d..2. 1.013014: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio={prio}
            "
        ),
        "timer",
    )
}

const NEW_TASK: &str = "n-5 [1] d..2. 1.000200: sched_wakeup_new: comm=n pid=6 prio=120 target_cpu=001";

#[test]
fn a_task_of_which_nothing_was_seen_before_has_waited_unless_it_may_be_new() {
    let said = waiting_from_the_beginning(120, NEW_TASK);
    let expected = "started the timer 11.000 ms after the expiry, after waiting 9.000 ms behind c-9";
    assert!(said.contains(expected), "{said}");
    let said = waiting_from_the_beginning(120, "");
    assert!(!said.contains("behind"), "{said}");
}

/// The scheduler chose `c` while `s`, which is more important, waited for that CPU.
#[test]
fn whoever_is_passed_over_is_throttled_though_its_waking_is_not_seen() {
    let said = waiting_from_the_beginning(39, NEW_TASK);
    assert!(said.contains("11.000 ms after the expiry, after being throttled for"), "{said}");
    assert!(!said.contains("preempted"), "{said}");
}

#[test]
fn a_call_may_sleep_more_than_once() {
    let sleep = |from_us: u32| {
        format!(
            "
            w-7 [0] d..2. 1.{from_us:06}: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            a-9 [1] d..2. 1.{:06}: sched_waking: comm=w pid=7 prio=120 target_cpu=000
            <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            ",
            from_us + 1_000,
            from_us + 1_005
        )
    };
    let said = |sleeps: &[u32]| {
        let sleeps: String = sleeps.iter().map(|from_us| sleep(*from_us)).collect();
        let (enter, exit) = ("sys_enter: NR 232 (1, 1, 1, 1, 1, 1)", "sys_exit: NR 232 = 0");
        headlines(
            &format!("w-7 [0] ..... 1.000005: {enter}\n{sleeps}\nw-7 [0] ..... 1.005100: {exit}"),
            "syscall",
        )
    };
    let three = said(&[10, 2_000, 4_000]);
    assert!(three.contains("it slept 3 times for 3.000 ms until a-9"), "{three}");
    let one = said(&[10]);
    assert!(!one.contains("times"), "{one}");
}

/// The steps of the clock `uptime` are those of the tick.
#[test]
fn an_interrupt_within_which_the_clock_steps_did_not_take_all_of_the_step() {
    let switch = |t: u32, prev: &str, next: &str| {
        format!(
            "  {} [000] d..2.  {t}: sched_switch: {prev} prev_prio=120 prev_state=R ==> {next} next_prio=120\n",
            { if prev.contains("=w ") { "w-7" } else { "b-8" } }
        )
    };
    let (b, w) = ("prev_comm=b prev_pid=8", "prev_comm=w prev_pid=7");
    let mut text = String::from("# tracer: nop\n#\n# entries-in-buffer/entries-written: 23/23   #P:1\n#\n");
    text += &switch(19_870, w, "next_comm=b next_pid=8");
    for t in 19_870..19_880 {
        let exit = t + 1;
        text += &format!("  b-8 [000] d.h1.  {t}: local_timer_entry: vector=236\n");
        text += &format!("  b-8 [000] d.h1.  {exit}: local_timer_exit: vector=236\n");
    }
    text += &switch(19_880, b, "next_comm=w next_pid=7");
    text += &switch(19_890, w, "next_comm=b next_pid=8");
    let mut told = String::new();
    explain_file(&text, "preempted", |_, explanation, _| told.push_str(&explanation.headline));
    assert!(told.contains("w-7 was preempted on CPU 0 for 10 clock ticks: behind b-8"), "{told}");
}

/// A task waits in a call for `h`, which waited for a task of many words.
fn waits_for_many_words(waker: &str) -> String {
    let many = "a b c d e f g h";
    headlines(
        &format!(
            "
            w-7      [2] ..... 1.000050: sys_enter: NR 202 (1, 1, 1, 1, 1, 1)
            w-7      [2] d..2. 1.000060: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/2 next_pid=0 next_prio=120
            {waker}-8 [0] d..2. 1.000100: sched_switch: prev_comm={waker} prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            {many}-9 [1] d..2. 1.009000: sched_waking: comm={waker} pid=8 prio=120 target_cpu=000
            <idle>-0 [0] d..2. 1.009010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={waker} next_pid=8 next_prio=120
            {waker}-8 [0] d..2. 1.009040: sched_waking: comm=w pid=7 prio=120 target_cpu=002
            <idle>-0 [2] d..2. 1.009050: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            w-7      [2] ..... 1.009060: sys_exit: NR 202 = 0
            "
        ),
        "syscall",
    )
}

#[test]
fn where_words_are_short_a_task_is_named_unless_its_pid_is_shorter() {
    let said = waits_for_many_words("h");
    assert!(said.contains("it slept 8.980 ms until h-8 woke it"), "{said}");
    let said = waits_for_many_words("a b c d e f g i");
    assert!(said.contains("it slept 8.980 ms until pid 8 woke it"), "{said}");
}

/// What a task did in the middle of a long case is not known, but that it did not run.
#[test]
fn a_task_that_did_not_run_where_events_are_left_out_is_told_so() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let text = format!(
        "
        s-7 [0] d..2. 1.000100: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
        b-8 [0] d.h2. 1.005000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        b-8 [0] d..2. 1.012000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        s-7 [0] d..1. 1.013000: hrtimer_start: {timer} expires=1002000000 softexpires=1002000000
        s-7 [0] d..2. 1.013002: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
        b-8 [0] d.h1. 1.013006: local_timer_entry: vector=236
        b-8 [0] d.h1. 1.013008: hrtimer_expire_entry: {timer} now=1013008000
        b-8 [0] d.h1. 1.013012: local_timer_exit: vector=236
        "
    );
    let mut said = String::new();
    let unseen = |_: &Case<'_>| (4_000_000, 6_000_000);
    explain_partly(&text, unseen, |case, told, _| {
        if case.latency().name == "timer" {
            said.push_str(&told.headline);
        }
    });
    assert!(said.contains("11.000 ms after the expiry, after not running for"), "{said}");
}

#[test]
fn thousands_of_tasks_are_counted_in_groups_of_three_digits() {
    let switch = |t_us: u32, prev: &str, prev_pid: u32, state: &str, next: &str, next_pid: u32| {
        format!(
            "{prev}-{prev_pid} [0] d..2. 1.{t_us:06}: sched_switch: prev_comm={prev} prev_pid={prev_pid} prev_prio=120 prev_state={state} ==> next_comm={next} next_pid={next_pid} next_prio=120\n"
        )
    };
    let mut text = switch(10, "w", 7, "R", "kid", 1_000);
    for idx in 0..1_200 {
        text += &switch(20 + idx * 10, "kid", 1_000 + idx, "X", "kid", 1_001 + idx);
    }
    text += &switch(12_030, "kid", 2_200, "X", "w", 7);
    let said = headlines(&text, "preempted");
    assert!(said.contains("behind 1,201 kid tasks (nice 0) for"), "{said}");
}

/// The tracer's thread finds round after round too long, and then one that a stall made long.
#[test]
fn rounds_of_a_tracer_are_no_stalls() {
    let mut text = String::from(
        "
        o-6 [0] d..2. 1.000000: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=o next_pid=6 next_prio=120
        o-6 [0] d.h2. 1.000010: sched_waking: comm=w pid=7 prio=120 target_cpu=000
        o-6 [0] d.h3. 1.000011: sched_wakeup: comm=w pid=7 prio=120 target_cpu=000
        ",
    );
    for round in 0..400 {
        let at = 20_000 + round * 1_500;
        text += &format!(
            "o-6 [0] ..... 1.{:06}: sample_threshold: start 1.{:09} duration 1500 ns interference 0\n",
            (at + 2_000) / 1_000,
            at
        );
    }
    text += "o-6 [0] d..2. 1.000700: sched_switch: prev_comm=o prev_pid=6 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120";
    let told = headlines(&text, "wakeup");
    assert!(told.contains("behind o-6 (nice 0) for 6"), "{told}");
}

/// `s` waits behind a task of the highest priority, which shows no event for so long.
fn behind_silent(comm: &str, until_us: u32) -> String {
    headlines(
        &format!(
            "
            a-8 [0] d..2. 1.000000: sched_waking: comm=s pid=7 prio=19 target_cpu=000
            a-8 [0] d..2. 1.000100: sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=R ==> next_comm={comm} next_pid=9 next_prio=0
            {comm}-9 [0] d..2. 1.{until_us:06}: sched_switch: prev_comm={comm} prev_pid=9 prev_prio=0 prev_state=S ==> next_comm=s next_pid=7 next_prio=19
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_stopper_that_takes_long_may_have_stood_still() {
    let said = behind_silent("migration/0", 9_400);
    assert!(
        said.contains("behind migration/0-9 (rt 99, above rt 80) for 9.300 ms, or CPU 0 stood still"),
        "{said}"
    );
    assert!(!behind_silent("migration/0", 400).contains("stood still"));
    assert!(!behind_silent("hog", 9_400).contains("stood still"));
}

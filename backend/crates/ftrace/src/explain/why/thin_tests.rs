//! What is said of recordings that lack a whole type of events, or flags.

use std::fmt::Write;

use expect_test::expect;

use crate::testing::explain::headlines;

#[test]
fn a_softirq_that_an_idle_cpu_raises_waits_for_its_interrupt() {
    let said = headlines(
        "
        <idle>-0 [0] 1.000000: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_sched_timer now=4000000
        <idle>-0 [0] 1.000010: softirq_raise: vec=7 [action=SCHED]
        <idle>-0 [0] 1.000015: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [0] 1.047000: softirq_entry: vec=7 [action=SCHED]
        <idle>-0 [0] 1.047020: softirq_exit: vec=7 [action=SCHED]
        ",
        "softirq_raise",
    );
    expect![[r#"
        Softirq SCHED on CPU 0 ran 46.990 ms after it was raised: the interrupt that raised it ran on for 5.0 µs to 46.990 ms, or CPU 0 stood still
    "#]]
    .assert_eq(&said);
}

/// A sleep of 10 ms, and what lies between it and the next one: no switch is recorded.
fn slept_without_switches() -> String {
    let (start, expiry) = (
        "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup",
        "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup",
    );
    headlines(
        &format!(
            "
            s-7      [0] 1.000000: sys_enter: NR 230 (1, 2, 3, 4, 5, 6)
            s-7      [0] 1.000005: {start} expires=10005000 softexpires=10005000
            <idle>-0 [0] 1.010010: {expiry} now=10008000
            <idle>-0 [0] 1.010012: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] 1.010014: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
            s-7      [0] 1.010030: sys_exit: NR 230 = 0
            s-7      [0] 1.010040: sys_enter: NR 230 (1, 2, 3, 4, 5, 6)
            s-7      [0] 1.010045: {start} expires=20045000 softexpires=20045000
            <idle>-0 [0] 1.012000: softirq_entry: vec=6 [action=TASKLET]
            <idle>-0 [0] 1.019000: softirq_exit: vec=6 [action=TASKLET]
            x-9      [0] 1.024050: {expiry} now=24047000
            x-9      [0] 1.024052: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            x-9      [0] 1.024054: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
            s-7      [0] 1.024070: sys_exit: NR 230 = 0
            "
        ),
        "syscall",
    )
}

#[test]
fn without_switches_a_sleep_is_one_by_its_timer() {
    expect![[r#"
        Syscall 230 of s-7 on CPU 0 took 10.030 ms: it slept 10.007 ms until its own time-out of 10.002 ms
        Syscall 230 of s-7 on CPU 0 took 14.030 ms: it slept 10.003 ms until its own time-out of 10.003 ms; CPU 0 took no interrupts for 4.002 ms
    "#]]
    .assert_eq(&slept_without_switches());
}

/// A tasklet that runs for 36 ms of which its CPU shows nothing, though a timer was due soon after it had begun.
#[test]
fn without_flags_a_softirq_in_which_a_timer_does_not_come_may_not_have_run() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let said = headlines(
        &format!(
            "
            s-7      [0] 1.000000: hrtimer_start: {timer} expires=4000000 softexpires=4000000
            k-8      [0] 1.003000: softirq_raise: vec=6 [action=TASKLET]
            k-8      [0] 1.003010: softirq_entry: vec=6 [action=TASKLET]
            k-8      [0] 1.003012: tasklet_entry: tasklet=00000000000000cc function=tfn
            k-8      [0] 1.040000: hrtimer_expire_entry: {timer} now=40000000
            k-8      [0] 1.040002: sched_waking: comm=s pid=7 prio=19 target_cpu=000
            k-8      [0] 1.040004: sched_wakeup: comm=s pid=7 prio=19 target_cpu=000
            k-8      [0] 1.040006: hrtimer_expire_exit: hrtimer=00000000000000aa
            k-8      [0] 1.040020: tasklet_exit: tasklet=00000000000000cc function=tfn
            k-8      [0] 1.040022: softirq_exit: vec=6 [action=TASKLET]
            "
        ),
        "timer",
    );
    expect![[r#"
        hrtimer_wakeup on CPU 0 ran 36.000 ms late: interrupts were off in softirq TASKLET for 36.000 ms, or CPU 0 stood still: no event in between
    "#]].assert_eq(&said);
}

#[test]
fn a_cpu_whose_first_record_is_of_a_task_was_not_idle_before() {
    let said = headlines(
        "
        x-7            [1] d..2. 1.000000: sched_switch: prev_comm=x prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=migration/1 next_pid=27 next_prio=0
        migration/1-27 [1] d..3. 1.000060: sched_migrate_task: comm=x pid=7 prio=120 orig_cpu=1 dest_cpu=0
        migration/1-27 [1] d..2. 1.000100: sched_switch: prev_comm=migration/1 prev_pid=27 prev_prio=0 prev_state=S ==> next_comm=sh next_pid=6 next_prio=120
        y-8            [0] d.h.. 1.000800: local_timer_entry: vector=236
        y-8            [0] d.h.. 1.000810: local_timer_exit: vector=236
        y-8            [0] d..2. 1.000900: sched_switch: prev_comm=y prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=x next_pid=7 next_prio=120
        ",
        "preempted",
    );
    expect![[r#"
        x-7 was moved from CPU 1 to CPU 0 by migration/1, and waited 900 µs: no record of what ran for 740 µs
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_task_is_no_longer_where_it_was_passed_over() {
    let said = headlines(
        "
        z-9      [1] d..2. 1.000000: sched_wakeup: comm=k pid=8 prio=89 target_cpu=000
        r-7      [0] d..2. 1.000100: sched_switch: prev_comm=r prev_pid=7 prev_prio=98 prev_state=R ==> next_comm=k next_pid=8 next_prio=89
        k-8      [0] d..2. 1.000200: sched_switch: prev_comm=k prev_pid=8 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        z-9      [1] d..2. 1.009000: sched_switch: prev_comm=z prev_pid=9 prev_prio=49 prev_state=S ==> next_comm=r next_pid=7 next_prio=98
        ",
        "preempted",
    );
    expect![[r#"
        r-7 was preempted on CPU 0 for 8.900 ms: behind z-9 (rt 50, above rt 1) for 8.800 ms on CPU 1
    "#]]
    .assert_eq(&said);
}

/// A sleep that is due 0.2 ms before its interrupt comes.
#[test]
fn without_the_scheduler_a_sleep_is_one_by_its_timer() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let said = headlines(
        &format!(
            "
            s-7      [0] ..... 1.000000: sys_enter: NR 230 (1, 2, 3, 4, 5, 6)
            s-7      [0] d..1. 1.000005: hrtimer_start: {timer} expires=10005000 softexpires=10005000
            <idle>-0 [0] d.h1. 1.010205: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.010206: hrtimer_expire_entry: {timer} now=10206000
            <idle>-0 [0] d.h1. 1.010208: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [0] d.h1. 1.010210: local_timer_exit: vector=236
            s-7      [0] ..... 1.010230: sys_exit: NR 230 = 0
            "
        ),
        "syscall",
    );
    expect![[r#"
        clock_nanosleep of s-7 on CPU 0 took 10.230 ms: it slept 10.000 ms until its timer of 10.000 ms expired
    "#]].assert_eq(&said);
}

#[test]
fn an_interrupt_whose_kind_never_ends_in_the_recording_ends_with_a_switch() {
    let said = headlines(
        "
        a-7 [0] d.h.. 1.000000: reschedule_entry: vector=253
        a-7 [0] d.h.. 1.000002: reschedule_exit: vector=253
        a-7 [0]       1.000100: irq_handler_entry: irq=25 name=virtio1-req.0
        a-7 [0]       1.000102: sched_waking: comm=w pid=9 prio=120 target_cpu=000
        a-7 [0]       1.000110: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=b next_pid=8 next_prio=120
        b-8 [0]       1.003000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
        ",
        "wakeup",
    );
    expect![[r#"
        Wakeup of w-9 on CPU 0 took 2.898 ms: behind b-8 (nice 0) for 2.890 ms
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_cpu_that_is_in_a_softirq_when_it_shows_itself_may_not_have_been_idle() {
    let said = headlines(
        "
        sh-5     [1] d..2. 1.000000: sched_waking: comm=w pid=9 prio=120 target_cpu=000
        sh-5     [1] d..3. 1.000002: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000
        <idle>-0 [0] dNH1. 1.009000: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=9000000
        <idle>-0 [0] dNH1. 1.009010: hrtimer_expire_exit: hrtimer=00000000000000aa
        <idle>-0 [0] d..2. 1.009100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
        ",
        "wakeup",
    );
    expect![[r#"
        Wakeup of w-9 on CPU 0 took 9.100 ms: CPU 0 was idle and took 8.998 ms to notice, or ran a softirq
    "#]]
    .assert_eq(&said);
}

/// A task sleeps again and again, which takes 7 µs from the start of its timer to the switch; at last its timer's interrupt comes
/// first, after 840 µs.
#[test]
fn without_flags_a_task_that_never_gets_to_sleep_is_not_what_kept_the_cpu() {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let at = |us: u32| format!("{}.{us:06}", 1);
    let start = |us: u32| {
        format!("s-7 [0] {}: hrtimer_start: {timer} expires={us}900 softexpires={us}900", at(us + 5))
    };
    let fire = |who: &str, us: u32| {
        let [entry, handler, waking, done, exit] = [0, 2, 4, 6, 8].map(|more| at(us + more));
        format!(
            "
            {who} [0] {entry}: local_timer_entry: vector=236
            {who} [0] {handler}: hrtimer_expire_entry: {timer} now={us}000
            {who} [0] {waking}: sched_waking: comm=s pid=7 prio=19 target_cpu=000
            {who} [0] {done}: hrtimer_expire_exit: hrtimer=00000000000000aa
            {who} [0] {exit}: local_timer_exit: vector=236
            "
        )
    };
    let mut text = "
        <idle>-0 [0] 1.000000: softirq_entry: vec=9 [action=RCU]
        <idle>-0 [0] 1.000001: softirq_exit: vec=9 [action=RCU]
        <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19
        "
    .to_owned();
    let sleeps = "prev_comm=s prev_pid=7 prev_prio=19 prev_state=S ==>";
    for us in (0..8).map(|round| 1_000 * (round + 1)) {
        let (start, fired) = (start(us), fire("<idle>-0", us + 900));
        let (left, back) = (at(us + 12), at(us + 915));
        writeln!(
            text,
            "{start}\ns-7 [0] {left}: sched_switch: {sleeps} next_comm=swapper/0 next_pid=0 next_prio=120"
        )
        .unwrap();
        writeln!(text, "{fired}\n<idle>-0 [0] {back}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19").unwrap();
    }
    writeln!(text, "o-5 [1] 1.010000: sched_waking: comm=w pid=9 prio=120 target_cpu=000").unwrap();
    writeln!(text, "{}\n{}", start(10_000), fire("s-7", 10_845)).unwrap();
    writeln!(text, "s-7 [0] 1.010860: sched_switch: {sleeps} next_comm=w next_pid=9 next_prio=120").unwrap();
    let said = headlines(&text, "wakeup");
    let of_w = said.lines().find(|line| line.starts_with("Wakeup of w-9")).unwrap();
    assert!(of_w.contains("CPU 0 stood still for 840 µs"), "{of_w}");
}

/// A waker that stands still in the middle of waking a task, and then the idle CPU of that task.
#[test]
fn without_flags_a_waking_is_one_path() {
    let mut text = String::new();
    for us in (0..8).map(|round| 1_000 * round) {
        let at = |more: u32| format!("1.{:06}", us + more);
        writeln!(text, "sh-5 [1] {}: sched_waking: comm=w pid=9 prio=120 target_cpu=000", at(0)).unwrap();
        writeln!(text, "sh-5 [1] {}: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000", at(4)).unwrap();
        writeln!(text, "<idle>-0 [0] {}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120", at(20)).unwrap();
        writeln!(text, "w-9 [0] {}: sched_switch: prev_comm=w prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120", at(40)).unwrap();
    }
    let last = text.replace("1.0070", "1.0570").lines().skip(28).collect::<Vec<_>>().join("\n");
    let last = last.replace("1.057004: sched_wakeup", "1.061000: sched_wakeup");
    let last = last.replace("1.057020", "1.061020").replace("1.057040", "1.061040");
    let said = headlines(&format!("{text}\n{last}"), "wakeup");
    let of_last = said.lines().find(|line| line.contains("ms")).unwrap();
    assert!(of_last.contains("CPU 1 stood still for 4.000 ms (normally 4.0 µs)"), "{of_last}");
}

/// An idle CPU that has left its idle state, and switches long after.
#[test]
fn a_cpu_that_left_its_idle_state_did_something_or_stood_still() {
    let waits_for = |us: u32| {
        headlines(
            &format!(
                "
                sh-5     [1] 1.000000: sched_waking: comm=w pid=9 prio=120 target_cpu=000
                <idle>-0 [0] 1.000030: cpu_idle: state=4294967295 cpu_id=0
                <idle>-0 [0] 1.{us:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
                "
            ),
            "wakeup",
        )
    };
    let told = waits_for(11_630);
    assert!(told.contains("an interrupt ran for up to 11.600 ms (its end is not recorded)"), "{told}");
    let told = waits_for(130);
    assert!(told.contains("no record of what ran for 100 µs"), "{told}");
}

//! What made something late, each on the few lines that prove it, and within the words of a headline.

use expect_test::expect;

use crate::testing::explain::{explain_bytes, headlines};

/// A softirq raises itself again as it ends, and wakes `woken`.
fn raised_again(woken: &str) -> String {
    headlines(&raised_again_text(woken), "softirq_raise")
}

fn raised_again_text(woken: &str) -> String {
    format!(
        "
        a-7 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
        a-7 [1] ..s.. 1.000090: softirq_entry: vec=9 [action=RCU]
        a-7 [1] d.s.. 1.000100: softirq_raise: vec=9 [action=RCU]
        a-7 [1] ..s.. 1.000101: softirq_exit: vec=9 [action=RCU]
        {woken}
        a-7 [1] d.h.. 1.003988: local_timer_entry: vector=236
        a-7 [1] dNh.. 1.003995: local_timer_exit: vector=236
        a-7 [1] .Ns.. 1.004000: softirq_entry: vec=9 [action=RCU]
        a-7 [1] .Ns.. 1.004010: softirq_exit: vec=9 [action=RCU]
        a-7 [1] d..2. 1.004020: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/1 next_pid=22 next_prio=120
        "
    )
}

#[test]
fn softirqs_are_not_off_where_their_thread_was_woken_for_them() {
    let own = "a-7 [1] d.s2. 1.000102: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001";
    let said = raised_again(own);
    assert!(said.contains("to ksoftirqd/1-22, which waited"), "{said}");
    assert!(said.contains("behind a-7"), "{said}");
    let said = raised_again(&own.replace("ksoftirqd/1 pid=22", "ksoftirqd/0 pid=15"));
    assert!(said.contains("softirqs were off in a-7"), "{said}");
}

#[test]
fn a_thread_of_softirqs_is_known_if_its_name_was_cut() {
    let own = "a-7 [1] d.s2. 1.000102: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001";
    let said = headlines(&raised_again_text(own).replace("ksoftirqd/1", "ksoftirq"), "softirq_raise");
    assert!(said.contains("to ksoftirq-22, which waited"), "{said}");
}

#[test]
fn a_softirq_that_raises_itself_waits_for_itself() {
    let said = headlines(
        "
        c-7 [0] ..s2. 1.000000: softirq_entry: vec=9 [action=RCU]
        c-7 [0] d.s2. 1.000006: softirq_raise: vec=9 [action=RCU]
        c-7 [0] ..s2. 1.000006: softirq_exit: vec=9 [action=RCU]
        c-7 [0] ..s2. 1.000007: softirq_entry: vec=9 [action=RCU]
        c-7 [0] ..s2. 1.000011: softirq_exit: vec=9 [action=RCU]
        ",
        "softirq_raise",
    );
    assert!(said.ends_with(": softirq RCU ran for 1.0 µs\n"), "{said}");
}

/// At 1.013 s `s` starts a timer that has expired; it fires and wakes it, both by the timer's clock.
fn started_late(expires_ns: u64, now_ns: u64) -> String {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    format!(
        "
            s-7        [0] d..1. 1.013000: hrtimer_start: {timer} expires={expires_ns} softexpires={expires_ns}
            s-7        [0] d..2. 1.013002: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0   [0] d.h1. 1.013006: local_timer_entry: vector=236
            <idle>-0   [0] d.h1. 1.013008: hrtimer_expire_entry: {timer} now={now_ns}
            <idle>-0   [0] d.h2. 1.013010: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0   [0] d.h1. 1.013012: local_timer_exit: vector=236
            <idle>-0   [0] d..2. 1.013014: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        "
    )
}

/// `s` starts its timer 3 ms late, after it was stopped until `waker` let it go on.
fn stopped_before(waker: &str) -> String {
    headlines(
        &format!(
            "
            <idle>-0   [0] d..2. 1.001000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7        [0] d..2. 1.010100: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=T ==> next_comm=swapper/0 next_pid=0 next_prio=120
            {waker}-8  [1] d..2. 1.012600: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0   [0] d..2. 1.012610: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            {}
            ",
            started_late(1_010_000_000, 1_013_008_000)
        ),
        "cyclic",
    )
}

#[test]
fn what_held_a_task_up_is_said_in_few_words_where_there_are_few() {
    let said = stopped_before("w");
    assert!(said.contains("after being stopped for 2.500 ms until w-8 let it go on"), "{said}");
    let said = stopped_before("w of four words");
    assert!(said.contains("3.000 ms late, after being stopped for 2.500 ms\n"), "{said}");
}

/// `s` sleeps through the expiry of its timer, because it was stopped long before that; `between` is much of other CPUs.
#[test]
fn whoever_was_stopped_long_before_the_case_was_stopped() {
    let busy: String = (0..60)
        .map(|idx| {
            format!("b-9 [0] d.h1. 1.00{:04}: irq_handler_exit: irq=2 ret=handled\n", 1_000 + idx * 10)
        })
        .collect();
    let said = headlines(
        &format!(
            "
            <idle>-0   [0] d..2. 1.000100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7        [0] d..2. 1.000200: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=t ==> next_comm=b next_pid=9 next_prio=120
            {busy}
            t-8        [1] d..2. 1.012600: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            b-9        [0] d..2. 1.012610: sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
            {}
            ",
            started_late(5_000_000, 13_008_000)
        ),
        "cyclic",
    );
    assert!(said.contains("after being stopped for 7.600 ms until t-8 let it go on"), "{said}");
}

/// A fair task is put into the queue of a CPU that runs another one, and an interrupt comes to that 2 ms later.
fn queued_from_afar(sent: &str) -> String {
    headlines(
        &format!(
            "
            <idle>-0 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=9 next_prio=120
            a-8      [1] d..3. 1.001000: sched_waking: comm=w pid=7 prio=120 target_cpu=000
            {sent}
            a-8      [1] d..4. 1.001004: sched_wakeup: comm=w pid=7 prio=120 target_cpu=000
            b-9      [0] dNh.. 1.003000: reschedule_entry: vector=253
            b-9      [0] dNh.. 1.003001: reschedule_exit: vector=253
            b-9      [0] d..2. 1.003010: sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

#[test]
fn an_interrupt_long_after_a_fair_task_was_queued_is_about_something_else() {
    let told = queued_from_afar("");
    assert!(told.contains("behind b-9 (nice 0) for 1.9"), "{told}");
    let told = queued_from_afar("a-8 [1] d..4. 1.001002: ipi_send_cpu: cpu=0 callsite=x callback=0x0");
    assert!(told.contains("interrupts were off in b-9 (nice 0) for 1.9"), "{told}");
}

/// A fair task waits behind another one up to the tick, after its CPU was idle at the time for which that tick was started
/// first; `exits` says how the CPU leaves its idle task each time.
fn after_an_idle_tick(exits: bool) -> (String, String) {
    let tick = "hrtimer=00000000000000cc function=tick_nohz_handler";
    let exit = match exits {
        true => "<idle>-0 [1] d..1. 1.005990: hrtimer_start: TICK expires=8000000 softexpires=8000000\n
            <idle>-0 [1] d..2. 1.006000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=9 next_prio=120",
        false => "",
    };
    let text = format!(
        "
        a-8      [1] d.h.. 1.000000: local_timer_entry: vector=236
        a-8      [1] d.h.. 1.000002: hrtimer_expire_entry: {tick} now=2000
        a-8      [1] d.h.. 1.000004: hrtimer_start: {tick} expires=4000000 softexpires=4000000
        a-8      [1] d.h.. 1.000006: local_timer_exit: vector=236
        a-8      [1] d..2. 1.001000: sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0 [1] dNh1. 1.005980: reschedule_entry: vector=253
        <idle>-0 [1] dNh1. 1.005982: reschedule_exit: vector=253
        {}
        b-9      [1] d.h.. 1.006100: irq_handler_entry: irq=2 name=x
        b-9      [1] d.h2. 1.006102: sched_waking: comm=w pid=7 prio=120 target_cpu=001
        b-9      [1] d.h3. 1.006104: sched_wakeup: comm=w pid=7 prio=120 target_cpu=001
        b-9      [1] d.h.. 1.006106: irq_handler_exit: irq=2 ret=handled
        b-9      [1] d.h.. 1.008005: local_timer_entry: vector=236
        b-9      [1] d.h.. 1.008007: hrtimer_expire_entry: {tick} now=8007000
        b-9      [1] dNh.. 1.008012: local_timer_exit: vector=236
        b-9      [1] d..2. 1.008020: sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
        ",
        exit.replace("TICK", tick)
    );
    (headlines(&text, "wakeup"), headlines(&text, "timer"))
}

#[test]
fn a_tick_that_an_idle_cpu_may_have_moved_unseen_is_not_late() {
    let (wakeup, timer) = after_an_idle_tick(true);
    assert!(wakeup.contains("behind b-9 (nice 0) for 1.8"), "{wakeup}");
    assert!(timer.contains("tick_nohz_handler on CPU 1 ran 7"), "{timer}");
    let (wakeup, timer) = after_an_idle_tick(false);
    assert!(wakeup.contains("behind b-9 (nice 0) for 1.8"), "{wakeup}");
    assert_eq!(timer, "", "it was started for another time");
}

/// A task starts a timer 13 ms late after it had its CPU, whose tick came 10 ms late meanwhile; its timers before were due
/// long before it started them, or not.
fn runs_in_silence(due_before_us: u32) -> String {
    let (own, tick) = ("hrtimer=00000000000000aa", "hrtimer=00000000000000bb");
    let cycle = |at_us: u32| {
        let due_us = at_us - due_before_us;
        format!(
            "
            s-7 [0] d..1. 1.{at_us:06}: hrtimer_start: {own} function=hrtimer_wakeup expires={due_us}000 softexpires={due_us}000
            s-7 [0] d.h1. 1.{:06}: local_timer_entry: vector=236
            s-7 [0] d.h1. 1.{:06}: hrtimer_expire_entry: {own} function=hrtimer_wakeup now={}000
            s-7 [0] d.h1. 1.{:06}: local_timer_exit: vector=236
            ",
            at_us + 4,
            at_us + 5,
            at_us + 5,
            at_us + 8,
        )
    };
    let cycles: String = (0..8).map(|idx| cycle(40_000 + idx * 100)).collect();
    headlines(
        &format!(
            "
            s-7 [0] d..2. 1.030000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19
            {cycles}
            s-7 [0] d.h1. 1.041000: hrtimer_start: {tick} function=tick_nohz_handler expires=44000000 softexpires=44000000
            s-7 [0] d.h.. 1.054000: local_timer_entry: vector=236
            s-7 [0] d.h.. 1.054001: hrtimer_expire_entry: {tick} function=tick_nohz_handler now=54001000
            s-7 [0] d.h.. 1.054010: local_timer_exit: vector=236
            s-7 [0] d..1. 1.055000: hrtimer_start: {own} function=hrtimer_wakeup expires=42000000 softexpires=42000000
            s-7 [0] d..2. 1.055002: sched_switch: prev_comm=s prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.055006: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.055008: hrtimer_expire_entry: {own} function=hrtimer_wakeup now=55008000
            <idle>-0 [0] d.h2. 1.055010: sched_waking: comm=s pid=7 prio=19 target_cpu=000
            <idle>-0 [0] dNh1. 1.055012: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 1.055014: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=19
            "
        ),
        "timer",
    )
}

#[test]
fn timers_that_are_started_late_do_not_make_late_ticks_usual() {
    for due_before_us in [0, 20_000] {
        let told = runs_in_silence(due_before_us);
        assert!(
            told.contains("interrupts were off in s-7 (rt 80) for 10.000 ms, or CPU 0 stood still"),
            "{told}"
        );
    }
}

#[test]
fn of_timers_that_one_interrupt_calls_each_has_its_own_story() {
    let [mine, other] = ["aa", "bb"].map(|at| format!("hrtimer=00000000000000{at} function=hrtimer_wakeup"));
    let said = headlines(
        &format!(
            "
            a-7      [0] d..1. 1.000100: hrtimer_start: {mine} expires=2000000 softexpires=2000000
            a-7      [0] d..2. 1.000110: sched_switch: prev_comm=a prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=b next_pid=8 next_prio=29
            b-8      [0] d..1. 1.002500: hrtimer_start: {other} expires=1000000 softexpires=1000000
            b-8      [0] d..2. 1.002510: sched_switch: prev_comm=b prev_pid=8 prev_prio=29 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.003000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.003002: hrtimer_expire_entry: {other} now=3000000
            <idle>-0 [0] d.h1. 1.003006: hrtimer_expire_exit: hrtimer=00000000000000bb
            <idle>-0 [0] d.h1. 1.003008: hrtimer_expire_entry: {mine} now=3000000
            <idle>-0 [0] d.h1. 1.003012: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [0] d.h1. 1.003020: local_timer_exit: vector=236
            "
        ),
        "timer",
    );
    expect![[r#"
        hrtimer_wakeup on CPU 0 ran 2.000 ms late: b-8 (rt 70) started the timer 1.498 ms after the expiry, after running for 2.390 ms
        hrtimer_wakeup on CPU 0 ran 1.000 ms late: interrupts were off in b-8 for 508 µs, or CPU 0 stood still, and idle CPU 0 took 490 µs to notice
    "#]].assert_eq(&said);
}

/// The clock of the trace counts two ticks a nanosecond, that of timers nanoseconds.
#[test]
fn a_sleep_is_over_when_its_timer_is_due_whatever_the_clock_of_the_trace_counts() {
    let [mine, other] = ["aa", "bb"].map(|at| format!("hrtimer=00000000000000{at} function=hrtimer_wakeup"));
    let text = format!(
        "# tracer: nop
            s-7      [0] ..... 2000000: sys_enter: NR 230 (1, 2, 3, 4, 5, 6)
            s-7      [0] d..1. 2010000: hrtimer_start: {mine} expires=11005000 softexpires=11005000
            s-7      [0] d..2. 2020000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 3000000: hrtimer_expire_entry: {other} now=1500000
            <idle>-0 [0] d.h1. 3001000: hrtimer_expire_exit: hrtimer=00000000000000bb
            <idle>-0 [0] d.h1. 26010000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 26011000: hrtimer_expire_entry: {mine} now=13005500
            <idle>-0 [0] d.h2. 26012000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            <idle>-0 [0] dNh1. 26013000: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [0] dNh1. 26014000: local_timer_exit: vector=236
            <idle>-0 [0] d..2. 26040000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7      [0] ..... 26050000: sys_exit: NR 230 = 0
        "
    );
    let mut said = Vec::new();
    explain_bytes(
        text.as_bytes(),
        |kind| kind == "syscall",
        |_, explanation, _| {
            said.extend(explanation.why.iter().map(|link| link.duration_ns()));
        },
    );
    // It slept for 9.995 ms, and its interrupt came 2.000 ms late.
    assert_eq!(said, [20_000, 19_990_000, 4_000_000, 4_000, 26_000, 10_000]);
}

/// A timer that is due right after an interrupt has ended on an idle CPU, so long before that it comes.
#[test]
fn a_cpu_at_the_end_of_an_interrupt_is_not_back_in_its_idle_state() {
    let told = |exit_us: u32| {
        headlines(
            &format!(
                "
                sh-7     [0] d..2. 0.999000: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
                <idle>-0 [0] d.h1. 1.000001: local_timer_entry: vector=236
                <idle>-0 [0] d.h1. 1.000007: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires=2000300 softexpires=2000300
                <idle>-0 [0] d.h1. 1.{exit_us:06}: local_timer_exit: vector=236
                <idle>-0 [0] d.h1. 1.002004: local_timer_entry: vector=236
                <idle>-0 [0] d.h1. 1.002005: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=2005000
                <idle>-0 [0] d.h1. 1.002020: local_timer_exit: vector=236
                "
            ),
            "timer",
        )
    };
    let (at_end, before) = (told(2_000), told(1_000));
    assert!(at_end.contains("its interrupt came 3.7 µs late"), "{at_end}");
    assert!(before.contains("CPU 0 was idle and took 3.7 µs to notice"), "{before}");
}

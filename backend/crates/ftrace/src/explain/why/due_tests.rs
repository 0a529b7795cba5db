//! Timers that are due while something else explains the time, too: the CPU may have stood still then.

use std::fmt::Write;

use crate::testing::explain::headlines;

const GUEST: &str = "
    k-8      [1] d.h1. 0.990000: irq_handler_entry: irq=25 name=virtio0-requests
    k-8      [1] d.h1. 0.990005: irq_handler_exit: irq=25 ret=handled
";
const TICK: &str = "hrtimer=00000000000000aa function=tick_nohz_handler";

/// What happens on CPU 1 between the start of its tick and the interrupt, which is due after 2 ms and comes after 5.
fn late_tick(meanwhile: &str) -> String {
    format!(
        "
        k-8 [1] d.h1. 1.000020: hrtimer_start: {TICK} expires=2000000 softexpires=2000000
        {meanwhile}
        k-8 [1] d.h.. 1.005000: local_timer_entry: vector=236
        k-8 [1] d.h.. 1.005001: hrtimer_expire_entry: {TICK} now=5001000
        k-8 [1] d.h.. 1.005020: local_timer_exit: vector=236
        "
    )
}

/// A fair task wants the CPU of a real-time one, whose tick is late, after so many events.
fn behind_higher(machine: &str, events: u32) -> String {
    let mut meanwhile = String::new();
    for at in 0..events {
        writeln!(meanwhile, "k-8 [1] d.... 1.{:06}: softirq_raise: vec=9 [action=RCU]", 30 + at * 3).unwrap();
    }
    meanwhile += "sh-5 [0] d..2. 1.001000: sched_waking: comm=w pid=7 prio=120 target_cpu=001";
    headlines(
        &format!(
            "
            {machine}
            w-7 [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=49
            {}
            k-8 [1] d..2. 1.005100: sched_switch: prev_comm=k prev_pid=8 prev_prio=49 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
            ",
            late_tick(&meanwhile)
        ),
        "wakeup",
    )
}

#[test]
fn a_cpu_of_a_guest_may_stand_still_whoever_has_it() {
    let guest = behind_higher(GUEST, 0);
    assert!(
        guest.contains(
            "behind k-8 (rt 50) for 4.080 ms, for 3.000 ms of which interrupts were off or CPU 1 stood still"
        ),
        "{guest}"
    );
    let other = behind_higher("", 0);
    assert!(other.contains("behind k-8 (rt 50) for 4.0"), "{other}");
}

#[test]
fn a_timer_is_due_however_much_happened_since_its_start() {
    for events in [10, 60, 300] {
        let told = behind_higher(GUEST, events);
        assert!(told.contains("for 3.000 ms of which interrupts were off or CPU 1"), "{events}: {told}");
    }
}

/// Preemption is off for 5 ms, and a tick is late by 3 of them.
#[test]
fn preemption_that_is_off_keeps_no_interrupt_away() {
    let told = headlines(
        &format!(
            "
            k-8 [1] d..1. 1.000001: irq_disable: caller=a+0x1 parent=b+0x1
            k-8 [1] d..1. 1.000002: irq_enable: caller=a+0x2 parent=b+0x1
            k-8 [1] ...1. 1.000010: preempt_disable: caller=lru_add+0x1 parent=lru_add+0x1
            {}
            k-8 [1] ...1. 1.005100: preempt_enable: caller=lru_add+0x2 parent=lru_add+0x1
            <idle>-0 [0] d..2. 1.005200: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            ",
            late_tick("")
        ),
        "preemptoff",
    );
    assert!(told.ends_with("(k-8): CPU 1 stood still for 3.000 ms\n"), "{told}");
}

/// A timer is due at 2 ms and comes at 5, and another interrupt is over after 4.
#[test]
fn whoever_takes_another_interrupt_does_not_have_them_off() {
    let told = |exit_us: u32| {
        let other = format!(
            "k-8 [1] d.h.. 1.003900: call_function_single_entry: vector=251\n\
             k-8 [1] d.h.. 1.{exit_us:06}: call_function_single_exit: vector=251"
        );
        let runs = "k-8 [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=120";
        headlines(&format!("{runs}\n{}", late_tick(&other)), "timer")
    };
    let between = told(4_000);
    assert!(between.contains("its interrupt did not come for 1.900 ms"), "{between}");
    // It was pending all along, and came right then.
    let pending = told(4_990);
    assert!(!pending.contains("did not come"), "{pending}");
}

/// A busy CPU whose ticks come every 4 ms, but for one that is due after 4 ms and comes after `late_us` more.
fn without_starts(late_us: u32) -> String {
    let mut text = String::new();
    let ticks = (0..8).map(|at| at * 4_000).chain([32_000 + late_us]);
    for at_us in ticks {
        let (at, now) = (format!("1.{:06}", at_us + 1_000), at_us * 1_000);
        let handler = format!("hrtimer=00000000000000aa function=tick_nohz_handler now={now}");
        writeln!(text, "k-8 [1] d.h1. {at}: hrtimer_expire_entry: {handler}").unwrap();
        writeln!(text, "k-8 [1] d.h1. {at}: hrtimer_expire_exit: hrtimer=00000000000000aa").unwrap();
    }
    headlines(
        &format!(
            "
            w-7 [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=49
            k-8 [1] d..2. 1.000020: sched_waking: comm=w pid=7 prio=120 target_cpu=001
            {text}
            k-8 [1] d..2. 1.060000: sched_switch: prev_comm=k prev_pid=8 prev_prio=49 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_tick_is_due_a_period_after_the_last_one_where_no_start_says_so() {
    let told = without_starts(20_000);
    assert!(told.contains("for 20.000 ms of which interrupts were off or CPU 1 stood still"), "{told}");
    let told = without_starts(0);
    assert!(told.ends_with("behind k-8 (rt 50) for 59.980 ms\n"), "{told}");
}

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

/// A task comes back from a system call 23 ms after its last event. The tick was due after 4 ms, and comes at this time.
fn back_late(tick_us: u32) -> String {
    let (entry_us, exit_us) = (tick_us + 1, tick_us + 5);
    let tick = format!(
        "
        s-7 [0] d.h1. 1.{tick_us:06}: local_timer_entry: vector=236
        s-7 [0] d.h1. 1.{entry_us:06}: hrtimer_expire_entry: {TICK} now=1{entry_us:06}000
        s-7 [0] d.h1. 1.{exit_us:06}: local_timer_exit: vector=236
        "
    );
    let [before, behind] = if tick_us < 23_000 { [tick.as_str(), ""] } else { ["", tick.as_str()] };
    headlines(
        &format!(
            "
            {GUEST}
            s-7 [0] d.h1. 1.000000: local_timer_entry: vector=236
            s-7 [0] d.h1. 1.000003: hrtimer_start: {TICK} expires=1004000000 softexpires=1004000000
            s-7 [0] d.h1. 1.000006: local_timer_exit: vector=236
            s-7 [0] ..... 1.000100: sys_enter: NR 230 (1, 2, 3, 4, 5, 6)
            s-7 [0] d..3. 1.000110: sched_stat_runtime: comm=s pid=7 runtime=59533 [ns]
            {before}
            s-7 [0] ..... 1.023000: sys_exit: NR 230 = 0
            s-7 [0] ..... 1.023100: sys_enter: NR 231 (1, 2, 3, 4, 5, 6)
            {behind}
            "
        ),
        "syscall",
    )
}

#[test]
fn a_silence_is_one_though_its_timer_comes_later_still() {
    for tick_us in [24_000, 25_000] {
        let told = back_late(tick_us);
        assert!(told.contains("CPU 0 stood still for 19.0"), "{told}");
    }
    let told = back_late(4_001);
    assert!(!told.contains("stood still"), "{told}");
}

/// A task has its CPU while another one waits; its tick starts itself again at these times, for those after the period of
/// each, and neither its expiry nor its interrupt is recorded.
fn started_again(ticks_ms: &[u32]) -> String {
    let mut text = format!(
        "
        {GUEST}
        w-7 [0] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
        sh-5 [1] d..2. 1.000020: sched_waking: comm=w pid=7 prio=120 target_cpu=000
        "
    );
    for at_ms in ticks_ms {
        let next_ms = 1_000 + at_ms / 4 * 4 + 4;
        let tick = format!("hrtimer_start: {TICK} expires={next_ms}000000 softexpires={next_ms}000000");
        writeln!(text, "k-8 [0] d.h1. 1.{at_ms:03}020: {tick}").unwrap();
    }
    text += "k-8 [0] d..2. 1.050000: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120";
    headlines(&text, "wakeup")
}

#[test]
fn a_tick_that_leaves_others_out_as_it_starts_itself_again_is_late() {
    let told = started_again(&[0, 4, 8, 12, 16, 20, 24, 46, 48]);
    assert!(told.contains("for 18.000 ms of which interrupts were off or CPU 0 stood still"), "{told}");
    let told = started_again(&[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48]);
    assert!(!told.contains("stood still"), "{told}");
}

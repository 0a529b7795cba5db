//! Ticks that are due in softirqs, on the way out of interrupts and long after the case, and do not come.

use crate::testing::explain::headlines;

const GUEST: &str = "
    k-8      [1] d.h1. 0.990000: irq_handler_entry: irq=25 name=virtio0-requests
    k-8      [1] d.h1. 0.990005: irq_handler_exit: irq=25 ret=handled
";
const TICK: &str = "hrtimer=00000000000000aa function=tick_nohz_handler";

/// A tasklet begins at 1 ms and ends at 5; a tick is due after 2, and comes after `tick_us`.
fn tasklet(tick_us: u32) -> String {
    headlines(
        &format!(
            "
            {GUEST}
            k-8 [1] d.h1. 1.000020: hrtimer_start: {TICK} expires=2000000 softexpires=2000000
            k-8 [1] ..s1. 1.001000: softirq_entry: vec=6 [action=TASKLET]
            k-8 [1] d.H1. 1.{tick_us:06}: hrtimer_expire_entry: {TICK} now={tick_us}000
            k-8 [1] ..s1. 1.005000: softirq_exit: vec=6 [action=TASKLET]
            "
        ),
        "softirq",
    )
}

#[test]
fn a_tasklet_that_no_interrupt_comes_into_has_them_off_or_its_cpu_stands_still() {
    let told = tasklet(4_900);
    assert!(
        told.contains("interrupts were off in softirq TASKLET for 2.900 ms, or CPU 1 stood still"),
        "{told}"
    );
    // What was but a part of it does not say why all of it took so long.
    assert!(!tasklet(2_600).contains("were off"), "{}", tasklet(2_600));
}

/// A fair task loses its CPU to another one for 4 ms; a tick is due after 1.5 of them, and comes long after the case.
#[test]
fn a_tick_that_comes_long_after_the_case_was_due_in_it() {
    let told = headlines(
        &format!(
            "
            {GUEST}
            w-7 [1] d.h1. 1.000010: hrtimer_start: {TICK} expires=2500000 softexpires=2500000
            w-7 [1] d..2. 1.001000: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=k next_pid=8 next_prio=120
            sh-5 [0] d..2. 1.004990: sched_migrate_task: comm=w pid=7 prio=120 orig_cpu=1 dest_cpu=0
            sh-5 [0] d..2. 1.005000: sched_switch: prev_comm=sh prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
            k-8 [1] dNh.. 1.020000: hrtimer_expire_entry: {TICK} now=20000000
            "
        ),
        "preempted",
    );
    let silence = "for 2.490 ms of which interrupts were off or CPU 1 stood still";
    assert!(told.contains(&format!("behind k-8 (nice 0) for 3.990 ms, {silence}")), "{told}");
}

/// An interrupt of which no exit is recorded leaves softirqs to a thread, which it wakes after so long.
fn handed(woken_us: u32, raises: &str) -> String {
    let often: String = (0..8)
        .map(|at| {
            format!(
                "
                k-8 [1] d.h1. 0.9{at}0000: softirq_raise: vec=9 [action=RCU]
                k-8 [1] d..2. 0.9{at}0009: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001
                k-8 [1] ..s1. 0.9{at}0020: softirq_entry: vec=9 [action=RCU]
                k-8 [1] ..s1. 0.9{at}0030: softirq_exit: vec=9 [action=RCU]
                "
            )
        })
        .collect();
    headlines(
        &format!(
            "
            {often}
            w-7 [1] d..2. 1.000000: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
            k-8 [1] d.h1. 1.000100: softirq_raise: vec=9 [action=RCU]
            {raises}
            k-8 [1] d..2. 1.{woken_us:06}: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001
            k-8 [1] dN.3. 1.006005: sched_wakeup: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001
            k-8 [1] d..2. 1.006020: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=ksoftirqd/1 next_pid=22 next_prio=120
            ksoftirqd/1-22 [1] ..s1. 1.006030: softirq_entry: vec=9 [action=RCU]
            ksoftirqd/1-22 [1] ..s1. 1.006040: softirq_exit: vec=9 [action=RCU]
            "
        ),
        "softirq_raise",
    )
}

#[test]
fn an_interrupt_goes_straight_to_the_thread_that_it_leaves_softirqs_to() {
    let told = handed(6_000, "");
    assert!(told.contains("CPU 1 stood still for 5.900 ms (normally 9.0 µs)"), "{told}");
    // A task that raised one itself took its time before.
    let own = handed(6_000, "k-8 [1] d..1. 1.005990: softirq_raise: vec=1 [action=TIMER]");
    assert!(!own.contains("stood still"), "{own}");
}

/// On PREEMPT_RT, `ksoftirqd` has waited for other softirqs when that of a timer is raised, and `ktimers` is woken for it later.
#[test]
fn softirqs_of_timers_are_handed_to_their_own_thread() {
    let said = headlines(
        "
        b-5         [1] d..2. 1.000000: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001
        b-5         [1] d.h1. 1.001000: softirq_raise: vec=8 [action=HRTIMER]
        b-5         [1] d..2. 1.003000: sched_waking: comm=ktimers/1 pid=21 prio=98 target_cpu=001
        b-5         [1] d..2. 1.003010: sched_switch: prev_comm=b prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=ktimers/1 next_pid=21 next_prio=98
        ktimers/1-21 [1] ..s.2 1.003015: softirq_entry: vec=8 [action=HRTIMER]
        ktimers/1-21 [1] ..s.2 1.003020: softirq_exit: vec=8 [action=HRTIMER]
        ",
        "softirq_raise",
    );
    assert!(said.contains("it was handed to ktimers/1-21 (rt 1)"), "{said}");
}

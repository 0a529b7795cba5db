//! What a raised softirq waits for, on the few lines that prove it.

use expect_test::expect;

use crate::testing::explain::headlines;

/// A softirq that is raised while tasks run, and how it ends.
fn raised(woken: &str, last: &str) -> String {
    headlines(
        &format!(
            "
            a-7 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
            {woken}
            a-7 [1] dN.1. 1.000100: softirq_raise: vec=9 [action=RCU]
            a-7 [1] d..2. 1.000700: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=a next_pid=8 next_prio=120
            {last}
            a-8 [1] ..s1. 1.001500: softirq_entry: vec=9 [action=RCU]
            a-8 [1] ..s1. 1.001520: softirq_exit: vec=9 [action=RCU]
            a-8 [1] d..2. 1.001700: sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=ksoftirqd/1 next_pid=22 next_prio=120
            "
        ),
        "softirq_raise",
    )
}

const WOKEN: &str = "a-7 [1] dN.3. 1.000050: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001";
const INTERRUPT: &str = "a-8 [1] d.h1. 1.001480: local_timer_entry: vector=236
            a-8 [1] d.h1. 1.001490: local_timer_exit: vector=236";

#[test]
fn a_softirq_that_is_left_waits_as_its_thread_does() {
    expect![[r#"
        Softirq RCU on CPU 1 ran 1.400 ms after it was raised: it was left for 1.400 ms to ksoftirqd/1-22, which waited 1.390 ms behind 2 a tasks
    "#]]
    .assert_eq(&raised(WOKEN, INTERRUPT));
    let elsewhere = WOKEN.replace("ksoftirqd/1 pid=22", "ksoftirqd/0 pid=15");
    expect![[r#"
        Softirq RCU on CPU 1 ran 1.400 ms after it was raised: no softirq ran on CPU 1 for 1.400 ms
    "#]]
    .assert_eq(&raised(&elsewhere, ""));
    expect![[r#"
        Softirq RCU on CPU 1 ran 1.400 ms after it was raised: no softirq ran on CPU 1 for 1.380 ms, until the exit of an interrupt ran it
    "#]]
    .assert_eq(&raised("", INTERRUPT));
}

/// RCU is raised by a softirq on a CPU that is to switch or not, as its thread was woken before these events.
fn raised_by_a_softirq(flags: &str) -> String {
    headlines(
        &format!(
            "
            b-9 [1] ..s1. 1.000000: softirq_entry: vec=9 [action=RCU]
            b-9 [1] {flags}1. 1.000005: softirq_raise: vec=9 [action=RCU]
            b-9 [1] {flags}1. 1.000010: softirq_exit: vec=9 [action=RCU]
            b-9 [1] d..2. 1.000700: sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=a next_pid=8 next_prio=120
            {INTERRUPT}
            a-8 [1] ..s1. 1.001500: softirq_entry: vec=9 [action=RCU]
            a-8 [1] ..s1. 1.001520: softirq_exit: vec=9 [action=RCU]
            a-8 [1] d..2. 1.001700: sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=ksoftirqd/1 next_pid=22 next_prio=120
            "
        ),
        "softirq_raise",
    )
}

#[test]
fn what_a_cpu_that_is_to_switch_leaves_waits_for_its_thread() {
    let said = |flags: &str| raised_by_a_softirq(flags).lines().next().map(str::to_owned).unwrap();
    assert!(said(".Ns").contains("it was left for 1.490 ms to ksoftirqd/1-22"), "{}", said(".Ns"));
    assert!(!said("..s").contains("ksoftirqd"), "{}", said("..s"));
}

/// RCU waits for TIMER, which is running as it is raised, or begins later.
fn after_another_one(raise_us: u32) -> String {
    headlines(
        &format!(
            "
            <idle>-0 [0] d.h1. 1.000000: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.000002: softirq_raise: vec={} [action=RCU]
            <idle>-0 [0] d.h1. 1.000010: local_timer_exit: vector=236
            <idle>-0 [0] ..s1. 1.000011: softirq_entry: vec=1 [action=TIMER]
            <idle>-0 [0] d.s1. 1.{raise_us:06}: softirq_raise: vec={} [action=RCU]
            <idle>-0 [0] ..s1. 1.000060: softirq_exit: vec=1 [action=TIMER]
            <idle>-0 [0] ..s1. 1.000075: softirq_entry: vec=9 [action=RCU]
            <idle>-0 [0] ..s1. 1.000090: softirq_exit: vec=9 [action=RCU]
            ",
            if raise_us > 11 { 8 } else { 9 },
            if raise_us > 11 { 9 } else { 8 },
        ),
        "softirq_raise",
    )
}

#[test]
fn the_step_after_a_whole_softirq_is_none_of_it() {
    let whole = after_another_one(11);
    assert!(whole.contains("ran 73 µs after it was raised: softirq TIMER ran for 49 µs"), "{whole}");
    let rest = after_another_one(30);
    assert!(rest.contains("ran 45 µs after it was raised: softirq TIMER ran for 45 µs"), "{rest}");
}

#[test]
fn the_way_from_an_interrupt_to_a_softirq_is_nobodys_fault() {
    let said = headlines(
        "
        b-8 [1] d..2. 0.999000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=a next_pid=7 next_prio=120
        a-7 [1] d.h1. 1.000000: irq_handler_entry: irq=18 name=pipe
        a-7 [1] d.h1. 1.000001: softirq_raise: vec=6 [action=TASKLET]
        a-7 [1] d.h1. 1.000002: irq_handler_exit: irq=18 ret=handled
        a-7 [1] ..s1. 1.000007: softirq_entry: vec=6 [action=TASKLET]
        a-7 [1] ..s1. 1.000009: softirq_exit: vec=6 [action=TASKLET]
        ",
        "softirq_raise",
    );
    assert!(said.ends_with("ran 6.0 µs after it was raised: the way to it took 5.0 µs\n"), "{said}");
}

#[test]
fn where_no_switches_are_recorded_a_softirq_is_not_known_to_be_switched_off() {
    let said = headlines(
        "
        a-7      [1] 1.000000: softirq_raise: vec=9 [action=RCU]
        a-7      [1] 1.000600: print: x
        a-7      [1] 1.001200: print: x
        rcuc/1-9 [1] 1.001220: softirq_entry: vec=9 [action=RCU]
        rcuc/1-9 [1] 1.001230: softirq_exit: vec=9 [action=RCU]
        ",
        "softirq_raise",
    );
    assert!(said.contains("no softirq ran on CPU 1 for 1.200 ms"), "{said}");
}

/// An idle CPU raises a softirq, without flags, and an interrupt comes before that runs.
#[test]
fn an_interrupt_before_the_softirq_comes_into_the_one_that_raised_it() {
    let said = headlines(
        "
        <idle>-0 [1] 1.000000: softirq_raise: vec=7 [action=SCHED]
        <idle>-0 [1] 1.000643: irq_handler_entry: irq=4 name=ttyS0
        <idle>-0 [1] 1.000648: irq_handler_exit: irq=4 ret=handled
        <idle>-0 [1] 1.000653: softirq_entry: vec=7 [action=SCHED]
        <idle>-0 [1] 1.000660: softirq_exit: vec=7 [action=SCHED]
        ",
        "softirq_raise",
    );
    assert!(said.contains("the interrupt that raised it ran on for up to 643 µs"), "{said}");
}

/// The interrupt that raises a softirq is known by flags alone, and another one comes into the softirqs long after it.
#[test]
fn a_task_in_which_only_interrupts_show_themselves_has_no_softirqs_off() {
    let said = headlines(
        "
        t-5 [0] d.h1. 1.000000: softirq_raise: vec=1 [action=TIMER]
        t-5 [0] d.h1. 1.000028: print: x
        t-5 [0] d.H1. 1.001256: print: x
        t-5 [0] d.H1. 1.001300: print: x
        t-5 [0] ..s1. 1.001309: softirq_entry: vec=1 [action=TIMER]
        t-5 [0] ..s1. 1.001320: softirq_exit: vec=1 [action=TIMER]
        ",
        "softirq_raise",
    );
    assert!(said.contains("the interrupt that raised it ran on"), "{said}");
}

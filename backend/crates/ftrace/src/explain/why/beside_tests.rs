//! Causes that are named beside the largest one, each on the few lines that prove them.

use expect_test::expect;

use crate::testing::explain::headlines;

/// `s` is woken on CPU 0 and waits for it, with these lines in between; and the end of the wait.
fn waits(between: &str, last: &str, end_us: u32) -> String {
    headlines(
        &format!(
            "
            s-7 [0] d..2. 0.999000: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            b-8 [1] d..2. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            {between}
            {last} [0] d..2. 1.{end_us:06}: sched_switch: prev_comm=x prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=s next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

/// An idle CPU notices after so long, takes an interrupt for so long, and so long later switches to `x`, which has it until
/// the end.
fn late_for_three_things([idle_us, irq_us, way_us, end_us]: [u32; 4]) -> String {
    let between = format!(
        "
        <idle>-0 [0] dNh1. 1.{idle_us:06}: local_timer_entry: vector=236
        <idle>-0 [0] dNh1. 1.{:06}: local_timer_exit: vector=236
        <idle>-0 [0] d..2. 1.{:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=9 next_prio=120
        ",
        idle_us + irq_us,
        idle_us + irq_us + way_us
    );
    waits(&between, "x-9", end_us)
}

#[test]
fn causes_are_told_until_two_thirds_of_the_case_are() {
    for (lengths, causes) in [
        ([60, 20, 1, 90], "CPU 0 was idle and took 60 µs to notice"),
        ([50, 20, 1, 90], "CPU 0 was idle and took 50 µs to notice, and interrupt local_timer ran for 20 µs"),
        (
            [40, 30, 1, 100],
            "CPU 0 was idle and took 40 µs to notice, and interrupt local_timer ran for 30 µs",
        ),
        (
            [27, 26, 12, 100],
            "behind x-9 for 35 µs, idle CPU 0 took 27 µs to notice, and interrupt local_timer ran for 26 µs",
        ),
        // Less than a sixth is too little.
        ([55, 13, 3, 84], "CPU 0 was idle and took 55 µs to notice"),
    ] {
        let said = late_for_three_things(lengths);
        assert!(said.ends_with(&format!(": {causes}\n")), "{lengths:?}: {said}");
    }
}

/// A task waits for an idle CPU and then behind two others.
fn behind_two(sleeper: &str, comm: &str) -> String {
    headlines(
        &format!(
            "
            {sleeper}-7 [0] d..2. 0.999000: sched_switch: prev_comm={sleeper} prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            b-8 [1] d..2. 1.000000: sched_waking: comm={sleeper} pid=7 prio=120 target_cpu=000
            <idle>-0 [0] d..2. 1.000051: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={comm} next_pid=9 next_prio=120
            {comm}-9 [0] d..2. 1.000075: sched_switch: prev_comm={comm} prev_pid=9 prev_prio=120 prev_state=S ==> next_comm={comm} next_pid=10 next_prio=120
            {comm}-10 [0] d..2. 1.000097: sched_switch: prev_comm={comm} prev_pid=10 prev_prio=120 prev_state=S ==> next_comm={sleeper} next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

#[test]
fn several_tasks_are_never_told_as_one() {
    for (sleeper, comm, tasks) in
        [("s", "x", "2 x tasks"), ("s t u", "x", "x tasks"), ("s t", "x y", "2 tasks")]
    {
        let said = behind_two(sleeper, comm);
        let told =
            format!("CPU 0 was idle and took 51 µs to notice, and it waited behind {tasks} for 46 µs\n");
        assert!(said.ends_with(&told), "{said}");
    }
}

#[test]
fn interrupts_with_little_each_are_told_together() {
    let between: String = [("eth0", 24), ("usb0", 25), ("virtio0", 26)]
        .into_iter()
        .enumerate()
        .map(|(number, (name, irq))| {
            let (at, end) = (100 + number * 20, 118 + number * 20);
            format!("x-9 [0] d.h1. 1.{at:06}: irq_handler_entry: irq={irq} name={name}\nx-9 [0] dNh1. 1.{end:06}: irq_handler_exit: irq={irq} ret=handled\n")
        })
        .collect();
    let switch = "<idle>-0 [0] d..2. 1.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=9 next_prio=120";
    let said = waits(&format!("{switch}\n{between}"), "x-9", 168);
    assert!(said.contains(", and interrupts ran for 54 µs"), "{said}");
}

/// A sleep of 10 ms, late for two things.
#[test]
fn nobody_is_late_for_a_sleep_that_it_asked_for() {
    let said = headlines(
        "
        s-7      [0] ..... 1.000000: sys_enter: NR 230 (1, 0, 0, 0, 0, 0)
        s-7      [0] d..1. 1.000004: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=10050000 softexpires=10000000
        s-7      [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
        b-8      [0] d.h1. 1.010045: local_timer_entry: vector=236
        b-8      [0] d.h1. 1.010047: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10043000
        b-8      [0] d.h2. 1.010049: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        b-8      [0] dNh1. 1.010053: local_timer_exit: vector=236
        b-8      [0] d..2. 1.040060: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        s-7      [0] ..... 1.055065: sys_exit: NR 230 = 0
        ",
        "syscall",
    );
    assert!(
        said.ends_with(
            "b-8 (nice 0) could not be preempted for 30.007 ms, and the task itself ran for 15.015 ms\n"
        ),
        "{said}"
    );
}

#[test]
fn a_second_cause_is_worth_more_than_how_long_a_stall_was_in_all() {
    let usual: String = (1..9)
        .map(|at| format!("b-8 [1] d.h1. 0.{at:03}000: local_timer_entry: vector=236\nb-8 [1] d.h1. 0.{at:03}003: local_timer_exit: vector=236\n"))
        .collect();
    let told = headlines(
        &format!(
            "
            {usual}
            x-9 [1] d.h1. 1.000000: local_timer_entry: vector=236
            w-7 [0] d..2. 1.000980: sched_waking: comm=rcu_preempt pid=17 prio=120 target_cpu=001
            w-7 [0] d..2. 1.000982: sched_migrate_task: comm=rcu_preempt pid=17 prio=120 orig_cpu=0 dest_cpu=1
            x-9 [1] d.h1. 1.001010: local_timer_exit: vector=236
            x-9 [1] dNh1. 1.001012: sched_wakeup: comm=rcu_preempt pid=17 prio=120 target_cpu=001
            x-9 [1] d..2. 1.001034: sched_switch: prev_comm=x prev_pid=9 prev_prio=120 prev_state=R ==> next_comm=rcu_preempt next_pid=17 next_prio=120
            "
        ),
        "migration",
    );
    expect![[r#"
        rcu_preempt-17 waited 52 µs for CPU 1 after its migration: CPU 1 stood still for 28 µs, and x-9 could not be preempted for 24 µs
    "#]].assert_eq(&told);
}

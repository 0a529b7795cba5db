//! CPUs without work that a task waits for, and what they do on their way to it.

use super::{Dice, Mechanism, Planted, Trace, Who};

/// A CPU that goes idle, with its idle state.
fn goes_idle(trace: &mut Trace, last: &Who) -> Who {
    let (cpu, idle) = (trace.cpu, Who::idle(trace.cpu));
    trace.switch(20, cpu, last, "S", &idle);
    trace.at(22, &idle, cpu, "d..1.", &format!("cpu_idle: state=2 cpu_id={cpu}"));
    idle
}

/// An idle CPU that has noticed, and shows no event until another one takes the task from its queue. Without: it has not
/// noticed.
pub fn stall_until_taken(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let third = Who::new("third", 50, 120);
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let (from_us, to_us) = (start_us + 6, start_us + 6 + length_us);
    let idle = goes_idle(&mut trace, &waiter);
    let comm = format!("comm={} pid=9 prio=120", waiter.comm);
    trace.at(start_us, &waker, other, "d..2.", &format!("sched_waking: {comm} target_cpu={cpu:03}"));
    if is_planted {
        trace.at(from_us - 2, &idle, cpu, "d.h1.", "reschedule_entry: vector=253");
        trace.at(from_us - 1, &idle, cpu, "dNh2.", &format!("sched_wakeup: {comm} target_cpu={cpu:03}"));
        trace.at(from_us, &idle, cpu, "dNh1.", "reschedule_exit: vector=253");
    }
    let moved = format!("sched_migrate_task: {comm} orig_cpu={cpu} dest_cpu={other}");
    if dice.toss() {
        trace.switch(start_us + 10, other, &waker, "S", &third);
    } else {
        trace.at(start_us + 10, &third, other, ".....", "print: on");
    }
    trace.at(to_us, &third, other, "d..2.", &moved);
    trace.switch(to_us + 5, other, &third, "S", &waiter);
    if dice.toss() {
        trace.at(
            to_us + dice.roll(6, 400),
            &idle,
            cpu,
            "dN.1.",
            &format!("cpu_idle: state=4294967295 cpu_id={cpu}"),
        );
    }
    Planted::new(trace, "wakeup", Mechanism::Stall, (from_us, to_us)).by(format!("CPU {cpu}"))
}

/// An idle CPU that is about to run a task stands still, and is given another one meanwhile. Without: it has gone idle
/// again.
pub fn leaves_for_another(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let third = Who::new("third", 50, 120);
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    let idle = goes_idle(&mut trace, &waiter);
    trace.at(start_us - 6, &idle, cpu, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={cpu}"));
    if is_planted {
        trace.at(start_us - 3, &idle, cpu, "dN.2.", "hrtimer_cancel: hrtimer=00000000000000cc");
    } else {
        trace.at(start_us - 3, &idle, cpu, "d..1.", &format!("cpu_idle: state=2 cpu_id={cpu}"));
    }
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    trace.at(to_us, &idle, cpu, "dNh1.", "local_timer_entry: vector=236");
    trace.at(to_us + 3, &idle, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 6, cpu, &idle, "R", &third);
    trace.switch(to_us + 16, cpu, &third, "S", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Stall, (start_us, to_us)).by(format!("CPU {cpu}"))
}

/// Another CPU wakes the task of an idle one, which takes its time. Without: the idle CPU wakes it itself, in a softirq,
/// an interrupt or neither, and is awake for that.
pub fn woken_from_elsewhere(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    let idle = goes_idle(&mut trace, &waiter);
    let comm = format!("comm={} pid=9 prio=120 target_cpu={cpu:03}", waiter.comm);
    let [waking, wakeup] = dice.one_of(&[["d.s3.", "dNs4."], ["d.h3.", "dNh4."], ["d..3.", "dN.4."]]);
    if is_planted {
        trace.at(start_us, &waker, other, "d..2.", &format!("sched_waking: {comm}"));
        trace.at(to_us, &idle, cpu, "dNh2.", &format!("sched_wakeup: {comm}"));
    } else {
        trace.at(start_us, &idle, cpu, waking, &format!("sched_waking: {comm}"));
        trace.at(to_us, &idle, cpu, wakeup, &format!("sched_wakeup: {comm}"));
    }
    trace.at(to_us + 2, &idle, cpu, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={cpu}"));
    trace.switch(to_us + 5, cpu, &idle, "R", &waiter);
    Planted::new(trace, "wakeup", Mechanism::IdleExit, (start_us, to_us)).by(format!("CPU {cpu}"))
}

/// The idle loop has preemption off, and events tell of it. Without: the section is a task's.
pub fn idle_loop(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["cpu_idle"]);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    let holder = if is_planted {
        goes_idle(&mut trace, &waiter)
    } else {
        let hog = Who::new("hog", 33, 120);
        trace.switch(20, cpu, &waiter, "S", &hog);
        hog
    };
    let place = dice.one_of(&[
        "caller=do_idle+0x1/0x2 parent=cpu_startup_entry+0x1/0x2",
        "caller=a+0x1/0x2 parent=b+0x1/0x2",
    ]);
    trace.at(40, &holder, cpu, "...1.", &format!("preempt_disable: {place}"));
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    if is_planted {
        trace.at(to_us, &holder, cpu, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={cpu}"));
    }
    trace.at(to_us + 1, &holder, cpu, ".N.1.", &format!("preempt_enable: {place}"));
    trace.switch(to_us + 4, cpu, &holder, "R", &waiter);
    Planted::new(trace, "wakeup", Mechanism::IdleExit, (start_us, to_us)).by(format!("CPU {cpu}"))
}

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

/// An idle CPU that is about to run a task stands still, and is given another one in the meantime. Without: it has gone
/// idle again.
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

/// The idle loop has preemption off, and events show it. Without: the section is a task's.
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

/// Interrupts are not recorded: one that shows itself late may have run since the wakeup. Without: the CPU shows itself out
/// of interrupts, and only the switch is late.
pub fn unrecorded_interrupt(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, second) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 19));
    let (cpu, start_us) = (trace.cpu, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    let idle = goes_idle(&mut trace, &waiter);
    trace.wake(start_us, (&idle, cpu), (&waiter, cpu), ["d..3.", "dN.4."]);
    let [waking, wakeup] = if is_planted { ["dNh3.", "dNh4."] } else { ["dN.3.", "dN.4."] };
    trace.wake(to_us, (&idle, cpu), (&second, cpu), [waking, wakeup]);
    trace.switch(to_us + 4, cpu, &idle, "R", &second);
    trace.switch(to_us + 9, cpu, &second, "S", &waiter);
    Planted::new(trace, "wakeup", Mechanism::OtherInterrupt, (start_us, to_us)).by("an interrupt")
}

/// Neither idle states nor interrupts nor wakeups are recorded. A CPU without work that is not asked to switch, though it
/// woke a task itself, or that goes idle again, keeps that task from running. Without: it is asked to.
pub fn left_without_idle_states(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 60;
    let mut trace = Trace::new(dice, true);
    trace.never(&["cpu_idle", "sched_wakeup"]);
    let (waiter, third) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let (cpu, start_us) = (trace.cpu, dice.roll(1_000, 1_500));
    let (to_us, idle) = (start_us + length_us, goes_idle(&mut trace, &waiter));
    trace.wake(start_us, (&idle, cpu), (&waiter, cpu), ["d.h3.", "dNh4."]);
    let asked = if is_planted { "d.h3." } else { "dNh3." };
    let middle_us = start_us + 30 + length_us / 3;
    trace.wake(middle_us, (&idle, cpu), (&third, cpu), [asked, asked]);
    trace.switch(middle_us + 6, cpu, &idle, "R", &third);
    trace.switch(middle_us + 12, cpu, &third, "S", if is_planted { &idle } else { &waiter });
    if is_planted {
        trace.switch(to_us, cpu, &idle, "R", &waiter);
    }
    Planted::new(trace, "wakeup", Mechanism::Throttled, (start_us, to_us)).by(waiter.name())
}

/// An idle CPU that another one wakes a task on. Without: it notices at once.
pub fn slow_to_notice(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking", "cpu_idle"]);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let (idle, hog) = (Who::idle(cpu), Who::new("hog", 33, 9));
    let to_us = start_us + length_us;
    trace.switch(20, cpu, &waiter, "S", &idle);
    trace.at(22, &idle, cpu, "d..1.", &format!("cpu_idle: state=2 cpu_id={cpu}"));
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    let noticed_us = if is_planted { to_us } else { start_us + 3 };
    trace.at(noticed_us, &idle, cpu, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={cpu}"));
    let next = if is_planted { &waiter } else { &hog };
    trace.switch(noticed_us + 3, cpu, &idle, "R", next);
    if !is_planted {
        trace.switch(to_us + 3, cpu, &hog, "S", &waiter);
    }
    Planted::new(trace, "wakeup", Mechanism::IdleExit, (start_us, to_us)).by(format!("CPU {cpu}"))
}

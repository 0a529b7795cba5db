//! What a task goes through between two moments of its own.

use super::{Dice, Mechanism, Planted, Trace, Who, asleep};

/// A system call that sleeps until another task wakes its task. Without: it is preempted, and never sleeps.
pub fn waits_for(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 40;
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_wakeup"]);
    let (waiter, helper) = (Trace::any_user(dice, 9), Who::new("helper 2", 44, 120));
    let (cpu, start_us) = (trace.cpu, dice.roll(500, 900));
    let (from_us, to_us) = (start_us + 5, start_us + 5 + length_us);
    trace.switch(20, cpu, &Who::idle(cpu), "R", &waiter);
    trace.at(start_us, &waiter, cpu, ".....", "sys_enter: NR 0 (1, 1, 1, 1, 1, 1)");
    trace.switch(from_us, cpu, &waiter, if is_planted { "S" } else { "R" }, &helper);
    if is_planted {
        trace.wake(to_us, (&helper, cpu), (&waiter, cpu), ["d..2.", "dN.3."]);
    }
    trace.switch(to_us + 3, cpu, &helper, "S", &waiter);
    trace.at(to_us + 6, &waiter, cpu, ".....", "sys_exit: NR 0 = 1");
    Planted::new(trace, "syscall", Mechanism::WaitsFor, (from_us, to_us)).by(helper.name())
}

/// It sleeps for what it asked of a device or another task, until a timer of that wakes it. Without: the timer is its own.
pub fn device_timer(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 40;
    let mut trace = Trace::new(dice, false);
    let (waiter, cpu, start_us) = (Trace::any_user(dice, 9), trace.cpu, dice.roll(500, 900));
    let (from_us, expiry_us, idle) = (start_us + 9, start_us + 9 + length_us, Who::idle(cpu));
    let of_others = dice.one_of(&["null_cmd_timer_expired", "bfq_idle_slice_timer", "poll_device [mod]"]);
    let function = if is_planted { of_others } else { "hrtimer_wakeup" };
    trace.switch(20, cpu, &idle, "R", &waiter);
    trace.at(start_us, &waiter, cpu, ".....", "sys_enter: NR 17 (1, 1, 1, 1, 1, 1)");
    let timer = "hrtimer=00000000000000aa";
    let start = format!(
        "hrtimer_start: {timer} function={function} expires={expiry_us}000 softexpires={expiry_us}000 mode=REL"
    );
    trace.at(start_us + 3, &waiter, cpu, "d..1.", &start);
    trace.switch(from_us, cpu, &waiter, "D", &idle);
    trace.at(expiry_us + 1, &idle, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.expire(expiry_us + 2, &idle, "d.h1.", "00000000000000aa", function);
    trace.wake(expiry_us + 4, (&idle, cpu), (&waiter, cpu), ["d.h2.", "dNh3."]);
    trace.at(expiry_us + 6, &idle, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(expiry_us + 9, cpu, &idle, "R", &waiter);
    trace.at(expiry_us + 12, &waiter, cpu, ".....", "sys_exit: NR 17 = 1");
    Planted::new(trace, "syscall", Mechanism::WaitsFor, (from_us, expiry_us + 4)).by("local_timer")
}

/// A sleep in a call that lasts long after its time: what kept its timer waiting. Without: it was requested.
pub fn overslept(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, hog, cpu) = (Who::new("sleepy", 9, 19), Who::new("kworker/u8:3", 33, 120), trace.cpu);
    let (start_us, asked_us) = (dice.roll(500, 900), dice.roll(200, 400));
    let late_us = length_us + 60;
    let comes_us = start_us + 3 + asked_us + late_us;
    let expiry_us = if is_planted { start_us + 3 + asked_us } else { comes_us - 2 };
    trace.switch(20, cpu, &hog, "R", &waiter);
    trace.at(start_us, &waiter, cpu, ".....", "sys_enter: NR 230 (1, 1, 1, 1, 1, 1)");
    trace.arm(start_us + 3, &waiter, expiry_us);
    trace.switch(start_us + 9, cpu, &waiter, "S", &hog);
    trace.fire(comes_us, &hog, &waiter, 'N');
    trace.switch(comes_us + 11, cpu, &hog, "R+", &waiter);
    trace.at(comes_us + 14, &waiter, cpu, ".....", "sys_exit: NR 230 = 0");
    Planted::new(trace, "syscall", Mechanism::IrqsOff, (expiry_us, comes_us)).by(hog.name())
}

/// Without: another task has the CPU.
pub fn own_work(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 40;
    let mut trace = Trace::new(dice, false);
    let (worker, other) = (Trace::any_user(dice, 9), Who::new("other", 44, 120));
    let (cpu, from_us) = (trace.cpu, dice.roll(500, 900));
    let to_us = from_us + length_us;
    // Where no switch is recorded, the events after each other say it.
    if !is_planted || dice.toss() {
        trace.switch(20, cpu, &Who::idle(cpu), "R", &worker);
    }
    trace.at(from_us, &worker, cpu, ".....", "sys_enter: NR 0 (1, 1, 1, 1, 1, 1)");
    if !is_planted {
        trace.switch(from_us + 2, cpu, &worker, "R", &other);
        trace.switch(to_us - 2, cpu, &other, "S", &worker);
    }
    trace.at(to_us, &worker, cpu, ".....", "sys_exit: NR 0 = 1");
    Planted::new(trace, "syscall", Mechanism::OwnWork, (from_us, to_us)).by(worker.name())
}

/// From its switch to user space. Without: it returns at once.
pub fn kernel_exit(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    trace.at(90, &sleeper, trace.cpu, ".....", "sys_enter: NR 230 (1, 1, 1, 1, 1, 1)");
    trace.fire(expiry_us + 2, &runner, &sleeper, 'N');
    let (cpu, from_us) = (trace.cpu, expiry_us + 14);
    let to_us = from_us + length_us;
    trace.switch(from_us, cpu, &runner, "R+", &sleeper);
    let back_us = if is_planted { to_us } else { from_us + 3 };
    trace.at(back_us, &sleeper, cpu, ".....", "sys_exit: NR 230 = 0");
    Planted::new(trace, "cyclic", Mechanism::KernelExit, (from_us, to_us))
}

//! Tasks that seem to run while no tick comes.

use super::{Dice, Mechanism, Planted, Trace, Who};

const TICK_US: u64 = 4_000;

/// The tick's interrupt at a time, and the tick that it starts for the next multiple of its period.
fn tick(trace: &mut Trace, t_us: u64, who: &Who) {
    let (cpu, next_us) = (trace.cpu, (t_us / TICK_US + 1) * TICK_US);
    let timer = "hrtimer=00000000000000cc function=tick_nohz_handler";
    trace.at(t_us, who, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.expire(t_us + 1, who, "d.h1.", "00000000000000cc", "tick_nohz_handler");
    let start = format!("hrtimer_start: {timer} expires={next_us}000 softexpires={next_us}000 mode=ABS");
    trace.at(t_us + 3, who, cpu, "d.h1.", &start);
    trace.at(t_us + 5, who, cpu, "d.h1.", "local_timer_exit: vector=236");
}

/// Ticks up to a time, which come soon after they are due. Returns when the next one is due.
fn ticks(trace: &mut Trace, dice: &mut Dice, until_us: u64, who: &Who) -> u64 {
    let mut due_us = TICK_US;
    while due_us < until_us {
        tick(trace, due_us + dice.roll(1, 4), who);
        due_us += TICK_US;
    }
    due_us
}

/// A task takes long over a system call, of which its CPU takes no tick for several periods. Without: the ticks come.
pub fn own_work_in_silence(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (caller, cpu) = (Trace::any_user(dice, 9), trace.cpu);
    trace.switch(20, cpu, &Who::idle(cpu), "R", &caller);
    let due_us = ticks(&mut trace, dice, 39_000, &caller);
    let start_us = due_us - dice.roll(100, 900);
    trace.at(start_us, &caller, cpu, ".....", "sys_enter: NR 73 (1, 1, 1, 1, 1, 1)");
    let late_us = due_us + 3 * TICK_US + length_us;
    if !is_planted {
        ticks_between(&mut trace, due_us, late_us - 100, &caller);
    }
    tick(&mut trace, late_us, &caller);
    trace.at(late_us + 30, &caller, cpu, ".....", "sys_exit: NR 73 = 0");
    trace.switch(late_us + 60, cpu, &caller, "S", &Who::idle(cpu));
    Planted::new(trace, "syscall", Mechanism::IrqsOff, (due_us, late_us)).by(caller.name())
}

fn ticks_between(trace: &mut Trace, from_us: u64, until_us: u64, who: &Who) {
    let mut due_us = from_us;
    while due_us < until_us {
        tick(trace, due_us + 2, who);
        due_us += TICK_US;
    }
}

/// A fair task waits while another runs, and a tick comes late though interrupts are on. Without: they are off.
pub fn late_though_on(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, runner) = (Trace::any_user(dice, 9), Who::new("burn 1", 33, 120));
    let (cpu, other, waker) = (trace.cpu, trace.other, Who::new("bystander", 44, 120));
    trace.switch(20, cpu, &waiter, "S", &runner);
    let due_us = ticks(&mut trace, dice, 39_000, &runner);
    trace.wake(due_us - 4, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    let late_us = due_us + length_us + 100;
    let mut t_us = due_us + 1;
    while t_us < late_us - 4 {
        trace.at(t_us, &runner, cpu, if is_planted { "....." } else { "d...." }, "print: busy");
        t_us += dice.roll(3, 14);
    }
    tick(&mut trace, late_us, &runner);
    trace.switch(late_us + 10, cpu, &runner, "R+", &waiter);
    Planted::new(trace, "wakeup", Mechanism::FairShare, (due_us - 4, late_us)).by(runner.name())
}

/// A real-time task waits behind a more important one that runs long after its last system call, whose CPU takes none of
/// the ticks that are due. Without: the ticks come, or a kernel with `nohz_full` has stopped them.
pub fn behind_higher_in_silence(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    silent_hog(dice, length_us, is_planted, Mechanism::Stall)
}

/// The same where it is not known in which mode the other task runs.
pub fn behind_higher_of_unknown_mode(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    silent_hog(dice, length_us, is_planted, Mechanism::IrqsOff)
}

fn silent_hog(dice: &mut Dice, length_us: u64, is_planted: bool, mechanism: Mechanism) -> Planted {
    let mut trace = Trace::new(dice, true);
    let hog = Who::new(dice.one_of(&["hog", "Web Content"]), 33, dice.one_of(&[-1, 9, 18]));
    let (waiter, waker) = (Who::new("rt", 9, 19), Who::new("bystander", 44, 120));
    let (cpu, other) = (trace.cpu, trace.other);
    trace.switch(20, cpu, &waiter, "S", &hog);
    let due_us = ticks(&mut trace, dice, 39_000, &hog);
    let start_us = due_us - dice.roll(100, 900);
    if mechanism == Mechanism::Stall {
        trace.at(start_us - 45, &hog, cpu, ".....", "sys_enter: NR 39 (1, 1, 1, 1, 1, 1)");
        trace.at(start_us - 40, &hog, cpu, ".....", "sys_exit: NR 39 = 33");
    }
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    let late_us = due_us + 3 * TICK_US + length_us;
    match (is_planted, dice.roll(0, 1)) {
        (true, _) => tick(&mut trace, late_us, &hog),
        (false, 0) => {
            trace.at(start_us - 20, &hog, cpu, "d..2.", "hrtimer_cancel: hrtimer=00000000000000cc");
        }
        (false, _) => {
            ticks_between(&mut trace, due_us, late_us - 100, &hog);
            tick(&mut trace, late_us, &hog);
        }
    }
    trace.switch(late_us + 30, cpu, &hog, "S", &waiter);
    let subject = if mechanism == Mechanism::Stall { format!("CPU {cpu}") } else { hog.name() };
    Planted::new(trace, "wakeup", mechanism, (due_us, late_us)).by(subject)
}

/// A fair task waits behind another one whose CPU takes no tick for several periods, and is moved away before the next event of
/// that CPU. Without: the ticks come.
pub fn moved_out_of_silence(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, runner) = (Trace::any_user(dice, 9), Who::new("burn 1", 33, 120));
    let (cpu, other, waker) = (trace.cpu, trace.other, Who::new("bystander", 44, 120));
    trace.switch(20, cpu, &waiter, "S", &runner);
    let due_us = ticks(&mut trace, dice, 39_000, &runner);
    trace.wake(due_us - 4, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    let away_us = due_us + 3 * TICK_US + length_us;
    if !is_planted {
        ticks_between(&mut trace, due_us, away_us - 100, &runner);
    }
    let moved =
        format!("sched_migrate_task: comm={} pid=9 prio=120 orig_cpu={cpu} dest_cpu={other}", waiter.comm);
    trace.at(away_us, &waker, other, "d..2.", &moved);
    trace.switch(away_us + 20, other, &waker, "S", &waiter);
    tick(&mut trace, away_us + 900, &runner);
    Planted::new(trace, "wakeup", Mechanism::IrqsOff, (due_us, away_us)).by(runner.name())
}

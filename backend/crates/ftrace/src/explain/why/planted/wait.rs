//! Tasks that wait for a CPU, by what keeps it from them.

use super::{Dice, Mechanism, Planted, Trace, Who, asleep};

/// A timer wakes the sleeper while `runner` has the CPU; `flags` of the wakeup. From its exit on it waits.
fn woken_behind(trace: &mut Trace, dice: &mut Dice, runner: &Who, resched: char) -> (Who, u64) {
    let (sleeper, expiry_us) = asleep(trace, dice, runner);
    trace.fire(expiry_us + 2, runner, &sleeper, resched);
    (sleeper, expiry_us + 10)
}

fn behind(
    dice: &mut Dice,
    length_us: u64,
    (prio, resched, state): (i32, char, &str),
    mechanism: Mechanism,
) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking", "local_timer"]);
    let runner = Who::new(dice.one_of(&["hog", "hog 2", "Web Content"]), 33, prio);
    let (sleeper, from_us) = woken_behind(&mut trace, dice, &runner, resched);
    let (cpu, to_us) = (trace.cpu, from_us + length_us);
    trace.switch(to_us, cpu, &runner, state, &sleeper);
    Planted::new(trace, "wakeup", mechanism, (from_us, to_us)).by(runner.name())
}

/// Without: the number of the other is higher, and so it is the less important one.
pub fn higher_priority(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let prio = if is_planted { dice.one_of(&[-1, 0, 9, 18]) } else { dice.one_of(&[19, 20, 98, 120]) };
    behind(dice, length_us, (prio, '.', "S"), Mechanism::HigherPriority)
}

/// Without: it is more important, or less.
pub fn equal_priority(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let prio = if is_planted { 19 } else { dice.one_of(&[18, 20, 120]) };
    behind(dice, length_us, (prio, '.', "S"), Mechanism::EqualPriority)
}

/// Without: need-resched is set from the wakeup to the switch, and only one that cannot be preempted runs on.
pub fn fair_share(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    fair(dice, length_us, if is_planted { '.' } else { 'N' }, Mechanism::FairShare)
}

/// Without: the flag is never set.
pub fn need_resched(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    fair(dice, length_us, if is_planted { 'N' } else { '.' }, Mechanism::NotPreemptible)
}

/// Lazy preemption is the fair scheduler's choice. Without: the hard flag, or no choice.
pub fn lazy(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let resched = if is_planted { 'l' } else { dice.one_of(&['N', 'B']) };
    fair(dice, length_us, resched, Mechanism::FairShare)
}

fn fair(dice: &mut Dice, length_us: u64, resched: char, mechanism: Mechanism) -> Planted {
    let mut trace = Trace::new(dice, true);
    trace.may_miss(dice, &["sched_waking"]);
    let (waiter, runner) = (Trace::any_user(dice, 9), Who::new("burn 1", 33, dice.one_of(&[120, 100, 139])));
    let start_us = dice.roll(200, 900);
    trace.life(dice, start_us + length_us + 300);
    let cpu = trace.cpu;
    trace.switch(20, cpu, &waiter, "S", &runner);
    let flags = format!("d{resched}.2.");
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d..2.", &flags]);
    let to_us = start_us + length_us;
    trace.switch(to_us, cpu, &runner, "R+", &waiter);
    Planted::new(trace, "wakeup", mechanism, (start_us, to_us)).by(runner.name())
}

/// A less important task keeps running. Without: the flag is cleared by an event in between, so the scheduler looked.
pub fn less_important(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, !is_planted);
    trace.may_miss(dice, &["sched_waking"]);
    let runner = Who::new("burn", 33, dice.one_of(&[20, 98, 120]));
    let (sleeper, from_us) = woken_behind(&mut trace, dice, &runner, if is_planted { 'N' } else { '.' });
    let (cpu, to_us) = (trace.cpu, from_us + length_us + 100);
    if !is_planted {
        trace.at(from_us + 2, &runner, cpu, ".....", "print: the scheduler has looked");
    }
    trace.switch(to_us, cpu, &runner, "R+", &sleeper);
    Planted::new(trace, "wakeup", Mechanism::NotPreemptible, (from_us, to_us)).by(runner.name())
}

/// Ticks come every 4 ms. Without: they come while the task waits, too.
pub fn silence(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["hrtimer"]);
    let (waiter, runner) = (Trace::any_user(dice, 9), Who::new("kworker/u8:2", 33, 120));
    let waker = Who::new("bystander", 44, 120);
    let (cpu, other) = (trace.cpu, trace.other);
    trace.switch(20, cpu, &waiter, "S", &runner);
    let start_us = 31_000 + dice.roll(0, 900);
    let to_us = start_us + 12_500 + length_us * 5;
    let mut t_us = 3_000;
    while t_us < to_us {
        let is_silent = is_planted && start_us < t_us;
        if !is_silent {
            trace.at(t_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
            trace.expire(t_us + 1, &runner, "d.h1.", "00000000000000cc", "tick_nohz_handler");
            trace.at(t_us + 5, &runner, cpu, "d.h1.", "local_timer_exit: vector=236");
        }
        t_us += 4_000 + dice.roll(0, 4) - 2;
    }
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    let late_us = to_us - 30;
    trace.at(late_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.at(late_us + 5, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us, cpu, &runner, "R+", &waiter);
    Planted::new(trace, "wakeup", Mechanism::IrqsOff, (start_us, late_us)).by(runner.name())
}

/// Without: the other CPU was busy in between, the task is bound to its own, or it would have gone there if it might.
pub fn wrong_cpu(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 100;
    let without = if is_planted { 9 } else { dice.roll(0, 2) };
    let mut trace = Trace::new(dice, false);
    let (cpu, other) = (trace.cpu, trace.other);
    let bound = Who::new(&format!("kworker/{cpu}:1"), 9, 120);
    let (waiter, prio) = match without {
        1 => (bound, 120),
        2 => (Who::new("rt", 9, 49), dice.one_of(&[9, 49])),
        _ => (Trace::any_user(dice, 9), 120),
    };
    let (runner, third) = (Who::new("burn", 33, prio), Who::new("third", 50, 120));
    let start_us = dice.roll(1_000, 1_500);
    let to_us = start_us + length_us;
    trace.switch(10, other, &third, "S", &waiter);
    trace.switch(20, other, &waiter, "S", &Who::idle(other));
    trace.switch(15, cpu, &third, "S", &runner);
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d..2.", "d..3."]);
    if without == 0 {
        let middle_us = start_us + length_us / 2;
        trace.switch(middle_us, other, &Who::idle(other), "R", &third);
        trace.switch(middle_us + dice.roll(10, 40), other, &third, "S", &Who::idle(other));
    }
    trace.switch(to_us, cpu, &runner, "R+", &waiter);
    trace.switch(to_us + 50, other, &Who::idle(other), "R", &third);
    Planted::new(trace, "wakeup", Mechanism::WrongCpu, (start_us, to_us)).beside()
}

/// Woken from another CPU. Without: the interrupt comes at once, and the task waits behind a more important one.
pub fn ipi(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let vector = dice.one_of(&["reschedule", "call_function_single"]);
    let (waiter, waker) = (Who::new("rt", 9, 19), Who::new("bystander", 44, 120));
    let runner = Who::new("kworker/u8:2", 33, if is_planted { 120 } else { 5 });
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    let noticed_us = if is_planted { to_us } else { start_us + 2 };
    trace.switch(20, cpu, &waiter, "S", &runner);
    trace.wake(start_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    trace.at(noticed_us, &runner, cpu, "dNh1.", &format!("{vector}_entry: vector=253"));
    trace.at(noticed_us + 2, &runner, cpu, "dNh1.", &format!("{vector}_exit: vector=253"));
    trace.switch(to_us + 8, cpu, &runner, "S", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Ipi, (start_us, to_us)).beside()
}

/// Without: it stays where it is.
pub fn migration(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 40;
    let mut trace = Trace::new(dice, false);
    let (waiter, runner, third) =
        (Trace::any_user(dice, 9), Who::new("burn", 33, 120), Who::new("third", 50, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let moved_us = start_us + dice.roll(20, 200);
    let to_us = moved_us + length_us;
    trace.switch(10, cpu, &waiter, "S", &runner);
    trace.switch(11, other, &Who::idle(other), "R", &third);
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d..2.", "d..3."]);
    let end = if is_planted { (other, &third) } else { (cpu, &runner) };
    if is_planted {
        let event = format!(
            "sched_migrate_task: comm={} pid=9 prio=120 orig_cpu={cpu} dest_cpu={other}",
            waiter.comm
        );
        trace.at(moved_us, &third, other, "d..3.", &event);
    }
    trace.switch(to_us, end.0, end.1, "R+", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Migration, (moved_us, to_us)).beside()
}

/// A CPU pulls the waiting task as its own leaves it. Without: its own task keeps running, is woken for, or wants to
/// keep running.
pub fn pulled(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let (waiter, runner, third) =
        (Trace::any_user(dice, 9), Who::new("burn", 33, 120), Who::new("third", 50, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let to_us = start_us + length_us;
    trace.switch(10, cpu, &waiter, "R", &runner);
    trace.switch(11, other, &Who::idle(other), "R", &third);
    let event =
        format!("sched_migrate_task: comm={} pid=9 prio=120 orig_cpu={cpu} dest_cpu={other}", waiter.comm);
    let other_way = dice.roll(0, 2);
    let is_woken = !is_planted && other_way == 0;
    if is_woken {
        trace.at(
            start_us - 1,
            &third,
            other,
            "d..2.",
            &format!("sched_waking: comm={} pid=9 prio=120 target_cpu={cpu}", waiter.comm),
        );
    }
    trace.at(start_us, &third, other, "d..2.", &event);
    if !is_planted && other_way == 1 {
        trace.at(start_us + 30, &third, other, ".....", "sys_enter: NR 1 (1, 0, 0, 0, 0, 0)");
    }
    let left =
        if is_planted || other_way < 2 { ["S", "D", "I", "X", "Z"][dice.roll(0, 4) as usize] } else { "R+" };
    trace.switch(to_us, other, &third, left, &waiter);
    Planted::new(trace, "migration", Mechanism::Migration, (start_us, to_us)).by("third-50")
}

/// The stopper takes a running task to a CPU that is idle, without any event that says so. Without: the task runs
/// where it was, behind the task that came after the stopper.
pub fn moved_by_stopper(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let stopper = Who::new(&format!("migration/{cpu}"), 18, 0);
    let (waiter, runner) = (Trace::any_user(dice, 9), Who::new("bystander", 33, 120));
    let (done_us, idle) = (start_us + dice.roll(5, 40), Who::idle(other));
    let to_us = done_us + length_us;
    trace.switch(10, cpu, &runner, "S", &waiter);
    trace.switch(12, other, &Who::new("third", 50, 120), "S", &idle);
    trace.switch(start_us, cpu, &waiter, "R", &stopper);
    trace.switch(done_us, cpu, &stopper, "S", &runner);
    let (end_cpu, last) = if is_planted { (other, &idle) } else { (cpu, &runner) };
    trace.switch(to_us, end_cpu, last, if is_planted { "R" } else { "S" }, &waiter);
    Planted::new(trace, "preempted", Mechanism::IdleExit, (done_us, to_us)).by(format!("CPU {other}"))
}

/// Without: the waiting task is in the fair class, or the choice was made before it was in the queue.
pub fn throttled(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let is_fair = !is_planted && dice.toss();
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let (hog, other) = (Who::new("hog", 33, 19), Who::new("sh 2", 34, 120));
    let waiter = Who::new("rt", 9, if is_fair { 120 } else { 19 });
    let (cpu, start_us) = (trace.cpu, dice.roll(1_000, 1_500));
    trace.life(dice, start_us + length_us + 500);
    trace.switch(20, cpu, &waiter, "S", &hog);
    let choice_us = if is_planted || is_fair { start_us + 6 } else { start_us - 6 };
    let waker = if choice_us < start_us { &other } else { &hog };
    trace.wake(start_us, (waker, cpu), (&waiter, cpu), ["d..2.", "d..3."]);
    let (from_us, to_us) = (start_us + 6, start_us + 6 + length_us);
    trace.switch(choice_us, cpu, &hog, "S", &other);
    trace.switch(to_us, cpu, &other, "R+", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Throttled, (from_us, to_us)).by(other.name())
}

/// The scheduler itself takes a runnable task off its CPU for something less important, or for nothing at all.
/// Without: it makes room for one that is more important, or for the stopper.
pub fn taken_off(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let prio = if is_planted { dice.one_of(&[-1, 0, 19, 98, 120]) } else { dice.one_of(&[0, 19, 98, 120]) };
    let (cpu, start_us, waiter) = (trace.cpu, dice.roll(1_000, 1_500), Who::new("limited", 9, prio));
    let to_us = start_us + length_us;
    trace.life(dice, to_us + 500);
    let next = match (is_planted, dice.toss()) {
        (true, true) => Who::idle(cpu),
        (true, false) if prio == 120 => Who::idle(cpu),
        (true, false) => Who::new("sh 2", 34, 120),
        (false, true) => Who::new("hog", 34, -1),
        (false, false) => Who::new(&format!("migration/{cpu}"), 18, 0),
    };
    trace.switch(20, cpu, &Who::idle(cpu), "R", &waiter);
    let timer = |what: &str| format!("{what}: hrtimer=00000000000000dd function=dl_task_timer ");
    let is_told = prio < 0 && dice.toss();
    if is_told {
        let expires = format!("expires={to_us}000 softexpires={to_us}000 mode=ABS|HARD");
        trace.at(start_us - 3, &waiter, cpu, "d..2.", &(timer("hrtimer_start") + &expires));
    }
    trace.switch(start_us, cpu, &waiter, "R", &next);
    if next.pid != 0 || !is_told {
        let state = if is_planted { "R" } else { "S" };
        trace.switch(to_us, cpu, &next, state, &waiter);
    } else {
        let until_us = to_us + 400;
        trace.at(to_us, &next, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.at(to_us + 1, &next, cpu, "d.h1.", &format!("{}now={to_us}000", timer("hrtimer_expire_entry")));
        trace.at(until_us, &next, cpu, "dNh1.", "local_timer_exit: vector=236");
        trace.switch(until_us + 3, cpu, &next, "R", &waiter);
    }
    let subject = if next.pid == 0 { waiter.name() } else { next.name() };
    Planted::new(trace, "preempted", Mechanism::Throttled, (start_us, to_us)).by(subject)
}

/// A task is woken on an idle CPU, by itself or from elsewhere, and the CPU goes idle on. Without: it is asked to switch all
/// the while, and does not.
pub fn woken_in_vain(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let waiter = Who::new("limited", 9, dice.one_of(&[120, 100, 139, 19]));
    let (idle, waker) = (Who::idle(cpu), Who::new("bystander", 44, 120));
    let (from_us, to_us) = (start_us + 4, start_us + 140 + length_us);
    trace.life(dice, to_us + 500);
    trace.switch(20, cpu, &waiter, "S", &idle);
    let sleeps = |trace: &mut Trace, t_us: u64| {
        trace.at(t_us, &idle, cpu, "d..1.", &format!("cpu_idle: state=1 cpu_id={cpu}"));
    };
    sleeps(&mut trace, 22);
    let asked = if is_planted { '.' } else { 'N' };
    if dice.toss() {
        trace.at(start_us - 4, &idle, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.wake(from_us, (&idle, cpu), (&waiter, cpu), ["d.h3.", "dNh4."]);
        trace.at(from_us + 2, &idle, cpu, "dNh1.", "local_timer_exit: vector=236");
    } else {
        trace.wake(from_us, (&waker, other), (&waiter, cpu), ["d..2.", "d..3."]);
    }
    if is_planted {
        sleeps(&mut trace, from_us + dice.roll(25, 60));
    }
    let mut t_us = from_us + 90;
    // What runs in the meantime is the scheduler's next choice, and no sign that the task was allowed to.
    if is_planted && dice.toss() {
        let third = Who::new("kworker/u8:1", 50, 120);
        trace.switch(t_us - 12, cpu, &idle, "R", &third);
        trace.switch(t_us - 4, cpu, &third, "I", &idle);
    }
    while t_us + 20 < to_us {
        trace.at(t_us, &idle, cpu, &format!("d{asked}h1."), "local_timer_entry: vector=236");
        trace.at(t_us + 1, &idle, cpu, &format!("d{asked}h1."), "local_timer_exit: vector=236");
        if is_planted {
            sleeps(&mut trace, t_us + 3);
        }
        t_us += dice.roll(50, 900);
    }
    trace.at(to_us, &idle, cpu, "dNh1.", "reschedule_entry: vector=253");
    trace.at(to_us + 2, &idle, cpu, "dNh1.", "reschedule_exit: vector=253");
    trace.switch(to_us + 6, cpu, &idle, "R", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Throttled, (from_us, to_us)).by("limited-9")
}

/// Two interrupts that nothing records wake tasks, and a task runs between them. Without: both wakings are of one
/// interrupt that is recorded, in which the CPU stood still.
pub fn between_unrecorded_interrupts(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (hog, waiter, third) =
        (Who::new("hog", 33, 9), Who::new("rt", 9, 19), Who::new("bystander", 50, 120));
    let (cpu, start_us) = (trace.cpu, dice.roll(2_000, 2_500));
    let to_us = start_us + length_us + 20;
    trace.switch(10, cpu, &waiter, "S", &hog);
    let interrupt = |trace: &mut Trace, t_us: u64, what: &str| {
        if !is_planted {
            trace.at(t_us, &hog, cpu, "d.h..", &format!("local_timer_{what}: vector=236"));
        }
    };
    // What is usual: wakings in one go.
    for round in 1..9 {
        let t_us = 100 * round;
        interrupt(&mut trace, t_us, "entry");
        trace.wake(t_us + 1, (&hog, cpu), (&third, cpu), ["d.h2.", "d.h3."]);
        trace.wake(t_us + 3, (&hog, cpu), (&waiter, cpu), ["d.h2.", "d.h3."]);
        interrupt(&mut trace, t_us + 5, "exit");
        trace.switch(t_us + 7, cpu, &hog, "S", &waiter);
        trace.switch(t_us + 20, cpu, &waiter, "S", &hog);
    }
    interrupt(&mut trace, start_us - 1, "entry");
    trace.wake(start_us, (&hog, cpu), (&waiter, cpu), ["d.h2.", "d.h3."]);
    trace.wake(to_us - 10, (&hog, cpu), (&third, cpu), ["d.h2.", "d.h3."]);
    interrupt(&mut trace, to_us - 5, "exit");
    trace.switch(to_us, cpu, &hog, "S", &waiter);
    Planted::new(trace, "wakeup", Mechanism::HigherPriority, (start_us, to_us)).by(hog.name())
}

/// An idle CPU that has noticed, and does not switch. Without: it had not noticed yet.
pub fn stall_on_the_way_out_of_idle(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (waiter, waker) = (Trace::any_user(dice, 9), Who::new("bystander", 44, 120));
    let (cpu, other, start_us) = (trace.cpu, trace.other, dice.roll(1_000, 1_500));
    let idle = Who::idle(cpu);
    let (from_us, to_us) = (start_us + 4, start_us + 4 + length_us);
    trace.switch(20, cpu, &waiter, "S", &idle);
    trace.at(22, &idle, cpu, "d..1.", &format!("cpu_idle: state=2 cpu_id={cpu}"));
    let comm = format!("comm={} pid=9 prio=120 target_cpu={cpu:03}", waiter.comm);
    trace.at(start_us, &waker, other, "d..2.", &format!("sched_waking: {comm}"));
    let noticed_us = if is_planted { from_us } else { to_us };
    trace.at(noticed_us - 1, &idle, cpu, "d.h1.", "reschedule_entry: vector=253");
    trace.at(noticed_us, &idle, cpu, "dNh2.", &format!("sched_wakeup: {comm}"));
    trace.at(noticed_us + 1, &idle, cpu, "dNh1.", "reschedule_exit: vector=253");
    trace.switch(to_us + 2, cpu, &idle, "R", &waiter);
    Planted::new(trace, "wakeup", Mechanism::Stall, (from_us, to_us)).by(format!("CPU {cpu}"))
}

//! Timers that are late, by what keeps their interrupt or their handler away.

use super::{Dice, Mechanism, Planted, Trace, Who, asleep};

/// What wakes the sleeper without delay, and lets it run.
fn end(trace: &mut Trace, t_us: u64, runner: &Who, sleeper: &Who, state: &str) {
    trace.fire(t_us, runner, sleeper, 'N');
    let cpu = trace.cpu;
    trace.switch(t_us + 12, cpu, runner, state, sleeper);
}

/// Without: the interrupt is on time, or an event shows that interrupts were on, or the task was in user space.
pub fn irqs_off(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let without = if is_planted { 9 } else { dice.roll(0, 2) };
    let mut trace = Trace::new(dice, without == 1);
    trace.may_miss(dice, &["sched_waking", "local_timer"]);
    let kernel = Who::new(dice.one_of(&["kworker/u8:2", "jbd2/sda 1-8", "kswapd0"]), 33, 120);
    let runner = if without == 2 { Trace::any_user(dice, 33) } else { kernel };
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, late_us) = (trace.cpu, expiry_us + length_us);
    match without {
        0 => {
            // On time; from then on the task waits behind another one.
            trace.fire(expiry_us + 1, &runner, &sleeper, '.');
            trace.switch(late_us + 12, cpu, &runner, "S", &sleeper);
        }
        1 => {
            // An interrupt that was kept away comes soon after they are on again.
            trace.at(late_us - length_us / 2, &runner, cpu, ".....", "print: on");
            trace.at(late_us - 25, &runner, cpu, ".....", "print: on");
            trace.at(late_us - 5, &runner, cpu, ".....", "print: on");
            end(&mut trace, late_us, &runner, &sleeper, "R+");
        }
        2 => {
            trace.at(expiry_us - 50, &runner, cpu, ".....", "sys_enter: NR 1 (1, 1, 1, 1, 1, 1)");
            trace.at(expiry_us - 40, &runner, cpu, ".....", "sys_exit: NR 1 = 1");
            end(&mut trace, late_us, &runner, &sleeper, "R+");
        }
        _ => end(&mut trace, late_us, &runner, &sleeper, "R+"),
    }
    Planted::new(trace, "cyclic", Mechanism::IrqsOff, (expiry_us, late_us)).by(runner.name())
}

/// The interrupt does not come while events show that interrupts are on, and then they are off. Without: events with
/// interrupts on come until it does.
pub fn irqs_off_later(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    trace.may_miss(dice, &["sched_waking", "local_timer"]);
    let runner = Who::new(dice.one_of(&["kworker/u8:2", "jbd2/sda 1-8", "kswapd0"]), 33, 120);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let cpu = trace.cpu;
    let from_us = expiry_us + dice.roll(40, 1_200);
    let late_us = from_us + length_us;
    let mut t_us = expiry_us + dice.roll(1, 30);
    let until_us = if is_planted { from_us } else { late_us - 2 };
    while t_us < until_us {
        trace.at(t_us, &runner, cpu, ".....", "print: on");
        t_us += dice.roll(3, 90);
    }
    trace.at(until_us, &runner, cpu, ".....", "print: on");
    end(&mut trace, late_us, &runner, &sleeper, "R+");
    Planted::new(trace, "timer", Mechanism::IrqsOff, (from_us, late_us)).by(runner.name())
}

/// Events show that interrupts are on until the interrupt comes, whoever has the CPU and whether or not it is a guest's.
/// Without: they show that interrupts are off.
pub fn undelivered(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    trace.may_miss(dice, &["sched_waking", "local_timer"]);
    let (runner, other) = (Trace::any_user(dice, 33), Trace::any_user(dice, 34));
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, late_us) = (trace.cpu, expiry_us + length_us);
    if dice.toss() {
        trace.at(30, &runner, cpu, "d.h1.", "irq_handler_entry: irq=25 name=virtio0-requests");
        trace.at(34, &runner, cpu, "d.h1.", "irq_handler_exit: irq=25 ret=handled");
    }
    let tasks = [&runner, &other];
    let mut turn = 0;
    let mut t_us = expiry_us + 2;
    while t_us < late_us - 4 {
        let flags = if is_planted { "....." } else { "d...." };
        trace.at(t_us, tasks[turn % 2], cpu, flags, "print: busy");
        trace.switch(t_us + 1, cpu, tasks[turn % 2], "R", tasks[(turn + 1) % 2]);
        turn += 1;
        t_us += dice.roll(4, 60);
    }
    let last = tasks[turn % 2];
    trace.at(late_us - 1, last, cpu, if is_planted { "....." } else { "d...." }, "print: busy");
    end(&mut trace, late_us, last, &sleeper, "R+");
    Planted::new(trace, "timer", Mechanism::Unknown, (expiry_us, late_us))
        .saying(Some("though interrupts were on"))
}

/// Without: the section ended before the expiry; what is late then is another matter.
pub fn recorded_section(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    let end_us = if is_planted { to_us } else { expiry_us - 1 };
    let (from_us, site) = (expiry_us - dice.roll(2, 400), "caller=f+0x1/0x2 parent=g+0x1/0x2");
    trace.at(from_us, &runner, cpu, "d..1.", &format!("irq_disable: {site}"));
    trace.at(end_us, &runner, cpu, "d..1.", &format!("irq_enable: {site}"));
    end(&mut trace, if is_planted { to_us } else { expiry_us + 1 }, &runner, &sleeper, "R+");
    Planted::new(trace, "cyclic", Mechanism::IrqsOff, (expiry_us, to_us)).by(runner.name())
}

/// Without: a task has the CPU.
pub fn idle_exit(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking", "cpu_idle"]);
    let cpu = trace.cpu;
    let runner = if is_planted { Who::idle(cpu) } else { Who::new("kworker/u8:2", 33, 120) };
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let to_us = expiry_us + length_us;
    if is_planted {
        trace.at(112, &runner, cpu, "d..1.", &format!("cpu_idle: state=3 cpu_id={cpu}"));
        trace.at(to_us + 10, &runner, cpu, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={cpu}"));
    }
    end(&mut trace, to_us, &runner, &sleeper, "R");
    Planted::new(trace, "cyclic", Mechanism::IdleExit, (expiry_us, to_us)).by(format!("CPU {cpu}"))
}

/// Without: it is started in time, and the interrupt is late.
pub fn armed_late(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let (sleeper, runner) = (Who::new("rt", 9, 19), Who::new("kworker/u8:2", 33, 120));
    let expiry_us = dice.roll(1_000, 1_500);
    trace.life(dice, expiry_us + 4_000);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    let armed_us = if is_planted { to_us } else { expiry_us - 30 };
    trace.arm(armed_us, &sleeper, expiry_us);
    trace.switch(armed_us + 2, cpu, &sleeper, "S", &runner);
    end(&mut trace, to_us + 4, &runner, &sleeper, "R+");
    Planted::new(trace, "cyclic", Mechanism::ArmedLate, (expiry_us, to_us)).by(sleeper.name())
}

/// Without: the other interrupt ended before the expiry.
pub fn other_interrupt(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    let from_us = expiry_us - dice.roll(2, 20);
    let end_us = if is_planted { to_us } else { expiry_us - 1 };
    trace.at(from_us, &runner, cpu, "d.h1.", "irq_handler_entry: irq=24 name=eth0");
    let mut t_us = from_us + 1;
    while t_us < end_us {
        trace.at(t_us, &runner, cpu, "d.h1.", "softirq_raise: vec=3 [action=NET_RX]");
        t_us += dice.roll(5, 18);
    }
    trace.at(end_us, &runner, cpu, "d.h1.", "irq_handler_exit: irq=24 ret=handled");
    end(&mut trace, if is_planted { to_us } else { expiry_us + 1 }, &runner, &sleeper, "R+");
    Planted::new(trace, "cyclic", Mechanism::OtherInterrupt, (expiry_us, to_us)).by("eth0 [24]")
}

/// Without: such a pair of events is never much nearer, or the silence is the task's own.
pub fn stall(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let is_own = !is_planted && dice.toss();
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let cpu = trace.cpu;
    // Interrupts before it, in which nothing stood still.
    let usual_us = if is_planted || is_own { 2 } else { length_us / 10 };
    for tick in 1..8 {
        let t_us = 112 + tick * 100;
        let event = "hrtimer_expire_exit: hrtimer=00000000000000bb";
        trace.at(t_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.at(t_us + 2, &runner, cpu, "d.h1.", event);
        let exit_us = (t_us + 2 + usual_us).min(t_us + 98);
        trace.at(exit_us, &runner, cpu, "d.h1.", "local_timer_exit: vector=236");
    }
    let length_us = if usual_us > 2 { length_us.min(900) } else { length_us };
    let (from_us, to_us) = (expiry_us + 8, expiry_us + 8 + length_us);
    let before = trace.fire_without_exit(expiry_us + 2, &runner, &sleeper, 'N');
    assert_eq!(before, from_us);
    let exit_us = if is_own { from_us + 2 } else { to_us };
    trace.at(exit_us, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 4, cpu, &runner, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Stall, (from_us, to_us)).by(format!("CPU {cpu}"))
}

/// Without: the handler is short, and the task waits afterwards.
pub fn handler(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, from_us) = (trace.cpu, expiry_us + 1);
    let to_us = from_us + length_us;
    trace.at(from_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.expire(from_us + 1, &runner, "d.h1.", "00000000000000aa", "hrtimer_wakeup");
    let mut t_us = from_us + 3;
    while is_planted && t_us + 3 < to_us {
        trace.at(t_us, &runner, cpu, "d.h1.", "print: busy");
        t_us += dice.roll(3, 12);
    }
    let woken_us = if is_planted { to_us } else { from_us + 3 };
    trace.wake(woken_us, (&runner, cpu), (&sleeper, cpu), ["d.h2.", "dNh3."]);
    trace.at(woken_us + 2, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 8, cpu, &runner, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Handler, (from_us, to_us)).by("local_timer")
}

/// Without: no other timer is due. The handlers of others count as theirs, whatever they do.
pub fn other_timers(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, from_us) = (trace.cpu, expiry_us + 2);
    let to_us = from_us + length_us;
    trace.at(expiry_us + 1, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
    let expire = |trace: &mut Trace, t_us: u64, timer: &str, function: &str| {
        let now_us = if is_planted { from_us } else { t_us };
        let event = format!("hrtimer_expire_entry: hrtimer={timer} function={function} now={now_us}000");
        trace.at(t_us, &runner, cpu, "d.h1.", &event);
    };
    let mut t_us = from_us;
    while is_planted && t_us + 2 < to_us {
        expire(&mut trace, t_us, "00000000000000bb", "tick_sched_timer");
        t_us += dice.roll(4, 15);
    }
    let own_us = if is_planted { to_us } else { from_us };
    expire(&mut trace, own_us, "00000000000000aa", "hrtimer_wakeup");
    trace.wake(own_us + 1, (&runner, cpu), (&sleeper, cpu), ["d.h2.", "dNh3."]);
    trace.at(own_us + 3, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 8, cpu, &runner, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Handler, (from_us, to_us)).by("local_timer")
}

/// No switch says what ran. Without: it came into an idle CPU.
pub fn kept_away_from_nobody_known(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let expiry_us = dice.roll(1_000, 1_500);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    trace.arm(100, &Who::new("rt", 9, 19), expiry_us);
    // What an idle CPU does meanwhile takes its time, too.
    let into = if is_planted { Who::new("kworker/u8:2", 33, 120) } else { Who::idle(cpu) };
    trace.at(to_us, &into, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.expire(to_us + 1, &into, "d.h1.", "00000000000000aa", "hrtimer_wakeup");
    trace.at(to_us + 3, &into, cpu, "d.h1.", "local_timer_exit: vector=236");
    Planted::new(trace, "timer", Mechanism::IrqsOff, (expiry_us, to_us))
}

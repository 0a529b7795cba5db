//! Work that softirqs and their carriers do for others.

use super::{Dice, Mechanism, Planted, Trace, Who, asleep};

/// A timer whose handler runs in a softirq. Without: the softirq runs at once, at the exit of its interrupt.
pub fn deferred(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let cpu = trace.cpu;
    let (hog, prio) = (Who::new("hog", 33, 49), dice.one_of(&[120, 98]));
    let carrier = Who::new(&format!("{}/{cpu}", dice.one_of(&["ksoftirqd", "ktimers"])), 29, prio);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &hog);
    let (t_us, softirq) = (expiry_us + 2, "vec=8 [action=HRTIMER]");
    trace.at(t_us, &hog, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.at(t_us + 2, &hog, cpu, "d.h1.", &format!("softirq_raise: {softirq}"));
    trace.at(t_us + 4, &hog, cpu, "d.h1.", "local_timer_exit: vector=236");
    let (runs_us, runner) = if is_planted { (t_us + length_us, &carrier) } else { (t_us + 6, &hog) };
    if is_planted {
        trace.wake(t_us + 5, (&hog, cpu), (&carrier, cpu), ["d..2.", "d..3."]);
        trace.switch(runs_us - 2, cpu, &hog, "S", &carrier);
    }
    trace.at(runs_us, runner, cpu, "..s1.", &format!("softirq_entry: {softirq}"));
    trace.expire(runs_us + 1, runner, "d.s1.", "00000000000000aa", "hrtimer_wakeup");
    trace.wake(runs_us + 2, (runner, cpu), (&sleeper, cpu), ["d.s2.", "dNs3."]);
    trace.at(runs_us + 4, runner, cpu, ".Ns1.", &format!("softirq_exit: {softirq}"));
    let to_us = t_us + length_us;
    trace.switch(to_us + 6, cpu, runner, if is_planted { "R+" } else { "S" }, &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Deferred, (t_us + 2, to_us)).by(carrier.name())
}

/// A thread is woken for a softirq and waits, and another one, which comes before it later, works it off. Without: that one
/// is woken at once.
pub fn taken_over(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (cpu, hog) = (trace.cpu, Who::new("hog", 33, dice.one_of(&[49, 120])));
    let first = Who::new(&format!("ksoftirqd/{cpu}"), 15, 120);
    let last = Who::new(&format!("ktimers/{cpu}"), 16, 98);
    let raised_us = dice.roll(1_000, 1_500);
    let to_us = raised_us + length_us;
    trace.life(dice, to_us + 300);
    trace.switch(20, cpu, &first, "S", &hog);
    let tick = |trace: &mut Trace, t_us: u64, vector: &str, carrier: &Who| {
        trace.at(t_us - 2, &hog, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.at(t_us, &hog, cpu, "d.h1.", &format!("softirq_raise: {vector}"));
        trace.at(t_us + 2, &hog, cpu, "d.h1.", "local_timer_exit: vector=236");
        trace.wake(t_us + 4, (&hog, cpu), (carrier, cpu), ["d..2.", "d..3."]);
    };
    tick(&mut trace, raised_us, "vec=7 [action=SCHED]", if is_planted { &first } else { &last });
    if is_planted {
        tick(&mut trace, to_us, "vec=8 [action=HRTIMER]", &last);
    }
    trace.switch(to_us + 7, cpu, &hog, "S", &last);
    trace.at(to_us + 9, &last, cpu, "..s1.", "softirq_entry: vec=7 [action=SCHED]");
    trace.at(to_us + 11, &last, cpu, "..s1.", "softirq_exit: vec=7 [action=SCHED]");
    if is_planted {
        trace.at(to_us + 12, &last, cpu, "..s1.", "softirq_entry: vec=8 [action=HRTIMER]");
        trace.at(to_us + 14, &last, cpu, "..s1.", "softirq_exit: vec=8 [action=HRTIMER]");
    }
    trace.switch(to_us + 18, cpu, &last, "S", &first);
    let says = (length_us > 100).then_some("behind hog-33");
    let at = (raised_us, to_us - 1);
    Planted::new(trace, "softirq_raise", Mechanism::Deferred, at).by(first.name()).saying(says)
}

/// A timer that expires while the softirq that is to call its handler waits for its thread already: no interrupt comes for
/// it. Without: it expires later, and no softirq is waiting.
pub fn pending(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (cpu, hog) = (trace.cpu, Who::new("hog", 33, 49));
    let carrier = Who::new(&format!("{}/{cpu}", dice.one_of(&["ksoftirqd", "ktimers"])), 29, 98);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &hog);
    let softirq = "vec=8 [action=HRTIMER]";
    // The timer of somebody else.
    let raised_us = expiry_us - dice.roll(30, 300);
    trace.at(raised_us, &hog, cpu, "d.h1.", "local_timer_entry: vector=236");
    trace.at(raised_us + 2, &hog, cpu, "d.h1.", &format!("softirq_raise: {softirq}"));
    trace.at(raised_us + 4, &hog, cpu, "d.h1.", "local_timer_exit: vector=236");
    let runs_us = if is_planted { expiry_us + length_us } else { raised_us + 10 };
    let pass = |trace: &mut Trace, t_us: u64| {
        trace.wake(raised_us + 5, (&hog, cpu), (&carrier, cpu), ["d..2.", "d..3."]);
        trace.switch(t_us - 2, cpu, &hog, "S", &carrier);
        trace.at(t_us, &carrier, cpu, "..s1.", &format!("softirq_entry: {softirq}"));
    };
    pass(&mut trace, runs_us);
    if !is_planted {
        trace.at(runs_us + 2, &carrier, cpu, "..s1.", &format!("softirq_exit: {softirq}"));
        trace.switch(runs_us + 4, cpu, &carrier, "S", &hog);
        trace.fire(expiry_us + length_us, &hog, &sleeper, 'N');
        trace.switch(expiry_us + length_us + 12, cpu, &hog, "R+", &sleeper);
    } else {
        trace.expire(runs_us + 1, &carrier, "..s1.", "00000000000000aa", "hrtimer_wakeup");
        trace.wake(runs_us + 2, (&carrier, cpu), (&sleeper, cpu), ["d.s2.", "dNs3."]);
        trace.at(runs_us + 4, &carrier, cpu, ".Ns1.", &format!("softirq_exit: {softirq}"));
        trace.switch(runs_us + 6, cpu, &carrier, "R+", &sleeper);
    }
    Planted::new(trace, "cyclic", Mechanism::Deferred, (expiry_us, runs_us.max(expiry_us + 1)))
        .by(carrier.name())
}

/// A timer of softirqs expires while one waits for its thread that was raised before anything was recorded. Without: it is
/// raised as late as its interrupt comes.
pub fn raised_long_ago(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let (cpu, other, hog) = (trace.cpu, trace.other, Who::new("hog", 33, dice.one_of(&[9, 49])));
    let carrier = Who::new(&format!("{}/{cpu}", dice.one_of(&["ksoftirqd", "ktimers"])), 29, 98);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &hog);
    let softirq = "vec=8 [action=HRTIMER]";
    trace.at(40, &Who::new("bystander", 44, 120), other, "d.h1.", &format!("softirq_raise: {softirq}"));
    let runs_us = expiry_us + length_us;
    let mut t_us = expiry_us + 20;
    while t_us + 40 < runs_us {
        // Other interrupts come all the time.
        trace.at(t_us, &hog, cpu, "d.h1.", "irq_handler_entry: irq=24 name=eth0");
        trace.at(t_us + 2, &hog, cpu, "d.h1.", "irq_handler_exit: irq=24 ret=handled");
        t_us += dice.roll(60, 400);
    }
    if !is_planted {
        trace.at(runs_us - 12, &hog, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.at(runs_us - 10, &hog, cpu, "d.h1.", &format!("softirq_raise: {softirq}"));
        trace.at(runs_us - 8, &hog, cpu, "d.h1.", "local_timer_exit: vector=236");
    }
    trace.switch(runs_us - 2, cpu, &hog, "S", &carrier);
    trace.at(runs_us, &carrier, cpu, "..s1.", &format!("softirq_entry: {softirq}"));
    trace.expire(runs_us + 1, &carrier, "..s1.", "00000000000000aa", "hrtimer_wakeup");
    trace.wake(runs_us + 2, (&carrier, cpu), (&sleeper, cpu), ["d.s2.", "dNs3."]);
    trace.at(runs_us + 4, &carrier, cpu, ".Ns1.", &format!("softirq_exit: {softirq}"));
    trace.switch(runs_us + 6, cpu, &carrier, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Deferred, (expiry_us, runs_us)).by(carrier.name())
}

/// A softirq on top of a task, shown only by the flags of two events. Without: it ended in between.
pub fn in_the_way(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let runner = Trace::any_user(dice, 33);
    let (waiter, start_us) = (Who::new("rt", 9, 19), dice.roll(500, 900));
    trace.life(dice, start_us + length_us + 300);
    let (cpu, to_us) = (trace.cpu, start_us + length_us);
    trace.switch(20, cpu, &waiter, "S", &runner);
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d.s2.", "dNs3."]);
    if !is_planted {
        trace.at(start_us + 2, &runner, cpu, "dN.1.", "print: out of it");
    }
    trace.at(to_us, &runner, cpu, "dNH1.", "local_timer_entry: vector=236");
    trace.at(to_us + 4, &runner, cpu, "dNH1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 10, cpu, &runner, "R+", &waiter);
    Planted::new(trace, "wakeup", Mechanism::NotPreemptible, (start_us, to_us)).by("a softirq")
}

/// A softirq that is raised and runs late, over switches. Without: softirqs are off in the task all the while.
pub fn left_alone(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (runner, next) = (Trace::any_user(dice, 33), Who::new("next 1", 34, 120));
    let (cpu, start_us) = (trace.cpu, dice.roll(500, 900));
    let to_us = start_us + length_us;
    trace.life(dice, to_us + 300);
    trace.switch(20, cpu, &next, "S", &runner);
    let flags = if is_planted { "...1." } else { "b..1." };
    trace.at(start_us, &runner, cpu, flags, "softirq_raise: vec=9 [action=RCU]");
    let last = if is_planted { &next } else { &runner };
    if is_planted {
        trace.switch(start_us + length_us / 2, cpu, &runner, "R", &next);
    } else {
        trace.at(start_us + length_us / 2, &runner, cpu, "b..1.", "print: still");
    }
    trace.at(to_us, last, cpu, "..s1.", "softirq_entry: vec=9 [action=RCU]");
    trace.at(to_us + 3, last, cpu, "..s1.", "softirq_exit: vec=9 [action=RCU]");
    Planted::new(trace, "softirq_raise", Mechanism::Deferred, (start_us, to_us))
}

/// A softirq that is raised in an interrupt which only the flags of events show, on top of a task or of an idle
/// CPU, and that runs behind others of the same round. Without: it is raised in the task.
pub fn raised_in_an_interrupt(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (cpu, start_us) = (trace.cpu, dice.roll(500, 900));
    let runner = if is_planted && dice.toss() { Who::idle(cpu) } else { Trace::any_user(dice, 33) };
    let to_us = start_us + length_us;
    trace.never(&["local_timer"]);
    trace.life(dice, to_us + 300);
    trace.switch(20, cpu, &Who::new("next 1", 34, 120), "S", &runner);
    let flags = if is_planted { "d.h1." } else { "b..1." };
    trace.at(start_us, &runner, cpu, flags, "softirq_raise: vec=9 [action=RCU]");
    if dice.toss() {
        trace.at(start_us + length_us / 2, &runner, cpu, flags, "print: still");
    }
    let mut at_us = to_us;
    for vector in ["vec=1 [action=TIMER]", "vec=7 [action=SCHED]"] {
        if dice.toss() {
            trace.at(at_us, &runner, cpu, "..s1.", &format!("softirq_entry: {vector}"));
            trace.at(at_us + 2, &runner, cpu, "..s1.", &format!("softirq_exit: {vector}"));
            at_us += 3;
        }
    }
    trace.at(at_us, &runner, cpu, "..s1.", "softirq_entry: vec=9 [action=RCU]");
    trace.at(at_us + 3, &runner, cpu, "..s1.", "softirq_exit: vec=9 [action=RCU]");
    Planted::new(trace, "softirq_raise", Mechanism::OtherInterrupt, (start_us, to_us)).by("an interrupt")
}

/// The timers of softirqs have no interrupt of their own while these run, here in a thread that waits in the middle of it.
/// Without: they have ended before, and interrupts are off.
pub fn behind_its_own_kind(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let length_us = length_us + 60;
    let mut trace = Trace::new(dice, true);
    let (cpu, softirq) = (trace.cpu, "vec=8 [action=HRTIMER]");
    let carrier = Who::new(&format!("ktimers/{cpu}"), 29, 98);
    let urgent = Who::new("urgent", 33, 19);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &carrier);
    let to_us = expiry_us + length_us;
    let other = "hrtimer=00000000000000bb";
    trace.at(expiry_us - 20, &carrier, cpu, "..s.2", &format!("softirq_entry: {softirq}"));
    trace.expire(expiry_us - 18, &carrier, "..s.3", "00000000000000bb", "long_fn");
    let ends_us = if is_planted { to_us } else { expiry_us - 10 };
    if is_planted && dice.toss() {
        let (from_us, half_us) = (expiry_us + 10, length_us / 2);
        trace.at(from_us - 4, &carrier, cpu, "d.H13", "local_timer_entry: vector=236");
        trace.wake(from_us - 3, (&carrier, cpu), (&urgent, cpu), ["d.H33", "dNH43"]);
        trace.at(from_us - 1, &carrier, cpu, "dNH13", "local_timer_exit: vector=236");
        trace.switch(from_us, cpu, &carrier, "R+", &urgent);
        trace.switch(from_us + half_us, cpu, &urgent, "S", &carrier);
    }
    trace.at(ends_us - 2, &carrier, cpu, "..s.3", &format!("hrtimer_expire_exit: {other}"));
    trace.at(ends_us, &carrier, cpu, "..s.2", &format!("softirq_exit: {softirq}"));
    trace.at(to_us + 1, &carrier, cpu, "d.h2.", "local_timer_entry: vector=236");
    trace.at(to_us + 2, &carrier, cpu, "d.h2.", &format!("softirq_raise: {softirq}"));
    trace.at(to_us + 3, &carrier, cpu, "d.h2.", "local_timer_exit: vector=236");
    trace.at(to_us + 6, &carrier, cpu, "..s.2", &format!("softirq_entry: {softirq}"));
    trace.expire(to_us + 7, &carrier, "..s.3", "00000000000000aa", "hrtimer_wakeup");
    trace.wake(to_us + 8, (&carrier, cpu), (&sleeper, cpu), ["d.s23", "dNs33"]);
    trace.at(to_us + 10, &carrier, cpu, ".Ns.2", &format!("softirq_exit: {softirq}"));
    trace.switch(to_us + 14, cpu, &carrier, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::Deferred, (expiry_us, to_us)).by(carrier.name())
}

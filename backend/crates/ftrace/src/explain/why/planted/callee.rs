//! Functions of others in interrupts and softirqs, of which only the beginning and the end are recorded.

use super::{Dice, Mechanism, Planted, Trace, Who, asleep};

const SHORT_RUNS: u64 = 8;

/// Interrupts that run what others sent: what they are called, and their events.
const SENT: [(&str, [&str; 2]); 4] = [
    (
        "call_function_single",
        ["call_function_single_entry: vector=251", "call_function_single_exit: vector=251"],
    ),
    ("irq_work", ["irq_work_entry: vector=246", "irq_work_exit: vector=246"]),
    (
        "Function call interrupts",
        ["ipi_entry: (Function call interrupts)", "ipi_exit: (Function call interrupts)"],
    ),
    ("IRQ work interrupts", ["ipi_entry: (IRQ work interrupts)", "ipi_exit: (IRQ work interrupts)"]),
];

/// What another CPU sent runs over the expiry. Without: it is short, and the CPU stands still in the timer's own interrupt.
pub fn sent(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    trace.may_miss(dice, &["sched_waking"]);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    let (name, [entry, exit]) = dice.one_of(&SENT);
    let run = |trace: &mut Trace, from_us: u64, to_us: u64| {
        trace.at(from_us, &runner, cpu, "d.h1.", entry);
        trace.at(to_us, &runner, cpu, "d.h1.", exit);
    };
    for number in 0..SHORT_RUNS {
        let (t_us, length_us) = (150 + number * 100, dice.roll(2, 4));
        run(&mut trace, t_us, t_us + length_us);
        trace.at(t_us + 40, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
        trace.at(t_us + 42, &runner, cpu, "d.h1.", "hrtimer_expire_exit: hrtimer=00000000000000bb");
        trace.at(t_us + 44, &runner, cpu, "d.h1.", "local_timer_exit: vector=236");
    }
    if is_planted {
        run(&mut trace, expiry_us - 3, to_us);
        trace.fire(to_us + 1, &runner, &sleeper, 'N');
    } else {
        trace.fire_without_exit(expiry_us + 1, &runner, &sleeper, 'N');
        trace.at(to_us + 1, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    }
    trace.switch(to_us + 13, cpu, &runner, "R+", &sleeper);
    Planted::new(trace, "cyclic", Mechanism::OtherInterrupt, (expiry_us, to_us)).by(name)
}

/// A softirq works off what others queued, or calls a timer's function, while a task waits. Without: it ends, and the task
/// under it is not over.
pub fn queued(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let (vector, name) = dice.one_of(&[(3, "NET_RX"), (6, "TASKLET"), (4, "BLOCK"), (1, "TIMER")]);
    let (runner, is_named) = (Trace::any_user(dice, 33), dice.toss());
    let (waiter, start_us) = (Who::new("rt", 9, 19), dice.roll(1_200, 1_500));
    let (cpu, to_us) = (trace.cpu, start_us + length_us);
    trace.life(dice, to_us + 300);
    trace.switch(20, cpu, &waiter, "S", &runner);
    let begin = |trace: &mut Trace, t_us: u64| {
        trace.at(t_us, &runner, cpu, "..s1.", &format!("softirq_entry: vec={vector} [action={name}]"));
        if vector == 1 {
            let event =
                "timer_expire_entry: timer=00000000000000dd function=poll_timer now=4294 baseclk=4294";
            trace.at(t_us + 1, &runner, cpu, "..s1.", event);
        }
        if is_named && vector == 6 {
            let event = "tasklet_entry: tasklet=00000000000000ee function=poll_tasklet [mod]";
            trace.at(t_us + 1, &runner, cpu, "..s1.", event);
        }
    };
    let exit = format!("softirq_exit: vec={vector} [action={name}]");
    // An interrupt in the middle of a function does not end it.
    let fires = |trace: &mut Trace, t_us: u64| {
        if is_named {
            trace.expire(t_us, &runner, "d.H1.", "00000000000000aa", "hrtimer_wakeup");
        }
    };
    let has_fired = |trace: &mut Trace, t_us: u64| {
        if is_named {
            trace.at(t_us, &runner, cpu, "dNH1.", "hrtimer_expire_exit: hrtimer=00000000000000aa");
        }
    };
    for number in 0..SHORT_RUNS {
        let t_us = 100 + number * 100;
        begin(&mut trace, t_us);
        if is_named && vector == 6 {
            trace.at(
                t_us + 2,
                &runner,
                cpu,
                "..s1.",
                "tasklet_exit: tasklet=00000000000000ee function=poll_tasklet [mod]",
            );
        }
        if vector == 1 {
            trace.at(t_us + 2, &runner, cpu, "..s1.", "timer_expire_exit: timer=00000000000000dd");
        }
        trace.at(t_us + 4, &runner, cpu, "..s1.", &exit);
    }
    begin(&mut trace, start_us - 10);
    trace.at(start_us - 4, &runner, cpu, "d.H1.", "local_timer_entry: vector=236");
    fires(&mut trace, start_us - 2);
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d.H2.", "dNH3."]);
    has_fired(&mut trace, start_us + 3);
    trace.at(start_us + 4, &runner, cpu, "dNH1.", "local_timer_exit: vector=236");
    trace.at(if is_planted { to_us } else { start_us + 6 }, &runner, cpu, ".Ns1.", &exit);
    trace.switch(to_us + 6, cpu, &runner, "R+", &waiter);
    let says = match vector {
        1 => Some("mostly in poll_timer"),
        6 if is_named => Some("mostly in poll_tasklet"),
        _ => None,
    };
    Planted::new(trace, "wakeup", Mechanism::NotPreemptible, (start_us + 4, to_us)).by(name).saying(says)
}

/// A softirq that works off what others queued keeps the timer's interrupt away, or stands still. Without: it ends before
/// the timer expires.
pub fn silent(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, to_us) = (trace.cpu, expiry_us + length_us);
    trace.at(expiry_us - 20, &runner, cpu, "..s1.", "softirq_entry: vec=3 [action=NET_RX]");
    let exit = "softirq_exit: vec=3 [action=NET_RX]";
    if is_planted {
        trace.at(to_us, &runner, cpu, "d.H1.", "local_timer_entry: vector=236");
        trace.expire(to_us + 1, &runner, "d.H1.", "00000000000000aa", "hrtimer_wakeup");
        trace.wake(to_us + 2, (&runner, cpu), (&sleeper, cpu), ["d.H2.", "dNH3."]);
        trace.at(to_us + 6, &runner, cpu, "dNH1.", "local_timer_exit: vector=236");
        trace.at(to_us + 8, &runner, cpu, ".Ns1.", exit);
    } else {
        trace.at(expiry_us - 5, &runner, cpu, "..s1.", exit);
        trace.fire(to_us, &runner, &sleeper, 'N');
    }
    trace.switch(to_us + 14, cpu, &runner, "R+", &sleeper);
    let planted = Planted::new(trace, "cyclic", Mechanism::IrqsOff, (expiry_us, to_us));
    planted.by("NET_RX").saying(Some("stood still"))
}

/// The function of another timer, before the sleeper's own in the same interrupt. Without: the interrupt itself is late.
pub fn timers(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    let runner = Trace::any_user(dice, 33);
    let (sleeper, expiry_us) = asleep(&mut trace, dice, &runner);
    let (cpu, from_us) = (trace.cpu, expiry_us + 2);
    let to_us = from_us + length_us;
    let poll = |trace: &mut Trace, from_us: u64, to_us: u64| {
        trace.expire(from_us, &runner, "d.h1.", "00000000000000bb", "sample_fn");
        trace.at(to_us, &runner, cpu, "d.h1.", "hrtimer_expire_exit: hrtimer=00000000000000bb");
    };
    for number in 0..SHORT_RUNS {
        let t_us = 150 + number * 100;
        trace.at(t_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
        poll(&mut trace, t_us + 1, t_us + 3);
        trace.at(t_us + 4, &runner, cpu, "d.h1.", "local_timer_exit: vector=236");
    }
    let entered_us = if is_planted { expiry_us + 1 } else { to_us };
    trace.at(entered_us, &runner, cpu, "d.h1.", "local_timer_entry: vector=236");
    if is_planted {
        poll(&mut trace, from_us, to_us);
    }
    trace.expire(to_us + 1, &runner, "d.h1.", "00000000000000aa", "hrtimer_wakeup");
    trace.wake(to_us + 2, (&runner, cpu), (&sleeper, cpu), ["d.h2.", "dNh3."]);
    trace.at(to_us + 4, &runner, cpu, "dNh1.", "local_timer_exit: vector=236");
    trace.switch(to_us + 8, cpu, &runner, "R+", &sleeper);
    let says = Some("mostly in sample_fn");
    Planted::new(trace, "cyclic", Mechanism::Handler, (from_us, to_us)).by("local_timer").saying(says)
}

//! Tasks that the limit of their cgroup keeps from running.

use super::trace::{Dice, Trace, Who};
use super::{Mechanism, Planted};

/// A fair task is taken off its CPU, and others run in its place: until the timer that refills the budget of its cgroup, or
/// with nothing to run for some of the time. Without: the timer is of another cgroup, in a wait no longer than turns are;
/// or it fired during the wait already, which would have ended that; or the CPU always has something to run, and no such
/// timer fires before the task does.
pub fn limited(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, false);
    let waiter = Who::new("limited", 9, dice.one_of(&[120, 100, 139]));
    let hog = Who::new("hog", 33, dice.one_of(&[139, waiter.prio]));
    let (cpu, idle, start_us) = (trace.cpu, Who::idle(trace.cpu), dice.roll(1_000, 1_500));
    let (by_idle, is_told) = (dice.toss(), dice.toss());
    // The timer of a wait without idleness shows something only where others had more than their turn.
    let is_again = is_told && !is_planted && !by_idle && dice.toss();
    let is_long = by_idle || is_planted || is_again || !is_told;
    let to_us = start_us + length_us + if is_long { 14_000 } else { 4_000 };
    trace.life(dice, to_us + 500);
    trace.wake(5, (&hog, cpu), (&waiter, cpu), ["d..2.", "d..3."]);
    trace.switch(20, cpu, &hog, "S", &waiter);
    trace.switch(start_us, cpu, &waiter, "R", &hog);
    if by_idle && is_planted {
        let back_us = start_us + dice.roll(2_000, 3_000) + length_us;
        trace.switch(start_us + 2_000, cpu, &hog, "S", &idle);
        trace.wake(back_us - 3, (&idle, cpu), (&hog, cpu), ["d.h2.", "dNh3."]);
        trace.switch(back_us, cpu, &idle, "R", &hog);
    }
    // Of nested cgroups, the inner one has its time again sooner, and once more right before the task runs.
    let is_nested = is_planted && !by_idle && dice.toss();
    let is_refilled = if is_planted { !by_idle || is_told } else { is_told && !by_idle };
    let until_us = if is_refilled { to_us - dice.roll(10, 300) } else { to_us };
    if is_refilled {
        let what = dice.one_of(&["sched_cfs_period_timer", "sched_cfs_slack_timer"]);
        let on = if dice.toss() { cpu } else { trace.other };
        let mut fires = |timer: &str, t_us: u64| {
            let expiry =
                format!("hrtimer_expire_entry: hrtimer=00000000000000{timer} function={what} now={t_us}000");
            trace.at(t_us, if on == cpu { &hog } else { &idle }, on, "d.h1.", &expiry);
        };
        if is_long {
            fires(if is_again { "dd" } else { "ee" }, start_us + 5_000);
        }
        fires("dd", until_us);
        if is_nested {
            fires("ff", start_us + 6_000);
            fires("ff", until_us + (to_us - until_us) / 2);
        }
    }
    trace.switch(to_us, cpu, &hog, "R", &waiter);
    Planted::new(trace, "preempted", Mechanism::Throttled, (start_us, until_us)).by(waiter.name())
}

//! What recordings of few events cannot tell apart.

use super::trace::{Dice, Trace, Who};
use super::{Mechanism, Planted};

/// An interrupt wakes a task, and no record says when it ends. Without: the next event is out of it.
pub fn open_interrupt(dice: &mut Dice, length_us: u64, is_planted: bool) -> Planted {
    let mut trace = Trace::new(dice, true);
    trace.may_miss(dice, &["sched_waking"]);
    let (waiter, runner) = (Who::new("rt", 9, 19), Trace::any_user(dice, 33));
    let start_us = dice.roll(500, 900);
    let (cpu, to_us) = (trace.cpu, start_us + length_us);
    trace.life(dice, to_us + 300);
    trace.switch(20, cpu, &waiter, "S", &runner);
    trace.wake(start_us, (&runner, cpu), (&waiter, cpu), ["d.h2.", "dNh3."]);
    if !is_planted {
        trace.at(start_us + 4, &runner, cpu, ".N.1.", "page_fault_kernel: address=0x1 ip=0x1 error_code=0x2");
    }
    trace.switch(to_us, cpu, &runner, "R+", &waiter);
    let says = Some("or the interrupt that woke it ran on");
    Planted::new(trace, "wakeup", Mechanism::OtherInterrupt, (start_us, to_us)).beside().saying(says)
}

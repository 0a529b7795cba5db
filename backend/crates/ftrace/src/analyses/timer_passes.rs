//! Which expiries are handled in one go, so that all of them state the same reading of the clock.

use std::collections::VecDeque;

use hashbrown::HashMap;

use crate::model::{Flags, Ns};

/// Passes of one CPU that may not be over: a softirq's, and those of interrupts that came in its way.
const MAX_PASSES: usize = 8;
/// A timer that expires in the middle of a pass is left to the next one, which may be as late as that took.
const MAX_PASS_NS: Ns = Ns(1_000_000);
/// Passes that a timer which was due cannot miss.
const MIN_MISSED: usize = 2;

/// True for handlers that an interrupt calls itself; those of a softirq wait for that.
pub fn is_hard(flags: Flags) -> bool {
    flags.has(Flags::HARDIRQ) || !flags.has(Flags::SOFTIRQ)
}

/// When the handlers of each reading of the clock began.
///
/// The kernel reads the clock once and then calls one handler after the other (kernel/time/hrtimer.c,
/// `hrtimer_interrupt` and `__hrtimer_run_queues`). Of these, the first is called right after the reading;
/// the others wait for those before them, and that wait is not in `now`.
#[derive(Default)]
pub struct TimerPasses {
    by_cpu: HashMap<u16, VecDeque<Pass>>,
}

struct Pass {
    now_ns: i64,
    first_ns: Ns,
    is_hard: bool,
}

impl TimerPasses {
    /// When the first handler of this reading of the clock was called.
    pub fn first_ns(&mut self, cpu: u16, now_ns: i64, t_ns: Ns, is_hard: bool) -> Ns {
        let passes = self.by_cpu.entry(cpu).or_default();
        if let Some(pass) = passes.iter().find(|pass| pass.now_ns == now_ns) {
            return pass.first_ns;
        }
        if passes.len() >= MAX_PASSES {
            passes.pop_front();
        }
        passes.push_back(Pass { now_ns, first_ns: t_ns, is_hard });
        t_ns
    }

    /// True where interrupts of `cpu` have called other handlers since `due_ns`: they call those of all timers that are due,
    /// so that one that was not called was started again, or cancelled, without a record.
    pub fn has_missed(&self, cpu: u16, now_ns: i64, due_ns: Ns) -> bool {
        let passes = self.by_cpu.get(&cpu).into_iter().flatten();
        let later = |pass: &&Pass| pass.first_ns - due_ns > MAX_PASS_NS;
        passes.filter(|pass| pass.is_hard && pass.now_ns != now_ns).filter(later).count() >= MIN_MISSED
    }
}

//! Which expiries are handled in one go, so that all of them state the same reading of the clock.

use std::collections::VecDeque;

use hashbrown::HashMap;

use crate::model::Ns;

/// Passes of one CPU that may not be over: a softirq's, and those of interrupts that came in its way.
const MAX_PASSES: usize = 8;

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
}

impl TimerPasses {
    /// When the first handler of this reading of the clock was called.
    pub fn first_ns(&mut self, cpu: u16, now_ns: i64, t_ns: Ns) -> Ns {
        let passes = self.by_cpu.entry(cpu).or_default();
        if let Some(pass) = passes.iter().find(|pass| pass.now_ns == now_ns) {
            return pass.first_ns;
        }
        if passes.len() >= MAX_PASSES {
            passes.pop_front();
        }
        passes.push_back(Pass { now_ns, first_ns: t_ns });
        t_ns
    }
}

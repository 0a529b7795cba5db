//! The handlers of timers that run on each CPU.

use hashbrown::HashMap;

use crate::analyses::armed_timers::Expired;
use crate::model::Ns;

/// Handlers within handlers: one that runs in a softirq, interrupted by one in a hard interrupt.
const MAX_NESTING: usize = 4;

/// By CPU, the innermost last.
#[derive(Default)]
pub struct Handlers {
    by_cpu: HashMap<u16, Vec<Handler>>,
}

/// A handler that has begun.
pub struct Handler {
    pub timer: u64,
    /// In whose context.
    pub pid: Option<i32>,
    /// When the first handler of the same reading of the clock was called.
    pub first_ns: Ns,
    /// It wakes who started its timer.
    pub is_waking: bool,
    /// Until its sleeper is woken.
    pub expired: Option<Expired>,
    /// It has woken a task, whichever.
    pub has_woken: bool,
}

impl Handlers {
    /// Begins a handler. Nesting deeper than hardware allows means that ends are missing: it begins anew.
    pub fn enter(&mut self, cpu: u16, handler: Handler) {
        let handlers = self.by_cpu.entry(cpu).or_default();
        if handlers.len() >= MAX_NESTING {
            handlers.clear();
        }
        handlers.push(handler);
    }

    /// The handler that runs on `cpu` now.
    pub fn innermost(&mut self, cpu: u16) -> Option<&mut Handler> {
        self.by_cpu.get_mut(&cpu)?.last_mut()
    }

    /// Ends the handler of a timer, and those inside it.
    pub fn leave(&mut self, cpu: u16, timer: u64) -> Option<Handler> {
        let handlers = self.by_cpu.get_mut(&cpu)?;
        let at = handlers.iter().rposition(|handler| handler.timer == timer)?;
        handlers.drain(at..).next()
    }

    /// Ends those that ran in the context of a task that has left the CPU.
    pub fn leave_task(&mut self, cpu: u16, pid: i32) {
        if let Some(handlers) = self.by_cpu.get_mut(&cpu) {
            handlers.retain(|handler| handler.pid != Some(pid));
        }
    }

    /// Forgets the handlers of a CPU that lost events.
    pub fn forget(&mut self, cpu: u16) {
        self.by_cpu.remove(&cpu);
    }
}

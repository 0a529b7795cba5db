//! The instants between the stages of samples, kept as events come: what explanations look for around one case.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::moves::MAX_TASKS;
use crate::analyses::Event;
use crate::events::Decoded;

/// A recorded instant, and its number among all events that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    pub t_ns: i64,
    pub order: u64,
}

/// The number of wakings of a task whose timer handlers are remembered.
pub const WAKINGS_KEPT: usize = 8;
/// The number of exits from idle that are remembered for a CPU.
const IDLE_EXITS_KEPT: usize = 16;
/// Interrupts deeper than this count as one.
const MAX_DEPTH: usize = 64;
/// The number of wakings that may wait for the exit of an interrupt of a CPU.
const MAX_WOKEN: usize = 64;

/// The timer that woke a task: the interrupt around its handler, and the first handler of the same pass.
#[derive(Clone, Copy, Debug)]
pub struct TimerMarks {
    /// The waking.
    waking: u64,
    pub handler: Instant,
    pub first_handler: Instant,
    pub entry: Option<Instant>,
    pub exit: Option<Instant>,
    pub handler_exit: Option<Instant>,
}

/// The last call of a timer's handler on a CPU.
#[derive(Clone, Copy)]
struct Handler {
    at: Instant,
    first: Instant,
    now_ns: i64,
    entry: Option<Instant>,
    /// When the interrupt around it ended.
    exit: Option<Instant>,
}

#[derive(Default)]
struct CpuMarks {
    /// Interrupts that have not ended, the outermost first.
    open: Vec<Instant>,
    handler: Option<Handler>,
    idle_exits: VecDeque<Instant>,
    /// Tasks that were woken by a timer whose interrupt has not ended, by its entry, if it has any.
    woken: VecDeque<(Option<u64>, i32)>,
}

#[derive(Default)]
pub struct Marks {
    order: u64,
    cpus: HashMap<u16, CpuMarks>,
    wakings: HashMap<i32, VecDeque<TimerMarks>>,
}

impl Marks {
    /// Takes note of an event; its number.
    pub fn event(&mut self, event: &Event<'_>) -> Instant {
        self.order = self.order.saturating_add(1);
        let at = Instant { t_ns: event.t_ns.0, order: self.order };
        match &event.decoded {
            Decoded::InterruptEntry { .. } => {
                let cpu = self.cpus.entry(event.cpu).or_default();
                if cpu.open.len() < MAX_DEPTH {
                    cpu.open.push(at);
                }
            }
            Decoded::InterruptExit { .. } => self.leave(event.cpu, at),
            Decoded::TimerExpiry(expiry) => {
                let cpu = self.cpus.entry(event.cpu).or_default();
                let same_pass = cpu.handler.filter(|handler| handler.now_ns == expiry.now_ns);
                let first = same_pass.map_or(at, |handler| handler.first);
                let entry = cpu.open.last().copied();
                cpu.handler = Some(Handler { at, first, now_ns: expiry.now_ns, entry, exit: None });
            }
            Decoded::TimerDone { .. } => self.end_handlers(event.cpu, at),
            Decoded::CpuIdle { state: None } => {
                let exits = &mut self.cpus.entry(event.cpu).or_default().idle_exits;
                if exits.len() >= IDLE_EXITS_KEPT {
                    exits.pop_front();
                }
                exits.push_back(at);
            }
            Decoded::Waking(task) | Decoded::Wakeup(task) => self.wake(event.cpu, task.pid, at),
            _ => {}
        }
        at
    }

    fn wake(&mut self, cpu: u16, pid: i32, at: Instant) {
        let Some(cpu) = self.cpus.get_mut(&cpu) else { return };
        let Some(Handler { at: handler, first, entry, exit, .. }) = cpu.handler else { return };
        if self.wakings.len() >= MAX_TASKS && !self.wakings.contains_key(&pid) {
            return;
        }
        let wakings = self.wakings.entry(pid).or_default();
        if wakings.len() >= WAKINGS_KEPT {
            wakings.pop_front();
        }
        wakings.push_back(TimerMarks {
            waking: at.order,
            handler,
            first_handler: first,
            entry,
            exit,
            handler_exit: None,
        });
        if exit.is_none() {
            if cpu.woken.len() >= MAX_WOKEN {
                cpu.woken.pop_front();
            }
            cpu.woken.push_back((entry.map(|entry| entry.order), pid));
        }
    }

    fn leave(&mut self, cpu: u16, at: Instant) {
        let Some(cpu) = self.cpus.get_mut(&cpu) else { return };
        let Some(entry) = cpu.open.pop() else { return };
        if let Some(handler) = cpu.handler.as_mut().filter(|handler| handler.entry == Some(entry)) {
            handler.exit = Some(at);
        }
        let wakings = &mut self.wakings;
        cpu.woken.retain(|(of, pid)| {
            if *of != Some(entry.order) {
                return true;
            }
            let marks = wakings.get_mut(pid).into_iter().flatten();
            for marks in marks.filter(|marks| marks.entry == Some(entry) && marks.exit.is_none()) {
                marks.exit = Some(at);
            }
            false
        });
    }

    fn end_handlers(&mut self, cpu: u16, at: Instant) {
        let Some(cpu) = self.cpus.get_mut(&cpu) else { return };
        for (_, pid) in &cpu.woken {
            let marks = self.wakings.get_mut(pid).into_iter().flatten();
            for marks in marks.filter(|marks| marks.handler_exit.is_none()) {
                marks.handler_exit = Some(at);
            }
        }
        cpu.woken.retain(|(of, _)| of.is_some());
    }

    /// The timer that caused a waking, if it is known.
    pub fn timer_of(&self, pid: i32, waking: Instant) -> Option<TimerMarks> {
        self.wakings.get(&pid)?.iter().find(|marks| marks.waking == waking.order).copied()
    }

    /// The entry of the innermost interrupt in which a CPU is.
    pub fn open_entry(&self, cpu: u16) -> Option<Instant> {
        self.cpus.get(&cpu)?.open.last().copied()
    }

    /// When a CPU left idle the first time after an event.
    pub fn idle_exit(&self, cpu: u16, behind: u64) -> Option<Instant> {
        self.cpus.get(&cpu)?.idle_exits.iter().find(|exit| exit.order > behind).copied()
    }
}

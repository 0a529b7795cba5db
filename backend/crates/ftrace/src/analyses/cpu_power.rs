//! The idle state and the frequency of every CPU, for analyses that say what a task woke to.

use std::collections::BTreeMap;

use super::Event;
use crate::events::Decoded;
use crate::model::Ns;

/// A CPU that is not idle, as the kernel writes it: (u32)-1.
const NOT_IDLE: i64 = -1;

/// What is known of every CPU so far. It has to be given the roles `CpuIdle`, `PowerStart`, `PowerEnd` and
/// `CpuFrequency`.
#[derive(Default)]
pub struct CpuPower {
    cpus: BTreeMap<u16, State>,
}

#[derive(Default)]
struct State {
    khz: Option<i64>,
    /// The changes before and at `changed_ns`; nothing is known before the first.
    idle_state: Option<i64>,
    changed_ns: Ns,
    idle_state_before: Option<i64>,
}

impl CpuPower {
    /// Takes note of an event.
    pub fn event(&mut self, event: &Event<'_>) {
        match event.decoded {
            Decoded::CpuIdle { state } => {
                let cpu = self.cpus.entry(event.cpu).or_default();
                cpu.idle_state_before = cpu.idle_state;
                cpu.idle_state = Some(state.unwrap_or(NOT_IDLE));
                cpu.changed_ns = event.t_ns;
            }
            Decoded::CpuFrequency { cpu, khz } => {
                let cpu = cpu.and_then(|cpu| u16::try_from(cpu).ok()).unwrap_or(event.cpu);
                self.cpus.entry(cpu).or_default().khz = Some(khz);
            }
            _ => {}
        }
    }

    /// Nothing is known of `cpu` any more.
    pub fn gap(&mut self, cpu: u16) {
        self.cpus.remove(&cpu);
    }

    /// The last frequency of `cpu` that an event stated; `None` before the first one.
    pub fn frequency_khz(&self, cpu: u16) -> Option<i64> {
        self.cpus.get(&cpu)?.khz
    }

    /// The idle state of `cpu` at `t_ns`, which lies after the change before the last; -1 where it was
    /// not idle, `None` where that is not known.
    pub fn idle_state(&self, cpu: u16, t_ns: Ns) -> Option<i64> {
        let state = self.cpus.get(&cpu)?;
        if t_ns < state.changed_ns { state.idle_state_before } else { state.idle_state }
    }
}

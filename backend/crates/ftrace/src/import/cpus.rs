//! What is known of each CPU's time.

use std::collections::BTreeMap;

/// CPUs that have records.
#[derive(Default)]
pub struct Cpus {
    cpus: BTreeMap<u16, Cpu>,
}

#[derive(Clone, Copy)]
struct Cpu {
    known_since_ns: i64,
    last_ns: i64,
    /// The task of the last event.
    task: Option<u32>,
    is_after_gap: bool,
}

/// What a record's time means for its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub known_since_ns: i64,
    /// Time ran backwards: the time of the CPU's record before.
    pub stepped_back_from_ns: Option<i64>,
}

impl Cpus {
    /// Takes the time of an event on `cpu`.
    pub fn arrive(&mut self, cpu: u16, t_ns: i64) -> Arrival {
        let fresh = Cpu { known_since_ns: t_ns, last_ns: t_ns, task: None, is_after_gap: false };
        let state = self.cpus.entry(cpu).or_insert(fresh);
        let stepped_back_from_ns = (t_ns < state.last_ns && !state.is_after_gap).then_some(state.last_ns);
        if state.is_after_gap || stepped_back_from_ns.is_some() {
            *state = fresh;
        }
        state.last_ns = t_ns;
        Arrival { known_since_ns: state.known_since_ns, stepped_back_from_ns }
    }

    /// Takes the time of a line of a call graph, where a leaf stands behind what interrupted it.
    pub fn touch(&mut self, cpu: u16, t_ns: i64) {
        let fresh = Cpu { known_since_ns: t_ns, last_ns: t_ns, task: None, is_after_gap: false };
        let state = self.cpus.entry(cpu).or_insert(fresh);
        if state.is_after_gap {
            *state = fresh;
        }
        state.last_ns = state.last_ns.max(t_ns);
    }

    /// Nothing is known of `cpu` from its last record on, whose time is the answer, until the next.
    pub fn lose(&mut self, cpu: u16) -> Option<i64> {
        let state = self.cpus.get_mut(&cpu)?;
        state.is_after_gap = true;
        Some(state.last_ns)
    }

    /// The event that arrived last on `cpu` is one of `task`.
    pub fn set_task(&mut self, cpu: u16, task: Option<u32>) {
        if let Some(state) = self.cpus.get_mut(&cpu) {
            state.task = task;
        }
    }

    /// The task of the last event on `cpu`.
    pub fn last_task(&self, cpu: u16) -> Option<u32> {
        self.cpus.get(&cpu)?.task
    }

    pub fn last_record(&self, cpu: u16) -> Option<i64> {
        self.cpus.get(&cpu).map(|state| state.last_ns)
    }

    /// The last record of each CPU.
    pub fn last_records(&self) -> BTreeMap<u16, i64> {
        self.cpus.iter().map(|(cpu, state)| (*cpu, state.last_ns)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_and_a_step_back_begin_anew() {
        let mut cpus = Cpus::default();
        let arrival = |known_since_ns, stepped_back_from_ns| Arrival { known_since_ns, stepped_back_from_ns };
        assert_eq!(cpus.arrive(0, 10), arrival(10, None));
        assert_eq!(cpus.arrive(0, 20), arrival(10, None));
        assert_eq!(cpus.arrive(1, 15), arrival(15, None));
        assert_eq!(cpus.lose(0), Some(20));
        assert_eq!(cpus.arrive(0, 30), arrival(30, None));
        assert_eq!(cpus.arrive(0, 25), arrival(25, Some(30)));
        assert_eq!(cpus.arrive(0, 26), arrival(25, None));
        assert_eq!(cpus.lose(7), None);
    }
}

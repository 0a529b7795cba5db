//! Which intervals reach across a loss.

use std::collections::BTreeSet;

use super::Event;

/// CPUs of which events were lost.
#[derive(Default)]
pub struct Taint {
    cpus: BTreeSet<u16>,
}

impl Taint {
    pub fn gap(&mut self, cpu: u16) {
        self.cpus.insert(cpu);
    }

    /// True where events of the CPU of `end` were lost after `start_ns`.
    pub fn reaches(&self, start_ns: i64, end: &Event<'_>) -> bool {
        start_ns < end.known_since_ns && self.cpus.contains(&end.cpu)
    }
}

//! What is known of each CPU's time.

use std::collections::BTreeMap;

use crate::analyses::UnseenSwitch;
use crate::model::Ns;

/// CPUs that have records.
#[derive(Default)]
pub struct Cpus {
    cpus: BTreeMap<u16, Cpu>,
    /// By CPU: the switches that are missing since its last one.
    unseen: BTreeMap<u16, Vec<UnseenSwitch>>,
}

#[derive(Clone, Copy)]
struct Cpu {
    known_since_ns: Ns,
    last_ns: Ns,
    /// The time of the record before the last.
    before_ns: Ns,
    /// The task of the last event.
    task: Option<u32>,
    running: Option<Running>,
    /// How often it left its idle task, and whether that did anything but scheduling.
    idle_switches: u64,
    has_idle_work: bool,
    /// When its idle task had it last, and how often another task had it then without a switch.
    last_idle_ns: Option<Ns>,
    unseen_exits: u64,
    is_after_gap: bool,
}

/// A CPU that leaves its idle task so often shows what else that does.
const ENOUGH_SWITCHES: u64 = 5;

impl Cpu {
    fn new(t_ns: Ns) -> Self {
        Self {
            known_since_ns: t_ns,
            last_ns: t_ns,
            before_ns: t_ns,
            task: None,
            running: None,
            idle_switches: 0,
            has_idle_work: false,
            last_idle_ns: None,
            unseen_exits: 0,
            is_after_gap: false,
        }
    }
}

/// Who runs on a CPU after a switch, as the buffer that recorded the switch has it.
#[derive(Clone, Copy)]
struct Running {
    buffer: u8,
    pid: i32,
    /// The task before. Until the first event of the new one, events are still its own: the kernel records the
    /// switch a little earlier than it changes `current` (`__schedule` and `context_switch` in kernel/sched/core.c).
    prev_pid: Option<i32>,
}

/// The largest number of switches that are missing after each other, each of which is known.
const MAX_UNSEEN: usize = 16;

/// What a record's time means for its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub known_since_ns: Ns,
    /// Time ran backwards: the time of the CPU's record before.
    pub stepped_back_from_ns: Option<Ns>,
}

impl Cpus {
    /// Takes the time of an event on `cpu`.
    pub fn arrive(&mut self, cpu: u16, t_ns: Ns) -> Arrival {
        let fresh = Cpu::new(t_ns);
        let state = self.cpus.entry(cpu).or_insert(fresh);
        let stepped_back_from_ns = (t_ns < state.last_ns && !state.is_after_gap).then_some(state.last_ns);
        if state.is_after_gap || stepped_back_from_ns.is_some() {
            *state = fresh;
            self.unseen.remove(&cpu);
        }
        (state.before_ns, state.last_ns) = (state.last_ns, t_ns);
        Arrival { known_since_ns: state.known_since_ns, stepped_back_from_ns }
    }

    /// Takes the time of a line of a call graph, where a leaf follows what interrupted it.
    pub fn touch(&mut self, cpu: u16, t_ns: Ns) {
        let fresh = Cpu::new(t_ns);
        let state = self.cpus.entry(cpu).or_insert(fresh);
        if state.is_after_gap {
            *state = fresh;
            self.unseen.remove(&cpu);
        }
        (state.before_ns, state.last_ns) = (state.last_ns, state.last_ns.max(t_ns));
    }

    /// Nothing is known of `cpu` from its last record on, whose time is the answer, until the next.
    pub fn lose(&mut self, cpu: u16) -> Option<Ns> {
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

    /// An event says that `cpu` switches to the task `pid`. True where it ran another task than the one that it
    /// leaves: a task is left once, however long events are still its own.
    pub fn switch(&mut self, cpu: u16, buffer: u8, prev_pid: i32, pid: i32) -> bool {
        let Some(state) = self.cpus.get_mut(&cpu) else { return false };
        state.idle_switches = state.idle_switches.saturating_add(u64::from(prev_pid == 0));
        if pid == 0 {
            state.last_idle_ns = Some(state.last_ns);
        }
        let before = state.running.replace(Running { buffer, pid, prev_pid: Some(prev_pid) });
        before.is_some_and(|before| before.buffer == buffer && before.pid != prev_pid)
    }

    /// True where an event of a task shows that `cpu` was switched to it, or away from the task that it was switched to,
    /// without a record of that. Until its next switch, nothing more is said about it. `may_be_late` is true of an event that
    /// the task before may leave while it is being switched out.
    pub fn has_missed_switch(
        &mut self,
        number: u16,
        buffer: u8,
        seen: (i32, Option<u32>),
        may_be_late: bool,
    ) -> bool {
        let Some(cpu) = self.cpus.get_mut(&number) else { return false };
        let (pid, task) = seen;
        if pid == 0 {
            cpu.last_idle_ns = Some(cpu.last_ns);
        }
        let unseen = UnseenSwitch { pid, task, left_ns: cpu.before_ns, since_ns: cpu.last_ns };
        if let Some(known) = self.unseen.get_mut(&number)
            && known.last().is_some_and(|last| last.pid != pid)
        {
            // What is not kept apart is not known.
            if known.len() >= MAX_UNSEEN
                && let Some(last) = known.pop()
            {
                known.push(UnseenSwitch { left_ns: last.left_ns, ..unseen });
            } else {
                known.push(unseen);
            }
        }
        let Cpu { running: state @ Some(_), unseen_exits, .. } = cpu else { return false };
        let Some(running) = state.as_mut().filter(|running| running.buffer == buffer) else { return false };
        if running.pid == pid {
            running.prev_pid = None;
            return false;
        }
        let is_missed = running.prev_pid != Some(pid) || !may_be_late;
        if is_missed {
            *unseen_exits = unseen_exits.saturating_add(u64::from(running.pid == 0));
            *state = None;
            self.unseen.insert(number, vec![unseen]);
        }
        is_missed
    }

    /// Takes note of an event of the idle task that is none of the scheduler's.
    pub fn see_idle_work(&mut self, cpu: u16) {
        if let Some(state) = self.cpus.get_mut(&cpu) {
            state.has_idle_work = true;
        }
    }

    /// True where a filter leaves out tasks, as `trace-cmd record -F` and `set_event_pid` do: of the idle task it shows only
    /// that it wakes others and leaves the CPU to them, never the interrupt that let it do so, nor a timer.
    pub fn is_filtered(&self, cpu: u16) -> bool {
        let cpu = self.cpus.get(&cpu);
        cpu.is_some_and(|cpu| cpu.idle_switches >= ENOUGH_SWITCHES && !cpu.has_idle_work)
    }

    /// The last event on `cpu` says that the task `pid` had run for so long by then, as `sched_stat_runtime` does: it counts
    /// what ran since the task was switched to, or since it was counted before (kernel/sched/fair.c, `update_curr`).
    pub fn ran_for(&mut self, cpu: u16, pid: i32, ran_ns: Ns) {
        let Some(last_ns) = self.last_record(cpu) else { return };
        let last = self.unseen.get_mut(&cpu).and_then(|unseen| unseen.last_mut());
        if let Some(unseen) = last.filter(|unseen| unseen.pid == pid) {
            unseen.since_ns = unseen.since_ns.min((last_ns - ran_ns).max(unseen.left_ns));
        }
    }

    /// True where a task has `cpu` without a switch to it.
    pub fn has_unseen(&self, cpu: u16) -> bool {
        self.unseen.contains_key(&cpu)
    }

    /// The switches that are missing before one that is recorded now, away from the task `pid`, once; none where others have
    /// been seen on the CPU than the one that leaves it.
    pub fn take_unseen(&mut self, cpu: u16, pid: i32) -> Vec<UnseenSwitch> {
        let unseen = self.unseen.remove(&cpu).unwrap_or_default();
        if unseen.last().is_some_and(|last| last.pid == pid) { unseen } else { Vec::new() }
    }

    /// When the idle task had `cpu` last, where what it does of itself is not recorded: it stops the tick, starts it again
    /// for another time, and leaves the CPU to others.
    pub fn hidden_idle(&self, cpu: u16) -> Option<Ns> {
        let cpu = self.cpus.get(&cpu)?;
        cpu.last_idle_ns.filter(|_| cpu.unseen_exits > 0 && cpu.idle_switches == 0)
    }

    /// The task of the last event on `cpu`.
    pub fn last_task(&self, cpu: u16) -> Option<u32> {
        self.cpus.get(&cpu)?.task
    }

    /// The time of the CPU's last record; `None` where it has none.
    pub fn last_record(&self, cpu: u16) -> Option<Ns> {
        self.cpus.get(&cpu).map(|state| state.last_ns)
    }

    /// The last record of each CPU.
    pub fn last_records(&self) -> BTreeMap<u16, Ns> {
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
        assert_eq!(cpus.arrive(0, Ns(10)), arrival(Ns(10), None));
        assert_eq!(cpus.arrive(0, Ns(20)), arrival(Ns(10), None));
        assert_eq!(cpus.arrive(1, Ns(15)), arrival(Ns(15), None));
        assert_eq!(cpus.lose(0), Some(Ns(20)));
        assert_eq!(cpus.arrive(0, Ns(30)), arrival(Ns(30), None));
        assert_eq!(cpus.arrive(0, Ns(25)), arrival(Ns(25), Some(Ns(30))));
        assert_eq!(cpus.arrive(0, Ns(26)), arrival(Ns(25), None));
        assert_eq!(cpus.lose(7), None);
    }

    #[test]
    fn a_cpu_stays_with_the_task_that_it_switched_to() {
        let mut cpus = Cpus::default();
        cpus.arrive(0, Ns(10));
        assert!(!cpus.has_missed_switch(0, 0, (5, None), true), "nothing is known before the first switch");
        cpus.switch(0, 0, 5, 9);
        assert!(!cpus.has_missed_switch(0, 0, (5, None), true), "the task before is still current");
        assert!(!cpus.has_missed_switch(0, 0, (9, None), true));
        assert!(!cpus.has_missed_switch(0, 1, (7, None), true), "another instance need not record switches");
        assert!(!cpus.has_missed_switch(1, 0, (7, None), true));
        assert!(cpus.has_missed_switch(0, 0, (5, None), true), "it has ended by now");
        assert!(!cpus.has_missed_switch(0, 0, (7, None), true), "said once");
        cpus.switch(0, 0, 7, 8);
        assert!(cpus.has_missed_switch(0, 0, (7, None), false), "it runs again");
        cpus.switch(0, 0, 7, 8);
        assert!(cpus.switch(0, 0, 7, 8), "7 is left twice");
        assert!(!cpus.switch(0, 0, 8, 7));
        assert!(!cpus.switch(0, 1, 3, 8), "another instance has its own switches");
        cpus.lose(0);
        cpus.arrive(0, Ns(20));
        assert!(!cpus.has_missed_switch(0, 0, (3, None), true), "it may have switched in the gap");
    }
}

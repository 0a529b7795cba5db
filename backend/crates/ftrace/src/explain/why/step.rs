//! What becomes of a task, event by event.

use hashbrown::HashMap;

use crate::events::{Role, SLEEP_HANDLER};
use crate::explain::surroundings::{Seen, Surroundings};

/// What becomes of a task.
#[derive(Clone, Copy)]
pub struct Step<'s, 'a> {
    pub change: Change,
    pub event: &'s Seen<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It wants no CPU from now on.
    Blocks,
    Preempted,
    Woken,
    Runs,
}

impl Step<'_, '_> {
    /// True for a task that gave its CPU to the idle task in a state in which it could go on. If nobody wakes it before it
    /// runs again, it was throttled: an old tool prints idle threads of the kernel so, which sleep until a waking.
    pub fn is_runnable_for_idle(&self) -> bool {
        let switch = || self.event.switch().is_some_and(|switch| switch.prev_is_runnable());
        self.change == Change::Blocks && switch()
    }
}

/// What becomes of each task, in the order of the trace.
pub struct Steps<'s, 'a> {
    around: &'s Surroundings<'s, 'a>,
    /// Wakings are recorded at all.
    tells_wakings: bool,
    /// Switches are.
    tells_switches: bool,
    by_pid: HashMap<i32, Vec<Step<'s, 'a>>>,
    /// The last thing that a task did since it was woken, where nothing else shows that it ran.
    deeds: HashMap<i32, &'s Seen<'a>>,
}

impl<'s, 'a> Steps<'s, 'a> {
    pub fn new(around: &'s Surroundings<'s, 'a>, tells_wakings: bool) -> Self {
        let tells_switches = around.records("sched_switch");
        Self { around, tells_wakings, tells_switches, by_pid: HashMap::new(), deeds: HashMap::new() }
    }

    pub fn of(&self, pid: i32) -> &[Step<'s, 'a>] {
        self.by_pid.get(&pid).map(Vec::as_slice).unwrap_or_default()
    }

    /// True where a task waits for a CPU at a time: it was woken for that CPU, and does not run before it gets it.
    pub fn has_waiting(&self, cpu: i16, t_ns: i64) -> bool {
        self.by_pid.values().any(|steps| {
            let next = steps.partition_point(|step| step.event.t_ns < t_ns);
            let (before, behind) = steps.split_at(next);
            let woken = before.last().filter(|step| step.change == Change::Woken);
            let target = woken.and_then(|step| step.event.wakeup()?.target_cpu);
            let gets_it = behind.iter().find(|step| step.change == Change::Runs);
            target.is_some_and(|target| i16::try_from(target) == Ok(cpu))
                && gets_it.is_some_and(|step| step.event.cpu == cpu)
        })
    }

    /// Takes note of what a task does: where no switches are recorded, it runs, and if it is woken later, it slept from its
    /// last deed on.
    pub fn note_deed(&mut self, event: &'s Seen<'a>) {
        self.note_expiry(event);
        let is_deed = matches!(event.role, Some(Role::SyscallEnter | Role::SyscallExit | Role::HrtimerStart));
        if self.tells_switches || !is_deed || event.is_in_interrupt() {
            return;
        }
        let Some(pid) = self.around.pid(event.task_idx).filter(|pid| *pid != 0) else { return };
        if !self.deeds.contains_key(&pid) {
            self.add(pid, Step { change: Change::Runs, event });
        }
        self.deeds.insert(pid, event);
    }

    /// Takes note of a timer that wakes whoever started it last, where nothing of the scheduler is recorded.
    fn note_expiry(&mut self, event: &'s Seen<'a>) {
        if self.tells_switches || self.tells_wakings {
            return;
        }
        let Some(expiry) = event.timer_expiry().filter(|expiry| expiry.function == SLEEP_HANDLER) else {
            return;
        };
        let is_its = |deed: &Seen<'_>| deed.timer_start().is_some_and(|start| start.timer == expiry.timer);
        let sleeper = self.deeds.iter().find(|(_, deed)| is_its(deed)).map(|(pid, _)| *pid);
        if let Some(pid) = sleeper {
            self.add(pid, Step { change: Change::Woken, event });
        }
    }

    /// Adds what comes after everything that is known of a task.
    pub fn add(&mut self, pid: i32, step: Step<'s, 'a>) {
        if let Some(event) = self.deeds.remove(&pid).filter(|_| step.change == Change::Woken) {
            self.by_pid.entry(pid).or_default().push(Step { change: Change::Blocks, event });
        }
        let steps = self.by_pid.entry(pid).or_default();
        steps.push(step);
        let at = steps.len().saturating_sub(1);
        if step.change == Change::Runs {
            self.wanted_on(pid, at);
        }
    }

    /// Adds a run of a task that only an event of it shows, in its place.
    pub fn add_run(&mut self, pid: i32, event: &'s Seen<'a>) {
        let steps = self.by_pid.entry(pid).or_default();
        let at = steps.partition_point(|step| step.event.t_ns < event.t_ns);
        steps.insert(at, Step { change: Change::Runs, event });
        self.wanted_on(pid, at);
    }

    /// Who runs by its step `at`, though nobody woke it, was no sleeper before.
    fn wanted_on(&mut self, pid: i32, at: usize) {
        let Some(steps) = self.by_pid.get_mut(&pid) else { return };
        let Some(run_ns) = steps.get(at).map(|step| step.event.t_ns) else { return };
        let left = at.checked_sub(1).and_then(|before| steps.get_mut(before));
        let Some(left) = left.filter(|left| self.tells_wakings && left.is_runnable_for_idle()) else {
            return;
        };
        if !self.around.has_losses(left.event.t_ns, run_ns) {
            left.change = Change::Preempted;
        }
    }
}

/// When the longest wait of a task began that lies in [start, end]: from a waking out of its sleep to its next run.
pub fn longest_wait(steps: &[Step<'_, '_>], start_ns: i64, end_ns: i64) -> Option<i64> {
    let mut woken: Option<i64> = None;
    let mut is_asleep = false;
    let mut waits: Vec<(i64, i64)> = Vec::new();
    for Step { change, event } in steps {
        match change {
            Change::Woken if is_asleep => woken = woken.or(Some(event.t_ns)),
            Change::Woken => {}
            Change::Runs => waits.extend(woken.map(|since_ns| (since_ns, event.t_ns))),
            Change::Blocks | Change::Preempted => {}
        }
        if !matches!(change, Change::Woken) {
            (is_asleep, woken) = (*change == Change::Blocks, None);
        }
    }
    let inside = waits.iter().filter(|(from_ns, to_ns)| start_ns <= *from_ns && *to_ns <= end_ns);
    let longest = inside.max_by_key(|(from_ns, to_ns)| to_ns.saturating_sub(*from_ns));
    longest.map(|(from_ns, _)| *from_ns)
}

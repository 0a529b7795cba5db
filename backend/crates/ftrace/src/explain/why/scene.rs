//! What the links of a case are concluded from, gathered in one pass over the events around it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use super::mode::Mode;
use crate::analyses::SliceKind;
use crate::events::{Decoded, field_number};
use crate::explain::blame::{Held, held};
use crate::explain::case::Case;
use crate::explain::route::Leg;
use crate::explain::span::Span;
use crate::explain::surroundings::{Seen, Surroundings};

/// By CPU, and by the task whose own work is no delay.
type HeldByCpu<'a> = HashMap<(i16, Option<i32>), Vec<Held<'a>>>;

/// A case, what is recorded around it, and what its events say of CPUs and tasks.
pub struct Scene<'s, 'a> {
    pub case: &'s Case<'a>,
    pub around: &'s Surroundings<'s, 'a>,
    by_cpu: BTreeMap<i16, Vec<&'s Seen<'a>>>,
    by_pid: HashMap<i32, Vec<Step<'s, 'a>>>,
    prios: HashMap<i32, Vec<(i64, i32)>>,
    /// When the priority of a task changed for a lock, from what to what.
    boosts: HashMap<i32, Vec<(i64, i32, i32)>>,
    /// What had a CPU over the whole case, for whom: worked out once.
    held: RefCell<HeldByCpu<'a>>,
    /// When tasks ran on each CPU, in order, and which.
    runs: BTreeMap<i16, Vec<Span<'a>>>,
    kernel_threads: HashSet<i32>,
}

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

impl<'s, 'a> Scene<'s, 'a> {
    pub fn new(case: &'s Case<'a>, around: &'s Surroundings<'s, 'a>) -> Self {
        let mut scene = Self {
            case,
            around,
            by_cpu: BTreeMap::new(),
            by_pid: HashMap::new(),
            prios: HashMap::new(),
            boosts: HashMap::new(),
            held: RefCell::default(),
            runs: BTreeMap::new(),
            kernel_threads: around.started_kernel_threads(),
        };
        for event in around.earlier.iter().chain(&around.events) {
            scene.by_cpu.entry(event.cpu).or_default().push(event);
            scene.note(event);
        }
        for span in around.spans.iter().filter(|span| span.kind == SliceKind::Sched) {
            scene.runs.entry(span.cpu).or_default().push(*span);
        }
        for runs in scene.runs.values_mut() {
            runs.sort_unstable_by_key(|span| span.start_ns);
        }
        scene
    }

    fn note(&mut self, event: &'s Seen<'a>) {
        if let Some(switch) = event.switch() {
            for (task, change) in [
                (switch.prev, if switch.prev_is_runnable() { Change::Preempted } else { Change::Blocks }),
                (switch.next, Change::Runs),
            ] {
                self.state(task.pid, task.prio, change, event);
            }
        } else if let Some(task) = event.waking().or_else(|| event.wakeup()) {
            self.state(task.pid, task.prio, Change::Woken, event);
        } else if self.around.event_name(event) == "sched_pi_setprio" {
            self.boost(event);
        }
    }

    /// Nothing but the owner of a lock that more important tasks wait for changes its priority so.
    fn boost(&mut self, event: &'s Seen<'a>) {
        let number = |key: &str| i32::try_from(field_number("sched_pi_setprio", event.args, key)?).ok();
        let Some(((pid, old), new)) = number("pid").zip(number("oldprio")).zip(number("newprio")) else {
            return;
        };
        let prios = self.prios.entry(pid).or_default();
        if prios.is_empty() {
            prios.push((i64::MIN, old));
        }
        prios.push((event.t_ns, new));
        self.boosts.entry(pid).or_default().push((event.t_ns, old, new));
    }

    fn state(&mut self, pid: i32, prio: Option<i32>, change: Change, event: &'s Seen<'a>) {
        if pid == 0 {
            return;
        }
        self.by_pid.entry(pid).or_default().push(Step { change, event });
        if let Some(prio) = prio {
            self.prios.entry(pid).or_default().push((event.t_ns, prio));
        }
    }

    /// What has a CPU over a leg, front to back without a hole, as the blame of the case sees it.
    pub fn held(&self, leg: Leg, own_task_idx: Option<i32>) -> Vec<Held<'a>> {
        let (from_ns, to_ns) = (self.case.start_ns.min(leg.start_ns), self.case.end_ns().max(leg.end_ns));
        let mut known = self.held.borrow_mut();
        let whole = known.entry((leg.cpu, own_task_idx)).or_insert_with(|| {
            held(
                self.case,
                &Leg { cpu: leg.cpu, start_ns: from_ns, end_ns: to_ns },
                own_task_idx,
                self.around,
            )
        });
        let first = whole.partition_point(|held| held.end_ns <= leg.start_ns);
        let pieces = whole.get(first..).unwrap_or_default().iter();
        let pieces = pieces.take_while(|held| held.start_ns < leg.end_ns).map(|held| Held {
            start_ns: held.start_ns.max(leg.start_ns),
            end_ns: held.end_ns.min(leg.end_ns),
            ..*held
        });
        pieces.collect()
    }

    /// The events of a CPU in [start, end].
    pub fn events(&self, cpu: i16, start_ns: i64, end_ns: i64) -> &[&'s Seen<'a>] {
        let events = self.by_cpu.get(&cpu).map(Vec::as_slice).unwrap_or_default();
        let first = events.partition_point(|event| event.t_ns < start_ns);
        let end = events.partition_point(|event| event.t_ns <= end_ns);
        events.get(first..end.max(first)).unwrap_or_default()
    }

    /// The last event of a CPU up to a time.
    pub fn last_event(&self, cpu: i16, t_ns: i64) -> Option<&'s Seen<'a>> {
        self.events(cpu, i64::MIN, t_ns).last().copied()
    }

    /// What becomes of a task, in the order of the trace.
    pub fn steps(&self, pid: i32) -> &[Step<'s, 'a>] {
        self.by_pid.get(&pid).map(Vec::as_slice).unwrap_or_default()
    }

    /// The kernel's priority of a task at a time: as last stated until then, else as stated first.
    pub fn prio_at(&self, pid: i32, t_ns: i64) -> Option<i32> {
        let stated = self.prios.get(&pid)?;
        let until = stated.iter().take_while(|(at_ns, _)| *at_ns <= t_ns).last();
        until.or_else(|| stated.first()).map(|(_, prio)| *prio)
    }

    /// The priority that a task has lent from one that waits for it: what it had before.
    pub fn prio_before_boost(&self, pid: i32, t_ns: i64) -> Option<i32> {
        let boosts = self.boosts.get(&pid)?;
        let last = boosts.iter().take_while(|(at_ns, ..)| *at_ns <= t_ns).last();
        match last {
            Some((_, old, new)) => (new < old).then_some(*old),
            None => boosts.first().filter(|(_, old, new)| old < new).map(|(.., new)| *new),
        }
    }

    pub fn pid(&self, task_idx: i32) -> Option<i32> {
        self.around.pid(task_idx)
    }

    pub fn is_kernel_thread(&self, task_idx: i32) -> bool {
        let is_started_by_kernel = self.pid(task_idx).is_some_and(|pid| self.kernel_threads.contains(&pid));
        let comm = self.around.task(task_idx).map_or("", |task| task.comm);
        is_started_by_kernel || super::mode::is_kernel_thread_name(comm)
    }

    /// In which mode a task is that shows no event: only the kernel can switch interrupts off.
    pub fn mode(&self, task_idx: i32, t_ns: i64) -> Mode {
        if self.is_kernel_thread(task_idx) {
            return Mode::Kernel;
        }
        let of_task = |event: &&Seen<'a>| event.task_idx == task_idx;
        let events = self.around.earlier.iter().chain(&self.around.events);
        let mut calls = events.filter(of_task).filter_map(|event| match event.decoded()? {
            Decoded::SyscallEnter { .. } => Some((event.t_ns, true)),
            Decoded::SyscallExit { .. } => Some((event.t_ns, false)),
            _ => None,
        });
        let last = calls.by_ref().take_while(|(at_ns, _)| *at_ns <= t_ns).last();
        match last {
            Some((_, true)) => Mode::Kernel,
            // Outside of a call it is in user space only where every call is recorded.
            Some((_, false)) if self.around.records_all_syscalls() => Mode::User,
            _ => Mode::Unknown,
        }
    }

    /// The slice of a kind on a CPU in which a time lies: the innermost.
    pub fn span_at(&self, kind: SliceKind, cpu: i16, t_ns: i64) -> Option<&'s Span<'a>> {
        let at = |span: &&Span<'a>| {
            span.kind == kind && span.cpu == cpu && span.start_ns <= t_ns && t_ns < span.end_ns
        };
        self.around.spans.iter().filter(at).max_by_key(|span| span.start_ns)
    }

    /// A CPU other than `cpu` that nothing used in [start, end).
    pub fn idle_cpu(&self, cpu: i16, start_ns: i64, end_ns: i64) -> Option<i16> {
        let mut others =
            self.by_cpu.keys().copied().filter(|other| *other != cpu && self.around.is_switched(*other));
        others.find(|other| {
            let runs = self.runs.get(other).map(Vec::as_slice).unwrap_or_default();
            // Of one CPU, tasks run one after the other.
            let first = runs.partition_point(|span| span.end_ns <= start_ns);
            let is_busy = runs.get(first).is_some_and(|span| span.start_ns < end_ns);
            !is_busy && self.around.losses(*other).next().is_none()
        })
    }

    /// True where a task has run on a CPU, or was put into its queue.
    pub fn has_been_on(&self, task_idx: i32, cpu: i16) -> bool {
        self.runs.get(&cpu).is_some_and(|runs| runs.iter().any(|span| span.task_idx == task_idx))
    }

    /// True for a recording of a virtual machine, recognised by devices that only guests have.
    pub fn is_guest(&self) -> bool {
        self.around.has_symbol(|name| {
            ["virtio", "hyperv", "vmxnet", "xen-", "vmbus"].iter().any(|prefix| name.contains(prefix))
        })
    }
}

//! What the links of a case are concluded from, gathered in one pass over the events around it.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::held::held_by_all;
use super::mode::Mode;
use super::overdue::{Late, Overdue, late};
use super::priority::before_boost;
use super::runs::Runs;
pub use super::step::{Change, Step};
use super::step::{Steps, longest_wait};
use super::usual::{Usual, Usuals};
use crate::analyses::{Cause, SliceFlags, SliceKind};
use crate::events::{Decoded, Role, field_number};
use crate::explain::blame::Held;
use crate::explain::case::Case;
use crate::explain::route::{Leg, is_stopper_comm};
use crate::explain::span::Span;
use crate::explain::surroundings::{Seen, Surroundings};
use crate::model::Flags;

/// A case, what is recorded around it, and what its events say of CPUs and tasks.
pub struct Scene<'s, 'a> {
    pub case: &'s Case<'a>,
    pub around: &'s Surroundings<'s, 'a>,
    by_cpu: BTreeMap<i16, Vec<&'s Seen<'a>>>,
    pub steps: Steps<'s, 'a>,
    prios: HashMap<i32, Vec<(i64, i32)>>,
    /// When the priority of a task changed for a lock, from what to what.
    boosts: HashMap<i32, Vec<(i64, i32, i32)>>,
    /// What had a CPU over the whole case, worked out once; it is the same for all who waited for the CPU.
    held: RefCell<HashMap<i16, Vec<Held<'a>>>>,
    runs: Runs<'a>,
    kernel_threads: HashSet<i32>,
    /// True where wakings are recorded at all.
    pub tells_wakings: bool,
    pub usuals: Arc<Usuals>,
    /// By task: when it entered the kernel by a system call (true), and when it left it, in order.
    calls: OnceCell<HashMap<i32, Vec<(i64, bool)>>>,
    /// How little preemption was off at events of each type.
    least_depths: OnceCell<HashMap<i32, u32>>,
    late: RefCell<HashMap<i16, Late>>,
    /// When the stopper moved a task, and which, in order.
    stopper_moves: OnceCell<Vec<(i64, i32)>>,
    /// By CPU and time.
    frequencies: RefCell<HashMap<i16, Vec<(i64, i64)>>>,
}

/// Ticks that must be missing before nothing else explains it.
const MISSING_TICKS: i64 = 3;
/// As many periods of the fastest tick that kernels have, 1024 Hz.
pub const SHORTEST_SILENCE_NS: i64 = 2_929_000;

impl<'s, 'a> Scene<'s, 'a> {
    /// Reads every event around the case once, and sorts what it says by CPU and by task.
    pub fn new(case: &'s Case<'a>, around: &'s Surroundings<'s, 'a>) -> Self {
        let tells_wakings = ["sched_waking", "sched_wakeup"].into_iter().any(|name| around.records(name));
        let mut scene = Self {
            case,
            around,
            by_cpu: BTreeMap::new(),
            steps: Steps::new(around, tells_wakings),
            prios: HashMap::new(),
            boosts: HashMap::new(),
            held: RefCell::default(),
            runs: Runs::of(around.seen_spans()),
            kernel_threads: around.started_kernel_threads(),
            tells_wakings,
            usuals: around.usuals(),
            calls: OnceCell::new(),
            least_depths: OnceCell::new(),
            late: RefCell::default(),
            stopper_moves: OnceCell::new(),
            frequencies: RefCell::default(),
        };
        let earlier = around.earlier.iter().map(|event| (event, event.scheduled()));
        for (event, scheduled) in earlier.chain(around.scheduled()) {
            scene.by_cpu.entry(event.cpu).or_default().push(event);
            scene.note(event, scheduled);
        }
        for event in &around.later {
            scene.by_cpu.entry(event.cpu).or_default().push(event);
        }
        scene.see_unseen_runs();
        scene
    }

    /// Where no switch to a task is recorded, its first event shows that it runs.
    fn see_unseen_runs(&mut self) {
        let is_run =
            |span: &&Span<'_>| span.kind == SliceKind::Sched && span.flags.has_all(SliceFlags::BEGINS_UNSEEN);
        for run in self.around.seen_spans().filter(is_run) {
            let mut of_cpu = self.events(run.cpu, run.start_ns, run.end_ns).iter().copied();
            let first = of_cpu.find(|event| event.task_idx == run.task_idx);
            let Some((event, pid)) = first.zip(self.pid(run.task_idx)) else { continue };
            self.steps.add_run(pid, event);
        }
    }

    fn note(&mut self, event: &'s Seen<'a>, scheduled: Option<Decoded<'a>>) {
        match scheduled {
            Some(Decoded::Switch(switch)) => {
                // A task that gives the CPU to the idle task does not want it, whatever state an old tool prints.
                let wants_on = switch.prev_is_runnable() && switch.next.pid != 0;
                let left = if wants_on { Change::Preempted } else { Change::Blocks };
                self.state(switch.prev.pid, switch.prev.prio, left, event);
                self.state(switch.next.pid, switch.next.prio, Change::Runs, event);
            }
            Some(Decoded::Waking(task) | Decoded::Wakeup(task)) => {
                self.state(task.pid, task.prio, Change::Woken, event);
            }
            _ if self.around.event_name(event) == "sched_pi_setprio" => self.boost(event),
            _ => self.steps.note_deed(event),
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
        self.steps.add(pid, Step { change, event });
        if let Some(prio) = prio {
            self.prios.entry(pid).or_default().push((event.t_ns, prio));
        }
    }

    /// What has a CPU over a leg, front to back without a hole, as the blame of the case sees it.
    pub fn held(&self, leg: Leg, own_task_idx: Option<i32>) -> Vec<Held<'a>> {
        let (from_ns, to_ns) = (self.case.start_ns.min(leg.start_ns), self.case.end_ns().max(leg.end_ns));
        let mut known = self.held.borrow_mut();
        let whole = known
            .entry(leg.cpu)
            .or_insert_with(|| held_by_all(self, &Leg { cpu: leg.cpu, start_ns: from_ns, end_ns: to_ns }));
        let first = whole.partition_point(|held| held.end_ns <= leg.start_ns);
        let pieces = whole.get(first..).unwrap_or_default().iter();
        let pieces = pieces.take_while(|held| held.start_ns < leg.end_ns).map(|held| Held {
            start_ns: held.start_ns.max(leg.start_ns),
            end_ns: held.end_ns.min(leg.end_ns),
            cause: if held.is_of(own_task_idx) { Cause::Itself } else { held.cause },
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

    /// The events of all CPUs at a time, CPU by CPU.
    pub fn events_at(&self, t_ns: i64) -> impl Iterator<Item = &'s Seen<'a>> {
        self.by_cpu.keys().flat_map(move |cpu| self.events(*cpu, t_ns, t_ns)).copied()
    }

    /// The last event of a CPU up to a start and all up to an end, each with the one that follows it; but for those
    /// between which events are left out, of which nothing can be concluded.
    pub fn neighbours(
        &self,
        cpu: i16,
        (start_ns, end_ns): (i64, i64),
    ) -> impl DoubleEndedIterator<Item = [&'s Seen<'a>; 2]> + Clone {
        let events = self.by_cpu.get(&cpu).map(Vec::as_slice).unwrap_or_default();
        let first = events.partition_point(|event| event.t_ns <= start_ns).saturating_sub(1);
        let end = events.partition_point(|event| event.t_ns <= end_ns);
        let pairs = events.get(first..end).unwrap_or_default().windows(2).filter_map(|pair| match pair {
            [first, second] => Some([*first, *second]),
            _ => None,
        });
        pairs.filter(|[first, second]| !self.around.is_unseen_between(first.t_ns, second.t_ns))
    }

    /// The CPUs that have events around the case.
    pub fn cpus(&self) -> impl Iterator<Item = i16> {
        self.by_cpu.keys().copied()
    }

    /// The last event of a CPU up to a time.
    pub fn last_event(&self, cpu: i16, t_ns: i64) -> Option<&'s Seen<'a>> {
        self.events(cpu, i64::MIN, t_ns).last().copied()
    }

    /// What becomes of a task, in the order of the trace.
    pub fn steps(&self, pid: i32) -> &[Step<'s, 'a>] {
        self.steps.of(pid)
    }

    /// When the longest wait of a task began that lies in [start, end]: from a waking out of its sleep to its next run.
    pub fn wakeup_case(&self, pid: i32, start_ns: i64, end_ns: i64) -> Option<i64> {
        longest_wait(self.steps(pid), start_ns, end_ns).filter(|_| !self.around.has_losses(start_ns, end_ns))
    }

    /// The kernel's priority of a task at a time: as last stated until then, else as stated first.
    pub fn prio_at(&self, pid: i32, t_ns: i64) -> Option<i32> {
        let stated = self.prios.get(&pid)?;
        let until = stated.iter().take_while(|(at_ns, _)| *at_ns <= t_ns).last();
        until.or_else(|| stated.first()).map(|(_, prio)| *prio)
    }

    /// The kernel's priority of a task at a time; where no event around says it, the one that it mostly ran with.
    pub fn prio(&self, task_idx: i32, t_ns: i64) -> Option<i32> {
        let stated = self.pid(task_idx).and_then(|pid| self.prio_at(pid, t_ns));
        stated.or_else(|| self.around.task(task_idx)?.prio.map(i32::from))
    }

    /// Where a timer's interrupt was due in [start, end) of a CPU and did not come.
    pub fn late(&self, cpu: i16, start_ns: i64, end_ns: i64) -> Late {
        let mut known = self.late.borrow_mut();
        known.entry(cpu).or_insert_with(|| late(self, cpu)).inside(start_ns, end_ns)
    }

    /// Where something kept it away up to its interrupt, in order and apart.
    pub fn overdue(&self, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Overdue> {
        self.late(cpu, start_ns, end_ns).kept_away
    }

    /// True for a task that the stopper has moved to another CPU up to a time.
    pub fn is_moved_by_stopper(&self, pid: i32, until_ns: i64) -> bool {
        let moves = self.stopper_moves.get_or_init(|| {
            let is_stopper =
                |idx: i32| self.around.task(idx).is_some_and(|task| is_stopper_comm(task.comm.as_bytes()));
            let moves = self.around.events.iter().filter(|event| is_stopper(event.task_idx));
            moves.filter_map(|event| Some((event.t_ns, event.migration()?.pid))).collect()
        });
        moves.iter().take_while(|(at_ns, _)| *at_ns <= until_ns).any(|(_, moved)| *moved == pid)
    }

    /// True where a CPU runs at a time at less than its highest frequency that is recorded around the case.
    pub fn is_slow(&self, cpu: i16, t_ns: i64) -> bool {
        let mut known = self.frequencies.borrow_mut();
        let changes = known.entry(cpu).or_insert_with(|| self.around.frequencies_khz(cpu));
        let until = changes.partition_point(|(at_ns, _)| *at_ns <= t_ns);
        let now_khz = until.checked_sub(1).and_then(|last| changes.get(last)).map(|(_, khz)| *khz);
        let highest_khz = changes.iter().map(|(_, khz)| *khz).max();
        now_khz.zip(highest_khz).is_some_and(|(now_khz, highest_khz)| now_khz < highest_khz)
    }

    /// How far apart two such events are elsewhere.
    pub fn usual_gap(&self, events: [&Seen<'_>; 2], gap_ns: i64) -> Option<Usual> {
        self.usuals.gap(self.around, events, gap_ns)
    }

    /// True where a CPU may stand still although no event shows it: that of a guest, and where other stalls are
    /// recorded.
    pub fn may_stand_still(&self) -> bool {
        self.is_guest() || self.has_stalls()
    }

    /// True where CPUs are known to have stood still elsewhere in the recording around the case.
    pub fn has_stalls(&self) -> bool {
        self.usuals.has_stalls(self.around)
    }

    /// How long such an interrupt or softirq runs elsewhere.
    pub fn usual_run(&self, what: (SliceKind, i32), duration_ns: i64) -> Option<Usual> {
        self.usuals.run(self.around, what, duration_ns)
    }

    /// How late timers are elsewhere, of idle CPUs or of others.
    pub fn usual_expiry(&self, is_idle: bool, late_ns: i64) -> Option<Usual> {
        self.usuals.expiry(self.around, is_idle, late_ns)
    }

    /// How long other idle CPUs took to notice a wakeup.
    pub fn usual_notice(&self, duration_ns: i64) -> Option<Usual> {
        self.usuals.notice(self.around, duration_ns)
    }

    /// True where a busy CPU cannot be silent for so long unless its tick is kept away: several are missing.
    pub fn is_without_ticks(&self, silence_ns: i64) -> bool {
        if silence_ns < SHORTEST_SILENCE_NS {
            return false;
        }
        let tick_ns = self.usuals.tick_ns(self.around);
        tick_ns.is_some_and(|tick_ns| silence_ns >= tick_ns.saturating_mul(MISSING_TICKS))
    }

    /// What a task's own priority is while it has a higher one lent from those that wait for it.
    pub fn prio_before_boost(&self, pid: i32, t_ns: i64) -> Option<i32> {
        before_boost(self.boosts.get(&pid)?, t_ns)
    }

    /// The pid of a task that is none of the idle ones.
    pub fn pid(&self, task_idx: i32) -> Option<i32> {
        self.around.pid(task_idx)
    }

    /// True where the kernel started the task, or where its name is one that only kernel threads have.
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
        let calls = self.calls.get_or_init(|| self.calls());
        let calls = calls.get(&task_idx).map(Vec::as_slice).unwrap_or_default();
        let until = calls.partition_point(|(at_ns, _)| *at_ns <= t_ns);
        let is_entry = |at: usize| calls.get(at).map(|(_, is_entry)| *is_entry);
        let (last, next) = (until.checked_sub(1).and_then(is_entry), is_entry(until));
        match (last, next) {
            (Some(true), _) | (None, Some(false)) => Mode::Kernel,
            // Outside of a call it is in user space only where every call is recorded.
            (Some(false), _) | (None, Some(true)) if self.around.records_all_syscalls() => Mode::User,
            _ => Mode::Unknown,
        }
    }

    fn calls(&self) -> HashMap<i32, Vec<(i64, bool)>> {
        let mut calls: HashMap<i32, Vec<(i64, bool)>> = HashMap::new();
        for event in self.around.earlier.iter().chain(&self.around.events) {
            let is_entry = match event.role {
                Some(Role::SyscallEnter) => true,
                Some(Role::SyscallExit) => false,
                _ => continue,
            };
            calls.entry(event.task_idx).or_default().push((event.t_ns, is_entry));
        }
        calls.values_mut().for_each(|calls| calls.sort_by_key(|(at_ns, _)| *at_ns));
        calls
    }

    /// True where an interrupt came into the kernel: preemption was off, which shows by a depth that other such
    /// events do not have.
    pub fn interrupts_kernel(&self, event: &Seen<'_>) -> bool {
        let depth = |event: &Seen<'_>| Flags(event.flags.cast_unsigned()).preempt_depth();
        let least = self.least_depths.get_or_init(|| {
            let mut least = HashMap::new();
            for event in self.around.earlier.iter().chain(&self.around.events) {
                let of_type = least.entry(event.type_idx).or_insert_with(|| depth(event));
                *of_type = depth(event).min(*of_type);
            }
            least
        });
        event.begins_interrupt() && least.get(&event.type_idx).is_some_and(|least| *least < depth(event))
    }

    /// The slice of a kind on a CPU in which a time lies: the innermost.
    pub fn span_at(&self, kind: SliceKind, cpu: i16, t_ns: i64) -> Option<&'s Span<'a>> {
        let at = |span: &&Span<'a>| {
            span.kind == kind && span.cpu == cpu && span.start_ns <= t_ns && t_ns < span.end_ns
        };
        self.around.seen_spans().filter(at).max_by_key(|span| span.start_ns)
    }

    /// A CPU other than `cpu` that nothing used in [start, end).
    pub fn idle_cpu(&self, cpu: i16, start_ns: i64, end_ns: i64) -> Option<i16> {
        let mut others =
            self.by_cpu.keys().copied().filter(|other| *other != cpu && self.around.is_switched(*other));
        others.find(|other| {
            !self.runs.is_busy(*other, start_ns, end_ns) && self.around.losses(*other).next().is_none()
        })
    }

    /// The other one, where the events around the case are of two CPUs.
    pub fn other_cpu(&self, cpu: i16) -> Option<i16> {
        let mut others = self.by_cpu.keys().copied().filter(|other| *other != cpu);
        others.next().filter(|_| others.next().is_none())
    }

    /// True where a task had a CPU in [start, end). Runs are known where events are left out, too.
    pub fn ran_between(&self, task_idx: i32, start_ns: i64, end_ns: i64) -> bool {
        self.runs.has_run(task_idx, start_ns, end_ns)
    }

    /// True where a task has run on a CPU, or was put into its queue.
    pub fn has_been_on(&self, task_idx: i32, cpu: i16) -> bool {
        self.runs.has_been_on(task_idx, cpu)
    }

    /// True for a recording of a virtual machine, recognised by devices that only guests have.
    pub fn is_guest(&self) -> bool {
        self.around.is_guest()
    }
}

//! What each task does while it has no CPU: it is runnable, preempted or blocked. What it does while it has one
//! are the sched slices; together they tile the time that is known of a task.

use hashbrown::{HashMap, HashSet};

use super::{Analysis, AnalysisEntry, Emit, Event, Gap, Slice, SliceFlags, SliceKind, TaskState, TraceEnd};
use crate::events::{Decoded, Role, Switch, WakenTask};
use crate::model::{Flags, Limits, Ns, ReadError, TaskRef};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "task_states",
    title: "States of tasks",
    needs: &[&["sched_switch"]],
    roles: &[
        Role::SchedSwitch,
        Role::SchedWaking,
        Role::SchedWakeup,
        Role::HrtimerExpireEntry,
        Role::HrtimerExpireExit,
        Role::LockContention,
    ],
    start: |limits| Box::new(TaskStates::new(limits)),
};

/// Gaps whose start is remembered; of what is cut by later ones, the end is not known.
const MAX_GAPS: usize = 1 << 20;

struct TaskStates {
    max_tasks: usize,
    tasks: HashMap<i32, Since>,
    /// Tasks that wait for a contended lock of the kernel.
    contending: HashSet<i32>,
    /// CPUs in the handler of an hrtimer.
    in_timer: HashSet<u16>,
    /// Where the gaps of all CPUs began, in their order: past one, any task may have been switched there.
    gap_starts: Vec<Ns>,
    gap_count: usize,
}

/// A task, and how many gaps there were when its state began.
#[derive(Clone, Copy)]
struct Since {
    doing: Doing,
    task: Option<u32>,
    since_ns: Ns,
    cpu: u16,
    gap_count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Running,
    Runnable,
    Preempted,
    Blocked(Sleep),
}

/// How a task sleeps, by the records of its own CPU.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sleep {
    Interruptible,
    Uninterruptible,
    OnLock,
}

impl TaskStates {
    fn new(limits: &Limits) -> Self {
        Self {
            max_tasks: limits.max_tasks,
            tasks: HashMap::new(),
            contending: HashSet::new(),
            in_timer: HashSet::new(),
            gap_starts: Vec::new(),
            gap_count: 0,
        }
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let (prev, next) = (switch.prev, switch.next);
        if prev.pid != 0 {
            let task = self.task_of(event.cpu, prev.pid, prev.comm, emit)?;
            let before = self.tasks.get(&prev.pid).copied();
            if let Some((known, unseen)) = before.zip(event.unseen.last()) {
                emit_state(Since { task, ..known }, unseen.left_ns, None, SliceFlags::HAS_GAP, emit)?;
            }
            match self.doing_after(switch) {
                Some(doing) => self.begin(prev.pid, task, doing, event),
                None => drop(self.tasks.remove(&prev.pid)),
            }
        }
        if next.pid == 0 {
            return Ok(());
        }
        let before = self.tasks.get(&next.pid).copied();
        let task = self.task_of(event.cpu, next.pid, next.comm, emit)?;
        self.begin(next.pid, task, Doing::Running, event);
        // Where wakeups are not recorded, a task that slept counts as asleep until it runs.
        before.map_or(Ok(()), |known| self.end(Since { task, ..known }, event.t_ns, None, emit))
    }

    /// What a task that leaves its CPU does from then on; `None` for one that ends.
    fn doing_after(&self, switch: &Switch<'_>) -> Option<Doing> {
        if switch.prev_is_runnable() {
            return Some(Doing::Preempted);
        }
        match switch.prev_state.first() {
            Some(b'X' | b'Z') => None,
            _ if self.contending.contains(&switch.prev.pid) => Some(Doing::Blocked(Sleep::OnLock)),
            Some(b'D') => Some(Doing::Blocked(Sleep::Uninterruptible)),
            _ => Some(Doing::Blocked(Sleep::Interruptible)),
        }
    }

    fn wake(
        &mut self,
        event: &Event<'_>,
        woken: &WakenTask<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let before = self.tasks.get(&woken.pid).copied();
        // Past a gap it may have been anything.
        let is_awake =
            |known: Since| known.gap_count == self.gap_count && !matches!(known.doing, Doing::Blocked(_));
        if woken.pid == 0 || before.is_some_and(is_awake) {
            return Ok(());
        }
        if let Some(before) = before {
            self.end(before, event.t_ns, self.waker(event), emit)?;
        }
        // A task that is seen for the first time gets its number when it runs: one that never does has no lane.
        self.begin(woken.pid, before.and_then(|known| known.task), Doing::Runnable, event);
        Ok(())
    }

    /// What ended a sleep, where the context of the waking shows it.
    fn waker(&self, event: &Event<'_>) -> Option<&'static [u8]> {
        let flags = event.flags;
        if self.in_timer.contains(&event.cpu) {
            Some(b"blocked (timer)")
        } else if flags.has(Flags::HARDIRQ) {
            Some(b"blocked (interrupt)")
        } else if flags.has(Flags::SOFTIRQ) {
            Some(b"blocked (softirq)")
        } else {
            None
        }
    }

    fn begin(&mut self, pid: i32, task: Option<u32>, doing: Doing, event: &Event<'_>) {
        let is_full = self.tasks.len() >= self.max_tasks && !self.tasks.contains_key(&pid);
        if !is_full {
            let gap_count = self.gap_count;
            let known = Since { doing, task, since_ns: event.t_ns, cpu: event.cpu, gap_count };
            self.tasks.insert(pid, known);
        }
    }

    /// Tells a state that has ended; of one with a gap in it, only what comes before.
    fn end(
        &self,
        known: Since,
        t_ns: Ns,
        waker: Option<&'static [u8]>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if known.gap_count == self.gap_count {
            return emit_state(known, t_ns, waker, SliceFlags::default(), emit);
        }
        match self.gap_starts.get(known.gap_count) {
            Some(gap_ns) => emit_state(known, t_ns.min(*gap_ns), None, SliceFlags::HAS_GAP, emit),
            None => Ok(()),
        }
    }

    fn task_of(
        &self,
        cpu: u16,
        pid: i32,
        comm: &[u8],
        emit: &mut dyn Emit,
    ) -> Result<Option<u32>, ReadError> {
        match self.tasks.get(&pid).and_then(|known| known.task) {
            Some(task) => Ok(Some(task)),
            None => emit.task(cpu, TaskRef { pid: Some(pid), comm, tgid: None }),
        }
    }
}

impl Analysis for TaskStates {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Switch(switch) => return self.switch(event, switch, emit),
            Decoded::Waking(woken) | Decoded::Wakeup(woken) => return self.wake(event, woken, emit),
            Decoded::TimerExpiry(_) => drop(self.in_timer.insert(event.cpu)),
            Decoded::TimerDone { .. } => drop(self.in_timer.remove(&event.cpu)),
            Decoded::LockContention { begins } => match event.pid {
                Some(pid) if *begins && self.contending.len() < self.max_tasks => {
                    self.contending.insert(pid);
                }
                Some(pid) => drop(self.contending.remove(&pid)),
                None => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.in_timer.remove(&gap.cpu);
        self.contending.clear();
        self.gap_count = self.gap_count.saturating_add(1);
        if self.gap_starts.len() < MAX_GAPS {
            self.gap_starts.push(gap.start_ns);
        }
        Ok(())
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let mut open: Vec<Since> = std::mem::take(&mut self.tasks).into_values().collect();
        open.sort_by_key(|known| (known.since_ns, known.task));
        for known in open {
            if known.gap_count == self.gap_count {
                emit_state(known, end.t_ns, None, SliceFlags::CUT_AT_END, emit)?;
            } else {
                self.end(known, end.t_ns, None, emit)?;
            }
        }
        Ok(())
    }
}

/// A slice of a state without a CPU: nothing, where no time of it is known.
fn emit_state(
    known: Since,
    end_ns: Ns,
    waker: Option<&'static [u8]>,
    flags: SliceFlags,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    let (state, name): (TaskState, &[u8]) = match known.doing {
        Doing::Running => return Ok(()),
        Doing::Runnable => (TaskState::Runnable, b"runnable"),
        Doing::Preempted => (TaskState::Preempted, b"preempted"),
        Doing::Blocked(Sleep::OnLock) => (TaskState::Blocked, b"blocked (lock)"),
        Doing::Blocked(Sleep::Uninterruptible) => (TaskState::Blocked, b"blocked (uninterruptible)"),
        Doing::Blocked(Sleep::Interruptible) => (TaskState::Blocked, waker.unwrap_or(b"blocked")),
    };
    if known.since_ns >= end_ns || known.task.is_none() {
        return Ok(());
    }
    let symbol = Some(emit.symbol(name)?);
    let slice = Slice::new(SliceKind::Task, known.cpu, known.since_ns, end_ns);
    emit.slice(&Slice { task: known.task, symbol, depth: state.code(), flags, ..slice })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_task_states as check;

    #[test]
    fn a_sleeper_is_blocked_until_it_is_woken_and_runnable_until_it_runs() {
        check(
            "
            rt-9     [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] d.h1. 1.000030: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=3000
            <idle>-0 [0] d.h1. 1.000031: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            <idle>-0 [0] d.h1. 1.000032: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=000
            <idle>-0 [0] d.h1. 1.000033: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [0] 1.000035: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000040: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=D ==> next_comm=sh next_pid=7 next_prio=120
            ",
            expect![[r#"
                task cpu 0 rt-9 blocked (timer) depth 3 start 0 duration 21000
                task cpu 0 rt-9 runnable depth 1 start 21000 duration 4000
            "#]],
        );
    }

    #[test]
    fn who_loses_the_cpu_is_preempted_and_who_never_comes_back_is_cut() {
        check(
            "
            sh-7 [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            rt-9 [0] 1.000035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=D ==> next_comm=sh next_pid=7 next_prio=120
            sh-7 [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ab-8 [1] 1.000050: sched_waking: comm=ab pid=8 prio=89 target_cpu=000
            ",
            expect![[r#"
                task cpu 0 sh-7 preempted depth 2 start 0 duration 25000
                task cpu 0 rt-9 blocked (uninterruptible) depth 3 start 25000 duration 15000 cut-at-end
            "#]],
        );
    }

    #[test]
    fn a_loss_ends_what_is_known_of_those_without_a_cpu() {
        check(
            "
            rt-9     [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [1] 1.000020: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
            LOST     [1]
            <idle>-0 [1] 1.000050: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            <idle>-0 [0] 1.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            ",
            expect![[r#"
                task cpu 0 rt-9 blocked depth 3 start 0 duration 10000 gap
                task cpu 1 rt-9 runnable depth 1 start 40000 duration 10000
            "#]],
        );
    }

    #[test]
    fn a_contended_lock_is_told() {
        check(
            "
            rt-9 [0] 1.000005: contention_begin: 00000000000000aa (flags=SPIN)
            rt-9 [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=D ==> next_comm=sh next_pid=7 next_prio=120
            sh-7 [0] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] 1.000021: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            rt-9 [0] 1.000022: contention_end: 00000000000000aa (ret=0)
            ",
            expect![[r#"
                task cpu 0 rt-9 blocked (lock) depth 3 start 5000 duration 10000
                task cpu 0 rt-9 runnable depth 1 start 15000 duration 1000
                task cpu 0 sh-7 preempted depth 2 start 16000 duration 1000 cut-at-end
            "#]],
        );
    }
}

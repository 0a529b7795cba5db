//! The tasks of a trace and the best name known for each.

use hashbrown::HashMap;

use crate::model::{ReadError, Recent, TaskRef};
use crate::store::tables::TASK;
use crate::store::writer::TableWriter;

use super::narrow;

/// The kernel keeps 15 bytes; a text can hold more, but no more than this is kept.
const MAX_COMM_BYTES: usize = 256;
/// Widths to which the layouts cut a comm: the graph's task column, and latency format.
const CUT_WIDTHS: [usize; 2] = [7, 8];

/// How far a name can be relied on to be the one that the task had when it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSource {
    /// The context of a record, a banner, or the saved cmdlines: looked up when the trace is read, so that it may
    /// be a name that the task took after the recording, or that of a later task with its pid.
    Context,
    /// An event's arguments: the name at that moment.
    Moment,
}

/// The answer to a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskIndex {
    Known(u32),
    /// Seen for the first time, or with a name for the first time.
    Named(u32),
    /// One of those past the limit, which share an index.
    Shared(u32),
    /// The record names no task.
    Unnamed,
}

struct Task {
    pid: Option<i32>,
    /// The CPU of an idle task; of a task that nothing has named, the CPU where it was seen.
    cpu: u16,
    tgid: Option<i32>,
    comm: Box<[u8]>,
    source: NameSource,
    event_count: i64,
    priorities: Priorities,
}

/// Priorities that a task was seen with, and how often each; few tasks have more than two.
#[derive(Default)]
struct Priorities(Vec<(i16, u32)>);

/// What is boosted through more priorities than this is counted under the first ones.
const MOST_PRIORITIES: usize = 8;

impl Priorities {
    fn count(&mut self, prio: i16) {
        if let Some((_, count)) = self.0.iter_mut().find(|(known, _)| *known == prio) {
            *count = count.saturating_add(1);
        } else if self.0.len() < MOST_PRIORITIES {
            self.0.push((prio, 1));
        }
    }

    /// The most frequent one, among equal ones the higher priority: being boosted or setting oneself up is brief.
    fn usual(&self) -> Option<i16> {
        self.0.iter().max_by_key(|(prio, count)| (*count, std::cmp::Reverse(*prio))).map(|(prio, _)| *prio)
    }
}

/// Tasks by index. Idle is one task per CPU; any other is one per pid.
pub struct Tasks {
    max_tasks: usize,
    by_pid: HashMap<i32, u32>,
    recent: Recent<i32, u32>,
    idle_by_cpu: HashMap<u16, u32>,
    by_comm: HashMap<Box<[u8]>, u32>,
    tasks: Vec<Task>,
    shared: Option<u32>,
}

impl Tasks {
    pub fn new(max_tasks: usize) -> Self {
        Self {
            max_tasks,
            by_pid: HashMap::new(),
            recent: Recent::default(),
            idle_by_cpu: HashMap::new(),
            by_comm: HashMap::new(),
            tasks: Vec::new(),
            shared: None,
        }
    }

    /// The index of a task: by its pid, of idle tasks by the CPU, without a pid by its name. A name from a better
    /// source replaces the one before.
    pub fn intern(&mut self, cpu: u16, task: TaskRef<'_>, source: NameSource) -> TaskIndex {
        let known = match task.pid {
            Some(0) => self.idle_by_cpu.get(&cpu).copied(),
            Some(pid) => self.recent.get_or(cpu, pid, || self.by_pid.get(&pid).copied()),
            None if task.comm.is_empty() => return TaskIndex::Unnamed,
            None => self.by_comm.get(task.comm).copied(),
        };
        let Some(idx) = known else { return self.add(cpu, task, source) };
        let Some(known) = self.task_mut(idx) else { return TaskIndex::Unnamed };
        known.tgid = task.tgid.or(known.tgid);
        if known.offer_comm(task.comm, source) { TaskIndex::Named(idx) } else { TaskIndex::Known(idx) }
    }

    /// The name that the saved cmdlines have for a task of the whole file.
    pub fn rename(&mut self, pid: i32, comm: &[u8]) {
        // An idle task has the one name that it is given on `add`.
        if let Some(task) = self.by_pid.get(&pid).copied().and_then(|idx| self.task_mut(idx)) {
            task.offer_comm(comm, NameSource::Context);
        }
    }

    /// The task that was given a negative pid, because nothing had named it, is `task`.
    pub fn resolve(&mut self, placeholder_pid: i32, task: TaskRef<'_>) {
        let Some(idx) = self.by_pid.remove(&placeholder_pid) else { return };
        self.recent = Recent::default();
        let Some(known) = self.task_mut(idx) else { return };
        known.pid = task.pid;
        known.tgid = task.tgid.or(known.tgid);
        let cpu = known.cpu;
        match task.pid {
            Some(0) => {
                known.comm = IDLE_COMM.into();
                self.idle_by_cpu.entry(cpu).or_insert(idx);
            }
            Some(pid) => {
                known.offer_comm(task.comm, NameSource::Context);
                // Where the pid has an index already, both stand for the one task.
                self.by_pid.entry(pid).or_insert(idx);
            }
            None => {}
        }
    }

    /// The pid of a task, 0 for the idle ones.
    pub fn pid(&self, idx: u32) -> Option<i32> {
        self.task(idx)?.pid
    }

    /// The last name of the task, as bytes.
    pub fn comm(&self, idx: u32) -> Option<&[u8]> {
        self.task(idx).map(|task| &*task.comm)
    }

    /// The priority that it was seen with most often.
    pub fn usual_prio(&self, idx: u32) -> Option<i16> {
        self.task(idx)?.priorities.usual()
    }

    /// The index of the task with this pid; `None` for 0, because every CPU has an idle task of its own.
    pub fn index_of_pid(&self, pid: i32) -> Option<u32> {
        self.by_pid.get(&pid).copied()
    }

    pub fn count_event(&mut self, idx: u32) {
        if let Some(task) = self.task_mut(idx) {
            task.event_count = task.event_count.saturating_add(1);
        }
    }

    /// The task was switched to, or woken, with this priority.
    pub fn seen_with(&mut self, idx: u32, prio: i32) {
        if let (Ok(prio), Some(task)) = (i16::try_from(prio), self.task_mut(idx)) {
            task.priorities.count(prio);
        }
    }

    /// Writes one row a task, in the order of the first record of each.
    pub fn write(&self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for (idx, task) in (0_i32..).zip(&self.tasks) {
            writer.row(&TASK, |row| {
                // A negative pid is a placeholder that nothing has named.
                let pid = task.pid.filter(|pid| *pid >= 0);
                let cpu = (pid == Some(0)).then(|| narrow(task.cpu));
                row.int(idx).optional_int(pid).optional_int(cpu).optional_int(task.tgid);
                row.text(&task.comm).int(task.event_count);
                // The idle task has the number of nice 0, and competes with nobody.
                row.optional_int(task.priorities.usual().filter(|_| pid.is_some_and(|pid| pid > 0)));
            })?;
        }
        Ok(())
    }

    fn add(&mut self, cpu: u16, task: TaskRef<'_>, source: NameSource) -> TaskIndex {
        if let Some(shared) = self.shared {
            return TaskIndex::Shared(shared);
        }
        let idx = u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        if self.tasks.len() >= self.max_tasks {
            self.shared = Some(idx);
            self.tasks.push(Task::new(
                cpu,
                TaskRef { pid: None, comm: b"(other tasks)", tgid: None },
                source,
            ));
            return TaskIndex::Shared(idx);
        }
        let comm = if task.pid == Some(0) { IDLE_COMM } else { cut(task.comm) };
        self.tasks.push(Task::new(cpu, TaskRef { comm, ..task }, source));
        match task.pid {
            Some(0) => self.idle_by_cpu.insert(cpu, idx),
            Some(pid) => self.by_pid.insert(pid, idx),
            None => self.by_comm.insert(task.comm.into(), idx),
        };
        TaskIndex::Named(idx)
    }

    fn task(&self, idx: u32) -> Option<&Task> {
        self.tasks.get(usize::try_from(idx).ok()?)
    }

    fn task_mut(&mut self, idx: u32) -> Option<&mut Task> {
        self.tasks.get_mut(usize::try_from(idx).ok()?)
    }
}

/// What the kernel prints for pid 0, whose own name is `swapper/0`.
const IDLE_COMM: &[u8] = b"<idle>";

impl Task {
    fn new(cpu: u16, task: TaskRef<'_>, source: NameSource) -> Self {
        let priorities = Priorities::default();
        Self {
            pid: task.pid,
            cpu,
            tgid: task.tgid,
            comm: task.comm.into(),
            source,
            event_count: 0,
            priorities,
        }
    }

    /// Takes a name that is better than the one known. True where the name is another one now.
    fn offer_comm(&mut self, comm: &[u8], source: NameSource) -> bool {
        let comm = cut(comm);
        if comm.is_empty() || self.pid == Some(0) {
            return false;
        }
        if *self.comm == *comm {
            self.source = self.source.max(source);
            return false;
        }
        let is_cut = CUT_WIDTHS.contains(&comm.len()) && self.comm.starts_with(comm);
        let was_cut = CUT_WIDTHS.contains(&self.comm.len()) && comm.starts_with(&self.comm);
        let is_better = self.comm.is_empty() || was_cut || source >= self.source;
        if is_cut || !is_better {
            return false;
        }
        self.comm = comm.into();
        self.source = source;
        true
    }
}

fn cut(comm: &[u8]) -> &[u8] {
    comm.get(..MAX_COMM_BYTES).unwrap_or(comm)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(pid: i32, comm: &str) -> TaskRef<'_> {
        TaskRef { pid: Some(pid), comm: comm.as_bytes(), tgid: None }
    }

    fn comm(tasks: &Tasks, idx: u32) -> String {
        String::from_utf8(tasks.tasks[idx as usize].comm.to_vec()).unwrap()
    }

    #[test]
    fn idle_is_one_task_per_cpu() {
        let mut tasks = Tasks::new(10);
        assert_eq!(tasks.intern(0, task(0, "<idle>"), NameSource::Context), TaskIndex::Named(0));
        assert_eq!(tasks.intern(1, task(0, "swapper/1"), NameSource::Moment), TaskIndex::Named(1));
        assert_eq!(tasks.intern(0, task(0, "swapper/0"), NameSource::Moment), TaskIndex::Known(0));
        assert_eq!((comm(&tasks, 0), comm(&tasks, 1)), ("<idle>".into(), "<idle>".into()));
    }

    #[test]
    fn a_pid_has_one_index_on_whatever_cpu() {
        let mut tasks = Tasks::new(10);
        let mut index_of = |cpu: u16, pid: i32| tasks.intern(cpu, task(pid, "a"), NameSource::Context);
        assert_eq!([index_of(0, 7), index_of(8, 9)], [TaskIndex::Named(0), TaskIndex::Named(1)]);
        let again = [(0, 7), (0, 7), (8, 9), (0, 9), (8, 7), (0, 7)].map(|(cpu, pid)| index_of(cpu, pid));
        assert_eq!(again, [0, 0, 1, 1, 0, 0].map(TaskIndex::Known));
        tasks.intern(0, task(-3, ""), NameSource::Context);
        tasks.intern(0, task(-3, ""), NameSource::Context);
        tasks.resolve(-3, task(9, "a"));
        assert_eq!(tasks.intern(0, task(-3, "b"), NameSource::Context), TaskIndex::Named(3));
    }

    #[test]
    fn what_an_event_states_wins_over_what_was_looked_up_later() {
        let mut tasks = Tasks::new(10);
        tasks.intern(0, task(7, ""), NameSource::Context);
        assert_eq!(comm(&tasks, 0), "");
        tasks.rename(7, b"python3");
        assert_eq!(comm(&tasks, 0), "python3");
        tasks.intern(0, task(7, "bash"), NameSource::Moment);
        tasks.intern(0, task(7, "python3"), NameSource::Context);
        tasks.rename(7, b"python3");
        assert_eq!(comm(&tasks, 0), "bash");
        // It has called exec before the recording ended.
        tasks.intern(0, task(7, "sleep"), NameSource::Moment);
        assert_eq!(comm(&tasks, 0), "sleep");
    }

    #[test]
    fn an_event_confirms_a_name_that_was_looked_up() {
        let mut tasks = Tasks::new(10);
        tasks.intern(0, task(7, "bash"), NameSource::Context);
        tasks.intern(0, task(7, "bash"), NameSource::Moment);
        tasks.rename(7, b"python3");
        assert_eq!(comm(&tasks, 0), "bash");
    }

    #[test]
    fn a_cut_name_never_hides_the_whole_one() {
        let mut tasks = Tasks::new(10);
        tasks.intern(0, task(18, "ksoftir"), NameSource::Context);
        tasks.intern(0, task(18, "ksoftirqd/0"), NameSource::Moment);
        tasks.intern(0, task(18, "ksoftir"), NameSource::Context);
        assert_eq!(comm(&tasks, 0), "ksoftirqd/0");
    }

    #[test]
    fn tasks_past_the_limit_share_an_index() {
        let mut tasks = Tasks::new(1);
        assert_eq!(tasks.intern(0, task(1, "a"), NameSource::Context), TaskIndex::Named(0));
        assert_eq!(tasks.intern(0, task(2, "b"), NameSource::Context), TaskIndex::Shared(1));
        assert_eq!(tasks.intern(0, task(3, "c"), NameSource::Context), TaskIndex::Shared(1));
        assert_eq!(tasks.intern(0, task(1, "a"), NameSource::Context), TaskIndex::Known(0));
        assert_eq!(tasks.intern(0, TaskRef::default(), NameSource::Context), TaskIndex::Unnamed);
    }

    #[test]
    fn the_usual_priority_is_the_most_frequent_one() {
        let usual = |seen: &[i16]| {
            let mut priorities = Priorities::default();
            seen.iter().for_each(|prio| priorities.count(*prio));
            priorities.usual()
        };
        assert_eq!(usual(&[]), None);
        assert_eq!(usual(&[120, 19, 19]), Some(19));
        // Once as it was forked, once as it runs; and one that was boosted for a moment.
        assert_eq!(usual(&[120, 19]), Some(19));
        assert_eq!(usual(&[89, 89, 19]), Some(89));
        assert_eq!(usual(&(0..2_000).collect::<Vec<_>>()), Some(0));
    }

    #[test]
    fn a_placeholder_gets_its_pid_later() {
        let mut tasks = Tasks::new(10);
        assert_eq!(tasks.intern(3, task(-1, ""), NameSource::Context), TaskIndex::Named(0));
        tasks.resolve(-1, task(18, "ksoftir"));
        assert_eq!(tasks.intern(3, task(18, "ksoftirqd/3"), NameSource::Moment), TaskIndex::Named(0));
        assert_eq!(comm(&tasks, 0), "ksoftirqd/3");
    }
}

//! The names that tasks had at a time: `exec` gives a task another one, and so may the task itself.

use hashbrown::HashMap;

use super::{Recorded, Seen, Surroundings};
use crate::events::Decoded;

/// The largest length of a name (TASK_COMM_LEN, include/linux/sched.h).
const MAX_COMM_BYTES: usize = 15;

/// The names that tasks are known to have had.
#[derive(Default)]
pub struct Names<'a> {
    /// By pid: from when on, in order, and until when each was stated again.
    stated: HashMap<i32, Vec<Stated<'a>>>,
    /// The changes are recorded themselves.
    tells_changes: bool,
}

struct Stated<'a> {
    from_ns: i64,
    until_ns: i64,
    comm: &'a str,
}

impl<'a> Names<'a> {
    fn state(&mut self, pid: i32, t_ns: i64, comm: &'a str) {
        if pid == 0 || comm.is_empty() || comm == "<...>" {
            return;
        }
        let stated = self.stated.entry(pid).or_default();
        match stated.last_mut().filter(|last| last.comm == comm) {
            Some(last) => last.until_ns = t_ns,
            None => stated.push(Stated { from_ns: t_ns, until_ns: t_ns, comm }),
        }
    }

    /// The name that was stated last until then, else the first one. Where changes are not recorded, between two names the one
    /// that was stated nearer to it.
    fn at(&self, pid: i32, t_ns: i64) -> Option<&'a str> {
        let stated = self.stated.get(&pid)?;
        let next = stated.partition_point(|name| name.from_ns <= t_ns);
        let last = stated.get(next.saturating_sub(1))?;
        let is_nearer =
            |next: &&Stated<'_>| next.from_ns.saturating_sub(t_ns) < t_ns.saturating_sub(last.until_ns);
        let next = stated.get(next).filter(is_nearer).filter(|_| !self.tells_changes);
        Some(next.unwrap_or(last).comm)
    }
}

impl<'a> Surroundings<'_, 'a> {
    /// The name that a task had at a time, as the events around the case state it; else the one that it is known by.
    pub fn comm_at(&self, task_idx: i32, t_ns: i64) -> Option<&'a str> {
        let task = self.task(task_idx)?;
        let stated = task.pid.and_then(|pid| self.names.at(pid, t_ns));
        Some(stated.unwrap_or(task.comm))
    }

    /// `sh-7`, `pid 7` where the file does not name it, `the idle task`; by the name that it had then.
    pub fn task_name(&self, task_idx: i32, t_ns: i64) -> Option<String> {
        let task = self.task(task_idx)?;
        Some(match (self.comm_at(task_idx, t_ns)?, task.pid) {
            (_, Some(0)) => "the idle task".to_owned(),
            ("", Some(pid)) => format!("pid {pid}"),
            (comm, Some(pid)) => format!("{comm}-{pid}"),
            (comm, None) => comm.to_owned(),
        })
    }
}

impl<'a> Names<'a> {
    /// The names that the events before and around a case state; `scheduled` has those of the scheduler by their place
    /// in `events`.
    pub fn of(
        recorded: &Recorded<'a>,
        earlier: &[Seen<'a>],
        events: &[Seen<'a>],
        scheduled: &[(usize, Decoded<'a>)],
    ) -> Self {
        let changes = [recorded.type_idx("sched_process_exec"), recorded.type_idx("task_rename")];
        let tells_changes = changes.iter().any(Option::is_some);
        let mut names = Self { tells_changes, ..Self::default() };
        for event in earlier {
            names.note(event, event.scheduled(), changes);
        }
        let mut scheduled = scheduled.iter().peekable();
        for (at, event) in events.iter().enumerate() {
            let decoded = scheduled.next_if(|(of, _)| *of == at).map(|(_, decoded)| *decoded);
            names.note(event, decoded, changes);
        }
        names
    }

    fn note(&mut self, event: &Seen<'a>, scheduled: Option<Decoded<'a>>, [exec, rename]: [Option<i32>; 2]) {
        let comm = |comm: &'a [u8]| std::str::from_utf8(comm).unwrap_or_default();
        match scheduled {
            Some(Decoded::Switch(switch)) => {
                self.state(switch.prev.pid, event.t_ns, comm(switch.prev.comm));
                self.state(switch.next.pid, event.t_ns, comm(switch.next.comm));
            }
            Some(Decoded::Waking(task) | Decoded::Wakeup(task)) => {
                self.state(task.pid, event.t_ns, comm(task.comm));
            }
            _ => {
                let changed = match Some(event.type_idx) {
                    idx if idx == exec => executed(event.args),
                    idx if idx == rename => renamed(event.args),
                    _ => None,
                };
                if let Some((pid, comm)) = changed {
                    self.state(pid, event.t_ns, comm);
                }
            }
        }
    }
}

// filename=/usr/bin/sleep pid=417 old_pid=417
/// The last part of the path is the new name (fs/exec.c, `begin_new_exec`).
fn executed(args: &str) -> Option<(i32, &str)> {
    let (path, rest) = args.strip_prefix("filename=")?.rsplit_once(" pid=")?;
    let name = path.rsplit('/').next()?;
    let end = (0..=name.len().min(MAX_COMM_BYTES)).rev().find(|end| name.is_char_boundary(*end))?;
    Some((number(rest)?, name.get(..end)?))
}

// pid=417 oldcomm=bash newcomm=jitter oom_score_adj=0
fn renamed(args: &str) -> Option<(i32, &str)> {
    let pid = number(args.strip_prefix("pid=")?)?;
    let (_, names) = args.split_once(" newcomm=")?;
    Some((pid, names.rsplit_once(" oom_score_adj=")?.0))
}

fn number(text: &str) -> Option<i32> {
    text.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exec_names_a_task_after_its_file() {
        for (args, expected) in [
            ("filename=/usr/bin/sleep pid=417 old_pid=417", Some((417, "sleep"))),
            ("filename=./a pid=b c pid=7 old_pid=3", Some((7, "a pid=b c"))),
            ("filename=/x/a-name-of-more-than-15 pid=7 old_pid=7", Some((7, "a-name-of-more-"))),
            ("filename=/x/ääääääää pid=7 old_pid=7", Some((7, "äääääää"))),
            ("filename=/x/y", None),
        ] {
            assert_eq!(executed(args), expected, "{args}");
        }
    }

    #[test]
    fn a_task_may_name_itself() {
        let args = "pid=417 oldcomm=a newcomm=b newcomm= c oom_score_adj=0";
        assert_eq!(renamed(args), Some((417, "b newcomm= c")));
        assert_eq!(renamed("pid=x newcomm=b oom_score_adj=0"), None);
    }

    #[test]
    fn a_name_holds_until_the_next_is_stated() {
        let stated = |tells_changes: bool| {
            let mut names = Names { tells_changes, ..Names::default() };
            for (t_ns, comm) in [(10, "bash"), (12, "bash"), (20, "sleep"), (25, "<...>"), (30, "")] {
                names.state(7, t_ns, comm);
            }
            assert_eq!(names.at(8, 20), None);
            [0, 10, 15, 19, 20, 99].map(|t_ns| names.at(7, t_ns).unwrap())
        };
        assert_eq!(stated(true), ["bash", "bash", "bash", "bash", "sleep", "sleep"]);
        assert_eq!(stated(false), ["bash", "bash", "bash", "sleep", "sleep", "sleep"]);
    }
}

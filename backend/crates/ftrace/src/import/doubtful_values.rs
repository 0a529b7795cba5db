//! Values that the kernel does not give, and those that other records contradict: part of the record was overwritten.
//!
//! A changed value that is another one of the same kind cannot be recognised: `prio=120` may have been `prio=121`.

use hashbrown::HashMap;

use crate::events::{Decoded, SwitchTask, WakenTask};
use crate::model::{Place, is_similar_name};

/// Source: include/linux/threads.h (`PID_MAX_LIMIT`), Linux 2.6 to 7.3.
const MAX_PID: i32 = 1 << 22;
/// From a task with a deadline to nice 19. Source: include/linux/sched/prio.h, Linux 3.14 to 7.3.
const PRIORITIES: std::ops::RangeInclusive<i32> = -1..=139;
/// Source: include/linux/interrupt.h (`NR_SOFTIRQS`), Linux 3.0 to 7.3.
const SOFTIRQS: std::ops::Range<i64> = 0..10;
/// Source: fs/proc/array.c and include/trace/events/sched.h, Linux 2.6 to 7.3.
const STATES: &[u8] = b"RSDTtXZxKWPNI";
/// Source: include/linux/sched.h (`TASK_COMM_LEN`, with its NUL), Linux 2.6 to 7.3.
const MAX_NAME_BYTES: usize = 15;
/// Tasks whose names are followed, and timers.
const MAX_TASKS: usize = 65_536;
const MAX_TIMERS: usize = 65_536;
/// Nothing keeps a timer waiting for a day. Those that run on during suspend may be hours late.
const MAX_LATE_NS: u64 = 86_400_000_000_000;
/// The kernel's and trace-cmd's columns that cut names.
const CUT_WIDTHS: [usize; 3] = [7, 8, 15];

/// The two last names of a task, and the record with the later one.
struct Names {
    before: Box<[u8]>,
    now: Box<[u8]>,
    since: Place,
}

/// The names that records have given to tasks.
#[derive(Default)]
pub struct DoubtfulValues {
    names: HashMap<i32, Names>,
    /// When each timer is due.
    timers: HashMap<u64, i64>,
}

impl DoubtfulValues {
    /// The place of the record with a doubtful value: `place`, or that of an earlier one that `decoded` contradicts.
    pub fn look(&mut self, decoded: &Decoded<'_>, pid: Option<i32>, place: Place) -> Option<Place> {
        let is_odd = pid.is_some_and(|pid| pid > MAX_PID)
            || match decoded {
                Decoded::Switch(switch) => {
                    is_odd_state(switch.prev_state)
                        || is_odd_task(&switch.prev)
                        || is_odd_task(&switch.next)
                        || switch.prev.pid == switch.next.pid
                }
                Decoded::Waking(task) | Decoded::Wakeup(task) => {
                    is_odd_number(task.pid, task.prio) || is_odd_name(task.comm)
                }
                Decoded::SoftirqRaise { vector }
                | Decoded::SoftirqEntry { vector, .. }
                | Decoded::SoftirqExit { vector } => !SOFTIRQS.contains(vector),
                _ => false,
            };
        let is_odd = is_odd || self.is_odd_timer(decoded);
        let renamed = match decoded {
            Decoded::Switch(switch) => {
                let SwitchTask { pid, comm, .. } = switch.prev;
                let prev = self.name(pid, comm, place);
                let SwitchTask { pid, comm, .. } = switch.next;
                prev.or(self.name(pid, comm, place))
            }
            Decoded::Waking(WakenTask { pid, comm, .. }) | Decoded::Wakeup(WakenTask { pid, comm, .. }) => {
                self.name(*pid, comm, place)
            }
            _ => None,
        };
        if is_odd { Some(place) } else { renamed }
    }

    /// True for a timer that expires more than a day from when it is due.
    fn is_odd_timer(&mut self, decoded: &Decoded<'_>) -> bool {
        match decoded {
            Decoded::TimerStart(start) => {
                if self.timers.len() < MAX_TIMERS || self.timers.contains_key(&start.timer) {
                    self.timers.insert(start.timer, start.expires_ns);
                }
                false
            }
            Decoded::TimerExpiry(expiry) => {
                let due = self.timers.remove(&expiry.timer);
                due.is_some_and(|due_ns| expiry.now_ns.abs_diff(due_ns) > MAX_LATE_NS)
            }
            _ => false,
        }
    }

    /// A record calls the task so. Where it was called almost so before, and something else in between, the record
    /// in between was damaged: a program that starts another one does not go back.
    fn name(&mut self, pid: i32, comm: &[u8], place: Place) -> Option<Place> {
        if pid == 0 {
            return None;
        }
        let Some(names) = self.names.get_mut(&pid) else {
            if self.names.len() < MAX_TASKS {
                self.names.insert(pid, Names { before: Box::default(), now: comm.into(), since: place });
            }
            return None;
        };
        if *names.now == *comm {
            return None;
        }
        let is_back = *names.before == *comm && is_damaged_name(&names.now, comm);
        let since = std::mem::replace(&mut names.since, place);
        names.before = std::mem::replace(&mut names.now, comm.into());
        is_back.then_some(since)
    }
}

fn is_damaged_name(name: &[u8], whole: &[u8]) -> bool {
    let is_cut = CUT_WIDTHS.contains(&name.len().min(whole.len()))
        && (name.starts_with(whole) || whole.starts_with(name));
    name.is_empty() || !is_cut && (is_similar_name(name, whole) || is_of_two_parts(name, whole))
}

/// True for the beginning of a name and its end, with less between them or some of it twice: `trd`, `ace-cmd` and
/// `trace-cmd:cmd` of `trace-cmd`.
fn is_of_two_parts(name: &[u8], whole: &[u8]) -> bool {
    let begun = name.iter().zip(whole).take_while(|(one, other)| one == other).count();
    let ended = name.iter().rev().zip(whole.iter().rev()).take_while(|(one, other)| one == other).count();
    begun.saturating_add(ended) >= name.len().min(whole.len())
}

fn is_odd_task(task: &SwitchTask<'_>) -> bool {
    is_odd_number(task.pid, task.prio) || is_odd_name(task.comm) || task.pid == 0 && !is_idle_name(task.comm)
}

/// Longer than the kernel keeps names, or with the blanks of a column inside.
fn is_odd_name(comm: &[u8]) -> bool {
    comm.len() > MAX_NAME_BYTES || memchr::memmem::find(comm, b"  ").is_some()
}

/// `swapper/1`, `swapper` of old kernels, and what tools call process 0.
fn is_idle_name(comm: &[u8]) -> bool {
    let behind = comm.strip_prefix(b"swapper").map(|behind| behind.strip_prefix(b"/").unwrap_or(behind));
    behind.is_some_and(|number| number.iter().all(u8::is_ascii_digit))
        || matches!(comm, b"" | b"<idle>" | b"idle" | b"<...>")
}

fn is_odd_number(pid: i32, prio: Option<i32>) -> bool {
    !(0..=MAX_PID).contains(&pid) || prio.is_some_and(|prio| !PRIORITIES.contains(&prio))
}

/// `S`, `R+`, `D|K`, or a number.
fn is_odd_state(state: &[u8]) -> bool {
    let letters = state.strip_suffix(b"+").unwrap_or(state);
    let is_letter = |flag: &[u8]| matches!(flag, [letter] if STATES.contains(letter));
    let is_number = letters.first().is_some_and(u8::is_ascii_digit);
    !is_number && !letters.split(|byte| *byte == b'|').all(is_letter)
}

#[cfg(test)]
mod tests {
    use crate::import::testing::diagnostic_codes;

    fn is_reported(lines: &str) -> bool {
        diagnostic_codes(lines).iter().any(|code| code == "doubtful_value")
    }

    fn is_doubtful(line: &str) -> bool {
        is_reported(&format!("sh-7 [000] 1.000010: {line}\n"))
    }

    fn switch(prev: &str, prio: i32, state: &str) -> String {
        format!(
            "sched_switch: prev_comm={prev} prev_pid=7 prev_prio={prio} prev_state={state} ==> next_comm=rt next_pid=9 next_prio=89"
        )
    }

    #[test]
    fn the_kernel_gives_numbers_within_their_ranges() {
        for state in ["R", "R+", "S", "D|K", "I", "0x0", "1"] {
            assert!(!is_doubtful(&switch("sh", 120, state)), "{state}");
        }
        for state in ["Q", "s", "S|0x400", "S|", "+"] {
            assert!(is_doubtful(&switch("sh", 120, state)), "{state}");
        }
        for prio in [-1, 0, 139] {
            assert!(!is_doubtful(&switch("sh", prio, "S")), "{prio}");
        }
        for line in [
            switch("sh", 140, "S"),
            switch("sh", -2, "S"),
            switch("sh", 120, "S").replace("next_pid=9", "next_pid=7"),
            switch("sh", 120, "S").replace("next_pid=9", "next_pid=0"),
            switch("sh", 120, "S").replace("next_comm=rt next_pid=9", "next_comm=swapper/-1 next_pid=0"),
            "sched_waking: comm=x pid=4194305 prio=120 target_cpu=000".to_owned(),
            "softirq_entry: vec=10 [action=?]".to_owned(),
            "sched_waking: comm=a-name-of-16-byt pid=4 prio=120 target_cpu=000".to_owned(),
            "sched_waking: comm={   sh pid=4 prio=120 target_cpu=000".to_owned(),
        ] {
            assert!(is_doubtful(&line), "{line}");
        }
        assert!(!is_doubtful("softirq_entry: vec=9 [action=RCU]"));
    }

    #[test]
    fn no_timer_is_a_day_late() {
        let timer = |now: u64| {
            is_reported(&format!(
                "sh-7 [000] 1.000010: hrtimer_start: hrtimer=2a function=f expires=6389900935569 softexpires=6389900935569\n\
                 sh-7 [000] 1.000020: hrtimer_expire_entry: hrtimer=2a function=f now={now}\n"
            ))
        };
        assert!(!timer(6_389_900_945_120));
        assert!(!timer(6_389_900_945_120 + 3_600_000_000_000));
        assert!(timer(6_389_900_945_120_007));
    }

    #[test]
    fn a_name_that_differs_in_one_sign_once_was_damaged() {
        let lines = |names: [&str; 3]| {
            let lines = names.map(|name| format!("sh-7 [000] 1.000010: {}\n", switch(name, 120, "S")));
            is_reported(&lines.concat())
        };
        for damaged in ["cyclictesu", "cycli.test", "cyclictes", "Cyclictest", "CYCLICTEST", "cyclcitest"]
            .into_iter()
            .chain(["cyst", "test", "cyclictest:test"])
        {
            assert!(lines(["cyclictest", damaged, "cyclictest"]), "{damaged}");
        }
        // Another program, one that starts another, and a name that a column cuts.
        for names in [
            ["bash", "ls", "bash"],
            ["bash", "dash", "dash"],
            ["kworker/0", "kworker/1", "kworker/0"],
            ["cyclicte", "cyclictes", "cyclicte"],
        ] {
            assert!(!lines(names), "{names:?}");
        }
    }
}

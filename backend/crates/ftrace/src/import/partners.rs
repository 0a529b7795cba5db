//! Records that the kernel writes in pairs: where one of many pairs has only one half, the other half is missing.
//!
//! A task that sleeps runs again after a waking and a wakeup, a system call that was entered ends before the next, and a
//! handler, a stay in idle and an activation of timerlat end before they begin again. Filters and small buffers leave many
//! pairs open, and show nothing.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};

use crate::events::{Decoded, Interrupt, Switch};
use crate::model::{Code, Diagnostic, Place, Recent};

/// Tasks, timers, and sections of CPUs that are followed.
const MAX_KEYS: usize = 65_536;
/// So many whole pairs make one half an exception, and so many for each of a few.
const MIN_WHOLE: u64 = 32;
const MIN_WHOLE_EACH: u64 = 256;
const MAX_HALVES: u64 = 3;
/// After so many losses, what is missing is no longer looked for.
const MAX_LOSSES: u32 = 64;

/// Whether a pair has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Half {
    #[default]
    Unknown,
    Begun,
    Ended,
}

/// The pairs of one kind.
#[derive(Debug, Default)]
struct Pairs {
    whole: u64,
    halves: u64,
    first: Option<(Place, Vec<u8>)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct TaskHalves {
    wakeup: Half,
    sleep: Half,
    call: Half,
}

/// The halves of tasks by pid.
#[derive(Debug, Default)]
struct Tasks {
    places: HashMap<i32, usize>,
    halves: Vec<TaskHalves>,
    recent: Recent<i32, usize>,
}

impl Tasks {
    /// Of the idle task, of which each CPU has one, nothing.
    fn at(&mut self, cpu: u16, pid: Option<i32>) -> Option<&mut TaskHalves> {
        let pid = pid.filter(|pid| *pid > 0)?;
        let Self { places, halves, recent } = self;
        let place = recent.get_or(cpu, pid, || {
            let has_room = halves.len() < MAX_KEYS || places.contains_key(&pid);
            has_room.then(|| {
                *places.entry(pid).or_insert_with(|| {
                    halves.push(TaskHalves::default());
                    halves.len().saturating_sub(1)
                })
            })
        })?;
        halves.get_mut(place)
    }
}

/// What runs on a CPU from one record to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Section {
    Line(i64),
    Named(u64),
    Softirq(i64),
    Idle,
    /// Of timerlat, from its interrupt to its thread.
    Activation,
}

/// What has begun, and how many pairs were whole.
#[derive(Debug, Default)]
pub struct Partners {
    tasks: Tasks,
    timers: HashMap<u64, Half>,
    sections: HashMap<(u16, Section), Half>,
    hasher: DefaultHashBuilder,
    wakeups: Pairs,
    sleeps: Pairs,
    calls: Pairs,
    expiries: Pairs,
    handlers: Pairs,
    first_cpu: Option<u16>,
    has_several_cpus: bool,
    losses: u32,
}

/// A record as the pairs see it.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub cpu: u16,
    pub pid: Option<i32>,
    pub name: &'a [u8],
    pub args: &'a [u8],
    pub place: Place,
}

impl Pairs {
    fn begin(&mut self, half: &mut Half, seen: &Seen<'_>) {
        if *half == Half::Begun {
            self.miss(seen);
        }
        *half = Half::Begun;
    }

    fn end(&mut self, half: &mut Half, seen: &Seen<'_>) {
        match *half {
            Half::Begun => self.whole = self.whole.saturating_add(1),
            Half::Ended => self.miss(seen),
            Half::Unknown => {}
        }
        *half = Half::Ended;
    }

    fn miss(&mut self, seen: &Seen<'_>) {
        self.halves = self.halves.saturating_add(1);
        self.first.get_or_insert_with(|| (seen.place, seen.args.to_vec()));
    }

    /// The first half, where nearly all others are whole.
    fn exception(&self) -> Option<Diagnostic<'_>> {
        let is_one = self.halves == 1 && self.whole >= MIN_WHOLE;
        let are_few = self.halves <= MAX_HALVES && self.halves.saturating_mul(MIN_WHOLE_EACH) <= self.whole;
        let (place, sample) = self.first.as_ref().filter(|_| is_one || are_few)?;
        Some(Diagnostic { code: Code::MissingPartner, place: *place, sample, count: self.halves })
    }
}

impl Partners {
    /// Takes a record of which all analyses know what it means.
    pub fn see(&mut self, decoded: &Decoded<'_>, seen: &Seen<'_>) {
        if self.losses > MAX_LOSSES {
            return;
        }
        self.has_several_cpus |= *self.first_cpu.get_or_insert(seen.cpu) != seen.cpu;
        match decoded {
            Decoded::Switch(switch) => self.switch(switch, seen),
            Decoded::Waking(task) => {
                if let Some(halves) = self.tasks.at(seen.cpu, Some(task.pid)) {
                    self.wakeups.begin(&mut halves.wakeup, seen);
                    halves.sleep = Half::Ended;
                }
            }
            Decoded::Wakeup(task) => {
                if let Some(halves) = self.tasks.at(seen.cpu, Some(task.pid)) {
                    halves.sleep = Half::Ended;
                    // No waking precedes the first wakeup of a new task.
                    if seen.name == b"sched_wakeup" {
                        self.wakeups.end(&mut halves.wakeup, seen);
                    }
                }
            }
            Decoded::SyscallEnter { .. } => {
                if let Some(halves) = self.tasks.at(seen.cpu, seen.pid) {
                    self.calls.begin(&mut halves.call, seen);
                }
            }
            Decoded::SyscallExit { .. } => {
                if let Some(halves) = self.tasks.at(seen.cpu, seen.pid) {
                    self.calls.end(&mut halves.call, seen);
                }
            }
            Decoded::TimerExpiry(expiry) => {
                if let Some(half) = timer_at(&mut self.timers, expiry.timer) {
                    self.expiries.begin(half, seen);
                }
            }
            Decoded::TimerDone { timer } => {
                if let Some(half) = timer_at(&mut self.timers, *timer) {
                    self.expiries.end(half, seen);
                }
            }
            Decoded::InterruptEntry { interrupt, .. } => self.section(self.interrupt(interrupt), true, seen),
            Decoded::InterruptExit { interrupt } => self.section(self.interrupt(interrupt), false, seen),
            Decoded::SoftirqEntry { vector, .. } => self.section(Section::Softirq(*vector), true, seen),
            Decoded::SoftirqExit { vector } => self.section(Section::Softirq(*vector), false, seen),
            Decoded::CpuIdle { state } => self.section(Section::Idle, state.is_some(), seen),
            Decoded::Timerlat(record) => match record.context {
                b"irq" => self.section(Section::Activation, true, seen),
                b"thread" => self.section(Section::Activation, false, seen),
                _ => {}
            },
            _ => {}
        }
    }

    fn interrupt(&self, interrupt: &Interrupt<'_>) -> Section {
        match interrupt {
            Interrupt::Line(number) => Section::Line(*number),
            Interrupt::Named(name) => Section::Named(self.hasher.hash_one(name)),
        }
    }

    /// A section of the CPU begins or ends.
    fn section(&mut self, section: Section, begins: bool, seen: &Seen<'_>) {
        let key = (seen.cpu, section);
        if self.sections.len() >= MAX_KEYS && !self.sections.contains_key(&key) {
            return;
        }
        let half = self.sections.entry(key).or_default();
        if begins { self.handlers.begin(half, seen) } else { self.handlers.end(half, seen) }
    }

    fn switch(&mut self, switch: &Switch<'_>, seen: &Seen<'_>) {
        if let Some(next) = self.tasks.at(seen.cpu, Some(switch.next.pid)) {
            match next.sleep {
                Half::Begun => self.sleeps.miss(seen),
                Half::Ended => self.sleeps.whole = self.sleeps.whole.saturating_add(1),
                Half::Unknown => {}
            }
            // Its waking is there, and its wakeup is not.
            if next.wakeup == Half::Begun {
                self.wakeups.miss(seen);
                next.wakeup = Half::Unknown;
            }
            next.sleep = Half::Unknown;
        }
        if let Some(prev) = self.tasks.at(seen.cpu, Some(switch.prev.pid)) {
            let is_asleep = matches!(switch.prev_state.first(), Some(b'S' | b'D' | b'I'));
            prev.sleep = if is_asleep { Half::Begun } else { Half::Unknown };
        }
    }

    /// Records are missing, and this was said: nothing is known of what has begun.
    pub fn forget(&mut self) {
        self.losses = self.losses.saturating_add(1);
        self.tasks = Tasks::default();
        self.timers.clear();
        self.sections.clear();
    }

    /// Of each kind of pairs with an exception, the first.
    ///
    /// What happens to a task is recorded on the CPU of whoever does it, so the recording of one CPU has halves.
    pub fn exceptions(&self) -> impl Iterator<Item = Diagnostic<'_>> {
        let is_whole = self.has_several_cpus;
        let of_tasks = [&self.wakeups, &self.sleeps, &self.calls].into_iter().filter(move |_| is_whole);
        of_tasks.chain([&self.expiries, &self.handlers]).filter_map(Pairs::exception)
    }
}

fn timer_at(timers: &mut HashMap<u64, Half>, timer: u64) -> Option<&mut Half> {
    let has_room = timers.len() < MAX_KEYS || timers.contains_key(&timer);
    has_room.then(|| timers.entry(timer).or_default())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{Half, Tasks};
    use crate::import::testing::diagnostic_codes;

    #[test]
    fn a_task_is_the_same_on_every_cpu() {
        let mut tasks = Tasks::default();
        // The CPUs 0 and 8 are remembered in one place.
        for (cpu, pid) in [(0, 7), (8, 9), (0, 7), (0, 9), (8, 7)] {
            tasks.at(cpu, Some(pid)).unwrap().call = if pid == 7 { Half::Begun } else { Half::Ended };
        }
        assert_eq!(tasks.at(3, Some(7)).unwrap().call, Half::Begun);
        assert_eq!(tasks.at(0, Some(9)).unwrap().call, Half::Ended);
        assert_eq!(tasks.halves.len(), 2);
        assert!(tasks.at(0, Some(0)).is_none() && tasks.at(0, None).is_none());
    }

    /// Lines of so many rounds, in each of which a task sleeps, is woken and runs, calls the kernel, and timers and soft
    /// interrupts run.
    fn lines(rounds: u32) -> Vec<String> {
        let mut text = String::new();
        for round in 0..rounds {
            let at = |step: u32| format!("1.{:06}", 100 * round + step);
            let idle = |step, payload: &str| format!("<idle>-0 [1] {}: {payload}\n", at(step));
            let rt = |step, payload: &str| format!("rt-9 [1] {}: {payload}\n", at(step));
            let swapper = "swapper/1";
            write!(
                text,
                "{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}",
                format_args!("sh-7 [0] {}: x: a=1\n", at(0)),
                idle(5, "cpu_idle: state=4294967295 cpu_id=1"),
                idle(6, "timerlat_sample: timer_latency=5 seqnum=2 context=0"),
                idle(7, "timerlat_sample: timer_latency=9 seqnum=2 context=1"),
                idle(9, "local_timer_entry: vector=236"),
                idle(10, "hrtimer_expire_entry: hrtimer=0000000000000abc function=hrtimer_wakeup now=5"),
                idle(11, "sched_waking: comm=rt pid=9 prio=19 target_cpu=001"),
                idle(12, "sched_wakeup: comm=rt pid=9 prio=19 target_cpu=001"),
                idle(13, "hrtimer_expire_exit: hrtimer=0000000000000abc"),
                idle(14, "local_timer_exit: vector=236"),
                idle(14, "softirq_entry: vec=7 [action=SCHED]"),
                idle(15, "softirq_exit: vec=7 [action=SCHED]"),
                idle(20, &format!("sched_switch: prev_comm={swapper} prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19")),
                rt(30, "sys_enter: NR 230 (1, 1, 7f, 0, 0, 0)"),
                rt(31, "sys_exit: NR 230 = 0"),
                rt(40, &format!("sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm={swapper} next_pid=0 next_prio=120")),
                idle(50, "cpu_idle: state=1 cpu_id=1"),
            )
            .unwrap();
        }
        text.lines().map(|line| format!("{line}\n")).collect()
    }

    fn is_reported(lines: &[String]) -> bool {
        diagnostic_codes(&lines.concat()).iter().any(|code| code == "missing_partner")
    }

    /// Each of the lines but the one of another CPU, and the switches, which others show.
    #[test]
    fn one_half_among_many_pairs_is_missing_the_other() {
        const ROUNDS: u32 = 40;
        let whole = lines(ROUNDS);
        assert!(!is_reported(&whole));
        let per_round = whole.len() / 40;
        for gone in 1..per_round {
            let mut left = whole.clone();
            let line = left.remove(20 * per_round + gone);
            assert_eq!(is_reported(&left), !line.contains("sched_switch"), "{line}");
        }
    }

    #[test]
    fn a_half_among_few_pairs_or_among_many_halves_shows_nothing() {
        let mut few = lines(20);
        few.retain(|line| !line.contains("1.001012:"));
        assert!(!is_reported(&few));
        let mut several = lines(40);
        several.retain(|line| {
            !line.contains("12: sched_wakeup") || !line.contains("1.0010") && !line.contains("1.0020")
        });
        assert!(!is_reported(&several));
        let without = lines(40).into_iter().filter(|line| !line.contains("sched_wakeup")).collect::<Vec<_>>();
        assert!(!is_reported(&without));
    }

    #[test]
    fn the_recording_of_one_cpu_has_halves_of_tasks() {
        let mut left = lines(40);
        left.retain(|line| !line.contains("[0]") && !line.contains("1.001012:"));
        assert!(!is_reported(&left));
    }

    #[test]
    fn what_is_lost_is_said_already() {
        let mut left = lines(40);
        let at = left.iter().position(|line| line.contains("1.001012:")).unwrap();
        left[at] = "LOST [1] 1\n".to_owned();
        assert!(!is_reported(&left));
    }
}

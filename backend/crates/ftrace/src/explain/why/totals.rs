//! What all tasks, or all interrupts, of a case took together.

use super::group::{Group, is_of_task};
use super::link::Subject;
use super::mechanism::Mechanism;
use crate::explain::words;
use crate::model::grouped;

/// The others are mentioned if together they have one part in this many of the largest.
const WORTH_A_WORD: i64 = 5;

/// What has so much of something is nearly all of it.
const NEARLY_ALL_PERCENT: i64 = 90;

/// All tasks that had the CPU, whatever their names.
pub struct All {
    pub tasks: usize,
    pub total_ns: i64,
    /// How long the CPU was silent while they had it.
    pub silent_ns: i64,
}

impl All {
    /// How many tasks the groups are about, and how long these ran in all.
    pub fn of(groups: &[Group<'_>]) -> Self {
        let of_tasks = || groups.iter().filter(|group| is_of_task(group));
        let sum =
            |of: fn(&Group<'_>) -> i64| of_tasks().fold(0_i64, |sum, group| sum.saturating_add(of(group)));
        Self {
            tasks: of_tasks().map(|group| group.subjects).sum(),
            total_ns: sum(|group| group.total_ns),
            silent_ns: sum(|group| group.silent_ns()),
        }
    }

    /// `behind 5 tasks for 85.6 ms`
    pub fn behind(&self) -> String {
        format!("behind {} tasks for {}", grouped(self.tasks), words::time(self.total_ns))
    }

    /// `, for 66.6 ms of which interrupts were off or CPU 0 stood still`, if that is most of it and on one CPU.
    pub fn silences(&self, groups: &[Group<'_>]) -> Option<String> {
        self.silent_cpu(groups).map(|cpu| silences(self.silent_ns, cpu))
    }

    /// `interrupts were off or CPU 0 stood still for 66.6 ms`, if that is most of it and on one CPU.
    pub fn silence(&self, groups: &[Group<'_>]) -> Option<String> {
        self.silent_cpu(groups).map(|cpu| off_or_still(None, cpu, self.silent_ns))
    }

    fn silent_cpu(&self, groups: &[Group<'_>]) -> Option<i16> {
        let cpu = groups.iter().find(|group| is_of_task(group)).and_then(Group::only_cpu)?;
        let is_there = |group: &Group<'_>| !is_of_task(group) || group.only_cpu() == Some(cpu);
        let is_most = self.silent_ns.saturating_mul(2) >= self.total_ns;
        (is_most && groups.iter().all(is_there)).then_some(cpu)
    }

    /// The two that had nearly all of it, if neither stands for several.
    pub fn two_of<'g, 'a>(&self, groups: &'g [Group<'a>]) -> Option<[&'g Group<'a>; 2]> {
        let mut of_tasks = groups.iter().filter(|group| is_of_task(group));
        let two = [of_tasks.next()?, of_tasks.next()?];
        let two_ns = two.iter().fold(0_i64, |sum, group| sum.saturating_add(group.total_ns));
        let is_most = two_ns.saturating_mul(100) >= self.total_ns.saturating_mul(NEARLY_ALL_PERCENT);
        (is_most && two.iter().all(|group| group.subjects == 1)).then_some(two)
    }

    /// True where they took more than another cause, and more than one of them did alone that is worth a word.
    pub fn is_larger_than(&self, other: &Group<'_>, longest: &Group<'_>) -> bool {
        let others_ns = self.total_ns.saturating_sub(longest.total_ns);
        let is_one = is_of_task(other) && others_ns.saturating_mul(WORTH_A_WORD) < longest.total_ns;
        self.total_ns > other.total_ns && !is_one
    }

    /// True where the largest group explains too little of a stretch, and all of them explain more.
    pub fn is_worth_more_than(&self, found: &Group<'_>, whole_ns: i64, enough_percent: i64) -> bool {
        let is_little = found.total_ns.saturating_mul(100) < whole_ns.saturating_mul(enough_percent);
        let others_ns = self.total_ns.saturating_sub(found.total_ns);
        is_little && self.tasks > found.subjects && others_ns.saturating_mul(WORTH_A_WORD) >= found.total_ns
    }
}

/// True for causes that had two thirds together of what is to be explained.
pub fn is_enough(whole_ns: i64, explained_ns: i64) -> bool {
    explained_ns.saturating_mul(3) >= whole_ns.saturating_mul(2)
}

/// `, for 120 µs of which interrupts were off or CPU 1 stood still`
pub fn silences(silent_ns: i64, cpu: i16) -> String {
    format!(", for {} of which interrupts were off or CPU {cpu} stood still", words::time(silent_ns))
}

/// `interrupts were off in a-7 or CPU 1 stood still for 120 µs`, of a task that is named or not.
pub fn off_or_still(who: Option<String>, cpu: i16, silent_ns: i64) -> String {
    let whose = who.map_or_else(String::new, |who| format!(" in {who}"));
    format!("interrupts were off{whose} or CPU {cpu} stood still for {}", words::time(silent_ns))
}

/// All interrupts and softirqs, whatever their names.
pub struct Interrupts<'g, 'a> {
    /// `interrupts and softirqs`, or those of both that there are.
    pub kinds: &'static str,
    pub longest: &'g Group<'a>,
    pub total_ns: i64,
    pub groups: usize,
}

impl<'g, 'a> Interrupts<'g, 'a> {
    pub fn of(groups: &'g [Group<'a>]) -> Option<Self> {
        let of_interrupts = || groups.iter().filter(|group| Self::has(groups, group));
        let total_ns = of_interrupts().fold(0_i64, |sum, group| sum.saturating_add(group.total_ns));
        let is_hard = |group: &Group<'_>| matches!(group.link.subject, Some(Subject::Interrupt(_)));
        let hard = of_interrupts().filter(|group| is_hard(group)).count();
        let groups = of_interrupts().count();
        let kinds = match hard {
            0 => "softirqs",
            hard if hard == groups => "interrupts",
            _ => "interrupts and softirqs",
        };
        Some(Self { kinds, longest: of_interrupts().next()?, total_ns, groups })
    }
    /// True for one of them.
    pub fn has(groups: &[Group<'_>], group: &Group<'_>) -> bool {
        let has_names = groups.iter().any(|group| matches!(group.link.subject, Some(Subject::Softirq(0..))));
        let is_step = has_names && group.link.subject == Some(Subject::Softirq(-1));
        let is_execution = matches!(
            group.link.mechanism,
            Mechanism::OtherInterrupt | Mechanism::Handler | Mechanism::NotPreemptible
        );
        // The handlers of other timers are a part of the interrupt of the case.
        is_execution
            && !is_step
            && !group.link.is_for_others
            && matches!(group.link.subject, Some(Subject::Interrupt(_) | Subject::Softirq(_)))
    }
}

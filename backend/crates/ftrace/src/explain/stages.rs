//! The steps of a case, from one recorded event to the next. They add up to the case exactly.
//!
//! A step whose event is absent, or lies before the case, is part of the next one; nothing is guessed.

use super::case::Case;
use super::surroundings::{Seen, Surroundings};
use crate::analyses::SampleFlags;
use crate::events::{Decoded, migration};

/// A recorded instant between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Expiry,
    InterruptEntry,
    FirstHandler,
    Handler,
    Waking,
    Wakeup,
    InterruptExit,
    IdleExit,
    SwitchOut,
    Migration,
    Switch,
    Return,
}

impl Mark {
    /// What the API shows as an end of a step.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Expiry => "expected expiry",
            Mark::InterruptEntry => "interrupt entry",
            Mark::FirstHandler => "first timer handler",
            Mark::Handler => "timer handler",
            Mark::Waking => "waking",
            Mark::Wakeup => "wakeup",
            Mark::InterruptExit => "interrupt exit",
            Mark::IdleExit => "idle exit",
            Mark::SwitchOut => "switch out",
            Mark::Migration => "migration",
            Mark::Switch => "switch",
            Mark::Return => "return to user",
        }
    }

    /// The same in a sentence: between `the interrupt's entry` and `the timer's handler`.
    pub fn phrase(self) -> &'static str {
        match self {
            Mark::Expiry => "its expiry",
            Mark::InterruptEntry => "the interrupt's entry",
            Mark::FirstHandler => "the first timer's handler",
            Mark::Handler => "the timer's handler",
            Mark::Waking => "its waking",
            Mark::Wakeup => "its wakeup",
            Mark::InterruptExit => "the interrupt's exit",
            Mark::IdleExit => "the CPU's exit from idle",
            Mark::SwitchOut => "the switch to another task",
            Mark::Migration => "its migration",
            Mark::Switch => "the switch to it",
            Mark::Return => "its return to user space",
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    pub from: Mark,
    pub to: Mark,
    pub start_ns: i64,
    pub duration_ns: i64,
    /// The event that ends it.
    pub seq: Option<i64>,
}

/// The steps of a case; none for kinds that have no more than a start and an end.
pub fn stages(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Stage> {
    let events = Events { case, around };
    let (first, middle, last) = match case.kind.name {
        "timer" => events.timer(),
        "cyclic" => events.cyclic(),
        "wakeup" => events.wakeup(),
        "preempted" => (Mark::SwitchOut, events.migrations(), (Mark::Switch, events.switch(None))),
        _ => return Vec::new(),
    };
    chain(case, first, middle, last)
}

/// An event with what it marks.
type Marked<'e> = (Mark, &'e Seen<'e>);
type Steps<'e> = (Mark, Vec<Marked<'e>>, (Mark, Option<&'e Seen<'e>>));

fn chain(
    case: &Case<'_>,
    first: Mark,
    mut middle: Vec<Marked<'_>>,
    last: (Mark, Option<&Seen<'_>>),
) -> Vec<Stage> {
    middle.sort_by_key(|(_, event)| (event.t_ns, event.seq));
    let mut stages = Vec::new();
    let (mut from, mut at_ns) = (first, case.start_ns);
    let inside =
        middle.iter().filter(|(_, event)| event.t_ns >= case.start_ns && event.t_ns <= case.end_ns());
    let ends = inside.map(|(mark, event)| (*mark, event.t_ns, Some(event.seq)));
    for (to, t_ns, seq) in ends.chain([(last.0, case.end_ns(), last.1.map(|event| event.seq))]) {
        stages.push(Stage { from, to, start_ns: at_ns, duration_ns: t_ns.saturating_sub(at_ns), seq });
        (from, at_ns) = (to, t_ns);
    }
    stages
}

struct Events<'c, 'a> {
    case: &'c Case<'a>,
    around: &'c Surroundings<'c, 'a>,
}

impl<'c> Events<'c, '_> {
    fn timer(&self) -> Steps<'c> {
        let handler = self.before(None, |event| {
            event.t_ns == self.case.end_ns() && event.cpu == self.case.cpu && self.is_timer_handler(event)
        });
        let entry = handler.and_then(|handler| self.entry_around(handler));
        let middle = entry.map(|entry| (Mark::InterruptEntry, entry)).into_iter().collect();
        (Mark::Expiry, middle, (Mark::Handler, handler))
    }

    fn cyclic(&self) -> Steps<'c> {
        let waking = self.after(None, |event| self.is_waking(event));
        let wakeup = self.after(waking, |event| self.is_wakeup(event));
        let first = waking.or(wakeup);
        let handler = first.and_then(|waking| {
            self.before(Some(waking), |event| event.cpu == waking.cpu && self.is_timer_handler(event))
        });
        let entry = handler.and_then(|handler| self.entry_around(handler));
        let earlier = handler.and_then(|handler| self.first_handler(handler));
        let exit = entry.and(handler).and_then(|handler| self.exit_around(handler));
        let switch = self.switch(first);
        let returned =
            self.last_of_task(|event| matches!(event.decoded(), Some(Decoded::SyscallExit { .. })));
        let last = if self.case.flags.has(SampleFlags::ENDS_AT_SWITCH) {
            (Mark::Switch, switch)
        } else {
            (Mark::Return, returned)
        };
        let exit = exit.filter(|exit| switch.is_none_or(|switch| exit.seq < switch.seq));
        let switch = switch.filter(|_| last.0 == Mark::Return);
        let marks = [
            (Mark::InterruptEntry, entry),
            (Mark::FirstHandler, earlier),
            (Mark::Handler, handler),
            (Mark::Waking, waking),
            (Mark::Wakeup, wakeup),
            (Mark::InterruptExit, exit),
            (Mark::Switch, switch),
        ];
        let middle = marks.into_iter().filter_map(|(mark, event)| Some((mark, event?))).collect();
        (Mark::Expiry, middle, last)
    }

    fn wakeup(&self) -> Steps<'c> {
        let waking = self.after(None, |event| event.t_ns == self.case.start_ns && self.is_waking(event));
        let wakeup = self.after(waking, |event| self.is_wakeup(event));
        let first = waking.or(wakeup);
        let idle_exit = self.after(first, |event| {
            event.cpu == self.case.cpu && matches!(event.decoded(), Some(Decoded::CpuIdle { state: None }))
        });
        let switch = self.switch(first);
        let is_before = |event: &&Seen<'_>| switch.is_none_or(|switch| event.seq < switch.seq);
        let first_mark = if waking.is_some() { Mark::Waking } else { Mark::Wakeup };
        let mut middle = self.migrations();
        middle.extend(wakeup.filter(|_| waking.is_some()).map(|event| (Mark::Wakeup, event)));
        middle.extend(idle_exit.map(|event| (Mark::IdleExit, event)));
        middle.retain(|(_, event)| is_before(event));
        (first_mark, middle, (Mark::Switch, switch))
    }

    fn migrations(&self) -> Vec<Marked<'c>> {
        let of_task = self.inside().filter(|event| {
            let is_migration = self.around.event_name(event) == "sched_migrate_task";
            is_migration && migration(event.args.as_bytes()).map(|(pid, _)| pid) == self.case.pid
        });
        of_task.filter(|_| self.case.pid.is_some()).map(|event| (Mark::Migration, event)).collect()
    }

    /// The switch to the task, behind an event.
    fn switch(&self, behind: Option<&Seen<'_>>) -> Option<&'c Seen<'c>> {
        self.after(behind, |event| {
            event.switch().is_some_and(|switch| Some(switch.next.pid) == self.case.pid)
        })
    }

    fn is_timer_handler(&self, event: &Seen<'_>) -> bool {
        matches!(event.decoded(), Some(Decoded::TimerExpiry(_)))
    }

    /// The first of several handlers that the interrupt called one after the other.
    fn first_handler(&self, handler: &Seen<'_>) -> Option<&'c Seen<'c>> {
        let Some(Decoded::TimerExpiry(expiry)) = handler.decoded() else { return None };
        let is_of_same_pass = |event: &Seen<'_>| match event.decoded() {
            Some(Decoded::TimerExpiry(other)) => other.now_ns == expiry.now_ns,
            _ => false,
        };
        let first = self.after(None, |event| event.cpu == handler.cpu && is_of_same_pass(event));
        first.filter(|first| first.seq < handler.seq)
    }

    fn is_waking(&self, event: &Seen<'_>) -> bool {
        event.waking().is_some_and(|task| Some(task.pid) == self.case.pid)
    }

    fn is_wakeup(&self, event: &Seen<'_>) -> bool {
        event.wakeup().is_some_and(|task| Some(task.pid) == self.case.pid)
    }

    fn inside(&self) -> impl DoubleEndedIterator<Item = &'c Seen<'c>> + use<'c> {
        let (start_ns, end_ns) = (self.case.start_ns, self.case.end_ns());
        self.around.events.iter().filter(move |event| start_ns <= event.t_ns && event.t_ns <= end_ns)
    }

    fn after(
        &self,
        behind: Option<&Seen<'_>>,
        is_wanted: impl Fn(&Seen<'c>) -> bool,
    ) -> Option<&'c Seen<'c>> {
        let is_behind = |event: &&Seen<'_>| behind.is_none_or(|behind| event.seq > behind.seq);
        self.inside().filter(is_behind).find(|event| is_wanted(event))
    }

    fn before(
        &self,
        behind: Option<&Seen<'_>>,
        is_wanted: impl Fn(&Seen<'c>) -> bool,
    ) -> Option<&'c Seen<'c>> {
        let is_before = |event: &&Seen<'_>| behind.is_none_or(|behind| event.seq < behind.seq);
        self.inside().rev().filter(is_before).find(|event| is_wanted(event))
    }

    /// The last event of the task at the end of the case.
    fn last_of_task(&self, is_wanted: impl Fn(&Seen<'c>) -> bool) -> Option<&'c Seen<'c>> {
        self.before(None, |event| {
            event.t_ns == self.case.end_ns() && event.task_idx == self.case.task_idx && is_wanted(event)
        })
    }

    /// The entry of the innermost interrupt in which an event lies.
    fn entry_around(&self, event: &Seen<'_>) -> Option<&'c Seen<'c>> {
        let mut nested = 0_usize;
        let earlier = self.around.events.iter().rev();
        for other in earlier.filter(|other| other.cpu == event.cpu && other.seq < event.seq) {
            match other.decoded() {
                Some(Decoded::InterruptExit { .. }) => nested = nested.saturating_add(1),
                Some(Decoded::InterruptEntry { .. }) if nested == 0 => return Some(other),
                Some(Decoded::InterruptEntry { .. }) => nested = nested.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// The exit of the innermost interrupt in which an event lies.
    fn exit_around(&self, event: &Seen<'_>) -> Option<&'c Seen<'c>> {
        let mut nested = 0_usize;
        let later = self.around.events.iter();
        for other in later.filter(|other| other.cpu == event.cpu && other.seq > event.seq) {
            match other.decoded() {
                Some(Decoded::InterruptEntry { .. }) => nested = nested.saturating_add(1),
                Some(Decoded::InterruptExit { .. }) if nested == 0 => return Some(other),
                Some(Decoded::InterruptExit { .. }) => nested = nested.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

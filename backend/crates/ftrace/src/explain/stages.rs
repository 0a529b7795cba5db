//! The stages of a case, from one recorded event to the next. They add up to the case exactly.
//!
//! A stage whose event is absent, or lies before the case, is part of the next one; nothing is guessed.

use super::case::Case;
use super::surroundings::{Seen, Surroundings};
use crate::events::Decoded;

macro_rules! marks {
    ($( Mark::$variant:ident => $name:literal, )*) => {
        /// A recorded instant between two stages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Mark { $( $variant, )* }

        impl Mark {
            /// Every mark, in the order of a latency that has them all.
            pub const ALL: &'static [Mark] = &[ $( Mark::$variant, )* ];

            /// What the API shows as an end of a stage.
            pub fn name(self) -> &'static str { match self { $( Mark::$variant => $name, )* } }
        }
    };
}

marks! {
    Mark::Expiry => "expected expiry",
    Mark::InterruptEntry => "interrupt entry",
    Mark::FirstHandler => "first timer handler",
    Mark::Handler => "timer handler",
    Mark::Waking => "waking",
    Mark::Wakeup => "wakeup",
    Mark::HandlerExit => "timer handler exit",
    Mark::InterruptExit => "interrupt exit",
    Mark::IdleExit => "idle exit",
    Mark::SwitchOut => "switch out",
    Mark::Migration => "migration",
    Mark::Switch => "switch",
    Mark::Thread => "thread",
    Mark::Return => "return to user",
}

/// One stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    pub from: Mark,
    pub to: Mark,
    pub start_ns: i64,
    pub duration_ns: i64,
    /// The event that ends it.
    pub seq: Option<i64>,
}

/// An event with what it marks.
pub type Marked<'e> = (Mark, &'e Seen<'e>);

/// What lies between the stages of a case; the events of the middle in any order, also outside of it.
pub struct Steps<'e> {
    pub first: Mark,
    pub middle: Vec<Marked<'e>>,
    pub last: (Mark, Option<&'e Seen<'e>>),
}

/// The stages of a case; none for kinds that have no more than a start and an end.
pub fn stages(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Stage> {
    let Some(Steps { first, mut middle, last }) = case.kind.steps(&Events { case, around }) else {
        return Vec::new();
    };
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

/// The events around a case, by what they mean for it.
pub struct Events<'c, 'a> {
    pub case: &'c Case<'a>,
    pub around: &'c Surroundings<'c, 'a>,
}

impl<'c> Events<'c, '_> {
    /// Those that took its task to another CPU.
    pub fn migrations(&self) -> Vec<Marked<'c>> {
        let of_task = self
            .inside()
            .filter(|event| event.migration().is_some_and(|migration| Some(migration.pid) == self.case.pid));
        of_task.filter(|_| self.case.pid.is_some()).map(|event| (Mark::Migration, event)).collect()
    }

    /// The switch to its task, after an event.
    pub fn switch(&self, behind: Option<&Seen<'_>>) -> Option<&'c Seen<'c>> {
        self.after(behind, |event| {
            event.switch().is_some_and(|switch| Some(switch.next.pid) == self.case.pid)
        })
    }

    /// True where the handler of an hrtimer is entered, whichever timer's.
    pub fn is_timer_handler(&self, event: &Seen<'_>) -> bool {
        event.timer_expiry().is_some()
    }

    /// The first of several handlers that the interrupt called one after the other.
    pub fn first_handler(&self, handler: &Seen<'_>) -> Option<&'c Seen<'c>> {
        let expiry = handler.timer_expiry()?;
        let is_of_same_pass =
            |event: &Seen<'_>| event.timer_expiry().is_some_and(|other| other.now_ns == expiry.now_ns);
        let first = self.after(None, |event| event.cpu == handler.cpu && is_of_same_pass(event));
        first.filter(|first| first.seq < handler.seq)
    }

    /// True for a `sched_waking` of the case's task.
    pub fn is_waking(&self, event: &Seen<'_>) -> bool {
        event.waking().is_some_and(|task| Some(task.pid) == self.case.pid)
    }

    /// True for a `sched_wakeup` of the case's task.
    pub fn is_wakeup(&self, event: &Seen<'_>) -> bool {
        event.wakeup().is_some_and(|task| Some(task.pid) == self.case.pid)
    }

    fn inside(&self) -> impl DoubleEndedIterator<Item = &'c Seen<'c>> + use<'c> {
        let (start_ns, end_ns) = (self.case.start_ns, self.case.end_ns());
        self.around.events.iter().filter(move |event| start_ns <= event.t_ns && event.t_ns <= end_ns)
    }

    /// The first inside the case, after an event.
    pub fn after(
        &self,
        behind: Option<&Seen<'_>>,
        is_wanted: impl Fn(&Seen<'c>) -> bool,
    ) -> Option<&'c Seen<'c>> {
        let is_behind = |event: &&Seen<'_>| behind.is_none_or(|behind| event.seq > behind.seq);
        self.inside().filter(is_behind).find(|event| is_wanted(event))
    }

    /// The last inside the case, before an event.
    pub fn before(
        &self,
        behind: Option<&Seen<'_>>,
        is_wanted: impl Fn(&Seen<'c>) -> bool,
    ) -> Option<&'c Seen<'c>> {
        let is_before = |event: &&Seen<'_>| behind.is_none_or(|behind| event.seq < behind.seq);
        self.inside().rev().filter(is_before).find(|event| is_wanted(event))
    }

    /// The last event of the task at the end of the case.
    pub fn last_of_task(&self, is_wanted: impl Fn(&Seen<'c>) -> bool) -> Option<&'c Seen<'c>> {
        self.before(None, |event| {
            event.t_ns == self.case.end_ns() && event.task_idx == self.case.task_idx && is_wanted(event)
        })
    }

    /// The entry of the innermost interrupt in which an event lies.
    pub fn entry_around(&self, event: &Seen<'_>) -> Option<&'c Seen<'c>> {
        let mut nested = 0_usize;
        let earlier = self.around.earlier.iter().chain(&self.around.events).rev();
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
    pub fn exit_around(&self, event: &Seen<'_>) -> Option<&'c Seen<'c>> {
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

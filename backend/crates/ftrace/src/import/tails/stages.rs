//! The stages of a sample that has just ended, as [`explain::stages`](crate::explain::stages) finds them.

use super::marks::{Instant, Marks};
use super::moves::{Step, Steps};
use crate::analyses::SampleFlags;
use crate::explain::route::Queueing;
use crate::explain::stages::Mark;
use crate::explain::{Case, Way};

/// From what to what, and how long.
pub type Stage = (Mark, Mark, i64);

/// What lies between the stages of a case: its first mark, those in the middle in any order, and its last.
struct CaseMarks {
    first: Mark,
    middle: Vec<(Mark, Instant)>,
    last: Mark,
}

/// None for kinds whose stages are not looked for.
pub fn stages(case: &Case<'_>, steps: Option<&Steps>, marks: &Marks) -> Vec<Stage> {
    if case.flags.has(SampleFlags::REPORTED) {
        return Vec::new();
    }
    let inside = Inside { case, steps, marks };
    let found = match (case.kind.way(), case.kind.waits_from()) {
        (Way::Timer, _) => inside.timer(),
        (Way::Sleeper, _) => inside.cyclic(),
        (Way::Wait, Some(Mark::Waking)) => inside.wakeup(),
        (Way::Wait, Some(Mark::Migration)) => inside.migration(),
        (Way::Wait, Some(Mark::SwitchOut)) => {
            CaseMarks { first: Mark::SwitchOut, middle: inside.migrations().collect(), last: Mark::Switch }
        }
        _ => return Vec::new(),
    };
    let CaseMarks { first, mut middle, last } = found;
    middle.retain(|(_, at)| (case.start_ns..=case.end_ns()).contains(&at.t_ns));
    middle.sort_by_key(|(_, at)| (at.t_ns, at.order));
    let mut stages = Vec::new();
    let (mut from, mut at_ns) = (first, case.start_ns);
    for (to, t_ns) in middle.into_iter().map(|(mark, at)| (mark, at.t_ns)).chain([(last, case.end_ns())]) {
        stages.push((from, to, t_ns.saturating_sub(at_ns)));
        (from, at_ns) = (to, t_ns);
    }
    stages
}

/// What is known of a case that has just ended.
struct Inside<'c> {
    case: &'c Case<'c>,
    steps: Option<&'c Steps>,
    marks: &'c Marks,
}

impl<'c> Inside<'c> {
    fn wakeup(&self) -> CaseMarks {
        let start_ns = self.case.start_ns;
        let waking = self.first(0, |step, at| at.t_ns == start_ns && is_waking(step));
        let wakeup = self.first(behind(waking), |step, _| is_wakeup(step));
        let woken = behind(waking.or(wakeup));
        let switch = self.first(woken, |step, _| is_switch(step));
        let wakeup_mark = wakeup.filter(|_| waking.is_some()).map(|at| (Mark::Wakeup, at));
        let middle = self.migrations().chain(wakeup_mark).chain(self.idle_exit(woken));
        let first = if waking.is_some() { Mark::Waking } else { Mark::Wakeup };
        CaseMarks { first, middle: middle.filter(is_before(switch)).collect(), last: Mark::Switch }
    }

    fn migration(&self) -> CaseMarks {
        let switch = self.first(0, |step, _| is_switch(step));
        let mut middle: Vec<_> = self.migrations().collect();
        let first = middle.iter().position(|(_, at)| at.t_ns == self.case.start_ns);
        let first = behind(first.map(|at| middle.remove(at).1));
        middle.extend(self.first(first, |step, _| is_wakeup(step)).map(|at| (Mark::Wakeup, at)));
        middle.extend(self.idle_exit(first));
        middle.retain(is_before(switch));
        CaseMarks { first: Mark::Migration, middle, last: Mark::Switch }
    }

    fn timer(&self) -> CaseMarks {
        let entry = u16::try_from(self.case.cpu).ok().and_then(|cpu| self.marks.open_entry(cpu));
        let middle = entry.map(|entry| (Mark::InterruptEntry, entry)).into_iter().collect();
        CaseMarks { first: Mark::Expiry, middle, last: Mark::Handler }
    }

    fn cyclic(&self) -> CaseMarks {
        let (start_ns, end_ns) = (self.case.start_ns, self.case.end_ns());
        let waking = self.first(0, |step, _| is_waking(step));
        let wakeup = self.first(behind(waking), |step, _| is_wakeup(step));
        let woken = waking.or(wakeup);
        let timer = self.case.pid.zip(woken).and_then(|(pid, woken)| self.marks.timer_of(pid, woken));
        let timer = timer.filter(|timer| timer.handler.t_ns >= start_ns);
        let first_handler = timer.map(|timer| timer.first_handler);
        let first_handler = first_handler.filter(|first| timer.is_some_and(|timer| *first != timer.handler));
        let exit = timer.and_then(|timer| timer.exit);
        let switch = self.first(behind(woken), |step, _| is_switch(step));
        let (last, last_at) = match () {
            () if self.case.flags.has(SampleFlags::ENDS_AT_SWITCH) => (Mark::Switch, switch),
            () if self.case.flags.has(SampleFlags::AT_LEAST) => {
                let is_last = |at: &Instant| at.t_ns == end_ns;
                let done = timer.and_then(|timer| timer.handler_exit).filter(is_last);
                let signs = [(Mark::InterruptExit, exit.filter(is_last)), (Mark::HandlerExit, done)];
                let sign = signs.into_iter().find(|(_, at)| at.is_some());
                sign.unwrap_or((Mark::Waking, woken.filter(is_last)))
            }
            () => (Mark::Return, None),
        };
        let is_earlier = |at: &Instant| last_at.is_none_or(|last| at.order < last.order);
        let exit =
            exit.filter(is_earlier).filter(|exit| switch.is_none_or(|switch| exit.order < switch.order));
        let marks = [
            (Mark::InterruptEntry, timer.and_then(|timer| timer.entry)),
            (Mark::FirstHandler, first_handler),
            (Mark::Handler, timer.map(|timer| timer.handler)),
            (Mark::Waking, waking.filter(is_earlier)),
            (Mark::Wakeup, wakeup.filter(is_earlier)),
            (Mark::InterruptExit, exit),
            (Mark::Switch, switch.filter(|_| last == Mark::Return)),
        ];
        let middle = marks.into_iter().filter_map(|(mark, at)| Some((mark, at?))).collect();
        CaseMarks { first: Mark::Expiry, middle, last }
    }

    fn steps(&self) -> impl Iterator<Item = (Instant, Step)> + use<'c> {
        let (start_ns, end_ns) = (self.case.start_ns, self.case.end_ns());
        let steps = self.steps.into_iter().flat_map(Steps::iter);
        steps.filter(move |(at, _)| (start_ns..=end_ns).contains(&at.t_ns))
    }

    /// The first step of its task inside the case, after an event.
    fn first(&self, behind: u64, is_wanted: impl Fn(Step, Instant) -> bool) -> Option<Instant> {
        let mut later = self.steps().filter(|(at, _)| at.order > behind);
        later.find(|(at, step)| is_wanted(*step, *at)).map(|(at, _)| at)
    }

    fn migrations(&self) -> impl Iterator<Item = (Mark, Instant)> + use<'c> {
        let moves = self.steps().filter(|(_, step)| matches!(step, Step::Queued(Queueing::Migration(_))));
        moves.map(|(at, _)| (Mark::Migration, at))
    }

    fn idle_exit(&self, behind: u64) -> Option<(Mark, Instant)> {
        let cpu = u16::try_from(self.case.cpu).ok()?;
        let exit = self.marks.idle_exit(cpu, behind)?;
        (exit.t_ns >= self.case.start_ns).then_some((Mark::IdleExit, exit))
    }
}

/// The number of an event; that before all others where there is none.
fn behind(at: Option<Instant>) -> u64 {
    at.map_or(0, |at| at.order)
}

fn is_before(switch: Option<Instant>) -> impl Fn(&(Mark, Instant)) -> bool {
    move |(_, at)| switch.is_none_or(|switch| at.order < switch.order)
}

fn is_waking(step: Step) -> bool {
    matches!(step, Step::Queued(Queueing::Waking(_)))
}

fn is_wakeup(step: Step) -> bool {
    matches!(step, Step::Queued(Queueing::Wakeup(_)) | Step::Woken)
}

fn is_switch(step: Step) -> bool {
    matches!(step, Step::Switch(_))
}

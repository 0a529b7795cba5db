//! What something waited for, in words: how the carrier of deferred work, or the waker of a task, spent its time.

use super::{Extent, Length, by_limit, clause, named};
use crate::analyses::Cause;
use crate::events::Decoded;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;
use crate::explain::why::group::{Group, is_of_task};
use crate::explain::why::groups::groups;
use crate::explain::why::interrupt::ON_ITS_WAY_NS;
use crate::explain::why::link::{Link, Subject};
use crate::explain::why::mechanism::Mechanism;
use crate::explain::why::raised::until;
use crate::explain::why::scene::Scene;
use crate::explain::why::timer::woken_after;
use crate::explain::why::totals::All;
use crate::explain::words;

/// A task that has this share of what lies under a link explains enough of it: no other cause is named beside it.
const ENOUGH_PERCENT: i64 = 67;

/// The sentence of a stretch in which the waker of the task, or what carried its softirq, waited itself.
pub fn deferred<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let time = extent.time();
    let who = |length: Length| named(scene, link, Extent { length, ..extent });
    if link.is_soft {
        let who = who(extent.length.max(Length::Short));
        let until = if extent.length > Length::Short { until(scene) } else { String::new() };
        let brief = Extent { length: extent.length.max(Length::Short), ..extent };
        let silence = || largest_under(scene, link, brief).and_then(|under| under.stillness(scene, link));
        return match link.subject {
            // How long the silence was says how long it was left.
            Some(_)
                if extent.length < Length::Brief
                    && let Some(silence) = silence() =>
            {
                format!("it was left to {who} while {silence}")
            }
            Some(_) => format!("it was left for {time} to {who}{}{until}", hangs_on(scene, link, extent)),
            None => format!("no softirq ran on CPU {} for {time}{until}", link.cpu),
        };
    }
    let who = who(extent.length);
    // What took less than half of it says too little by itself.
    let is_half = |under: &Under<'_>| {
        let is_most = under.extent.total_ns.saturating_mul(2) >= link.duration_ns();
        is_most && !under.found.is_way
    };
    if extent.length == Length::Bare {
        // What kept it says more than its name.
        let kept = largest_under(scene, link, Extent { length: Length::Short, ..extent });
        let is_told = |mechanism: Mechanism| !matches!(mechanism, Mechanism::OwnWork | Mechanism::Unknown);
        let kept =
            kept.filter(|under| is_half(under) && under.all.is_none() && is_told(under.found.mechanism));
        if let Some(Under { found, extent, .. }) = kept {
            return clause(scene, &found, extent);
        }
    }
    // The case of a task waits for its timer; others are the timer or the softirq themselves.
    let handed = if scene.case.kind.is_of_task() { "its timer was handed" } else { "it was handed" };
    let unwoken = woken_after(scene, link).filter(|_| is_mostly_unexplained(link));
    if let Some(unwoken_ns) = unwoken {
        return format!("{handed} to {who}, which was woken only {} later", words::time(unwoken_ns));
    }
    let under = largest_under(scene, link, extent);
    let is_behind_all = |under: &Under<'_>| under.all.is_some() && is_behind(under.found.mechanism);
    if under.as_ref().is_some_and(|under| is_half(under) || is_behind_all(under)) {
        return format!("{handed} to {who}{}", hangs_on(scene, link, extent));
    }
    // The case of a softirq or timer that was handed on at once is as long as that took, which is said already.
    let is_all = !scene.case.kind.is_of_task() && link.duration_ns() == scene.case.duration_ns;
    if extent.length == Length::Bare && !is_all {
        let what = if scene.case.kind.is_of_task() { "its timer" } else { "it" };
        return format!("{who} ran {what} {time} later");
    }
    let later = if is_all { String::new() } else { format!(", which ran it {time} later") };
    format!("{handed} to {who}{later}{}", parts(scene, link, extent.length))
}

/// True where tasks ran for most of the time that work was deferred, though its carrier had not been woken yet.
fn is_mostly_unexplained(link: &Link<'_>) -> bool {
    let is_meant = |part: &&Link<'_>| {
        part.mechanism == Mechanism::Unknown && matches!(part.subject, Some(Subject::Task(_)))
    };
    let parts = link.deeper.iter().filter(is_meant);
    let total_ns = parts.fold(0_i64, |sum, part| sum.saturating_add(part.duration_ns()));
    total_ns.saturating_mul(2) >= link.duration_ns()
}

/// What took much of the time of deferred work, where nothing took half of it.
fn parts<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, length: Length) -> String {
    let (most, length) = match length {
        Length::Full => (2, Length::Brief),
        Length::Brief => (1, Length::Brief),
        Length::Short => (2, Length::Terse),
        Length::Terse => (1, Length::Terse),
        Length::Bare => return String::new(),
    };
    let groups = groups(scene, &link.deeper);
    let is_worth = |(at, group): &(usize, &Group<'_>)| {
        // That another task had the CPU needs no comparison, if it is the largest part or a third.
        let is_much = *at == 0 || group.total_ns.saturating_mul(3) >= link.duration_ns();
        let is_long = group.total_ns >= ON_ITS_WAY_NS || is_much && is_behind(group.link.mechanism);
        is_long && is_worth_a_word(link, &group.link, group.total_ns)
    };
    let worth = groups.iter().enumerate().filter(is_worth).take(most);
    let parts = worth.map(|(_, group)| {
        let found = &group.link;
        let extent = Extent { total_ns: group.total_ns, subjects: group.subjects, length };
        match found.mechanism {
            mechanism if is_behind(mechanism) => {
                format!(", {} of it behind {}", extent.time(), named(scene, found, extent))
            }
            _ => format!("; {}", clause(scene, found, extent)),
        }
    });
    parts.collect()
}

/// A quarter of what the work waited, and neither the way to it, nor the work of the task that it was handed to.
fn is_worth_a_word(link: &Link<'_>, part: &Link<'_>, total_ns: i64) -> bool {
    let is_own = match part.mechanism {
        Mechanism::OwnWork | Mechanism::Unknown => true,
        Mechanism::Handler => !matches!(part.subject, Some(Subject::Interrupt(_) | Subject::Softirq(_))),
        _ => part.is_way,
    };
    !is_own && total_ns.saturating_mul(4) >= link.duration_ns()
}

/// True where another task had the CPU by the scheduler's choice.
fn is_behind(mechanism: Mechanism) -> bool {
    matches!(mechanism, Mechanism::HigherPriority | Mechanism::FairShare | Mechanism::EqualPriority)
}

/// How whatever a link hangs on spent the time.
pub fn hangs_on<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let Some(Under { found, extent: of_found, all, silences, silence }) = largest_under(scene, link, extent)
    else {
        return String::new();
    };
    let (time, who) = (of_found.time(), || named(scene, &found, of_found));
    match (found.mechanism, found.subject) {
        (Mechanism::OwnWork, _) => format!(", which ran for {time}"),
        (mechanism, _) if is_behind(mechanism) && silence.is_some() => {
            format!(", which waited while {}", silence.unwrap_or_default())
        }
        (mechanism, _) if is_behind(mechanism) => {
            let alone = || format!("{time} behind {}{silences}", who());
            format!(", which waited {}", all.unwrap_or_else(alone))
        }
        (Mechanism::WaitsFor, Some(_)) if found.stop.is_some() => {
            format!(", which was stopped for {time} until {} let it go on", who())
        }
        (Mechanism::WaitsFor, Some(_)) if is_new(scene, &found) => {
            format!(", which {} created only {time} later", who())
        }
        (Mechanism::WaitsFor, Some(_)) => format!(", which slept {time} until {} woke it", who()),
        (Mechanism::WaitsFor, None) if may_have_waited(scene, &found) => {
            format!(", which slept or waited for {time}")
        }
        (Mechanism::WaitsFor, None) => format!(", which slept {time}"),
        (Mechanism::Throttled, _) => {
            format!(", which was throttled for {time}{}", limit(scene, link, &found, extent))
        }
        (Mechanism::Unknown, None) if found.is_unseen => format!(", which did not run for {time}"),
        // Nothing kept it.
        _ if found.is_way => String::new(),
        _ => format!(": {}", clause(scene, &found, of_found)),
    }
}

/// True for a task that did not exist before.
pub fn is_new(scene: &Scene<'_, '_>, link: &Link<'_>) -> bool {
    link.evidence.iter().any(|event| scene.around.event_name(event) == "sched_wakeup_new")
}

/// True for a task off its CPU, on which others ran: without wakings, no record says when it wanted it again.
pub fn may_have_waited(scene: &Scene<'_, '_>, link: &Link<'_>) -> bool {
    let leg = Leg { cpu: link.cpu, start_ns: link.start_ns, end_ns: link.end_ns };
    !scene.tells_wakings && scene.held(leg, None).iter().any(|held| held.cause == Cause::Task)
}

/// The group that took most of what lies under a link, and how to say it.
struct Under<'a> {
    found: Link<'a>,
    extent: Extent,
    /// `50 µs behind 3 tasks, longest kworker/0:1-17`, where it is one task of several that were waited for.
    all: Option<String>,
    /// `, for 120 µs of which interrupts were off or CPU 1 stood still`, if there is room.
    silences: String,
    /// `interrupts were off or CPU 1 stood still for 120 µs`, if that is most of it and there is no room for who ran.
    silence: Option<String>,
}

impl<'a> Under<'a> {
    /// The silence that is most of what lies under a link, whoever had the CPU.
    fn stillness(self, scene: &Scene<'_, 'a>, link: &Link<'a>) -> Option<String> {
        let is_still = matches!(self.found.mechanism, Mechanism::Stall | Mechanism::IrqsOff);
        let is_most = self.extent.total_ns.saturating_mul(2) >= link.duration_ns();
        let still = || clause(scene, &self.found, Extent { length: Length::Bare, ..self.extent });
        self.silence.or_else(|| (is_still && is_most).then(still))
    }
}

/// Nothing where no words are left for it.
fn largest_under<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> Option<Under<'a>> {
    let groups = groups(scene, &link.deeper);
    let all = All::of(&groups);
    let largest = groups.first().filter(|_| extent.length > Length::Bare)?;
    // Whoever ran for less than it waited for many tasks with little each has waited.
    let has_run = largest.link.mechanism == Mechanism::OwnWork;
    let is_more = all.total_ns.saturating_mul(2) >= largest.total_ns.saturating_mul(3);
    let of_task = groups.iter().find(|group| is_of_task(group)).filter(|_| has_run && is_more);
    let found = of_task.unwrap_or(largest);
    let is_most = all.silent_ns.saturating_mul(2) >= link.duration_ns();
    let silence = all.silence(&groups).filter(|_| is_most && extent.length < Length::Full);
    let all = all.is_worth_more_than(found, link.duration_ns(), ENOUGH_PERCENT).then(|| {
        let one = Extent { total_ns: found.total_ns, subjects: found.subjects, length: Length::Short };
        let said = format!("{} behind {} tasks", words::time(all.total_ns), all.tasks);
        match extent.length {
            Length::Terse => said,
            _ if let Some(silences) = all.silences(&groups) => format!("{said}{silences}"),
            _ => format!("{said}, longest {}", named(scene, &found.link, one)),
        }
    });
    // One task is named in fewer words.
    let silence = silence.filter(|_| extent.length > Length::Terse || all.is_some());
    let silences = if extent.length == Length::Full { found.silences() } else { String::new() };
    let length = extent.length.min(Length::Brief);
    let extent = Extent { total_ns: found.total_ns, subjects: found.subjects, length };
    Some(Under { found: found.link.clone(), extent, all, silences, silence })
}

/// By what the task of the link was throttled, if there are words left for it.
fn limit(scene: &Scene<'_, '_>, link: &Link<'_>, found: &Link<'_>, extent: Extent) -> &'static str {
    let is_said = extent.length == Length::Full && found.subject == link.subject;
    if is_said { by_limit(scene, found) } else { "" }
}

/// How long the task of a link ran instead of starting the timer, which it may have done since before that was due: since
/// it was switched to, or returned from its last system call.
fn run_ns(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> i64 {
    let is_own = |first: &&Link<'_>| first.mechanism == Mechanism::OwnWork;
    let Some(Subject::Task(idx)) = link.deeper.first().filter(is_own).and_then(|first| first.subject) else {
        return extent.total_ns;
    };
    let before = scene.events(link.cpu, i64::MIN, link.start_ns).iter().rev();
    let begins = |event: &Seen<'_>| {
        event.switch().is_some()
            || event.task_idx == idx && matches!(event.decoded(), Some(Decoded::SyscallExit { .. }))
    };
    let begun = before.copied().find(|event| begins(event));
    let before_ns = begun.map_or(0, |begun| link.start_ns.saturating_sub(begun.t_ns));
    extent.total_ns.saturating_add(before_ns)
}

/// What a task went through before it got to start its timer.
pub fn held_up<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let Some(Under { found, extent: of_found, all, silence, .. }) = largest_under(scene, link, extent) else {
        return String::new();
    };
    let (time, who) = (of_found.time(), || named(scene, &found, of_found));
    match (found.mechanism, found.subject) {
        (mechanism, _) if is_behind(mechanism) && silence.is_some() => {
            format!(", after {}", silence.unwrap_or_default())
        }
        (Mechanism::OwnWork, _) => {
            format!(", after running for {}", words::time(run_ns(scene, link, of_found)))
        }
        (mechanism, _) if is_behind(mechanism) => {
            format!(", after waiting {}", all.unwrap_or_else(|| format!("{time} behind {}", who())))
        }
        (Mechanism::WaitsFor, Some(_)) if extent.length == Length::Terse && is_new(scene, &found) => {
            String::new()
        }
        (Mechanism::WaitsFor, Some(_)) if extent.length == Length::Terse => match found.stop {
            Some(_) => format!(", after being stopped for {time}"),
            None => format!(", after sleeping {time}"),
        },
        (Mechanism::WaitsFor, Some(_)) if found.stop.is_some() => {
            format!(", after being stopped for {time} until {} let it go on", who())
        }
        (Mechanism::WaitsFor, Some(_)) if is_new(scene, &found) => {
            format!("; {} created it only {time} after that", who())
        }
        (Mechanism::WaitsFor, Some(_)) => format!(", after sleeping {time} until {} woke it", who()),
        (Mechanism::WaitsFor, None) if may_have_waited(scene, &found) => {
            format!(", after sleeping or waiting for {time}")
        }
        (Mechanism::WaitsFor, None) => format!(", after sleeping through {time} of it"),
        (Mechanism::Throttled, _) => {
            format!(", after being throttled for {time}{}", limit(scene, link, &found, extent))
        }
        (Mechanism::Unknown, None) if found.is_unseen => format!(", after not running for {time}"),
        (Mechanism::Unknown, _) => String::new(),
        _ => format!(": {}", clause(scene, &found, of_found)),
    }
}

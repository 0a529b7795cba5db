//! Links in words.

mod extent;
mod inner;
mod named;
mod sleep;
mod stall;
mod under;

pub use self::extent::{Extent, Length};
pub use self::named::named;

use self::extent::{is_one, normally, often, times};
use self::inner::{mostly_after, mostly_in_work, mostly_waking};
use self::sleep::waits_for;
use self::stall::{idle_host, stall};
use self::under::{deferred, held_up};
use super::callee::function_of_most;
use super::ipi_sender::sent_by;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::priority::is_fair;
use super::scene::Scene;
use crate::analyses::{Cause, SliceKind};
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;
use crate::explain::words;
use crate::model::Flags;

/// Writes the sentence of each link, and of the links under it.
pub fn tell<'a>(scene: &Scene<'_, 'a>, chain: &mut [Link<'a>]) {
    for link in chain {
        tell(scene, &mut link.deeper);
        link.subject_prio = match link.subject {
            Some(Subject::Task(idx)) => scene.prio(idx, link.start_ns),
            _ => None,
        };
        let extent = Extent { total_ns: link.duration_ns(), subjects: 1, length: Length::Full };
        link.sentence = clause(scene, link, extent);
        if link.mechanism.is_execution() && scene.is_slow(link.cpu, link.start_ns) {
            link.add(Mechanism::SlowClock);
        }
        if link.others > 0 {
            let (others, time) = (link.others, words::time(link.others_ns));
            let stretches = if others == 1 {
                "a shorter stretch".to_owned()
            } else {
                format!("{others} shorter stretches")
            };
            link.sentence.push_str(&format!("; {time} of that in {stretches}"));
        }
    }
}

/// What a link, or several of one mechanism and subject, did.
pub fn clause<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let text = mechanism(scene, link, extent);
    match link.idle_cpu.filter(|_| extent.length > Length::Bare) {
        Some(idle) => format!("{text} while CPU {idle} was idle"),
        None => text,
    }
}

fn mechanism<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let (cpu, time) = (link.cpu, format!("{}{}", extent.time(), elsewhere(link)));
    let who = || named(scene, link, extent);
    match link.mechanism {
        Mechanism::IrqsOff => irqs_off(scene, link, extent),
        Mechanism::IdleExit => {
            let usual = normally(link, extent);
            // What follows an interrupt in it is the way out.
            let is_left = link.pieces > 1 && !link.is_apart && !is_one(link, extent);
            let what = if is_left { "to notice and to leave idle" } else { "to notice" };
            let again = if link.is_apart { often(link, extent) } else { String::new() };
            let said = match extent.length {
                Length::Bare => format!("idle CPU {cpu} took {time} {what}"),
                _ => format!("CPU {cpu} was idle{again} and took {time} {what}"),
            };
            let is_doubted = link.also.contains(&Mechanism::OtherInterrupt);
            let or_softirq = if is_doubted { ", or ran a softirq" } else { "" };
            format!("{said}{usual}{or_softirq}{}", idle_host(scene, link, extent))
        }
        Mechanism::ArmedLate => armed_late(scene, link, extent, &time),
        Mechanism::OtherInterrupt => other_interrupt(scene, link, extent, &time),
        Mechanism::Stall => stall(scene, link, extent),
        Mechanism::Handler => handler(scene, link, extent, &time),
        Mechanism::Deferred => deferred(scene, link, extent),
        Mechanism::EqualPriority => {
            format!("behind {}, of the same priority, for {time}{}", who(), or_stood_still(link, extent))
        }
        Mechanism::HigherPriority | Mechanism::FairShare => {
            let is_said = link.is_lazy && extent.length == Length::Full;
            let lazily = if is_said { " (lazy preemption waits for the tick)" } else { "" };
            let or_still = or_mostly_still(link, extent);
            format!("behind {} for {time}{lazily}{}{or_still}", who(), mostly_in_work(scene, link, extent))
        }
        Mechanism::NotPreemptible => not_preemptible(scene, link, extent, &time),
        Mechanism::WrongCpu => format!("it waited {time} for CPU {cpu}"),
        Mechanism::Ipi => format!("CPU {cpu} took {time} to notice the wakeup"),
        Mechanism::Migration => {
            let who = named(scene, link, Extent { length: extent.length.min(Length::Short), ..extent });
            format!("CPU {cpu} pulled it as {who} {}, and took {time} to switch to it", left(link))
        }
        Mechanism::Throttled => throttled(scene, link, extent, &time),
        Mechanism::WaitsFor => waits_for(scene, link, extent, &time),
        Mechanism::KernelExit => {
            let after = mostly_after(scene, link, extent.total_ns);
            let is_told = extent.length > Length::Short && link.may_have_stood_still();
            let still =
                if is_told { format!("; CPU {cpu} may have stood still in it") } else { String::new() };
            format!("its return to user space took {time}{}{after}{still}", normally(link, extent))
        }
        Mechanism::SlowClock => format!("CPU {cpu} was slow for {time}"),
        Mechanism::OwnWork => format!("the task itself ran for {time}{}", mostly_waking(scene, link, extent)),
        Mechanism::Unknown => unknown(scene, link, extent),
    }
}

fn armed_late<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    let who = match link.subject {
        Some(Subject::Task(idx)) if idx == scene.case.task_idx => "it started its".to_owned(),
        _ => {
            let extent = Extent { length: extent.length.max(Length::Short), ..extent };
            format!("{} started the", named(scene, link, extent))
        }
    };
    let late = if extent.length <= Length::Terse { "late" } else { "after the expiry" };
    format!("{who} timer {time} {late}{}", held_up(scene, link, extent))
}

fn other_interrupt<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    if link.is_soft {
        return raising_interrupt(link, extent, time);
    }
    let who = named(scene, link, extent);
    if link.has_open_end {
        // What else it may have been says more than that its end is missing.
        let or_still = or_stood_still(link, Extent { length: Length::Full, ..extent });
        let is_brief = extent.length < Length::Full && !or_still.is_empty();
        let unended = if is_brief { "" } else { " (its end is not recorded)" };
        return format!("{who} ran for up to {time}{unended}{or_still}");
    }
    let long = format!("{time}{}{}", times(link, extent), mostly_in(scene, link, extent));
    format!("{who}{} ran for {long}{}", sent(scene, link, extent), or_stood_still(link, extent))
}

/// The handler of the timer or of the interrupt that was measured, and the way to it and from it.
fn handler<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    if link.is_awaited {
        let or_still = or_stood_still(link, extent);
        let (time, cpu) = (extent.time(), link.cpu);
        return format!("it waited {time} for the end of the handler on CPU {cpu} that woke it{or_still}");
    }
    if link.is_for_others {
        return format!("{time} in the handlers of other timers{}", mostly_in(scene, link, extent));
    }
    let is_one = match link.subject {
        Some(Subject::Softirq(_)) => extent.subjects <= 1,
        Some(Subject::Interrupt(_)) => link.pieces <= 1 || is_one(link, extent),
        _ if link.is_way && link.is_soft => return format!("the way to it took {time}"),
        _ if link.is_way => {
            let or_still = or_stood_still(link, extent);
            return format!("the wakeup and the switch themselves took {time}{or_still}");
        }
        // What lies before it made it late, too.
        _ if link.start_ns > scene.case.start_ns => {
            return format!("its interrupt took {} to come{}", extent.time(), elsewhere(link));
        }
        _ => return format!("its interrupt came {} late{}", extent.time(), elsewhere(link)),
    };
    let itself = if is_one { "itself" } else { "themselves" };
    let long = format!("{time}{}{}", normally(link, extent), mostly_in(scene, link, extent));
    format!("{} {itself} took {long}{}", named(scene, link, extent), or_stood_still(link, extent))
}

fn not_preemptible<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    let who = named(scene, link, extent);
    if matches!(link.subject, Some(Subject::Softirq(_))) {
        let place = mostly_in(scene, link, extent);
        let place = if place.is_empty() { place } else { format!("{place},") };
        let times = if is_one(link, extent) { normally(link, extent) } else { times(link, extent) };
        let kept = if extent.length > Length::Terse { " and could not be preempted" } else { "" };
        let or_still = or_stood_still(link, extent);
        return format!("{who} ran for {time}{times}{place}{kept}{or_still}");
    }
    if link.is_soft {
        return format!("softirqs were off in {who} for {time}");
    }
    let Some(place) = place(scene, link, extent) else {
        let (work, or_still) = (mostly_in_work(scene, link, extent), or_stood_still(link, extent));
        let or_interrupt = or_interrupt(link, extent);
        return format!("{who} could not be preempted for {time}{work}{or_interrupt}{or_still}");
    };
    let longest = if link.pieces > 1 { times(link, extent) } else { String::new() };
    format!("{who} could not be preempted{} in {place} for {time}{longest}", often(link, extent))
}

fn throttled<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    match link.subject {
        // Of the many that ran in its place, none is the reason; and for most of it, the CPU may have been idle.
        Some(Subject::Task(idx)) if extent.subjects > 1 && link.mixed > 0 => {
            let others = if idx == scene.case.task_idx { "" } else { " while other tasks ran" };
            format!("it was throttled for {time}{others}")
        }
        Some(Subject::Task(idx)) if !scene.ran_between(idx, link.start_ns, link.end_ns) => {
            let who = if idx == scene.case.task_idx { "it".to_owned() } else { named(scene, link, extent) };
            let leg = Leg { cpu: link.cpu, start_ns: link.start_ns, end_ns: link.end_ns };
            match scene.held(leg, None).iter().any(|held| held.cause == Cause::Task) {
                true => format!("{who} was throttled for {time}{}", by_limit(scene, link)),
                false => {
                    format!(
                        "{who} was throttled for {time} on idle CPU {}{}",
                        link.cpu,
                        by_limit(scene, link)
                    )
                }
            }
        }
        _ => format!("it was throttled for {time} while {} ran", named(scene, link, extent)),
    }
}

/// Only the limit of a cgroup throttles tasks of the fair class.
fn by_limit(scene: &Scene<'_, '_>, link: &Link<'_>) -> &'static str {
    let prio = match link.subject {
        Some(Subject::Task(idx)) => scene.prio(idx, link.start_ns),
        _ => None,
    };
    if prio.is_some_and(is_fair) { ", probably by its cgroup's CPU limit" } else { "" }
}

/// The function in which it was, unless words are short.
fn place(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> Option<String> {
    let idx = link.function_idx.filter(|_| extent.length > Length::Bare)?;
    scene.around.symbol(idx)
}

/// ` on CPU 1`, where that is another CPU than the one that the case is said to be on, and the clause does not name it.
pub fn elsewhere(link: &Link<'_>) -> String {
    let names_none = matches!(
        link.mechanism,
        Mechanism::OtherInterrupt
            | Mechanism::Handler
            | Mechanism::NotPreemptible
            | Mechanism::HigherPriority
            | Mechanism::EqualPriority
            | Mechanism::FairShare
            | Mechanism::Unknown
    );
    if link.is_elsewhere && names_none && !link.is_unseen {
        format!(" on CPU {}", link.cpu)
    } else {
        String::new()
    }
}

/// `, or CPU 1 stood still`, of what may have run for so long.
fn or_stood_still(link: &Link<'_>, extent: Extent) -> String {
    let is_told = extent.length > Length::Short && link.may_have_stood_still();
    if is_told { format!(", or CPU {} stood still", link.cpu) } else { String::new() }
}

/// The same of the longest stretch of a task, where that is most of the time for which it had the CPU.
pub fn or_mostly_still(link: &Link<'_>, extent: Extent) -> String {
    let is_most = link.duration_ns().saturating_mul(2) >= extent.total_ns;
    if is_most { or_stood_still(link, extent) } else { String::new() }
}

/// `, or the interrupt that woke it ran on`, where no record says when that ended.
fn or_interrupt(link: &Link<'_>, extent: Extent) -> &'static str {
    let is_told = extent.length > Length::Short && link.also.contains(&Mechanism::OtherInterrupt);
    if is_told { ", or the interrupt that woke it ran on" } else { "" }
}

/// `, sent by a-3 on CPU 0,`: who had the CPU run a function in the only interrupt of it.
fn sent(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> String {
    let is_told = extent.length > Length::Terse && link.pieces <= 1;
    let sender = if is_told { sent_by(scene, link) } else { None };
    sender.map_or_else(String::new, |sender| format!(", sent by {sender},"))
}

/// `, mostly in poll_timer`: the function of somebody else that took most of what interrupts or softirqs took.
fn mostly_in(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> String {
    let kind = match link.subject {
        Some(Subject::Interrupt(_)) => SliceKind::Irq,
        Some(Subject::Softirq(_)) => SliceKind::Softirq,
        _ => return String::new(),
    };
    let least_ns = extent.total_ns.saturating_add(1).div_euclid(2);
    let of_most = || function_of_most(scene, (kind, link.cpu), (link.start_ns, link.end_ns), least_ns);
    let function = if extent.length > Length::Short { of_most() } else { None };
    function.map_or_else(String::new, |function| format!(", mostly in {function}"))
}

/// How a task left the CPU, by the switch that ends a link.
fn left(link: &Link<'_>) -> &'static str {
    let switch = link.evidence.iter().find_map(|event| event.switch());
    match switch.and_then(|switch| switch.prev_state.first().copied()) {
        Some(b'S' | b'D' | b'I') => "went to sleep",
        Some(b'X' | b'Z') => "ended",
        _ => "left it",
    }
}

fn irqs_off<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let (cpu, time, who) = (link.cpu, extent.time(), named(scene, link, extent));
    let is_open = link.may_be_stall(scene);
    let is_whole = extent.length == Length::Full && link.pieces <= 1;
    let often = if extent.length > Length::Bare { often(link, extent) } else { String::new() };
    let off = format!("interrupts were off{often}");
    match place(scene, link, extent) {
        Some(place) => {
            let whose = in_parentheses(scene, link, extent);
            format!("{off} in {place}{whose} for {time}{}", times(link, extent))
        }
        None if is_open && matches!(link.subject, Some(Subject::Cpu(_))) => {
            let between = if is_whole { between(scene, link) } else { "" };
            format!("interrupts were off or CPU {cpu} stood still{often} for {time}{between}")
        }
        None if is_open && is_whole => {
            format!("{off} in {who} for {time}, or CPU {cpu} stood still{}", between(scene, link))
        }
        // Where words are short, whichever of many tasks it was says the least; and where they are shorter, any one.
        None if is_open && extent.length <= if link.mixed > 0 { Length::Short } else { Length::Terse } => {
            format!("{off} or CPU {cpu} stood still for {time}")
        }
        None if is_open => format!("{off} in {who} for {time}, or CPU {cpu} stood still"),
        None if extent.length == Length::Full => {
            format!("{off} in {who} for {time} (inferred{})", between(scene, link))
        }
        None => format!("{off} in {who} for {time} (inferred)"),
    }
}

/// The task of a section, without its priority, which has parentheses of its own; nothing where it is the case's.
fn in_parentheses<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    match link.subject {
        Some(Subject::Task(idx)) if idx == scene.case.task_idx => String::new(),
        _ => format!(
            " ({})",
            named(scene, link, Extent { length: extent.length.min(Length::Short), ..extent })
        ),
    }
}

/// `: no event in between`: what says that interrupts were off; nothing where an event shows them on.
fn between(scene: &Scene<'_, '_>, link: &Link<'_>) -> &'static str {
    let (after_ns, before_ns) = (link.start_ns.saturating_add(1), link.end_ns.saturating_sub(1));
    let is_off = |event: &&Seen<'_>| Flags(event.flags.cast_unsigned()).has(Flags::IRQS_OFF);
    match scene.events(link.cpu, after_ns, before_ns) {
        [] => ": no event in between",
        events if events.iter().all(is_off) => ": every event in between has them off",
        _ => "",
    }
}

/// The interrupt in which a softirq was raised, of which only the events inside are recorded.
fn raising_interrupt(link: &Link<'_>, extent: Extent, time: &str) -> String {
    // Stalls inside it are told separately.
    let least_ns = link.bounds.map_or(0, |(from_ns, to_ns)| to_ns.saturating_sub(from_ns));
    let least_ns = least_ns.min(extent.total_ns);
    let least = Some(words::time(least_ns)).filter(|_| least_ns > 0);
    let time = match least {
        None => format!("up to {time}"),
        Some(least) if least == extent.time() => time.to_owned(),
        Some(least) => format!("{least} to {time}"),
    };
    let ran = format!("the interrupt that raised it ran on for {time}");
    match or_stood_still(link, extent) {
        none if none.is_empty() => format!("{ran} (its end is not recorded)"),
        or_still => ran + &or_still,
    }
}

fn unknown<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    if let Some(before) = link.before_recording_ns().map(words::time) {
        return format!("the recording begins only after its first {before}");
    }
    let time = format!("{}{}", extent.time(), elsewhere(link));
    match link.subject {
        _ if link.is_undelivered => {
            let is_said = scene.is_guest() && extent.length == Length::Full;
            let host = if is_said { ", as in a guest while its host runs something else" } else { "" };
            format!("its interrupt did not come for {time}, though interrupts were on{host}")
        }
        Some(Subject::Task(_)) => {
            format!("{} ran for {time}, and no record says why", named(scene, link, extent))
        }
        Some(Subject::Cpu(cpu)) => {
            format!("CPU {cpu} was idle for {}, and no record says why", extent.time())
        }
        _ if link.is_unseen => format!("it did not run for {time}"),
        _ if link.is_off => format!("nothing was recorded for {time}, as while tracing is off"),
        _ if link.duration_ns() >= scene.case.duration_ns => "no record of what ran then".to_owned(),
        _ => format!("no record of what ran for {time}"),
    }
}

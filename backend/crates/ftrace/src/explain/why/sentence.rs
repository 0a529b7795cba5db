//! Links in words.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::verdict::largest;
use crate::explain::words;

/// Writes the sentence of each link, and of the links under it.
pub fn tell<'a>(scene: &Scene<'_, 'a>, chain: &mut [Link<'a>]) {
    for link in chain {
        tell(scene, &mut link.deeper);
        link.subject_prio = match link.subject {
            Some(Subject::Task(idx)) => scene.pid(idx).and_then(|pid| scene.prio_at(pid, link.start_ns)),
            _ => None,
        };
        link.sentence = clause(scene, link, &words::time(link.duration_ns()), 1);
    }
}

/// What a link, or several of one mechanism and subject, did for `time`. `subjects` counts those of one name.
pub fn clause<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, time: &str, subjects: usize) -> String {
    let cpu = link.cpu;
    let who = || named(scene, link, subjects);
    let place = link.function_idx.and_then(|idx| scene.around.symbol(idx));
    let times =
        if link.pieces > 1 { format!(", longest {}", words::time(link.longest_ns)) } else { String::new() };
    let task = || link.subject.map_or_else(String::new, |subject| subject.name(scene.around));
    let text = match (link.mechanism, link.subject) {
        (Mechanism::IrqsOff, _) if let Some(place) = place => {
            format!("interrupts were off in {place} ({}) for {time}", task())
        }
        (Mechanism::IrqsOff, _)
            if link.also.contains(&Mechanism::Stall) && !is_kernel_thread(scene, link) =>
        {
            format!(
                "interrupts were off in {} for {time}, or CPU {cpu} stood still: no event in between",
                who()
            )
        }
        (Mechanism::IrqsOff, _) => {
            format!("interrupts were off in {} for {time} (inferred: no event in between)", who())
        }
        (Mechanism::IdleExit, _) => format!("CPU {cpu} was idle and took {time} to notice"),
        (Mechanism::ArmedLate, _) => format!("{} started its timer {time} after the expiry", who()),
        (Mechanism::OtherInterrupt, Some(Subject::Softirq(_))) => {
            format!("softirq {} ran for {time}{times}", who())
        }
        (Mechanism::OtherInterrupt, _) => format!("interrupt {} ran for {time}{times}", who()),
        (Mechanism::Stall, _) => stall(scene, link, time),
        (Mechanism::Handler, _) if link.is_for_others => format!("{time} in the handlers of other timers"),
        (Mechanism::Handler, Some(Subject::Interrupt(_))) => {
            format!("interrupt {} itself took {time}", who())
        }
        (Mechanism::Handler, Some(Subject::Softirq(_))) => format!("softirq {} itself took {time}", who()),
        (Mechanism::Handler, _) => format!("its interrupt took {time} to come"),
        (Mechanism::Deferred, _) => format!("its work was handed to {}{}", who(), carrier(scene, link, time)),
        (Mechanism::EqualPriority, _) => format!("behind {}, of the same priority, for {time}", who()),
        (Mechanism::HigherPriority | Mechanism::FairShare, _) => format!("behind {} for {time}", who()),
        (Mechanism::NotPreemptible, Some(Subject::Softirq(_))) => {
            format!("softirq {} ran for {time} and could not be preempted", who())
        }
        (Mechanism::NotPreemptible, _) if let Some(place) = place => {
            format!("preemption was off in {place} ({}) for {time}", task())
        }
        (Mechanism::NotPreemptible, _) => format!("{} could not be preempted for {time}", who()),
        (Mechanism::WrongCpu, _) => format!("it waited {time} for CPU {cpu}"),
        (Mechanism::Ipi, _) => format!("CPU {cpu} took {time} to notice the wakeup"),
        (Mechanism::Migration, _) => format!("its migration took {time}"),
        (Mechanism::Throttled, Some(Subject::Task(idx))) if idx == scene.case.task_idx => {
            format!("CPU {cpu} was idle for {time}: it was throttled")
        }
        (Mechanism::Throttled, _) => format!("{} ran for {time} in its place: it was throttled", who()),
        (Mechanism::WaitsFor, Some(Subject::Task(_))) => {
            format!("it slept {time} until {} woke it{}", who(), hangs_on(scene, link))
        }
        (Mechanism::WaitsFor, Some(Subject::Softirq(_))) => {
            format!("it slept {time} until softirq {} woke it", who())
        }
        (Mechanism::WaitsFor, Some(_)) => format!("it slept {time} until interrupt {} woke it", who()),
        (Mechanism::WaitsFor, None) => format!("it slept {time}; no record says who woke it"),
        (Mechanism::KernelExit, _) => format!("{time} on the way back to user space"),
        (Mechanism::OwnWork, _) => format!("the task itself ran for {time}"),
        (Mechanism::Unknown, Some(Subject::Task(_))) => {
            format!("{} ran for {time}, and no record says why", who())
        }
        (Mechanism::Unknown, _) if link.duration_ns() >= scene.case.duration_ns => {
            "no record of what ran then".to_owned()
        }
        (Mechanism::Unknown, _) => format!("no record of what ran for {time}"),
    };
    match link.idle_cpu {
        Some(idle) => format!("{text} while CPU {idle} was idle"),
        None => text,
    }
}

fn is_kernel_thread<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>) -> bool {
    matches!(link.subject, Some(Subject::Task(idx)) if scene.is_kernel_thread(idx))
}

fn stall<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, time: &str) -> String {
    let often = match link.pieces {
        2 => format!("twice for {time}, longest {}", words::time(link.longest_ns)),
        0 | 1 => format!("for {time}"),
        pieces => format!("{pieces} times for {time}, longest {}", words::time(link.longest_ns)),
    };
    let usual = link.usual.map(|usual| format!(" (normally {})", words::time(usual.median_ns)));
    let host =
        if scene.is_guest() { ", as a guest's CPU does while its host runs something else" } else { "" };
    format!("CPU {} stood still {often}{}{host}", link.cpu, usual.unwrap_or_default())
}

/// How the carrier of deferred work spent the time.
fn carrier<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, time: &str) -> String {
    match hangs_on(scene, link) {
        empty if empty.is_empty() => format!(", which came {time} later"),
        waited => waited,
    }
}

fn hangs_on<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>) -> String {
    let Some(found) = largest(scene, &link.deeper) else { return String::new() };
    let clause = match (found.link.mechanism.is_of_task(), found.link.mechanism) {
        (_, Mechanism::OwnWork) => format!("ran for {}", words::time(found.total_ns)),
        (_, Mechanism::HigherPriority | Mechanism::FairShare | Mechanism::EqualPriority) => {
            format!(
                "waited {} behind {}",
                words::time(found.total_ns),
                named(scene, &found.link, found.subjects)
            )
        }
        _ => {
            return format!(": {}", clause(scene, &found.link, &words::time(found.total_ns), found.subjects));
        }
    };
    format!(", which {clause}")
}

/// `hog-170 (rt 90)`, `44 tasks hackbench (nice 0)`, `local_timer:236`.
fn named<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, subjects: usize) -> String {
    match link.subject {
        Some(Subject::Task(idx)) => {
            let pid = scene.pid(idx);
            let prio = pid.and_then(|pid| scene.prio_at(pid, link.start_ns)).map(words::priority);
            let boosted = pid.and_then(|pid| scene.prio_before_boost(pid, link.start_ns));
            let prio = match (prio, boosted) {
                (Some(prio), Some(own)) => format!(" ({}, boosted to {prio})", words::priority(own)),
                (Some(prio), None) => format!(" ({prio})"),
                (None, _) => String::new(),
            };
            let comm = scene.around.task(idx).map_or("", |task| task.comm);
            if subjects > 1 {
                format!("{subjects} {comm} tasks{prio}")
            } else {
                format!("{}{prio}", Subject::Task(idx).name(scene.around))
            }
        }
        Some(subject) => subject.name(scene.around),
        None => "nobody knows what".to_owned(),
    }
}

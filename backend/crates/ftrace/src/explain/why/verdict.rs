//! The one clause that names why a case was late: the largest group of its links.

use std::collections::{BTreeMap, BTreeSet};

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::sentence::clause;
use crate::analyses::SliceKind;
use crate::explain::case::Case;
use crate::explain::words;

/// Links of one mechanism, about one thing, or tasks of one name.
pub struct Group<'a> {
    /// The longest of them, with the pieces of all.
    pub link: Link<'a>,
    pub total_ns: i64,
    pub subjects: usize,
}

/// The cause of a case in one clause, as its chain says; `None` of an empty chain.
pub fn verdict<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Option<String> {
    let found = largest(scene, chain)?;
    if is_case_itself(scene.case, &found.link) {
        return None;
    }
    Some(clause(scene, &found.link, &words::time(found.total_ns), found.subjects))
}

/// What was measured is no cause of itself: the handler of an interrupt, the section from its beginning on.
fn is_case_itself(case: &Case<'_>, link: &Link<'_>) -> bool {
    match (link.mechanism, case.kind.slice_kind()) {
        (Mechanism::Handler, Some(SliceKind::Irq | SliceKind::Softirq)) => true,
        (Mechanism::IrqsOff, Some(SliceKind::Irqsoff))
        | (Mechanism::NotPreemptible, Some(SliceKind::Preemptoff)) => {
            link.bounds == Some((case.start_ns, case.end_ns()))
        }
        _ => false,
    }
}

/// The group that took most.
pub fn largest<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Option<Group<'a>> {
    let mut groups: BTreeMap<Key<'a>, Vec<&Link<'a>>> = BTreeMap::new();
    for link in chain {
        groups.entry(key(scene, link)).or_default().push(link);
    }
    let groups = groups.into_values().filter_map(|links| {
        let longest = links.iter().rev().max_by_key(|link| link.duration_ns()).copied()?;
        let total_ns = links.iter().fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()));
        let subjects: BTreeSet<_> = links.iter().map(|link| format!("{:?}", link.subject)).collect();
        let mut link = longest.clone();
        link.pieces = links.iter().map(|link| link.pieces).sum();
        link.longest_ns = links.iter().map(|link| link.longest_ns).max().unwrap_or(0);
        // Of a part of them only, it would be said of all.
        link.idle_cpu =
            link.idle_cpu.filter(|_| links.iter().all(|other| other.idle_cpu == longest.idle_cpu));
        Some(Group { link, total_ns, subjects: subjects.len() })
    });
    groups.max_by_key(|group| (group.total_ns, -group.link.start_ns))
}

type Key<'a> = (Mechanism, &'static str, &'a str, i32, bool);

fn key<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>) -> Key<'a> {
    let is_deferred = !link.deeper.is_empty() || link.is_for_others;
    let of = |kind, name, number| (link.mechanism, kind, name, number, is_deferred);
    match link.subject {
        Some(Subject::Task(idx)) => match scene.around.task(idx).map_or("", |task| task.comm) {
            "" | "<...>" => of("pid", "", idx),
            comm => of("task", comm, 0),
        },
        Some(Subject::Interrupt(idx) | Subject::Softirq(idx) | Subject::Function(idx)) => {
            of("symbol", "", idx)
        }
        Some(Subject::Cpu(cpu)) => of("cpu", "", i32::from(cpu)),
        None => of("", "", 0),
    }
}

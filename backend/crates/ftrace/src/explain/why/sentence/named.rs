//! What links are about, by name.

use super::extent::is_one;
use super::{Extent, Length};
use crate::explain::surroundings::Seen;
use crate::explain::why::link::{Link, Subject};
use crate::explain::why::priority::changed_to;
use crate::explain::why::scene::Scene;
use crate::model::{grouped, priority_text};

/// `hog-170 (rt 90)`, `hog-170 (rt 90, above rt 80)`, `44 hackbench tasks (nice 0)`, `interrupt local_timer:236`, `softirq TIMER`, `2 eth0 interrupts`.
pub fn named<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let name = |subject: Subject| subject.name(scene.around, link.end_ns);
    match link.subject {
        Some(Subject::Task(idx)) if extent.length == Length::Bare && extent.subjects > 1 => {
            let comm = scene.around.comm_at(idx, link.end_ns).filter(|_| link.mixed == 0);
            match comm.filter(|comm| comm.split_whitespace().count() == 1) {
                Some(comm) => format!("{comm} tasks"),
                None => format!("{} tasks", grouped(extent.subjects)),
            }
        }
        Some(Subject::Task(idx)) if extent.length == Length::Bare => match scene.pid(idx) {
            // A name of no more words says more.
            Some(_) if name(Subject::Task(idx)).split_whitespace().count() <= 2 => name(Subject::Task(idx)),
            Some(pid) => format!("pid {pid}"),
            None => "the idle task".to_owned(),
        },
        Some(Subject::Task(idx)) if extent.length <= Length::Short && extent.subjects <= 1 => {
            name(Subject::Task(idx))
        }
        Some(Subject::Task(_)) if link.mixed > 0 => {
            let one = named(scene, &Link { mixed: 0, ..link.clone() }, Extent { subjects: 1, ..extent });
            let others = extent.subjects.saturating_sub(1);
            format!("{one} and {others} other task{}", if others == 1 { "" } else { "s" })
        }
        Some(Subject::Task(idx)) => {
            let prio = scene.prio(idx, link.start_ns).map(priority_text);
            let boosted = scene.pid(idx).and_then(|pid| scene.prio_before_boost(pid, link.start_ns));
            let above = above(link, extent);
            let prio = match (prio, boosted) {
                _ if extent.subjects > 1 && (link.has_prios || extent.length <= Length::Short) => {
                    String::new()
                }
                (Some(prio), Some(own)) => format!(" ({}, boosted to {prio}{above})", priority_text(own)),
                (Some(prio), None) => {
                    let changed = changed_to(scene, idx, (link.start_ns, left_ns(scene, idx, link)));
                    // Of several tasks, it is known of the one.
                    match changed.filter(|_| extent.subjects <= 1) {
                        Some(last) => format!(" ({prio}, {} by the end)", priority_text(last)),
                        None => format!(" ({prio}{above})"),
                    }
                }
                (None, _) => String::new(),
            };
            let comm = scene.around.comm_at(idx, link.end_ns).unwrap_or_default();
            if extent.subjects > 1 {
                format!("{} {comm} tasks{prio}", grouped(extent.subjects))
            } else {
                format!("{}{prio}", name(Subject::Task(idx)))
            }
        }
        Some(subject @ Subject::Interrupt(idx)) if idx >= 0 => match link.pieces {
            0 | 1 => format!("interrupt {}", name(subject)),
            // The others are too short to be counted.
            _ if is_one(link, extent) => format!("interrupt {}", name(subject)),
            pieces => format!("{pieces} {} interrupts", name(subject)),
        },
        Some(subject @ Subject::Softirq(idx)) if idx >= 0 && extent.subjects > 1 => {
            format!("softirqs (mostly {})", name(subject))
        }
        Some(subject @ Subject::Softirq(idx)) if idx >= 0 => format!("softirq {}", name(subject)),
        Some(Subject::Softirq(_)) if link.pieces > 1 => "softirqs".to_owned(),
        Some(subject) => name(subject),
        None => "something that is not recorded".to_owned(),
    }
}

/// When the task of a link left the CPU, which may be later than the link ends: only that tells its priority again.
fn left_ns(scene: &Scene<'_, '_>, task_idx: i32, link: &Link<'_>) -> i64 {
    let pid = scene.pid(task_idx);
    let leaves = |event: &&Seen<'_>| event.switch().is_some_and(|switch| Some(switch.prev.pid) == pid);
    link.evidence.iter().rev().find(leaves).map_or(link.end_ns, |event| event.t_ns.max(link.end_ns))
}

/// `, above rt 80`: the priority of the waiter, where the other one is more important only by comparison. A fair task
/// needs no such words.
fn above(link: &Link<'_>, extent: Extent) -> String {
    let prio = link.waiter_prio.filter(|_| extent.length == Length::Full);
    prio.map_or_else(String::new, |prio| format!(", above {}", priority_text(prio)))
}

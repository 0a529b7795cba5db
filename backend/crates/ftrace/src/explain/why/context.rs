//! Softirqs whose events are not recorded, by the flags of what is recorded in them.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// A stretch [start, end) of a CPU between two events of one softirq.
#[derive(Clone, Copy)]
pub struct SoftContext<'s, 'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    events: [&'s Seen<'a>; 2],
    /// The tick did not come in it, which softirqs do not keep away.
    is_stall: bool,
}

/// The stretches in which a CPU was in a softirq without a slice: two consecutive events show it, and a
/// softirq that ended between them would have been followed by the interrupted task's going on.
///
/// `s` is a softirq, `H` an interrupt in one (Documentation/trace/ftrace.rst).
pub fn soft_contexts<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    start_ns: i64,
    end_ns: i64,
) -> Vec<SoftContext<'s, 'a>> {
    let pairs = scene.neighbours(cpu, start_ns, end_ns).into_iter();
    let pairs = pairs.filter(|[first, second]| is_soft(first) && is_soft(second));
    let stretches = pairs.filter_map(|[first, second]| {
        let (from_ns, to_ns) = (first.t_ns.max(start_ns), second.t_ns.min(end_ns));
        let is_told = scene.span_at(SliceKind::Softirq, cpu, from_ns).is_some();
        let is_stall = scene.is_without_ticks(second.t_ns.saturating_sub(first.t_ns));
        (from_ns < to_ns && !is_told).then_some(SoftContext {
            start_ns: from_ns,
            end_ns: to_ns,
            events: [first, second],
            is_stall,
        })
    });
    stretches.collect()
}

impl<'a> SoftContext<'_, 'a> {
    /// The stretch as one that kept the CPU because it could not be preempted.
    pub fn link(&self, cpu: i16) -> Link<'a> {
        self.link_of(cpu, Mechanism::NotPreemptible)
    }

    /// In what way it kept the CPU, unless that stood still.
    pub fn link_of(&self, cpu: i16, mechanism: Mechanism) -> Link<'a> {
        let link =
            |mechanism| Link::new(mechanism, cpu, self.start_ns, self.end_ns).seen_by(self.events).inferred();
        if self.is_stall {
            return link(Mechanism::Stall).about(Subject::Cpu(cpu));
        }
        link(mechanism).about(Subject::Softirq(-1))
    }
}

fn is_soft(event: &Seen<'_>) -> bool {
    Flags(event.flags.cast_unsigned()).has(Flags::SOFTIRQ)
}

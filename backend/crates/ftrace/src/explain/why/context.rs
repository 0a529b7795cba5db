//! Softirqs whose events are not recorded, and interrupts whose beginning is not, by the flags of what is recorded in them.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// A softirq that shows no event for so long is an unusual one, or its CPU stood still.
const SILENT_NS: i64 = 100_000;

/// A stretch [start, end) of a CPU between two events of one softirq, or of one interrupt.
#[derive(Clone, Copy)]
pub struct Context<'s, 'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    events: [&'s Seen<'a>; 2],
    /// The tick did not come in it, which softirqs do not keep away.
    is_stall: bool,
    /// Nothing is recorded in it for long: the CPU may have stood still.
    is_silent: bool,
    /// It is an interrupt, of this symbol where one is known.
    interrupt: Option<i32>,
}

/// The stretches in which a CPU was in a softirq or in an interrupt that has no slice.
pub fn contexts<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Context<'s, 'a>> {
    let pairs = scene.neighbours(cpu, (start_ns, end_ns));
    let mut found = soft_contexts(scene, cpu, pairs.clone(), (start_ns, end_ns));
    found.extend(begun_interrupts(scene, cpu, pairs, (start_ns, end_ns)));
    found.sort_by_key(|context| context.start_ns);
    found
}

/// The stretches of an interrupt that began before anything is known of its CPU: its end is recorded, all events up to it
/// say that they lie in an interrupt, and none of them begins one.
fn begun_interrupts<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    pairs: impl DoubleEndedIterator<Item = [&'s Seen<'a>; 2]>,
    within: (i64, i64),
) -> Vec<Context<'s, 'a>> {
    let mut found = Vec::new();
    let mut ends_with = None;
    for [first, second] in pairs.rev() {
        if second.ends_interrupt() {
            ends_with = begun_before(scene, cpu, [first, second]);
        }
        let is_inside = is_hard_alone(first) && is_hard_alone(second);
        if !is_inside || first.ends_interrupt() || second.begins_interrupt() {
            ends_with = None;
        }
        let Some(symbol_idx) = ends_with else { continue };
        let context = Context::between([first, second], within);
        found.extend(context.map(|context| Context { interrupt: Some(symbol_idx), ..context }));
    }
    found
}

/// The symbol of the interrupt that the second event ends, -1 where none is known, if it began before the first one; only
/// where such beginnings are recorded.
fn begun_before(scene: &Scene<'_, '_>, cpu: i16, [first, second]: [&Seen<'_>; 2]) -> Option<i32> {
    let name = scene.around.event_name(second).strip_suffix("_exit")?;
    let is_recorded = scene.around.records(&format!("{name}_entry"));
    let is_known = scene.span_at(SliceKind::Irq, cpu, first.t_ns).is_some();
    (is_recorded && !is_known).then(|| scene.around.symbol_idx(name).unwrap_or(-1))
}

/// The stretches in which a CPU was in a softirq without a slice: two consecutive events show it, and a
/// softirq that ended between them would have been followed by the interrupted task's going on.
///
/// `s` is a softirq, `H` an interrupt in one (Documentation/trace/ftrace.rst).
fn soft_contexts<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    pairs: impl Iterator<Item = [&'s Seen<'a>; 2]>,
    within: (i64, i64),
) -> Vec<Context<'s, 'a>> {
    let pairs = pairs.filter(|[first, second]| is_soft(first) && is_soft(second));
    let stretches = pairs.filter_map(|[first, second]| {
        let context = Context::between([first, second], within)?;
        let is_recorded = scene.span_at(SliceKind::Softirq, cpu, context.start_ns).is_some();
        let silence_ns = second.t_ns.saturating_sub(first.t_ns);
        let is_stall = scene.is_without_ticks(silence_ns);
        let is_silent = silence_ns >= SILENT_NS && scene.may_stand_still();
        (!is_recorded).then_some(Context { is_stall, is_silent, ..context })
    });
    stretches.collect()
}

impl<'s, 'a> Context<'s, 'a> {
    /// What lies between two events within [start, end); `None` where that is nothing.
    fn between(events: [&'s Seen<'a>; 2], (start_ns, end_ns): (i64, i64)) -> Option<Self> {
        let [first, second] = events;
        let (start_ns, end_ns) = (first.t_ns.max(start_ns), second.t_ns.min(end_ns));
        let is_some = start_ns < end_ns;
        is_some.then_some(Self {
            start_ns,
            end_ns,
            events,
            is_stall: false,
            is_silent: false,
            interrupt: None,
        })
    }

    /// The stretch as one that kept the CPU, because it could not be preempted or is an interrupt.
    pub fn link(&self, cpu: i16) -> Link<'a> {
        self.link_of(cpu, Mechanism::NotPreemptible)
    }

    /// In what way it kept the CPU, unless that stood still.
    pub fn link_of(&self, cpu: i16, mechanism: Mechanism) -> Link<'a> {
        let link =
            |mechanism| Link::new(mechanism, cpu, self.start_ns, self.end_ns).seen_by(self.events).inferred();
        match self.interrupt {
            Some(symbol_idx) => link(Mechanism::OtherInterrupt).about(Subject::Interrupt(symbol_idx)),
            None if self.is_stall => link(Mechanism::Stall).about(Subject::Cpu(cpu)),
            None => {
                let softirq = link(mechanism).about(Subject::Softirq(-1));
                if self.is_silent { softirq.also(Mechanism::Stall) } else { softirq }
            }
        }
    }
}

fn is_soft(event: &Seen<'_>) -> bool {
    Flags(event.flags.cast_unsigned()).has(Flags::SOFTIRQ)
}

/// True in an interrupt that did not come on top of a softirq.
fn is_hard_alone(event: &Seen<'_>) -> bool {
    let flags = Flags(event.flags.cast_unsigned());
    flags.has(Flags::HARDIRQ) && !flags.has(Flags::SOFTIRQ) && !flags.has(Flags::NMI)
}

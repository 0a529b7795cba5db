//! From when to when a CPU was asked to run another task, by the need-resched flag of its events.

use super::scene::Scene;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// A stretch in which another task should run but does not yet.
#[derive(Clone, Copy)]
pub struct Asked<'s, 'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    /// The first event that shows it.
    pub first: &'s Seen<'a>,
    /// Only the tick or the return to user space is to make it so: lazy preemption.
    pub is_lazy: bool,
}

/// The stretches inside [start, end) of a CPU.
///
/// The flag is a state: it is set until the scheduler runs, which shows by a switch, or by the first event without
/// the flag, where the scheduler kept the task (Documentation/trace/ftrace.rst).
pub fn asked<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Asked<'s, 'a>> {
    let mut stretches: Vec<Asked<'s, 'a>> = Vec::new();
    let mut open: Option<Asked<'s, 'a>> = None;
    for event in scene.events(cpu, start_ns, end_ns) {
        let flags = Flags(event.flags.cast_unsigned());
        let is_hard = flags.has(Flags::NEED_RESCHED) || flags.has(Flags::PREEMPT_RESCHED);
        let is_lazy = !is_hard && flags.has(Flags::NEED_RESCHED_LAZY);
        let ends = event.switch().is_some() || !(is_hard || is_lazy);
        match open.as_mut() {
            Some(stretch) if ends || stretch.is_lazy != is_lazy => {
                stretches.push(Asked { end_ns: event.t_ns, ..*stretch });
                open = None;
            }
            _ => {}
        }
        if open.is_none() && !ends {
            open = Some(Asked { start_ns: event.t_ns, end_ns, first: event, is_lazy });
        }
    }
    stretches.extend(open);
    stretches
}

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

impl Asked<'_, '_> {
    /// True where the stretch has an instant in [start, end).
    pub fn overlaps(&self, start_ns: i64, end_ns: i64) -> bool {
        self.start_ns < end_ns && start_ns < self.end_ns
    }
}

/// The stretches inside [start, end) of a CPU.
///
/// The flag is a state: it is set until the scheduler runs. That shows by a switch; or an event without the flag says
/// that the scheduler kept the task, somewhere after the last event that had it (Documentation/trace/ftrace.rst).
pub fn asked<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Asked<'s, 'a>> {
    let mut stretches: Vec<Asked<'s, 'a>> = Vec::new();
    let mut open: Option<Asked<'s, 'a>> = None;
    for event in scene.events(cpu, start_ns, end_ns) {
        let is_switch = event.switch().is_some();
        let flag = flag(event).filter(|_| !is_switch);
        if let Some(stretch) = open.as_mut() {
            // Up to here it is known to have lasted, whatever came then.
            let lasts = is_switch || flag.is_some();
            stretch.end_ns = if lasts { event.t_ns } else { stretch.end_ns };
            if flag != Some(stretch.is_lazy) {
                stretches.push(*stretch);
                open = None;
            }
        }
        if let Some(is_lazy) = flag.filter(|_| open.is_none()) {
            open = Some(Asked { start_ns: event.t_ns, end_ns: event.t_ns, first: event, is_lazy });
        }
    }
    // It is not known to have ended: the task of the case runs at the end.
    stretches.extend(open.map(|stretch| Asked { end_ns, ..stretch }));
    stretches.retain(|stretch| stretch.start_ns < stretch.end_ns);
    stretches
}

/// Whether an event shows that its CPU was asked to switch, lazily or not; `None` where its flags are not known.
pub fn is_asked(event: &Seen<'_>) -> Option<bool> {
    let flags = Flags(event.flags.cast_unsigned());
    flags.has(Flags::KNOWN).then(|| flags.needs_resched() || flags.has(Flags::PREEMPT_RESCHED))
}

/// False for an interrupt after which the scheduler kept a fair task: had it come in time, it would have, too.
pub fn may_end_turn(scene: &Scene<'_, '_>, cpu: i16, came_ns: i64) -> bool {
    let mut events = scene.events(cpu, came_ns, i64::MAX).iter();
    if !events.next().is_some_and(|event| event.t_ns == came_ns && event.begins_interrupt()) {
        return true;
    }
    let asks = |event: &&&Seen<'_>| is_asked(event) != Some(false) || event.switch().is_some();
    let is_inside = |event: &&&Seen<'_>| event.is_in_hard_interrupt() && !event.begins_interrupt();
    // Its own events, and the one behind.
    events.as_slice().iter().take_while(is_inside).any(|event| asks(&event))
        || events.find(|event| !is_inside(event)).is_none_or(|event| asks(&event))
}

/// True where only the lazy flag is set, false where the other is; `None` where neither is.
fn flag(event: &Seen<'_>) -> Option<bool> {
    let flags = Flags(event.flags.cast_unsigned());
    let is_hard = flags.has(Flags::NEED_RESCHED) || flags.has(Flags::PREEMPT_RESCHED);
    (is_hard || flags.has(Flags::NEED_RESCHED_LAZY)).then_some(!is_hard)
}

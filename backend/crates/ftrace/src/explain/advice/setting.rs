//! What the conditions of advice are judged by.

use crate::explain::case::Case;
use crate::explain::surroundings::{Seen, Surroundings};
use crate::explain::why::{Link, Subject};
use crate::model::Flags;

/// A case, what is recorded around it, and what is known of its machine.
pub struct Setting<'c, 'r, 'a> {
    pub case: &'c Case<'a>,
    pub around: &'c Surroundings<'r, 'a>,
    /// CPUs that the trace calls isolated, as `isolcpus=` lists them.
    pub isolated: &'c str,
    /// As the header of the file says it: `preempt`, `desktop`, `PREEMPT(none)`.
    pub preemption_model: Option<&'c str>,
}

impl<'a> Setting<'_, '_, 'a> {
    /// True where the trace lists the CPU as isolated.
    pub fn is_isolated(&self, cpu: i16) -> bool {
        is_listed(cpu, self.isolated)
    }

    /// The events of the link's CPU while it lasted.
    pub fn events_in<'s>(&'s self, link: &Link<'_>) -> impl Iterator<Item = &'s Seen<'a>> + use<'s, 'a> {
        let (cpu, start_ns, end_ns) = (link.cpu, link.start_ns, link.end_ns);
        let is_inside =
            move |event: &&Seen<'a>| event.cpu == cpu && start_ns <= event.t_ns && event.t_ns < end_ns;
        self.around.events.iter().filter(is_inside)
    }

    /// The name of the task that a link is about; empty for anything else.
    pub fn comm(&self, link: &Link<'_>) -> &str {
        match link.subject {
            Some(Subject::Task(idx)) => self.around.task(idx).map_or("", |task| task.comm),
            _ => "",
        }
    }
}

/// True for an event whose task could have been preempted there: interrupts on, depth 0, in no interrupt.
pub fn is_preemptible(event: &Seen<'_>) -> bool {
    let flags = Flags(event.flags.cast_unsigned());
    let is_kept = [Flags::IRQS_OFF, Flags::HARDIRQ, Flags::SOFTIRQ, Flags::NMI, Flags::BH_OFF];
    flags.has(Flags::KNOWN) && flags.preempt_depth() == 0 && !is_kept.iter().any(|bit| flags.has(*bit))
}

/// `2-3,5`, also behind flags as in `isolcpus=nohz,domain,2-3`; what is no CPU is passed over.
pub fn is_listed(cpu: i16, list: &str) -> bool {
    list.split(',').any(|item| {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let ends = (first.trim().parse::<i16>(), last.trim().parse::<i16>());
        matches!(ends, (Ok(first), Ok(last)) if (first..=last).contains(&cpu))
    })
}

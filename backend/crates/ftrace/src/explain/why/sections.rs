//! Silences of a recording that has every section with interrupts off: it says of each whether they were.

use std::mem;

use super::interrupt::ON_ITS_WAY_NS;
use super::link::{Link, Subject};
use super::mechanism::{Certainty, Mechanism};
use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::explain::span::Span;

/// The links that say that interrupts were off because none came: by the section that is recorded there, or, where none is,
/// as a CPU that stood still.
pub fn by_sections<'a>(scene: &Scene<'_, 'a>, links: Vec<Link<'a>>) -> Vec<Link<'a>> {
    let is_recorded = scene.around.records("irq_disable") && scene.around.records("irq_enable");
    if is_recorded { links.into_iter().map(|link| by_section(scene, link)).collect() } else { links }
}

fn by_section<'a>(scene: &Scene<'_, 'a>, mut link: Link<'a>) -> Link<'a> {
    link.deeper = mem::take(&mut link.deeper).into_iter().map(|link| by_section(scene, link)).collect();
    // What is as short is no silence: the interrupt is on its way.
    let is_concluded = link.mechanism == Mechanism::IrqsOff
        && link.function_idx.is_none()
        && link.duration_ns() >= ON_ITS_WAY_NS;
    if !is_concluded || scene.around.is_unseen_between(link.start_ns, link.end_ns) {
        return link;
    }
    let inside = |span: &Span<'_>| {
        span.end_ns.min(link.end_ns).saturating_sub(span.start_ns.max(link.start_ns)).max(0)
    };
    let is_here = |span: &&Span<'_>| span.kind == SliceKind::Irqsoff && span.cpu == link.cpu;
    let sections = scene.around.spans.iter().filter(is_here);
    let longest = sections.max_by_key(|span| inside(span)).filter(|span| inside(span) > 0);
    match longest {
        Some(span) if inside(span).saturating_mul(2) >= link.duration_ns() => {
            link.also.retain(|also| *also != Mechanism::Stall);
            link.function_idx = (span.symbol_idx >= 0).then_some(span.symbol_idx);
            link.bounds = Some((span.start_ns, span.end_ns));
            link.certainty = Certainty::Recorded;
            if span.task_idx >= 0 {
                link.subject = Some(Subject::Task(span.task_idx));
            }
            link
        }
        _ => Link {
            mechanism: Mechanism::Stall,
            also: Vec::new(),
            subject: Some(Subject::Cpu(link.cpu)),
            bounds: None,
            ..link
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// A timer is 3 ms late on a CPU that `f` has, and on which interrupts were off before, by these two events.
    fn late(sections: bool) -> String {
        let switched = "\
            f-5 [0] d.... 0.990000: irq_disable: caller=spin_lock+0x1 parent=sys_brk+0x1\n\
            f-5 [0] d.... 0.990010: irq_enable: caller=spin_unlock+0x1 parent=sys_brk+0x1\n";
        headlines(
            &format!(
                "
                <idle>-0 [0] d..2. 0.980000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=f next_pid=5 next_prio=120
                f-5 [0] d.... 0.989990: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000000 softexpires=1000000000 mode=ABS
                {}
                f-5 [0] d.h.. 1.003000: local_timer_entry: vector=236
                f-5 [0] d.h.. 1.003002: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1003002000
                f-5 [0] d.h.. 1.003005: hrtimer_expire_exit: hrtimer=00000000000000aa
                f-5 [0] d.h.. 1.003010: local_timer_exit: vector=236
                ",
                if sections { switched } else { "" }
            ),
            "timer",
        )
    }

    #[test]
    fn a_silence_without_a_recorded_section_is_none_with_interrupts_off() {
        let said = late(false);
        assert!(said.contains("interrupts were off in f-5 (nice 0) for 3.000 ms"), "{said}");
        let said = late(true);
        assert!(said.ends_with("CPU 0 stood still for 3.000 ms\n"), "{said}");
    }
}

//! What the latency tracers (irqsoff, preemptoff, wakeup ...) say of the worst case that they report.

use super::case::Case;
use super::parts::{Part, Parts};
use super::surroundings::Surroundings;

/// What a report's header says, by its key among the arguments of its section, and for people.
const PLACES: [(&str, &str); 2] = [("started_at=", "started at"), ("ended_at=", "ended at")];

/// Where functions return to while the graph tracer follows them: no place of the kernel's own.
const GRAPH_TRACER: &str = "return_to_handler";

/// The reported latency, and where the section started and ended if the header says so.
pub fn parts(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
    let mut items = vec![Part::time("reported latency", case.duration_ns)];
    let section = around.spans.iter().find(|span| case.is_span(span));
    // started_at=sysvec_apic_timer_interrupt ended_at=irq_exit_rcu
    let words = || section.map_or("", |section| section.args).split(' ');
    let place = |key: &str| words().find_map(|word| word.strip_prefix(key));
    items.extend(PLACES.iter().filter_map(|(key, name)| Some(Part::text(name, place(key)?))));
    let [started_at, ended_at] = PLACES.map(|(key, _)| place(key));
    let ends = started_at.zip(ended_at).filter(|(start, end)| start != end && *end != GRAPH_TRACER);
    let clause = ends.map(|(start, end)| format!("from {start} to {end}"));
    Parts { items, clause, stack: None }
}

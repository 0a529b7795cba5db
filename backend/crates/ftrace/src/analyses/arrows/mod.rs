//! Arrows: what an event of one CPU or task has caused later, perhaps on another. One file and one line in [`ARROWS`]
//! for each kind. Between the ends of an arrow nothing is known to be lost that could have been its end.

mod ipi;
mod open;
mod softirq;
#[cfg(test)]
mod tests;
mod timer;
mod wakeup;
mod work;

use std::collections::BTreeSet;

use super::{AnalysisEntry, Emit, Event, Gap, Slice, SliceKind};
use crate::model::{Ns, ReadError};

/// A kind of arrow.
#[derive(Debug)]
pub struct ArrowKind {
    /// Stable name, as the API shows it.
    pub name: &'static str,
    pub title: &'static str,
    /// What an arrow is at its beginning, before the name of what is at its end: `wakes`.
    pub forward: &'static str,
    /// And the other way round: `woken by`.
    pub backward: &'static str,
    /// The events that it needs, which the page lists where they are missing.
    pub events: &'static [&'static str],
    /// As which it is stored.
    pub slices: SliceKind,
    pub analysis: AnalysisEntry,
}

/// Every kind of arrow.
pub static ARROWS: &[&ArrowKind] = &[&wakeup::KIND, &timer::KIND, &softirq::KIND, &ipi::KIND, &work::KIND];

/// The event that an arrow begins at.
#[derive(Clone, Copy, Debug)]
struct Origin {
    t_ns: Ns,
    cpu: u16,
    task: Option<u32>,
}

impl Origin {
    fn of(event: &Event<'_>) -> Self {
        Self { t_ns: event.t_ns, cpu: event.cpu, task: event.task }
    }
}

/// CPUs of which events were lost.
#[derive(Default)]
struct Lossy(BTreeSet<u16>);

impl Lossy {
    fn gap(&mut self, gap: Gap) {
        self.0.insert(gap.cpu);
    }

    /// True where an earlier end may have been lost: on the CPU of `event` nothing is known of a time after `origin`.
    fn hides(&self, origin: Origin, event: &Event<'_>) -> bool {
        origin.t_ns < event.known_since_ns && self.0.contains(&event.cpu)
    }
}

/// An arrow from `origin` to `event`. Nothing, where time ran backwards between them.
fn emit_arrow(
    kind: SliceKind,
    origin: Origin,
    event: &Event<'_>,
    (task, symbol): (Option<u32>, Option<u32>),
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    if event.t_ns < origin.t_ns {
        return Ok(());
    }
    let slice = Slice::new(kind, event.cpu, origin.t_ns, event.t_ns);
    emit.slice(&Slice { task, symbol, depth: origin.cpu, parent: origin.task, ..slice })
}

/// The index of a name, where the event says it.
fn symbol_of(name: &[u8], emit: &mut dyn Emit) -> Result<Option<u32>, ReadError> {
    if name.is_empty() { Ok(None) } else { emit.symbol(name).map(Some) }
}

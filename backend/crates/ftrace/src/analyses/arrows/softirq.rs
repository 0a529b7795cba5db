//! From the raising of a softirq to its handler, which runs on the same CPU.

use hashbrown::HashMap;

use super::{ArrowKind, Origin, emit_arrow};
use crate::analyses::softirq_rounds::SoftirqRounds;
use crate::analyses::softirq_vectors;
use crate::analyses::{Analysis, AnalysisEntry, Emit, Event, Gap, SliceKind};
use crate::events::{Decoded, Role};
use crate::model::{Limits, ReadError};

pub static KIND: ArrowKind = ArrowKind {
    name: "softirq",
    title: "Softirqs",
    forward: "raises softirq",
    backward: "softirq raised by",
    events: &["softirq_raise", "softirq_entry"],
    slices: SliceKind::SoftirqArrow,
    analysis: AnalysisEntry {
        name: "softirq_arrows",
        title: "Arrows of softirqs",
        needs: &[],
        roles: &[Role::SoftirqRaise, Role::SoftirqEntry],
        start,
    },
};

fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Softirqs::default())
}

#[derive(Default)]
struct Softirqs(HashMap<u16, SoftirqRounds<Origin>>);

impl Analysis for Softirqs {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let rounds = self.0.entry(event.cpu).or_default();
        match event.decoded {
            Decoded::SoftirqRaise { vector } => rounds.raise(vector, Origin::of(event)),
            Decoded::SoftirqEntry { vector, action } => {
                if let Some(origin) = rounds.run(vector, event.pid) {
                    let symbol = Some(softirq_vectors::symbol_of(vector, action, emit)?);
                    emit_arrow(KIND.slices, origin, event, (event.task, symbol), emit)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.0.remove(&gap.cpu);
        Ok(())
    }
}

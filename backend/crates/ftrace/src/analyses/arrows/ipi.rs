//! From the sending of an inter-processor interrupt to its handler.

use std::collections::BTreeMap;

use super::{ArrowKind, Lossy, Origin, emit_arrow, symbol_of};
use crate::analyses::{Analysis, AnalysisEntry, Emit, Event, Gap, SliceKind};
use crate::events::{Decoded, Interrupt, IpiPurpose, IpiSend, Role};
use crate::model::{Limits, ReadError};

pub static KIND: ArrowKind = ArrowKind {
    name: "ipi",
    title: "IPIs",
    forward: "sends IPI",
    backward: "IPI sent by",
    events: &["ipi_send_cpu", "ipi_send_cpumask", "reschedule_entry", "call_function_single_entry"],
    slices: SliceKind::IpiArrow,
    analysis: AnalysisEntry {
        name: "ipi_arrows",
        title: "Arrows of IPIs",
        needs: &[],
        roles: &[
            Role::IpiSendCpu,
            Role::IpiSendCpumask,
            Role::IpiRaise,
            Role::IpiEntry,
            Role::VectorEntry(""),
        ],
        start,
    },
};

fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Ipis { max_cpus: usize::try_from(limits.max_cpus).unwrap_or(usize::MAX), ..Ipis::default() })
}

/// What is pending, by target and purpose: the first that was sent. A CPU does not see a second one of a purpose
/// before it has handled the first. `None` where its sender has lost events since.
#[derive(Default)]
struct Ipis {
    max_cpus: usize,
    cpus: BTreeMap<u16, BTreeMap<IpiPurpose, Option<Origin>>>,
    lossy: Lossy,
}

impl Ipis {
    fn send(&mut self, send: &IpiSend<'_>, event: &Event<'_>) {
        let Self { max_cpus, cpus, .. } = self;
        send.for_each_target(|cpu| {
            if cpus.len() < *max_cpus || cpus.contains_key(&cpu) {
                cpus.entry(cpu).or_default().entry(send.purpose).or_insert(Some(Origin::of(event)));
            }
        });
    }

    /// The first that the interrupt handles. One doorbell for all purposes handles all that is pending.
    fn handle(&mut self, cpu: u16, purpose: IpiPurpose) -> Option<Origin> {
        let pending = self.cpus.get_mut(&cpu)?;
        if purpose != IpiPurpose::Any {
            return pending.remove(&purpose).flatten();
        }
        std::mem::take(pending).into_values().flatten().min_by_key(|origin| origin.t_ns)
    }
}

impl Analysis for Ipis {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::IpiSend(send) => self.send(send, event),
            Decoded::InterruptEntry { interrupt: Interrupt::Named(name), .. } => {
                let purpose = IpiPurpose::of_interrupt(name);
                let origin = purpose.and_then(|purpose| self.handle(event.cpu, purpose));
                if let Some(origin) = origin.filter(|origin| !self.lossy.hides(*origin, event)) {
                    let symbol = symbol_of(name, emit)?;
                    emit_arrow(KIND.slices, origin, event, (event.task, symbol), emit)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.lossy.gap(gap);
        self.cpus.remove(&gap.cpu);
        for sent in self.cpus.values_mut().flat_map(BTreeMap::values_mut) {
            *sent = sent.filter(|origin| origin.cpu != gap.cpu);
        }
        Ok(())
    }
}

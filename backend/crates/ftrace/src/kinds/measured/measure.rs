//! Each value that a program printed is a sample that begins where its format places it.

use super::KIND;
use crate::analyses::{Analysis, Emit, Event, Sample, SampleFlags};
use crate::events::{Decoded, Quantity};
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Measured)
}

struct Measured;

impl Analysis for Measured {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::Measured(measured) = event.decoded else { return Ok(()) };
        let (value, flags) = match measured.quantity {
            Quantity::LatencyNs(value) => (value, SampleFlags::REPORTED),
            Quantity::AtLeastNs(value) => (value, SampleFlags::REPORTED.with(SampleFlags::AT_LEAST)),
            Quantity::Number(value) => (value, SampleFlags::REPORTED.with(SampleFlags::NUMBER)),
            Quantity::NotListed => {
                emit.not_listed(&KIND, measured.count);
                return Ok(());
            }
        };
        let symbol = Some(emit.symbol(measured.source)?);
        emit.sample(&Sample {
            duration_ns: Ns(value),
            task: event.task,
            symbol,
            flags,
            weight: measured.count,
            ..Sample::new(&KIND, event.cpu, event.t_ns, event.t_ns)
        })
    }
}

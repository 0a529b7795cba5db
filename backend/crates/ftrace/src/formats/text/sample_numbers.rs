//! Tracers that number their samples: a gap in the numbers is lost samples.

use hashbrown::HashMap;

use super::reader::TextReader;
use super::scan;
use crate::model::{Code, Diagnostic, LossCause, LossRecord, Place, Stop, Timestamp};

/// The number of the last sample that is known to be in its place.
#[derive(Debug, Default)]
pub struct SampleNumbers {
    /// By CPU; hwlat goes from CPU to CPU with one count.
    last: HashMap<Option<u16>, u64>,
}

impl SampleNumbers {
    /// Samples missing before number `number` of `cpu`. The two lines of one sample have the same number, and a
    /// tracer that is started again begins anew.
    fn missing_before(&mut self, cpu: Option<u16>, number: u64) -> u64 {
        let last = self.last.insert(cpu, number).unwrap_or(number);
        number.saturating_sub(last).saturating_sub(1)
    }

    /// The next sample on `cpu` may have any number: the losses before it are already reported.
    pub fn forget(&mut self, cpu: u16) {
        self.last.remove(&Some(cpu));
        self.last.remove(&None);
    }
}

impl TextReader<'_> {
    /// Looks at the number of a sample: `#50     context    irq timer_latency     49247 ns`.
    pub(super) fn sample_number(
        &mut self,
        tracer: &[u8],
        args: &[u8],
        (ts, cpu): (Timestamp, u16),
        place: Place,
    ) -> Result<(), Stop> {
        let counted_on = match tracer {
            b"timerlat" => Some(cpu),
            b"hwlat" => None,
            _ => return Ok(()),
        };
        let Some((number, _)) = args.strip_prefix(b"#").and_then(scan::number) else { return Ok(()) };
        let count = self.section.sample_numbers.missing_before(counted_on, number);
        if count == 0 {
            return Ok(());
        }
        self.sink.diagnostic(Diagnostic { code: Code::MissingSamples, place, sample: args, count })?;
        let (cpu, buffer, ts, count) = (Some(cpu), None, Some(ts), None);
        let cause = LossCause::Unreadable;
        self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_cpu_follow_one_another() {
        let mut numbers = SampleNumbers::default();
        let missing: Vec<_> = [(0, 7), (0, 7), (1, 40), (0, 8), (0, 11), (1, 41), (0, 1), (0, 2)]
            .into_iter()
            .map(|(cpu, number)| numbers.missing_before(Some(cpu), number))
            .collect();
        assert_eq!(missing, [0, 0, 0, 0, 2, 0, 0, 0]);
        numbers.forget(0);
        assert_eq!(numbers.missing_before(Some(0), 90), 0);
    }
}

//! Places where a person has left lines out of a recording.

use super::reader::{TextReader, Verdict};
use crate::model::{Code, LossCause, LossRecord, Place, Stop};

/// The CPUs that have records since the last cut: of the others nothing more is unknown.
#[derive(Debug, Default)]
pub struct SinceCut {
    /// The index of each CPU in `cpus`.
    positions: Vec<Option<usize>>,
    cpus: Vec<u16>,
}

impl SinceCut {
    /// Takes note of a record of `cpu`.
    pub fn see(&mut self, cpu: u16) {
        let at = usize::from(cpu);
        if self.positions.len() <= at {
            self.positions.resize(at.saturating_add(1), None);
        }
        if let Some(position) = self.positions.get_mut(at).filter(|position| position.is_none()) {
            *position = Some(self.cpus.len());
            self.cpus.push(cpu);
        }
    }

    pub fn len(&self) -> usize {
        self.cpus.len()
    }

    pub fn has(&self, cpu: u16) -> bool {
        self.positions.get(usize::from(cpu)).is_some_and(Option::is_some)
    }

    /// The CPUs since the last cut, in the order of their first records; the list is empty afterwards.
    pub fn take(&mut self) -> Vec<u16> {
        for cpu in &self.cpus {
            if let Some(position) = self.positions.get_mut(usize::from(*cpu)) {
                *position = None;
            }
        }
        std::mem::take(&mut self.cpus)
    }

    /// Forgets one of the CPUs; false where it has no record since the last cut.
    pub fn take_one(&mut self, cpu: u16) -> bool {
        let Some(position) = self.positions.get_mut(usize::from(cpu)).and_then(Option::take) else {
            return false;
        };
        self.cpus.swap_remove(position);
        if let Some(moved) = self.cpus.get(position)
            && let Some(slot) = self.positions.get_mut(usize::from(*moved))
        {
            *slot = Some(position);
        }
        true
    }
}

impl TextReader<'_> {
    /// `[...]`: what every CPU did until its next record is not known.
    pub(super) fn cut(&mut self, text: &[u8], place: Place) -> Result<Verdict, Stop> {
        let cpus = self.since_cut.take();
        if cpus.is_empty() {
            if !self.section.has_records() {
                self.report(Code::ElidedCalls, place, text)?;
            }
            return Ok(Verdict::Used);
        }
        self.flush()?;
        self.section.elide();
        self.report(Code::ElidedCalls, place, text)?;
        for cpu in cpus {
            self.section.sample_numbers.forget(cpu);
            self.indentation.forget(cpu);
            let (cpu, buffer, ts, count) = (Some(cpu), None, None, None);
            let cause = LossCause::LeftOut;
            self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })?;
        }
        Ok(Verdict::Used)
    }
}

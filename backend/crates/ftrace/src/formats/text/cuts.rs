//! Places where a person has left lines out of a recording.

use super::reader::{TextReader, Verdict};
use crate::model::{Code, LossCause, LossRecord, Place, ReadError};

/// The CPUs that have records since the last cut: of the others nothing more is unknown.
#[derive(Debug, Default)]
pub struct SinceCut {
    /// By CPU.
    is_seen: Vec<bool>,
    cpus: Vec<u16>,
}

impl SinceCut {
    pub fn see(&mut self, cpu: u16) {
        let at = usize::from(cpu);
        if self.is_seen.len() <= at {
            self.is_seen.resize(at.saturating_add(1), false);
        }
        if let Some(is_seen) = self.is_seen.get_mut(at).filter(|is_seen| !**is_seen) {
            *is_seen = true;
            self.cpus.push(cpu);
        }
    }

    pub fn len(&self) -> usize {
        self.cpus.len()
    }

    pub fn take(&mut self) -> Vec<u16> {
        for cpu in &self.cpus {
            if let Some(is_seen) = self.is_seen.get_mut(usize::from(*cpu)) {
                *is_seen = false;
            }
        }
        std::mem::take(&mut self.cpus)
    }
}

impl TextReader<'_> {
    /// `[...]`: what every CPU did until its next record is not known.
    pub(super) fn cut(&mut self, text: &[u8], place: Place) -> Result<Verdict, ReadError> {
        let cpus = self.since_cut.take();
        if cpus.is_empty() {
            return Ok(Verdict::Used);
        }
        self.flush()?;
        self.section.elide();
        self.report(Code::ElidedCalls, place, text)?;
        for cpu in cpus {
            let (cpu, buffer, ts, count) = (Some(cpu), None, None, None);
            let cause = LossCause::LeftOut;
            self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })?;
        }
        Ok(Verdict::Used)
    }
}

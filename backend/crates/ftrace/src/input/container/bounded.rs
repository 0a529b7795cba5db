//! Counts what a decompressor produces and stops it at the limits.

use std::io::{self, Read};

use super::Decoder;
use crate::model::{Code, FailureClass, Limits, Place, ReadError, grouped};

/// The expanded stream. Once it fails it keeps failing with the same error, so that a reader of only the head
/// cannot make it disappear.
pub struct Bounded<'a> {
    decoder: Decoder<'a>,
    produced: u64,
    bound: u64,
    past_bound: ReadError,
    failed: Option<ReadError>,
}

impl<'a> Bounded<'a> {
    /// Bounds the output of a decompressor by the size of its file.
    pub fn new(decoder: Decoder<'a>, file_bytes: u64, limits: &Limits) -> Self {
        let (bound, past_bound) = strictest_bound(file_bytes, limits);
        Self { decoder, produced: 0, bound, past_bound, failed: None }
    }

    /// How far a file of this size may expand, and the error for going further.
    pub fn bound_of(file_bytes: u64, limits: &Limits) -> (u64, ReadError) {
        strictest_bound(file_bytes, limits)
    }

    /// The file itself; the upload has already checked its size.
    pub fn unbounded(decoder: Decoder<'a>) -> Self {
        Self { decoder, produced: 0, bound: u64::MAX, past_bound: too_large(u64::MAX), failed: None }
    }

    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        let allowed = usize::try_from(self.bound.saturating_sub(self.produced)).unwrap_or(usize::MAX);
        if allowed == 0 {
            // Exactly at the bound: ending here is fine.
            return match self.decoder.decode(&mut [0])? {
                0 => Ok(0),
                _ => Err(self.past_bound.clone()),
            };
        }
        let room = allowed.min(output.len());
        let count = self.decoder.decode(output.get_mut(..room).unwrap_or_default())?;
        self.produced = self.produced.saturating_add(count as u64);
        Ok(count)
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        let result = match self.failed.take() {
            Some(error) => Err(error),
            None => self.decode(output),
        };
        result.map_err(|error| {
            self.failed = Some(error.clone());
            io::Error::other(error)
        })
    }
}

/// The size at which expansion stops, and the error for it.
///
/// Small files may expand a lot (a page of zeros), so the ratio applies only above a floor. The floor stays well
/// below the size limit; otherwise a small size limit would be hit first and every bomb would be named wrongly.
fn strictest_bound(file_bytes: u64, limits: &Limits) -> (u64, ReadError) {
    let size_bound = limits.max_expanded_bytes;
    let floor = limits.expansion_ratio_floor_bytes.min(size_bound / 4);
    let ratio_bound = file_bytes.saturating_mul(limits.max_expansion_ratio).max(floor);
    if ratio_bound < size_bound {
        let sentence = format!(
            "The file of {} bytes expands to more than {}: a ratio past {} (max_expansion_ratio), as only bombs have.",
            grouped(file_bytes),
            grouped(ratio_bound),
            grouped(limits.max_expansion_ratio)
        );
        let place = Place::byte(ratio_bound);
        (ratio_bound, ReadError::new(FailureClass::Limit, Code::ExpansionRatio, place, sentence))
    } else {
        (size_bound, too_large(size_bound))
    }
}

fn too_large(bound: u64) -> ReadError {
    let sentence = format!("The file expands past {} bytes (max_expanded_bytes).", grouped(bound));
    ReadError::new(FailureClass::Limit, Code::ExpandedTooLarge, Place::byte(bound), sentence)
}

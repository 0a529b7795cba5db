//! Recovers what is sound in a compressed file that is damaged or cut.
//!
//! A sound file is decompressed as it is read. Only if that fails is the whole file surveyed, to find every
//! stretch that still expands correctly; reading then uses those stretches.

use super::bounded::Bounded;
use super::{Decode, Decoder, Source, Wrapping, wrapping_of};
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError};
use std::io::Read;

/// At most this many damaged stretches are tracked; nothing after the last one is read.
const MAX_DAMAGES: usize = 4_096;
const STEP_BYTES: usize = 64 << 10;

/// Magic, flags and CRC of an xz stream, needed to start decoding in the middle of it.
pub type StreamHeader = [u8; 12];

/// A place where decompression can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub offset: u64,
    /// The header of the stream around `offset`; `None` if a stream, member or frame starts there.
    pub header: Option<StreamHeader>,
}

impl Start {
    /// The beginning of a stream, member or frame.
    pub fn at(offset: u64) -> Self {
        Self { offset, header: None }
    }
}

/// Where and why decompression failed.
pub struct Stop<'a> {
    pub start: Start,
    pub error: &'a ReadError,
    /// Where the member or frame with the error starts.
    pub unit_start: u64,
    /// How far the decoder has used the file.
    pub position: u64,
    /// Bytes expanded since `start`, and how many of those precede the unit.
    pub produced_bytes: u64,
    pub sound_bytes: u64,
}

impl Stop<'_> {
    /// False if no member or frame starts there after all.
    pub fn is_inside_unit(&self) -> bool {
        self.error.place.byte_offset > self.unit_start
    }
}

/// How a wrapping recovers from a [`Stop`].
pub struct Resume {
    /// How many of the bytes expanded since the start are sound.
    pub kept_bytes: u64,
    /// Offset in the file of the first unused byte.
    pub damage_start: u64,
    /// Where decompression resumes; `None` if nothing readable follows.
    pub next: Option<Start>,
    /// The expanded size of the damaged bytes, if known.
    pub hole_bytes: Option<u64>,
}

impl Resume {
    /// The file was cut: everything that it expands to is kept.
    pub fn at_cut(file: &dyn ReadAt, stop: &Stop<'_>) -> Self {
        let (kept_bytes, damage_start) = (stop.produced_bytes, file.len());
        Self { kept_bytes, damage_start, next: None, hole_bytes: None }
    }
}

/// A stretch of the file that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub code: Code,
    /// Offset and length in the file as uploaded; the length is zero where the file was cut.
    pub start: u64,
    pub bytes: u64,
    /// Where in the expanded file the data is missing.
    pub expanded_at: u64,
    /// How much is missing there, if known.
    pub hole_bytes: Option<u64>,
}

/// What takes the place of missing data in the expanded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holes {
    /// Nothing: for text.
    LeftOut,
    /// As many zeros as bytes are missing, so that offsets in the file stay true; the file ends at the first
    /// hole of unknown size.
    Filled,
}

/// A sound stretch of the file, and how many bytes it expands to.
struct Piece {
    start: Start,
    expanded_bytes: u64,
}

/// The sound stretches of a damaged file, and the damaged ones.
pub struct Salvage {
    wrapping: &'static Wrapping,
    file_bytes: u64,
    pieces: Vec<Piece>,
    damages: Vec<Damage>,
    refusal: ReadError,
}

impl Salvage {
    /// The error that made salvaging necessary.
    pub fn refusal(&self) -> &ReadError {
        &self.refusal
    }

    /// The damaged stretches, in file order.
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// How many bytes of the file are not used, given how holes are treated.
    pub fn skipped_bytes(&self, holes: Holes) -> u64 {
        match holes {
            Holes::LeftOut => self.damages.iter().map(|damage| damage.bytes).sum(),
            // Data after a hole of unknown size would end up at the wrong offset.
            Holes::Filled => match self.damages.iter().find(|damage| damage.hole_bytes.is_none()) {
                Some(first) => self.file_bytes.saturating_sub(first.start),
                None => 0,
            },
        }
    }

    /// Reads the sound stretches in order.
    pub fn expand<'a>(&'a self, file: &'a dyn ReadAt, limits: &'a Limits, holes: Holes) -> impl Read + 'a {
        let produced = 0;
        let pieces = Pieces { salvage: self, file, limits, holes, next: 0, open: Open::Nothing, produced };
        Bounded::new(Box::new(pieces), file.len(), limits)
    }
}

/// Surveys a compressed file whose decompression failed with `error`.
///
/// Errors: `error` itself if it is not about damage or if nothing can be recovered; I/O errors and limits met
/// on the way.
pub fn salvage(file: &dyn ReadAt, limits: &Limits, error: ReadError) -> Result<Salvage, ReadError> {
    let is_damage =
        matches!(error.code, Code::CompressedTruncated | Code::CompressedCorrupt | Code::ChecksumMismatch);
    let wrapping = wrapping_of(Source::new(file).peek(262)?);
    let Some(wrapping) = wrapping.filter(|_| is_damage) else { return Err(error) };
    let mut survey =
        Survey { file, limits, wrapping, pieces: Vec::new(), damages: Vec::new(), kept_bytes: 0 };
    survey.run()?;
    let Survey { pieces, damages, .. } = survey;
    if pieces.is_empty() || damages.is_empty() {
        return Err(error);
    }
    Ok(Salvage { wrapping, file_bytes: file.len(), pieces, damages, refusal: error })
}

struct Survey<'a> {
    file: &'a dyn ReadAt,
    limits: &'a Limits,
    wrapping: &'static Wrapping,
    pieces: Vec<Piece>,
    damages: Vec<Damage>,
    kept_bytes: u64,
}

impl Survey<'_> {
    fn run(&mut self) -> Result<(), ReadError> {
        // Every place where a member or frame may start is tried. The budget keeps a file that consists of
        // such places from being read again for each of them.
        let mut work_left = self.file.len().saturating_mul(8).saturating_add(64 << 20);
        let mut start = Start::at(0);
        loop {
            let tried = self.walk(start)?;
            let Some(error) = tried.error else {
                self.keep(start, tried.produced_bytes);
                return Ok(());
            };
            let Tried { unit_start, position, produced_bytes, sound_bytes, .. } = tried;
            let stop = Stop { start, error: &error, unit_start, position, produced_bytes, sound_bytes };
            let resume = (self.wrapping.resume)(self.file, &stop)?;
            self.keep(start, resume.kept_bytes);
            let in_vain = produced_bytes.saturating_sub(resume.kept_bytes);
            let passed = position.saturating_sub(start.offset).saturating_add(in_vain);
            work_left = work_left.saturating_add(resume.kept_bytes).saturating_sub(passed);
            let next = resume.next.filter(|next| {
                next.offset > start.offset && work_left > 0 && self.damages.len() < MAX_DAMAGES
            });
            self.note(error.code, &resume, next);
            let Some(next) = next else { return Ok(()) };
            start = next;
        }
    }

    fn keep(&mut self, start: Start, expanded_bytes: u64) {
        if expanded_bytes > 0 {
            self.kept_bytes = self.kept_bytes.saturating_add(expanded_bytes);
            self.pieces.push(Piece { start, expanded_bytes });
        }
    }

    /// Records damage, merging it with the previous stretch if no sound data lies between them.
    fn note(&mut self, code: Code, resume: &Resume, next: Option<Start>) {
        let end = next.map_or(self.file.len(), |next| next.offset);
        let bytes = end.saturating_sub(resume.damage_start);
        // A larger size than this much data could expand to comes from a damaged header.
        let most = bytes.saturating_mul(self.limits.max_expansion_ratio).saturating_add(STEP_BYTES as u64);
        let hole_bytes = resume.hole_bytes.filter(|hole| *hole <= most);
        match self.damages.last_mut() {
            _ if bytes == 0 && hole_bytes == Some(0) => {}
            Some(last) if last.expanded_at == self.kept_bytes => {
                last.bytes = end.saturating_sub(last.start);
                last.hole_bytes =
                    last.hole_bytes.zip(hole_bytes).map(|(one, other)| one.saturating_add(other));
            }
            _ => self.damages.push(Damage {
                code,
                start: resume.damage_start,
                bytes,
                expanded_at: self.kept_bytes,
                hole_bytes,
            }),
        }
    }

    /// Decompresses from `start` to the end of the file or the first error.
    fn walk(&self, start: Start) -> Result<Tried, ReadError> {
        let mut tried =
            Tried { unit_start: start.offset, position: 0, produced_bytes: 0, sound_bytes: 0, error: None };
        let mut decoder = match decoder_at(self.file, start, self.wrapping, self.limits) {
            Ok(decoder) => decoder,
            Err(error) => return tried.ended(error),
        };
        let bound = Bounded::bound_of(self.file.len(), self.limits);
        let mut output = vec![0; STEP_BYTES];
        loop {
            let step = decoder.decode(&mut output);
            tried.position = decoder.position();
            if decoder.unit_start() != tried.unit_start {
                (tried.unit_start, tried.sound_bytes) = (decoder.unit_start(), tried.produced_bytes);
            }
            match step {
                Ok(0) => return Ok(tried),
                Ok(count) => tried.produced_bytes = tried.produced_bytes.saturating_add(count as u64),
                Err(error) => return tried.ended(error),
            }
            if self.kept_bytes.saturating_add(tried.produced_bytes) > bound.0 {
                return Err(bound.1);
            }
        }
    }
}

/// How far decompression got.
struct Tried {
    unit_start: u64,
    position: u64,
    produced_bytes: u64,
    sound_bytes: u64,
    error: Option<ReadError>,
}

impl Tried {
    /// Errors: `error`, if it is an I/O error.
    fn ended(self, error: ReadError) -> Result<Self, ReadError> {
        if error.class == FailureClass::Io { Err(error) } else { Ok(Self { error: Some(error), ..self }) }
    }
}

fn decoder_at<'a>(
    file: &'a dyn ReadAt,
    start: Start,
    wrapping: &Wrapping,
    limits: &Limits,
) -> Result<Decoder<'a>, ReadError> {
    let mut source = Source::at(file, start.offset);
    if let Some(header) = start.header {
        source.precede(&header);
    }
    (wrapping.decoder)(source, limits)
}

/// The sound stretches as one stream.
struct Pieces<'a> {
    salvage: &'a Salvage,
    file: &'a dyn ReadAt,
    limits: &'a Limits,
    holes: Holes,
    /// Index of the next piece; a hole may come before it.
    next: usize,
    open: Open<'a>,
    /// Bytes produced by all pieces so far.
    produced: u64,
}

/// What is being produced, and how many bytes of it are left.
enum Open<'a> {
    Nothing,
    Zeros(u64),
    Piece(Decoder<'a>, u64),
    End,
}

impl<'a> Pieces<'a> {
    /// Opens the hole at the current offset, or else the next piece.
    fn open_next(&mut self) -> Result<Open<'a>, ReadError> {
        let is_behind_hole = matches!(self.open, Open::Zeros(_));
        let here = |damage: &&Damage| damage.expanded_at == self.produced;
        if self.holes == Holes::Filled
            && !is_behind_hole
            && let Some(damage) = self.salvage.damages.iter().find(here)
        {
            return Ok(damage.hole_bytes.map_or(Open::End, Open::Zeros));
        }
        let Some(piece) = self.salvage.pieces.get(self.next) else { return Ok(Open::End) };
        let decoder = decoder_at(self.file, piece.start, self.salvage.wrapping, self.limits)?;
        self.next = self.next.saturating_add(1);
        Ok(Open::Piece(decoder, piece.expanded_bytes))
    }
}

impl Decode for Pieces<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        let room = |left: u64| usize::try_from(left).unwrap_or(usize::MAX).min(output.len());
        loop {
            match &mut self.open {
                Open::End => return Ok(0),
                Open::Zeros(left @ 1..) => {
                    let zeros = output.get_mut(..room(*left)).unwrap_or_default();
                    zeros.fill(0);
                    *left = left.saturating_sub(zeros.len() as u64);
                    return Ok(zeros.len());
                }
                Open::Piece(decoder, left @ 1..) => {
                    let count = decoder.decode(output.get_mut(..room(*left)).unwrap_or_default())?;
                    if count == 0 {
                        let (code, sentence) =
                            (Code::ReadFailed, "The stored file has changed since it was opened.");
                        return Err(ReadError::new(FailureClass::Io, code, Place::default(), sentence));
                    }
                    *left = left.saturating_sub(count as u64);
                    self.produced = self.produced.saturating_add(count as u64);
                    return Ok(count);
                }
                Open::Nothing | Open::Zeros(_) | Open::Piece(..) => self.open = self.open_next()?,
            }
        }
    }

    fn unit_start(&self) -> u64 {
        0
    }

    fn position(&self) -> u64 {
        0
    }
}

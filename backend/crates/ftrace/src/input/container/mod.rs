//! The outer wrapping of an uploaded file: one layer of gzip, zstd, xz or atrace's zlib, or none.
//!
//! No allocation trusts a header: the decoder's memory is checked against its limit first, and the output is
//! counted against the limits as it is produced.

mod atrace_zlib;
mod bounded;
mod gzip;
mod salvage;
mod source;
mod xz;
mod xz_blocks;
mod zstd_blocks;
mod zstd_frames;

use std::io::Read;

use super::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError};
use bounded::Bounded;
pub use salvage::{Damage, Holes, Salvage, salvage};
use source::Source;

/// A kind of compression. One file and one line in [`WRAPPINGS`] each.
pub struct Wrapping {
    is_of: fn(head: &[u8]) -> bool,
    decoder: for<'a> fn(Source<'a>, &Limits) -> Result<Decoder<'a>, ReadError>,
    /// What to keep when the decoder meets damage, and where to resume.
    resume: fn(&dyn ReadAt, &salvage::Stop<'_>) -> Result<salvage::Resume, ReadError>,
}

/// Every wrapping; no two begin alike.
static WRAPPINGS: &[&Wrapping] =
    &[&gzip::WRAPPING, &zstd_frames::WRAPPING, &xz::WRAPPING, &atrace_zlib::WRAPPING];

/// The wrapping recognised by the first bytes of a file. For archives of files see [`archive_name`].
pub fn wrapping_of(head: &[u8]) -> Option<&'static Wrapping> {
    WRAPPINGS.iter().find(|wrapping| (wrapping.is_of)(head)).copied()
}

/// The kind of archive, or of unsupported compression, recognised by the first bytes.
pub fn archive_name(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some("zip archive"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some("bzip2 file"),
        [b'7', b'z', 0xbc, 0xaf, ..] => Some("7z archive"),
        [b'R', b'a', b'r', b'!', ..] => Some("RAR archive"),
        [0x04, 0x22, 0x4d, 0x18, ..] => Some("lz4 file"),
        [0x1f, 0x9d, ..] => Some("compress (.Z) file"),
        _ if head.get(257..262) == Some(b"ustar") => Some("tar archive"),
        _ => None,
    }
}

/// The expanded bytes of `file`, front to back; true if it was wrapped.
///
/// The reader fails with an `io::Error` that holds a [`ReadError`] (take it out with
/// [`read_error`]) and keeps failing with the same. Errors here: `empty_file`, `archive_not_supported`.
pub fn expand<'a>(file: &'a dyn ReadAt, limits: &Limits) -> Result<(bool, impl Read + 'a), ReadError> {
    let mut source = Source::new(file);
    let head = source.peek(262)?;
    if head.is_empty() {
        let code = Code::EmptyFile;
        return Err(ReadError::new(FailureClass::Unsupported, code, Place::byte(0), code.sentence()));
    }
    if let Some(name) = archive_name(head) {
        return Err(refused_archive(name));
    }
    let wrapping = wrapping_of(head);
    let expanded = match wrapping {
        Some(wrapping) => Bounded::new((wrapping.decoder)(source, limits)?, file.len(), limits),
        None => Bounded::unbounded(Box::new(source)),
    };
    Ok((wrapping.is_some(), expanded))
}

/// The refusal of an archive, at whatever offset it was found.
pub fn refused_archive(name: &str) -> ReadError {
    let sentence = format!("This is a {name}.");
    ReadError::new(FailureClass::Unsupported, Code::ArchiveNotSupported, Place::byte(0), sentence)
}

/// The [`ReadError`] inside an `io::Error` of [`expand`]'s reader; `read_failed` for any other.
pub fn read_error(error: std::io::Error) -> ReadError {
    error.downcast::<ReadError>().unwrap_or_else(|other| {
        ReadError::new(FailureClass::Io, Code::ReadFailed, Place::default(), other.to_string())
    })
}

/// A decompressor: fills the start of `output` and returns how much of it; 0 only at the end.
trait Decode {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError>;

    /// Offset in the file of the member or frame that the last output came from.
    fn unit_start(&self) -> u64;

    /// Offset in the file of the next byte to be read.
    fn position(&self) -> u64;
}

type Decoder<'a> = Box<dyn Decode + 'a>;

fn truncated(position: u64) -> ReadError {
    let sentence = format!("The compressed file ends at byte {position}, before its data does.");
    ReadError::new(FailureClass::Truncated, Code::CompressedTruncated, Place::byte(position), sentence)
}

fn corrupt(position: u64, what: &str) -> ReadError {
    let sentence = format!("The compressed data is damaged near byte {position}: {what}.");
    ReadError::new(FailureClass::Corrupt, Code::CompressedCorrupt, Place::byte(position), sentence)
}

fn checksum_mismatch(position: u64) -> ReadError {
    let sentence = format!("The checksum at byte {position} of the compressed file does not fit its data.");
    ReadError::new(FailureClass::Corrupt, Code::ChecksumMismatch, Place::byte(position), sentence)
}

fn decoder_memory(position: u64, needed: Option<u64>, limit: u64) -> ReadError {
    let needed = needed.map_or("more memory".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    let sentence = format!(
        "Decompressing this file needs {needed}; the limit is {} MiB (max_decoder_memory_bytes).",
        limit >> 20
    );
    ReadError::new(FailureClass::Unsupported, Code::DecoderMemory, Place::byte(position), sentence)
}

#[cfg(test)]
mod salvage_tests;
#[cfg(test)]
mod tests;

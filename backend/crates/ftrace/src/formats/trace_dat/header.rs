//! The first bytes of a trace.dat: magic, version, byte order and page size.

use super::byte_order::ByteOrder;
use super::reader::Reader;
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Place, ReadError, grouped};

pub const MAGIC: [u8; 10] = *b"\x17\x08\x44tracing";

/// The header, which precedes the metadata in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub version: u32,
    pub order: ByteOrder,
    /// Of user space's `long`. The kernel's, which counts, is the size of `commit` in the page header.
    pub long_bytes: usize,
    /// Bytes of a ring-buffer page (sub-buffer).
    pub page_bytes: usize,
}

/// The header, and a reader placed after it.
///
/// Errors: `unsupported_version`, `bad_page_size`, `size_past_eof`.
/// Source: Documentation/trace-cmd/trace-cmd.dat.v7.5.txt, trace-cmd 3.1.
pub fn read_header(file: &dyn ReadAt) -> Result<(Header, Reader<'_>), ReadError> {
    let mut reader = Reader::new(file, 0, ByteOrder::Little);
    reader.take(MAGIC.len())?;
    let version = read_version(&mut reader)?;
    let order = match reader.u8()? {
        0 => ByteOrder::Little,
        _ => ByteOrder::Big,
    };
    reader.order = order;
    let long_bytes = if reader.u8()? == 4 { 4 } else { 8 };
    let place = reader.place();
    let page_bytes = page_size(reader.u32()?, place)?;
    Ok((Header { version, order, long_bytes, page_bytes }, reader))
}

/// The size of a page as a size; pages have been up to 128 times 4 KiB since Linux 6.8.
pub fn page_size(bytes: u32, place: Place) -> Result<usize, ReadError> {
    if bytes.is_power_of_two() && (4 << 10..=512 << 10).contains(&bytes) {
        return Ok(bytes as usize);
    }
    let sentence = format!("The page size in the header is {} bytes, which cannot be right.", grouped(bytes));
    Err(ReadError::new(FailureClass::Corrupt, Code::BadPageSize, place, sentence))
}

fn read_version(reader: &mut Reader<'_>) -> Result<u32, ReadError> {
    let place = reader.place();
    let text = reader.text(8)?;
    let version = std::str::from_utf8(&text).ok().and_then(|digits| digits.parse().ok());
    match version {
        Some(version @ (6 | 7)) => Ok(version),
        _ => {
            let shown = String::from_utf8_lossy(&text).into_owned();
            let sentence = format!("This is trace.dat version {shown:?}; versions 6 and 7 are read.");
            Err(ReadError::new(FailureClass::Unsupported, Code::UnsupportedVersion, place, sentence))
        }
    }
}

//! A trace.dat as both versions describe it: metadata, options and where each CPU's pages are.

use super::codec::Codec;
use super::header::Header;
use super::metadata::Metadata;
use super::options::Options;
use super::reader::Reader;
use crate::model::{Code, FailureClass, Limits, Place, ReadError, grouped};

/// Everything but the pages.
pub struct Recording {
    pub header: Header,
    pub metadata: Metadata,
    pub options: Options,
    /// The top instance first, then the others in the order of the file.
    pub buffers: Vec<Buffer>,
    /// ASCII traces inside the file, in place of pages.
    pub texts: Vec<EmbeddedText>,
    /// What could not be read of the rest.
    pub damages: Vec<Damage>,
    /// The file ends before everything that the recorder wrote, so that whole instances may be missing.
    pub is_cut: bool,
}

impl Recording {
    /// Whether it is known, before any page is read, that a file of that many bytes is not as it was written.
    pub fn is_damaged(&self, file_bytes: u64) -> bool {
        let cpus = || self.buffers.iter().flat_map(|buffer| &buffer.cpus);
        let end = cpus().map(|data| data.offset.saturating_add(data.size)).max();
        // Nothing is after the pages of version 6.
        let is_too_long = self.header.version == 6 && end.is_some_and(|end| end != file_bytes);
        is_too_long || self.is_cut || !self.damages.is_empty() || cpus().any(|data| data.is_cut)
    }
}

/// A stretch of the file that cannot be read, and that the rest does not need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub start: u64,
    pub end: u64,
    /// What is there, and what is wrong with it.
    pub what: String,
}

/// The pages of one tracing instance.
#[derive(Debug)]
pub struct Buffer {
    /// Empty for the top instance.
    pub name: Vec<u8>,
    pub page_bytes: usize,
    /// How the pages are packed; `None` where they are not.
    pub codec: Option<Codec>,
    pub cpus: Vec<CpuData>,
}

/// Where the pages of one CPU are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuData {
    pub cpu: u16,
    pub offset: u64,
    pub size: u64,
    /// Where the file says so.
    pub entry_place: u64,
    /// There were more pages than can be read.
    pub is_cut: bool,
}

/// An ASCII trace: a stretch of the file, or a section that was expanded.
pub enum EmbeddedText {
    InFile { offset: u64, size: u64 },
    Expanded { text: Vec<u8> },
}

/// The number of CPUs, checked against the limit.
pub fn read_cpu_count(reader: &mut Reader<'_>, limits: &Limits) -> Result<u32, ReadError> {
    let place = reader.place();
    match reader.u32()? {
        count if count <= limits.max_cpus => Ok(count),
        count => Err(too_many_cpus(count, place, limits)),
    }
}

/// A CPU's number, checked against the limit.
pub fn cpu_number(cpu: u32, place: Place, limits: &Limits) -> Result<u16, ReadError> {
    match u16::try_from(cpu) {
        Ok(number) if cpu < limits.max_cpus => Ok(number),
        _ => Err(too_many_cpus(cpu, place, limits)),
    }
}

fn too_many_cpus(count: u32, place: Place, limits: &Limits) -> ReadError {
    let sentence = format!(
        "The file claims {} CPUs; the limit is {} (max_cpus).",
        grouped(count),
        grouped(limits.max_cpus)
    );
    ReadError::new(FailureClass::Corrupt, Code::TooManyCpus, place, sentence)
}

//! The options of a trace.dat: small facts, clock corrections and where the rest is.

use std::collections::BTreeMap;

use super::byte_account::ByteAccount;
use super::byte_order::ByteOrder;
use super::clock::{Clock, TimeShift};
use super::proc_maps::ProcMaps;
use super::reader::{Reader, out_of_range};
use crate::input::ReadAt;
use crate::model::{Code, Diagnostic, Facts, Place, ReadError, Sink, Stop, grouped};

pub const DONE: u16 = 0;
const DATE: u16 = 1;
const CPU_STAT: u16 = 2;
pub const BUFFER: u16 = 3;
const TRACE_CLOCK: u16 = 4;
const UNAME: u16 = 5;
const HOOK: u16 = 6;
const OFFSET: u16 = 7;
const CPU_COUNT: u16 = 8;
const VERSION: u16 = 9;
const PROC_MAPS: u16 = 10;
const TRACE_ID: u16 = 11;
const TIME_SHIFT: u16 = 12;
const GUEST: u16 = 13;
const TSC_TO_NSEC: u16 = 14;
/// The names of the sections (version 7).
pub const STRINGS: u16 = 15;
pub const HEADER_INFO: u16 = 16;
pub const CMDLINES: u16 = 21;
pub const BUFFER_TEXT: u16 = 22;
pub const BTF_FILE: u16 = 23;
const LAST_BOOT_INFO: u16 = 24;
pub const MODULES_FILE: u16 = 25;

/// A file has tens of options; a hostile one could have millions.
const MAX_OPTIONS: usize = 65_536;
const MAX_OPTION_BYTES: u32 = 16 << 20;
/// Number and size.
const HEAD_BYTES: usize = 6;

/// One option as the file has it.
pub struct RawOption {
    pub id: u16,
    pub data: Vec<u8>,
    pub place: u64,
}

/// All options of a file; the part of their meaning that both versions share.
#[derive(Default)]
pub struct Options {
    pub facts: Facts,
    pub clock: Clock,
    /// Text of every `per_cpu/cpuN/stats`, in order of appearance, with its place.
    pub cpu_stats: Vec<(Vec<u8>, u64)>,
    pub proc_maps: ProcMaps,
    /// `[local] global counter ...`; empty where the option has no data (version 6 has it elsewhere).
    pub trace_clock: Option<Vec<u8>>,
    /// BUFFER options, whose data differs by version.
    pub buffers: Vec<RawOption>,
    /// BUFFER_TEXT options (version 7).
    pub text_buffers: Vec<RawOption>,
    /// Offsets of the version 7 sections HEADER_INFO..=CMDLINES, BTF_FILE and MODULES_FILE.
    pub sections: Vec<(u16, u64)>,
    /// For an instance whose buffer outlived a boot; trace-cmd knows one.
    pub last_boot: Option<Vec<u8>>,
    /// Options that are not read, by their number.
    unread: BTreeMap<u16, Unread>,
    count: usize,
}

/// Options of one kind that are not read, or of which something is left over.
struct Unread {
    count: u64,
    /// Of the first.
    place: u64,
    /// What they take in the file.
    bytes: u64,
}

impl Options {
    /// Takes one option in. One that makes no sense is skipped by its size.
    pub fn add(&mut self, option: RawOption, reader: &Reader<'_>) -> Result<(), ReadError> {
        self.count = self.count.saturating_add(1);
        if self.count > MAX_OPTIONS {
            return Err(out_of_range(reader.place(), "The file has too many options."));
        }
        let (id, place, size) = (option.id, option.place, option.data.len());
        let filled = option.data.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
        let understood = self.understand(option, reader.order);
        if understood.is_none_or(|understood| understood < filled) {
            let all = size.saturating_add(HEAD_BYTES);
            let left = understood.map_or(all, |understood| size.saturating_sub(understood));
            let unread = self.unread.entry(id).or_insert(Unread { count: 0, place, bytes: 0 });
            unread.count = unread.count.saturating_add(1);
            unread.bytes = unread.bytes.saturating_add(reader.file_bytes(left as u64));
        }
        Ok(())
    }

    /// Takes one option in. Answers how many of its bytes make sense; `None` where it does not.
    fn understand(&mut self, option: RawOption, order: ByteOrder) -> Option<usize> {
        let bytes: &dyn ReadAt = &option.data;
        let mut data = Reader::of_section(bytes, option.place, order);
        let size = option.data.len();
        let text_bytes = memchr::memchr(0, &option.data).unwrap_or(size);
        match option.id {
            DATE | OFFSET => {
                let offset = parse_offset(&option.data)?;
                self.clock.add_offset(offset, if option.id == DATE { 1_000 } else { 1 });
                return Some(text_bytes);
            }
            CPU_STAT => {
                self.cpu_stats.push((option.data, option.place));
                return Some(text_bytes);
            }
            BUFFER | BUFFER_TEXT => {
                let buffers = if option.id == BUFFER { &mut self.buffers } else { &mut self.text_buffers };
                buffers.push(option);
                return Some(size);
            }
            TRACE_CLOCK => {
                self.trace_clock = Some(option.data);
                return Some(text_bytes);
            }
            UNAME => self.facts.kernel = kernel_of_uname(&option.data),
            CPU_COUNT => self.facts.cpu_count = data.u32().ok(),
            VERSION => self.add_fact("trace_cmd_version", text_of(&option.data)),
            HOOK => self.add_to_fact("hooks", &text_of(&option.data)),
            TRACE_ID => {
                if let Ok(id) = data.u64() {
                    self.add_fact("trace_id", format!("{id:016x}"));
                }
            }
            GUEST => self.add_guest(&option.data, &mut data),
            PROC_MAPS => {
                self.proc_maps.add(&option.data);
                return Some(size);
            }
            TIME_SHIFT => self.clock.shift = TimeShift::read(&mut data).ok(),
            TSC_TO_NSEC => self.clock.read_tsc(&mut data)?,
            LAST_BOOT_INFO => {
                self.last_boot = self.last_boot.take().or(Some(option.data));
                return Some(size);
            }
            id @ (HEADER_INFO..=CMDLINES | BTF_FILE | MODULES_FILE) => {
                // The first of each kind counts: a file of many would make us read each again.
                let is_first = self.sections.iter().all(|(known, _)| *known != id);
                match data.u64() {
                    Ok(offset) if is_first => self.sections.push((id, offset)),
                    _ => return None,
                }
            }
            _ => return None,
        }
        let binary_bytes = usize::try_from(data.position()).unwrap_or(size);
        Some(if binary_bytes == 0 { text_bytes } else { binary_bytes })
    }

    /// Says which options are not read, by their numbers, and counts their bytes as skipped.
    pub fn report_unread(&self, file: &ByteAccount<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
        self.unread.iter().try_for_each(|(id, unread)| {
            let name = format!("option {id}: {} bytes", unread.bytes);
            let (code, place, count) = (Code::OptionNotRead, Place::byte(unread.place), unread.count);
            file.skip(unread.bytes);
            sink.diagnostic(Diagnostic { code, place, sample: name.as_bytes(), count })
        })
    }

    /// Keeps what the file says under a name of its own; a second value replaces the first.
    pub fn add_fact(&mut self, name: &str, value: impl Into<String>) {
        self.facts.other.insert(name.to_owned(), value.into());
    }

    /// A guest that was traced with this host: name, u64 trace id, u32 vCPUs, each u32 number and u32 pid.
    fn add_guest(&mut self, option: &[u8], data: &mut Reader<'_>) {
        let Ok(name) = data.text(option.len()) else { return };
        let (Ok(trace_id), Ok(vcpus)) = (data.u64(), data.u32()) else { return };
        data.seek(data.position().saturating_add(u64::from(vcpus).saturating_mul(8)));
        let guest = format!("{} (trace {trace_id:016x}, {vcpus} vCPUs)", text_of(&name));
        self.add_to_fact("guests", &guest);
    }

    /// Another one of a fact that has several.
    fn add_to_fact(&mut self, name: &str, value: &str) {
        let values = self.facts.other.entry(name.to_owned()).or_default();
        if !values.is_empty() {
            values.push_str(", ");
        }
        values.push_str(value);
    }

    /// The clock in brackets: `[local] global counter`.
    pub fn set_clock_of_list(&mut self, list: &[u8]) {
        let start = memchr::memchr(b'[', list).map_or(0, |at| at.saturating_add(1));
        let rest = list.get(start..).unwrap_or_default();
        let name = rest.split(|byte| matches!(byte, b']' | 0 | b'\n' | b' ')).next().unwrap_or_default();
        if !name.is_empty() {
            self.facts.clock = Some(text_of(name));
        }
    }
}

/// The next option: u16 id, u32 size, data.
pub fn read_option(reader: &mut Reader<'_>) -> Result<RawOption, ReadError> {
    let id = reader.u16()?;
    let place = reader.place();
    let size = reader.u32()?;
    if size > MAX_OPTION_BYTES {
        let sentence = format!("An option of {} bytes cannot be right.", grouped(size));
        return Err(out_of_range(place, sentence));
    }
    Ok(RawOption { id, data: reader.take(size as usize)?, place: place.byte_offset })
}

/// A decimal or `0x` number, with a sign or without, ended by anything else; `None` where no digit comes.
fn parse_offset(data: &[u8]) -> Option<i64> {
    let text = data.trim_ascii();
    let (is_negative, text) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        _ => (10, text),
    };
    if !digits.first().is_some_and(|byte| char::from(*byte).is_digit(radix)) {
        return None;
    }
    let value = digits
        .iter()
        .map_while(|byte| char::from(*byte).to_digit(radix))
        .try_fold(0_i64, |value, digit| value.checked_mul(i64::from(radix))?.checked_add(i64::from(digit)))
        .unwrap_or(0);
    Some(if is_negative { value.saturating_neg() } else { value })
}

/// `Linux host 6.12.95-rt-amd64 #1 SMP ... x86_64` without system and host.
fn kernel_of_uname(data: &[u8]) -> Option<String> {
    let text = text_of(data);
    let mut words = text.splitn(3, ' ');
    let (_system, _host) = (words.next()?, words.next()?);
    words.next().map(str::to_owned)
}

fn text_of(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text.trim_ascii()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_may_be_hexadecimal_or_negative() {
        assert_eq!(parse_offset(b"100000000\0"), Some(100_000_000));
        assert_eq!(parse_offset(b"0x10"), Some(16));
        assert_eq!(parse_offset(b"-7 "), Some(-7));
        assert_eq!(parse_offset(b"none"), None);
    }

    #[test]
    fn the_kernel_is_the_third_word_and_on() {
        assert_eq!(kernel_of_uname(b"Linux box 6.12.1 x86_64\0").as_deref(), Some("6.12.1 x86_64"));
        assert_eq!(kernel_of_uname(b"Linux"), None);
    }
}

//! Text recorded with the raw, hex or bin option, or without the context columns.

use super::reader::{TextReader, Verdict};
use super::{records, scan};
use crate::model::{
    Code, EventKind, EventRecord, Flags, Place, Stop, TaskRef, TimeOrigin, TimeUnit, Timestamp,
};

/// Which of these options the text was recorded with, as far as its lines have shown.
#[derive(Debug, Default)]
pub struct RawText {
    /// Seen the header of a tracer whose lines are events.
    has_event_header: bool,
    is_reported: bool,
    is_binary: bool,
    /// Bytes of a binary record before a line feed that was part of it.
    carried: Vec<u8>,
}

/// Process, CPU and time before the payload of a binary record.
const BINARY_PREFIX_BYTES: usize = 16;

impl RawText {
    /// Takes note of the tracer that a header line names.
    pub fn header_line(&mut self, text: &[u8]) {
        if let Some(tracer) = text.strip_prefix(b"# tracer: ") {
            self.has_event_header = scan::trim(tracer) != b"function_graph";
        }
    }

    /// True where records are printed as bytes (`trace_options`: `bin`).
    pub fn is_binary(&self) -> bool {
        self.is_binary
    }
}

/// A record as these options print it.
struct RawRecord<'a> {
    pid: i32,
    cpu: u64,
    nanoseconds: u64,
    payload: &'a [u8],
}

impl TextReader<'_> {
    /// Reads a line of one of these options; `None` where it is none.
    pub(super) fn raw_line(&mut self, text: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        if !self.raw.has_event_header || self.pending.is_waiting() {
            return Ok(None);
        }
        let verdict = match raw_record(text).or_else(|| hex_record(text)) {
            Some(record) => Some(self.raw_event(&record, place)?),
            None => self.binary_record(text, place)?,
        };
        if verdict.is_some() {
            self.tally.count_line();
        }
        Ok(verdict)
    }

    fn raw_event(&mut self, record: &RawRecord<'_>, place: Place) -> Result<Verdict, Stop> {
        if !self.raw.is_reported {
            self.raw.is_reported = true;
            self.report(Code::RawText, place, record.payload)?;
        }
        let Some(cpu) = self.cpu(Some(record.cpu), place)? else { return Ok(Verdict::Dropped) };
        let Ok(nanoseconds) = i64::try_from(record.nanoseconds) else {
            self.report(Code::TimestampOutOfRange, place, record.payload)?;
            return Ok(Verdict::Dropped);
        };
        let ts = Timestamp(nanoseconds);
        self.time_is(TimeUnit::Ns, TimeOrigin::Recorded);
        self.arrive(ts, cpu)?;
        self.section.count_entries(1);
        let (kind, name, args) = raw_payload(record.payload);
        if kind == EventKind::Unknown && !records::is_type_number(args) {
            self.section.doubt(place, record.payload);
        }
        // Addresses are printed with small letters.
        if kind == EventKind::Function && args.iter().any(u8::is_ascii_uppercase) {
            self.section.doubt(place, record.payload);
        }
        let mut joined = Vec::new();
        let args = match kind {
            // `ffffffff83db3390 ffffffff83db45aa`: function and parent.
            EventKind::Function => {
                let (function, parent) = scan::word(args);
                joined.extend_from_slice(function);
                joined.extend_from_slice(b" <-");
                joined.extend_from_slice(scan::trim(parent));
                &joined
            }
            _ => args,
        };
        self.sink.event(&EventRecord {
            ts,
            cpu,
            buffer: b"",
            task: TaskRef { pid: Some(record.pid), comm: b"", tgid: None },
            flags: Flags::default(),
            kind,
            system: None,
            name,
            args,
            place,
        })?;
        Ok(Verdict::Used)
    }

    /// A binary record: 16 bytes, then the payload as text. Any of the bytes may be a line feed.
    fn binary_record(&mut self, text: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        if self.raw.carried.is_empty() {
            return self.binary_bytes(text, place);
        }
        let carried = std::mem::take(&mut self.raw.carried);
        let record = [carried.as_slice(), text].join(&b'\n');
        let verdict = self.binary_bytes(&record, place)?;
        if verdict.is_none() {
            self.raw.carried = carried;
            self.drop_carried(place)?;
        }
        Ok(verdict)
    }

    /// Gives up what was kept of a binary record whose rest did not come.
    pub(super) fn drop_carried(&mut self, place: Place) -> Result<(), Stop> {
        let carried = std::mem::take(&mut self.raw.carried);
        if carried.is_empty() {
            return Ok(());
        }
        let is_used = self.judge(Verdict::Unparsed, &carried, place, true)?;
        self.tally.take_back(is_used, carried.len().saturating_add(1));
        Ok(())
    }

    fn binary_bytes(&mut self, record: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        let is_start = self.raw.is_binary || self.tally.records == 0 && record.contains(&0);
        if is_start && record.len() < BINARY_PREFIX_BYTES {
            self.raw.carried = record.to_vec();
            return Ok(Some(Verdict::Used));
        }
        let Some(parsed) = binary_record(record).filter(|_| is_start) else { return Ok(None) };
        self.raw.is_binary = true;
        self.raw_event(&parsed, place).map(Some)
    }

    /// An event whose columns are switched off.
    pub(super) fn line_without_columns(
        &mut self,
        trimmed: &[u8],
        place: Place,
    ) -> Result<Option<Verdict>, Stop> {
        if self.raw.has_event_header && self.last.is_none() && is_bare_event(trimmed) {
            self.report(Code::NoTime, place, trimmed)?;
            self.tally.count_line();
            self.tally.records = self.tally.records.saturating_add(1);
            return Ok(Some(Verdict::Dropped));
        }
        Ok(None)
    }
}

/// True for a record of the raw or hex option.
pub fn is_record(text: &[u8]) -> bool {
    raw_record(text).or_else(|| hex_record(text)).is_some()
}

/// `207 0 8309919745 type: 313`
fn raw_record(text: &[u8]) -> Option<RawRecord<'_>> {
    let (pid, rest) = scan::number(text)?;
    let (cpu, rest) = scan::number(rest.strip_prefix(b" ")?)?;
    let (nanoseconds, rest) = scan::number(rest.strip_prefix(b" ")?)?;
    let payload = rest.strip_prefix(b" ")?;
    Some(RawRecord { pid: i32::try_from(pid).ok()?, cpu, nanoseconds, payload })
}

/// `000000b2 00000001 00000019fb7f3a4d type: 5`
fn hex_record(text: &[u8]) -> Option<RawRecord<'_>> {
    let (pid, rest) = text.split_at_checked(8)?;
    let (cpu, rest) = rest.strip_prefix(b" ")?.split_at_checked(8)?;
    let (nanoseconds, rest) = rest.strip_prefix(b" ")?.split_at_checked(16)?;
    let payload = rest.strip_prefix(b" ")?;
    Some(RawRecord {
        pid: i32::try_from(scan::parse_hex(pid)?).ok()?,
        cpu: scan::parse_hex(cpu)?,
        nanoseconds: scan::parse_hex(nanoseconds)?,
        payload,
    })
}

/// Little-endian pid, CPU and time; no big-endian machine's recording of this option is known.
fn binary_record(bytes: &[u8]) -> Option<RawRecord<'_>> {
    let (prefix, payload) = bytes.split_at_checked(BINARY_PREFIX_BYTES)?;
    let word = |at: usize| Some(u32::from_le_bytes(prefix.get(at..at.checked_add(4)?)?.try_into().ok()?));
    let (pid, cpu) = (i32::try_from(word(0)?).ok()?, u64::from(word(4)?));
    let nanoseconds = u64::from(word(8)?) | u64::from(word(12)?) << 32;
    let is_plausible =
        pid < 1 << 22 && cpu < 8_192 && payload.first().is_some_and(|byte| byte.is_ascii_graphic());
    is_plausible.then_some(RawRecord { pid, cpu, nanoseconds, payload })
}

fn raw_payload(payload: &[u8]) -> (EventKind, &'static [u8], &[u8]) {
    let is_address = |word: &[u8]| word.len() >= 8 && scan::parse_hex(word).is_some();
    let (first, rest) = scan::word(payload);
    if is_address(first) && is_address(scan::trim(rest)) {
        return (EventKind::Function, b"function", payload);
    }
    match payload.strip_prefix(b"# ") {
        Some(text) => (EventKind::Print, b"print", text),
        None => (EventKind::Unknown, b"unknown", payload),
    }
}

/// `sched_waking: comm=rcu_preempt pid=18 prio=120 target_cpu=000` without anything before it.
fn is_bare_event(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && text.get(name..).is_some_and(|rest| rest.starts_with(b": ") || rest.starts_with(b" <-"))
}

//! Lines of the mmiotrace tracer, which have no columns of a record.

use super::reader::{TextReader, Verdict};
use super::scan;
use crate::model::{
    Code, EventKind, EventRecord, Flags, Place, Stop, TaskRef, TimeOrigin, TimeUnit, Timestamp, parse_seconds,
};

/// What the first word of a line makes it; the time, if there is one, is word number `time_at`.
struct Kind {
    word: &'static [u8],
    event: EventKind,
    name: &'static [u8],
    time_at: usize,
}

/// `R 4 12.345678 1 0xfebc0008 0x140240 0x0 0` (width, time, map, physical address, value, pc, pid),
/// `MAP 12.345678 1 0xfebc0000 0xffffc90000 0x20000 0x0 0`, `MARK 12.345678 text`.
/// Source: kernel/trace/trace_mmiotrace.c, Linux 5.10 to 7.3.
const KINDS: &[Kind] = &[
    Kind { word: b"R", event: EventKind::Tracer, name: b"mmiotrace_rw", time_at: 2 },
    Kind { word: b"W", event: EventKind::Tracer, name: b"mmiotrace_rw", time_at: 2 },
    Kind { word: b"UNKNOWN", event: EventKind::Tracer, name: b"mmiotrace_rw", time_at: 2 },
    Kind { word: b"MAP", event: EventKind::Tracer, name: b"mmiotrace_map", time_at: 1 },
    Kind { word: b"UNMAP", event: EventKind::Tracer, name: b"mmiotrace_map", time_at: 1 },
    Kind { word: b"MARK", event: EventKind::Print, name: b"print", time_at: 1 },
];

/// The tracer takes all CPUs but the first offline before it begins (arch/x86/mm/mmio-mod.c).
const CPU: u16 = 0;

/// True where `trimmed` is a line of mmiotrace by its own look.
pub fn is_line(trimmed: &[u8]) -> bool {
    let (word, rest) = scan::word(trimmed);
    KINDS.iter().find(|kind| kind.word == word).is_some_and(|kind| split_stamp(kind, rest).is_some())
}

/// The time of a line, and the text after it.
fn split_stamp<'a>(kind: &Kind, rest: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let mut behind = rest;
    let mut stamp = &b""[..];
    for _ in 0..kind.time_at {
        (stamp, behind) = scan::word(scan::skip_blanks(behind));
    }
    let is_stamp = stamp.contains(&b'.') && stamp.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    is_stamp.then_some((stamp, scan::skip_blanks(behind)))
}

impl TextReader<'_> {
    /// Reads a line of mmiotrace; `None` where it is none.
    pub(super) fn mmiotrace_line(&mut self, trimmed: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        let (word, rest) = scan::word(trimmed);
        if self.facts.tracer.as_deref().is_some_and(|tracer| tracer != "mmiotrace") {
            return Ok(None);
        }
        let Some(kind) = KINDS.iter().find(|kind| kind.word == word) else {
            let is_header = matches!(word, b"VERSION" | b"PCIDEV" | b"LSPCI") && !rest.is_empty();
            return Ok(is_header.then_some(Verdict::Used));
        };
        let Some((stamp, behind)) = split_stamp(kind, rest) else { return Ok(None) };
        let Some(ts) = parse_seconds(stamp) else {
            self.tally.count_line();
            self.report(Code::TimestampOutOfRange, place, trimmed)?;
            return Ok(Some(Verdict::Dropped));
        };
        self.tally.count_line();
        self.mmiotrace_event(kind, ts, (trimmed, behind), place)?;
        Ok(Some(Verdict::Used))
    }

    fn mmiotrace_event(
        &mut self,
        kind: &Kind,
        ts: Timestamp,
        (line, behind): (&[u8], &[u8]),
        place: Place,
    ) -> Result<(), Stop> {
        self.time_is(TimeUnit::Ns, TimeOrigin::Recorded);
        self.arrive(ts, CPU)?;
        self.section.count_entries(1);
        self.sink.event(&EventRecord {
            ts,
            cpu: CPU,
            buffer: b"",
            task: TaskRef::default(),
            flags: Flags::default(),
            kind: kind.event,
            system: None,
            name: kind.name,
            args: if kind.event == EventKind::Print { behind } else { line },
            place,
        })
    }
}

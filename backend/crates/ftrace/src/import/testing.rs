//! Imports for tests: a few hand-made lines in, stored tables out.

use std::cell::Cell;

use super::file_progress::FileProgress;
use super::importer::Importer;
use super::run::Extent;
use super::summary::Summary;
use crate::formats::{flag_word, read_any};
use crate::model::{
    EventKind, EventRecord, Limits, LossCause, LossRecord, Place, Sink, TaskRef, parse_seconds,
};
use crate::store::tables::DIAGNOSTIC;
use crate::store::testing::{KEY, Written};

/// Runs `feed` on an importer with these limits.
pub fn import_with(limits: &Limits, feed: impl FnOnce(&mut Importer<'_>)) -> (Written, Summary) {
    let mut written = Written::default();
    let read_bytes = Cell::new(0);
    let file = FileProgress { size_bytes: 0, read_bytes: &read_bytes, scratch_bytes: &Cell::new(0) };
    let mut importer = Importer::new(&mut written, KEY, limits, Extent::Whole, file);
    feed(&mut importer);
    let (_, summary) = importer.finish("lines").unwrap();
    (written, summary)
}

/// A whole file with this text, whose format is found out; the indentation of the test is taken off.
pub fn import_file(text: &str) -> (Written, Summary) {
    let lines = text.lines().map(|line| line.strip_prefix("        ").unwrap_or(line));
    let file: Vec<u8> = lines.collect::<Vec<_>>().join("\n").trim_start().as_bytes().to_vec();
    let limits = Limits::default();
    import_with(&limits, |importer| {
        read_any(&file, &mut Vec::new(), &limits, importer).unwrap();
    })
}

/// Imports lines like `comm-pid [cpu] secs.usecs: event: args`, `LOST [cpu]` for a loss and `CUT [cpu]` for the
/// end of a file that was cut off; the name of a buffer may precede them: `rt: comm-pid [cpu]`, and flags the
/// time: `[cpu] d.h1. secs.usecs`.
pub fn import_lines(text: &str) -> (Written, Summary) {
    import_with(&Limits::default(), |importer| feed_lines(text, importer))
}

/// The codes of what the import of these lines reports.
pub fn diagnostic_codes(text: &str) -> Vec<String> {
    let (written, _) = import_lines(text);
    written.rows(&DIAGNOSTIC, |row| {
        let code = row.text("code").unwrap().to_owned();
        for column in ["severity", "count", "first_line", "first_byte_offset", "sample"] {
            row.skip(column).unwrap();
        }
        code
    })
}

pub fn feed_lines(text: &str, sink: &mut dyn Sink) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for (number, line) in (1..).zip(lines) {
        let place = Place::line(number, 0);
        let (task, rest) = line.split_once('[').unwrap();
        let (buffer, task) = task.split_once(": ").unwrap_or(("", task));
        let buffer = buffer.as_bytes();
        let (cpu, rest) = rest.split_once(']').unwrap();
        let cpu = cpu.parse().unwrap();
        if let cause @ ("LOST" | "CUT") = task.trim() {
            let count = rest.trim().parse().ok();
            let (cpu, buffer, ts) = (Some(cpu), Some(buffer), None);
            let cause = if cause == "CUT" { LossCause::CutOff } else { LossCause::Overwritten };
            sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place }).unwrap();
            continue;
        }
        let (comm, pid) = task.trim().rsplit_once('-').unwrap();
        let comm = if comm == "<...>" { "" } else { comm };
        let mut fields = rest.trim().splitn(3, ": ");
        let time = fields.next().unwrap();
        let (flags, time) = time.rsplit_once(' ').map_or((None, time), |(flags, time)| (Some(flags), time));
        let flags = flags.map(|flags| flag_word::parse(flags.trim().as_bytes()).unwrap());
        let ts = parse_seconds(time.as_bytes()).unwrap();
        let name = fields.next().unwrap().trim_end_matches(':');
        sink.event(&EventRecord {
            ts,
            cpu,
            buffer,
            task: TaskRef { pid: pid.parse().ok(), comm: comm.as_bytes(), tgid: None },
            flags: flags.unwrap_or_default(),
            kind: EventKind::Tracepoint,
            system: None,
            name: name.as_bytes(),
            args: fields.next().unwrap_or("").as_bytes(),
            place,
        })
        .unwrap();
    }
}

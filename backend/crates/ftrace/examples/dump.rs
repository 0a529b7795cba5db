//! Prints what the core reads from recordings: `cargo run --release --example dump -- [-v] FILE...`
//!
//! One JSON object a line: format, facts, counts, diagnostics with their first place. With `-v` also
//! every record.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a developer's tool reads files")]

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::FileExt;

use hashbrown::HashMap;

use ftrace::calls::{Call, CallBuilder, CallSink};
use ftrace::formats::read_any;
use ftrace::input::ReadAt;
use ftrace::model::{
    CallRecord, Code, Diagnostic, EventRecord, Facts, FailureClass, Limits, LossRecord, NoteRecord, Place,
    ReadError, Sink, StackRecord, Stop, TaskRef, Timestamp,
};

#[derive(Default)]
struct Counts {
    is_verbose: bool,
    facts: Facts,
    events: u64,
    by_name: HashMap<Vec<u8>, u64>,
    graph_lines: u64,
    calls: u64,
    stacks: u64,
    frames: u64,
    losses: u64,
    lost: u64,
    notes: Vec<String>,
    switches: u64,
    renames: u64,
    first_ts: Option<i64>,
    last_ts: Option<i64>,
    diagnostics: BTreeMap<&'static str, (u64, Place, String)>,
    used_bytes: u64,
    skipped_bytes: u64,
}

struct Dump<'l> {
    counts: Counts,
    calls: CallBuilder<'l>,
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string().replace("\\\"", "\"").replace("\\\'", "'")
}

impl Counts {
    fn note_diagnostic(&mut self, diagnostic: Diagnostic<'_>) {
        let sample = text(diagnostic.sample.get(..100).unwrap_or(diagnostic.sample));
        let entry = self.diagnostics.entry(diagnostic.code.name()).or_insert((0, diagnostic.place, sample));
        entry.0 += diagnostic.count;
        if self.is_verbose {
            println!("! {} {:?} {}", diagnostic.code.name(), diagnostic.place.line, text(diagnostic.sample));
        }
    }
}

impl CallSink for Counts {
    fn call(&mut self, call: &Call<'_>) {
        self.calls += 1;
        if self.is_verbose {
            println!(
                "call {} {:?} {} +{} self {} depth {} cpu {} pid {:?} {} {:?} flags {:x}",
                call.id,
                call.parent,
                call.start.0,
                call.duration_ns,
                call.self_ns,
                call.depth,
                call.cpu,
                call.task.pid,
                text(call.symbol),
                text(call.retval),
                call.flags.0
            );
        }
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) {
        self.note_diagnostic(diagnostic);
    }

    fn switch(&mut self, _cpu: u16, _ts: Timestamp, _prev: TaskRef<'_>, _next: TaskRef<'_>) {
        self.switches += 1;
    }

    fn rename(&mut self, _placeholder_pid: i32, _task: TaskRef<'_>) {
        self.renames += 1;
    }
}

impl Sink for Dump<'_> {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.counts.facts = facts;
        Ok(())
    }

    fn buffer(&mut self, _name: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        let counts = &mut self.counts;
        counts.events += 1;
        counts.first_ts.get_or_insert(event.ts.0);
        counts.last_ts = Some(event.ts.0);
        if counts.is_verbose {
            println!(
                "event {} {}[{}] {}-{:?} {:?} {} | {}",
                event.ts.0,
                text(event.buffer),
                event.cpu,
                text(event.task.comm),
                event.task.pid,
                event.kind,
                text(event.name),
                text(event.args)
            );
        }
        match counts.by_name.get_mut(event.name) {
            Some(count) => *count += 1,
            None => {
                counts.by_name.insert(event.name.to_vec(), 1);
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        self.counts.graph_lines += u64::from(!matches!(call, CallRecord::Switch { .. }));
        Ok(self.calls.record(call, &mut self.counts)?)
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        self.counts.stacks += 1;
        self.counts.frames += stack.frames.len() as u64;
        Ok(())
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        self.counts.losses += 1;
        self.counts.lost = self.counts.lost.saturating_add(loss.count.unwrap_or(0));
        self.calls.loss(loss.cpu, &mut self.counts);
        Ok(())
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.counts.notes.push(text(note.text));
        Ok(())
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        self.counts.note_diagnostic(diagnostic);
        Ok(())
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        (self.counts.used_bytes, self.counts.skipped_bytes) = (used_bytes, skipped_bytes);
        Ok(())
    }
}

/// The file as the product reads it: a piece at a time.
struct Source(std::fs::File);

impl ReadAt for Source {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        self.0.read_at(buffer, offset).map_err(|error| {
            ReadError::new(FailureClass::Io, Code::ReadFailed, Place::byte(offset), error.to_string())
        })
    }
}

fn main() -> std::io::Result<()> {
    let (options, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument == "-v");
    let limits = Limits::default();
    for file in files {
        let source = Source(std::fs::File::open(&file)?);
        let counts = Counts { is_verbose: !options.is_empty(), ..Counts::default() };
        let mut dump = Dump { counts, calls: CallBuilder::new(&limits) };
        let result = read_any(&source, &mut Vec::new(), &limits, &mut dump);
        let error = if let Err(Stop::Failed(error)) = &result { Some(error) } else { None };
        dump.calls.finish(&mut dump.counts);
        let counts = dump.counts;
        let diagnostics: BTreeMap<_, _> = counts
            .diagnostics
            .iter()
            .map(|(code, (count, place, sample))| {
                (*code, serde_json::json!([count, place.line, place.byte_offset, sample]))
            })
            .collect();
        let by_name: BTreeMap<_, _> =
            counts.by_name.iter().map(|(name, count)| (text(name), count)).collect();
        let line = serde_json::json!({
            "file": file, "format": result.as_ref().ok().map(|format| format.name()), "error": error, "facts": counts.facts,
            "events": counts.events, "by_name": by_name, "graph_lines": counts.graph_lines, "calls": counts.calls,
            "stacks": counts.stacks, "frames": counts.frames, "losses": counts.losses, "lost": counts.lost,
            "notes": counts.notes, "switches": counts.switches, "renames": counts.renames,
            "first_ts": counts.first_ts, "last_ts": counts.last_ts, "diagnostics": diagnostics,
            "bytes": source.len(), "used_bytes": counts.used_bytes, "skipped_bytes": counts.skipped_bytes,
        });
        writeln!(std::io::stdout(), "{line}")?;
    }
    Ok(())
}

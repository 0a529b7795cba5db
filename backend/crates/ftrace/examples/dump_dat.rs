//! Prints the events of a recording one a line, to be compared with what trace-cmd report prints:
//! `cargo run --release --example dump_dat -- FILE [--quiet]`
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a developer's tool reads files")]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;

use ftrace::formats::read_any;
use ftrace::input::ReadAt;
use ftrace::model::{
    CallRecord, Code, Diagnostic, EventRecord, Facts, FailureClass, Limits, LossRecord, NoteRecord, Place,
    ReadError, Sink, StackRecord, Stop,
};

struct Stored(File);

fn io_error(error: std::io::Error) -> ReadError {
    ReadError::new(FailureClass::Io, Code::ReadFailed, Place::default(), error.to_string())
}

impl ReadAt for Stored {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        FileExt::read_at(&self.0, buffer, offset).map_err(io_error)
    }
}

struct Dump<W> {
    output: W,
    is_quiet: bool,
    events: u64,
    calls: u64,
    account: (u64, u64),
}

impl<W: Write> Dump<W> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) -> Result<(), Stop> {
        if self.is_quiet { Ok(()) } else { Ok(writeln!(self.output, "{line}").map_err(io_error)?) }
    }
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

impl<W: Write> Sink for Dump<W> {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.line(format_args!("facts {facts:?}"))
    }

    fn buffer(&mut self, _name: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        self.events += 1;
        if self.is_quiet {
            return Ok(());
        }
        let (seconds, nanoseconds) =
            (event.ts.0.div_euclid(1_000_000_000), event.ts.0.rem_euclid(1_000_000_000));
        let comm = if event.task.comm.is_empty() { b"<...>" } else { event.task.comm };
        self.line(format_args!(
            "{}{}{}-{} [{:03}] {seconds}.{nanoseconds:09}: {}: {}",
            text(event.buffer),
            if event.buffer.is_empty() { "" } else { ": " },
            text(comm),
            event.task.pid.unwrap_or(-1),
            event.cpu,
            text(event.name),
            text(event.args)
        ))
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        self.calls += 1;
        self.line(format_args!("call {call:?}"))
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        let frames: Vec<_> = stack.frames.iter().map(|frame| text(frame)).collect();
        self.line(format_args!("stack {:?} {}", stack.kind, frames.join(" ")))
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        self.line(format_args!("loss {loss:?}"))
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.line(format_args!("note {note:?}"))
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        let (code, place) = (diagnostic.code.name(), diagnostic.place);
        self.line(format_args!("! {code} {place:?} x{} {}", diagnostic.count, text(diagnostic.sample)))
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.account = (used_bytes, skipped_bytes);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: dump_dat FILE [--quiet]")?;
    let is_quiet = arguments.iter().any(|argument| argument == "--quiet");
    let output = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let mut dump = Dump { output, is_quiet, events: 0, calls: 0, account: (0, 0) };
    let mut scratch = Vec::new();
    let result = read_any(&Stored(File::open(path)?), &mut scratch, &Limits::default(), &mut dump);
    dump.output.flush()?;
    let result = result.map(|format| format.name());
    eprintln!("{result:?} events {} calls {} bytes {:?}", dump.events, dump.calls, dump.account);
    Ok(())
}

//! A sink that writes down what it gets.

use std::fmt::Write as _;

use crate::model::{
    CallRecord, Diagnostic, EventRecord, Facts, LossRecord, NoteRecord, Sink, StackRecord, Stop,
};

/// Writes down what it gets, one line each.
#[derive(Default)]
pub struct Recorder {
    pub lines: String,
    pub facts: Facts,
    pub account: (u64, u64),
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// ` of rt`, or nothing for the top buffer.
fn of_buffer(name: &[u8]) -> String {
    if name.is_empty() { String::new() } else { format!(" of {}", text(name)) }
}

/// ` depth 1`, or nothing for a text, whose indentation is not trusted at once.
fn of_depth(depth: Option<u16>) -> String {
    depth.map_or_else(String::new, |depth| format!(" depth {depth}"))
}

impl Recorder {
    fn line(&mut self, line: std::fmt::Arguments<'_>) -> Result<(), Stop> {
        self.lines.write_fmt(line).unwrap();
        self.lines.push('\n');
        Ok(())
    }
}

impl Sink for Recorder {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.facts = facts;
        Ok(())
    }

    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop> {
        self.line(format_args!("buffer {}", text(name)))
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        let (comm, pid) = (text(event.task.comm), event.task.pid.unwrap_or(-1));
        let (name, args) = (text(event.name), text(event.args));
        let buffer = of_buffer(event.buffer);
        self.line(format_args!("{}{buffer} {comm}-{pid} [{}] {name}: {args}", event.ts.0, event.cpu))
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        match call {
            CallRecord::Enter { at, symbol, args } => self.line(format_args!(
                "{}{}{} enter {}{}",
                at.ts.unwrap().0,
                of_buffer(at.buffer),
                of_depth(at.depth),
                text(symbol),
                if args.is_empty() { String::new() } else { format!("({})", text(args)) },
            )),
            CallRecord::Exit { at, symbol, duration_ns, retval } => self.line(format_args!(
                "{}{}{} exit {} after {:?} = {}",
                at.ts.unwrap().0,
                of_buffer(at.buffer),
                of_depth(at.depth),
                text(symbol.unwrap()),
                duration_ns.map(|duration| duration.0),
                text(retval)
            )),
            other => self.line(format_args!("{other:?}")),
        }
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        let frames: Vec<_> = stack.frames.iter().map(|frame| text(frame)).collect();
        self.line(format_args!("{:?} stack {}", stack.kind, frames.join(" < ")))
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        let (ts, buffer) = (loss.ts.map(|ts| ts.0), of_buffer(loss.buffer.unwrap_or_default()));
        self.line(format_args!("lost {:?} on CPU {:?}{buffer} before {ts:?}", loss.count, loss.cpu))
    }

    fn note(&mut self, _note: &NoteRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        let (code, place) = (diagnostic.code.name(), diagnostic.place.byte_offset);
        self.line(format_args!("! {code} x{} at byte {place}", diagnostic.count))
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.account = (used_bytes, skipped_bytes);
        Ok(())
    }
}

//! A sink for tests that writes down what it receives, one record a line.

use crate::model::{
    CallRecord, Diagnostic, EventRecord, Facts, GraphPoint, LossRecord, NoteRecord, Sink, StackRecord, Stop,
};

/// Writes down what the reader hands on.
#[derive(Default)]
pub struct Log {
    pub text: String,
    pub accounted: (u64, u64),
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// ` of rt`, or nothing for the top buffer.
fn of_buffer(name: &[u8]) -> String {
    if name.is_empty() { String::new() } else { format!(" of {}", text(name)) }
}

fn point(at: &GraphPoint<'_>) -> String {
    let task = at.task.map_or(String::new(), |task| format!(" {}-{}", text(task.comm), task.pid.unwrap()));
    let buffer = of_buffer(at.buffer);
    format!("{}{buffer} [{}]{task} depth {:?}", at.ts.unwrap().0, at.cpu.unwrap(), at.depth)
}

impl Sink for Log {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.text += &format!("facts {:?} {:?} {:?}\n", facts.tracer, facts.time_unit, facts.time_origin);
        Ok(())
    }

    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop> {
        self.text += &format!("buffer {}\n", text(name));
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        let tgid = event.task.tgid.map_or(String::new(), |tgid| format!("({tgid})"));
        self.text += &format!(
            "{}{} [{}] {}-{}{tgid} {:x} {:?} {} | {}\n",
            event.ts.0,
            of_buffer(event.buffer),
            event.cpu,
            text(event.task.comm),
            event.task.pid.unwrap_or(i32::MIN),
            event.flags.0 & 0xf_ffff,
            event.kind,
            text(event.name),
            text(event.args)
        );
        Ok(())
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        self.text += &match *call {
            CallRecord::Enter { at, symbol, args } => {
                format!("enter {} {}({})\n", point(&at), text(symbol), text(args))
            }
            CallRecord::Exit { at, symbol, duration_ns, retval } => {
                let duration_ns = duration_ns.map(|duration| duration.0);
                format!("exit {} {:?} {duration_ns:?} {}\n", point(&at), symbol.map(text), text(retval))
            }
            CallRecord::Leaf { at, symbol, duration_ns, .. } => {
                let duration_ns = duration_ns.map(|duration| duration.0);
                format!("leaf {} {} {duration_ns:?}\n", point(&at), text(symbol))
            }
            CallRecord::Irq { at, enter } => format!("irq {} {enter}\n", point(&at)),
            CallRecord::Switch { at, prev, next } => format!(
                "switch {:?} [{}] {} => {}\n",
                at.ts.map(|ts| ts.0),
                at.cpu.unwrap(),
                prev.pid.unwrap(),
                next.pid.unwrap()
            ),
            CallRecord::Elided { at } => format!("elided {}\n", point(&at)),
        };
        Ok(())
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        let frames: Vec<_> = stack.frames.iter().map(|frame| text(frame)).collect();
        self.text += &format!("stack {:?} {:?} {frames:?}\n", stack.ts.map(|ts| ts.0), stack.kind);
        Ok(())
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        let (ts, buffer) = (loss.ts.map(|ts| ts.0), of_buffer(loss.buffer.unwrap_or_default()));
        self.text += &format!("loss cpu {:?}{buffer} before {ts:?} count {:?}\n", loss.cpu, loss.count);
        Ok(())
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.text += &format!("note at {:?}: {}\n", note.ts.map(|ts| ts.0), text(note.text));
        Ok(())
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        let line = diagnostic.place.line.unwrap_or_default();
        self.text += &format!("! {} x{} line {line}\n", diagnostic.code.name(), diagnostic.count);
        Ok(())
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.accounted = (used_bytes, skipped_bytes);
        Ok(())
    }
}

//! Text layouts: what tracefs and trace-cmd print, told apart line by line, because one file may hold several.

mod annotation;
mod blk_classic;
mod context;
mod derived_clock;
mod detect;
mod flag_word;
mod graph;
mod graph_call;
mod graph_lines;
#[cfg(test)]
mod graph_tests;
mod header;
mod indentation;
#[cfg(test)]
mod layout_tests;
mod mmiotrace;
mod other_lines;
mod payload;
mod pending;
mod raw;
pub mod reader;
#[cfg(test)]
mod reader_tests;
mod records;
mod report_graph;
mod scan;
mod tally;
#[cfg(test)]
mod test_log;
mod unfinished;

use super::{Access, Likeness, TraceFormat};
use crate::input::Input;
use crate::model::{Code, FailureClass, Limits, Place, ReadError, Sink};
use detect::Kind;

/// One of the text layouts. All are read by the same reader; they differ in what their head looks like.
pub struct TextFormat {
    kind: Kind,
    name: &'static str,
    title: &'static str,
}

/// The function graph tracer's own layout.
pub static FUNCTION_GRAPH: TextFormat =
    TextFormat { kind: Kind::Graph, name: "function_graph_text", title: "function_graph text (tracefs)" };
/// `latency-format`, and the latency tracers (irqsoff, preemptoff, wakeup ...), which always use it.
pub static LATENCY: TextFormat =
    TextFormat { kind: Kind::Latency, name: "latency_text", title: "latency-format text (tracefs)" };
/// `trace-cmd report`.
pub static REPORT: TextFormat =
    TextFormat { kind: Kind::Report, name: "report_text", title: "trace-cmd report text" };
/// The default layout of `trace`, `trace_pipe`, `snapshot` and `per_cpu/cpuN/trace`.
pub static TRACEFS: TextFormat =
    TextFormat { kind: Kind::Tracefs, name: "tracefs_text", title: "trace text (tracefs)" };
/// A page of Android's systrace, with trace text inside.
pub static SYSTRACE: TextFormat =
    TextFormat { kind: Kind::Systrace, name: "systrace_html", title: "page of systrace (HTML)" };

impl TraceFormat for TextFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn access(&self) -> Access {
        Access::Stream
    }

    fn likeness(&self, head: &[u8]) -> Likeness {
        detect::likeness(head, self.kind)
    }

    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), ReadError> {
        match input {
            Input::Stream(stream) => reader::read(stream, limits, sink),
            Input::Random(_) => {
                let code = Code::ReadFailed;
                Err(ReadError::new(FailureClass::Io, code, Place::default(), code.sentence()))
            }
        }
    }
}

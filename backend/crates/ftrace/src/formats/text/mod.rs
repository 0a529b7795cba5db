//! Text layouts: what tracefs and trace-cmd print, told apart line by line, because one file may hold several.

mod annotation;
mod as_printed;
#[cfg(test)]
mod as_printed_tests;
mod blk_classic;
mod chopped_lines;
mod clock_sync;
mod context;
mod cuts;
mod damage;
#[cfg(test)]
mod damage_tests;
mod derived_clock;
mod detect;
pub mod flag_word;
mod frame_addresses;
mod gaps;
mod glued;
mod graph;
mod graph_call;
mod graph_columns;
mod graph_lines;
#[cfg(test)]
mod graph_tests;
mod graph_times;
mod head_width;
mod header;
mod indentation;
mod joined;
mod known_fields;
#[cfg(test)]
mod layout_tests;
mod line_form;
mod losses;
mod mmiotrace;
mod odd_notes;
mod odd_values;
mod other_lines;
mod payload;
mod pending;
mod printed_fields;
mod printed_texts;
mod raw;
pub mod reader;
#[cfg(test)]
mod reader_tests;
mod records;
mod repeated;
mod report_graph;
mod sample_numbers;
mod scan;
mod section;
mod shapes;
mod signs;
mod stated;
mod suspicions;
mod tally;
mod task_names;
#[cfg(test)]
mod test_log;
mod time_steps;
mod unfinished;
mod unnamed;

use super::{Access, Likeness, TraceFormat};
use crate::input::Input;
use crate::model::{About, Code, FailureClass, Limits, Place, ReadError, Sink, Stop};
use detect::Kind;

/// One of the text layouts. All are read by the same reader; they differ in what their head looks like.
pub struct TextFormat {
    kind: Kind,
    name: &'static str,
    title: &'static str,
    about: About,
}

/// The function graph tracer's own layout.
pub static FUNCTION_GRAPH: TextFormat = TextFormat {
    kind: Kind::Graph,
    name: "function_graph_text",
    title: "function_graph text (tracefs)",
    about: About {
        recognised_by: "`0)   1.456 us    |  f();`, with any of its columns on or off; all off: its header",
        reads: "calls with arguments, return values and callers; interrupts; switches between tasks; events, stacks and functions between the calls",
        leaves_out: "marks of overhead (`+`, `!`), whose meaning changed with the kernel; counts of overruns",
    },
};
/// `latency-format`, and the latency tracers (irqsoff, preemptoff, wakeup ...), which always use it.
pub static LATENCY: TextFormat = TextFormat {
    kind: Kind::Latency,
    name: "latency_text",
    title: "latency-format text (tracefs)",
    about: About {
        recognised_by: "`bash-3917    0d..1.   20us+: f <-g`, or its verbose form",
        reads: "irqsoff, preemptoff, preemptirqsoff, wakeup, wakeup_rt and wakeup_dl: the header as facts and as a latency, functions, events, stacks; 4 to 7 flags",
        leaves_out: "the mark of the distance to the next line",
    },
};
/// `trace-cmd report`.
pub static REPORT: TextFormat = TextFormat {
    kind: Kind::Report,
    name: "report_text",
    title: "trace-cmd report text",
    about: About {
        recognised_by: "names padded to 20 columns (`sched_waking:         comm=...`), `cpus=2`",
        reads: "the output with -l, -t, -R, -N, -w, --ts-diff, --cpu, --debug, of several buffers or files; funcgraph_entry and funcgraph_exit as calls",
        leaves_out: "what -w and --debug add; --profile and --stat",
    },
};
/// The default layout of `trace`, `trace_pipe`, `snapshot` and `per_cpu/cpuN/trace`.
pub static TRACEFS: TextFormat = TextFormat {
    kind: Kind::Tracefs,
    name: "tracefs_text",
    title: "trace text (tracefs)",
    about: About {
        recognised_by: "`bash-175     [001] d.s4.   166.724421: sched_wakeup: comm=k pid=9`, or the header of a tracer",
        reads: "`trace`, `trace_pipe`, snapshots, per-CPU files and atrace, of kernels since 2.6.27 and PREEMPT_RT; all events, prints, kernel and user stacks; function, hwlat, osnoise, timerlat, blk, branch, mmiotrace; any clock; text with the raw, hex, bin, fields, sym-*, record-tgid and verbose options",
        leaves_out: "events without a time (nocontext-info, printk-msg-only); the fields of events that raw, hex and bin print as numbers",
    },
};
/// A page of Android's systrace, with trace text inside.
pub static SYSTRACE: TextFormat = TextFormat {
    kind: Kind::Systrace,
    name: "systrace_html",
    title: "page of systrace (HTML)",
    about: About {
        recognised_by: "a page that names `linuxPerfData` or `trace-data`",
        reads: "the trace text, from the string of old pages or the blocks of new ones; the clock sync line behind it, as a fact",
        leaves_out: "the viewer, and the blocks of other agents (JSON, lists of processes)",
    },
};

impl TraceFormat for TextFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn about(&self) -> About {
        self.about
    }

    fn access(&self) -> Access {
        Access::Stream
    }

    fn likeness(&self, head: &[u8]) -> Likeness {
        detect::likeness(head, self.kind)
    }

    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop> {
        match input {
            Input::Stream(stream) => reader::read(stream, limits, sink),
            Input::Broken(stream, gaps) => reader::read_broken(stream, gaps, limits, sink),
            Input::Random(_) => {
                let code = Code::ReadFailed;
                Err(ReadError::new(FailureClass::Io, code, Place::default(), code.sentence()).into())
            }
        }
    }
}

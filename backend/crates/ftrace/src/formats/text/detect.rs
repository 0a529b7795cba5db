//! Which text layout the head of a file is, if any.

use super::super::Likeness;
use super::context::{self, Layout};
use super::graph::{self, Graph};
use super::{blk_classic, header, mmiotrace, scan};
use crate::input::clean::{Cleaned, Cleaner};
use crate::input::lines::LineReader;
use crate::input::page;
use crate::model::{Facts, Place};

/// Lines looked at.
const LINES: usize = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tracefs,
    Latency,
    Graph,
    Report,
    /// Any of them inside a page of systrace.
    Systrace,
}

/// What the head's lines are.
#[derive(Debug, Default)]
struct Census {
    default: u32,
    latency: u32,
    graph: u32,
    /// `NAME:` padded to a column, `cpus=2`: only trace-cmd report prints these.
    report: u32,
    /// Of the last header, `# tracer: nop`.
    tracer: Option<String>,
    /// Headers of tracers other than function_graph.
    other_tracers: u32,
    other: u32,
}

/// How much `head` looks like layout `kind`.
///
/// A file may mix layouts and prose, so the most frequent one names it and a single good line is enough.
pub fn likeness(head: &[u8], kind: Kind) -> Likeness {
    let mut stream = head;
    let Ok(lines) = LineReader::new(&mut stream, 64 << 10) else { return Likeness::No };
    if page::is_page(lines.head()) {
        let is_own = kind == Kind::Systrace && page::is_systrace(lines.head());
        return if is_own { Likeness::Sure } else { Likeness::No };
    }
    if is_json(lines.head()) {
        return Likeness::No;
    }
    let census = census(lines);
    let (seen, is_own_header) = match kind {
        Kind::Graph => (census.graph, census.tracer.as_deref() == Some("function_graph")),
        Kind::Latency => (census.latency, false),
        Kind::Report => (if census.report > 0 { census.default.max(1) } else { 0 }, false),
        Kind::Tracefs => (
            if census.report > 0 { 0 } else { census.default },
            census.report == 0 && census.tracer.as_deref().is_some_and(|tracer| tracer != "function_graph"),
        ),
        Kind::Systrace => (0, false),
    };
    let most = census.graph.max(census.latency).max(census.default);
    // Of as many lines of each, the rarer layout names the file.
    let rarer = match kind {
        Kind::Latency => census.graph,
        Kind::Report | Kind::Tracefs => census.graph.max(census.latency),
        Kind::Graph | Kind::Systrace => 0,
    };
    let is_named = seen == 0 && most == 0 && is_own_header;
    if is_named {
        return Likeness::Sure;
    }
    // Events and stacks may come between the calls of a graph, and outnumber them.
    let is_graph =
        census.graph > 0 && census.other_tracers == 0 && census.tracer.as_deref() == Some("function_graph");
    match seen {
        0 => Likeness::No,
        _ if is_graph => {
            if kind == Kind::Graph {
                Likeness::Sure
            } else {
                Likeness::Maybe
            }
        }
        _ if seen < most || seen <= rarer => Likeness::Maybe,
        _ if census.tracer.is_some() || census.report > 0 || seen >= census.other => Likeness::Sure,
        _ => Likeness::Maybe,
    }
}

/// JSON may quote trace lines, but is not read.
fn is_json(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    start.starts_with(b"{\"") || start.starts_with(b"[{")
}

fn census(mut lines: LineReader<'_>) -> Census {
    let mut census = Census::default();
    let mut cleaner = Cleaner::for_head(lines.head());
    let mut facts = Facts::default();
    let mut count = 0_usize;
    while let Ok(Some(line)) = lines.next_line() {
        count = count.saturating_add(1);
        if count > LINES {
            break;
        }
        if let Cleaned::Line(text, _) = cleaner.clean(line.text, Place::default()) {
            census.count(text, &mut facts);
        }
    }
    census.tracer = facts.tracer;
    census
}

impl Census {
    fn count(&mut self, text: &[u8], facts: &mut Facts) {
        if let Some(context) = context::parse(text) {
            // report -l looks like the latency layout.
            let is_report = is_report_payload(context.payload);
            self.report = self.report.saturating_add(u32::from(is_report));
            match context.layout {
                Layout::Latency if !is_report => self.latency = self.latency.saturating_add(1),
                _ => self.default = self.default.saturating_add(1),
            }
            return;
        }
        let trimmed = scan::trim(text);
        if matches!(graph::parse(text), Graph::Line(_)) || graph::banner(text).is_some() {
            self.graph = self.graph.saturating_add(1);
        } else if blk_classic::parse(text).is_some() || mmiotrace::is_line(trimmed) {
            self.default = self.default.saturating_add(1);
        } else if context::parse_verbose(text).is_some() {
            self.latency = self.latency.saturating_add(1);
        } else if header::read(trimmed, facts) {
            self.report = self.report.saturating_add(u32::from(trimmed.starts_with(b"cpus=")));
            let is_other = trimmed.starts_with(b"# tracer: ") && !trimmed.ends_with(b" function_graph");
            self.other_tracers = self.other_tracers.saturating_add(u32::from(is_other));
        } else if !trimmed.is_empty() {
            self.other = self.other.saturating_add(1);
        }
    }
}

/// trace-cmd pads the name to 20 columns: `sched_waking:         comm=...`
fn is_report_payload(payload: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', payload) else { return false };
    let behind = payload.get(colon.saturating_add(1)..).unwrap_or_default();
    (4..20).contains(&colon)
        && behind.starts_with(b"  ")
        && !payload.starts_with(b"tracing_mark_write")
        && !payload.get(..colon).is_some_and(|name| name.ends_with(b"_noise"))
        || payload.starts_with(b"funcgraph_e")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Graph, Latency, Report, Tracefs};

    fn check(head: &str, expected: Option<Kind>) {
        let best = [Graph, Latency, Report, Tracefs]
            .into_iter()
            .map(|kind| (likeness(head.as_bytes(), kind), kind))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .filter(|(likeness, _)| *likeness > Likeness::No)
            .map(|(_, kind)| kind);
        assert_eq!(best, expected, "{head}");
    }

    #[test]
    fn each_layout_is_told_by_a_line() {
        check("       bash-175     [001] d.s4.   166.724421: sched_wakeup: comm=k pid=9\n", Some(Tracefs));
        check("      dd-191       0d.h..    3us : hrtimer_interrupt <-f\n", Some(Latency));
        check(" 0)               |  f() {\n", Some(Graph));
        check("cpus=2\n   bash-1  [000]  1.000001: sched_waking:         comm=k pid=9\n", Some(Report));
        check("      ls-4734    2d..1 106439.675571: bprint:               f: x\n", Some(Report));
    }

    #[test]
    fn a_header_alone_is_enough() {
        check("# tracer: nop\n#\n", Some(Tracefs));
        check("# tracer: function_graph\n#\n", Some(Graph));
    }

    #[test]
    fn other_text_is_no_layout() {
        check("lorem ipsum\n", None);
        check("", None);
        check("<!DOCTYPE html>\n       bash-175     [001] d.s4.   166.724421: a: b\n", None);
        check("{\"traceEvents\": []}", None);
        check("cyclictest  1234 [000]   100.000001:       sched:sched_switch: prev_comm=c\n", None);
    }
}

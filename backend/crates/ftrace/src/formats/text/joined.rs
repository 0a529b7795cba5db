//! Texts of several recordings in one file.
//!
//! A recording is printed by one kernel, or one trace-cmd, with the same options from its first line to its last. A line
//! with other columns is of another recording, or was damaged where its columns are.

use super::context::{Columns, Layout};
use super::graph::GraphLine;
use super::payload;

/// The part of a line before its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Printed {
    Record(Layout, Columns),
    /// Its columns, and whether times count from the start of a latency.
    Graph(&'static [u8], bool),
}

/// The columns of the lines so far.
#[derive(Debug, Default)]
pub struct Joined {
    last: Option<Printed>,
    /// Whether the names of events are padded, as trace-cmd prints them.
    is_padded: Option<bool>,
}

impl Joined {
    /// True where a record has other columns than the line before.
    pub fn is_other_record(&mut self, layout: Layout, columns: Columns) -> bool {
        self.is_other(Printed::Record(layout, columns))
    }

    /// Below a header of the kernel, which pads no names.
    pub fn begin_tracefs(&mut self) {
        self.is_padded = Some(false);
    }

    /// Below a header of trace-cmd report, which pads all names.
    pub fn begin_report(&mut self) {
        self.is_padded = Some(true);
    }

    /// True where the name of an event is padded and the last one was not, or the other way round.
    pub fn is_other_name(&mut self, payload: &[u8], name: &[u8]) -> bool {
        let Some(is_padded) = padding(payload, name) else { return false };
        self.is_padded.replace(is_padded).is_some_and(|last| last != is_padded)
    }

    /// The same of a line of a call graph.
    pub fn is_other_graph(&mut self, line: &GraphLine<'_>) -> bool {
        self.is_other(Printed::Graph(line.columns(), line.is_relative))
    }

    /// True where lines were seen since a recording began.
    pub fn has_lines(&self) -> bool {
        self.last.is_some()
    }

    /// Another recording begins: what it looks like is its own.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    fn is_other(&mut self, printed: Printed) -> bool {
        self.last.replace(printed).is_some_and(|last| last != printed)
    }
}

/// Whether the name of an event is padded; `None` where it is too long to decide, or the line is of neither kind.
fn padding(payload: &[u8], name: &[u8]) -> Option<bool> {
    /// trace-cmd pads to one column more.
    const MAX_NAME_BYTES: usize = 18;
    let args = payload.strip_prefix(name)?.strip_prefix(b": ")?;
    let is_plain = args.first().is_some_and(|byte| *byte != b' ');
    match payload::is_padded(payload, name) {
        _ if name.len() > MAX_NAME_BYTES => None,
        true => Some(true),
        false => is_plain.then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader;
    use super::super::test_log::Log;
    use crate::model::Limits;

    const TRACE: &str = "# tracer: nop\n            bash-175     [001] d..2.     1.000001: x: a=1\n";
    const REPORT: &str = "cpus=2\n            bash-175   [001]     1.000001: x:                    a=1\n";
    const GRAPH: &str = " 0)   0.153 us    |  f();\n";

    /// How often the reader says so.
    fn count(text: &str) -> usize {
        let mut log = Log::default();
        reader::read(&mut text.as_bytes(), &Limits::default(), &mut log).unwrap();
        log.text.matches("! several_recordings x1").count()
    }

    #[test]
    fn one_recording_has_one_header_and_the_same_columns() {
        let more = "    kworker/u4:1-9       [000] .....    17.000001: y: b=1\n";
        let stack = "            bash-175     [001] d..2.     1.000001: <stack trace>\n => schedule\n";
        for one in [&format!("{TRACE}{more}"), TRACE, REPORT, &GRAPH.repeat(2), &format!("{GRAPH}{stack}")] {
            assert_eq!(count(one), 0, "{one}");
        }
        // perf-tools prints the header of the empty buffer first.
        assert_eq!(count(&format!("# tracer: nop\n{TRACE}")), 0);
    }

    #[test]
    fn a_second_one_has_a_header_or_other_columns() {
        let (_, headless) = TRACE.split_once('\n').unwrap();
        let latency = "    bash-175       1d..2.  345us : x: a=1\n";
        for second in [TRACE, REPORT, GRAPH, latency, "cpus=2\n"] {
            assert_eq!(count(&format!("{TRACE}{second}")), 1, "{second}");
        }
        for changed in [("d..2.", "d..2"), ("d..2. ", ""), ("1.000001", "1.00001"), ("[001]", "(175) [001]")]
        {
            let line = headless.replace(changed.0, changed.1);
            assert_eq!(count(&format!("{TRACE}{line}{headless}")), 2, "{line}");
        }
        let padded = headless.replace("x: a", "x:                    a");
        assert_eq!(count(&format!("{TRACE}{padded}")), 1);
        assert_eq!(count(&format!("# tracer: timerlat\n{padded}{padded}")), 1);
        assert_eq!(count(&format!("{padded}{padded}{headless}{headless}")), 1);
        assert_eq!(count(&format!("cpus=2\n{headless}{headless}")), 1);
        let call = "   0)    bash-52     |  dNs5. |   1.572 us    |  f();\n";
        let (relative, absolute) = (format!("        6 us |{call}"), format!("    0.000006 |{call}"));
        assert_eq!(count(&format!("{relative}{relative}")), 0);
        assert_eq!(count(&format!("{absolute}{relative}{absolute}")), 2);
    }
}

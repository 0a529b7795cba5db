//! Whether the lines of a graph follow one another in time.

use std::collections::BTreeMap;

use super::graph::GraphLine;
use super::graph_call::GraphCall;
use crate::model::{Ns, Timestamp};

/// Printed times are cut to a microsecond.
const STEP: Ns = Ns(1_000);

/// The latest printed time of each CPU.
#[derive(Debug, Default)]
pub struct GraphTimes {
    latest: BTreeMap<u16, Timestamp>,
}

impl GraphTimes {
    /// Takes a line of `cpu`; true where it cannot follow those before it.
    ///
    /// A call that calls nothing is printed once it is over, so it stands behind what interrupted it and ended after
    /// that (`print_graph_entry` in kernel/trace/trace_functions_graph.c).
    pub fn is_before_others(&mut self, cpu: u16, line: &GraphLine<'_>) -> bool {
        let Some(time) = line.time else { return false };
        let latest = self.latest.entry(cpu).or_insert(time);
        *latest = time.max(*latest);
        match line.call {
            GraphCall::Enter { .. } | GraphCall::Exit { .. } => time < *latest,
            GraphCall::Leaf { .. } => {
                line.duration_ns.is_some_and(|duration_ns| time + Ns(duration_ns) + STEP < *latest)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Graph, parse};
    use super::*;

    const LINES: &[&str] = &[
        "     0.000001 |   0)               |  a() {",
        "     0.000011 |   0)               |    b() {",
        "     0.000021 |   0)   1.000 us    |      c();",
        "     0.000031 |   0) + 20.000 us   |    } /* b */",
        "     0.000041 |   0)   0.500 us    |    d();",
        "     0.000051 |   0) + 50.000 us   |  } /* a */",
    ];

    fn is_in_order(lines: &[&str]) -> bool {
        let mut times = GraphTimes::default();
        lines.iter().all(|text| match parse(text.as_bytes()) {
            Graph::Line(line) => !times.is_before_others(0, &line),
            _ => panic!("{text}"),
        })
    }

    #[test]
    fn two_lines_that_were_exchanged_are_seen() {
        assert!(is_in_order(LINES));
        for (number, line) in LINES.iter().enumerate() {
            for other in number + 1..LINES.len() {
                let mut lines = LINES.to_vec();
                lines[number] = LINES[other];
                lines[other] = line;
                assert!(!is_in_order(&lines), "{number} and {other}");
            }
        }
    }

    #[test]
    fn a_leaf_may_follow_what_interrupted_it() {
        let interrupted = "     0.000021 |   0) + 25.000 us   |    e();";
        assert!(is_in_order(&[LINES[0], LINES[4], interrupted, LINES[5]]));
    }
}

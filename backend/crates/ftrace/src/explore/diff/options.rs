//! Tracer options that differ between two recordings.

use std::collections::BTreeSet;

use super::guard::Difference;
use super::side::Recording;
use crate::diff::Sides;

/// Facts of a trace that are options of its tracer begin with one of these.
const OPTION_FACTS: &[&str] = &["option", "trace_option", "funcgraph", "graph_", "set_graph", "max_graph"];
const FUNCTION_GRAPH: &str = "function_graph";

/// Each known option that differs; if none is known, that function_graph does not record them.
pub fn options(traces: Sides<&Recording>) -> Vec<Difference> {
    let is_option = |name: &&String| OPTION_FACTS.iter().any(|prefix| name.starts_with(prefix));
    let names = traces.into_iter().flat_map(|trace| trace.facts.keys());
    let known: BTreeSet<&String> = names.filter(is_option).collect();
    if known.is_empty() {
        return unknown(traces).into_iter().collect();
    }
    known.into_iter().filter_map(|name| differing(name, traces)).collect()
}

fn differing(name: &str, traces: Sides<&Recording>) -> Option<Difference> {
    let values = traces.map(|trace| {
        let value = trace.facts.get(name)?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    (values.abnormal != values.normal).then(|| {
        let said = values.as_ref().map(|value| value.as_deref().unwrap_or("unknown"));
        let sentence = format!(
            "The tracer's options differ ({name}: {} and {}), so one recording may leave out what the other shows.",
            said.abnormal, said.normal
        );
        let is_doubtful = values.as_ref().into_iter().all(Option::is_some);
        Difference { name: "options", values, is_doubtful, sentence }
    })
}

fn unknown(traces: Sides<&Recording>) -> Option<Difference> {
    let is_graph = |trace: &Recording| trace.tracer.as_deref() == Some(FUNCTION_GRAPH);
    traces.into_iter().all(is_graph).then(|| Difference {
        name: "options",
        values: Sides::default(),
        is_doubtful: false,
        sentence:
            "Neither recording names its options of function_graph (set_graph_function, max_graph_depth, \
                   funcgraph-irqs, sleep-time, graph-time): if they differ, calls are missing or take longer."
                .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(abnormal: &str, normal: &str, expected: &[&str]) {
        let traces =
            Sides { abnormal, normal }.map(|json| -> Recording { serde_json::from_str(json).unwrap() });
        let found = options(traces.as_ref());
        let told: Vec<String> = found
            .iter()
            .map(|one| {
                let doubt = if one.is_doubtful { "!" } else { "" };
                format!("{doubt}{:?} {:?} {}", one.values.abnormal, one.values.normal, one.sentence)
            })
            .collect();
        assert_eq!(told.len(), expected.len(), "{told:?}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn options_that_are_known_are_compared() {
        check(
            r#"{"facts":{"option_funcgraph-irqs":"1","option_x":"1"}}"#,
            r#"{"facts":{"option_funcgraph-irqs":"0","option_x":"1","page_size_bytes":"4096"}}"#,
            &["!Some(\"1\") Some(\"0\") The tracer's options differ (option_funcgraph-irqs: 1 and 0)"],
        );
        check(
            r#"{"facts":{"max_graph_depth":2}}"#,
            r#"{"tracer":"function_graph"}"#,
            &["Some(\"2\") None The tracer's options differ (max_graph_depth: 2 and unknown)"],
        );
    }

    #[test]
    fn recordings_of_the_graph_tracer_hide_theirs() {
        let graph = r#"{"tracer":"function_graph"}"#;
        check(graph, graph, &["None None Neither recording names its options of function_graph"]);
        check(graph, r#"{"tracer":"nop"}"#, &[]);
    }
}

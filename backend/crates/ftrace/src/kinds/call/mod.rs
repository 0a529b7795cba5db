//! Function calls as slices.

mod measure;
mod path;

use crate::analyses::{AnalysisEntry, Cause, LatencyKind, Lateness, SampleSource, Subject};
use crate::explain::headline::Findings;
use crate::explain::span::Span;
use crate::explain::{Case, Kind, Surroundings, Way, context, phrases, words};

#[derive(Debug)]
pub struct Call;

impl Kind for Call {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn why_unprofiled(&self) -> Option<&'static str> {
        Some(
            "its causes are functions, which differ from call to call; compare a slow call with a normal one instead",
        )
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        let function = match phrases::key(case) {
            phrases::UNKNOWN_FUNCTION => "An unknown function",
            function => function,
        };
        format!("{function} on CPU {} took {}", case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Reported
    }

    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        let case = findings.case;
        let largest = findings.blame.first()?;
        let time = words::time(largest.duration_ns);
        let idle_ns = findings.total(Cause::Idle);
        // The idle task has nothing else to do, and is not switched out for it.
        let is_of_idle_task = findings.around.is_idle_task(case.task_idx);
        if is_of_idle_task && case.is_most(idle_ns) {
            return Some(format!("the CPU was idle for {}", words::time(idle_ns)));
        }
        let away_ns = findings.total(Cause::Task).saturating_add(if is_of_idle_task { 0 } else { idle_ns });
        if case.is_most(away_ns) {
            return Some(format!("its task was switched out for {}", words::time(away_ns)));
        }
        let slept_ns = path::away_ns(case, findings.around);
        if case.is_most(slept_ns) {
            return Some(format!("its task was switched out for {}", words::time(slept_ns)));
        }
        let is_whole = largest.cause == Cause::Itself && largest.duration_ns >= case.duration_ns;
        if !is_whole && !case.is_most(largest.duration_ns) {
            // Of many small parts the largest says little: whose parts they are says more.
            return path::clause(case, findings.around);
        }
        match (largest.cause, &largest.function) {
            (Cause::Itself, _) if largest.duration_ns >= case.duration_ns => None,
            (Cause::Itself, _) if case.key == Some(&largest.what) => {
                Some(format!("{time} in itself, outside the recorded calls"))
            }
            (Cause::Itself, _) => Some(format!("{time} in {}", largest.what)),
            (_, Some((name, ns))) if case.key != Some(name) && findings.is_much(*ns) => {
                Some(format!("{} in {name}", words::time(*ns)))
            }
            _ => None,
        }
    }

    fn records<'a>(&self, case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Vec<(Option<Cause>, Span<'a>)> {
        context::by_calls(case, around)
    }

    /// A call is what its task did, whether the task's switches are recorded or not.
    fn unrecorded(&self) -> Cause {
        Cause::Itself
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 12,
    name: "call",
    title: "Call duration",
    definition: "From the entry to the exit of a function that no other traced function called.",
    note: "From function_graph. A recording made with `tracing_thresh`, which has no entries, has the durations that the kernel measured.",
    source: SampleSource::RootCalls,
    subject: Subject::Task,
    key_name: Some("function"),
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "calls",
        title: "Function calls",
        needs: &[&["function_graph tracer"]],
        roles: &[],
        start: measure::start,
    },
};

//! Function calls as slices.

mod measure;

use crate::analyses::{AnalysisEntry, Cause, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::explain::blame::Blame;
use crate::explain::headline::Findings;
use crate::explain::span::Span;
use crate::explain::{Case, Kind, Surroundings, Way, call_parts, context, phrases, words};

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
        let idle_ns = findings.total(Cause::Idle);
        // The idle task has nothing else to do, and is not switched out for it.
        let is_of_idle_task = findings.around.is_idle_task(case.task_idx);
        if is_of_idle_task && case.is_most(idle_ns) {
            return Some(format!("the CPU was idle for {}", words::time(idle_ns)));
        }
        let others_ns = findings.total(Cause::Task).saturating_add(if is_of_idle_task { 0 } else { idle_ns });
        let slept = call_parts::away(case, findings.around);
        // Where others are recorded meanwhile, they say it better than the scheduler's functions do.
        let away_ns = if case.is_most(others_ns) { others_ns } else { others_ns.max(slept.total_ns) };
        let away = format!("its task was switched out for {}", words::time(away_ns));
        if case.is_most(away_ns) {
            return Some(away);
        }
        let is_own = largest.cause == Cause::Itself && case.key == Some(&largest.what);
        // The time of others is none of its own already.
        let unseen_ns = slept.own_ns.saturating_sub(others_ns).max(0);
        let own_ns = own_ns(findings).saturating_sub(unseen_ns).max(0);
        let largest_ns = if is_own { own_ns } else { largest.duration_ns };
        if !case.is_most(largest_ns) {
            // Of many small parts the largest says little: whose parts they are says more.
            let path = call_parts::most(case, findings.around)?;
            return Some(match () {
                () if path.is_most || path.duration_ns >= own_ns.max(away_ns) => path.text,
                () if away_ns >= own_ns => away,
                () => format!("most of all {}", in_itself(own_ns)),
            });
        }
        let time = words::time(largest_ns);
        match (largest.cause, &largest.function) {
            (Cause::Itself, _) if largest.duration_ns >= case.duration_ns || calls_nothing(findings) => {
                let usual = call_parts::normally(case, findings.around)?;
                Some(format!("it called no other recorded function{usual}"))
            }
            (Cause::Itself, _) if is_own => {
                let callee = call_parts::largest_callee(case, findings.around);
                let beside = callee.map_or_else(String::new, |callee| format!(", and {callee}"));
                Some(format!("{}{beside}", in_itself(own_ns)))
            }
            (Cause::Itself, _) => {
                let path = call_parts::most(case, findings.around).filter(|path| path.is_most);
                Some(path.map_or_else(|| format!("{time} in {}", largest.what), |path| path.text))
            }
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

/// What the call spent in none of the calls that were recorded in it.
fn own_ns(findings: &Findings<'_, '_>) -> i64 {
    let is_own = |row: &&Blame<'_>| row.cause == Cause::Itself && findings.case.key == Some(&row.what);
    findings.blame.iter().filter(is_own).map(|row| row.duration_ns).fold(0, i64::saturating_add)
}

/// True where none of the recorded calls lies in the call. The stamps of calls may be coarser than their durations, so that
/// the one behind it seems to begin in it.
fn calls_nothing(findings: &Findings<'_, '_>) -> bool {
    let case = findings.case;
    let (start_ns, end_ns) = (case.start_ns, case.end_ns());
    let is_inside = |span: &&Span<'_>| {
        let is_case = (span.start_ns, span.end_ns) == (start_ns, end_ns);
        span.kind == SliceKind::Call
            && span.cpu == case.cpu
            && !is_case
            && start_ns <= span.start_ns
            && span.end_ns <= end_ns
    };
    !findings.around.spans.iter().any(|span| is_inside(&span))
}

fn in_itself(duration_ns: i64) -> String {
    format!("{} in itself, outside the recorded calls", words::time(duration_ns))
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

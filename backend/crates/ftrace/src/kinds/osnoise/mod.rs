//! What the osnoise tracer reports for each of its periods.

mod line;
mod measure;

use crate::analyses::{AnalysisEntry, Cause, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Blame, Case, Kind, Parts, Surroundings, Way};

#[derive(Debug)]
pub struct Osnoise;

impl Kind for Osnoise {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn why_unprofiled(&self) -> Option<&'static str> {
        Some(
            "a record holds the sum of a period and counts of interruptions, not their times; each case adds up the noise \
              around it",
        )
    }

    fn is_stated(&self) -> bool {
        true
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        line::event(case, around)
    }

    fn way(&self) -> Way {
        Way::Reported
    }

    fn needs_events(&self) -> bool {
        true
    }

    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        let largest = findings.blame.first()?;
        // What is not recorded says nothing, though it may be more.
        let told = findings.blame.iter().find(|row| row.cause != Cause::Unknown);
        let told =
            told.filter(|row| row.duration_ns == largest.duration_ns || findings.is_much(row.duration_ns));
        let Some(told) = told else { return findings.parts.clause.clone() };
        let own =
            (told.cause == Cause::Gap).then(|| line::own_loop(findings.case, findings.around)).flatten();
        own.or_else(|| findings.several_tasks()).or_else(|| Some(findings.clause(told)))
    }

    fn parts(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
        line::parts(case, around)
    }

    fn blame<'a>(&self, case: &Case<'a>, around: &Surroundings<'_, 'a>) -> Option<Vec<Blame<'a>>> {
        line::blame(case, around)
    }

    /// The thread that measures is no noise.
    fn is_of_task(&self) -> bool {
        true
    }

    /// A period is a second by default, and a little more.
    fn reach_ns(&self) -> i64 {
        1_100_000_000
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 14,
    name: "osnoise",
    title: "OS noise",
    definition: "The noise of one sampling period of the osnoise tracer, summed up, as the tracer reports it.",
    note: "With the [tracer's own parts](#tracer-parts).",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "osnoise",
        title: "Noise as the osnoise tracer reports it",
        needs: &[&["osnoise"]],
        roles: &[Role::Osnoise],
        start: measure::start,
    },
};

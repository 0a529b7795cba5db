//! What another program measured, uploaded as the file that it wrote.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Case, Kind, Surroundings, Way, words};

#[derive(Debug)]
pub struct Measured;

impl Kind for Measured {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn why_unprofiled(&self) -> Option<&'static str> {
        Some("the program's file holds durations and no causes")
    }

    fn is_stated(&self) -> bool {
        true
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("{} measured {}", case.key.unwrap_or("A program"), words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Reported
    }

    fn cause(&self, _findings: &Findings<'_, '_>) -> Option<String> {
        None
    }

    /// Its file holds nothing but measurements.
    fn counts(&self, _slice: SliceKind) -> bool {
        false
    }

    fn is_wait(&self) -> bool {
        false
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 18,
    name: "measured",
    title: "Measured by another program",
    definition: "What cyclictest, rtla, ftq and others print: each value as often as it was measured.",
    note: "From a [file of measurements](measurements.md). A bar of a histogram is one sample that counts as often as the bar says. FTQ counts are numbers without a unit of time.",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: Some("source"),
    lateness: Lateness::Measured,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "measured",
        title: "Latency as a program measured it",
        needs: &[],
        roles: &[Role::Measurement],
        start: measure::start,
    },
};

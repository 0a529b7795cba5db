//! What the hwlat tracer reports: time that went missing while nothing else could run.

mod line;
mod measure;

use crate::analyses::{AnalysisEntry, Cause, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Case, Kind, Parts, Surroundings, Way, words};

#[derive(Debug)]
pub struct Hwlat;

impl Kind for Hwlat {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn why_unprofiled(&self) -> Option<&'static str> {
        Some("its only cause is hardware or a hypervisor, which the record states")
    }

    fn is_stated(&self) -> bool {
        true
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("Hardware or a hypervisor held CPU {} for {}", case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Reported
    }

    fn cause(&self, _findings: &Findings<'_, '_>) -> Option<String> {
        None
    }

    fn parts(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
        line::parts(case, around)
    }

    /// The tracer finds the time missing with interrupts off.
    fn unrecorded(&self) -> Cause {
        Cause::Gap
    }

    fn counts(&self, slice: SliceKind) -> bool {
        slice == SliceKind::Noise
    }

    fn is_wait(&self) -> bool {
        false
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 15,
    name: "hwlat",
    title: "Hardware latency",
    definition: "The longest time between two readings of the clock with interrupts off in one window, as the hwlat tracer reports it.",
    note: "With the [tracer's own parts](#tracer-parts).",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "hwlat",
        title: "Hardware latency as the hwlat tracer reports it",
        needs: &[&["hwlat"]],
        roles: &[Role::Hwlat],
        start: measure::start,
    },
};

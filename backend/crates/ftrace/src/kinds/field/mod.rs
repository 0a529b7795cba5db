//! Durations that events state in their fields: those of unknown probes, and the
//! scheduler's and the block layer's statistics.

mod measure;

use crate::analyses::{AnalysisEntry, Cause, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

/// Names of fields that say how late something was.
const LATE_FIELDS: &[&str] = &["delta", "delay", "late", "lateness", "latency", "lat"];

/// The scheduler's accounts of what tasks do of their own will: they run, sleep, or wait for what they asked for.
/// Nobody is late for it; `field=` reads them like any other field. `sched_stat_wait` is about waiting for a CPU.
/// Source: include/trace/events/sched.h, Linux 6.12.
const VOLUNTARY: &[&str] =
    &["sched_stat_runtime", "sched_stat_sleep", "sched_stat_iowait", "sched_stat_blocked"];

/// The one that is a latency, of the task that its arguments name.
const WAIT: &str = "sched_stat_wait";

#[derive(Debug)]
pub struct Field;

impl Kind for Field {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn is_stated(&self) -> bool {
        true
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let (key, cpu, time) = (phrases::key(case), case.cpu, words::time(case.duration_ns));
        if key.starts_with(WAIT) {
            return format!("{} waited {time} for CPU {cpu} ({WAIT})", phrases::subject(case, around));
        }
        match key.rsplit_once('.') {
            // `hrtimer_cb.delta` is how late hrtimer_cb was.
            Some((event, field)) if LATE_FIELDS.contains(&field) && !VOLUNTARY.contains(&event) => {
                format!("{event} on CPU {cpu} was {time} late")
            }
            _ => format!("{key} on CPU {cpu} was {time}"),
        }
    }

    /// Of a section that took most of it, the whole length says more than its share.
    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        let largest = findings.blame.first().filter(|largest| findings.is_most(largest.duration_ns));
        match largest.map(|largest| largest.cause) {
            Some(Cause::Irqsoff | Cause::Preemptoff) => findings.largest_cause(),
            _ => findings.usual_cause(),
        }
    }

    fn way(&self) -> Way {
        Way::Stated
    }
}

/// The one whose samples can also be read from events, which requests name by a field.
pub static KIND: LatencyKind = LatencyKind {
    code: 16,
    name: "field",
    title: "Durations in fields",
    definition: "A duration that an event states in one of its fields; it ends at the event.",
    note: "Any other field that holds a number is a series, too: see [Fields](#fields). Time that tasks spend voluntarily is a series, but no latency: `sched_stat_runtime`, `sched_stat_sleep`, `sched_stat_iowait`, `sched_stat_blocked`.",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: Some("field"),
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "field",
        title: "Durations that events state",
        needs: &[],
        roles: &[Role::Other],
        start: measure::start,
    },
};

//! Timer lateness: from the expiry that was asked for to the interrupt that noticed it.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::stages::{Events, Mark, Steps};
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Timer;

impl Kind for Timer {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("{} on CPU {} ran {} late", phrases::key(case), case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Timer
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        let case = events.case;
        let handler = events.before(None, |event| {
            event.t_ns == case.end_ns() && event.cpu == case.cpu && events.is_timer_handler(event)
        });
        let entry = handler.and_then(|handler| events.entry_around(handler));
        Some(Steps {
            first: Mark::Expiry,
            middle: entry.map(|entry| (Mark::InterruptEntry, entry)).into_iter().collect(),
            last: (Mark::Handler, handler),
        })
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 1,
    name: "timer",
    title: "Timer lateness",
    definition: "From the expiry that hrtimer_start programs to the time that hrtimer_expire_entry states, both on the timer's own clock.",
    note: "`now - expires`, both from the events' own fields: exact even where the trace clock is coarse. Timer slack, which real-time tasks do not have, is not lateness: an expiry between `softexpires` and `expires` is counted as `early`. The first sleeps of a new task that began after they were due are flagged `starting`, and come last among the worst.",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: Some("timer"),
    lateness: Lateness::Late,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "timer",
        title: "Timer lateness",
        needs: &[&["hrtimer_start", "hrtimer_expire_entry"]],
        roles: &[Role::HrtimerStart, Role::HrtimerExpireEntry, Role::SchedWaking, Role::SchedWakeup],
        start: measure::start,
    },
};

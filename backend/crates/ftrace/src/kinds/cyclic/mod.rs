//! Cyclic latency: from the expiry that a sleeper asked for to the sleeper being back. It is the number
//! that cyclictest reports, rebuilt from events.

mod handlers;
mod measure;
mod sleeper;
mod stages;
#[cfg(test)]
mod tests;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleFlags, SampleSource, Subject};
use crate::events::Role;
use crate::explain::stages::{Events, Steps};
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Cyclic;

impl Kind for Cyclic {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let task = phrases::subject(case, around);
        let at_least = if case.flags.has(SampleFlags::AT_LEAST) { "at least " } else { "" };
        format!("{task} on CPU {} woke {at_least}{} late", case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Sleeper
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        Some(stages::steps(events))
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 2,
    name: "cyclic",
    title: "Cyclic latency",
    definition: "From the expiry that a sleeping task programmed to the return of its system call, or to the switch to the task if its system calls are not recorded.",
    note: "The latency that cyclictest reports, rebuilt from events. Without system calls it is flagged `ends_at_switch`. A task that its timer finds still running never slept, so no switch shows when it was back: unless the return of its system call is recorded, the case lasts to the end of the timer's interrupt and is flagged `at_least`. The first sleeps of a new task that began after they were due are flagged `starting`, and come last among the worst. A sleep that ends before `expires`, in the timer's slack, is `early`; one that a signal or another wakeup ends is `interrupted`.",
    source: SampleSource::Samples,
    subject: Subject::Task,
    key_name: None,
    lateness: Lateness::Measured,
    has_sleep: true,
    analysis: AnalysisEntry {
        name: "cyclic",
        title: "Cyclic latency",
        needs: &[
            &["hrtimer_start", "hrtimer_expire_entry", "sched_waking", "sched_switch"],
            &["hrtimer_start", "hrtimer_expire_entry", "sched_wakeup", "sched_switch"],
        ],
        roles: &[
            Role::HrtimerStart,
            Role::HrtimerExpireEntry,
            Role::HrtimerExpireExit,
            Role::SchedWaking,
            Role::SchedWakeup,
            Role::SchedMigrate,
            Role::SchedSwitch,
            Role::SyscallEnter,
            Role::SyscallExit,
            Role::IrqEntry,
            Role::IrqExit,
            Role::VectorEntry(""),
            Role::VectorExit(""),
            Role::IpiEntry,
            Role::IpiExit,
            Role::CpuIdle,
            Role::PowerStart,
            Role::PowerEnd,
            Role::CpuFrequency,
        ],
        start: measure::start,
    },
};

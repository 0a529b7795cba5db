//! What belongs to a single kind of latency.

use std::fmt::Debug;

use super::blame::Blame;
use super::case::Case;
use super::headline::Findings;
use super::parts::Parts;
use super::report;
use super::span::Span;
use super::stages::{Events, Mark, Steps};
use super::surroundings::Surroundings;
use super::why::{Usual, Way};
use crate::analyses::{Cause, LatencyKind, SampleFlags, SampleSource, SliceKind, Subject};

/// A kind of latency as a whole. Each has a folder of its own in `kinds/`, which nothing else knows the inside of.
pub trait Kind: Debug + Sync {
    /// What is measured, and how.
    fn latency(&self) -> &'static LatencyKind;

    /// The first half of a headline: what happened, where, and how long it took.
    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String;

    /// The second half: the cause. `None` where the first half says it all.
    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        findings.usual_cause()
    }

    /// The events between its start and its end. `None` for a kind without stages.
    fn steps<'c>(&self, _events: &Events<'c, '_>) -> Option<Steps<'c>> {
        None
    }

    /// True where records state its durations in nanoseconds, whatever the clock of the trace counts.
    fn is_stated(&self) -> bool {
        false
    }

    /// By which rules a chain says why it took so long.
    fn way(&self) -> Way {
        Way::Work
    }

    /// A tracer's report of its worst case, which says all that is known of it.
    fn is_report(&self, case: &Case<'_>) -> bool {
        case.flags.has(SampleFlags::REPORTED)
    }

    /// The tracer's own numbers.
    fn parts(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
        if case.flags.has(SampleFlags::REPORTED) { report::parts(case, around) } else { Parts::default() }
    }

    /// The causes, where they are not those of an interval of one CPU after the other.
    fn blame<'a>(&self, _case: &Case<'a>, _around: &Surroundings<'_, 'a>) -> Option<Vec<Blame<'a>>> {
        None
    }

    /// What has the CPU according to records that are no slices, with the cause.
    fn records<'a>(
        &self,
        _case: &Case<'_>,
        _around: &Surroundings<'_, 'a>,
    ) -> Vec<(Option<Cause>, Span<'a>)> {
        Vec::new()
    }

    /// The cause of the time in which nothing is recorded.
    fn unrecorded(&self) -> Cause {
        Cause::Unknown
    }

    /// False for slices that say nothing about such a case.
    fn counts(&self, _slice: SliceKind) -> bool {
        true
    }

    /// The mark from which a task waits for a CPU, of a kind that measures such waits.
    fn waits_from(&self) -> Option<Mark> {
        None
    }

    /// How long such cases usually are, where that is not as long as every interrupt or softirq of the name.
    fn usual(&self, _case: &Case<'_>, _around: &Surroundings<'_, '_>) -> Option<Usual> {
        None
    }

    /// Why the profile of the tail leaves the kind out, as a clause: its causes are not those of the stretches of its
    /// CPUs, or there are as many cases as events. None for kinds that have one.
    fn why_unprofiled(&self) -> Option<&'static str> {
        None
    }

    /// The slices that are cases themselves.
    fn slice_kind(&self) -> Option<SliceKind> {
        self.latency().source.slice_kind()
    }

    /// A case is about its task, whose own work does not delay it. A task in whose context something of a CPU was
    /// measured is another one.
    fn is_of_task(&self) -> bool {
        self.latency().subject == Subject::Task
    }

    /// Something waits for a CPU, and so for whatever a task does there, even with interrupts or preemption off.
    fn waits_for_cpu(&self) -> bool {
        self.latency().subject == Subject::Task
    }

    /// Something waits, and not for what is measured itself.
    fn is_wait(&self) -> bool {
        self.latency().source == SampleSource::Samples
    }

    /// Events say more about it than slices do: its stages, where it waited, the priority of tasks, its chain.
    fn needs_events(&self) -> bool {
        self.way() != Way::Reported
    }

    /// The CPU on which a case began to wait, unless a wakeup of its first instant names another.
    fn first_cpu(&self, case: &Case<'_>) -> i16 {
        case.start_cpu
    }

    /// How far before its end a case needs to be examined at least.
    fn reach_ns(&self) -> i64 {
        0
    }
}

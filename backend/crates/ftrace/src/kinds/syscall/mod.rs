//! System calls, from the entry to the return of the same task.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::{Case, Kind, Surroundings, phrases, words};

#[derive(Debug)]
pub struct Syscall;

impl Kind for Syscall {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn why_unprofiled(&self) -> Option<&'static str> {
        Some(
            "the task of a long call mostly sleeps, and what its CPU does then delays nobody; each case says what the \
              task waited for",
        )
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        // A name keeps its case; a number is prefixed with a word.
        let call = phrases::key(case).replacen("syscall ", "Syscall ", 1);
        format!(
            "{call} of {} on CPU {} took {}",
            phrases::task(case, around),
            case.cpu,
            words::time(case.duration_ns)
        )
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 10,
    name: "syscall",
    title: "System call",
    definition: "From sys_enter to sys_exit of the same task; flagged `blocked` if the task was switched out in between.",
    note: "`raw_syscalls` events hold numbers. They get names if the trace shows an x86-64 or arm64 machine (by the kernel's name, or an event or function unique to it).",
    source: SampleSource::Samples,
    subject: Subject::Task,
    key_name: Some("syscall"),
    lateness: Lateness::Asleep,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "syscall",
        title: "System calls",
        needs: &[&["sys_enter", "sys_exit"]],
        roles: &[Role::SyscallEnter, Role::SyscallExit, Role::SchedSwitch, Role::SchedMigrate],
        start: measure::start,
    },
};

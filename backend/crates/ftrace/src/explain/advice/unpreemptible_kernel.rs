//! A kernel that does not preempt its own code.

use super::setting::is_preemptible;
use super::{Entry, Setting};
use crate::events::Decoded;
use crate::explain::surroundings::Seen;
use crate::explain::why::{Link, Mechanism, Subject};
use crate::model::Flags;

/// Source: kernel/trace/trace_output.c and kernel/sched/core.c (preempt_model_str), Linux 2.6 to 6.18.
const UNPREEMPTIBLE: [&str; 6] =
    ["server", "desktop", "none", "voluntary", "PREEMPT(none)", "PREEMPT(voluntary)"];

pub static ENTRY: Entry = Entry {
    name: "unpreemptible_kernel",
    mechanism: Mechanism::NotPreemptible,
    title: "This kernel does not preempt itself",
    condition: "An event with need-resched set, in no interrupt, with interrupts on and preempt depth 0; or the \
        file says `server`, `desktop`, `none` or `voluntary` as the preemption model and a system call \
        was under way.",
    meaning: "Without kernel preemption, a task inside a system call keeps its CPU until it sleeps, returns to \
        user space or passes a point where the kernel offers the CPU.",
    helps: "Boot with `preempt=full` (kernels with `CONFIG_PREEMPT_DYNAMIC`), or use a kernel with \
        `CONFIG_PREEMPT`, or PREEMPT_RT for bounded latencies.",
    check: "`/sys/kernel/debug/sched/preempt` shows the mode in parentheses. Then no event with need-resched \
        may show preempt depth 0 and interrupts on.",
    reference: "Documentation/admin-guide/kernel-parameters.txt",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    let Some(Subject::Task(task_idx)) = link.subject else { return false };
    let is_kept = |event: &Seen<'_>| {
        event.task_idx == task_idx
            && is_preemptible(event)
            && Flags(event.flags.cast_unsigned()).has(Flags::NEED_RESCHED)
    };
    let says_so = setting.preemption_model.is_some_and(|model| UNPREEMPTIBLE.contains(&model));
    setting.events_in(link).any(is_kept) || says_so && is_in_syscall(setting, link, task_idx)
}

fn is_in_syscall(setting: &Setting<'_, '_, '_>, link: &Link<'_>, task_idx: i32) -> bool {
    let around = setting.around;
    let earlier = around.earlier.iter().chain(&around.events).take_while(|event| event.t_ns <= link.start_ns);
    let calls =
        earlier.filter(|event| event.task_idx == task_idx).filter_map(|event| match event.decoded()? {
            Decoded::SyscallEnter { .. } => Some(true),
            Decoded::SyscallExit { .. } => Some(false),
            _ => None,
        });
    calls.last() == Some(true)
}

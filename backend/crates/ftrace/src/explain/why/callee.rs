//! Functions that interrupts and softirqs call on behalf of others. They may take any time, so a long one
//! is no sign that its CPU stood still.

use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// Softirqs that do whatever others have queued.
const ANY_WORK: [&str; 8] = ["HI", "TASKLET", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "BLOCK_IOPOLL", "RCU"];
/// Timers that wake a task, queue a work item, or are the tick: their length is the kernel's own.
const SHORT: [&str; 12] = [
    "hrtimer_wakeup",
    "process_timeout",
    "delayed_work_timer_fn",
    "tick_",
    "timerlat_irq",
    "posix_timer_fn",
    "it_real_fn",
    "timerfd_tmrproc",
    "alarmtimer_fired",
    "dl_task_timer",
    "hrtick",
    "sched_",
];

/// Interrupts with which one CPU has another run a function, or itself one that could not run where it was queued; those
/// of arm64 are called by what they do (arch/arm64/kernel/smp.c, `ipi_types`).
const SENT: [&str; 5] =
    ["call_function", "irq_work", "x86_platform_ipi", "Function call interrupts", "IRQ work interrupts"];

/// True where, as far as is recorded, a CPU is in such a function from an event to the next: in one that another CPU
/// sent, in that of a timer, of a softirq that works off what others queued, or of a driver, but for those of a guest.
pub fn is_in_callee(scene: &Scene<'_, '_>, cpu: i16, first: &Seen<'_>) -> bool {
    let flags = Flags(first.flags.cast_unsigned());
    let irq = scene.span_at(SliceKind::Irq, cpu, first.t_ns);
    let softirq = scene.span_at(SliceKind::Softirq, cpu, first.t_ns);
    let symbol = |idx: i32| scene.around.symbol(idx).unwrap_or_default();
    let is_irq = flags.has(Flags::HARDIRQ) && !first.ends_interrupt() || irq.is_some();
    match (irq, softirq) {
        (Some(irq), _) => {
            let is_begun = scene.events(cpu, irq.start_ns, irq.start_ns);
            let is_handler =
                is_begun.iter().any(|event| scene.around.event_name(event) == "irq_handler_entry");
            let is_timers = symbol(irq.symbol_idx).contains("timer");
            let name = symbol(irq.symbol_idx);
            let is_sent = SENT.iter().any(|sent| name.starts_with(sent));
            is_sent
                || is_in_timer(scene, cpu, irq.start_ns, first)
                || is_handler && !is_timers && !scene.is_guest()
        }
        (None, Some(softirq)) if !is_irq => {
            ANY_WORK.contains(&symbol(softirq.symbol_idx).as_str())
                || is_in_timer(scene, cpu, softirq.start_ns, first)
        }
        _ => false,
    }
}

/// True where the function of a timer that does more than to wake somebody was entered last since a time, up to an event.
fn is_in_timer(scene: &Scene<'_, '_>, cpu: i16, since_ns: i64, until: &Seen<'_>) -> bool {
    let inside = scene.events(cpu, since_ns, until.t_ns).iter().rev().filter(|event| event.seq <= until.seq);
    let named = inside.map(|event| (scene.around.event_name(event), event.args));
    let last = named.into_iter().find(|(name, _)| name.contains("timer_expire_"));
    last.filter(|(name, _)| name.ends_with("_entry")).is_some_and(|(_, args)| others_function(args).is_some())
}

/// The function that an event names, unless it is one of the kernel's own short ones. Without a name nothing is known.
fn others_function(args: &str) -> Option<&str> {
    let (_, rest) = args.split_once("function=")?;
    let name = rest.split([' ', '+']).next()?;
    let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_named && !SHORT.iter().any(|short| name.starts_with(short))).then_some(name)
}

/// The function of a timer or tasklet that had at least `least_ns` of a stretch [start, end) of an interrupt or softirq.
pub fn function_of_most<'a>(
    scene: &Scene<'_, 'a>,
    (kind, cpu): (SliceKind, i16),
    (start_ns, end_ns): (i64, i64),
    least_ns: i64,
) -> Option<&'a str> {
    let run = scene.span_at(kind, cpu, start_ns)?;
    let is_long =
        |from_ns: i64, to_ns: i64| to_ns.min(end_ns).saturating_sub(from_ns.max(start_ns)) >= least_ns;
    let mut open: Option<(&'a str, i64)> = None;
    for event in scene.events(cpu, run.start_ns, run.end_ns) {
        let name = scene.around.event_name(event);
        if !name.contains("timer_expire_") && !name.starts_with("tasklet_") {
            continue;
        }
        if let Some((function, from_ns)) = open.take()
            && is_long(from_ns, event.t_ns)
        {
            return Some(function);
        }
        if name.ends_with("_entry") {
            open = others_function(event.args).map(|function| (function, event.t_ns));
        }
    }
    // Its end is that of the run.
    open.filter(|(_, from_ns)| is_long(*from_ns, run.end_ns)).map(|(function, _)| function)
}

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
            let is_sent = symbol(irq.symbol_idx).starts_with("call_function");
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
    let Some((_, args)) = last.filter(|(name, _)| name.ends_with("_entry")) else { return false };
    let function = args.split_once("function=").map_or("", |(_, rest)| rest);
    // Without a name nothing is known of it.
    let is_named = function.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_named && !SHORT.iter().any(|short| function.starts_with(short))
}

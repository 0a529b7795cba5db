//! Functions that interrupts and softirqs call on behalf of others. They may take any time, so a long one
//! is no sign that its CPU stood still.

use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::events::Role;
use crate::explain::span::Span;
use crate::explain::surroundings::Seen;

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

/// True where by the records a CPU is in such a function from an event to the next: in one that another CPU
/// sent, in that of a timer, of a softirq that works off what others queued, or of a driver, but for those of a guest.
pub fn is_in_callee(scene: &Scene<'_, '_>, cpu: i16, first: &Seen<'_>) -> bool {
    let irq = scene.span_at(SliceKind::Irq, cpu, first.t_ns);
    let softirq = scene.span_at(SliceKind::Softirq, cpu, first.t_ns);
    let symbol = |idx: i32| scene.around.symbol(idx).unwrap_or_default();
    let is_irq = first.is_in_hard_interrupt() && !first.ends_interrupt() || irq.is_some();
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
                || is_in_timer(scene, cpu, entered_ns(scene, softirq), first)
        }
        _ => false,
    }
}

/// True where a CPU is, at an event, in the function of a timer that does more than to wake somebody, which it entered
/// since a time: interrupts that came into it and ended do not end it.
fn is_in_timer(scene: &Scene<'_, '_>, cpu: i16, since_ns: i64, until: &Seen<'_>) -> bool {
    let mut calls = Calls::default();
    for event in scene.events(cpu, since_ns, until.t_ns).iter().filter(|event| event.seq <= until.seq) {
        calls.follow(scene.around.event_name(event), event);
    }
    calls.innermost().is_some_and(|call| call.is_of_timer && call.function.is_some())
}

/// When a softirq was entered that may have been suspended since: its thread can be switched out on PREEMPT_RT.
fn entered_ns(scene: &Scene<'_, '_>, softirq: &Span<'_>) -> i64 {
    let until_then = scene.events(softirq.cpu, i64::MIN, softirq.start_ns).iter().rev();
    let mut entries = until_then
        .filter(|event| event.role == Some(Role::SoftirqEntry) && event.task_idx == softirq.task_idx);
    entries.next().map_or(softirq.start_ns, |event| event.t_ns)
}

/// A function of a timer or tasklet that was entered.
struct Call<'a> {
    /// `hrtimer=00000000f8c57c37`: what it is of.
    key: &'a str,
    function: Option<&'a str>,
    is_of_timer: bool,
    since_ns: i64,
    is_hard: bool,
}

/// The functions that a CPU is in, the innermost last: an interrupt comes into that of a softirq.
#[derive(Default)]
struct Calls<'a>(Vec<Call<'a>>);

impl<'a> Calls<'a> {
    fn innermost(&self) -> Option<&Call<'a>> {
        self.0.last()
    }

    /// The function that an event ends. One that is entered ends another one of the same context, whose exit is not
    /// recorded.
    fn follow(&mut self, name: &str, event: &Seen<'a>) -> Option<Call<'a>> {
        let is_of_timer = name.contains("timer_expire_");
        if !is_of_timer && !name.starts_with("tasklet_") {
            return None;
        }
        let key = event.args.split_whitespace().next().unwrap_or_default();
        if !name.ends_with("_entry") {
            let at = self.0.iter().rposition(|call| call.key == key)?;
            return self.0.drain(at..).next();
        }
        let is_hard = event.is_in_hard_interrupt();
        let outer = self.0.iter().take_while(|call| is_hard && !call.is_hard).count();
        let ended = self.0.drain(outer..).next();
        let function = others_function(event.args);
        self.0.push(Call { key, function, is_of_timer, since_ns: event.t_ns, is_hard });
        ended
    }
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
    let since_ns = if kind == SliceKind::Softirq { entered_ns(scene, run) } else { run.start_ns };
    let mut calls = Calls::default();
    for event in scene.events(cpu, since_ns, run.end_ns) {
        let ended = calls.follow(scene.around.event_name(event), event);
        if let Some(function) =
            ended.filter(|call| is_long(call.since_ns, event.t_ns)).and_then(|call| call.function)
        {
            return Some(function);
        }
    }
    // Their end is that of the run.
    let open = calls.0.into_iter().filter(|call| is_long(call.since_ns, run.end_ns));
    open.filter_map(|call| call.function).next()
}

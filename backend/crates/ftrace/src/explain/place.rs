//! How causes are named, and where in the code they lie.

use super::blame::Holder;
use super::case::Case;
use super::phrases;
use super::span::Span;
use super::surroundings::Surroundings;
use super::words;
use crate::analyses::Cause;
use crate::model::priority_text;

/// What ran where no more is known of it.
pub const AN_INTERRUPT: &str = "an interrupt";
pub const A_SOFTIRQ: &str = "a softirq";

/// What follows a record that is no function, such as an event between the functions of a report.
pub const NAMELESS: &str = "unknown";

/// The name of a cause.
pub fn what(holder: &Holder, first_ns: i64, around: &Surroundings<'_, '_>) -> String {
    let symbol = || around.symbol(holder.symbol_idx);
    let name = match holder.cause {
        Cause::Task => around.task_name(holder.task_idx, first_ns),
        Cause::Itself => symbol().or_else(|| around.task_name(holder.task_idx, first_ns)),
        Cause::Irq | Cause::Softirq => symbol().map(|name| without_noise_prefix(&name).to_owned()),
        Cause::Nmi => Some("NMI".to_owned()),
        Cause::Gap => Some(phrases::HARDWARE.to_owned()),
        Cause::Unknown => {
            let mut losses = around.losses(holder.cpu);
            let is_lost = losses.any(|loss| loss.start_ns <= first_ns && first_ns < loss.end_ns);
            Some(if is_lost { "events were lost" } else { "not recorded" }.to_owned())
        }
        // The noise of the idle task names the task: `thread swapper/1-0`.
        Cause::Idle => symbol().filter(|name| !name.starts_with("thread ")),
        Cause::Irqsoff | Cause::Preemptoff => symbol(),
    };
    let nameless = match holder.cause {
        Cause::Idle => "idle",
        Cause::Irq => AN_INTERRUPT,
        Cause::Softirq => A_SOFTIRQ,
        _ => NAMELESS,
    };
    name.unwrap_or_else(|| nameless.to_owned())
}

/// The name of an interrupt without the word that the noise events put in front of it: `local_timer:236` of
/// `irq local_timer:236`.
pub fn without_noise_prefix(name: &str) -> &str {
    name.strip_prefix("irq ").or_else(|| name.strip_prefix("softirq ")).unwrap_or(name)
}

/// Where it was, if known: in whose context, in which code, how fast.
pub fn place(
    case: &Case<'_>,
    holder: &Holder,
    span: Option<&Span<'_>>,
    function: Option<&(String, i64)>,
    around: &Surroundings<'_, '_>,
) -> Option<String> {
    let mut parts = Vec::new();
    match holder.cause {
        Cause::Irq | Cause::Softirq | Cause::Nmi => {
            parts.extend(span.and_then(|span| context(span, around)).map(|task| format!("in {task}")));
        }
        Cause::Irqsoff | Cause::Preemptoff => {
            parts.extend(span.and_then(|span| context(span, around)));
            parts.extend(span.and_then(|span| caller(span)).map(str::to_owned));
        }
        Cause::Task => {
            let prio = around.pid(holder.task_idx).and_then(|pid| around.prio(pid));
            parts.extend(prio.map(priority_text));
        }
        Cause::Idle => {
            let known = around.frequency_khz(holder.cpu, case.end_ns());
            let khz = known.or(case.frequency_khz.map(i64::from).filter(|_| holder.cpu == case.cpu));
            parts.extend(khz.map(|khz| format!("at {}", words::frequency(khz))));
        }
        Cause::Itself | Cause::Gap | Cause::Unknown => {}
    }
    parts.extend(function.map(|(name, ns)| format!("{} of it in {name}", words::time(*ns))));
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The task in whose context something ran.
pub fn context(span: &Span<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    around.task_name(span.task_idx, span.end_ns)
}

// caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0
/// Who switched interrupts or preemption off, with the offset.
pub fn caller<'a>(span: &Span<'a>) -> Option<&'a str> {
    span.args.split(' ').find_map(|pair| pair.strip_prefix("caller="))
}

//! One event as Perfetto's `FtraceEvent`.
//!
//! Source: protos/perfetto/trace/ftrace/*.proto. Events that Perfetto computes something from have messages of
//! their own; all others are generic: a name and fields.

use std::borrow::Cow;

use super::super::args::Args;
use super::super::filter::EventParts;
use super::protobuf::Message;
use crate::events::{Decoded, Interrupt, Role, SwitchTask, WakenTask, decode};
use crate::model::EventKind;
use crate::store::read::dictionaries::EventType;

// Fields of FtraceEvent.
const TIMESTAMP: u32 = 1;
const PID: u32 = 2;
const PRINT: u32 = 3;
const SCHED_SWITCH: u32 = 4;
const CPU_FREQUENCY: u32 = 11;
const CPU_IDLE: u32 = 13;
const SCHED_WAKEUP: u32 = 17;
const SCHED_WAKING: u32 = 20;
const IPI_ENTRY: u32 = 21;
const IPI_EXIT: u32 = 22;
const SOFTIRQ_ENTRY: u32 = 24;
const SOFTIRQ_EXIT: u32 = 25;
const SOFTIRQ_RAISE: u32 = 26;
const IRQ_HANDLER_ENTRY: u32 = 36;
const IRQ_HANDLER_EXIT: u32 = 37;
const SCHED_WAKEUP_NEW: u32 = 114;
const GENERIC: u32 = 327;
const LOCAL_TIMER_ENTRY: u32 = 559;
const LOCAL_TIMER_EXIT: u32 = 560;

/// `cpu_idle` and similar events print the end of an idle state as the largest number of 32 bits.
const IDLE_EXIT: i64 = 0xffff_ffff;

/// How the state of a task that is switched out is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStates {
    /// Linux 4.14 and newer.
    Modern,
    Old,
}

impl TaskStates {
    /// Of a kernel by its release: `6.12.95-rt-amd64`; old where it is not known, as Perfetto takes it.
    pub fn of_kernel(release: Option<&str>) -> Self {
        let mut numbers =
            release.unwrap_or_default().split(['.', '-']).map(|number| number.parse::<u32>().ok());
        match (numbers.next().flatten(), numbers.next().flatten()) {
            (Some(major), Some(minor)) if (major, minor) >= (4, 14) => Self::Modern,
            _ => Self::Old,
        }
    }

    /// Source: include/trace/events/sched.h, Linux 4.4 and 6.12; Perfetto, task_state.cc.
    fn bits(self, printed: &[u8]) -> i64 {
        if let Ok(text) = str::from_utf8(printed)
            && let Ok(number) = text.parse::<i64>()
        {
            return number;
        }
        let (parked, idle, preempted) = match self {
            Self::Modern => (0x40, 0x80, 0x100),
            Self::Old => (0x200, 0x402, 0x800),
        };
        let bit = |letter: &u8| match letter {
            b'S' => 0x1,
            b'D' => 0x2,
            b'T' => 0x4,
            b't' => 0x8,
            b'X' => 0x10,
            b'Z' => 0x20,
            b'P' => parked,
            b'I' => idle,
            b'+' => preempted,
            _ => 0,
        };
        printed.iter().map(bit).fold(0, |all, bit| all | bit)
    }
}

/// What is read from an event of a type to write it as a message of its own; `None` for all other types.
pub fn role_with_message(event_type: &EventType<'_>) -> Option<Role> {
    if event_type.kind != "tracepoint" {
        return None;
    }
    Role::of(EventKind::Tracepoint, event_type.name.as_bytes()).filter(|role| {
        matches!(
            role,
            Role::SchedSwitch
                | Role::SchedWaking
                | Role::SchedWakeup
                | Role::IrqEntry
                | Role::IrqExit
                | Role::VectorEntry(_)
                | Role::VectorExit(_)
                | Role::IpiEntry
                | Role::IpiExit
                | Role::SoftirqRaise
                | Role::SoftirqEntry
                | Role::SoftirqExit
                | Role::CpuIdle
                | Role::PowerStart
                | Role::PowerEnd
                | Role::CpuFrequency
        )
    })
}

/// Fills in the event that was stamped `stamp`; `role` is that of its type.
pub fn fill(
    message: &mut Message,
    event: &EventParts<'_>,
    role: Option<Role>,
    stamp: u64,
    states: TaskStates,
) {
    message.number(TIMESTAMP, stamp).number(PID, u64::from(event.pid.unwrap_or(0).unsigned_abs()));
    if event.kind == "print" {
        // The kernel ends a marker with a line end, and Perfetto counts on it.
        message.message(PRINT, |print| _ = print.number(1, 0).text(2, &format!("{}\n", event.text)));
        return;
    }
    let decoded = role.and_then(|role| decode(role, event.text.as_bytes()));
    if !decoded.is_some_and(|decoded| known(message, event, &decoded, states)) {
        message.message(GENERIC, |generic| generic_fields(generic, event));
    }
}

/// False for an event without a message of its own.
fn known(message: &mut Message, event: &EventParts<'_>, decoded: &Decoded<'_>, states: TaskStates) -> bool {
    match decoded {
        Decoded::Switch(switch) => {
            message.message(SCHED_SWITCH, |fields| {
                task(fields, 1, &switch.prev);
                fields.signed(4, states.bits(switch.prev_state));
                task(fields, 5, &switch.next);
            });
        }
        Decoded::Waking(waken) => _ = message.message(SCHED_WAKING, |fields| wakes(fields, waken, event)),
        Decoded::Wakeup(waken) => {
            let field = if event.event == "sched_wakeup_new" { SCHED_WAKEUP_NEW } else { SCHED_WAKEUP };
            message.message(field, |fields| wakes(fields, waken, event));
        }
        Decoded::InterruptEntry { interrupt: Interrupt::Line(irq), handler } => {
            message.message(IRQ_HANDLER_ENTRY, |fields| _ = fields.signed(1, *irq).bytes(2, handler));
        }
        Decoded::InterruptExit { interrupt: Interrupt::Line(irq) } => {
            let is_handled = event.text.contains("ret=handled");
            message.message(IRQ_HANDLER_EXIT, |fields| {
                _ = fields.signed(1, *irq).number(2, u64::from(is_handled))
            });
        }
        Decoded::InterruptEntry { interrupt: Interrupt::Named(name), .. } => {
            return named(message, event, name, (IPI_ENTRY, LOCAL_TIMER_ENTRY));
        }
        Decoded::InterruptExit { interrupt: Interrupt::Named(name) } => {
            return named(message, event, name, (IPI_EXIT, LOCAL_TIMER_EXIT));
        }
        Decoded::SoftirqEntry { vector, .. } => {
            _ = message.message(SOFTIRQ_ENTRY, |one| _ = one.signed(1, *vector))
        }
        Decoded::SoftirqExit { vector } => {
            _ = message.message(SOFTIRQ_EXIT, |one| _ = one.signed(1, *vector))
        }
        Decoded::SoftirqRaise { vector } => {
            _ = message.message(SOFTIRQ_RAISE, |one| _ = one.signed(1, *vector))
        }
        Decoded::CpuIdle { state } => {
            let cpu = cpu_of(event);
            message
                .message(CPU_IDLE, |fields| _ = fields.signed(1, state.unwrap_or(IDLE_EXIT)).signed(2, cpu));
        }
        Decoded::CpuFrequency { cpu, khz } => {
            let cpu = cpu.unwrap_or(i64::from(event.cpu));
            message.message(CPU_FREQUENCY, |fields| _ = fields.signed(1, *khz).signed(2, cpu));
        }
        _ => return false,
    }
    true
}

fn task(fields: &mut Message, first: u32, task: &SwitchTask<'_>) {
    fields.text(first, &text_of(task.comm)).signed(first.saturating_add(1), i64::from(task.pid));
    // Without a priority Perfetto would show the highest one.
    let prio_field = if first == 1 { 3 } else { 7 };
    fields.signed(prio_field, i64::from(task.prio.unwrap_or(120)));
}

fn wakes(fields: &mut Message, waken: &WakenTask<'_>, event: &EventParts<'_>) {
    fields.text(1, &text_of(waken.comm)).signed(2, i64::from(waken.pid));
    fields.signed(3, i64::from(waken.prio.unwrap_or(120))).number(4, 1);
    fields.signed(5, waken.target_cpu.unwrap_or(i64::from(event.cpu)));
}

/// Inter-processor interrupts and the timer of the CPU; Perfetto knows no other vectors.
fn named(message: &mut Message, event: &EventParts<'_>, name: &[u8], (ipi, timer): (u32, u32)) -> bool {
    if event.event.starts_with("ipi_") {
        message.message(ipi, |fields| _ = fields.text(1, &text_of(name)));
        return true;
    }
    if name == b"local_timer" {
        let vector =
            Args::parse(event.event, event.kind, event.text).get("vector").and_then(|value| value.number);
        message.message(timer, |fields| _ = fields.signed(1, vector.unwrap_or(0)));
        return true;
    }
    false
}

fn cpu_of(event: &EventParts<'_>) -> i64 {
    let args = Args::parse(event.event, event.kind, event.text);
    args.get("cpu_id").and_then(|value| value.number).unwrap_or(i64::from(event.cpu))
}

/// Names are UTF-8 in protocol buffers; decoding may have cut one.
fn text_of(name: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}

fn generic_fields(generic: &mut Message, event: &EventParts<'_>) {
    generic.text(1, event.event);
    let args = Args::parse(event.event, event.kind, event.text);
    let mut is_empty = true;
    for (name, value) in args.iter() {
        is_empty = false;
        generic.message(2, |field| {
            field.text(1, name);
            match value.number {
                Some(number) => field.signed(4, number),
                None => field.text(3, value.text),
            };
        });
    }
    if is_empty && !event.text.is_empty() {
        generic.message(2, |field| _ = field.text(1, "text").text(3, event.text));
    }
}

//! One table from the names of events, over kernel versions and architectures, to what they mean.

#[cfg(test)]
mod tests;

use super::boost::{self, Boost};
use super::fields::{after_key, number, word};
use super::hrtimer::{self, TimerExpiry, TimerStart};
use super::ipi::{self, IpiSend};
use super::measured::{self, Measured};
use super::migration::{self, Migration};
use super::preemptirq::{self, Site};
use super::switch::{self, Switch};
use super::syscall;
use super::timer_list::{self, ListTimer};
use super::tracer_records::{self, Noise, NoiseEvent, TimerlatRecord};
use super::wakeup::{self, WakenTask};
use super::work::{self, Work};
use crate::model::EventKind;

/// What an event means. Events without a role are kept, but no analysis reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    SchedSwitch,
    SchedWaking,
    SchedWakeup,
    SchedMigrate,
    /// A task is lent a priority, or gives it back.
    SchedPiSetprio,
    /// A device's interrupt, known by its number.
    IrqEntry,
    IrqExit,
    /// An interrupt of the CPU's own, known by its name.
    VectorEntry(&'static str),
    VectorExit(&'static str),
    /// An inter-processor interrupt, known by its printed reason.
    IpiEntry,
    IpiExit,
    SoftirqRaise,
    SoftirqEntry,
    SoftirqExit,
    CpuIdle,
    /// Before Linux 3.9: `power_start` with `type=1`, and `power_end`.
    PowerStart,
    PowerEnd,
    CpuFrequency,
    IrqDisable,
    IrqEnable,
    PreemptDisable,
    PreemptEnable,
    /// `sys_enter`, and the events of single calls.
    SyscallEnter,
    SyscallExit,
    HrtimerStart,
    HrtimerExpireEntry,
    HrtimerExpireExit,
    /// The kernel's coarse timers.
    ListTimerStart,
    ListTimerExpiry,
    /// One CPU interrupts others.
    IpiSendCpu,
    IpiSendCpumask,
    IpiRaise,
    WorkQueued,
    WorkStarted,
    /// A task begins or ends to wait for a lock of the kernel.
    LockContention,
    /// Reports of the tracers of these names.
    Timerlat,
    Osnoise,
    Hwlat,
    Noise(NoiseEvent),
    /// What another program measured.
    Measurement,
    /// No other role: its meaning is known only by the names of its fields.
    Other,
}

/// Sources: include/trace/events/{sched,irq,power,ipi,preemptirq,timer,workqueue,syscalls,osnoise}.h,
/// arch/x86/include/asm/trace/irq_vectors.h, arch/powerpc/include/asm/trace.h, Linux 2.6.38 to 6.12.
const ROLES: &[(&str, Role)] = &[
    ("sched_switch", Role::SchedSwitch),
    ("sched_waking", Role::SchedWaking),
    ("sched_wakeup", Role::SchedWakeup),
    ("sched_wakeup_new", Role::SchedWakeup),
    ("sched_migrate_task", Role::SchedMigrate),
    ("sched_pi_setprio", Role::SchedPiSetprio),
    ("irq_handler_entry", Role::IrqEntry),
    ("irq_handler_exit", Role::IrqExit),
    ("softirq_raise", Role::SoftirqRaise),
    ("softirq_entry", Role::SoftirqEntry),
    ("softirq_exit", Role::SoftirqExit),
    ("cpu_idle", Role::CpuIdle),
    ("power_start", Role::PowerStart),
    ("power_end", Role::PowerEnd),
    ("cpu_frequency", Role::CpuFrequency),
    ("power_frequency", Role::CpuFrequency),
    ("ipi_entry", Role::IpiEntry),
    ("ipi_exit", Role::IpiExit),
    ("irq_disable", Role::IrqDisable),
    ("irq_enable", Role::IrqEnable),
    ("preempt_disable", Role::PreemptDisable),
    ("preempt_enable", Role::PreemptEnable),
    ("hrtimer_start", Role::HrtimerStart),
    ("hrtimer_expire_entry", Role::HrtimerExpireEntry),
    ("hrtimer_expire_exit", Role::HrtimerExpireExit),
    ("timer_start", Role::ListTimerStart),
    ("timer_expire_entry", Role::ListTimerExpiry),
    ("ipi_send_cpu", Role::IpiSendCpu),
    ("ipi_send_cpumask", Role::IpiSendCpumask),
    ("ipi_raise", Role::IpiRaise),
    ("workqueue_queue_work", Role::WorkQueued),
    ("workqueue_execute_start", Role::WorkStarted),
    ("contention_begin", Role::LockContention),
    ("contention_end", Role::LockContention),
    ("sys_enter", Role::SyscallEnter),
    ("sys_exit", Role::SyscallExit),
    ("timerlat", Role::Timerlat),
    ("timerlat_sample", Role::Timerlat),
    ("osnoise", Role::Osnoise),
    ("osnoise_sample", Role::Osnoise),
    ("hwlat", Role::Hwlat),
    ("nmi_noise", Role::Noise(NoiseEvent::Nmi)),
    ("irq_noise", Role::Noise(NoiseEvent::Irq)),
    ("softirq_noise", Role::Noise(NoiseEvent::Softirq)),
    ("thread_noise", Role::Noise(NoiseEvent::Thread)),
    ("sample_threshold", Role::Noise(NoiseEvent::Sample)),
];

/// Interrupts that have `<name>_entry` and `<name>_exit` of their own.
const VECTORS: &[&str] = &[
    "local_timer",
    "reschedule",
    "call_function",
    "call_function_single",
    "irq_work",
    "x86_platform_ipi",
    "thermal_apic",
    "threshold_apic",
    "deferred_error_apic",
    "error_apic",
    "spurious_apic",
    // PowerPC
    "timer_interrupt",
    "doorbell",
    "irq",
];

impl Role {
    /// The role of an event type. Functions, tracers' lines and records of unknown types have no fields.
    pub fn of(kind: EventKind, name: &[u8]) -> Option<Role> {
        if kind == EventKind::Measurement {
            return Some(Role::Measurement);
        }
        let has_fields = matches!(kind, EventKind::Tracepoint | EventKind::Print | EventKind::Bprint);
        Role::by_name(name).or(has_fields.then_some(Role::Other))
    }

    /// The names of the events whose role `picks` takes, in the order of the tables.
    pub fn names(picks: impl Fn(Role) -> bool) -> Vec<String> {
        let own = ROLES.iter().map(|(name, role)| ((*name).to_owned(), *role));
        let of_vectors = VECTORS.iter().flat_map(|name| {
            [
                (format!("{name}_entry"), Role::VectorEntry(name)),
                (format!("{name}_exit"), Role::VectorExit(name)),
            ]
        });
        own.chain(of_vectors).filter(|(_, role)| picks(*role)).map(|(name, _)| name).collect()
    }

    fn by_name(name: &[u8]) -> Option<Role> {
        let name = str::from_utf8(name).ok()?;
        if let Some((_, role)) = ROLES.iter().find(|(known, _)| *known == name) {
            return Some(*role);
        }
        if let Some((_, is_enter)) = syscall::NAMED.iter().find(|(prefix, _)| name.starts_with(prefix)) {
            return Some(if *is_enter { Role::SyscallEnter } else { Role::SyscallExit });
        }
        let vector = |name: &str| VECTORS.iter().find(|vector| **vector == name).copied();
        if let Some(name) = name.strip_suffix("_entry") {
            return vector(name).map(Role::VectorEntry);
        }
        vector(name.strip_suffix("_exit")?).map(Role::VectorExit)
    }
}

/// Which interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt<'a> {
    Line(i64),
    Named(&'a [u8]),
}

/// The names that timers of single CPUs give their handlers; others tell the time for all of them.
const TICK_HANDLERS: &[&str] = &["arch_timer", "twd", "riscv-timer", "timer"];
const TICK_VECTORS: &[&str] = &["local_timer", "timer_interrupt"];

impl Interrupt<'_> {
    /// True for the interrupt of a CPU's own timer; `handler` is its name where it is known by number.
    pub fn is_tick(self, handler: &[u8]) -> bool {
        let (names, name) = match self {
            Interrupt::Line(_) => (TICK_HANDLERS, handler),
            Interrupt::Named(name) => (TICK_VECTORS, name),
        };
        names.iter().any(|tick| tick.as_bytes() == name)
    }
}

/// An event's arguments as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded<'a> {
    Switch(Switch<'a>),
    Waking(WakenTask<'a>),
    Wakeup(WakenTask<'a>),
    Migration(Migration),
    Boost(Boost<'a>),
    /// `handler` is the name of the device's driver, empty for interrupts that are known by name.
    InterruptEntry {
        interrupt: Interrupt<'a>,
        handler: &'a [u8],
    },
    InterruptExit {
        interrupt: Interrupt<'a>,
    },
    SoftirqRaise {
        vector: i64,
    },
    /// `action` is the vector's name, empty where the file gives only its number.
    SoftirqEntry {
        vector: i64,
        action: &'a [u8],
    },
    SoftirqExit {
        vector: i64,
    },
    /// `None`: the CPU is busy again.
    CpuIdle {
        state: Option<i64>,
    },
    /// The event may be recorded on another CPU than the one it is about.
    CpuFrequency {
        cpu: Option<i64>,
        khz: i64,
    },
    IrqDisable(Site<'a>),
    IrqEnable(Site<'a>),
    PreemptDisable(Site<'a>),
    PreemptEnable(Site<'a>),
    /// The call's number, where it is not the event's name that says the call.
    SyscallEnter {
        nr: Option<i64>,
    },
    SyscallExit {
        nr: Option<i64>,
        /// A signal ended the call before it was done.
        is_interrupted: bool,
    },
    TimerStart(TimerStart<'a>),
    TimerExpiry(TimerExpiry<'a>),
    /// The handler of the timer at this address is done.
    TimerDone {
        timer: u64,
    },
    ListTimerStart(ListTimer<'a>),
    ListTimerExpiry(ListTimer<'a>),
    IpiSend(IpiSend<'a>),
    WorkQueued(Work<'a>),
    WorkStarted(Work<'a>),
    LockContention {
        begins: bool,
    },
    Timerlat(TimerlatRecord<'a>),
    /// The noise of a whole period.
    Osnoise {
        noise_ns: i64,
    },
    Hwlat {
        longest_ns: i64,
    },
    Noise(Noise<'a>),
    Measured(Measured<'a>),
    Other {
        args: &'a [u8],
    },
}

/// The kernel's `PWR_EVENT_EXIT`, (u32)-1, as `cpu_idle` prints it.
const IDLE_EXIT: i64 = 0xffff_ffff;

/// The arguments of an event of this role; `None` where they are not of the role's form.
pub fn decode(role: Role, args: &[u8]) -> Option<Decoded<'_>> {
    Some(match role {
        Role::SchedSwitch => Decoded::Switch(switch::parse(args)?),
        Role::SchedWaking => Decoded::Waking(wakeup::parse(args)?),
        Role::SchedWakeup => Decoded::Wakeup(wakeup::parse(args)?),
        Role::SchedPiSetprio => Decoded::Boost(boost::parse(args)?),
        Role::SchedMigrate => Decoded::Migration(migration::parse(args)?),
        // irq=34 name=eth0
        Role::IrqEntry => Decoded::InterruptEntry {
            interrupt: Interrupt::Line(number(args, b"irq")?),
            handler: after_key(args, b"name").unwrap_or_default(),
        },
        Role::IrqExit => Decoded::InterruptExit { interrupt: Interrupt::Line(number(args, b"irq")?) },
        Role::VectorEntry(name) => {
            Decoded::InterruptEntry { interrupt: Interrupt::Named(name.as_bytes()), handler: b"" }
        }
        Role::VectorExit(name) => Decoded::InterruptExit { interrupt: Interrupt::Named(name.as_bytes()) },
        Role::IpiEntry => {
            Decoded::InterruptEntry { interrupt: Interrupt::Named(reason(args)?), handler: b"" }
        }
        Role::IpiExit => Decoded::InterruptExit { interrupt: Interrupt::Named(reason(args)?) },
        // vec=1 [action=TIMER]
        Role::SoftirqEntry => Decoded::SoftirqEntry { vector: number(args, b"vec")?, action: action(args) },
        Role::SoftirqRaise => Decoded::SoftirqRaise { vector: number(args, b"vec")? },
        Role::SoftirqExit => Decoded::SoftirqExit { vector: number(args, b"vec")? },
        // state=4294967295 cpu_id=0
        Role::CpuIdle => {
            let state = number(args, b"state")?;
            Decoded::CpuIdle { state: (state != IDLE_EXIT && state >= 0).then_some(state) }
        }
        // type=1 state=2 cpu_id=0
        Role::PowerStart if number(args, b"type")? != 1 => return None,
        Role::PowerStart => Decoded::CpuIdle { state: Some(number(args, b"state")?) },
        Role::PowerEnd => Decoded::CpuIdle { state: None },
        Role::CpuFrequency => {
            Decoded::CpuFrequency { cpu: number(args, b"cpu_id"), khz: number(args, b"state")? }
        }
        Role::IrqDisable => Decoded::IrqDisable(preemptirq::parse(args)?),
        Role::IrqEnable => Decoded::IrqEnable(preemptirq::parse(args)?),
        Role::PreemptDisable => Decoded::PreemptDisable(preemptirq::parse(args)?),
        Role::PreemptEnable => Decoded::PreemptEnable(preemptirq::parse(args)?),
        Role::SyscallEnter => Decoded::SyscallEnter { nr: syscall::nr(args) },
        Role::SyscallExit => Decoded::SyscallExit {
            nr: syscall::nr(args),
            is_interrupted: syscall::result(args).is_some_and(syscall::is_interruption),
        },
        Role::HrtimerStart => Decoded::TimerStart(hrtimer::parse_start(args)?),
        Role::HrtimerExpireEntry => Decoded::TimerExpiry(hrtimer::parse_expiry(args)?),
        Role::HrtimerExpireExit => Decoded::TimerDone { timer: hrtimer::address(args)? },
        Role::ListTimerStart => Decoded::ListTimerStart(timer_list::parse(args)?),
        Role::ListTimerExpiry => Decoded::ListTimerExpiry(timer_list::parse(args)?),
        Role::IpiSendCpu => Decoded::IpiSend(ipi::parse_send_cpu(args)?),
        Role::IpiSendCpumask => Decoded::IpiSend(ipi::parse_send_cpumask(args)?),
        Role::IpiRaise => Decoded::IpiSend(ipi::parse_raise(args)?),
        Role::WorkQueued => Decoded::WorkQueued(work::parse(args)?),
        Role::WorkStarted => Decoded::WorkStarted(work::parse(args)?),
        // 0xffff888003d5a0c8 (flags=MUTEX), and at the end (ret=0)
        Role::LockContention => {
            Decoded::LockContention { begins: memchr::memmem::find(args, b"ret=").is_none() }
        }
        Role::Timerlat => Decoded::Timerlat(tracer_records::parse_timerlat(args)?),
        Role::Osnoise => Decoded::Osnoise { noise_ns: tracer_records::parse_osnoise(args)? },
        Role::Hwlat => Decoded::Hwlat { longest_ns: tracer_records::parse_hwlat(args)? },
        Role::Noise(event) => Decoded::Noise(tracer_records::parse_noise(event, args)?),
        Role::Measurement => Decoded::Measured(measured::parse_measured(args)?),
        Role::Other => Decoded::Other { args },
    })
}

/// `(Rescheduling interrupts)`
fn reason(args: &[u8]) -> Option<&[u8]> {
    args.trim_ascii().strip_prefix(b"(")?.strip_suffix(b")")
}

fn action(args: &[u8]) -> &[u8] {
    let Some(at) = memchr::memmem::find(args, b"[action=") else { return b"" };
    let inside = args.get(at.saturating_add(1)..).unwrap_or_default();
    word(inside, b"action").and_then(|action| action.strip_suffix(b"]")).unwrap_or_default()
}

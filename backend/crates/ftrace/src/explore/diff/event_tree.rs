//! The events of one case, from its start to its end, as a side of a comparison.

use super::call_tree::MAX_NODES;
use crate::diff::{Kind, Names, Tree, TreeBuilder, TreeError};
use crate::events::{Decoded, Interrupt, Role};
use crate::explain::{Case, Leg, Seen, Surroundings};

/// Interrupts that one CPU sends to another.
/// Sources: arch/x86/include/asm/trace/irq_vectors.h, arch/arm64/kernel/smp.c, Linux 6.12.
const IPIS: &[&[u8]] = &[
    b"reschedule",
    b"call_function",
    b"call_function_single",
    b"Rescheduling interrupts",
    b"Function call interrupts",
];

/// The tree of a case: interrupts and softirqs from entry to exit with their events inside, and every other
/// event until the next one, so that their durations add up to the case exactly.
///
/// Names say what an event means to the case, not whom it names: pids and addresses differ where all else
/// is equal. Shown are the events of the CPU on which the case waits, and those of its task anywhere.
/// What a program measured is no event: of a file of measurements there is the case and nothing in it.
pub fn event_tree(
    case: &Case<'_>,
    legs: &[Leg],
    around: &Surroundings<'_, '_>,
    unseen: Option<(i64, i64)>,
    names: &mut Names,
) -> Result<Tree, TreeError> {
    let events = events_of(case, legs, around);
    let mut walk = Walk { case, builder: TreeBuilder::new(names, MAX_NODES), open: Vec::new() };
    walk.builder.open(case.latency().name, Kind::Event, 0, case.duration_ns)?;
    if let Some(first) = events.first() {
        walk.wait("the start", case.start_ns, first.t_ns)?;
    }
    let ends = ends_of(&events);
    let mut last_ns = case.start_ns;
    for (at, event) in events.iter().enumerate() {
        let next_ns = events.get(at.saturating_add(1)).map_or(case.end_ns(), |next| next.t_ns);
        // The middle of a long case is not read.
        if let Some((from_ns, _)) = unseen.filter(|(from_ns, _)| last_ns <= *from_ns && *from_ns < event.t_ns)
            && from_ns > case.start_ns
        {
            walk.builder.elided();
        }
        last_ns = event.t_ns;
        // How long the last event before that lasts is not known.
        let cut_ns = unseen.map(|(from_ns, _)| from_ns).filter(|from_ns| *from_ns >= event.t_ns);
        let next_ns = cut_ns.map_or(next_ns, |cut_ns| next_ns.min(cut_ns));
        walk.event(event, next_ns, ends.get(at).copied().flatten(), around)?;
    }
    walk.builder.finish()
}

/// What belongs to the case, in the order of the trace.
fn events_of<'e, 'a>(case: &Case<'_>, legs: &[Leg], around: &'e Surroundings<'_, 'a>) -> Vec<&'e Seen<'a>> {
    let is_inside = |t_ns: i64| case.start_ns <= t_ns && t_ns <= case.end_ns();
    let is_waiting_on = |cpu: i16, t_ns: i64| {
        legs.iter().any(|leg| leg.cpu == cpu && leg.start_ns <= t_ns && t_ns <= leg.end_ns)
    };
    if case.latency().analysis.wants(Role::Measurement) {
        return Vec::new();
    }
    let inside = around.events.iter().filter(|event| is_inside(event.t_ns));
    inside.filter(|event| is_waiting_on(event.cpu, event.t_ns) || is_of_task(case, event)).collect()
}

/// True for wakings and migrations of the case's task, which may be recorded on any CPU.
fn is_of_task(case: &Case<'_>, event: &Seen<'_>) -> bool {
    let pid = match event.decoded() {
        Some(Decoded::Waking(task) | Decoded::Wakeup(task)) => Some(task.pid),
        Some(Decoded::Migration(migration)) => Some(migration.pid),
        _ => None,
    };
    pid.is_some() && pid == case.pid
}

/// Of each entry of an interrupt or softirq, when its exit comes; `None` for all other events, and for
/// entries without an exit.
fn ends_of(events: &[&Seen<'_>]) -> Vec<Option<i64>> {
    let mut ends = vec![None; events.len()];
    let mut open: Vec<(usize, i16)> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match event.decoded() {
            Some(Decoded::InterruptEntry { .. } | Decoded::SoftirqEntry { .. }) => open.push((at, event.cpu)),
            Some(Decoded::InterruptExit { .. } | Decoded::SoftirqExit { .. }) => {
                let inner = open.pop_if(|(_, cpu)| *cpu == event.cpu);
                if let Some(end) = inner.and_then(|(entry, _)| ends.get_mut(entry)) {
                    *end = Some(event.t_ns);
                }
            }
            _ => {}
        }
    }
    ends
}

struct Walk<'c, 'k, 'n> {
    case: &'c Case<'k>,
    builder: TreeBuilder<'n>,
    /// Names of the interrupts and softirqs that are open.
    open: Vec<String>,
}

impl Walk<'_, '_, '_> {
    fn event(
        &mut self,
        event: &Seen<'_>,
        next_ns: i64,
        end_ns: Option<i64>,
        around: &Surroundings<'_, '_>,
    ) -> Result<(), TreeError> {
        let name = name_of(self.case, event, around);
        match event.decoded() {
            Some(Decoded::InterruptEntry { .. } | Decoded::SoftirqEntry { .. }) if end_ns.is_some() => {
                let duration_ns = end_ns.unwrap_or(next_ns).saturating_sub(event.t_ns);
                let kind = match event.decoded() {
                    Some(Decoded::InterruptEntry { .. }) => Kind::Interrupt,
                    _ => Kind::Softirq,
                };
                self.builder.open(&name, kind, self.since_start(event.t_ns), duration_ns)?;
                let entry = format!("entry of {name}");
                self.open.push(name);
                self.wait(&entry, event.t_ns, next_ns)
            }
            Some(Decoded::InterruptExit { .. } | Decoded::SoftirqExit { .. }) => {
                let exit = match self.open.pop() {
                    Some(name) => {
                        self.builder.close()?;
                        format!("exit of {name}")
                    }
                    None => name,
                };
                self.wait(&exit, event.t_ns, next_ns)
            }
            // What does not end before the case does is the way to its end, and hits no function.
            Some(Decoded::InterruptEntry { .. } | Decoded::SoftirqEntry { .. }) => {
                self.leaf(&format!("entry of {name}"), event.t_ns, next_ns)
            }
            _ => self.leaf(&name, event.t_ns, next_ns),
        }
    }

    /// A leaf that is worth a line only where it takes time: an interrupt shows its own two ends.
    fn wait(&mut self, name: &str, start_ns: i64, end_ns: i64) -> Result<(), TreeError> {
        if start_ns == end_ns { Ok(()) } else { self.leaf(name, start_ns, end_ns) }
    }

    fn leaf(&mut self, name: &str, start_ns: i64, end_ns: i64) -> Result<(), TreeError> {
        let duration_ns = end_ns.saturating_sub(start_ns);
        self.builder.open(name, Kind::Event, self.since_start(start_ns), duration_ns)?;
        self.builder.close()
    }

    fn since_start(&self, t_ns: i64) -> i64 {
        t_ns.saturating_sub(self.case.start_ns)
    }
}

/// The same for all events that mean the same.
fn name_of(case: &Case<'_>, event: &Seen<'_>, around: &Surroundings<'_, '_>) -> String {
    let event_name = around.event_name(event);
    let whose = |pid: i32| if case.pid == Some(pid) { "this task" } else { "another task" };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match event.decoded() {
        Some(Decoded::Switch(switch)) => match switch.next.pid {
            0 => "sched_switch → idle".to_owned(),
            pid => format!("sched_switch → {}", whose(pid)),
        },
        Some(Decoded::Waking(task) | Decoded::Wakeup(task)) => format!("{event_name} {}", whose(task.pid)),
        Some(Decoded::InterruptEntry { interrupt, handler }) => match interrupt {
            Interrupt::Named(name) if IPIS.contains(&name) => format!("IPI {}", text(name)),
            Interrupt::Named(name) => format!("irq {}", text(name)),
            Interrupt::Line(number) if handler.is_empty() => format!("irq {number}"),
            Interrupt::Line(_) => format!("irq {}", text(handler)),
        },
        Some(Decoded::InterruptExit { interrupt }) => match interrupt {
            Interrupt::Named(name) => format!("exit of irq {}", text(name)),
            Interrupt::Line(number) => format!("exit of irq {number}"),
        },
        Some(Decoded::SoftirqEntry { vector, .. }) => softirq("softirq", vector, event.args),
        Some(Decoded::SoftirqExit { vector }) => softirq("exit of softirq", vector, event.args),
        Some(Decoded::SoftirqRaise { vector }) => softirq("softirq_raise", vector, event.args),
        Some(Decoded::CpuIdle { state: Some(state) }) => format!("cpu_idle state {state}"),
        Some(Decoded::CpuIdle { state: None }) => "cpu_idle exit".to_owned(),
        Some(Decoded::TimerStart(timer)) => format!("{event_name} {}", text(timer.function)),
        Some(Decoded::TimerExpiry(timer)) => format!("{event_name} {}", text(timer.function)),
        Some(Decoded::SyscallEnter { nr: Some(nr) } | Decoded::SyscallExit { nr: Some(nr), .. }) => {
            format!("{event_name} {nr}")
        }
        Some(Decoded::Migration(migration)) => format!("{event_name} {}", whose(migration.pid)),
        _ => event_name.to_owned(),
    }
}

/// `softirq TIMER`, or by number where the file has no name.
fn softirq(what: &str, vector: i64, args: &str) -> String {
    let action = args.split_once("[action=").and_then(|(_, rest)| rest.split_once(']'));
    match action {
        Some((action, _)) => format!("{what} {action}"),
        None => format!("{what} {vector}"),
    }
}

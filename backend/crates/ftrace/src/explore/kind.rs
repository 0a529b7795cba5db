//! Kinds of slices, as lanes and requests name them.

/// Slices of function calls.
pub const CALL: i16 = 5;

/// Stored number and public name of every kind.
const KINDS: &[(i16, &str)] = &[
    (1, "sched"),
    (2, "irq"),
    (3, "softirq"),
    (4, "idle"),
    (CALL, "call"),
    (6, "irqsoff"),
    (7, "preemptoff"),
    (8, "syscall"),
    (9, "noise"),
];

pub fn name(kind: i16) -> &'static str {
    KINDS.iter().find(|(number, _)| *number == kind).map_or("other", |(_, name)| name)
}

pub fn parse(name: &str) -> Option<i16> {
    KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
}

/// Names of all kinds that have lanes on the timeline, for messages.
pub fn timeline_names() -> String {
    let names: Vec<&str> = KINDS.iter().filter(|(kind, _)| *kind != CALL).map(|(_, name)| *name).collect();
    names.join(", ")
}

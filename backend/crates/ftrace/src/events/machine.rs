//! What the numbers of system calls mean on a machine: every architecture has numbers of its own.

use hashbrown::HashMap;

/// A machine whose numbers are known. Calls of 32-bit programs on it have other numbers, which events of
/// `raw_syscalls` do not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    X86_64,
    Arm64,
}

/// Events that only one architecture has: those of arch/x86/include/asm/trace/irq_vectors.h.
const X86_EVENTS: [&[u8]; 3] = [b"local_timer_entry", b"reschedule_entry", b"call_function_single_entry"];
/// Functions through which every system call goes.
const ENTRY_FUNCTIONS: [(&[u8], Machine); 4] = [
    (b"do_syscall_64", Machine::X86_64),
    (b"entry_SYSCALL_64_after_hwframe", Machine::X86_64),
    (b"el0_svc", Machine::Arm64),
    (b"do_el0_svc", Machine::Arm64),
];
/// What a kernel's name says of its machine: `uname -m`, and Debian's names.
const KERNEL_NAMES: [(&str, Machine); 4] = [
    ("x86_64", Machine::X86_64),
    ("amd64", Machine::X86_64),
    ("aarch64", Machine::Arm64),
    ("arm64", Machine::Arm64),
];

impl Machine {
    /// The machine of a kernel by its release, or the rest of `uname`: `6.12.95+deb12-amd64`.
    pub fn of_kernel(kernel: &str) -> Option<Self> {
        let mut words = kernel.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words
            .find_map(|word| KERNEL_NAMES.iter().find(|(name, _)| *name == word).map(|(_, machine)| *machine))
    }

    /// The only machine whose kernel has an event of this name.
    pub fn of_event(name: &[u8]) -> Option<Self> {
        X86_EVENTS.contains(&name).then_some(Self::X86_64)
    }

    /// The only machine whose kernel enters system calls through this function.
    pub fn of_function(name: &[u8]) -> Option<Self> {
        ENTRY_FUNCTIONS.iter().find(|(function, _)| *function == name).map(|(_, machine)| *machine)
    }

    /// The names of its system calls by their number.
    pub fn syscalls(self) -> HashMap<i64, &'static str> {
        let table = match self {
            Self::X86_64 => include_str!("syscalls/x86_64.txt"),
            Self::Arm64 => include_str!("syscalls/arm64.txt"),
        };
        // 230 clock_nanosleep
        let rows = table.lines().filter_map(|line| line.split_once(' '));
        rows.filter_map(|(number, name)| Some((number.parse().ok()?, name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_known_by_its_kernel_events_or_functions() {
        assert_eq!(Machine::of_kernel("6.12.95+deb12-amd64"), Some(Machine::X86_64));
        assert_eq!(Machine::of_kernel("6.12.1 #1 SMP aarch64"), Some(Machine::Arm64));
        assert_eq!(Machine::of_kernel("6.12.95-trace-preempt"), None);
        assert_eq!(Machine::of_event(b"local_timer_entry"), Some(Machine::X86_64));
        assert_eq!(Machine::of_event(b"irq_handler_entry"), None);
        assert_eq!(Machine::of_function(b"el0_svc"), Some(Machine::Arm64));
    }

    #[test]
    fn every_line_of_the_tables_is_read() {
        let [x86_64, arm64] = [Machine::X86_64, Machine::Arm64].map(Machine::syscalls);
        assert_eq!((x86_64.len(), arm64.len()), (380, 323));
        let names = |nr| (x86_64.get(&nr).copied(), arm64.get(&nr).copied());
        assert_eq!(names(230), (Some("clock_nanosleep"), Some("mlockall")));
        assert_eq!(names(115), (Some("getgroups"), Some("clock_nanosleep")));
        assert_eq!(names(466), (Some("removexattrat"), Some("removexattrat")));
        assert_eq!(names(400), (None, None));
    }
}

//! Which system call an event of `raw_syscalls` is about.

use super::fields::{leading_number, number};

/// Every system call has an event of its own, named so, that says nothing of its number.
pub const NAMED: [(&str, bool); 2] = [("sys_enter_", true), ("sys_exit_", false)];

/// What calls are called of which no more is known than their number: `syscall 230`.
pub const NUMBERED: &str = "syscall ";

/// The number in the arguments of `sys_enter` and `sys_exit`; `None` where they name none, as those of
/// the events of single calls.
///
/// Source: include/trace/events/syscalls.h, Linux 2.6.38 to 6.18.
pub fn nr(args: &[u8]) -> Option<i64> {
    // NR 230 (1, 1, 7f39ed1868d0, 0, 0, 0)
    // NR 230 = 0
    match args.trim_ascii_start().strip_prefix(b"NR ") {
        Some(rest) => leading_number(rest.trim_ascii_start()).map(|(nr, _)| nr),
        // With the option `fields`: id=0x2c (44) args=...
        None => number(args, b"id"),
    }
}

/// The call of an event by the event's name: `clock_nanosleep` of `sys_enter_clock_nanosleep`.
pub fn name_of(event: &[u8]) -> Option<&[u8]> {
    NAMED.iter().find_map(|(prefix, _)| event.strip_prefix(prefix.as_bytes())).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_its_number_or_by_its_name() {
        assert_eq!(nr(b"NR 230 (1, 1, 7f39, 0, 0, 0)"), Some(230));
        assert_eq!(nr(b"NR 230 = -4"), Some(230));
        assert_eq!(nr(b"NR -1 = 0"), Some(-1));
        assert_eq!(nr(b"id=0x2c (44) args=<INVALID-SIZE>"), Some(44));
        assert_eq!(nr(b"which_clock: 1, flags: 1"), None);
        assert_eq!(name_of(b"sys_enter_clock_nanosleep"), Some(b"clock_nanosleep".as_slice()));
        assert_eq!(name_of(b"sys_exit_read"), Some(b"read".as_slice()));
        assert_eq!(name_of(b"sys_enter"), None);
        assert_eq!(name_of(b"sys_exit_"), None);
    }
}

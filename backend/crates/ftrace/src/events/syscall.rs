//! Which system call an event of `raw_syscalls` is about.

use memchr::memmem;

use super::fields::{after_key, leading_number, number};
use super::number::parse_number;

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

/// What `sys_exit`, or the event of a single call, says that the call returned.
pub fn result(args: &[u8]) -> Option<i64> {
    // NR 230 = -516
    // -> 0xfffffffffffffdfc
    // __syscall_nr=0xe6 (230) ret=0xfffffffffffffdfc (-516)
    let args = args.trim_ascii_start();
    let behind =
        |sign: &[u8]| memmem::find(args, sign).and_then(|at| args.get(at.checked_add(sign.len())?..));
    let text = match args.strip_prefix(b"NR ") {
        // Half of what is recorded of system calls: no search for what cannot be there.
        Some(raw) => memchr::memchr(b'=', raw).and_then(|at| raw.get(at.checked_add(2)?..)).unwrap_or(args),
        None => after_key(args, b"ret").or_else(|| behind(b"-> ")).or_else(|| behind(b" = ")).unwrap_or(args),
    };
    parse_number(str::from_utf8(text.split(|byte| *byte == b' ').next()?).ok()?)
}

/// EINTR, and what the kernel says to itself of calls that a signal ends: ERESTARTSYS, ERESTARTNOINTR,
/// ERESTARTNOHAND and ERESTART_RESTARTBLOCK. Sources: include/uapi/asm-generic/errno-base.h, include/linux/errno.h.
pub fn is_interruption(result: i64) -> bool {
    matches!(result, -4 | -512 | -513 | -514 | -516)
}

/// ETIMEDOUT: a wait that was to end at a time has. Source: include/uapi/asm-generic/errno.h.
pub fn is_time_out(result: i64) -> bool {
    result == -110
}

/// The call of an event by the event's name: `clock_nanosleep` of `sys_enter_clock_nanosleep`.
pub fn name_of(event: &[u8]) -> Option<&[u8]> {
    NAMED.iter().find_map(|(prefix, _)| event.strip_prefix(prefix.as_bytes())).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_in_every_form() {
        assert_eq!(result(b"NR 230 = -516"), Some(-516));
        assert_eq!(result(b"NR 230 = 0"), Some(0));
        assert_eq!(result(b"-> 0xfffffffffffffdfc"), Some(-516));
        assert_eq!(result(b"0xfffffffffffffdfc"), Some(-516));
        assert_eq!(result(b"0x0"), Some(0));
        assert_eq!(result(b"(-1, 7f00)"), None);
        assert_eq!(result(b"__syscall_nr=0xe6 (230) ret=0xfffffffffffffdfc (-516)"), Some(-516));
        assert_eq!(result(b""), None);
        assert!(
            is_interruption(-516) && is_interruption(-4) && !is_interruption(0) && !is_interruption(-515)
        );
    }

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

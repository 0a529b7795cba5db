//! Signs in the fields of an event that nothing prints: brackets that do not close, values without a name, a unit that
//! is missing.

use super::scan;

/// True for the arguments of a probe, `(do_sys_open+0x0/0xd6) dfd=3` or `(f+0x1/0x2 <- g)`, of which a bracket is gone,
/// or the blank after it.
pub fn is_open_probe(args: &[u8]) -> bool {
    let before_fields = args.split(|byte| *byte == b'=').next().unwrap_or_default();
    if !args.starts_with(b"(") {
        let close = memchr::memchr(b')', before_fields);
        let is_address = memchr::memmem::find(before_fields, b"+0x").is_some();
        return is_address
            && close.is_some_and(|at| memchr::memchr(b'(', args.get(..at).unwrap_or(args)).is_none());
    }
    let Some(close) = memchr::memchr(b')', args) else { return true };
    let behind = args.get(close.saturating_add(1)).copied();
    let is_address = memchr::memmem::find(args.get(..close).unwrap_or_default(), b"+0x").is_some();
    is_address && behind.is_some_and(|byte| !scan::is_blank(byte))
}

/// True where a `=` with a value after it has no name before it: `cpulogin: =5`.
pub fn has_nameless_value(args: &[u8]) -> bool {
    args.starts_with(b"=")
        || memchr::memchr_iter(b'=', args).any(|at| {
            let is_apart = at.checked_sub(1).and_then(|before| args.get(before)) == Some(&b' ');
            is_apart && args.get(at.saturating_add(1)).is_some_and(u8::is_ascii_alphanumeric)
        })
}

/// True where some of the durations of the scheduler's statistics have lost their unit, or their first name is gone:
/// `comm=x pid=3 runtime=4 [ns] vruntime=5 [ns]`. Raw fields have no units at all.
/// Source: include/trace/events/sched.h, Linux 2.6.38 to 7.3.
pub fn lacks_unit(args: &[u8]) -> bool {
    let count = |text: &[u8]| memchr::memmem::find_iter(args, text).count();
    let units = count(b" [");
    let durations = count(b"runtime=").saturating_add(count(b" delay="));
    let behind_pid = memchr::memmem::rfind(args, b" pid=").and_then(|at| args.get(at..)).unwrap_or_default();
    let mut words = behind_pid.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let has_other_word = words.any(|word| !word.contains(&b'=') && !word.starts_with(b"["));
    has_other_word
        || units > 0 && (units != durations || units != count(b" [ns]") || !args.starts_with(b"comm="))
}

/// True where the name of a field holds what no name does: `cpu_}d=2`, `c]omm=x`.
pub fn has_odd_name(args: &[u8]) -> bool {
    let is_odd = |byte: &u8| {
        matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b';' | b'?' | b'@' | b'\\' | b'^')
            || matches!(byte, b'`' | b'{'..=0xff)
    };
    let mut words = args.split(|byte| *byte == b' ');
    words.any(|word| {
        let name = scan::split_once(word, b"=").map(|(name, _)| name).unwrap_or_default();
        let is_closed = name.contains(&b']') && !name.contains(&b'[');
        is_closed || name.first().is_some_and(u8::is_ascii_lowercase) && name.iter().any(is_odd)
    })
}

/// True where the address of a timer has come apart: `hrtimer=0000000 4b59c7f3 clockid=CLOCK_MONOTONIC`, or holds
/// another field: `hrtimer=t_cpu=001`.
pub fn has_open_address(args: &[u8]) -> bool {
    let is_of_timer = args.starts_with(b"hrtimer=") || args.starts_with(b"timer=");
    let (address, behind) = scan::word(args);
    if is_of_timer && memchr::memchr_iter(b'=', address).nth(1).is_some() {
        return true;
    }
    let behind = scan::skip_blanks(behind);
    // The option `fields` prints numbers twice: `hrtimer=0xffff8e0479d26418 (-125325101865960)`.
    let is_number = behind.first() == Some(&b'(');
    is_of_timer && !behind.is_empty() && !is_number && !scan::word(behind).0.contains(&b'=')
}

/// True where an argument of a system call in words is no number, or one that has come apart: `rmtp: `,
/// `buf: 7ffdb77 9690`, `buf: x07f65`.
pub fn has_odd_argument(args: &[u8]) -> bool {
    let is_of_digits = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'x');
    // Strings may hold anything.
    !args.contains(&b'"')
        && args.split(|byte| *byte == b',').filter_map(|argument| scan::split_once(argument, b": ")).any(
            |(_, value)| {
                let (first, behind) = scan::word(scan::skip_blanks(value));
                let (second, _) = scan::word(scan::skip_blanks(behind));
                let has_sign =
                    memchr::memchr(b'x', first).is_some_and(|at| at != 1 || first.first() != Some(&b'0'));
                first.is_empty()
                    || first.first() == Some(&b'-')
                    || !value.is_ascii()
                    || is_of_digits(first) && (has_sign || !second.is_empty() && is_of_digits(second))
            },
        )
}

/// True for a system call in words that does not close, or of which a value has lost its name:
/// `sys_fcntl(fd: a, cmd 1, arg: 0)`.
pub fn is_open_call(payload: &[u8]) -> bool {
    let text = scan::trim_end(payload);
    let Some(open) = memchr::memchr(b'(', text) else { return false };
    let args = text.get(open.saturating_add(1)..).unwrap_or_default();
    // Strings, and what people write after a call, may hold anything.
    if args.contains(&b'"') || memchr::memmem::find(args, b"<-").is_some() {
        return false;
    }
    let Some(inside) = args.strip_suffix(b")") else {
        let behind =
            memchr::memchr(b')', args).map(|close| args.get(close.saturating_add(1)..).unwrap_or_default());
        return behind.is_none_or(|behind| behind.first().is_some_and(|byte| !scan::is_blank(*byte)));
    };
    let is_value = |(number, value): (usize, &[u8])| {
        let colon = memchr::memchr(b':', value);
        let behind = colon.and_then(|at| value.get(at.saturating_add(1)));
        (number == 0 || value.first() == Some(&b' ')) && behind == Some(&b' ')
    };
    !inside.is_empty() && !inside.split(|byte| *byte == b',').enumerate().all(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_names_its_place_in_brackets() {
        for args in [
            "(do_sys_open+0x0/0xd6) dfd=3",
            "(f+0x1/0x2 <- g) arg1=0x1",
            "(0x446540 <- 0x446420)",
            "",
            "a=(1)",
        ] {
            assert!(!is_open_probe(args.as_bytes()), "{args}");
        }
        for args in ["(do_sys_open+0x0/0x", "do_sys_open+0x0/0xd6) dfd=3", "(do_sys_open+0x0/0xd6)dfd=3"] {
            assert!(is_open_probe(args.as_bytes()), "{args}");
        }
    }

    #[test]
    fn a_value_has_a_name_and_a_unit() {
        for args in ["prev_state=R ==> next_comm=x", "dev = (7,0), ino = 8", "NR 1 = 1", "name= a"] {
            assert!(!has_nameless_value(args.as_bytes()), "{args}");
        }
        assert!(has_nameless_value(b"cpulogin: =5 load=2"));
        assert!(has_nameless_value(b"=0xffff8ee7b9d36a00"));
        for args in [
            "comm=x pid=3 runtime=4 [ns] vruntime=5 [ns]",
            "comm=x pid=3 runtime=4 vruntime=5",
            "comm=x delay=1 [ns]",
        ] {
            assert!(!lacks_unit(args.as_bytes()), "{args}");
        }
        for args in [
            "comm=x pid=3 runtime=4 vruntime=5 [ns]",
            "comm=x delay=1 [ns] [ns]",
            "comm.x pid=3 runtime=4 [ns]",
        ] {
            assert!(lacks_unit(args.as_bytes()), "{args}");
        }
    }

    #[test]
    fn a_call_closes_and_names_its_values() {
        for payload in [
            "sys_close(fd: a)",
            "sys_getpid()",
            "sys_x(fd: a, name: 7f \"a, b\")",
            "sys_x(fd: a) <- slow",
            "sys_x(fd: a) <== slow",
        ] {
            assert!(!is_open_call(payload.as_bytes()), "{payload}");
        }
        for payload in [
            "sys_fcntl(fd: a, cmd 1, arg: 0)",
            "sys_fcntl(fd: a,cmd: 1)",
            "sys_fcntl(fd:a, cmd: 1)",
            "sys_fcntl(fd: a, cm",
            "sys_fcntl(fd: a, cmd: >",
            "sys_x(fd: a, rmtp: 0)eep, the next expected waking up time",
        ] {
            assert!(is_open_call(payload.as_bytes()), "{payload}");
        }
    }
}

//! Values of an event's fields that nothing prints: numbers with the end of another line, two fields in one, gaps.

use super::scan;
use super::unnamed::unnamed;

/// Blanks that no event prints between its fields, but columns have between a name and its text.
const MIN_GAP: usize = 6;
/// Places in a text that are looked at, so that a long one takes no longer than its length.
const MAX_PLACES: usize = 16;
/// Letters of a field that are no coincidence.
const MIN_REPEATED: usize = 2;

/// True where a value of the event `name` is put together from two lines. Asked of every line, so that what most lines
/// do not have is looked for first.
pub fn are_odd(name: &[u8], args: &[u8]) -> bool {
    let has = Signs::of(args);
    let is_odd = |args: &[u8]| {
        has.fields && args.ends_with(b"]") && !args.contains(&b'[')
            || has.fields && (name.starts_with(b"sched_") && has_odd_number(args) || holds_field(args))
            || has.blanks && has_gap(args)
            || has.colon && (goes_on_as_name(args) || names_event(args))
    };
    // A task's name may hold anything.
    is_odd(args) && is_odd(&unnamed(args))
        // A switch of which a task is gone.
        || has.blanks && memchr::memmem::find(args, b" ==>  ==> ").is_some()
        || has.colon && begins_twice(args)
        || args.starts_with(b"(") && is_odd_probe(args)
        || args.starts_with(b"sys_") && is_return_of_call(args)
        // `NR 44 (3, 5626d149de40)` has a check of its own.
        || !has.fields && !args.starts_with(b"NR ") && (has_word_twice(args) || has_open_bracket(args))
}

/// What a text holds, found in one pass.
struct Signs {
    /// `=`
    fields: bool,
    /// Two blanks, one behind the other.
    blanks: bool,
    /// A colon with a blank behind it.
    colon: bool,
}

impl Signs {
    fn of(text: &[u8]) -> Self {
        let mut signs = Self { fields: text.first() == Some(&b'='), blanks: false, colon: false };
        for (one, next) in text.iter().zip(text.get(1..).unwrap_or_default()) {
            signs.fields |= *next == b'=';
            signs.blanks |= (*one == b' ') & (*next == b' ');
            signs.colon |= (*one == b':') & (*next == b' ');
        }
        signs
    }
}

/// `next_prio=12ake_idle_without_ipi: cpu=2`: processes, priorities and CPUs are numbers.
fn has_odd_number(args: &[u8]) -> bool {
    memchr::memchr_iter(b'=', args).any(|at| {
        let (key, value) = args.split_at_checked(at).unwrap_or_default();
        let is_number = match key.last() {
            Some(b'd') => key.ends_with(b"pid"),
            Some(b'o') => key.ends_with(b"prio"),
            Some(b'u') => key.ends_with(b"cpu"),
            _ => false,
        };
        is_number && !begins_with_number(value.get(1..).unwrap_or_default())
    })
}

/// `12 `, `-1`, `0x78 (120)`
fn begins_with_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
    let count = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    count > 0 && matches!(digits.get(count), None | Some(b' '))
}

/// `freq=0x8220x_allocatable_power=7264`, `load=ARpelt=0`: a value that goes on as the name of a field.
fn holds_field(args: &[u8]) -> bool {
    let mut value: Option<usize> = None;
    // A third `=` in a word: `url=http://a/?b=1c=2`.
    let mut is_later = false;
    memchr::memchr_iter(b'=', args).any(|at| {
        let start = value.replace(at.saturating_add(1));
        let before = start.and_then(|start| args.get(start..at)).unwrap_or_default();
        let is_one_word = start.is_some() && !before.contains(&b' ');
        let is_first = is_one_word && !std::mem::replace(&mut is_later, is_one_word);
        let behind = args.get(at.saturating_add(1));
        is_first
            && !before.is_empty()
            && before.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && behind.is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// `offset=750es_written: 256`: the same before a colon.
fn goes_on_as_name(args: &[u8]) -> bool {
    const MIN_LETTERS: usize = 3;
    scan::places_of(args, *b": ").take(MAX_PLACES).any(|colon| {
        let before = args.get(..colon).unwrap_or_default();
        let word = before.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        let (_, value) = scan::split_once(word, b"=").unwrap_or_default();
        let name = scan::digits(value).1;
        name.len() >= MIN_LETTERS
            && name.len() < value.len()
            && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
    })
}

/// `prev_value=2 curr_         hrtimer=0xffff`: blanks as between columns behind a part of a name, between fields.
fn has_gap(args: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_field = |word: &[u8]| {
        let name = scan::split_once(word, b"=").map(|(name, _)| name).unwrap_or_default();
        !name.is_empty() && name.iter().all(is_of_name)
    };
    // Where each run of blanks begins.
    let is_start =
        |at: &usize| at.checked_sub(1).and_then(|at| args.get(at)).is_some_and(|byte| *byte != b' ');
    let gaps = scan::places_of(args, *b"  ").filter(is_start);
    is_field(scan::word(args).0)
        && gaps.take(MAX_PLACES).any(|at| {
            let (before, behind) = args.split_at_checked(at).unwrap_or_default();
            let last = before.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
            // The value of a field may hold blanks, but few have an underscore then, and no number has.
            let value = before.rsplit(|byte| *byte == b'=').next().unwrap_or_default();
            let is_part = last.len() < value.len()
                && last.iter().all(is_of_name)
                && (last.contains(&b'_') || value.first().is_some_and(u8::is_ascii_digit));
            is_part
                && behind.starts_with(&[b' '; MIN_GAP])
                && is_field(scan::word(scan::skip_blanks(behind)).0)
        })
}

/// `am: amd_min_perf=85`: the beginning of the line, and then the whole of another.
fn begins_twice(args: &[u8]) -> bool {
    let Some((before, behind)) = scan::split_once(args, b": ") else { return false };
    let field = scan::split_once(behind, b"=").map(|(field, _)| field).unwrap_or_default();
    let is_name =
        field.contains(&b'_') && field.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    before.len() >= MIN_REPEATED && is_name && field.len() > before.len() && field.starts_with(before)
}

/// `(0x446420- 0x446420) arg1=1`, `(f+0x0/0xd6) mode=1b1b/0x1d <- f) $retval=3`: the place of a probe is an address, or one
/// and the one that it returns to.
/// Source: kernel/trace/trace_probe.c and trace_kprobe.c (`print_kprobe_event`), Linux 2.6.33 to 7.3.
fn is_odd_probe(args: &[u8]) -> bool {
    let Some((inside, behind)) = args.strip_prefix(b"(").and_then(|args| scan::split_once(args, b")")) else {
        return false;
    };
    let is_probe = inside.starts_with(b"0x") || memchr::memmem::find(inside, b"+0x").is_some();
    let is_whole = match scan::split_once(inside, b" <- ") {
        Some((at, from)) => is_place(at) && is_place(from),
        None => is_place(inside),
    };
    let has_return = memchr::memmem::find(behind, b" <- ")
        .is_some_and(|at| behind.iter().skip(at).any(|byte| *byte == b')'));
    is_probe && (!is_whole || has_return || closes_only(scan::word(scan::skip_blanks(behind)).0))
}

/// `0x446420`, `do_sys_open+0x0/0xd6`, `f+0x0/0x1 [mod]`
fn is_place(text: &[u8]) -> bool {
    let (place, module) = scan::word(text);
    let is_module = module.is_empty() || module.starts_with(b" [") && module.ends_with(b"]");
    let digits = place.strip_prefix(b"0x");
    is_module && digits.is_none_or(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// `sys_rt_sigaction -> 0x0`, behind the name of an event: what a system call returns has a line of its own.
/// Source: kernel/trace/trace_syscalls.c (`print_syscall_exit`), Linux 2.6.30 to 7.3.
fn is_return_of_call(args: &[u8]) -> bool {
    args.strip_prefix(b"sys_").and_then(|call| scan::split_once(call, b" -> 0x")).is_some_and(
        |(call, value)| {
            call.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                && scan::parse_hex(value).is_some()
        },
    )
}

/// `power=1 load=125 staticr_allocator_pid: zone_id=0`, `[FAILEDsched_load_avg_cpu:   cpu=5`: behind fields, or with the
/// blanks of a column, a name with an underscore and a field of its own.
fn names_event(args: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    scan::places_of(args, *b": ").take(MAX_PLACES).any(|colon| {
        let (before, behind) = args.split_at_checked(colon).unwrap_or_default();
        let length = before.iter().rev().take_while(|byte| is_of_name(byte)).count();
        let (before, name) = before.split_at_checked(before.len().saturating_sub(length)).unwrap_or_default();
        let field = scan::split_once(behind, b"=").map(|(field, _)| field).unwrap_or_default();
        let blanks = field.iter().skip(1).take_while(|byte| **byte == b' ').count();
        let field = field.get(blanks.saturating_add(1)..).unwrap_or_default();
        let words = before.rsplit(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let is_behind_fields = || words.take(2).filter(|word| word.contains(&b'=')).count() == 2;
        name.contains(&b'_')
            && !before.is_empty()
            && !field.is_empty()
            && field.iter().all(is_of_name)
            && (blanks > 1 || is_behind_fields())
    })
}

/// `dev 8,13 ino 354028,13 ino 3539230`: a name twice, each before a number; numbers are joined by other words.
fn has_word_twice(args: &[u8]) -> bool {
    let words = || args.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let is_number = |word: &[u8]| word.first().is_some_and(u8::is_ascii_digit);
    let is_name = |word: &[u8]| word.iter().all(u8::is_ascii_lowercase);
    let mut names = words().zip(words().skip(1)).filter(|(name, number)| is_name(name) && is_number(number));
    let Some((first, _)) = names.next() else { return false };
    let mut last = first;
    let is_joined = |word: &[u8]| matches!(word, b"to" | b"from" | b"and" | b"->");
    !words().any(is_joined)
        && names.any(|(name, _)| {
            let is_twice = name == first || name == last;
            last = name;
            is_twice
        })
}

/// `(virtnet_cpu_onlitate: 143`, `7, tp: 7ffdea2525f0)`: in a text without fields, whose values may hold anything. An
/// interval has one bracket of each kind: `[0/1)`.
fn has_open_bracket(args: &[u8]) -> bool {
    memchr::memchr2(b'"', b'\'', args).is_none() && scan::has_open_bracket(args, b"([", b")]")
}

/// True where the first bracket closes.
fn closes_only(text: &[u8]) -> bool {
    memchr::memchr2(b'(', b')', text).is_some_and(|at| text.get(at) == Some(&b')'))
}

#[cfg(test)]
mod tests {
    use super::are_odd;

    #[test]
    fn a_value_is_of_one_line() {
        for (name, args) in [
            (
                "sched_switch",
                "prev_comm=a prev_pid=1 prev_prio=-1 prev_state=R ==> next_comm=b next_pid=2 next_prio=120",
            ),
            ("sched_waking", "comm=prio=x pid=5 prio=120 target_cpu=001"),
            ("sched_waking", "comm=0x61 pid=0x5 (5) prio=0x78 (120) target_cpu=0x1 (1)"),
            ("x", "freq=0x82208 load=3"),
            ("x", "key=0xab== other=1"),
            ("x", "url=http://a/?b=1c=2"),
            ("x", "size=4k: a"),
            ("x", "step: 143 (virtnet_cpu_online)"),
            ("x", "dev 254,0 ino 246947 found 1 [0/1) 1568218 WR"),
            ("x", "it said \"(\""),
            ("x", "name=two words      size=3"),
            ("x", "comm=Web Content      pid=3"),
            ("hrtimer_start", "hrtimer=1    function=f"),
            ("x", "dev: device=3"),
            ("zfree", "(0x446540 <- 0x446420) arg1=446540"),
            ("p", "(do_sys_open+0x0/0xd6) dfd=3"),
            ("x", "dev 8,13 ino 3540268 pos 0 len 12 flags 0"),
            ("x", "moved from node 0 to node 1"),
            ("x", "dev=8 sector: 5 size=3"),
            ("x", "result_code: code=5"),
            ("p", "(do_sys_open+0x0/0xd6 [mod]) dfd=3"),
            ("p", "(SyS_open+0x1b/0x1d <- do_sys_open) $retval=3"),
            ("p", "(f+0x1b/0x1d [mod] <- g [mod]) $retval=3"),
            ("sched_switch", "swapper/1:0 [120] R ==> rt:9 [120]"),
        ] {
            assert!(!are_odd(name.as_bytes(), args.as_bytes()), "{name}: {args}");
        }
        for (name, args) in [
            (
                "sched_switch",
                "prev_comm=a prev_pid=1 ==> next_comm=b next_pid=2 next_prio=12ake_idle_without_ipi: cpu=2",
            ),
            ("sched_waking", "comm=a pid= prio=120"),
            ("x", "freq=0x8220x_allocatable_power=7264"),
            ("x", "freq=0x240a90 load=ARpelt=0 util=0"),
            ("x", "ino=13 offset=750es_written: 256"),
            ("x", "power=2410tor: [FAILED TO PARSE] id=0"),
            ("x", "step: 143 (virtnet_cpu_onlitate: 143 ret: 0"),
            ("timer_expire_entry", "timer=45 function=f now=4294923505 baseclkction=SCHED]"),
            ("sys_rt_sigprock", "7, tp: 7ffdea2525f0)"),
            ("zfree_exit", "(0x446540 <- 0x446420) arg) arg1=446420"),
            ("x", "action=0x1 prev_value=2 curr_         hrtimer=0xff clockid=1"),
            ("x", "action=0x0 pr        hrtimer=0xff clockid=1"),
            ("x", "am: amd_min_perf=85 amd_des_perf=85"),
            ("x", "load=4 power=125 staticr_allocator_pid: zone_id=0 err=-4553"),
            ("x", "[FAILEDsched_load_avg_cpu:   cpu=5 load_avg=253"),
            ("x", "dev 8,13 ino 354028,13 ino 3539230 pos 0"),
            ("zfree", "(0x446420- 0x446420) arg1=446540"),
            ("p", "(do_sys_open+0x0/0xd6) mode=1b1b/0x1d <- do_sys_open) $retval=3"),
            ("sched_s705733", "sys_rt_sigaction -> 0x0"),
            ("sched_switch", "swapper/1:0 [120] R ==>  ==> rt:9 [120]"),
        ] {
            assert!(are_odd(name.as_bytes(), args.as_bytes()), "{name}: {args}");
        }
    }
}

//! Lines that the kernel prints in one way only: entries of its tracers, and of system calls.
//!
//! A sign more, a blank less or a column gone is damage there, however few lines of the kind a text has.
//! Sources: kernel/trace/trace_output.c, trace_osnoise.c (`print fmt` of include/trace/events/osnoise.h),
//! kernel/trace/trace_syscalls.c, Linux 4.14 to 7.3.

use super::payload::Payload;
use super::{annotation, known_fields, odd_values, printed_fields, scan};
use crate::model::EventKind;

/// The longest noise, and what has interfered: hardware, NMIs, interrupts, soft interrupts, threads.
const OSNOISE_COUNTERS: usize = 6;
/// Arguments of a system call without names.
const SYSCALL_ARGUMENTS: usize = 6;

/// True for a line that is not as the kernel prints its kind.
pub fn is_changed(payload: &Payload<'_>) -> bool {
    match *payload {
        Payload::Event { kind: EventKind::Tracer, name, args } => is_changed_entry(name, bare(args)),
        Payload::Event { kind: EventKind::Tracepoint, name, args } => {
            let bare = bare(args);
            is_changed_event(name, bare)
                || !is_event_name(name)
                || is_in_capitals(name)
                || has_glued_value(args)
                || is_chopped(args)
                || is_entry(args)
                || annotation::has_glued_arrow(args)
                || printed_fields::is_open_probe(args)
                || printed_fields::has_nameless_value(args)
                || printed_fields::has_odd_name(args)
                || printed_fields::has_open_address(args)
                || known_fields::are_missing(name, bare)
                || known_fields::hold_another_event(name, args)
                || odd_values::are_odd(name, bare)
        }
        Payload::Syscall { enter, call, args } => {
            !call.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                || enter && printed_fields::has_odd_argument(args)
        }
        Payload::Function { function, parent } => {
            !is_function(function)
                || is_in_capitals(function)
                || parent.is_some_and(|parent| !is_function(bare(parent)))
        }
        _ => false,
    }
}

/// Arguments without the note of a person, or blanks, after them.
fn bare(args: &[u8]) -> &[u8] {
    scan::trim_end(annotation::note(args).map_or(args, |(args, _)| args))
}

fn is_changed_entry(tracer: &[u8], args: &[u8]) -> bool {
    let is_as_printed = match tracer {
        b"timerlat" => timerlat(args),
        b"wakeup" | b"context_switch" => wakeup(args),
        b"hwlat" => hwlat(args),
        b"osnoise" => osnoise(args),
        _ => Some(()),
    };
    is_as_printed.is_none()
}

/// `#%-5u context %6s timer_latency %9llu ns`
fn timerlat(args: &[u8]) -> Option<()> {
    let context = numbered(args)?.strip_prefix(b"context ")?;
    let rest = match context.strip_prefix(b"user ret") {
        Some(rest) => rest,
        None => padded_word(context, 6)?.1,
    };
    let (_, rest) = padded_word(rest.strip_prefix(b" timer_latency ")?, 9)?;
    (rest == b" ns").then_some(())
}

/// `#%-5u inner/outer(us): %4llu/%-5llu ts:%lld.%09ld count:%d`; a mailer may have broken the line after the colon.
fn hwlat(args: &[u8]) -> Option<()> {
    if args.ends_with(b"inner/outer(us):") {
        return Some(());
    }
    let rest = numbered(args)?.strip_prefix(b"inner/outer(us):")?;
    let (_, rest) = padded_word_until(rest.strip_prefix(b" ")?, 4, b'/')?;
    let (outer, _) = scan::number(rest.strip_prefix(b"/")?)?;
    let (_, rest) = rest.strip_prefix(b"/")?.split_at_checked(outer.to_string().len().max(5))?;
    let (_, rest) = scan::number(scan::skip_blanks(rest).strip_prefix(b"ts:")?)?;
    let (nanoseconds, rest) = scan::digits(rest.strip_prefix(b".")?);
    let is_ended = rest.is_empty() || rest.split(|byte| *byte == b' ').skip(1).all(is_named_number);
    (nanoseconds.len() == 9 && is_ended).then_some(())
}

/// `count:180`, `nmi-total:4`
fn is_named_number(word: &[u8]) -> bool {
    const NAMES: [&[u8]; 3] = [b"count", b"nmi-total", b"nmi-count"];
    scan::split_once(word, b":")
        .is_some_and(|(name, number)| NAMES.contains(&name) && scan::parse_u64(number).is_some())
}

/// `%llu %10llu %3llu.%05llu %7llu`, and counters of ` %6u`.
fn osnoise(args: &[u8]) -> Option<()> {
    let (_, rest) = scan::number(args)?;
    let (_, rest) = padded_word(rest.strip_prefix(b" ")?, 10)?;
    let (_, rest) = padded_word_until(rest.strip_prefix(b" ")?, 3, b'.')?;
    let (fraction, rest) = scan::digits(rest.strip_prefix(b".")?);
    let mut rest = rest;
    let mut columns = 0_usize;
    while !rest.is_empty() {
        let width = if columns == 0 { 7 } else { 6 };
        let column = rest.strip_prefix(b" ")?;
        let blanks = column.iter().take_while(|byte| **byte == b' ').count();
        let (digits, behind) = scan::digits(column.get(blanks..)?);
        let length = blanks.saturating_add(digits.len());
        if digits.is_empty() || length < width || length > width && blanks > 0 {
            return None;
        }
        columns = columns.saturating_add(1);
        rest = behind;
    }
    (fraction.len() == 5 && columns == OSNOISE_COUNTERS).then_some(())
}

/// What follows `#%-5u `.
fn numbered(args: &[u8]) -> Option<&[u8]> {
    let (digits, rest) = scan::digits(args.strip_prefix(b"#")?);
    let blanks = 5_usize.saturating_sub(digits.len()).saturating_add(1);
    let (padding, rest) = rest.split_at_checked(blanks)?;
    (padding.iter().all(|byte| *byte == b' ') && rest.first() != Some(&b' ')).then_some(rest)
}

/// `%5d:%3d:%c   + [%03d] %5d:%3d:%c comm`; of newer kernels `%7d`.
fn wakeup(args: &[u8]) -> Option<()> {
    let (_, rest) = scan::number(args)?;
    let rest = task(rest)?;
    let rest = rest.strip_prefix(b"   + [").or_else(|| rest.strip_prefix(b" ==> ["))?;
    let (_, rest) = scan::number(rest)?;
    let next = rest.strip_prefix(b"] ")?;
    let (_, rest) = padded_word_until(next, 7, b':').or_else(|| padded_word_until(next, 5, b':'))?;
    task(rest)?.strip_prefix(b" ").map(|_| ())
}

/// What follows `:%3d:%c`.
fn task(text: &[u8]) -> Option<&[u8]> {
    let (_, rest) = padded_word_until(text.strip_prefix(b":")?, 3, b':')?;
    let (_, rest) = rest.strip_prefix(b":")?.split_first()?;
    Some(rest)
}

fn padded_word(text: &[u8], width: usize) -> Option<(&[u8], &[u8])> {
    padded_word_until(text, width, b' ')
}

/// A word that blanks fill to `width` from the left, and what follows it.
fn padded_word_until(text: &[u8], width: usize, end: u8) -> Option<(&[u8], &[u8])> {
    let blanks = text.iter().take_while(|byte| **byte == b' ').count();
    let (_, word) = text.split_at_checked(blanks)?;
    let (word, rest) = word.split_at_checked(memchr::memchr(end, word)?)?;
    let length = blanks.saturating_add(word.len());
    (!word.is_empty() && (length == width || length > width && blanks == 0)).then_some((word, rest))
}

fn is_changed_event(name: &[u8], args: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(args, text).is_some();
    let is_as_printed = match name {
        // Raw fields have names.
        b"sys_enter" | b"sys_exit" if !args.contains(&b'=') || has(b"NR") => system_call(args),
        // trace-cmd's plugin: `cyclictest:622 [19] CPU:000`
        b"sched_wakeup" | b"sched_wakeup_new" if !has(b"comm=") && has(b" [") => has(b" CPU:").then_some(()),
        b"irq_noise" | b"softirq_noise" | b"thread_noise" if args.starts_with(b"start ") => None,
        b"irq_noise" | b"softirq_noise" | b"thread_noise" | b"nmi_noise" | b"sample_threshold" => noise(args),
        b"read_msr" | b"write_msr" | b"rdpmc" if !args.starts_with(b"msr=") => msr(args),
        _ if name.starts_with(b"sched_stat_") && printed_fields::lacks_unit(args) => None,
        b"sched_switch" if args.starts_with(b"prev_comm=") => switch(args),
        b"softirq_raise" | b"softirq_entry" | b"softirq_exit" if args.starts_with(b"vec=") => softirq(args),
        b"irq_handler_entry" => interrupt(args),
        _ if name.starts_with(b"x86_fpu_") => fpu(args),
        _ => Some(()),
    };
    is_as_printed.is_none()
}

/// `NR 230 = 0`, `NR 44 (3, 5626d149de40, 2000, 4000, 0, 0)`
fn system_call(args: &[u8]) -> Option<()> {
    let is_number = |digits: &[u8]| {
        digits != b"-0" && scan::parse_u64(digits.strip_prefix(b"-").unwrap_or(digits)).is_some()
    };
    let (number, rest) = scan::word(args.strip_prefix(b"NR ")?);
    if let Some(value) = rest.strip_prefix(b" = ") {
        return (is_number(number) && is_number(value)).then_some(());
    }
    let mut values = rest.strip_prefix(b" (")?.strip_suffix(b")")?.split(|byte| *byte == b',');
    let is_value = |value: &[u8]| scan::parse_hex(value).is_some();
    let is_first = values.next().is_some_and(is_value);
    let others = values.try_fold(1_usize, |count, value| {
        value.strip_prefix(b" ").is_some_and(is_value).then(|| count.saturating_add(1))
    });
    (is_number(number) && is_first && others == Some(SYSCALL_ARGUMENTS)).then_some(())
}

/// `local_timer:236 start 2932.676615639 duration 2391 ns`, ` interference 0` after it.
fn noise(args: &[u8]) -> Option<()> {
    let at = memchr::memmem::find(args, b"start ")?;
    let (who, rest) = args.split_at_checked(at)?;
    if let Some(who) = who.strip_suffix(b" ") {
        let colon = memchr::memrchr(b':', who)?;
        scan::parse_i32(who.get(colon.saturating_add(1)..)?)?;
        // What another line begins with, or the end of another name: `local_timer:236 st local_timer`.
        let has_number = memchr::memchr_iter(b':', who).any(|at| {
            let (digits, behind) = scan::digits(who.get(at.saturating_add(1)..).unwrap_or_default());
            !digits.is_empty() && behind.first() == Some(&b' ')
        });
        if has_number || memchr::memmem::find(who, b": ").is_some() {
            return None;
        }
    }
    let (_, rest) = scan::number(rest.strip_prefix(b"start ")?)?;
    let (nanoseconds, rest) = scan::digits(rest.strip_prefix(b".")?);
    let (_, rest) = scan::number(rest.strip_prefix(b" duration ")?)?;
    let rest = rest.strip_prefix(b" ns")?;
    let is_ended = match rest.strip_prefix(b" interference ") {
        Some(count) => scan::parse_u64(count).is_some(),
        None => rest.is_empty(),
    };
    (nanoseconds.len() == 9 && is_ended).then_some(())
}

/// `prev_state=R+ ==> next_comm=x`; trace-cmd's raw fields have no arrow.
fn switch(args: &[u8]) -> Option<()> {
    let at = memchr::memmem::find(args, b"next_comm=")?;
    let before = args.get(..at)?.strip_suffix(b" ")?;
    let before = before.strip_suffix(b" ==>").unwrap_or(before);
    let state =
        memchr::memmem::rfind(before, b"prev_state=").and_then(|at| before.get(at..)).unwrap_or(before);
    // The option `fields` prints a number twice: `prev_state=0x1 (1)`.
    let is_word = !state.starts_with(b"prev_state=") || state.ends_with(b")") || !state.contains(&b' ');
    let last = state.last().filter(|_| is_word)?;
    (last.is_ascii_alphanumeric() || matches!(last, b'+' | b'|' | b')')).then_some(())
}

/// `6e0, value 21d331afdacc`, and ` #GP` where it failed; raw fields have names.
/// Source: arch/x86/include/asm/msr-trace.h, Linux 4.4 to 7.3.
fn msr(args: &[u8]) -> Option<()> {
    let at = memchr::memmem::find(args, b", value ")?;
    let (number, value) = args.split_at_checked(at)?;
    let value = value.strip_prefix(b", value ")?;
    let value = value.strip_suffix(b" #GP").unwrap_or(value);
    let is_hex = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    (is_hex(number) && is_hex(value)).then_some(())
}

/// `vec=7 [action=SCHED]`; trace-cmd's raw fields have no action.
fn softirq(args: &[u8]) -> Option<()> {
    let (_, rest) = scan::number(args.strip_prefix(b"vec=")?)?;
    let is_ended = rest.is_empty() || rest.strip_prefix(b" [action=")?.strip_suffix(b"]").is_some();
    is_ended.then_some(())
}

/// `irq=3 name=arch_timer`; a name with two colons is the end of another line.
fn interrupt(args: &[u8]) -> Option<()> {
    memchr::memmem::find_iter(args, b": ").nth(1).is_none().then_some(())
}

/// `x86/fpu: 00000000e2eb3eca initialized: 1 xfeatures: 2 xcomp_bv: 8000000000000007`; of newer kernels `load: 1`.
/// Source: arch/x86/include/asm/trace/fpu.h, Linux 4.8 to 7.3.
fn fpu(args: &[u8]) -> Option<()> {
    let Some(text) = args.strip_prefix(b"x86/fpu: ") else {
        return args.starts_with(b"fpu=").then_some(());
    };
    let (state, text) = scan::split_once(text, b" xfeatures: ")?;
    let state = scan::word(state).1;
    state
        .strip_prefix(b" initialized: ")
        .or_else(|| state.strip_prefix(b" load: "))
        .and_then(scan::parse_u64)?;
    let (features, compaction) = scan::split_once(text, b" xcomp_bv: ")?;
    scan::parse_hex(features).and(scan::parse_hex(compaction)).map(|_| ())
}

/// True for what may name an event or a function.
fn is_event_name(name: &[u8]) -> bool {
    // Ranges, as this is asked of every byte of a name.
    !name.iter().any(|byte| {
        matches!(byte, 0..=0x1f | b'!'..=b'#' | b'%'..=b'\'' | b')' | b'*' | b',' | b';' | b'=' | b'?')
            || matches!(byte, b'\\'..=b'^' | b'`' | b'{'..=0xff)
    })
}

/// True where a pager has put `>` in place of what it hides: `prev_prio=120 prev_s>`.
fn is_chopped(args: &[u8]) -> bool {
    args.ends_with(b">") && !args.contains(&b'<')
}

/// True for an entry of a function after what is not of its line: `update_cfs_group <-enqueue_entity`.
fn is_entry(args: &[u8]) -> bool {
    let is_symbol = |text: &[u8]| !text.is_empty() && text.iter().all(|byte| scan::is_symbol_byte(*byte));
    args.contains(&b'<')
        && scan::split_once(args, b" <-")
            .is_some_and(|(function, parent)| is_symbol(function) && is_symbol(parent))
}

/// True where a field has lost the blank before the next: `pid=3979ratio=1023`.
fn has_glued_value(args: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    memchr::memchr_iter(b'=', args).any(|at| {
        let before = args.get(..at).unwrap_or_default();
        let name = before.iter().rev().take_while(|byte| is_name(byte)).count();
        let value = before.get(..before.len().saturating_sub(name)).unwrap_or_default();
        let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let is_value = value.get(..value.len().saturating_sub(digits)).is_some_and(|key| key.ends_with(b"="));
        name > 2 && digits > 0 && is_value
    })
}

/// `f`, `f+0x1a/0x40`, `f(a=1)`, `f [module]`, `f <ffffffff83db3390>`, a piece of each after the other.
fn is_function(function: &[u8]) -> bool {
    let length =
        function.iter().position(|byte| matches!(byte, b' ' | b'(' | b'\t')).unwrap_or(function.len());
    let (symbol, mut rest) = function.split_at_checked(length).unwrap_or_default();
    // An address without a name is in angle brackets.
    let is_address = symbol.first() == Some(&b'<');
    let is_closed = is_address == (symbol.last() == Some(&b'>'));
    let is_odd = |byte: &u8| {
        matches!(byte, b'!'..=b'#' | b'%'..=b'\'' | b')' | b'*' | b',' | b';' | b'=' | b'?')
            || matches!(byte, b'['..=b'^' | b'`' | b'{'..=0xff)
    };
    if symbol.is_empty()
        || symbol.get(1..).is_some_and(|symbol| symbol.contains(&b'<'))
        || !is_closed
        || has_lone_colon(symbol)
        || symbol.iter().any(is_odd)
    {
        return false;
    }
    // Arguments, a return value and what else is put after a function are looked at elsewhere.
    while let Some(mark) = rest.strip_prefix(b" ") {
        let close = match mark.first() {
            Some(b'[') => b']',
            Some(b'<') => b'>',
            mark => return mark == Some(&b'('),
        };
        let Some(end) = memchr::memchr(close, mark) else { return false };
        let (inside, behind) = mark.split_at_checked(end.saturating_add(1)).unwrap_or_default();
        let is_ended = matches!(behind.first(), None | Some(b' ' | b'('));
        // Modules are called 8021q and 9p, but no number.
        let is_number = close == b']' && scan::parse_u64(inside.get(1..end).unwrap_or_default()).is_some();
        if inside.iter().any(|byte| scan::is_blank(*byte))
            || is_number
            || !is_ended
            || is_short_address(inside)
        {
            return false;
        }
        rest = behind;
    }
    // `f();` is a line of a graph.
    rest.is_empty() || rest.ends_with(b")") || !rest.starts_with(b"(")
}

/// `<fffffff83db3390>`: an address of the kernel has all digits of a long.
fn is_short_address(inside: &[u8]) -> bool {
    let digits = inside.strip_prefix(b"<").and_then(|inside| inside.strip_suffix(b">")).unwrap_or_default();
    digits.starts_with(b"ffff") && !matches!(digits.len(), 8 | 16) && scan::parse_hex(digits).is_some()
}

/// `TIMER_CANCEL`; no event and no function of the kernel has such a name.
fn is_in_capitals(name: &[u8]) -> bool {
    const MIN_NAME_BYTES: usize = 6;
    let is_capital = |byte: &u8| !byte.is_ascii_lowercase();
    name.len() >= MIN_NAME_BYTES
        && name.iter().all(is_capital)
        && name.iter().any(u8::is_ascii_uppercase)
        && name.contains(&b'_')
}

/// `schedcmd:4732`; a path, `module::f`, has two.
fn has_lone_colon(symbol: &[u8]) -> bool {
    let is_colon = |at: Option<usize>| at.and_then(|at| symbol.get(at)) == Some(&b':');
    memchr::memchr_iter(b':', symbol).any(|at| !is_colon(at.checked_sub(1)) && !is_colon(at.checked_add(1)))
}

//! The columns before the payload: task, CPU, flags and time, in the default layout of tracefs and
//! trace-cmd, and in the latency layout.

use super::{flag_word, scan};
use crate::model::{Flags, TaskRef, Timestamp};

/// One line cut into its columns.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The trace instance, which is printed before the task; empty for the top one.
    pub buffer: &'a [u8],
    pub task: TaskRef<'a>,
    pub cpu: Cpu,
    pub flags: Flags,
    pub time: Time,
    pub layout: Layout,
    pub columns: Columns,
    /// Bytes before the dash between the task's name and its process.
    pub head_bytes: usize,
    /// All after the colon of the time and one blank.
    pub payload: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    Number(u64),
    /// Negative, or too long for a number.
    Absurd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// `14372.732649`
    Seconds(Timestamp),
    /// `5639872419506`, from a clock that does not count seconds.
    Ticks(Timestamp),
    /// `2563694114us`, from the latency format.
    Micros(Timestamp),
    /// A number past 64-bit nanoseconds.
    OutOfRange,
    /// No number at all.
    Bad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `comm-pid  [001] d..2. 12.345678: `
    Default,
    /// `    comm-pid  1d..2. 345us : `
    Latency,
}

/// Which columns a line has, and how wide those are that are the same in every line of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    has_tgid: bool,
    flag_signs: u8,
    time: TimeColumn,
}

/// How a time is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeColumn {
    /// The number of digits after the point.
    Seconds(u8),
    Ticks,
    Micros,
    #[default]
    Other,
}

/// The columns of `line`; `None` where it is no such line.
///
/// The kernel pads the comm, so the dash before the pid is at byte 16, or 8 in the latency layout;
/// those are tried first, because a comm may itself hold ` b-7 [002]`. Otherwise the leftmost dash with a
/// complete tail wins: markers may quote whole trace lines after it.
pub fn parse(line: &[u8]) -> Option<Context<'_>> {
    for (at, layout) in [(16, Layout::Default), (8, Layout::Latency)] {
        if line.get(at) == Some(&b'-')
            && let Some(context) = parse_at(line, at)
            && context.layout == layout
        {
            return Some(context);
        }
    }
    memchr::memchr_iter(b'-', line).find_map(|at| parse_at(line, at))
}

/// True where `payload` holds the columns of another record: two lines have become one.
pub fn has_head(payload: &[u8]) -> bool {
    memchr::memchr_iter(b'-', payload).any(|at| parse_at(payload, at).is_some())
}

fn parse_at(line: &[u8], dash: usize) -> Option<Context<'_>> {
    let tail = line.get(dash.checked_add(1)?..)?;
    let (pid, rest) = scan::digits(tail);
    if pid.is_empty() || pid.len() > 10 || !rest.first().is_some_and(|byte| scan::is_blank(*byte)) {
        return None;
    }
    let pid = scan::parse_i32(pid)?;
    let rest = scan::skip_blanks(rest);
    let mut context = match rest.first()? {
        b'[' => default_tail(rest)?,
        b'(' => {
            let (tgid, rest) = tgid(rest)?;
            let mut context = default_tail(rest)?;
            context.task.tgid = tgid;
            context.columns.has_tgid = true;
            context
        }
        byte if byte.is_ascii_digit() => latency_tail(rest)?,
        _ => return None,
    };
    let width = if context.layout == Layout::Latency { 8 } else { 16 };
    (context.buffer, context.task.comm) = buffer_and_comm(line.get(..dash)?, width);
    if context.task.comm.is_empty() && pid != 0 && line.get(..dash).is_some_and(<[u8]>::is_empty) {
        return None;
    }
    context.task.pid = Some(pid);
    context.head_bytes = dash;
    Some(context)
}

/// `(  18) ` or `(-------) ` before the CPU.
fn tgid(text: &[u8]) -> Option<(Option<i32>, &[u8])> {
    let inside = text.strip_prefix(b"(")?;
    let close = memchr::memchr(b')', inside.get(..inside.len().min(16))?)?;
    let (value, rest) = (scan::trim(inside.get(..close)?), inside.get(close.checked_add(1)?..)?);
    let tgid = if value.iter().all(|byte| *byte == b'-') { None } else { Some(scan::parse_i32(value)?) };
    Some((tgid, scan::skip_blanks(rest)))
}

/// The names before the dash. That of a buffer or file precedes the task's, whose width is fixed, in reports of
/// several: `       rt:        trace-cmd-20913 [002]`.
fn buffer_and_comm(text: &[u8], width: usize) -> (&[u8], &[u8]) {
    if let Some((prefix, padded)) = text.len().checked_sub(width).and_then(|at| text.split_at_checked(at))
        && let Some(prefix) = prefix.strip_suffix(b": ")
    {
        return (buffer(prefix), comm(padded));
    }
    (b"", comm(text))
}

/// The buffer of a line with this before its first `: `. Several words are what a log puts before
/// a line, not the name of an instance.
pub fn buffer(prefix: &[u8]) -> &[u8] {
    let name = scan::trim(prefix);
    if name.iter().any(|byte| scan::is_blank(*byte)) { b"" } else { name }
}

/// The name of a task; `<...>` is none.
fn comm(text: &[u8]) -> &[u8] {
    let name = scan::trim(text);
    if name == b"<...>" { b"" } else { name }
}

/// `[001] d..2.   166.727747: payload`
fn default_tail(text: &[u8]) -> Option<Context<'_>> {
    let inside = text.strip_prefix(b"[")?;
    let close = inside.iter().take(24).position(|byte| *byte == b']')?;
    let (cpu, rest) = (inside.get(..close)?, inside.get(close.checked_add(1)?..)?);
    let cpu = match scan::parse_u64(cpu) {
        Some(number) => Cpu::Number(number),
        None if is_signed_number(cpu) => Cpu::Absurd,
        None => return None,
    };
    // trace-cmd 3.4 report -R prints the flags byte as `[002]-0x1 106439.675571:`.
    let rest = match rest.strip_prefix(b"-0x") {
        Some(flags) => scan::word(flags).1,
        None => rest,
    };
    let (flags, rest) = flags(scan::skip_blanks(rest));
    let (time, payload) = time(rest, flags.is_some())?;
    let (flags, flag_signs) = flags.unwrap_or_default();
    Some(Context {
        buffer: b"",
        task: TaskRef::default(),
        cpu,
        flags,
        time,
        layout: Layout::Default,
        columns: Columns { has_tgid: false, flag_signs, time: time_column(rest, time) },
        head_bytes: 0,
        payload,
    })
}

fn is_signed_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The flag word, its length, and what follows it. A word that ends in a colon is the time; trace-cmd 3.4 glues
/// the two where the clock does not count seconds: `d..2.1000000000000:`.
fn flags(text: &[u8]) -> (Option<(Flags, u8)>, &[u8]) {
    let length = text.iter().take(40).position(|byte| scan::is_blank(*byte) || *byte == b':').unwrap_or(0);
    let Some((word, rest)) = text.split_at_checked(length) else { return (None, text) };
    if rest.first() != Some(&b':') {
        return match flag_word::parse(word) {
            Some(flags) => (Some((flags, signs_of(word))), scan::skip_blanks(rest)),
            None => (None, text),
        };
    }
    if !word.first().is_some_and(|byte| matches!(byte, b'.' | b'd' | b'D' | b'b' | b'X')) {
        return (None, text);
    }
    for width in [5, 4, 7] {
        if let Some((word, ticks)) = text.split_at_checked(width)
            && ticks.first().is_some_and(u8::is_ascii_digit)
            && let Some(flags) = flag_word::parse(word)
        {
            return (Some((flags, signs_of(word))), ticks);
        }
    }
    (None, text)
}

fn signs_of(flag_word: &[u8]) -> u8 {
    u8::try_from(flag_word.len()).unwrap_or(u8::MAX)
}

/// How the `time` is printed that `text` begins with.
fn time_column(text: &[u8], time: Time) -> TimeColumn {
    match time {
        Time::Seconds(_) => {
            let fraction = scan::digits(text).1.get(1..).unwrap_or_default();
            TimeColumn::Seconds(u8::try_from(scan::digits(fraction).0.len()).unwrap_or(u8::MAX))
        }
        Time::Ticks(_) => TimeColumn::Ticks,
        Time::Micros(_) => TimeColumn::Micros,
        Time::OutOfRange | Time::Bad => TimeColumn::Other,
    }
}

/// `166.727747: ` or `5639872419506: `; after a flag word, also a word in the place of a time.
fn time(text: &[u8], has_flags: bool) -> Option<(Time, &[u8])> {
    let (whole, after_whole) = scan::digits(text);
    let (time, rest) = match after_whole.first() {
        Some(b'.') if !whole.is_empty() => {
            let (fraction, rest) = scan::digits(after_whole.get(1..)?);
            (seconds(whole, fraction), rest)
        }
        Some(b':') if !whole.is_empty() => (ticks(whole), after_whole),
        _ => (Time::Bad, text),
    };
    if let Some(payload) = after_colon(rest)
        && time != Time::Bad
    {
        return Some((time, payload));
    }
    if !has_flags {
        return None;
    }
    // `d..2.   nan: sched_switch: ...`: all else of the line is right, so it is a record with a bad time.
    let colon = memchr::memchr(b':', text.get(..text.len().min(512))?)?;
    let word = text.get(..colon)?;
    let payload = after_colon(text.get(colon..)?)?;
    let is_one_word = !word.is_empty() && !word.iter().any(|byte| scan::is_blank(*byte));
    is_one_word.then_some((Time::Bad, payload))
}

/// What follows the colon and one blank; a line may also end after the colon.
fn after_colon(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b":")?;
    match rest.first() {
        None => Some(rest),
        Some(byte) if scan::is_blank(*byte) => rest.get(1..),
        Some(_) => None,
    }
}

fn seconds(whole: &[u8], fraction: &[u8]) -> Time {
    const SCALES: [i64; 10] = [0, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];
    let Some(scale) = SCALES.get(fraction.len()).filter(|scale| **scale > 0) else { return Time::Bad };
    let parsed = |digits| scan::parse_u64(digits).and_then(|number| i64::try_from(number).ok());
    let nanoseconds = parsed(whole)
        .and_then(|seconds| seconds.checked_mul(1_000_000_000))
        .zip(parsed(fraction).and_then(|fraction| fraction.checked_mul(*scale)))
        .and_then(|(seconds, fraction)| seconds.checked_add(fraction));
    match nanoseconds {
        Some(nanoseconds) => Time::Seconds(Timestamp(nanoseconds)),
        None if whole.len() <= 20 => Time::OutOfRange,
        None => Time::Bad,
    }
}

fn ticks(digits: &[u8]) -> Time {
    match scan::parse_u64(digits).and_then(|ticks| i64::try_from(ticks).ok()) {
        Some(ticks) => Time::Ticks(Timestamp(ticks)),
        None if digits.len() <= 20 => Time::OutOfRange,
        None => Time::Bad,
    }
}

/// `1d..2. 345us+: payload`, `2d..1. 106439.675571: payload` (trace-cmd report -l), `0d.h. 38746: ...`, and `0d.h.126734626069: ...`
fn latency_tail(text: &[u8]) -> Option<Context<'_>> {
    let (cpu, rest) = scan::digits(text);
    let cpu = Cpu::Number(scan::parse_u64(cpu)?);
    // trace-cmd 3.4 report -l -R: `1-0x9    10.773891:`
    if let Some(rest) = rest.strip_prefix(b"-0x") {
        let stamp = scan::skip_blanks(scan::word(rest).1);
        let (time, payload) = time(stamp, false)?;
        let (task, flags) = (TaskRef::default(), Flags::default());
        return Some(Context {
            buffer: b"",
            task,
            cpu,
            flags,
            time,
            layout: Layout::Latency,
            columns: Columns { time: time_column(stamp, time), ..Columns::default() },
            head_bytes: 0,
            payload,
        });
    }
    let (Some((flags, flag_signs)), rest) = flags(rest) else { return None };
    let (time, payload) = match latency_time(rest) {
        Some(found) => found,
        None => time(rest, false)?,
    };
    let (buffer, task) = (&b""[..], TaskRef::default());
    let columns = Columns { has_tgid: false, flag_signs, time: time_column(rest, time) };
    Some(Context { buffer, task, cpu, flags, time, layout: Layout::Latency, columns, head_bytes: 0, payload })
}

/// `345us : `, `345us+: `, and `0us#:` of hand-made excerpts.
fn latency_time(text: &[u8]) -> Option<(Time, &[u8])> {
    let (digits, rest) = scan::digits(text);
    let rest = rest.strip_prefix(b"us")?;
    let rest = match rest.first()? {
        b'+' | b'!' | b'#' | b'*' | b'@' | b'$' => rest.get(1..)?,
        _ => rest,
    };
    let payload = after_colon(scan::skip_blanks(rest))?;
    let nanoseconds = scan::parse_u64(digits)
        .and_then(|micros| micros.checked_mul(1_000))
        .and_then(|nanoseconds| i64::try_from(nanoseconds).ok());
    let time = match nanoseconds {
        Some(nanoseconds) => Time::Micros(Timestamp(nanoseconds)),
        None if digits.len() <= 20 && !digits.is_empty() => Time::OutOfRange,
        None => Time::Bad,
    };
    Some((time, payload))
}

/// `     bash   28502   0 1 00000003 00000000 [a9f46b7b] 2024.420ms (+0.001ms): payload`, the latency
/// layout with the verbose option.
pub fn parse_verbose(line: &[u8]) -> Option<Context<'_>> {
    let (before, after) = scan::split_once(line, b" [")?;
    let (stamp, after) = scan::split_once(after, b"] ")?;
    let micros = scan::parse_hex(stamp)?;
    let (_, payload) = scan::split_once(after, b"ms): ")?;
    let (before, index) = last_field(before)?;
    let (before, preempt) = last_field(before)?;
    let (before, mask) = last_field(before)?;
    let (before, cpu) = last_field(before)?;
    let (name, pid) = last_field(before)?;
    let (_index, preempt) = (scan::parse_hex(index)?, scan::parse_hex(preempt)?);
    let (mask, cpu) = (scan::parse_u64(mask)?, scan::parse_u64(cpu)?);
    let nanoseconds = micros.checked_mul(1_000).and_then(|nanoseconds| i64::try_from(nanoseconds).ok());
    Some(Context {
        buffer: b"",
        task: TaskRef { pid: Some(scan::parse_i32(pid)?), comm: comm(name), tgid: None },
        cpu: Cpu::Number(cpu),
        flags: flag_word::from_mask(mask, preempt),
        time: nanoseconds.map_or(Time::OutOfRange, |nanoseconds| Time::Micros(Timestamp(nanoseconds))),
        layout: Layout::Latency,
        columns: Columns { time: TimeColumn::Micros, ..Columns::default() },
        head_bytes: 0,
        payload,
    })
}

/// The last field of a line, and the text before it.
fn last_field(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_end();
    let start = text.iter().rposition(|byte| scan::is_blank(*byte))?.saturating_add(1);
    text.split_at_checked(start)
}

//! System calls, which the kernel prints in forms of their own.

use super::Args;
use super::value::Value;
use crate::events::parse_number;

const RAW_ARGUMENTS: [&str; 6] = ["arg0", "arg1", "arg2", "arg3", "arg4", "arg5"];

/// True where `text` is a system call, and its fields are in `args`.
///
/// Source: include/trace/events/syscalls.h, kernel/trace/trace_syscalls.c, Linux 5.10 to 6.18.
pub fn parse<'a>(event: &str, text: &'a str, args: &mut Args<'a>) -> bool {
    if let Some(numbered) = text.strip_prefix("NR ") {
        return raw(numbered, args).is_some();
    }
    // The event's own name may be taken off already: then only its arguments are left.
    if event.starts_with("sys_enter_") || event.starts_with("sys_exit_") {
        return named(text, args).or_else(|| bare(text, args)).is_some();
    }
    named(text, args).is_some()
}

// 0 (3, 7ffd, ffffffffffffff9c)
// 230 = -4
fn raw<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    let (number, rest) = text.split_once(' ')?;
    parse_number(number)?;
    if let Some(value) = rest.strip_prefix("= ") {
        args.push("nr", Value::of(number));
        args.push("ret", Value::of(value.trim()));
        return Some(());
    }
    let inside = rest.trim().strip_prefix('(')?.strip_suffix(')')?;
    args.push("nr", Value::of(number));
    for (name, value) in RAW_ARGUMENTS.into_iter().zip(inside.split(", ")) {
        args.push(name, Value::hexadecimal(value));
    }
    Some(())
}

// sys_openat(dfd: ffffff9c, filename: 7f10, flags: 80000, mode: 0)
// sys_openat -> 0x3
fn named<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    let name_end = text.strip_prefix("sys_")?.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let rest = text.get("sys_".len().checked_add(name_end)?..)?;
    match rest.strip_prefix('(') {
        Some(arguments) => list(arguments.trim_end().strip_suffix(')')?, args),
        None => returned(rest, args),
    }
}

// dfd: ffffff9c, filename: 7f10, flags: 80000, mode: 0
// -> 0x3
fn bare<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    returned(text, args).or_else(|| list(text.trim(), args))
}

fn returned<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    let value = text.trim().strip_prefix("-> ")?;
    args.push("ret", Value::of(value));
    Some(())
}

/// `None`, and nothing added, where `text` is no list of named arguments; there may be none.
fn list<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    let mut rest = text;
    while let Some((name, after)) = rest.split_once(": ") {
        let end = value_end(after);
        // With the option `verbose`, the type precedes the name: `int dfd: 3`.
        let name = name.rsplit_once([' ', '*']).map_or(name, |(_, name)| name);
        args.push(name, Value::hexadecimal(after.get(..end)?));
        rest = after.get(end..)?.strip_prefix(", ").unwrap_or_default();
    }
    (rest.is_empty() || rest.len() < text.len()).then_some(())
}

/// A value ends at the first `, ` outside quotes.
fn value_end(text: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' if !is_quoted && text.get(at..).is_some_and(|rest| rest.starts_with(", ")) => return at,
            _ => {}
        }
    }
    text.len()
}

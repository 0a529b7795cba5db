//! System calls, which the kernel prints in forms of their own.

use super::Args;
use super::value::{Value, parse_number};

const RAW_ARGUMENTS: [&str; 6] = ["arg0", "arg1", "arg2", "arg3", "arg4", "arg5"];

/// True where `text` is a system call, and its fields are in `args`.
///
/// Source: include/trace/events/syscalls.h, kernel/trace/trace_syscalls.c, Linux 5.10 to 6.18.
pub fn parse<'a>(text: &'a str, args: &mut Args<'a>) -> bool {
    let parsed = match text.strip_prefix("NR ") {
        Some(numbered) => raw(numbered, args),
        None => named(text, args),
    };
    parsed.is_some()
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
    if let Some(value) = rest.strip_prefix(" -> ") {
        args.push("ret", Value::of(value.trim()));
        return Some(());
    }
    let mut inside = rest.strip_prefix('(')?.trim_end().strip_suffix(')')?;
    while let Some((name, after)) = inside.split_once(": ") {
        let end = value_end(after);
        // With the option `verbose`, the type stands before the name: `int dfd: 3`.
        let name = name.rsplit_once([' ', '*']).map_or(name, |(_, name)| name);
        args.push(name, Value::hexadecimal(after.get(..end)?));
        inside = after.get(end..)?.strip_prefix(", ").unwrap_or_default();
    }
    Some(())
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

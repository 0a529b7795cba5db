//! The part of a line after its time: an event with its arguments, a marker, a function, a tracer's own line.

use super::scan;
use crate::model::{EventKind, StackKind};

/// A payload cut into what the line is and its printed arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload<'a> {
    /// An event by its name as printed.
    Event { kind: EventKind, name: &'a [u8], args: &'a [u8] },
    /// `sys_openat(dfd: ffffff9c, ...)` as `sys_enter_openat`, `sys_openat -> 0x3` as `sys_exit_openat`.
    Syscall { enter: bool, call: &'a [u8], args: &'a [u8] },
    /// `func <-parent`, where `parent` may be missing. trace-cmd writes `func <-- parent`.
    Function { function: &'a [u8], parent: Option<&'a [u8]> },
    /// `<stack trace>`: its frames are on the lines that follow.
    Stack { kind: StackKind, name: &'a [u8], args: &'a [u8] },
    /// `funcgraph_entry: ...`, `funcgraph_exit: ...` of trace-cmd report.
    Graph { enter: bool, text: &'a [u8] },
}

/// Cuts `payload` as the kernel and trace-cmd print it.
///
/// trace_printk prints `caller: text`, which looks like an event: it is read as an event named `caller`.
/// Source: kernel/trace/trace_output.c, Linux 5.10 to 7.3; trace-cmd 3.4.
pub fn parse(payload: &[u8]) -> Payload<'_> {
    let payload = skip_ts_diff(payload);
    let length = payload.iter().position(|byte| matches!(byte, b':' | b' ' | b'(' | b'\t' | b'['));
    let length = length.unwrap_or(payload.len());
    let Some((head, rest)) = payload.split_at_checked(length) else { return unknown(payload) };
    match rest.first() {
        Some(b':') if !head.is_empty() => match rest.get(1..) {
            Some(args) if args.first().is_none_or(|byte| scan::is_blank(*byte)) => named(head, args, payload),
            _ => bare(head, payload),
        },
        Some(b'(') => match head.strip_prefix(b"sys_") {
            Some(call) => {
                let inside = rest.get(1..).unwrap_or_default();
                let args = scan::trim_end(inside);
                Payload::Syscall { enter: true, call, args: args.strip_suffix(b")").unwrap_or(args) }
            }
            None => bare(head, payload),
        },
        _ => match (head.strip_prefix(b"sys_"), scan::skip_blanks(rest)) {
            (Some(call), args) if args.starts_with(b"->") => Payload::Syscall { enter: false, call, args },
            _ => bare(head, payload),
        },
    }
}

/// True where trace-cmd has printed the event: it pads `name:` with two blanks or more to 22 columns.
pub fn is_padded(payload: &[u8], name: &[u8]) -> bool {
    let padding = payload.get(name.len()..22).and_then(|padding| padding.strip_prefix(b":"));
    padding.is_some_and(|padding| padding.len() > 1 && padding.iter().all(|byte| *byte == b' '))
}

/// trace-cmd report --ts-diff: `(+15)    kernel_stack: ...`; blanks on the first line.
fn skip_ts_diff(payload: &[u8]) -> &[u8] {
    let trimmed = scan::skip_blanks(payload);
    let Some(inside) = trimmed.strip_prefix(b"(+") else { return trimmed };
    match scan::digits(inside).1.strip_prefix(b")") {
        Some(rest) => scan::skip_blanks(rest),
        None => trimmed,
    }
}

/// `NAME: ARGS`
fn named<'a>(name: &'a [u8], args: &'a [u8], payload: &'a [u8]) -> Payload<'a> {
    let event = |kind, name, args| Payload::Event { kind, name, args };
    match name {
        b"tracing_mark_write" | b"0" => event(EventKind::Print, b"print", args.get(1..).unwrap_or_default()),
        b"print" => event(EventKind::Print, b"print", marker(scan::skip_blanks(args))),
        b"bprint" | b"bputs" => event(EventKind::Bprint, b"bprint", scan::skip_blanks(args)),
        b"function" => function(scan::trim(args)).unwrap_or_else(|| unknown(payload)),
        b"funcgraph_entry" | b"funcgraph_exit" => {
            Payload::Graph { enter: name == b"funcgraph_entry", text: args }
        }
        b"kernel_stack" => stack(StackKind::Kernel, b"kernel_stack", args),
        b"user_stack" => stack(StackKind::User, b"user_stack", args),
        b"type" => event(EventKind::Unknown, b"unknown", payload),
        _ if name.iter().all(u8::is_ascii_digit) => bare(name, payload),
        _ => event(EventKind::Tracepoint, name, without_tail(scan::skip_blanks(args))),
    }
}

/// Arguments without what options of trace-cmd report write after them: ` Latency: 5.630 usecs` (-w),
/// ` [8746:0x34:16]` (--debug: time since the record before, place in the buffer, size).
fn without_tail(args: &[u8]) -> &[u8] {
    let tail = match args.last() {
        Some(b's') if args.ends_with(b" usecs") => memchr::memmem::rfind(args, b" Latency: "),
        Some(b']') => memchr::memrchr(b'[', args).filter(|at| is_debug_tail(args.get(*at..))),
        _ => None,
    };
    tail.and_then(|at| args.get(..at)).map_or(args, scan::trim_end)
}

/// `[8746:0x34:16]`
fn is_debug_tail(text: Option<&[u8]>) -> bool {
    let inside = text.and_then(|text| text.strip_prefix(b"[")?.strip_suffix(b"]"));
    inside.and_then(scan::number).is_some_and(|(_, rest)| {
        let offset = rest.strip_prefix(b":0x").unwrap_or_default();
        let digits = offset.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        digits > 0 && offset.get(digits..).is_some_and(|size| size.starts_with(b":"))
    })
}

/// `tracing_mark_write: TEXT` inside a `print:` of trace-cmd; an unresolved address instead of the name stays.
fn marker(args: &[u8]) -> &[u8] {
    args.strip_prefix(b"tracing_mark_write: ").unwrap_or(args)
}

fn stack<'a>(kind: StackKind, name: &'a [u8], args: &'a [u8]) -> Payload<'a> {
    Payload::Stack { kind, name, args: scan::trim(args) }
}

/// Anything that is no `NAME: ARGS`.
fn bare<'a>(head: &'a [u8], payload: &'a [u8]) -> Payload<'a> {
    if let Some(rest) = payload.strip_prefix(b"<") {
        if rest.starts_with(b"stack trace") {
            return stack(StackKind::Kernel, b"kernel_stack", payload);
        }
        if rest.starts_with(b"user stack trace") {
            return stack(StackKind::User, b"user_stack", payload);
        }
    }
    if payload.starts_with(b"#") {
        return numbered(payload);
    }
    if let Some(tracer) = tracer_line(head, payload) {
        return Payload::Event { kind: EventKind::Tracer, name: tracer, args: payload };
    }
    function(payload).unwrap_or_else(|| unknown(payload))
}

fn unknown(payload: &[u8]) -> Payload<'_> {
    Payload::Event { kind: EventKind::Unknown, name: b"unknown", args: payload }
}

/// `#7     context    irq timer_latency     33987 ns`, `#3     inner/outer(us): 19938/16030 ts:...`,
/// and `# 2a buf: 01 02`, a raw marker.
fn numbered(payload: &[u8]) -> Payload<'_> {
    let kind = EventKind::Tracer;
    let behind = payload.get(1..).and_then(scan::number).map(|(_, rest)| scan::skip_blanks(rest));
    match behind {
        Some(rest) if rest.starts_with(b"context") => {
            Payload::Event { kind, name: b"timerlat", args: payload }
        }
        Some(rest) if rest.starts_with(b"inner/outer") => {
            Payload::Event { kind, name: b"hwlat", args: payload }
        }
        _ => Payload::Event { kind: EventKind::Unknown, name: b"raw_data", args: payload },
    }
}

/// Lines that a tracer prints without a name, recognised by their shape.
fn tracer_line(head: &[u8], payload: &[u8]) -> Option<&'static [u8]> {
    let first = payload.first()?;
    if !first.is_ascii_digit() && *first != b'[' {
        return None;
    }
    // `      0:120:R   + [002]  5882: 94:R sleep` and `... ==> [002] ...`: ftrace's own wakeup and switch.
    if scan::number(payload).is_some_and(|(_, rest)| rest.starts_with(b":")) {
        if memchr::memmem::find(payload, b" ==> [").is_some() {
            return Some(b"context_switch");
        }
        return memchr::memmem::find(payload, b" + [").map(|_| &b"wakeup"[..]);
    }
    // `[  ok  ] func:file.c:123` of the branch tracer.
    if payload.starts_with(b"[  ok  ]") || payload.starts_with(b"[ MISS ]") {
        return Some(b"branch");
    }
    // `  8,0    A   W 1234 + 8 <- (8,1) 1226`
    if let Some((_, rest)) = scan::number(head)
        && let Some((_, b"")) = rest.strip_prefix(b",").and_then(scan::number)
    {
        return Some(b"blk");
    }
    // `1043767    1001980   4.00347  128678     82      0     99      0    284`
    let columns = payload.split(|byte| scan::is_blank(*byte)).filter(|column| !column.is_empty());
    let numeric = |column: &[u8]| column.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let (count, all) =
        columns.take(12).fold((0_u8, true), |(count, all), column| (count + 1, all && numeric(column)));
    (all && (8..=10).contains(&count)).then_some(b"osnoise")
}

/// `FUNC <-PARENT`, `FUNC`, `FUNC(a=1) <-PARENT`, `FUNC+0x1a/0x40 <-PARENT`, `FUNC <ffffffff83db3390> <-PARENT`.
pub fn function(payload: &[u8]) -> Option<Payload<'_>> {
    let text = scan::trim_end(payload);
    let (function, parent) = match scan::split_once(text, b" <-") {
        Some((function, parent)) => {
            let parent = scan::skip_blanks(parent.strip_prefix(b"-").unwrap_or(parent));
            // `f <-g (repeats: 3, last_ts: 12.345678)`
            if parent.ends_with(b")") && memchr::memmem::find(parent, b" (repeats: ").is_some() {
                let kind = EventKind::Tracepoint;
                return Some(Payload::Event { kind, name: b"func_repeats", args: text });
            }
            (scan::trim_end(function), Some(parent))
        }
        None => old_function(text).unwrap_or((text, None)),
    };
    let symbol =
        function.iter().take_while(|byte| scan::is_symbol_byte(**byte) || **byte == b'+' || **byte == b'/');
    let rest = function.get(symbol.count()..)?;
    let is_decorated =
        |rest: &[u8]| rest.starts_with(b"(") || rest.starts_with(b" [") || rest.starts_with(b" <");
    let is_function = rest.len() < function.len() && (rest.is_empty() || is_decorated(rest));
    is_function.then_some(Payload::Function { function, parent })
}

/// `FUNC (PARENT)`, as kernels before 2.6.30 print it.
fn old_function(text: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let (function, parent) = scan::split_once(text.strip_suffix(b")")?, b" (")?;
    let is_symbol = |name: &[u8]| !name.is_empty() && name.iter().all(|byte| scan::is_symbol_byte(*byte));
    (is_symbol(function) && is_symbol(parent)).then_some((function, Some(parent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(payload: &str, expected: Expect) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let seen = match parse(payload.as_bytes()) {
            Payload::Event { kind, name, args } => format!("{kind:?} {} | {}", text(name), text(args)),
            Payload::Syscall { enter, call, args } => {
                format!("syscall enter={enter} {} | {}", text(call), text(args))
            }
            Payload::Function { function, parent } => {
                format!("function {} | {}", text(function), parent.map(text).unwrap_or_default())
            }
            Payload::Stack { kind, args, .. } => format!("{kind:?} stack | {}", text(args)),
            Payload::Graph { enter, text: args } => format!("graph enter={enter} | {}", text(args)),
        };
        expected.assert_eq(&seen);
    }

    #[test]
    fn events_keep_their_name_and_arguments() {
        check(
            "irq_handler_entry: irq=34 name=eth0",
            expect!["Tracepoint irq_handler_entry | irq=34 name=eth0"],
        );
        check(
            "sched_waking:         comm=rcu_preempt pid=18",
            expect!["Tracepoint sched_waking | comm=rcu_preempt pid=18"],
        );
        check(
            "(+15)    local_timer_exit:     vector=236",
            expect!["Tracepoint local_timer_exit | vector=236"],
        );
        check(
            "softirq_noise:      RCU:9 start 1.2 duration 3 ns",
            expect!["Tracepoint softirq_noise | RCU:9 start 1.2 duration 3 ns"],
        );
        check(
            "kp_ttwu: (try_to_wake_up+0x4/0x680) p=0x1",
            expect!["Tracepoint kp_ttwu | (try_to_wake_up+0x4/0x680) p=0x1"],
        );
        check("type: 310", expect!["Unknown unknown | type: 310"]);
    }

    #[test]
    fn trace_cmd_pads_names() {
        assert!(is_padded(b"sched_waking:         comm=k", b"sched_waking"));
        assert!(!is_padded(b"sched_waking: comm=k", b"sched_waking"));
        assert!(!is_padded(b"my_function:  text of two words", b"my_function"));
        assert!(!is_padded(b"a_function_of_21_chars: x", b"a_function_of_21_chars"));
    }

    #[test]
    fn markers_are_print_events() {
        check("tracing_mark_write: B|12|a:b", expect!["Print print | B|12|a:b"]);
        check("0: S|5|x|1", expect!["Print print | S|5|x|1"]);
        check("print:                tracing_mark_write: hello", expect!["Print print | hello"]);
        check("bprint:               f: fig: cpu=0", expect!["Bprint bprint | f: fig: cpu=0"]);
    }

    #[test]
    fn system_calls_are_enter_and_exit_events() {
        check(
            "sys_openat(dfd: ffffff9c, filename: 7f(x))",
            expect!["syscall enter=true openat | dfd: ffffff9c, filename: 7f(x)"],
        );
        check("sys_openat -> 0x3", expect!["syscall enter=false openat | -> 0x3"]);
        check("sys_exit: NR 230 = 0", expect!["Tracepoint sys_exit | NR 230 = 0"]);
    }

    #[test]
    fn functions_come_with_and_without_parents_and_decorations() {
        check(
            "hrtimer_wakeup <-__hrtimer_run_queues",
            expect!["function hrtimer_wakeup | __hrtimer_run_queues"],
        );
        check("try_to_wake_up", expect!["function try_to_wake_up | "]);
        check(
            "function:             igbvf_reset <-- e1000_reset",
            expect!["function igbvf_reset | e1000_reset"],
        );
        check(
            "f <ffffffff83db3390> <-g <ffffffff83db45aa>",
            expect!["function f <ffffffff83db3390> | g <ffffffff83db45aa>"],
        );
        check("f(a=1, p=0x2) <-g+0x1/0x2", expect!["function f(a=1, p=0x2) | g+0x1/0x2"]);
        check("f [mod] <-g [mod]", expect!["function f [mod] | g [mod]"]);
    }

    #[test]
    fn tracers_are_told_by_the_shape_of_their_lines() {
        check(
            "#7     context    irq timer_latency     33987 ns",
            expect!["Tracer timerlat | #7     context    irq timer_latency     33987 ns"],
        );
        check(
            "#3     inner/outer(us): 19938/16030 ts:1.9 count:181",
            expect!["Tracer hwlat | #3     inner/outer(us): 19938/16030 ts:1.9 count:181"],
        );
        check(
            "1043767    1001980   4.00347  128678     82      0     99      0    284",
            expect![
                "Tracer osnoise | 1043767    1001980   4.00347  128678     82      0     99      0    284"
            ],
        );
        check(
            "  8,0    A   W 1234 + 8 <- (8,1) 1226",
            expect!["Tracer blk | 8,0    A   W 1234 + 8 <- (8,1) 1226"],
        );
        check(
            "      0:120:R   + [002]  5882: 94:R sleep",
            expect!["Tracer wakeup | 0:120:R   + [002]  5882: 94:R sleep"],
        );
        check("# 2a buf: 01 02", expect!["Unknown raw_data | # 2a buf: 01 02"]);
    }

    #[test]
    fn stacks_are_announced() {
        check("<stack trace>", expect!["Kernel stack | <stack trace>"]);
        check("<user stack trace>", expect!["User stack | <user stack trace>"]);
        check("kernel_stack:         <stack trace >", expect!["Kernel stack | <stack trace >"]);
    }
}

//! One line of a function graph, cut into its columns. Any of them may be switched off.

use super::graph_call::{self, GraphCall};
use super::graph_columns::Layout;
use super::{flag_word, scan};
use crate::model::{Flags, TaskRef, Timestamp, parse_seconds};

/// `  384.905506 |   1)   ping-1556    |  d..2 | + 15.986 us   |  finish_task_switch();`
#[derive(Clone, Copy, Debug)]
pub struct GraphLine<'a> {
    pub time: Option<Timestamp>,
    /// The time counts from the start of a latency.
    pub is_relative: bool,
    /// The kernel prints microseconds, and a blank before the bar.
    pub is_time_cut: bool,
    pub cpu: Option<u64>,
    pub task: Option<TaskRef<'a>>,
    pub flags: Flags,
    pub duration_ns: Option<i64>,
    /// From the indentation, where it can be trusted.
    pub depth: Option<u16>,
    pub call: GraphCall<'a>,
    /// After the call comes what looks like another one.
    pub has_second: bool,
    /// A bar precedes the call.
    pub has_bar: bool,
    /// Only blanks are between the bar and the call, so that its depth is as the kernel printed it.
    pub is_indented: bool,
    /// Where the call is, after its bar.
    pub layout: Option<Layout>,
}

/// What a line is, seen as one of a graph.
#[derive(Clone, Copy, Debug)]
pub enum Graph<'a> {
    Line(GraphLine<'a>),
    /// All is right but the number in the duration column.
    BadDuration,
    /// The columns are there, but the call continues in the next line: a mailer broke it, or it is an
    /// event whose text holds a line end.
    Unfinished,
    No,
}

impl Default for GraphLine<'_> {
    fn default() -> Self {
        Self {
            time: None,
            is_relative: false,
            is_time_cut: false,
            cpu: None,
            task: None,
            flags: Flags::default(),
            duration_ns: None,
            depth: None,
            call: GraphCall::Nothing,
            has_second: false,
            has_bar: false,
            is_indented: false,
            layout: None,
        }
    }
}

impl GraphLine<'_> {
    /// Which columns the line has, each as the key of a field.
    pub fn columns(&self) -> &'static [u8] {
        const WITHOUT_BAR: &[u8] = b"call=";
        const COLUMNS: [&[u8]; 16] = [
            b"",
            b"flags=",
            b"task=",
            b"task=flags=",
            b"time=",
            b"time=flags=",
            b"time=task=",
            b"time=task=flags=",
            b"cpu=",
            b"cpu=flags=",
            b"cpu=task=",
            b"cpu=task=flags=",
            b"time=cpu=",
            b"time=cpu=flags=",
            b"time=cpu=task=",
            b"time=cpu=task=flags=",
        ];
        let bits =
            [self.cpu.is_some(), self.time.is_some(), self.task.is_some(), self.flags.has(Flags::KNOWN)];
        let index = bits.iter().fold(0_usize, |index, bit| index << 1 | usize::from(*bit));
        if self.has_bar { COLUMNS.get(index).copied().unwrap_or_default() } else { WITHOUT_BAR }
    }
}

/// The text between the last column and the call.
enum Separator {
    /// `|`, then two blanks and the indentation.
    Bar,
    /// `)` or `|` of the column before, then one blank: the duration column is off.
    Blank,
    /// No column at all.
    Nothing,
}

/// The columns of `text`.
///
/// Source: kernel/trace/trace_functions_graph.c, Linux 5.10 to 7.3.
pub fn parse(text: &[u8]) -> Graph<'_> {
    let mut line = GraphLine::default();
    let Some(rest) = leading_columns(text, &mut line) else { return Graph::No };
    if line.cpu.is_some() {
        let mut graph = behind_cpu(text, rest, line);
        if let Graph::Line(line) = &mut graph {
            // The columns after the CPU begin with a blank, or a mark and a blank.
            line.has_second |= rest.first().is_some_and(u8::is_ascii_digit);
        }
        return graph;
    }
    call_column(text, rest, line)
}

/// The same without any column before the duration: `  1.476 us    |      f();`, as trace-cmd report prints it.
pub fn parse_without_cpu(text: &[u8]) -> Graph<'_> {
    let mut graph = call_column(text, text, GraphLine::default());
    if let Graph::Line(line) = &mut graph {
        let body = segment(text).map_or(text, |(_, rest)| scan::trim(rest));
        line.has_second |= graph_call::has_text_before(body, &line.call);
    }
    graph
}

fn call_column<'a>(text: &'a [u8], rest: &'a [u8], mut line: GraphLine<'a>) -> Graph<'a> {
    match segment(rest) {
        Some((field, rest)) if field.is_empty() || field.ends_with(b"us") => {
            line.has_second = is_cut_duration(field);
            finish(text, duration(field), rest, &Separator::Bar, line)
        }
        _ => Graph::No,
    }
}

/// Reads the times and the CPU; `None` where the line starts like no graph line.
fn leading_columns<'a>(text: &'a [u8], line: &mut GraphLine<'a>) -> Option<&'a [u8]> {
    let mut rest = scan::skip_blanks(text);
    loop {
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let (number, after) = rest.split_at_checked(length)?;
        let behind = scan::skip_blanks(after);
        if after.first() == Some(&b')') {
            line.cpu = Some(scan::parse_u64(number)?);
            return after.get(1..);
        }
        match behind.first() {
            // `  384.905506 |  `
            Some(b'|') if number.contains(&b'.') => {
                line.time = Some(parse_seconds(number)?);
                line.is_time_cut = after.first() == Some(&b'|') || fraction_digits(number) != TIME_DIGITS;
            }
            // `        6 us |   0)`: time since the start of the latency, only before a CPU.
            Some(b'u') if !number.contains(&b'.') && !number.is_empty() => {
                let next = scan::skip_blanks(behind.strip_prefix(b"us")?).strip_prefix(b"|")?;
                let (cpu, close) = scan::digits(scan::skip_blanks(next));
                if cpu.is_empty() || close.first() != Some(&b')') {
                    return Some(rest);
                }
                let nanoseconds = scan::parse_u64(number)?.checked_mul(1_000)?;
                line.time = Some(Timestamp(i64::try_from(nanoseconds).ok()?));
                line.is_relative = true;
                rest = scan::skip_blanks(next);
                continue;
            }
            _ => return Some(rest),
        }
        rest = scan::skip_blanks(behind.get(1..)?);
    }
}

/// Digits of a time after the point.
const TIME_DIGITS: usize = 6;

fn fraction_digits(number: &[u8]) -> usize {
    memchr::memchr(b'.', number).map_or(0, |point| number.len().saturating_sub(point).saturating_sub(1))
}

/// `  cyclict-907   |  ...2. |   1.580 us    |    vm_normal_page();`, all but the call optional.
fn behind_cpu<'a>(text: &'a [u8], mut rest: &'a [u8], mut line: GraphLine<'a>) -> Graph<'a> {
    while let Some((field, after)) = segment(rest) {
        if field.is_empty() || field.ends_with(b"us") {
            line.has_second |= is_cut_duration(field);
            return finish(text, duration(field), after, &Separator::Bar, line);
        }
        if is_arrow(field) {
            line.call = GraphCall::Irq { enter: field.ends_with(b">") };
            line.has_second = !scan::trim(after).is_empty();
            return Graph::Line(line);
        }
        if let Some(flags) = flag_word::parse(field) {
            line.flags = flags;
        } else if let Some(task) = task(field).filter(|_| line.task.is_none()) {
            line.task = Some(task);
            // The kernel puts a blank between the name and the bar.
            line.has_second |= before_bar(rest).is_some_and(|byte| !scan::is_blank(byte));
        } else {
            break;
        }
        rest = after;
    }
    finish(text, Some(None), rest, &Separator::Blank, line)
}

/// A line with every column off: `  hrtimer_interrupt() {`, `}`. Only the file's header says that it is a graph.
pub fn parse_bare(text: &[u8]) -> Graph<'_> {
    finish(text, Some(None), text, &Separator::Nothing, GraphLine::default())
}

/// The trimmed text before the next `|` and what follows it.
fn segment(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let bar = memchr::memchr(b'|', rest)?;
    Some((scan::trim(rest.get(..bar)?), rest.get(bar.checked_add(1)?..)?))
}

/// The byte before the next `|`.
fn before_bar(rest: &[u8]) -> Option<u8> {
    let bar = memchr::memchr(b'|', rest)?;
    rest.get(bar.checked_sub(1)?).copied()
}

/// `==========>` and `<==========`
fn is_arrow(field: &[u8]) -> bool {
    field.len() >= 4 && field.iter().all(|byte| matches!(byte, b'=' | b'<' | b'>'))
}

/// `ping-1556`, and `-1556` where a mailer took the `<idle>` or `<...>` away.
pub fn task(field: &[u8]) -> Option<TaskRef<'_>> {
    let dash = memchr::memrchr(b'-', field)?;
    let (comm, pid) = (field.get(..dash)?, field.get(dash.checked_add(1)?..)?);
    let is_pid = (1..=10).contains(&pid.len()) && comm.len() <= 64 && !comm.contains(&b'(');
    let pid = is_pid.then(|| scan::parse_i32(pid)).flatten()?;
    Some(TaskRef { pid: Some(pid), comm: if comm == b"<...>" { b"" } else { comm }, tgid: None })
}

/// Between a duration and its unit.
const MAX_BLANKS: usize = 8;

/// `+ 15.986 us` in nanoseconds; `Some(None)` for an empty column, `None` for what is no duration.
///
/// The mark before the number is decoration: its meaning changed with the kernel.
pub fn duration(field: &[u8]) -> Option<Option<i64>> {
    if field.is_empty() {
        return Some(None);
    }
    let number = field.strip_suffix(b"us")?;
    let blanks = number.len().saturating_sub(scan::trim_end(number).len());
    if blanks > MAX_BLANKS {
        return None;
    }
    let number = scan::trim_end(number);
    let number = match number.first()? {
        b'+' | b'!' | b'#' | b'*' | b'@' | b'$' => scan::skip_blanks(number.get(1..)?),
        _ => number,
    };
    let (whole, fraction) = match memchr::memchr(b'.', number) {
        Some(dot) => (number.get(..dot)?, number.get(dot.checked_add(1)?..)?),
        None => (number, &b""[..]),
    };
    let fraction_ns = match fraction.len() {
        0 => 0,
        length @ 1..=3 => {
            let scale = [0, 100, 10, 1].get(length).copied()?;
            scan::parse_u64(fraction)?.checked_mul(scale)?
        }
        _ => return None,
    };
    let nanoseconds = scan::parse_u64(whole)?.checked_mul(1_000)?.checked_add(fraction_ns)?;
    Some(Some(i64::try_from(nanoseconds).ok()?))
}

/// Digits of a duration, and those of them behind the point.
const DURATION_DIGITS: usize = 7;
const DURATION_FRACTION_DIGITS: usize = 3;

/// True for a duration with fewer digits behind its point than the kernel and trace-cmd print.
/// Source: kernel/trace/trace_functions_graph.c (`trace_print_graph_duration`), Linux 2.6.30 to 7.3.
fn is_cut_duration(field: &[u8]) -> bool {
    let Some((before, behind)) = scan::split_once(field, b".") else { return false };
    let whole = before.iter().filter(|byte| byte.is_ascii_digit()).count();
    let fraction = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    fraction < DURATION_DIGITS.saturating_sub(whole).min(DURATION_FRACTION_DIGITS)
}

fn finish<'a>(
    text: &'a [u8],
    duration: Option<Option<i64>>,
    rest: &'a [u8],
    separator: &Separator,
    mut line: GraphLine<'a>,
) -> Graph<'a> {
    let Some(duration_ns) = duration else {
        return if line.cpu.is_some() { Graph::BadDuration } else { Graph::No };
    };
    let body = scan::trim(rest);
    let call = graph_call::parse(body);
    if call == GraphCall::Unfinished {
        return Graph::Unfinished;
    }
    if call == GraphCall::Nothing && (duration_ns.is_none() || !body.is_empty()) {
        return Graph::No;
    }
    let width = match separator {
        Separator::Bar => 2,
        Separator::Blank => 1,
        Separator::Nothing => 0,
    };
    let from = text.len().saturating_sub(rest.len());
    let at = from.saturating_add(graph_call::symbol_column(rest, &call));
    let bar_end = columns(text, from);
    let blanks = columns(text, at).saturating_sub(bar_end);
    // A `...` written by hand may be indented between two depths; it is inside the call above it.
    let halves = usize::from(call == GraphCall::Elided);
    let depth = blanks.checked_sub(width).map(|blanks| blanks.saturating_add(halves) / 2);
    line.depth = depth.and_then(|depth| u16::try_from(depth).ok());
    line.duration_ns = duration_ns;
    let has_bar = matches!(separator, Separator::Bar);
    // A person may write between the duration and the call where no other column is.
    let has_columns = line.time.is_some() || line.task.is_some() || line.flags.has(Flags::KNOWN);
    // The kernel puts two blanks behind the bar; mailers leave one.
    let is_glued = has_bar && has_columns && rest.first().is_some_and(u8::is_ascii_alphanumeric);
    let has_text_before = graph_call::has_text_before(body, &call);
    line.has_second |= graph_call::has_second(body)
        || is_glued
        || has_bar && line.cpu.is_none() && body.starts_with(b"|")
        || (!has_bar || has_columns) && has_text_before
        || has_bar && has_other_duration(&call, duration_ns.is_some(), text.get(..from).unwrap_or_default());
    line.has_bar = has_bar;
    line.is_indented = has_bar && !has_text_before;
    // The kernel does not shorten the numbers of tasks, which move the bar when they are long.
    line.layout = has_bar.then(|| Layout::new(if line.task.is_some() { 0 } else { bar_end }, blanks));
    line.call = call;
    Graph::Line(line)
}

/// True for a call with a duration where it begins, or without one where it ends, though there is a column for it.
fn has_other_duration(call: &GraphCall<'_>, has_duration: bool, columns: &[u8]) -> bool {
    const EMPTY_COLUMN: &[u8] = b"          |";
    match call {
        GraphCall::Enter { .. } | GraphCall::Comment(_) => has_duration,
        GraphCall::Leaf { .. } | GraphCall::Exit { .. } => !has_duration && columns.ends_with(EMPTY_COLUMN),
        _ => false,
    }
}

/// Columns on a screen before byte `at`: a tab goes to the next multiple of eight.
fn columns(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    if memchr::memchr(b'\t', before).is_none() {
        return before.len();
    }
    before.iter().fold(0_usize, |column, byte| match byte {
        b'\t' => (column | 7).saturating_add(1),
        _ => column.saturating_add(1),
    })
}

/// ` 0)   ksoftir-18   => qemu-kv-17653`: CPU, task shown before, task shown next.
pub fn banner(text: &[u8]) -> Option<(u64, TaskRef<'_>, TaskRef<'_>)> {
    let (cpu, rest) = scan::number(scan::skip_blanks(text))?;
    let (prev, next) = scan::split_once(rest.strip_prefix(b")")?, b" =>")?;
    Some((cpu, task(scan::trim(prev))?, task(scan::trim(next))?))
}

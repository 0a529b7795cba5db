//! Lines of the blk tracer with its `blk_classic` option: the columns of blktrace, not those of ftrace.

use super::context::{Columns, Context, Cpu, Layout, Time};
use super::scan;
use crate::model::{Flags, TaskRef, parse_seconds};

/// `  8,0    1     0.000000321   697  Q   W 223490 + 8 [kjournald]`: device, CPU, time, pid, action, kind
/// of request, and the sector. Answers its columns, and the device; what the default layout prints is the
/// device with the payload after it.
/// Source: kernel/trace/blktrace.c (`blk_log_action_classic`), Linux 5.10 to 7.3.
pub fn parse(line: &[u8]) -> Option<(Context<'_>, &[u8])> {
    let text = scan::skip_blanks(line);
    let (_, rest) = scan::number(text)?;
    // `%3d,%-3d`: the minor number is padded after.
    let (_, rest) = scan::number(rest.strip_prefix(b",")?)?;
    let device = text.get(..text.len().checked_sub(rest.len())?)?;
    let (cpu, rest) = scan::number(scan::skip_blanks(rest))?;
    let (stamp, rest) = scan::word(scan::skip_blanks(rest));
    // Always nanoseconds.
    let fraction = stamp.len().checked_sub(memchr::memchr(b'.', stamp)?.checked_add(1)?)?;
    let ts = parse_seconds(stamp).filter(|_| fraction == 9)?;
    let (pid, rest) = scan::digits(scan::skip_blanks(rest));
    let payload = scan::skip_blanks(rest);
    if payload.is_empty() {
        return None;
    }
    let context = Context {
        buffer: b"",
        task: TaskRef { pid: Some(scan::parse_i32(pid)?), comm: b"", tgid: None },
        cpu: Cpu::Number(cpu),
        flags: Flags::default(),
        time: Time::Seconds(ts),
        layout: Layout::Default,
        columns: Columns::default(),
        // Without a name, nothing is filled up.
        head_bytes: usize::MAX,
        payload,
    };
    Some((context, device))
}

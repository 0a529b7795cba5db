//! Records that a text holds twice, one right after the other.
//!
//! A program or the kernel may call a function twice in a microsecond, or print the same text twice. An event with
//! fields that has the same time, task and values again was copied: `sched_switch` leaves a task once. So was a noise
//! or sample of osnoise, timerlat or hwlat, which states when it began, or its number.

use super::context::Context;
use super::payload::Payload;
use crate::model::{EventKind, Timestamp};

/// The event with fields that was read last.
#[derive(Debug, Default)]
pub struct Repeated {
    at: Option<(Timestamp, u16, Option<i32>)>,
    /// Its buffer and its payload.
    text: Vec<u8>,
}

impl Repeated {
    /// True where the record at `at` is the one before it once more.
    pub fn is_repeated(
        &mut self,
        at: (Timestamp, u16),
        context: &Context<'_>,
        payload: &Payload<'_>,
    ) -> bool {
        let at = Some((at.0, at.1, context.task.pid));
        if !happens_once(payload) {
            self.at = None;
            return false;
        }
        let text = [context.buffer, context.payload];
        let is_same = self.at == at && text.iter().copied().flatten().eq(&self.text);
        self.at = at;
        if !is_same {
            self.text.clear();
            text.iter().for_each(|part| self.text.extend_from_slice(part));
        }
        is_same
    }

    /// The same of a call of a graph that begins at `ts` and takes so long that the next one begins later: the kernel
    /// prints times to the microsecond.
    pub fn is_repeated_call(&mut self, ts: Timestamp, cpu: u16, duration_ns: i64, line: &[u8]) -> bool {
        const SHOWN_NS: i64 = 1_000;
        let at = Some((ts, cpu, None));
        let is_same = duration_ns >= SHOWN_NS && self.at == at && self.text == line;
        self.at = at;
        self.text.clear();
        self.text.extend_from_slice(line);
        is_same
    }
}

/// True for what cannot happen twice at one time: an event with fields, a switch or a wakeup, a noise, a system call, the
/// sample of a tracer.
fn happens_once(payload: &Payload<'_>) -> bool {
    match payload {
        Payload::Event { kind: EventKind::Tracer, name, .. } => {
            matches!(*name, b"timerlat" | b"osnoise" | b"hwlat")
        }
        Payload::Event { kind: EventKind::Tracepoint, name, args } => {
            args.contains(&b'=')
                || name.starts_with(b"sched_")
                || name.ends_with(b"_noise")
                || *name == b"sample_threshold"
                || args.starts_with(b"NR ")
        }
        // A stack is that of the record before it.
        Payload::Syscall { .. } | Payload::Stack { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader;
    use super::super::test_log::Log;
    use crate::model::Limits;

    fn count(lines: &[&str]) -> usize {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut log = Log::default();
        reader::read(&mut text.as_bytes(), &Limits::default(), &mut log).unwrap();
        log.text.matches("! repeated_line").count()
    }

    #[test]
    fn an_event_with_fields_happens_once_at_a_time() {
        let event = "            bash-175     [001] d..2.     1.000001: cpu_idle: state=1 cpu_id=1";
        let later = "            bash-175     [001] d..2.     1.000002: cpu_idle: state=1 cpu_id=1";
        let other = "            bash-175     [000] d..2.     1.000001: cpu_idle: state=1 cpu_id=1";
        assert_eq!(count(&[event, event]), 1);
        assert_eq!(count(&[event, later, later]), 1);
        assert_eq!(count(&[event, later, other]), 0);
        let noise = "            bash-175     [001] d.h1.     1.000001: irq_noise: local_timer:236 start 1.000000001 duration 846 ns";
        let sample = "            bash-175     [001] d.h1.     1.000001: #7     context    irq timer_latency     33987 ns";
        let exit = "            bash-175     [001] .....     1.000001: sys_lseek -> 0x0";
        let leaf = "    1.000001 |   1)   1.494 us    |  f();";
        let stack = "            bash-175     [001] .....     1.000001: kernel_stack:         <stack trace >";
        for line in [noise, sample, exit, leaf, stack] {
            assert_eq!(count(&[line, line]), 1, "{line}");
        }
        let call = "            bash-175     [001] d..2.     1.000001: free_swap_cache <-free_pages";
        let marker = "            bash-175     [001] .....     1.000001: tracing_mark_write: a=1";
        let short = "    1.000001 |   1)   0.494 us    |  f();";
        for line in [call, marker, short] {
            assert_eq!(count(&[line, line]), 0, "{line}");
        }
    }
}

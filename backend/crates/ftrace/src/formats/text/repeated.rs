//! Records that stand in a text twice, one right behind the other.
//!
//! A program or the kernel may call a function twice in a microsecond, or print the same text twice. An event with
//! fields that has the same time, task and values again was copied: `sched_switch` leaves a task once.

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
        let Payload::Event { kind: EventKind::Tracepoint, args, .. } = payload else {
            self.at = None;
            return false;
        };
        let text = [context.buffer, context.payload];
        let is_same = self.at == at && text.iter().copied().flatten().eq(&self.text);
        self.at = at;
        if !is_same {
            self.text.clear();
            text.iter().for_each(|part| self.text.extend_from_slice(part));
        }
        is_same && args.contains(&b'=')
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
        let call = "            bash-175     [001] d..2.     1.000001: free_swap_cache <-free_pages";
        let marker = "            bash-175     [001] .....     1.000001: tracing_mark_write: a=1";
        for line in [call, marker] {
            assert_eq!(count(&[line, line]), 0, "{line}");
        }
    }
}

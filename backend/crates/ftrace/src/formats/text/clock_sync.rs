//! The line in which systrace says how the trace clock and the viewer's fit together.

use super::context::{Context, Time};
use super::header;
use super::payload::{self, Payload};
use crate::model::{EventKind, Facts, Timestamp};

/// What the line may state, and the fact that it becomes.
const FACTS: [(&[u8], &str); 2] =
    [(b"parent_ts=", "clock_sync_parent_ts"), (b"realtime_ts=", "clock_sync_realtime_ts")];

/// Takes `           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0` into `facts`; false
/// where the line is none of these.
///
/// systrace puts it after the recording for its viewer, at a stamp that is no moment: as an event it would
/// be as far from all others as the machine was up. What a program wrote to trace_marker stays an event:
/// it has the stamp of that moment, and a pid, for the idle task (0) writes nothing.
/// Source: systrace.py, html_suffix, Android 4.1 to 5.
pub fn read(context: &Context<'_>, facts: &mut Facts) -> bool {
    if context.time != Time::Seconds(Timestamp(0)) || context.task.pid != Some(0) {
        return false;
    }
    let Payload::Event { kind: EventKind::Print, args, .. } = payload::parse(context.payload) else {
        return false;
    };
    let Some(stated) = args.strip_prefix(b"trace_event_clock_sync: ") else { return false };
    for (key, name) in FACTS {
        if let Some(value) = stated.strip_prefix(key) {
            header::put(facts, name, value.trim_ascii());
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::text::context;

    fn check(line: &str, expected: &[(&str, &str)]) {
        let mut facts = Facts::default();
        let is_read = read(&context::parse(line.as_bytes()).unwrap(), &mut facts);
        assert_eq!(is_read, !expected.is_empty(), "{line}");
        let facts: Vec<_> = facts.other.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(facts, expected, "{line}");
    }

    #[test]
    fn only_the_line_of_systrace_itself_is_a_fact() {
        check(
            "           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0",
            &[("clock_sync_parent_ts", "0.0")],
        );
        check(
            "     dummy-0000  (-----) [000] .... 0.0: tracing_mark_write: trace_event_clock_sync: realtime_ts=1515631601423",
            &[("clock_sync_realtime_ts", "1515631601423")],
        );
        check("     dummy-0000  [000] 0.0: 0: trace_event_clock_sync: name=x", &[]);
        check("     dummy-0000  [000] 0.0: 0: B|3|a", &[]);
        check("      adbd-4583  [000] 0.000000: 0: trace_event_clock_sync: parent_ts=0.0", &[]);
        check("    <idle>-0     [000] 7.000000: 0: trace_event_clock_sync: parent_ts=0.0", &[]);
    }
}

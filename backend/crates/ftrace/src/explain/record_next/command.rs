//! The command line itself.

use super::events::{SECTIONS, arguments};
use crate::explain::surroundings::Surroundings;

/// What is known of the recording that lacked something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recording<'c> {
    pub duration_ns: i64,
    pub event_count: i64,
    /// CPUs that recorded something.
    pub cpu_count: usize,
    pub clock: Option<&'c str>,
}

/// Clocks of the kernel that a command may name; `local` is the usual one.
/// Source: trace_clocks, kernel/trace/trace.c, Linux 6.12.
const CLOCKS: [&str; 9] =
    ["global", "mono", "mono_raw", "boot", "tai", "perf", "uptime", "counter", "x86-tsc"];
/// The size of a scheduler or interrupt event in the ring buffer, rounded up.
const EVENT_BYTES: i64 = 80;
/// How many times as many events there will be, with and without those of sections.
const MORE_WITH_SECTIONS: i64 = 8;
const MORE: i64 = 2;
/// KiB of each CPU: the kernel's own default, and what a small machine can spare.
const MIN_BUFFER_KIB: i64 = 1_408;
const MAX_BUFFER_KIB: i64 = 65_536;
const MIN_SECONDS: i64 = 10;
const MAX_SECONDS: i64 = 60;

/// `trace-cmd record -e … -b 4096 -o next.dat sleep 10`: what was recorded and what was missing, in a buffer that
/// holds all of it even if nothing empties it.
/// Source: trace-cmd-record(1), trace-cmd 3.1.
pub fn line(wanted: &[&'static str], around: &Surroundings<'_, '_>, recording: &Recording<'_>) -> String {
    let events = arguments(|event| wanted.contains(&event) || around.records(event));
    let has_sections = events.iter().any(|event| event.starts_with(SECTIONS));
    let mut words = vec!["trace-cmd record".to_owned()];
    if has_sections {
        words.push("-i".to_owned());
    }
    words.extend(events.into_iter().map(|event| format!("-e {event}")));
    if let Some(clock) = CLOCKS.iter().find(|clock| Some(**clock) == recording.clock) {
        words.push(format!("-C {clock}"));
    }
    let seconds = seconds(recording);
    words.push(format!("-b {}", buffer_kib(recording, seconds, has_sections)));
    words.push(format!("-o next.dat sleep {seconds}"));
    words.join(" ")
}

/// The length of this recording, within bounds.
fn seconds(recording: &Recording<'_>) -> i64 {
    let seconds = recording.duration_ns.saturating_add(999_999_999).div_euclid(1_000_000_000);
    seconds.clamp(MIN_SECONDS, MAX_SECONDS)
}

/// The rate of this recording on each CPU, times the length, as a power of two.
fn buffer_kib(recording: &Recording<'_>, seconds: i64, has_sections: bool) -> i64 {
    let cpus = i64::try_from(recording.cpu_count).unwrap_or(i64::MAX).max(1);
    let more = if has_sections { MORE_WITH_SECTIONS } else { MORE };
    let bytes = i128::from(recording.event_count.max(0))
        .saturating_mul(i128::from(EVENT_BYTES.saturating_mul(more)))
        .saturating_mul(i128::from(seconds).saturating_mul(1_000_000_000));
    let of_each = bytes.div_euclid(i128::from(recording.duration_ns.max(1))).div_euclid(i128::from(cpus));
    let kib = i64::try_from(of_each.div_euclid(1_024)).unwrap_or(MAX_BUFFER_KIB);
    let rounded = u64::try_from(kib).ok().and_then(u64::checked_next_power_of_two);
    let rounded = rounded.and_then(|kib| i64::try_from(kib).ok()).unwrap_or(MAX_BUFFER_KIB);
    rounded.clamp(MIN_BUFFER_KIB, MAX_BUFFER_KIB)
}

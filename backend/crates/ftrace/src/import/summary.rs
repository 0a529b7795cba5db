//! What is said of a whole trace at the end of its import.

use std::collections::BTreeMap;

use serde::Serialize;

use super::buffers::BufferCount;
use crate::model::{Facts, TimeOrigin, TimeUnit};

/// The last frame of a trace that was read. Counts are of the whole trace; times are nanoseconds from
/// its first record, but for `origin_ns`, that record's own stamp.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub format: &'static str,
    pub tracer: Option<String>,
    pub kernel: Option<String>,
    pub clock: Option<String>,
    pub time_unit: TimeUnit,
    pub time_origin: TimeOrigin,
    /// CPUs that have records.
    pub cpus: Vec<u16>,
    /// CPUs of the machine, where the file says it; else those that have records.
    pub cpu_count: usize,
    pub origin_ns: String,
    /// From the first record to the last moment that is known.
    pub duration_ns: i64,
    pub event_count: i64,
    /// The buffers that events come from; none where there is only the top one.
    pub buffers: Vec<BufferCount>,
    pub call_count: i64,
    pub slice_count: i64,
    pub lost_events: i64,
    pub used_bytes: u64,
    pub skipped_bytes: u64,
    pub expanded_bytes: u64,
    pub facts: BTreeMap<String, String>,
    /// For each analysis that could not be made: the events to record for it.
    pub missing: BTreeMap<&'static str, &'static [&'static str]>,
    /// The analyses that found something.
    pub analyses: Vec<&'static str>,
}

/// Facts that came later win, field by field.
pub fn merge(known: &mut Facts, later: Facts) {
    fn take<T>(known: &mut Option<T>, later: Option<T>) {
        if later.is_some() {
            *known = later;
        }
    }
    take(&mut known.tracer, later.tracer);
    take(&mut known.kernel, later.kernel);
    take(&mut known.clock, later.clock);
    take(&mut known.time_unit, later.time_unit);
    take(&mut known.time_origin, later.time_origin);
    take(&mut known.cpu_count, later.cpu_count);
    take(&mut known.entries_in_buffer, later.entries_in_buffer);
    take(&mut known.entries_written, later.entries_written);
    known.other.extend(later.other);
}

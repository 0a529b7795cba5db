//! What a recording says about itself.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{TimeOrigin, TimeUnit};

/// Facts read from headers and metadata. A field that the file does not state stays `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub tracer: Option<String>,
    /// Kernel release, with the rest of `uname` where known: `6.12.95-rt-amd64`.
    pub kernel: Option<String>,
    /// Trace clock: `local`, `global`, `mono`, `boot`, `x86-tsc` ...
    pub clock: Option<String>,
    pub time_unit: Option<TimeUnit>,
    pub time_origin: Option<TimeOrigin>,
    /// CPUs of the machine (`#P:8`, `cpus=2`).
    pub cpu_count: Option<u32>,
    /// `entries-in-buffer/entries-written: a/b`.
    pub entries_in_buffer: Option<u64>,
    pub entries_written: Option<u64>,
    /// Everything else by stable name: `reported_latency_us`, `reported_cpu`, `reported_task`,
    /// `started_at`, `ended_at`, `preemption_model`, `trace_dat_version`, `compression`,
    /// `page_size_bytes`, `hostname`, `trace_cmd_version` ...
    pub other: BTreeMap<String, String>,
}

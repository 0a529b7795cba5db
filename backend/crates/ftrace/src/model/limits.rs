//! Bounds on what a file can make us do. Every one is a setting; these are the defaults.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    pub max_expanded_bytes: u64,
    /// Expanded size over compressed size, looked at past `expansion_ratio_floor_bytes`.
    pub max_expansion_ratio: u64,
    pub expansion_ratio_floor_bytes: u64,
    pub max_decoder_memory_bytes: u64,
    pub max_line_bytes: usize,
    pub max_depth: u16,
    pub max_cpus: u32,
    pub max_tasks: usize,
    pub max_names: usize,
    pub max_event_formats: usize,
    pub max_format_bytes: usize,
    pub max_format_fields: usize,
    pub max_print_fmt_nesting: usize,
    /// Diagnostics kept with their place and sample; all are counted.
    pub max_diagnostics_kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_expanded_bytes: 64 << 30,
            max_expansion_ratio: 200,
            expansion_ratio_floor_bytes: 64 << 20,
            max_decoder_memory_bytes: 128 << 20,
            max_line_bytes: 64 << 10,
            max_depth: 512,
            max_cpus: 8_192,
            max_tasks: 65_536,
            max_names: 65_536,
            max_event_formats: 16_384,
            max_format_bytes: 1 << 20,
            max_format_fields: 1_024,
            max_print_fmt_nesting: 128,
            max_diagnostics_kept: 1_000,
        }
    }
}

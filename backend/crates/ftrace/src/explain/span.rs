//! A slice as explanations see it.

use crate::analyses::{SliceFlags, SliceKind};

/// Something that a CPU did in [start, end).
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    pub kind: SliceKind,
    pub start_ns: i64,
    pub end_ns: i64,
    /// Without what is nested in it.
    pub self_ns: i64,
    pub cpu: i16,
    pub task_idx: i32,
    pub symbol_idx: i32,
    pub depth: i16,
    pub flags: SliceFlags,
    pub args: &'a str,
}

impl Span<'_> {
    pub fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Nanoseconds of it that lie in [start, end).
    pub fn overlap_ns(&self, start_ns: i64, end_ns: i64) -> i64 {
        self.end_ns.min(end_ns).saturating_sub(self.start_ns.max(start_ns)).max(0)
    }
}

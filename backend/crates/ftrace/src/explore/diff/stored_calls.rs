//! Calls from stored blocks, by who made them.

use super::instances::Instance;
use crate::analyses::SliceFlags;
use crate::explore::ExploreError;
use crate::explore::call_filter::read_calls;

/// What a comparison needs of a stored call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredCall {
    pub number: i32,
    pub parent: i32,
    pub start_ns: i64,
    pub duration_ns: i64,
    pub symbol_idx: i32,
    pub flags: SliceFlags,
}

/// The calls of some blocks, those of one caller side by side.
pub struct StoredCalls {
    /// By caller, then in the order in which they were opened: times may be equal, or run backwards a
    /// little where an interrupt came between reading the clock and writing the record.
    calls: Vec<StoredCall>,
}

impl StoredCalls {
    /// Errors: damaged blocks.
    pub fn read(slice_block: &[u8]) -> Result<Self, ExploreError> {
        let mut calls = Vec::new();
        read_calls(slice_block, |block| {
            calls.extend(Instance::all(block).map(|call| StoredCall {
                number: call.number,
                parent: call.parent,
                start_ns: call.start_ns,
                duration_ns: call.duration_ns,
                symbol_idx: call.symbol_idx,
                flags: call.flags,
            }));
        })?;
        calls.sort_unstable_by_key(|call| (call.parent, call.number));
        // The same block may come twice, with each of two instances that lie in it.
        calls.dedup();
        Ok(Self { calls })
    }

    /// What the call with this number called itself.
    pub fn children(&self, number: i32) -> &[StoredCall] {
        let from = self.calls.partition_point(|call| call.parent < number);
        let to = self.calls.partition_point(|call| call.parent <= number);
        self.calls.get(from..to).unwrap_or_default()
    }
}

//! The context column of an event: `d..2.`, `dnLh213`, or a binary record's common fields.

/// What the kernel says about the context in which an event was recorded.
///
/// Packed into 32 bits so that a block stores it as one integer: bits 0..=6 are the booleans below,
/// bits 8..=11 the preempt depth, 12..=15 the lazy depth, 16..=19 the migrate-disable depth, and
/// bit 20 is our own, and bit 31 says that the file had a flag column at all.
/// Source: kernel/trace/trace_output.c (`trace_print_lat_fmt`), Linux 6.12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    pub const IRQS_OFF: u32 = 1 << 0;
    pub const NEED_RESCHED: u32 = 1 << 1;
    pub const HARDIRQ: u32 = 1 << 2;
    pub const SOFTIRQ: u32 = 1 << 3;
    pub const NMI: u32 = 1 << 4;
    pub const BH_OFF: u32 = 1 << 5;
    pub const NEED_RESCHED_LAZY: u32 = 1 << 6;
    pub const PREEMPT_RESCHED: u32 = 1 << 7;
    /// Another trace instance has this very record, too, and analyses have seen it there.
    pub const REPEATED: u32 = 1 << 20;
    pub const KNOWN: u32 = 1 << 31;

    /// True where the file had a flag column and `bit` is set in it.
    pub fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    /// The scheduler is to run before the task is in user space again, on kernels that preempt lazily, too.
    pub fn needs_resched(self) -> bool {
        self.has(Self::NEED_RESCHED | Self::NEED_RESCHED_LAZY)
    }

    /// These flags with the low four bits of each depth set.
    pub fn with_depths(self, preempt: u32, lazy: u32, migrate: u32) -> Self {
        Self(self.0 & 0xfff0_00ff | (preempt & 15) << 8 | (lazy & 15) << 12 | (migrate & 15) << 16)
    }

    /// How many times preemption is off; 15 may be more.
    pub fn preempt_depth(self) -> u32 {
        self.0 >> 8 & 15
    }

    /// How many times lazy preemption is off; 15 may be more.
    pub fn preempt_lazy_depth(self) -> u32 {
        self.0 >> 12 & 15
    }

    /// How many times migration is off; 15 may be more.
    pub fn migrate_disable_depth(self) -> u32 {
        self.0 >> 16 & 15
    }
}

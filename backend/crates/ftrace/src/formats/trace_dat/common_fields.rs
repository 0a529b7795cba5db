//! The fields that every record begins with.

use super::byte_order::ByteOrder;
use super::event_format::{EventFormat, Field};
use crate::model::Flags;

/// Where the common fields are; the same for all events of a kernel.
#[derive(Clone, Debug, Default)]
pub struct CommonFields {
    id: Slot,
    flags: Slot,
    preempt_count: Slot,
    pid: Slot,
    /// `common_tgid` of some old kernels.
    tgid: Slot,
    /// PREEMPT_RT trees before Linux 5.15 kept these two apart.
    lazy_count: Slot,
    migrate_disable: Slot,
    /// Since Linux 6.13 bit 1 means a lazy reschedule; before, that the architecture does not support the flag.
    has_lazy_bit: bool,
}

/// An unsigned number in the record; of size 0 where the kernel does not have it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    offset: usize,
    size: usize,
}

impl Slot {
    fn of(field: Option<&Field>) -> Self {
        field.map_or(Self::default(), |field| Self { offset: field.offset, size: field.size })
    }

    fn load(self, record: &[u8], order: ByteOrder) -> Option<u64> {
        order.load(record, self.offset, self.size)
    }
}

/// Source: enum trace_flag_type in include/linux/trace_events.h.
const IRQS_OFF: u32 = 0x01;
const NEED_RESCHED_LAZY: u32 = 0x02;
const NEED_RESCHED: u32 = 0x04;
const HARDIRQ: u32 = 0x08;
const SOFTIRQ: u32 = 0x10;
const PREEMPT_RESCHED: u32 = 0x20;
const NMI: u32 = 0x40;
const BH_OFF: u32 = 0x80;

impl CommonFields {
    /// Those of any event's format; `kernel` is the release, where it is known.
    pub fn of(format: &EventFormat, kernel: Option<&str>) -> Self {
        let slot = |name: &[u8]| Slot::of(format.common.iter().find(|field| field.name == name));
        Self {
            id: slot(b"common_type"),
            flags: slot(b"common_flags"),
            preempt_count: slot(b"common_preempt_count"),
            pid: slot(b"common_pid"),
            tgid: slot(b"common_tgid"),
            lazy_count: slot(b"common_preempt_lazy_count"),
            migrate_disable: slot(b"common_migrate_disable"),
            has_lazy_bit: kernel.and_then(kernel_version).is_some_and(|version| version >= (6, 13)),
        }
    }

    /// Where they are in every kernel since Linux 2.6.31, for files whose formats are damaged.
    pub fn usual() -> Self {
        let slot = |offset, size| Slot { offset, size };
        let (id, flags, preempt_count, pid) = (slot(0, 2), slot(2, 1), slot(3, 1), slot(4, 4));
        Self { id, flags, preempt_count, pid, ..Self::default() }
    }

    /// Number of the event type.
    pub fn id(&self, record: &[u8], order: ByteOrder) -> Option<u32> {
        self.id.load(record, order).and_then(|id| u32::try_from(id).ok())
    }

    /// `common_pid`; `None` where the record is too short.
    pub fn pid(&self, record: &[u8], order: ByteOrder) -> Option<i32> {
        self.pid.load(record, order).map(|pid| pid as i32)
    }

    /// `common_tgid`, which few kernels have; `None` elsewhere.
    pub fn tgid(&self, record: &[u8], order: ByteOrder) -> Option<i32> {
        self.tgid.load(record, order).map(|tgid| tgid as i32)
    }

    /// The context column; unknown where the kernel has no `common_flags`.
    pub fn flags(&self, record: &[u8], order: ByteOrder) -> Flags {
        let Some(bits) = self.flags.load(record, order) else { return Flags::default() };
        let bits = bits as u32;
        let mut flags = Flags::KNOWN;
        for (bit, flag) in [
            (IRQS_OFF, Flags::IRQS_OFF),
            (NEED_RESCHED, Flags::NEED_RESCHED),
            (HARDIRQ, Flags::HARDIRQ),
            (SOFTIRQ, Flags::SOFTIRQ),
            (PREEMPT_RESCHED, Flags::PREEMPT_RESCHED),
            (NMI, Flags::NMI),
            (BH_OFF, Flags::BH_OFF),
        ] {
            if bits & bit != 0 {
                flags |= flag;
            }
        }
        if self.has_lazy_bit && bits & NEED_RESCHED_LAZY != 0 {
            flags |= Flags::NEED_RESCHED_LAZY;
        }
        let preempt = self.preempt_count.load(record, order).unwrap_or(0) as u32;
        let lazy = self.lazy_count.load(record, order).unwrap_or(0) as u32;
        let migrate = self.migrate_disable.load(record, order).map_or(preempt >> 4, |count| count as u32);
        Flags(flags).with_depths(preempt, lazy, migrate)
    }
}

/// `(6, 12)` of `6.12.95+deb12-amd64 ...`
pub fn kernel_version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

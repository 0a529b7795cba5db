//! A virtual CPU that its host did not run.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "guest_stall",
    mechanism: Mechanism::Stall,
    title: "The host did not run this virtual CPU",
    condition: "A stall in a recording with the devices of a virtual machine.",
    meaning: "Between two events that normally follow each other within microseconds the CPU executed nothing. \
        In a guest that is the host: it ran something else, or handled an exit of the guest. Nothing \
        inside the guest can end it.",
    helps: "On the host: one physical CPU for each virtual one (`vcpupin`), `isolcpus=` or a cpuset for \
        those, real-time priority for their threads, locked memory. Measure latencies on bare metal, or \
        on such a host.",
    check: "The `steal` column of `/proc/stat` must stay at 0 in the guest; on the host, record \
        `kvm:kvm_exit` and `kvm_entry` and the switches of the virtual CPU's thread at the same time.",
    reference: "Documentation/filesystems/proc.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.mechanism == Mechanism::Stall && setting.around.is_guest()
}

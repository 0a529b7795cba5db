//! A CPU that executed nothing, where no guest is known.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "stall",
    mechanism: Mechanism::Stall,
    title: "Something below the kernel took this CPU",
    condition: "Two events inside one interrupt, softirq or switch, many times further apart than such events \
        are here; no devices of a virtual machine.",
    meaning: "The kernel does not see what ran: firmware in a system management interrupt (SMI) on bare metal, \
        the host if this is a virtual machine, or a bus or memory access that took that long.",
    helps: "On bare metal, switch off in the firmware what raises SMIs (USB legacy emulation, power and \
        thermal management by the firmware), or update it. On a virtual machine, look at the host.",
    check: "Run the `hwlat` tracer on that CPU: `trace-cmd record -p hwlat sleep 60` shows the \
        gaps, and the NMIs in them. On x86 `turbostat` counts SMIs.",
    reference: "Documentation/trace/hwlat_detector.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.mechanism == Mechanism::Stall && link.usual.is_some() && !setting.around.is_guest()
}

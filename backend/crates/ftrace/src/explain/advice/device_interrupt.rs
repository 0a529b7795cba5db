//! The interrupt of a device.

use super::{Entry, Setting};
use crate::events::Role;
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "device_interrupt",
    mechanism: Mechanism::OtherInterrupt,
    title: "The interrupt of a device on this CPU",
    condition: "`irq_handler_entry`: an interrupt with a number, which can be sent to another CPU.",
    meaning: "The device interrupts whatever runs on the CPU that its interrupt is sent to; no priority of a \
        task is above it.",
    helps: "Send it elsewhere: write the other CPUs to `/proc/irq/N/smp_affinity_list`, stop `irqbalance` or \
        ban the CPU there, or boot with `irqaffinity=`. A device with one queue for each CPU has managed \
        interrupts, which refuse that; `isolcpus=managed_irq,…` moves those whose queue has other CPUs, \
        too, so give the device fewer queues. On PREEMPT_RT, or with `threadirqs`, most of the work is a \
        thread with a priority.",
    check: "The count of that interrupt for this CPU in `/proc/interrupts` must no longer rise.",
    reference: "Documentation/core-api/irq/irq-affinity.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.evidence.iter().any(|event| event.role == Some(Role::IrqEntry))
}

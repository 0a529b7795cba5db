//! An idle CPU of a guest.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "guest_idle",
    mechanism: Mechanism::IdleExit,
    title: "A guest has to wait for its host to leave idle",
    condition: "A CPU of a virtual machine that was idle took 100 µs or longer to notice.",
    meaning: "An idle CPU of a guest halts, and gives its physical CPU back to the host. The wakeup goes \
        through the host, which first has to schedule the thread of that virtual CPU.",
    helps: "Poll before halting: `haltpoll` as the cpuidle governor of the guest, or `idle=poll` where one \
        physical CPU belongs to each virtual one; `halt_poll_ns` of the `kvm` module on the host. Give \
        the virtual CPU's thread a CPU and a real-time priority of its own on the host.",
    check: "The `steal` column of `/proc/stat` in the guest must stay at 0, and the time from `cpu_idle` to \
        the next event must fall to some µs.",
    reference: "Documentation/virt/guest-halt-polling.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    setting.around.is_guest() && link.duration_ns() >= 100_000
}

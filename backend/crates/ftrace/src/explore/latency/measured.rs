//! Which tasks a recording was made to look at.

use serde::Serialize;

use crate::analyses::{LatencyKind, Lateness};
use crate::explore::priority_class::PriorityClass;
use crate::store::read::dictionaries::Task;

/// What tells the tasks that measure from all others.
#[derive(Debug, Serialize)]
pub struct Measuring {
    /// What the names of programs begin with, of rt-tests and rtla, and of the threads that the kernel's tracers sleep in:
    /// they sleep in order to measure how late they wake.
    programs: &'static [&'static str],
    /// Fewer sleeps are no period: a shell that waits for its programs sleeps now and then, too.
    periodic_samples: i64,
}

pub const MEASURING: Measuring = Measuring {
    programs: &[
        "cyclictest",
        "cyclicdeadline",
        "cyclic_deadline",
        "timerlat/",
        "timerlatu/",
        "osnoise/",
        "oslat",
        "rtla",
        "ptsematest",
        "signaltest",
        "pmqtest",
    ],
    periodic_samples: 20,
};

/// A program that measures, or a task that a scheduler's promise is kept for and that sleeps by the clock.
///
/// Where its timers are not recorded, the wakeups of a program that measures are what is left of its lateness. Those
/// of other real-time tasks are not: most are threads of the kernel, which wait for anything.
pub fn measures(task: &Task<'_>, kind: &LatencyKind, count: i64) -> bool {
    let is_wakeup = kind.has_sleep && kind.lateness == Lateness::Late;
    if count == 0 || !(is_wakeup || kind.lateness == Lateness::Measured) {
        return false;
    }
    let is_promised = task.prio.is_some_and(|prio| PriorityClass::of(prio) != PriorityClass::Fair);
    MEASURING.programs.iter().any(|name| task.comm.starts_with(name))
        || (is_promised && !is_wakeup && count >= MEASURING.periodic_samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds;

    #[test]
    fn what_measures_is_known_by_its_name_or_by_its_promise_and_period() {
        let cyclic = kinds::find("cyclic").unwrap().latency();
        let wakeup = kinds::find("wakeup").unwrap().latency();
        let task = |comm: &'static str, prio| Task { pid: Some(9), cpu: None, comm, prio };
        assert!(measures(&task("cyclictest", Some(120)), cyclic, 1));
        assert!(measures(&task("timerlatu/1", None), cyclic, 1));
        assert!(measures(&task("control-loop", Some(19)), cyclic, 20));
        assert!(!measures(&task("control-loop", Some(19)), cyclic, 19));
        assert!(!measures(&task("sleep", Some(120)), cyclic, 1_000));
        assert!(measures(&task("cyclictest", Some(19)), wakeup, 1));
        assert!(!measures(&task("irq/25-virtio1", Some(49)), wakeup, 1_000));
        let irqsoff = kinds::find("irqsoff").unwrap().latency();
        assert!(!measures(&task("cyclictest", Some(19)), irqsoff, 1_000));
    }
}

//! Records of switches that are missing from a recording that is no excerpt.

use super::recording::Recording;
use crate::model::{Code, Diagnostic, Place, may_be_excerpt};

/// Switches that were missed among the first events, which are kept until it is known whether others follow.
#[derive(Default)]
pub struct MissedSwitches {
    waiting: Vec<(Place, Vec<u8>)>,
}

impl MissedSwitches {
    /// The event at `place` is one of another task than its CPU was switched to.
    pub fn miss(&mut self, place: Place, args: &[u8]) {
        self.waiting.push((place, args.to_vec()));
    }

    /// Reports what was missed, once there are enough events.
    pub fn report(&mut self, event_count: i64, recording: &mut Recording<'_>) {
        if may_be_excerpt(event_count.unsigned_abs()) {
            return;
        }
        for (place, args) in self.waiting.drain(..) {
            recording.diagnostics.add(&Diagnostic {
                code: Code::MissingSwitch,
                place,
                sample: &args,
                count: 1,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::import::testing::diagnostic_codes;

    /// A CPU that switches to a task, and then runs another one, in a recording of so many events.
    fn is_reported(event_count: usize) -> bool {
        let mut lines = String::from(
            "<idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89\n",
        );
        for number in 1..event_count {
            writeln!(lines, "sh-7 [0] 1.0001{number:02}: print: hello").unwrap();
        }
        diagnostic_codes(&lines) == ["missing_switch"]
    }

    /// Each switch of a CPU that goes to and fro between two tasks is missed.
    #[test]
    fn a_switch_that_is_gone_is_missed() {
        let switches: Vec<String> = (0..20_u32)
            .map(|at| {
                let (prev, next) = if at.is_multiple_of(2) { (7, 9) } else { (9, 7) };
                let us = 100 + at;
                format!("sh-{prev} [0] 1.000{us}: sched_switch: prev_comm=sh prev_pid={prev} prev_prio=120 prev_state=S ==> next_comm=sh next_pid={next} next_prio=120\n")
            })
            .collect();
        assert!(diagnostic_codes(&switches.concat()).is_empty());
        for gone in 1..switches.len() - 1 {
            let mut left = switches.clone();
            left.remove(gone);
            assert_eq!(diagnostic_codes(&left.concat()), ["missing_switch"], "{gone}");
        }
    }

    #[test]
    fn the_idle_task_of_another_cpu_is_reported() {
        let switch = |cpu: u16, next: &str| {
            format!(
                "sh-7 [{cpu}] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm={next} next_pid=0 next_prio=120\n"
            )
        };
        assert_eq!(diagnostic_codes(&switch(1, "swapper/0")), ["other_cpu"]);
        for own in ["swapper/1", "swapper", "swapper/", "<idle>"] {
            assert!(diagnostic_codes(&switch(1, own)).is_empty(), "{own}");
        }
    }

    #[test]
    fn a_recording_of_few_events_is_an_excerpt() {
        assert!(!is_reported(16));
        assert!(is_reported(17));
    }
}

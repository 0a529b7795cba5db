//! Tasks that have just been made: their first sleeps are due before they get to begin them.

use hashbrown::HashMap;

use crate::model::Ns;

/// Whoever begins more sleeps too late has not just been made, unless it catches up with every one of them.
const FIRST_SLEEPS: u8 = 8;

pub struct Starts {
    max_tasks: usize,
    /// How many sleeps may still be first ones, and how late the last one began, by pid.
    left: HashMap<i32, (u8, Ns)>,
}

impl Starts {
    pub fn new(max_tasks: usize) -> Self {
        Self { max_tasks, left: HashMap::new() }
    }

    /// A timer wakes a task. True for one of its first sleeps, where it was due before it began, as were all before it.
    ///
    /// Of what was due before the recording began it is not known.
    pub fn is_first(&mut self, pid: i32, due_ns: Ns, began_ns: Ns) -> bool {
        self.begins(pid, if Ns::ZERO <= due_ns { began_ns - due_ns } else { Ns::ZERO })
    }

    fn begins(&mut self, pid: i32, late_ns: Ns) -> bool {
        if self.left.len() >= self.max_tasks && !self.left.contains_key(&pid) {
            return false;
        }
        let (left, last_late_ns) = self.left.entry(pid).or_insert((FIRST_SLEEPS, Ns::MAX));
        let is_first = late_ns > Ns::ZERO && (*left > 0 || late_ns < *last_late_ns);
        *left = if is_first { left.saturating_sub(1) } else { 0 };
        *last_late_ns = if is_first { late_ns } else { Ns::ZERO };
        is_first
    }

    /// A timer wakes a task that had started it before anything was recorded.
    pub fn has_slept_before(&mut self, pid: i32) {
        self.begins(pid, Ns::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::testing::measured;

    /// A sleep of `rt` that it begins at a time, 10 µs before its timer fires, and that was due at another.
    fn sleep(began_us: i64, due_us: i64) -> String {
        let fired_us = began_us + 10;
        let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
        let (expires, now) = (due_us * 1_000, fired_us * 1_000);
        let mut text = String::new();
        for (t_us, who, event) in [
            (began_us, "rt-9", format!("hrtimer_start: {timer} expires={expires} softexpires={expires}")),
            (fired_us, "<idle>-0", format!("hrtimer_expire_entry: {timer} now={now}")),
            (fired_us + 1, "<idle>-0", "sched_waking: comm=rt pid=9 prio=19 target_cpu=000".to_owned()),
            (fired_us + 1, "<idle>-0", "sched_wakeup: comm=rt pid=9 prio=19 target_cpu=000".to_owned()),
            (fired_us + 2, "<idle>-0", "hrtimer_expire_exit: hrtimer=00000000000000aa".to_owned()),
            (
                fired_us + 3,
                "<idle>-0",
                "sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19".to_owned(),
            ),
        ] {
            writeln!(text, "{who} [0] {}.{:06}: {event}", 1 + t_us / 1_000_000, t_us % 1_000_000).unwrap();
        }
        text
    }

    /// Which of the sleeps are first ones.
    fn starting(before: &str, sleeps: &[(i64, i64)]) -> Vec<bool> {
        let text: String = sleeps.iter().map(|(began_us, due_us)| sleep(*began_us, *due_us)).collect();
        let begins = "sh-7 [1] 1.000000: tick_stop: success=1\n";
        let of_kind = |kind| -> Vec<bool> {
            let said = measured(&[kind], &format!("{begins}{before}{text}"));
            said.lines()
                .filter(|line| line.contains("duration"))
                .map(|line| line.contains("starting"))
                .collect()
        };
        let found = of_kind("cyclic");
        assert_eq!(of_kind("timer"), found);
        found
    }

    #[test]
    fn first_sleeps_that_are_due_before_they_begin_are_told_from_later_ones() {
        let sleeps = [(40_000, 10_000), (40_100, 20_000), (40_200, 40_205), (60_000, 50_000)];
        assert_eq!(starting("", &sleeps), [true, true, false, false]);
        assert_eq!(starting("", &sleeps[2..]), [false, false]);
    }

    #[test]
    fn what_was_due_before_the_recording_began_is_no_first_sleep() {
        assert_eq!(starting("", &[(40_000, -10_000), (40_200, 40_205)]), [false, false]);
    }

    #[test]
    fn whoever_is_late_again_and_again_has_not_just_been_made() {
        let sleeps: Vec<(i64, i64)> = (1..12).map(|number| (number * 1_000, number * 1_000 - 500)).collect();
        let found = starting("", &sleeps);
        assert_eq!(found.iter().filter(|is_first| **is_first).count(), usize::from(super::FIRST_SLEEPS));
        assert!(found.ends_with(&[false, false, false]));
    }

    #[test]
    fn whoever_catches_up_is_still_starting() {
        // Made 200 ms too late, and due every 10 ms: it catches up with twenty sleeps in a few milliseconds.
        let due_us = |number: i64| 10_000 * (number + 1);
        let begun_us = |number: i64| (due_us(number) - 5).max(210_000 + 100 * number);
        let sleeps: Vec<(i64, i64)> = (0..30).map(|number| (begun_us(number), due_us(number))).collect();
        let found = starting("", &sleeps);
        let late = sleeps.iter().map(|(began_us, due_us)| began_us > due_us);
        assert_eq!(found, late.collect::<Vec<_>>());
        assert!(found.iter().filter(|is_first| **is_first).count() > usize::from(super::FIRST_SLEEPS));
    }

    #[test]
    fn whoever_slept_when_the_recording_began_has_not_just_been_made() {
        let text = sleep(1_000, 1_005);
        let (_, woken) = text.split_once('\n').unwrap();
        assert_eq!(starting(woken, &[(40_000, 10_000), (60_000, 50_000)]), [false, false]);
    }
}

//! Times of records that do not follow from one another, as where a text was put together from two.
//!
//! The kernel and trace-cmd merge the records of all CPUs by their times, so that time runs forward from line to line.

use crate::model::{Place, Timestamp};

/// A reader of `trace_pipe` may see the record of one CPU a little later than a newer one of another.
const LATE_NS: i64 = 1_000_000;
/// No program makes a pause of this length that is so many times as long as any other.
const MIN_JUMP_NS: i64 = 10_000_000_000;
const MIN_RATIO: i64 = 100;
/// Steps among which one can stand out.
const MIN_STEPS: u64 = 3;
/// CPUs that are followed.
const MAX_CPUS: usize = 1_024;
const SAMPLE_BYTES: usize = 256;

/// The times of the records of a section.
#[derive(Debug, Default)]
pub struct TimeSteps {
    last: Option<Timestamp>,
    cpus: Vec<Option<Timestamp>>,
    count: u64,
    largest_ns: i64,
    second_ns: i64,
    /// The record behind the largest step.
    behind: (Place, Vec<u8>),
}

impl TimeSteps {
    /// True where the record is older than that of another CPU before it. The importer reports one that is older than
    /// the record before it of its own CPU.
    pub fn see(&mut self, ts: Timestamp, cpu: u16, line: &[u8], place: Place) -> bool {
        let Some(last) = self.last.replace(ts) else {
            self.see_cpu(ts, cpu);
            return false;
        };
        let step_ns = ts.0.saturating_sub(last.0);
        let is_of_cpu = self.see_cpu(ts, cpu).is_some_and(|last| ts < last);
        if step_ns <= 0 {
            return step_ns < -LATE_NS && !is_of_cpu;
        }
        self.count = self.count.saturating_add(1);
        if step_ns <= self.largest_ns {
            self.second_ns = self.second_ns.max(step_ns);
            return false;
        }
        (self.second_ns, self.largest_ns) = (self.largest_ns, step_ns);
        if step_ns >= MIN_JUMP_NS {
            let sample = line.get(..SAMPLE_BYTES).unwrap_or(line);
            self.behind = (place, sample.to_vec());
        }
        false
    }

    /// The record behind a step that is far longer than all others.
    pub fn jump(&self) -> Option<(Place, &[u8])> {
        let is_far = self.count >= MIN_STEPS
            && self.largest_ns >= MIN_JUMP_NS
            && self.largest_ns / MIN_RATIO >= self.second_ns;
        is_far.then_some((self.behind.0, self.behind.1.as_slice()))
    }

    /// The time of the record of this CPU before.
    fn see_cpu(&mut self, ts: Timestamp, cpu: u16) -> Option<Timestamp> {
        let at = usize::from(cpu);
        if at >= self.cpus.len() {
            self.cpus.resize(at.saturating_add(1).min(MAX_CPUS), None);
        }
        self.cpus.get_mut(at)?.replace(ts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as CPU and microsecond; answers those that run backwards, and the one behind a jump.
    fn check(records: &[(u16, i64)], backwards: &[usize], jump: Option<u64>) {
        let mut steps = TimeSteps::default();
        let is_back = |(idx, (cpu, us)): (usize, &(u16, i64))| {
            let place = Place::byte(u64::try_from(idx).unwrap());
            steps.see(Timestamp(us * 1_000), *cpu, b"", place).then_some(idx)
        };
        let back: Vec<_> = records.iter().enumerate().filter_map(is_back).collect();
        assert_eq!(back, backwards, "{records:?}");
        assert_eq!(steps.jump().map(|(place, _)| place.byte_offset), jump, "{records:?}");
    }

    const FAR: i64 = 20_000_000;

    #[test]
    fn records_of_all_cpus_are_in_order() {
        check(&[(0, 10), (1, 10), (0, 30), (1, 29)], &[], None);
        check(&[(0, FAR), (1, 10), (0, FAR + 1), (1, 20)], &[1, 3], None);
        // The importer reports those of one CPU.
        check(&[(0, 10), (0, FAR), (0, 20)], &[], None);
        check(&[(0, 5_000), (1, 4_500), (1, 4_000), (0, 5_001)], &[], None);
    }

    #[test]
    fn one_step_beyond_all_others_is_a_jump() {
        check(&[(0, 10), (0, 20), (1, 30), (1, FAR), (0, FAR + 5)], &[], Some(3));
        check(&[(0, 10), (0, FAR), (1, FAR + 1), (1, FAR + 2)], &[], Some(1));
        // Two like it, one that is shorter, and too few to tell.
        check(&[(0, 10), (0, FAR), (0, FAR + 1), (0, 2 * FAR), (0, 2 * FAR + 1)], &[], None);
        check(&[(0, 10), (0, 20), (0, 30), (0, 9_000_000), (0, 9_000_010)], &[], None);
        check(&[(0, 10), (0, FAR), (0, FAR + 1)], &[], None);
    }
}

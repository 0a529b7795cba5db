//! The time columns of a block: where it lies, and the distances between its records.

use crate::model::Ns;

/// Records of one block in their order: `t0`, `t1` around all of them, `dt` between them.
#[derive(Default)]
pub struct TimeAxis {
    first: Ns,
    last: Ns,
    t0: Ns,
    t1: Ns,
    /// From the record before; the first element is not used.
    dt: Vec<i32>,
}

impl TimeAxis {
    /// The axis of the first instants that fit on one, and how many they are.
    pub fn of_first(times_ns: impl Iterator<Item = Ns>) -> (Self, usize) {
        let mut axis = Self::default();
        let count = times_ns.take_while(|t_ns| axis.push(*t_ns, *t_ns)).count();
        (axis, count)
    }

    /// Adds a record in `[start_ns, end_ns)`; an instant lies in the nanosecond after it. `false`, and
    /// nothing changed, where it is too far from the others for `dt`, so that the block must be closed.
    pub fn push(&mut self, start_ns: Ns, end_ns: Ns) -> bool {
        let end_ns = end_ns.max(start_ns + Ns(1));
        if self.dt.is_empty() {
            *self = Self { first: start_ns, last: start_ns, t0: start_ns, t1: end_ns, dt: vec![0] };
            return true;
        }
        let t0 = self.t0.min(start_ns);
        let (Some(dt), Some(_)) = (distance(self.last, start_ns), distance(t0, self.first)) else {
            return false;
        };
        self.dt.push(dt);
        self.last = start_ns;
        self.t0 = t0;
        self.t1 = self.t1.max(end_ns);
        true
    }

    /// The start of the earliest record.
    pub fn t0(&self) -> Ns {
        self.t0
    }

    /// The end of the latest record.
    pub fn t1(&self) -> Ns {
        self.t1
    }

    /// The column `dt`: the first distance is from `t0`.
    pub fn dt(&self) -> impl ExactSizeIterator<Item = i32> {
        let first = distance(self.t0, self.first).unwrap_or(0);
        self.dt.iter().enumerate().map(move |(idx, dt)| if idx == 0 { first } else { *dt })
    }
}

fn distance(from: Ns, to: Ns) -> Option<i32> {
    i32::try_from((to - from).0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(starts: &[i64]) -> TimeAxis {
        let mut axis = TimeAxis::default();
        for start in starts {
            assert!(axis.push(Ns(*start), Ns(*start)), "{start}");
        }
        axis
    }

    #[test]
    fn distances_begin_at_the_earliest_record() {
        let axis = axis(&[100, 130, 90, 95]);
        assert_eq!((axis.t0(), axis.t1()), (Ns(90), Ns(131)));
        assert_eq!(axis.dt().collect::<Vec<_>>(), [10, 30, -40, 5]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let second = 1_000_000_000;
        assert!(!axis(&[0]).push(Ns(3 * second), Ns::ZERO));
        assert!(!axis(&[i64::MIN]).push(Ns::MAX, Ns::ZERO));
        // Each step fits, but the first record would be too far from `t0`.
        assert!(!axis(&[3 * second, 2 * second, second]).push(Ns::ZERO, Ns::ZERO));
    }
}

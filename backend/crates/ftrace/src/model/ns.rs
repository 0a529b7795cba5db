//! Times of a trace, and their arithmetic.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::Timestamp;

/// Nanoseconds: a moment, counted from the start of the trace, or the time between two.
///
/// Arithmetic is total: a result past the range of an `i64`, which is 292 years, is the end of that
/// range. A hostile file may state any number, and one wrong time must stop neither the import nor
/// wrap into a plausible one. Columns and JSON hold it as the integer that it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ns(pub i64);

impl Ns {
    pub const ZERO: Self = Self(0);
    pub const MIN: Self = Self(i64::MIN);
    pub const MAX: Self = Self(i64::MAX);

    /// The time from here to `end`, at least 0: none where `end` lies before.
    pub fn until(self, end: Self) -> Self {
        (end - self).max(Self::ZERO)
    }

    /// Which bucket it lies in, where each is `width` long and number 0 begins at 0.
    pub fn bucket(self, width: Self) -> i64 {
        self.0.checked_div_euclid(width.0).unwrap_or_default()
    }
}

impl fmt::Display for Ns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Add for Ns {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Ns {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<i64> for Ns {
    type Output = Self;

    fn mul(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Neg for Ns {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for Ns {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Ns {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Ns {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Self::add)
    }
}

impl Timestamp {
    /// The time from here to `end`, at least 0: none where `end` lies before.
    pub fn until(self, end: Self) -> Ns {
        Ns(self.0).until(Ns(end.0))
    }
}

impl Sub for Timestamp {
    type Output = Ns;

    fn sub(self, other: Self) -> Ns {
        Ns(self.0) - Ns(other.0)
    }
}

impl Add<Ns> for Timestamp {
    type Output = Self;

    fn add(self, time: Ns) -> Self {
        Self((Ns(self.0) + time).0)
    }
}

impl Sub<Ns> for Timestamp {
    type Output = Self;

    fn sub(self, time: Ns) -> Self {
        Self((Ns(self.0) - time).0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The exact result, or the end of the range that it lies beyond.
    fn within(exact: i128) -> Ns {
        Ns(i64::try_from(exact).unwrap_or(if exact < 0 { i64::MIN } else { i64::MAX }))
    }

    fn any_time() -> impl Strategy<Value = i64> {
        prop_oneof![any::<i64>(), -3..3_i64, Just(i64::MIN), Just(i64::MAX)]
    }

    proptest! {
        #[test]
        fn arithmetic_is_exact_or_ends_at_the_range(a in any_time(), b in any_time()) {
            let (x, y) = (i128::from(a), i128::from(b));
            prop_assert_eq!(Ns(a) + Ns(b), within(x + y));
            prop_assert_eq!(Ns(a) - Ns(b), within(x - y));
            prop_assert_eq!(Ns(a) * b, within(x * y));
            prop_assert_eq!(-Ns(a), within(-x));
            prop_assert_eq!(Ns(a).until(Ns(b)), within((y - x).max(0)));
            prop_assert_eq!(Timestamp(a).until(Timestamp(b)), within((y - x).max(0)));
            prop_assert_eq!([a, b].map(Ns).into_iter().sum::<Ns>(), within(x + y));
            prop_assert_eq!(Timestamp(a) - Timestamp(b), within(x - y));
            prop_assert_eq!(Timestamp(a) + Ns(b), Timestamp(within(x + y).0));
            prop_assert_eq!(Timestamp(a) - Ns(b), Timestamp(within(x - y).0));
        }
    }
}

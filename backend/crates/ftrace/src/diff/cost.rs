//! What a reading costs, as one number that compares in the order of what matters.

use std::ops::{Add, Sub};

/// Compared in this order: nodes that have no counterpart; those of them that no `...` of the other side can
/// stand for; matched names that differ by a suffix; differences of duration of matched siblings.
///
/// The first three are the structure (22, 21 and 21 bits: a side has fewer than 2^20 nodes), the last 64 bits are nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u128);

/// Differences of duration above 2^42 ns (73 minutes) cost as much as that: sums stay within 63 bits.
const MOST_NS: u64 = 1 << 42;

impl Cost {
    pub const ZERO: Self = Self(0);
    /// No way leads here. Anything may be added to it.
    pub const NEVER: Self = Self(u128::MAX >> 1);

    /// The cost of matching two siblings of these durations.
    pub fn time(one_ns: i64, other_ns: i64) -> Self {
        Self(u128::from(one_ns.abs_diff(other_ns).min(MOST_NS)))
    }

    /// Without the time.
    pub fn to_structure(self) -> Structure {
        Structure(u64::try_from(self.0 >> 64).unwrap_or(u64::MAX))
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl From<Structure> for Cost {
    fn from(structure: Structure) -> Self {
        Self(u128::from(structure.0) << 64)
    }
}

/// The part of a cost that does not depend on durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Structure(u64);

impl Structure {
    pub const ZERO: Self = Self(0);
    /// A matched name differs by a suffix.
    pub const SUFFIX: Self = Self(1);

    /// The cost of `nodes` without a counterpart that no `...` covers.
    pub fn unmatched(nodes: u32) -> Self {
        Self(u64::from(nodes) << 42 | u64::from(nodes) << 21)
    }

    /// These nodes may be hidden in a `...`: better than unmatched, but a match is better still.
    pub fn covered(nodes: u32) -> Self {
        Self(u64::from(nodes) << 42)
    }

    /// How many nodes have no counterpart.
    pub fn nodes(self) -> u32 {
        u32::try_from(self.0 >> 42).unwrap_or(u32::MAX)
    }
}

impl Add for Structure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_more_decides() {
        let in_order = [
            Cost::ZERO,
            Cost::time(0, 5),
            Cost::time(i64::MIN, i64::MAX) + Cost::time(i64::MAX, i64::MIN),
            Structure::SUFFIX.into(),
            Cost::from(Structure::covered(1)),
            Cost::from(Structure::unmatched(1)),
            Cost::from(Structure::covered(2)),
            Cost::from(Structure::unmatched((1 << 20) - 1) + Structure::unmatched((1 << 20) - 1)),
            Cost::NEVER,
        ];
        assert!(in_order.is_sorted());
        assert_eq!(Cost::from(Structure::unmatched(7)).to_structure().nodes(), 7);
    }
}

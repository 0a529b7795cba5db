//! What the index of a name stands for.

use super::blocks::ABSENT;

/// The name of a slice or a sample, as one integer says it: most are rows of a dictionary, and the integers that no
/// row can have stand for what has no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    None,
    /// A row, by its index; rows count from zero.
    Row(i32),
    /// A function that only the events of a tracer's report name, by its place among them.
    Function(i32),
    /// The one entry that a question adds to a dictionary.
    Added,
}

/// The first function's; those of the others descend.
const FIRST_FUNCTION: i32 = ABSENT - 1;
const ADDED: i32 = i32::MAX;

impl Name {
    /// What an index of a column says.
    pub fn of(idx: i32) -> Self {
        match idx {
            ABSENT => Self::None,
            ADDED => Self::Added,
            ..ABSENT => Self::Function(FIRST_FUNCTION - idx),
            _ => Self::Row(idx),
        }
    }

    /// The index as columns hold it.
    pub fn idx(self) -> i32 {
        match self {
            Self::None => ABSENT,
            Self::Row(idx) => idx,
            Self::Function(at) => FIRST_FUNCTION.saturating_sub(at),
            Self::Added => ADDED,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_index_stands_for_one_name(idx in prop_oneof![any::<i32>(), -4..4, Just(i32::MAX), Just(i32::MIN)]) {
            let name = Name::of(idx);
            prop_assert_eq!(name.idx(), idx);
            let is_row = matches!(name, Name::Row(_));
            prop_assert_eq!(is_row, (0..i32::MAX).contains(&idx));
        }
    }
}

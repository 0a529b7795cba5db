//! The two sides of a comparison, by name.

use std::array;

use serde::Serialize;

/// Something of each side of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Sides<T> {
    /// Of the instance in question.
    pub abnormal: T,
    /// Of what it is compared with.
    pub normal: T,
}

impl<T> Sides<T> {
    pub fn as_ref(&self) -> Sides<&T> {
        Sides { abnormal: &self.abnormal, normal: &self.normal }
    }

    pub fn as_mut(&mut self) -> Sides<&mut T> {
        Sides { abnormal: &mut self.abnormal, normal: &mut self.normal }
    }

    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Sides<U> {
        Sides { abnormal: of(self.abnormal), normal: of(self.normal) }
    }

    /// Applies `of` to both sides, the abnormal one first.
    ///
    /// Errors: the first one that `of` returns.
    pub fn try_map<U, E>(self, mut of: impl FnMut(T) -> Result<U, E>) -> Result<Sides<U>, E> {
        Ok(Sides { abnormal: of(self.abnormal)?, normal: of(self.normal)? })
    }

    pub fn zip<U>(self, other: Sides<U>) -> Sides<(T, U)> {
        Sides { abnormal: (self.abnormal, other.abnormal), normal: (self.normal, other.normal) }
    }

    /// Each side in the other's place.
    pub fn swapped(self) -> Self {
        Self { abnormal: self.normal, normal: self.abnormal }
    }
}

impl<T> Sides<Option<T>> {
    /// None unless both sides have one.
    pub fn both(self) -> Option<Sides<T>> {
        Some(Sides { abnormal: self.abnormal?, normal: self.normal? })
    }

    /// The abnormal one, else the normal one.
    pub fn either(self) -> Option<T> {
        self.abnormal.or(self.normal)
    }
}

impl Sides<i64> {
    /// Abnormal minus normal.
    pub fn delta(self) -> i64 {
        self.abnormal.saturating_sub(self.normal)
    }
}

/// The abnormal one first.
impl<T> IntoIterator for Sides<T> {
    type Item = T;
    type IntoIter = array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.abnormal, self.normal].into_iter()
    }
}

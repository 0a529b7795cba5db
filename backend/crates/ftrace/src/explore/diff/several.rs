//! A side that is a group of several traces: one of them is shown, the others count.

use super::instances::Spread;
use super::refs::Ref;
use super::side::Recording;
use crate::diff::Tree;
use crate::explore::ExploreError;
use crate::explore::protocol::Stored;

/// What a side found in one trace: an instance, or a group of them that is shown by its median.
pub trait InTrace: Sized {
    /// What a side names in its only trace: an instance, or all of a group.
    fn named(stored: &Stored, side: &Ref) -> impl Future<Output = Result<Self, ExploreError>> + Send;

    fn trace(&self) -> &Recording;

    fn median_ns(&self) -> i64;

    /// Of a group, how long its instances take together; `None` for a single one.
    fn spread(&self) -> Option<Spread>;

    /// Of all instances of a group.
    fn durations_ns(&self) -> &[i64];
}

/// What a side found in each of its traces. One of them speaks for all.
pub struct Several<T> {
    pub shown: T,
    pub others: Vec<T>,
    /// Traces that the side names.
    named: usize,
}

impl<T> Several<T> {
    /// Shows the one whose median is the one in the middle, the lower of two.
    ///
    /// Errors: none of them has instances like these. Any other refusal is passed on.
    pub fn of(
        found: Vec<Result<T, ExploreError>>,
        median_ns: impl Fn(&T) -> i64,
    ) -> Result<Self, ExploreError> {
        let named = found.len();
        let (mut parts, mut missing) = (Vec::new(), None);
        for part in found {
            match part {
                Ok(part) => parts.push(part),
                Err(error @ ExploreError::Missing(_)) => missing = missing.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        parts.sort_by_key(median_ns);
        let middle = parts.len().saturating_sub(1) / 2;
        if parts.is_empty() {
            return Err(
                missing.unwrap_or_else(|| ExploreError::Missing("The side names no trace.".to_owned()))
            );
        }
        Ok(Self { shown: parts.remove(middle), others: parts, named })
    }

    /// The instances behind the side, as many from each trace at most as make `most` in all.
    pub fn member_trees(
        &self,
        most: usize,
        mut of: impl FnMut(&T, usize) -> Result<Vec<Tree>, ExploreError>,
    ) -> Result<Vec<Tree>, ExploreError> {
        let most = most.checked_div(self.len()).unwrap_or(most);
        let mut members = Vec::new();
        for part in self.iter() {
            members.extend(of(part, most)?);
        }
        Ok(members)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.shown].into_iter().chain(&self.others)
    }

    /// How many traces have instances like these.
    pub fn len(&self) -> usize {
        self.others.len().saturating_add(1)
    }

    /// Applies `of` to the instances of every trace.
    ///
    /// Errors: the first one that `of` returns.
    pub fn try_map<'s, U, E>(&'s self, of: impl Fn(&'s T) -> Result<U, E>) -> Result<Several<U>, E> {
        let others: Result<Vec<U>, E> = self.others.iter().map(&of).collect();
        Ok(Several { shown: of(&self.shown)?, others: others?, named: self.named })
    }

    /// What is said of a side that is of several traces.
    pub fn note(&self, which: &str) -> Option<String> {
        (self.named > 1).then(|| {
            let lacking = self.named.saturating_sub(self.len());
            let verb = if lacking == 1 { "has" } else { "have" };
            let rest = if lacking == 0 { String::new() } else { format!("; {lacking} more {verb} none") };
            let traces = if self.len() == 1 { "trace" } else { "traces" };
            format!(
                "The {which} instances are of {} {traces}{rest}. Shown is the median one of the trace whose median is \
                 in the middle.",
                self.len()
            )
        })
    }
}

impl<T: InTrace> Several<T> {
    /// In each trace of a side, what it names there.
    ///
    /// Errors: as [`Several::of`].
    pub async fn named(stored: &Stored, side: &Ref) -> Result<Self, ExploreError> {
        let mut found = Vec::new();
        for part in side.parts() {
            found.push(T::named(stored, &part).await);
        }
        Self::of(found, T::median_ns)
    }

    /// What was found in the trace that another side is of, too.
    pub fn in_trace_of(&self, side: &Ref) -> Option<&T> {
        self.iter().find(|part| part.trace().id == side.trace)
    }

    /// The spread of the instances of all traces; `None` where the side is no set.
    pub fn spread(&self) -> Option<Spread> {
        spread_of_all(self.iter().map(|part| (part.spread(), part.durations_ns())))
    }
}

fn spread_of_all<'s>(parts: impl Iterator<Item = (Option<Spread>, &'s [i64])>) -> Option<Spread> {
    let mut all: Vec<i64> = Vec::new();
    let mut alone = None;
    for (count, (spread, durations_ns)) in parts.enumerate() {
        alone = if count == 0 { spread } else { None };
        spread?;
        all.extend_from_slice(durations_ns);
    }
    alone.or_else(|| Spread::of(all.into_iter()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(medians: &[Option<i64>], expected: &str) {
        let found =
            medians.iter().map(|median| median.ok_or_else(|| ExploreError::Missing("none".to_owned())));
        let told = match Several::of(found.collect(), |median| *median) {
            Ok(several) => format!(
                "{} of {}: {}",
                several.shown,
                several.len(),
                several.note("normal").unwrap_or_default()
            ),
            Err(error) => error.to_string(),
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn the_median_in_the_middle_is_shown() {
        check(&[Some(7)], "7 of 1: ");
        let shown = "Shown is the median one of the trace whose median is in the middle.";
        check(
            &[Some(9), Some(1), Some(4)],
            &format!("4 of 3: The normal instances are of 3 traces. {shown}"),
        );
        let rest = "; 1 more has none";
        check(
            &[Some(9), None, Some(4)],
            &format!("4 of 2: The normal instances are of 2 traces{rest}. {shown}"),
        );
        let rest = "; 2 more have none";
        check(&[None, None, Some(4)], &format!("4 of 1: The normal instances are of 1 trace{rest}. {shown}"));
        check(&[None, None], "none");
    }

    proptest! {
        /// However instances lie in traces, their spread is that of all.
        #[test]
        fn the_spread_is_of_all(
            traces in proptest::collection::vec(proptest::collection::vec(0_i64..1_000, 1..20), 1..6),
        ) {
            let spread = |durations_ns: &[i64]| Spread::of(durations_ns.iter().copied());
            let parts = traces.iter().map(|durations_ns| (spread(durations_ns), durations_ns.as_slice()));
            prop_assert_eq!(spread_of_all(parts), Spread::of(traces.iter().flatten().copied()));
            prop_assert_eq!(spread_of_all([(None, [].as_slice())].into_iter()), None);
        }
    }
}

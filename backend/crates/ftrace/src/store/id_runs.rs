//! Ids that mostly count up by one, as the places where they do not.

/// Of the ids of a block: the places, counted from zero, where an id is not the one before and one more, and how
/// much more it is there. The first is always among them, and counts from zero.
pub fn steps(ids: impl Iterator<Item = i32>) -> (Vec<i16>, Vec<i32>) {
    let mut before: Option<i32> = None;
    let mut steps = (Vec::new(), Vec::new());
    for (at, id) in (0_i16..).zip(ids) {
        let step = id.wrapping_sub(before.unwrap_or(0));
        if before.is_none() || step != 1 {
            steps.0.push(at);
            steps.1.push(step);
        }
        before = Some(id);
    }
    steps
}

/// The ids of `count` records. `None` where the places are not in order, or not places of records.
pub fn ids(at: &[i16], steps: &[i32], count: usize) -> Option<Vec<i32>> {
    let mut ids = Vec::with_capacity(count);
    let mut id = 0_i32;
    for (at, step) in at.iter().zip(steps) {
        let at = usize::try_from(*at).ok().filter(|at| ids.len() <= *at && *at < count)?;
        while ids.len() < at {
            id = id.wrapping_add(1);
            ids.push(id);
        }
        id = id.wrapping_add(*step);
        ids.push(id);
    }
    while ids.len() < count {
        id = id.wrapping_add(1);
        ids.push(id);
    }
    Some(ids)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(given: &[i32], at: &[i16], step: &[i32]) {
        assert_eq!(steps(given.iter().copied()), (at.to_vec(), step.to_vec()));
        assert_eq!(ids(at, step, given.len()).as_deref(), Some(given));
    }

    #[test]
    fn only_what_does_not_count_up_is_kept() {
        check(&[], &[], &[]);
        check(&[7], &[0], &[7]);
        check(&[1, 2, 3], &[0], &[1]);
        check(&[0, 1, 2, 9, 10, 3, 3], &[0, 3, 5, 6], &[0, 7, -7, 0]);
        check(&[i32::MAX, 0, i32::MIN], &[0, 1, 2], &[i32::MAX, i32::MIN + 1, i32::MIN]);
    }

    #[test]
    fn places_that_cannot_be_are_refused() {
        assert_eq!(ids(&[0, 3], &[1, 1], 3), None);
        assert_eq!(ids(&[0, 2, 1], &[1, 1, 1], 3), None);
        assert_eq!(ids(&[-1], &[1], 3), None);
    }

    proptest! {
        #[test]
        fn ids_come_back(given in prop::collection::vec(prop_oneof![0_i32..4, any::<i32>()], 0..50)) {
            let (at, step) = steps(given.iter().copied());
            prop_assert_eq!(ids(&at, &step, given.len()), Some(given));
        }
    }
}

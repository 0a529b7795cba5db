//! Comparisons of two calls or cases, which may be of different traces.

mod answer;
mod block_budget;
mod call_diff;
mod call_shapes;
mod call_tree;
mod case_diff;
mod causes;
mod clocks;
mod comparison;
mod event_tree;
#[cfg(test)]
mod event_tree_tests;
mod group;
mod guard;
mod instance_sets;
mod instances;
mod like;
mod located;
mod normal_calls;
mod normal_cases;
mod options;
mod refs;
mod sentence;
mod several;
mod shapes;
mod side;
mod stage_pairs;
mod stored_calls;
mod words;

use answer::Shown;
use call_diff::diff_calls;
use case_diff::diff_cases;
pub(super) use instances::function_instances;
pub(super) use like::diff_like;
use refs::{Normal, Ref};

use super::ExploreError;
use super::protocol::{Answer, Stored};
use super::request::{Params, TraceFacts};

/// GET diff: an abnormal call or case compared with a normal one.
///
/// Errors: a side is not there, or is of another kind than the other.
pub async fn diff(stored: Stored) -> Answer {
    let params = Params::new(stored.request().clone(), TraceFacts::default())?;
    let shown = Shown::from_params(&params)?;
    let side = |name| params.text(name, MAX_SIDE_CHARS).map(Option::unwrap_or_default);
    let abnormal = Ref::parse("abnormal", &side("abnormal")?)?;
    let normal = Normal::parse(&side("normal")?)?;
    if let Normal::Named(normal) = &normal
        && normal.is_of_calls() != abnormal.is_of_calls()
    {
        let detail = "a call can only be compared with calls, and a case with cases";
        return Err(ExploreError::not_comparable("normal", detail));
    }
    match abnormal.is_of_calls() {
        true => diff_calls(&stored, &abnormal, &normal, shown).await,
        false => diff_cases(&stored, &abnormal, &normal, shown).await,
    }
}

/// Of a trace's id, a slash, and what is in it.
const MAX_SIDE_CHARS: usize = 1_100;

//! Says of one latency where its time went: the steps that it took, what had the CPU, what it waited
//! behind, and all of that in one sentence.
//!
//! A pure function of a case and of what was recorded around it, for the worst cases when a trace is loaded
//! and for any case when somebody asks. What the numbers mean is told in `docs/latencies.md`.

mod blame;
mod case;
mod cause;
mod context;
mod evidence;
mod frequency;
mod headline;
#[cfg(test)]
mod headline_tests;
mod hwlat;
mod normal;
mod osnoise;
mod parts;
mod place;
#[cfg(test)]
mod properties;
mod report;
#[cfg(test)]
mod report_tests;
mod route;
mod span;
mod stages;
mod surroundings;
mod sweep;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod timerlat;
#[cfg(test)]
mod timerlat_tests;
mod words;

pub use blame::Blame;
pub use case::Case;
pub use evidence::Evidence;
pub use frequency::frequency_khz;
pub use normal::{Likeness, alike, median_of};
pub use parts::{Part, PartValue, Parts};
pub use route::{Leg, route};
pub use stages::{Mark, Stage};
pub use surroundings::{ExplainTables, Recorded, Seen, Surroundings, TraceFacts};
pub use words::share_ppm;

/// Everything that is found out about a case.
#[derive(Default)]
pub struct Explanation<'a> {
    pub headline: String,
    pub legs: Vec<Leg>,
    pub stages: Vec<Stage>,
    /// The largest first. They add up to the case.
    pub blame: Vec<Blame<'a>>,
    pub evidence: Vec<Evidence<'a>>,
    pub parts: Parts,
}

/// Rows of blame of one explanation; smaller ones are added up, one row a cause.
const MAX_ROWS: usize = 40;

pub fn explain<'a>(case: &Case<'a>, around: &Surroundings<'_, 'a>) -> Explanation<'a> {
    let legs = route(case, around);
    let stages = stages::stages(case, around);
    let blame = blame::blame(case, &legs, around, MAX_ROWS);
    let parts = parts::parts(case, around);
    let found = headline::Found { stages: &stages, blame: &blame, parts: &parts };
    let headline = headline::headline(case, &found, around);
    let evidence = evidence::evidence(case, &legs, around);
    Explanation { headline, legs, stages, blame, evidence, parts }
}

/// The sentence alone.
pub fn headline<'a>(case: &Case<'a>, around: &Surroundings<'_, 'a>) -> String {
    let stages = stages::stages(case, around);
    let blame = blame::blame(case, &route(case, around), around, MAX_ROWS);
    let parts = parts::parts(case, around);
    headline::headline(case, &headline::Found { stages: &stages, blame: &blame, parts: &parts }, around)
}

//! Says of one latency where its time went: the steps that it took, what had the CPU, what it waited
//! behind, and all of that in one sentence.
//!
//! A pure function of a case and of what was recorded around it, for the worst cases when a trace is loaded
//! and for any case when somebody asks. `docs/latencies.md` defines the numbers.

pub(crate) mod advice;
pub(crate) mod blame;
pub(crate) mod call_parts;
#[cfg(test)]
mod call_tests;
mod case;
pub(crate) mod cause;
pub(crate) mod context;
mod evidence;
mod frequency;
pub(crate) mod headline;
#[cfg(test)]
mod headline_tests;
mod implied_flags;
mod kind;
mod late_part;
mod normal;
pub(crate) mod parts;
pub(crate) mod phrases;
pub(crate) mod place;
#[cfg(test)]
mod properties;
mod record_next;
mod recorded_blocks;
mod report;
#[cfg(test)]
mod report_tests;
pub(crate) mod reported_section;
#[cfg(test)]
mod reported_section_tests;
pub(crate) mod route;
#[cfg(test)]
mod route_tests;
mod seen;
pub(crate) mod span;
pub(crate) mod stages;
pub(crate) mod surroundings;
pub(crate) mod sweep;
#[cfg(test)]
mod tests;
mod tracer_report;
pub(crate) mod why;
pub(crate) mod words;

pub use advice::{ADVICE, Entry as AdviceEntry, Setting, advice, is_listed};
pub use blame::Blame;
pub use case::Case;
pub use evidence::Evidence;
pub use frequency::frequency_khz;
use headline::Findings;
pub use kind::Kind;
pub use late_part::late_links;
pub use normal::{Likeness, alike, median_of};
pub use parts::{Part, PartValue, Parts};
pub use record_next::{RecordNext, Recording, record_next};
pub use route::{Leg, route};
pub use stages::{Mark, Stage};
pub use surroundings::{Recorded, Seen, Surroundings, TraceFacts};
pub use why::{FIRST_FAIR_PRIO, Link, Subject as LinkSubject, Usual, Way};
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
    /// Links that tile the case.
    pub why: Vec<Link<'a>>,
}

/// Rows of blame of one explanation; smaller ones are added up, one row a cause.
const MAX_ROWS: usize = 40;

/// Everything that is known of a case: headline, stages, blame, evidence, parts and links. Stages, blame and
/// links each add up to its duration.
pub fn explain<'a>(case: &Case<'a>, around: &Surroundings<'_, 'a>) -> Explanation<'a> {
    words::in_unit(case.time_unit(around.time_unit()), || {
        let found = without_evidence(case, around, true);
        Explanation { evidence: evidence::evidence(case, &found.legs, around), ..found }
    })
}

/// The same without evidence, and its links without their sentences: what is shown of many cases at once.
pub fn explain_briefly<'a>(case: &Case<'a>, around: &Surroundings<'_, 'a>) -> Explanation<'a> {
    words::in_unit(case.time_unit(around.time_unit()), || without_evidence(case, around, false))
}

/// The headline takes no sentence of a link.
fn without_evidence<'a>(
    case: &Case<'a>,
    around: &Surroundings<'_, 'a>,
    has_sentences: bool,
) -> Explanation<'a> {
    let legs = route(case, around);
    let stages = stages::stages(case, around);
    let blame = blame::blame(case, &legs, around, MAX_ROWS);
    let parts = case.kind.parts(case, around);
    let chain = why::why(case, &legs, around, has_sentences);
    let findings = Findings { case, around, stages: &stages, blame: &blame, parts: &parts, chain: &chain };
    let headline = headline::headline(&findings);
    Explanation { headline, legs, stages, blame, evidence: Vec::new(), parts, why: chain.links }
}

/// What happened, where nothing is known but the names: not why.
pub fn event<'a>(case: &Case<'a>, names: &Recorded<'a>) -> String {
    let around = names.around(case, None);
    words::in_unit(case.time_unit(around.time_unit()), || case.kind.event(case, &around))
}

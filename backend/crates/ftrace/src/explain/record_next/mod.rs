//! What to record next time, where this recording does not say why: one command line, ready to be pasted.

mod command;
mod events;
mod gap;
#[cfg(test)]
mod tests;

pub use command::Recording;

use super::case::Case;
use super::surroundings::Surroundings;
use super::why::Link;
use gap::Gap;

/// A command that records what was missing, and what it will show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordNext {
    pub command: String,
    pub why: String,
}

/// A link that took less than this part of the case leaves no question open.
const WORTH_A_TENTH: i64 = 10;

/// The command that would have shown what the chain does not know. `None` where nothing is open, or no event that is
/// not recorded would show it.
///
/// The line is meant for a root shell, so nothing in it comes from the trace but numbers: events and clocks are those
/// of a list of this program.
pub fn record_next<'a>(
    case: &Case<'a>,
    chain: &[Link<'a>],
    around: &Surroundings<'_, 'a>,
    recording: &Recording<'_>,
) -> Option<RecordNext> {
    let mut gaps: Vec<(Gap, i64)> = Vec::new();
    add_gaps(chain, around, &mut gaps);
    gaps.retain(|(_, time_ns)| time_ns.saturating_mul(WORTH_A_TENTH) >= case.duration_ns.max(1));
    // The longest first; of equal ones, in the order of the case.
    gaps.sort_by_key(|(_, time_ns)| -time_ns);
    let wanted: Vec<&'static str> = gaps.iter().flat_map(|(gap, _)| gap.events()).collect();
    let why: Vec<&'static str> = gaps.iter().map(|(gap, _)| gap.sentence()).collect();
    let why = why.first()?;
    Some(RecordNext { command: command::line(&wanted, around, recording), why: (*why).to_owned() })
}

/// The gaps of a chain and of those that it hangs on, each with the time that it took.
fn add_gaps(chain: &[Link<'_>], around: &Surroundings<'_, '_>, gaps: &mut Vec<(Gap, i64)>) {
    for link in chain {
        if let Some(gap) = Gap::of(link, around) {
            match gaps.iter_mut().find(|(known, _)| *known == gap) {
                Some((_, time_ns)) => *time_ns = time_ns.saturating_add(link.duration_ns()),
                None => gaps.push((gap, link.duration_ns())),
            }
        }
        add_gaps(&link.deeper, around, gaps);
    }
}

//! The parameter `lanes` of the timeline: which lanes a screen asks for.

use super::kind;
use super::{ExploreError, request::Params};

/// One item of the list: `sched`, `counters`, `cpu0` or `cpu0.irq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pattern {
    cpu: Option<i16>,
    lane: Option<Lane>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Kind(i16),
    Counters,
}

/// Lanes that match any of its patterns; every lane where there is none.
#[derive(Clone, Debug, Default)]
pub struct LaneFilter(Vec<Pattern>);

impl LaneFilter {
    /// The parameter `lanes`.
    ///
    /// Errors: a name that no lane can have.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let names = params.names("lanes")?;
        names
            .iter()
            .map(|name| Pattern::parse(name).ok_or_else(|| unknown_lane(name)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// True where lanes of this kind are wanted, if only on one CPU.
    pub fn has_kind(&self, kind: i16) -> bool {
        is_of_cpus(kind) && self.any(|pattern| pattern.lane.is_none_or(|lane| lane == Lane::Kind(kind)))
    }

    /// True where the lane of this kind on this CPU is wanted.
    pub fn has_lane(&self, cpu: i16, kind: i16) -> bool {
        is_of_cpus(kind)
            && self.any(|pattern| {
                pattern.cpu.is_none_or(|wanted| wanted == cpu)
                    && pattern.lane.is_none_or(|lane| lane == Lane::Kind(kind))
            })
    }

    /// Counters of a CPU, or of the machine (`None`), which are no CPU's own.
    pub fn has_counters(&self, cpu: Option<i16>) -> bool {
        self.any(|pattern| {
            pattern.lane.is_none_or(|lane| lane == Lane::Counters)
                && pattern.cpu.is_none_or(|wanted| cpu == Some(wanted))
        })
    }

    /// True where counters are wanted, if only those of one CPU.
    pub fn has_any_counters(&self) -> bool {
        self.any(|pattern| pattern.lane.is_none_or(|lane| lane == Lane::Counters))
    }

    fn any(&self, matches: impl Fn(&Pattern) -> bool) -> bool {
        self.0.is_empty() || self.0.iter().any(matches)
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let (first, second) = match text.split_once('.') {
            Some((first, second)) => (first, Some(second)),
            None => (text, None),
        };
        match (first.strip_prefix("cpu"), second) {
            (Some(cpu), None) => Some(Self { cpu: Some(cpu.parse().ok()?), lane: None }),
            (Some(cpu), Some(lane)) => {
                Some(Self { cpu: Some(cpu.parse().ok()?), lane: Some(Lane::parse(lane)?) })
            }
            (None, None) => Some(Self { cpu: None, lane: Some(Lane::parse(first)?) }),
            (None, Some(_)) => None,
        }
    }
}

impl Lane {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "counters" => Some(Self::Counters),
            _ => kind::parse(name).filter(|kind| *kind == kind::TASK || is_of_cpus(*kind)).map(Self::Kind),
        }
    }
}

/// The lanes of tasks are asked for by name; the pattern `task` stands for no other lane.
fn is_of_cpus(kind: i16) -> bool {
    kind != kind::CALL && kind::is_of_cpu(kind)
}

fn unknown_lane(name: &str) -> ExploreError {
    let kinds = kind::timeline_names();
    ExploreError::bad(
        "lanes",
        format!("{name:?} is no lane; expected one of {kinds}, counters, cpu0 or cpu0.irq"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lanes: &str, cpu: i16, lane: &str, expected: bool) {
        let params = Params::parse(&format!(r#"{{"lanes":{lanes}}}"#)).unwrap();
        let filter = LaneFilter::from_params(&params).unwrap();
        let found = match kind::parse(lane) {
            Some(kind) => filter.has_lane(cpu, kind),
            None => filter.has_counters(Some(cpu)),
        };
        assert_eq!(found, expected, "{lanes} {cpu} {lane}");
    }

    #[test]
    fn any_pattern_may_match() {
        check("null", 3, "irq", true);
        check("\"sched,irq\"", 3, "irq", true);
        check("[\"sched\"]", 3, "irq", false);
        check("\"cpu0,cpu3.irq\"", 3, "irq", true);
        check("\"cpu0,cpu3.irq\"", 3, "sched", false);
        check("\"cpu0\"", 0, "counters", true);
        check("\"cpu0\"", 1, "counters", false);
    }

    #[test]
    fn unknown_lanes_are_refused() {
        for lanes in ["call", "cpux", "irq.cpu0", "cpu0.", "nonsense"] {
            let params = Params::parse(&format!(r#"{{"lanes":"{lanes}"}}"#)).unwrap();
            assert!(LaneFilter::from_params(&params).is_err(), "{lanes}");
        }
    }
}

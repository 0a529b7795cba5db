//! Which fields of unknown events are durations, and in what unit.

use super::pairs::{Pair, leading_number, pairs};

const NS_PER_US: i64 = 1_000;
const NS_PER_MS: i64 = 1_000_000;
const NS_PER_S: i64 = 1_000_000_000;

/// Units as they follow numbers and end names.
const UNITS: &[(&str, i64)] = &[
    ("ns", 1),
    ("nsec", 1),
    ("nsecs", 1),
    ("us", NS_PER_US),
    ("usec", NS_PER_US),
    ("usecs", NS_PER_US),
    ("µs", NS_PER_US),
    ("ms", NS_PER_MS),
    ("msec", NS_PER_MS),
    ("msecs", NS_PER_MS),
];
/// A bare `s` is more often a plural or a word's beginning.
const SECONDS: &[(&str, i64)] = &[("s", NS_PER_S), ("sec", NS_PER_S), ("secs", NS_PER_S)];

/// Words of names that say that the value is the time from one thing to another.
const DURATIONS: &[&str] = &[
    "delta", "latency", "lat", "duration", "dur", "delay", "elapsed", "runtime", "jitter", "late",
    "lateness", "cost", "took", "diff", "wait", "waited", "slept", "blocked", "overhead", "response", "rtt",
];
/// Words of names of points in time, of sums, of extremes so far, and of what was asked for.
const NO_DURATIONS: &[&str] = &[
    "now",
    "expires",
    "expiry",
    "deadline",
    "stamp",
    "timestamp",
    "ts",
    "start",
    "end",
    "begin",
    "vruntime",
    "clock",
    "epoch",
    "at",
    "when",
    "uptime",
    "total",
    "sum",
    "min",
    "max",
    "avg",
    "timeout",
    "period",
    "interval",
    "quota",
    "limit",
    "threshold",
    "budget",
];

/// A number and the unit that is printed after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    pub value: i64,
    pub unit_ns: Option<i64>,
}

/// What begins a pair's value: `123`, `14372743560 [us]`, `5us`, `5 ms`; no fractions, no hexadecimals.
pub fn quantity(value: &str) -> Option<Quantity> {
    let value = value.trim_start_matches(' ');
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let end = value.len().checked_sub(unsigned.len())?.checked_add(digits)?;
    let (number, rest) = value.split_at_checked(end)?;
    let value = number.parse().ok()?;
    let unit_ns = printed_unit_ns(rest).or_else(|| word_unit(rest));
    let is_whole = rest.chars().next().is_none_or(|next| !(next.is_alphanumeric() || "._".contains(next)));
    (is_whole || unit_ns.is_some()).then_some(Quantity { value, unit_ns })
}

/// The unit in brackets that follows a number: ` [us], ...`.
fn printed_unit_ns(rest: &str) -> Option<i64> {
    let inside = rest.trim_start_matches(' ').strip_prefix(['[', '('])?;
    let (unit, _) = inside.split_once([']', ')'])?;
    find(UNITS, unit).or_else(|| find(SECONDS, unit))
}

/// The unit in brackets that an event prints after any of its fields.
pub fn unit_beside(event: &str, text: &str) -> Option<i64> {
    pairs(event, text).find_map(|pair| {
        let behind = pair.value.trim_start_matches([' ', '-']);
        printed_unit_ns(behind.trim_start_matches(|next: char| next.is_ascii_digit()))
    })
}

/// `us` in `us, ...` and in ` us`.
fn word_unit(rest: &str) -> Option<i64> {
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let end = rest.find(|next: char| !next.is_alphanumeric()).unwrap_or(rest.len());
    find(UNITS, rest.get(..end)?)
}

fn find(units: &[(&str, i64)], text: &str) -> Option<i64> {
    units.iter().find(|(unit, _)| *unit == text).map(|(_, unit_ns)| *unit_ns)
}

/// Where a unit is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitSource {
    /// After the value.
    Value,
    /// At the end of the field's name.
    Name,
    /// After another field of the event.
    Event,
}

impl UnitSource {
    /// The name that is stored.
    pub fn name(self) -> &'static str {
        match self {
            UnitSource::Value => "value",
            UnitSource::Name => "name",
            UnitSource::Event => "event",
        }
    }
}

/// A field that states a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedDuration {
    /// Where no other unit is printed with a value.
    pub unit_ns: i64,
    pub source: UnitSource,
    /// Its name says so. Another field with a unit may as well be a point in time.
    pub is_named: bool,
}

/// How a pair states a duration, if it does: by its own unit, or by its name together with the unit that
/// the event prints in brackets after another field. Nothing is assumed where no unit is.
pub fn stated_duration(pair: &Pair<'_>, unit_beside_ns: Option<i64>) -> Option<StatedDuration> {
    let quantity = (!pair.is_free_text).then(|| quantity(pair.value))??;
    let words = || pair.name.split(['_', '.']);
    if words().any(|word| NO_DURATIONS.contains(&word)) {
        return None;
    }
    let is_named = words().any(|word| DURATIONS.contains(&word));
    let named_unit = pair.name.rsplit_once('_').and_then(|(_, unit)| find(UNITS, unit));
    let beside = unit_beside_ns.filter(|_| is_named);
    let sources =
        [(quantity.unit_ns, UnitSource::Value), (named_unit, UnitSource::Name), (beside, UnitSource::Event)];
    let (unit_ns, source) = sources.into_iter().find_map(|(unit_ns, source)| Some((unit_ns?, source)))?;
    Some(StatedDuration { unit_ns, source, is_named })
}

/// The number that a pair holds, with the unit that is printed after it; names and pointers hold none.
pub fn pair_number(pair: &Pair<'_>) -> Option<Quantity> {
    if pair.is_free_text {
        return None;
    }
    let with_unit = quantity(pair.value).filter(|quantity| quantity.unit_ns.is_some());
    let bare = || leading_number(pair.value).map(|number| Quantity { value: number.value, unit_ns: None });
    with_unit.or_else(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name=unit` of each duration, with a `?` where only the unit says it.
    fn check(text: &str, expected: &str) {
        let beside = unit_beside("x", text);
        let found: Vec<String> = pairs("x", text)
            .filter_map(|pair| {
                let stated = stated_duration(&pair, beside)?;
                Some(format!("{}={}{}", pair.name, stated.unit_ns, if stated.is_named { "" } else { "?" }))
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn a_unit_and_a_name_make_a_duration() {
        check(
            "hrtimer stat: now: 14372743560 [us] expect_expires: 14372733903 [us], delta: 9656, next_expires: 1",
            "delta=1000",
        );
        check("comm=sh pid=7 runtime=12345 [ns] vruntime=99 [ns]", "runtime=1");
        check("jitter i=0 late_ns=836821", "late_ns=1");
        check("service=5us queue=7 ms, spin: 3 [s]", "service=1000? queue=1000000? spin=1000000000?");
        check("handler() delta_ns: 5 handled: 1", "delta_ns=1");
    }

    #[test]
    fn nothing_is_assumed() {
        check("delta=5 latency: 7", "");
        check("delta=5.5us delay=0x10 [us] lat=5uses", "");
        check("max_latency_us=5 start_ns=7 timeout_ms=100", "");
    }

    #[test]
    fn pairs_hold_numbers() {
        let check = |text: &str, expected: Option<(i64, Option<i64>)>| {
            let found = pairs("x", text).next().and_then(|pair| pair_number(&pair));
            assert_eq!(found.map(|number| (number.value, number.unit_ns)), expected, "{text}");
        };
        check("prev_prio=120 prev_state=S", Some((120, None)));
        check("state=0x1f", Some((31, None)));
        check("delta=-5us", Some((-5, Some(1_000))));
        check("comm=7 pid=7", None);
        check("hrtimer=000000000ca88291", None);
        check("function=tick", None);
    }

    #[test]
    fn quantities_are_whole_numbers() {
        assert_eq!(quantity(" -5 [us]"), Some(Quantity { value: -5, unit_ns: Some(1_000) }));
        assert_eq!(quantity("9656,"), Some(Quantity { value: 9_656, unit_ns: None }));
        assert_eq!(quantity("99999999999999999999"), None);
        assert_eq!(quantity(""), None);
        assert_eq!(quantity("-"), None);
    }
}

//! Which columns of a table are durations, in what unit, and what the others say of them.

use super::decimal::decimal;
use crate::events::Quantity;

/// What a column of durations is called without its unit.
static VALUES: &[&str] =
    &["late", "latency", "lateness", "duration", "delay", "jitter", "overshoot", "elapsed"];
static ASKED: &[&str] = &["asked", "requested"];
static TIMES: &[&str] = &["wake", "t", "time", "timestamp", "start"];
/// What a column is called that numbers the rows.
static NUMBERS: &[&str] = &["i", "n", "index", "number", "sample", "seq"];
static UNITS: &[(&str, i64)] = &[
    ("ns", 1),
    ("nsec", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("usec", 1_000),
    ("ms", 1_000_000),
    ("msec", 1_000_000),
    ("s", 1_000_000_000),
    ("sec", 1_000_000_000),
];

/// What the numbers of a column count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Time { step_ns: i64 },
    None,
}

impl Unit {
    /// `us`; `none` for numbers that are no times.
    pub fn parse(name: &str) -> Option<Self> {
        if name == "none" {
            return Some(Unit::None);
        }
        UNITS.iter().find(|(unit, _)| *unit == name).map(|(_, step_ns)| Unit::Time { step_ns: *step_ns })
    }

    fn quantity(self, cell: &str) -> Option<Quantity> {
        Some(match self {
            Unit::Time { step_ns } => Quantity::LatencyNs(decimal(cell, step_ns)?),
            Unit::None => Quantity::Number(decimal(cell, 1)?),
        })
    }
}

/// A column by its place, and its unit.
type Column = (usize, Unit);

/// Which columns there are.
#[derive(Clone, Debug, Default)]
pub struct Header {
    value: Option<Column>,
    /// Instead of a value: what was asked for, and what came of it.
    asked: Option<Column>,
    got: Option<Column>,
    time: Option<Column>,
    cpu: Option<usize>,
    number: Option<usize>,
    /// Columns with names; 0 without any.
    column_count: usize,
    pub is_monotonic: bool,
}

/// A row: how long, how long it was to be, when it ended, and on which CPU.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub quantity: Quantity,
    pub asked_ns: Option<i64>,
    pub end_ns: Option<i64>,
    pub cpu: Option<i64>,
    /// That of the row itself.
    pub number: Option<i64>,
}

impl Header {
    /// `None` where none of the names is that of durations in a known unit, `unit` where they name none.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>, unit: Option<Unit>) -> Option<Self> {
        let mut header = Header::default();
        for (at, column) in names.enumerate() {
            header.column_count = at.saturating_add(1);
            let (stem, own, clock) = name_and_unit(column);
            if stem == "cpu" {
                header.cpu = header.cpu.or(Some(at));
            }
            if at == 0 && own.is_none() && NUMBERS.contains(&stem) {
                header.number = Some(at);
            }
            let Some(unit) = own.or(unit) else { continue };
            let place = Some((at, unit));
            if VALUES.contains(&stem) {
                header.value = header.value.or(place);
            } else if ASKED.contains(&stem) {
                header.asked = header.asked.or(place);
            } else if stem == "got" {
                header.got = header.got.or(place);
            } else if TIMES.contains(&stem) && own.is_some() {
                header.time = header.time.or(place);
                header.is_monotonic |= clock.starts_with("CLOCK_MONOTONIC)");
            }
        }
        let has_values = header.value.is_some() || header.asked.and(header.got).is_some();
        has_values.then_some(header)
    }

    /// That of numbers without any names: durations, or pairs of what was asked for and what came of it.
    pub fn without_names(cells: &[&str], unit: Unit) -> Option<Self> {
        let are_numbers = cells.iter().all(|cell| decimal(cell, 1).is_some());
        let header = match cells.len() {
            1 => Header { value: Some((0, unit)), ..Header::default() },
            2 => Header { asked: Some((0, unit)), got: Some((1, unit)), ..Header::default() },
            _ => return None,
        };
        are_numbers.then_some(header)
    }

    /// Whether each row has a time.
    pub fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// `None` where the cells do not form a row, or one of them does not fit its column: the row is damaged.
    pub fn row(&self, cells: &[&str]) -> Option<Row> {
        if self.column_count > 0 && cells.len() > self.column_count {
            return None;
        }
        let is_number = |at: usize| {
            let cell = cells.get(at).map_or("", |cell| cell.trim_matches('"'));
            cell.is_empty() || decimal(cell, 1).is_some()
        };
        let of_time = self.time.map(|(at, _)| at);
        if ![of_time, self.cpu, self.number].into_iter().flatten().all(is_number) {
            return None;
        }
        let quantity = |(at, unit): Column| unit.quantity(cells.get(at)?.trim_matches('"'));
        let time_ns = |column| match quantity(column)? {
            Quantity::LatencyNs(value_ns) => Some(value_ns),
            _ => None,
        };
        let value = match (self.value, self.asked, self.got) {
            (Some(column), ..) => quantity(column)?,
            (None, Some(asked), Some(got)) => less(quantity(got)?, quantity(asked)?)?,
            _ => return None,
        };
        Some(Row {
            quantity: value,
            asked_ns: self.asked.and_then(time_ns),
            end_ns: self.time.and_then(time_ns),
            cpu: self.cpu.and_then(|at| super::whole_number(cells.get(at)?)),
            number: self.number.and_then(|at| super::whole_number(cells.get(at)?)),
        })
    }
}

/// `None` where less came than was asked for.
fn less(got: Quantity, asked: Quantity) -> Option<Quantity> {
    let left = |got: i64, asked: i64| got.checked_sub(asked).filter(|left| *left >= 0);
    match (got, asked) {
        (Quantity::LatencyNs(got), Quantity::LatencyNs(asked)) => left(got, asked).map(Quantity::LatencyNs),
        (Quantity::Number(got), Quantity::Number(asked)) => left(got, asked).map(Quantity::Number),
        _ => None,
    }
}

/// `wake_ns(CLOCK_MONOTONIC)`, `latency (us)`, `latency[us]`, `late_ns`: the name, the unit and what is after it.
fn name_and_unit(column: &str) -> (&str, Option<Unit>, &str) {
    let column = column.trim().trim_matches('"');
    let (name, behind) = column.split_once(['(', '[']).unwrap_or((column, ""));
    let name = name.trim_end();
    if let Some(unit) = Unit::parse(behind.trim_end_matches([')', ']'])) {
        return (name, Some(unit), "");
    }
    match name.rsplit_once(['_', ' ']) {
        Some((stem, unit)) if Unit::parse(unit).is_some() => (stem.trim_end(), Unit::parse(unit), behind),
        _ => (name, None, behind),
    }
}

/// `10 ms`: what a sleep was asked for, in the largest unit that needs no fraction.
pub fn in_words(asked_ns: i64) -> String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    let whole = units.iter().find(|(_, step_ns)| asked_ns > 0 && asked_ns.checked_rem(*step_ns) == Some(0));
    match whole {
        Some((unit, step_ns)) => format!("{} {unit}", asked_ns.checked_div(*step_ns).unwrap_or(asked_ns)),
        None => format!("{asked_ns} ns"),
    }
}

//! The order of a list of latencies, and where its next page begins.

use std::cmp::Reverse;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::analyses::LatencyKind;
use crate::explore::ExploreError;
use crate::explore::request::Params;
use crate::store::read::samples::{Severity, StoredLatency};

/// Which samples come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The longest first, but last what is only late because its task had just been made.
    Worst,
    Longest,
    Shortest,
    Earliest,
    Latest,
}

/// Samples that look the same, of which a page may show some and the next page the others.
const MAX_ALIKE: i64 = 100_000;

/// A sample's place in the order; where two are equal, they are the same to every reader.
pub type Place = (i64, i64, i16, Severity);

impl Order {
    /// The parameter `sort`; the worst first without it.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let names = [
            ("worst", Self::Worst),
            ("-duration", Self::Longest),
            ("duration", Self::Shortest),
            ("t", Self::Earliest),
            ("-t", Self::Latest),
        ];
        params.choice("sort", &names, Self::Worst)
    }

    /// What the order goes by: the smallest comes first.
    fn key(self, start_ns: i64, duration_ns: i64, is_starting: bool) -> i64 {
        match self {
            Self::Worst if is_starting => i64::MAX.saturating_sub(duration_ns),
            Self::Worst | Self::Longest => duration_ns.saturating_neg(),
            Self::Shortest => duration_ns,
            Self::Earliest => start_ns,
            Self::Latest => start_ns.saturating_neg(),
        }
    }

    /// The smallest key that a sample of a block can have.
    pub fn best_key(self, t0: i64, t1: i64, max_ns: i64) -> i64 {
        match self {
            Self::Worst | Self::Longest => max_ns.saturating_neg(),
            Self::Shortest => 0,
            Self::Earliest => t0,
            Self::Latest => t1.saturating_neg(),
        }
    }

    /// The place of a sample in this order.
    pub fn place(self, kind: &LatencyKind, sample: &StoredLatency) -> Place {
        let key = self.key(sample.start_ns, sample.duration_ns, sample.is_starting());
        (key, sample.start_ns, kind.code, sample.severity())
    }
}

/// The last sample of a page: its place, and its number among those that have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub duration_ns: i64,
    pub start_ns: i64,
    pub kind: i16,
    pub cpu: i16,
    pub task_idx: i32,
    pub symbol_idx: i32,
    pub is_starting: bool,
    pub number: i64,
}

impl Position {
    /// The place after `sample`, of which `number` samples that look the same come before it.
    pub fn new(kind: &LatencyKind, sample: &StoredLatency, number: i64) -> Self {
        let StoredLatency { duration_ns, start_ns, cpu, task_idx, symbol_idx, .. } = *sample;
        let is_starting = sample.is_starting();
        Self { duration_ns, start_ns, kind: kind.code, cpu, task_idx, symbol_idx, is_starting, number }
    }

    /// The parameter `cursor`; `None` for the first page.
    ///
    /// Errors: a text that no list has given.
    pub fn from_params(params: &Params) -> Result<Option<Self>, ExploreError> {
        let Some(text) = params.text("cursor", 256)? else { return Ok(None) };
        let refuse =
            || ExploreError::bad("cursor", "not a cursor of this list; hand back `next` as it was given");
        Self::parse(&text).map(Some).ok_or_else(refuse)
    }

    fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<i64> = text
            .strip_prefix("after-")?
            .split('.')
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        let [duration_ns, start_ns, kind, cpu, task_idx, symbol_idx, is_starting @ (0 | 1), number] =
            numbers.as_slice()
        else {
            return None;
        };
        Some(Self {
            duration_ns: *duration_ns,
            start_ns: *start_ns,
            kind: i16::try_from(*kind).ok()?,
            cpu: i16::try_from(*cpu).ok()?,
            task_idx: i32::try_from(*task_idx).ok()?,
            symbol_idx: i32::try_from(*symbol_idx).ok()?,
            is_starting: *is_starting == 1,
            number: Some(*number).filter(|number| (0..MAX_ALIKE).contains(number))?,
        })
    }

    /// The place of the last sample in this order.
    pub fn place(&self, order: Order) -> Place {
        let severity = (Reverse(self.duration_ns), self.start_ns, self.cpu, self.task_idx, self.symbol_idx);
        let key = order.key(self.start_ns, self.duration_ns, self.is_starting);
        (key, self.start_ns, self.kind, severity)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { duration_ns, start_ns, kind, cpu, task_idx, symbol_idx, is_starting, number } = self;
        let starting = u8::from(*is_starting);
        write!(f, "after-{duration_ns}.{start_ns}.{kind}.{cpu}.{task_idx}.{symbol_idx}.{starting}.{number}")
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

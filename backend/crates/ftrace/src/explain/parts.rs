//! A tracer's own numbers of a case.

use super::case::Case;
use super::words;

/// What a tracer says in figures.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub items: Vec<Part>,
    /// What a headline says of them.
    pub clause: Option<String>,
    /// The stack that belongs to the case, by its place among the surrounding ones.
    pub stack: Option<usize>,
}

/// One number of a tracer, under the name that people know it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    pub value: PartValue,
    /// Whose number it is.
    pub what: Option<String>,
    /// Of the case, in millionths.
    pub share_ppm: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartValue {
    Nanoseconds(i64),
    Count(i64),
    /// In millionths.
    Ratio(u32),
    Text(String),
}

impl Part {
    fn new(name: &str, value: PartValue) -> Self {
        Self { name: name.to_owned(), value, what: None, share_ppm: None }
    }

    /// A duration, in nanoseconds.
    pub fn time(name: &str, duration_ns: i64) -> Self {
        Self::new(name, PartValue::Nanoseconds(duration_ns))
    }

    pub fn count(name: &str, count: i64) -> Self {
        Self::new(name, PartValue::Count(count))
    }

    /// A share of something, in millionths.
    pub fn ratio(name: &str, ppm: u32) -> Self {
        Self::new(name, PartValue::Ratio(ppm))
    }

    pub fn text(name: &str, text: &str) -> Self {
        Self::new(name, PartValue::Text(text.to_owned()))
    }

    /// The same with its share of the case.
    pub fn of(self, case: &Case<'_>) -> Self {
        let share_ppm = match self.value {
            PartValue::Nanoseconds(ns) => Some(words::share_ppm(ns, case.duration_ns)),
            _ => None,
        };
        Self { share_ppm, ..self }
    }

    /// The same with the name of whose it is.
    pub fn named(self, what: &str) -> Self {
        Self { what: Some(what.to_owned()), ..self }
    }
}

//! One condition on an event.

use std::cmp::Ordering;

use memchr::memmem::Finder;

use super::{EventParts, EventView};

/// A condition, or with `negated` its opposite.
#[derive(Debug)]
pub struct Term {
    pub negated: bool,
    pub test: Test,
}

#[derive(Debug)]
pub enum Test {
    Event(TextTest),
    Comm(TextTest),
    /// The top buffer has no name, which is the empty text.
    Buffer(TextTest),
    Cpu(NumberTest),
    Pid(NumberTest),
    Time(NumberTest),
    /// One of the flag bits is set.
    Flag(u32),
    Depth(Depth, NumberTest),
    Field {
        name: String,
        test: FieldTest,
    },
    /// Anywhere in the names or the printed text, in any case of letters.
    Anywhere(Contained),
}

/// Counters in the flags of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Preempt,
    MigrateDisable,
}

#[derive(Debug)]
pub enum TextTest {
    Is(String),
    IsNot(String),
    Contains(Contained),
}

/// Part of a text in any case of ASCII letters.
#[derive(Debug)]
pub struct Contained(Box<Finder<'static>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberTest {
    pub comparison: Comparison,
    pub value: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A test of a typed argument. An event without the field does not pass, also not `!=`.
#[derive(Debug)]
pub enum FieldTest {
    /// The field as a number; where it is none, as text for `=` and `!=`.
    Number(NumberTest, String),
    Text(TextTest),
}

impl Term {
    /// Whether the term holds for an event whose message passes its test, or does not.
    pub fn holds(&self, event: &EventParts<'_>, in_message: bool) -> bool {
        self.test.holds(event, in_message) != self.negated
    }
}

impl Test {
    /// Whether the type of the event, or its text, passes; false for tests of other things.
    pub fn in_message(&self, event: &EventView<'_>) -> bool {
        match self {
            Self::Event(test) => test.holds(event.parts.event),
            Self::Field { name, test } => event.args().named(name).any(|value| test.holds(value)),
            Self::Anywhere(part) => {
                [event.parts.event, event.parts.text].into_iter().any(|text| part.is_in(text))
            }
            _ => false,
        }
    }

    fn holds(&self, event: &EventParts<'_>, in_message: bool) -> bool {
        match self {
            Self::Event(_) | Self::Field { .. } => in_message,
            Self::Anywhere(part) => in_message || part.is_in(event.comm.unwrap_or_default()),
            Self::Comm(test) => test.holds(event.comm.unwrap_or_default()),
            Self::Buffer(test) => test.holds(event.buffer.unwrap_or_default()),
            Self::Cpu(test) => test.holds(i64::from(event.cpu)),
            Self::Pid(test) => event.pid.is_some_and(|pid| test.holds(i64::from(pid))),
            Self::Time(test) => test.holds(event.t_ns),
            Self::Flag(bit) => event.flags.has(*bit),
            Self::Depth(Depth::Preempt, test) => test.holds(i64::from(event.flags.preempt_depth())),
            Self::Depth(Depth::MigrateDisable, test) => {
                test.holds(i64::from(event.flags.migrate_disable_depth()))
            }
        }
    }
}

impl FieldTest {
    fn holds(&self, value: &super::Value<'_>) -> bool {
        match (self, value.number) {
            (Self::Number(test, _), Some(number)) => test.holds(number),
            (Self::Number(test, text), None) => match test.comparison {
                Comparison::Equal => value.text == text,
                Comparison::NotEqual => value.text != text,
                _ => false,
            },
            (Self::Text(test), _) => test.holds(value.text),
        }
    }
}

impl TextTest {
    fn holds(&self, text: &str) -> bool {
        match self {
            Self::Is(wanted) => text == wanted,
            Self::IsNot(unwanted) => text != unwanted,
            Self::Contains(part) => part.is_in(text),
        }
    }
}

impl Contained {
    /// A test for texts that contain `part`, in upper or lower case.
    pub fn new(part: &str) -> Self {
        Self(Box::new(Finder::new(part.to_ascii_lowercase().as_bytes()).into_owned()))
    }

    fn is_in(&self, text: &str) -> bool {
        // As written first: most searches are typed as the text is printed, and that needs no copy.
        self.0.find(text.as_bytes()).is_some()
            || (text.bytes().any(|byte| byte.is_ascii_uppercase())
                && self.0.find(text.to_ascii_lowercase().as_bytes()).is_some())
    }
}

impl NumberTest {
    /// The one number that passes, if there is one.
    pub fn only(self) -> Option<i64> {
        (self.comparison == Comparison::Equal).then_some(self.value)
    }

    /// `[low, high)` outside of which no number passes.
    pub fn bounds(self) -> (i64, i64) {
        let next = self.value.saturating_add(1);
        match self.comparison {
            Comparison::Equal => (self.value, next),
            Comparison::NotEqual => (i64::MIN, i64::MAX),
            Comparison::Less => (i64::MIN, self.value),
            Comparison::LessOrEqual => (i64::MIN, next),
            Comparison::Greater => (next, i64::MAX),
            Comparison::GreaterOrEqual => (self.value, i64::MAX),
        }
    }

    fn holds(self, number: i64) -> bool {
        let ordering = number.cmp(&self.value);
        match self.comparison {
            Comparison::Equal => ordering == Ordering::Equal,
            Comparison::NotEqual => ordering != Ordering::Equal,
            Comparison::Less => ordering == Ordering::Less,
            Comparison::LessOrEqual => ordering != Ordering::Greater,
            Comparison::Greater => ordering == Ordering::Greater,
            Comparison::GreaterOrEqual => ordering != Ordering::Less,
        }
    }
}

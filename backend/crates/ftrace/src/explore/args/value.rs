//! The value of one field.

use serde::ser::{Serialize, Serializer};

use crate::events::{hexadecimal_number, parse_number};

/// JavaScript reads integers up to here exactly.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// Printed text, and the integer that it stands for where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    pub text: &'a str,
    pub number: Option<i64>,
}

impl<'a> Value<'a> {
    /// A value that is compared as text even if it looks like a number.
    pub fn text(text: &'a str) -> Self {
        Self { text, number: None }
    }

    /// `text` as a number where it is one: decimal, or hexadecimal after `0x`.
    pub fn of(text: &'a str) -> Self {
        Self { text, number: parse_number(text) }
    }

    /// `text` as hexadecimal without `0x`, as the kernel prints arguments of system calls.
    pub fn hexadecimal(text: &'a str) -> Self {
        let is_octal = text.len() > 1 && text.starts_with('0') && !text.starts_with("0x");
        match hexadecimal_number(text) {
            // `mode: 0644` of newer kernels is as `chmod` takes it.
            _ if is_octal => Self::text(text),
            Some(number) => Self { text, number: Some(number) },
            None => Self::of(text),
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number {
            Some(number) if number.unsigned_abs() <= MAX_EXACT => serializer.serialize_i64(number),
            _ => serializer.serialize_str(self.text),
        }
    }
}

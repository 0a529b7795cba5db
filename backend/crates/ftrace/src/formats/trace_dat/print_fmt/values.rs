//! What the machine of print formats holds while it runs.

use super::program::Code;
use crate::formats::trace_dat::byte_order::ByteOrder;
use crate::formats::trace_dat::last_boot::LastBoot;
use crate::formats::trace_dat::symbols::{Symbol, Symbols};
use crate::formats::trace_dat::text_tables::PrintkFormats;

/// What printing needs to know of the recording.
#[derive(Clone, Copy)]
pub struct PrintContext<'c> {
    pub order: ByteOrder,
    pub long_bytes: usize,
    pub symbols: Option<&'c Symbols>,
    /// Where the symbols were when the record was made, if that was before they were written down.
    pub last_boot: Option<&'c LastBoot>,
    pub printk_formats: Option<&'c PrintkFormats>,
}

impl<'c> PrintContext<'c> {
    /// The address among the symbols of what was at a recorded address.
    pub fn address(&self, recorded: u64) -> u64 {
        self.last_boot.map_or(recorded, |boot| boot.address_now(recorded))
    }

    /// The symbol that a recorded address lies in.
    pub fn symbol(&self, recorded: u64) -> Option<Symbol<'c>> {
        self.symbols?.find(self.address(recorded))
    }

    /// For a recording that says nothing but its records.
    pub const BARE: Self = Self {
        order: ByteOrder::Little,
        long_bytes: 8,
        symbols: None,
        last_boot: None,
        printk_formats: None,
    };
}

/// A value; texts are ranges, so that it needs no lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    /// A string of the format.
    Literal(usize),
    /// Bytes of the record.
    Record(usize, usize),
    /// Text that was printed on the way.
    Scratch(usize, usize),
    /// Outside the record.
    Missing,
}

/// The state of a run. Kept between records for its buffers.
pub struct Machine<'r> {
    pub record: &'r [u8],
    pub context: PrintContext<'r>,
    pub stack: Vec<Value>,
    pub scratch: Vec<u8>,
}

impl Value {
    /// As C has it: everything but 0, and nothing that is missing.
    pub fn is_true(self) -> bool {
        !matches!(self, Self::Number(0) | Self::Missing)
    }

    /// The number that it is; addresses of texts and bytes count as some number that is not 0.
    pub fn number(self) -> Option<i64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Missing => None,
            _ => Some(1),
        }
    }
}

impl Default for Machine<'_> {
    fn default() -> Self {
        Self { record: &[], context: PrintContext::BARE, stack: Vec::new(), scratch: Vec::new() }
    }
}

impl Machine<'_> {
    pub fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// The last value; missing where the stack is empty.
    pub fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Missing)
    }

    /// The last value as a number; 0 where it is none.
    pub fn pop_number(&mut self) -> i64 {
        self.pop().number().unwrap_or(0)
    }

    /// Replaces the last value, unless it is missing.
    pub fn map_number(&mut self, change: impl FnOnce(i64) -> i64) {
        let value = self.pop();
        self.push(value.number().map_or(Value::Missing, |number| Value::Number(change(number))));
    }

    /// The bytes of a text; empty for anything else.
    pub fn text<'t>(&'t self, code: &'t Code, value: Value) -> &'t [u8] {
        match value {
            Value::Literal(index) => code.texts.get(index).map_or(&[][..], Vec::as_slice),
            Value::Record(start, end) => self.record.get(start..end).unwrap_or_default(),
            Value::Scratch(start, end) => self.scratch.get(start..end).unwrap_or_default(),
            Value::Number(_) | Value::Missing => &[],
        }
    }
}

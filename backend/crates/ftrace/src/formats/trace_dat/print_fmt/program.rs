//! What a print format is compiled to: pieces to print, and code for a small stack machine.

use std::ops::Range;

use super::spec::Spec;
use crate::formats::trace_dat::event_format::Field;

/// A compiled print format.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub pieces: Vec<ProgramPiece>,
    pub code: Code,
}

/// Code with everything that it refers to by index.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    pub texts: Vec<Vec<u8>>,
    pub fields: Vec<Field>,
    pub tables: Vec<Table>,
    /// A table names a constant whose value the file does not state; it prints as a number.
    pub has_unknown_names: bool,
    /// The argument that is being compiled needs a variable or a function of the kernel.
    pub has_unknown_value: bool,
}

/// Next thing to print.
#[derive(Clone, Debug)]
pub enum ProgramPiece {
    Literal(Vec<u8>),
    /// A number straight from the record, in the plainest way.
    Number {
        offset: usize,
        size: usize,
        is_signed: bool,
        style: NumberStyle,
    },
    /// `char comm[16]` by `%s`.
    CharArray {
        offset: usize,
        size: usize,
    },
    Value {
        spec: Spec,
        width: Option<Range<usize>>,
        precision: Option<Range<usize>>,
        value: Range<usize>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberStyle {
    /// `%d` and similar; the size is that of the conversion.
    Signed(usize),
    Unsigned(usize),
    Hex(usize),
}

/// Names of values or bits: `{ 0x01, "S" }, { 0x02, "D" }`.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub delimiter: Vec<u8>,
    pub entries: Vec<(i64, Vec<u8>)>,
    /// Bytes of the value that is looked up: names of 32-bit values may be written as negative numbers.
    pub value_bytes: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// One step of the machine. Jumps only go forward, so that every run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Constant(i64),
    /// Pushes a string of the format.
    Text(usize),
    /// Pushes the number in a field.
    Number {
        offset: usize,
        size: usize,
        is_signed: bool,
    },
    /// Pushes the bytes of a field, or those that it points at.
    Bytes(usize),
    /// Pushes the text of a field, up to its NUL.
    FieldText(usize),
    /// Pushes how many bytes a dynamic field has.
    Length(usize),
    /// Pushes the bits of a field as text: `00000000,0000010f`.
    Bitmask(usize),
    /// Pops an index and bytes; pushes the element.
    Element {
        bytes: usize,
        is_signed: bool,
    },
    /// Pops a count and bytes; pushes the bytes after that many elements.
    Advance {
        bytes: usize,
    },
    /// Cuts the number on top to a size, with or without sign.
    Cut {
        bytes: usize,
        is_signed: bool,
    },
    Negate,
    Not,
    Invert,
    /// On the two on top; `is_signed` for what depends on it.
    Binary {
        operation: Arithmetic,
        is_signed: bool,
    },
    /// Makes the number on top 0 or 1.
    Truth,
    /// Pops; jumps where it is 0.
    JumpIfZero(usize),
    Jump(usize),
    /// Jumps with a 0 where the top is 0, pops it otherwise.
    AndJump(usize),
    /// Jumps with a 1 where the top is not 0, pops it otherwise.
    OrJump(usize),
    Drop,
    SwapBytes(usize),
    PrintFlags(usize),
    PrintSymbolic(usize),
    /// Pops a length and bytes; pushes `aa bb`, or `aabb`.
    PrintHex {
        has_blanks: bool,
    },
    /// Pops a size of elements, a count and bytes; pushes `{0x1,0x2}`.
    PrintArray,
}

//! Compiles a print format once per event type.

use std::ops::Range;

use super::expression::{Expression, Failure, Scope};
use super::program::{Code, NumberStyle, Op, Program, ProgramPiece};
use super::spec::{Amount, Conversion, Piece, Spec, pieces};
use super::token::{Token, tokenize};
use crate::formats::trace_dat::event_format::{EventFormat, Storage};
use crate::formats::trace_dat::symbols::Symbols;
use crate::model::Limits;

const MAX_STEPS: usize = 16_384;

/// Stands for what only the running kernel knows: `jiffies`, the result of one of its functions.
const UNKNOWN: &[u8] = b"<unknown>";

/// The program of an event's print format.
///
/// Errors: `TooDeep` past the limit of nesting, `Unknown` for what is not understood; the caller then
/// shows the raw fields.
pub fn compile(
    format: &EventFormat,
    symbols: &Symbols,
    long_bytes: usize,
    limits: &Limits,
) -> Result<Program, Failure> {
    let tokens = tokenize(&format.print_fmt).ok_or(Failure::Unknown)?;
    let Some((Token::Text(text), arguments)) = tokens.split_first() else { return Err(Failure::Unknown) };
    let scope = Scope { format: Some(format), symbols, long_bytes, limits };
    let mut compiler =
        Compiler { scope, rest: arguments, program: Program::default(), conversions: 0, unknown: 0 };
    for piece in pieces(text, long_bytes) {
        match piece.ok_or(Failure::Unknown)? {
            Piece::Literal(literal) => compiler.literal(literal),
            Piece::Conversion(spec) => compiler.conversion(spec)?,
        }
    }
    // Where hardly anything is left to print, the raw fields say more.
    if compiler.unknown.saturating_mul(2) >= compiler.conversions.max(1) {
        return Err(Failure::Unknown);
    }
    let entries = compiler.program.code.tables.iter().map(|table| table.entries.len());
    let steps = compiler.program.code.ops.len().saturating_add(entries.sum());
    // What a record costs must be bounded too. The largest of Linux 6.18 has some hundred steps.
    if steps > MAX_STEPS || text.len() > limits.max_line_bytes {
        return Err(Failure::Unknown);
    }
    Ok(compiler.program)
}

struct Compiler<'c> {
    scope: Scope<'c>,
    /// Tokens after the arguments that were compiled; begins with a comma.
    rest: &'c [Token<'c>],
    program: Program,
    conversions: usize,
    /// How many of those print what the file does not say.
    unknown: usize,
}

impl Compiler<'_> {
    fn literal(&mut self, literal: &[u8]) {
        match self.program.pieces.last_mut() {
            Some(ProgramPiece::Literal(before)) => before.extend_from_slice(literal),
            _ => self.program.pieces.push(ProgramPiece::Literal(literal.to_vec())),
        }
    }

    fn conversion(&mut self, spec: Spec) -> Result<(), Failure> {
        let width = (spec.width == Amount::Argument).then(|| self.argument()).transpose()?;
        let precision = (spec.precision == Amount::Argument).then(|| self.argument()).transpose()?;
        let value = self.argument()?;
        self.conversions = self.conversions.saturating_add(1);
        if std::mem::take(&mut self.program.code.has_unknown_value) {
            self.unknown = self.unknown.saturating_add(1);
            self.program.code.has_unknown_names = true;
            self.literal(UNKNOWN);
            return Ok(());
        }
        let is_plain = spec == Spec { size: spec.size, conversion: spec.conversion, ..Spec::default() };
        let plain = is_plain.then(|| self.plain_piece(&spec, value.clone())).flatten();
        let piece = plain.unwrap_or(ProgramPiece::Value { spec, width, precision, value });
        self.program.pieces.push(piece);
        Ok(())
    }

    /// Compiles the next argument and answers its code.
    fn argument(&mut self) -> Result<Range<usize>, Failure> {
        let Some((Token::Sign(b","), behind)) = self.rest.split_first() else { return Err(Failure::Unknown) };
        let start = self.program.code.ops.len();
        self.rest = Expression { code: &mut self.program.code, scope: self.scope }.compile(behind)?;
        Ok(start..self.program.code.ops.len())
    }

    /// The short form of a piece whose value is a field as the record has it.
    fn plain_piece(&self, spec: &Spec, value: Range<usize>) -> Option<ProgramPiece> {
        let Code { ops, fields, .. } = &self.program.code;
        let array = |index: usize| fields.get(index).filter(|field| field.storage == Storage::Array);
        match (ops.get(value)?, spec.conversion) {
            ([Op::Bytes(index)], Conversion::Text) => {
                let field = array(*index)?;
                Some(ProgramPiece::CharArray { offset: field.offset, size: field.size })
            }
            ([Op::Number { offset, size, is_signed }], _) => Some(ProgramPiece::Number {
                offset: *offset,
                size: *size,
                is_signed: *is_signed,
                style: style_of(spec)?,
            }),
            // `REC->args[3]`, of which every system call prints six.
            ([Op::Bytes(index), Op::Constant(element), Op::Element { bytes, is_signed }], _) => {
                let field = array(*index)?;
                let start = usize::try_from(*element).ok()?.checked_mul(*bytes)?;
                let is_inside = start.checked_add(*bytes)? <= field.size;
                let offset = field.offset.checked_add(start).filter(|_| is_inside)?;
                Some(ProgramPiece::Number {
                    offset,
                    size: *bytes,
                    is_signed: *is_signed,
                    style: style_of(spec)?,
                })
            }
            _ => None,
        }
    }
}

/// How a number is printed without a width; `None` for what has no short form.
fn style_of(spec: &Spec) -> Option<NumberStyle> {
    let size = usize::from(spec.size);
    match spec.conversion {
        Conversion::Decimal => Some(NumberStyle::Signed(size)),
        Conversion::Unsigned => Some(NumberStyle::Unsigned(size)),
        Conversion::Hex => Some(NumberStyle::Hex(size)),
        _ => None,
    }
}

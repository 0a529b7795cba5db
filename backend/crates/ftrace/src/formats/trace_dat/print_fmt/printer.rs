//! Prints records by compiled formats.

use std::ops::Range;

use super::eval::run;
use super::number::{Padding, push_decimal, push_hex, push_integer, push_text};
use super::pointer::{Pointed, push_address, push_pointer};
use super::program::{NumberStyle, Program, ProgramPiece};
use super::spec::{Amount, Conversion, PointerKind, Spec};
use super::values::{Machine, PrintContext, Value};
use crate::formats::trace_dat::byte_order::{sign_extend, zero_extend};

/// Stands for a field that the record does not have.
pub const MISSING: &[u8] = b"<missing>";

/// Prints one record after the other, with buffers of its own.
#[derive(Default)]
pub struct Printer {
    stack: Vec<Value>,
    scratch: Vec<u8>,
}

impl Printer {
    /// Appends a record to `output`; false where a field of it was missing.
    pub fn print(
        &mut self,
        program: &Program,
        record: &[u8],
        context: PrintContext<'_>,
        output: &mut Vec<u8>,
    ) -> bool {
        let mut is_whole = true;
        let mut machine = None;
        for piece in &program.pieces {
            is_whole &= match piece {
                ProgramPiece::Literal(literal) => {
                    output.extend_from_slice(literal);
                    true
                }
                ProgramPiece::Number { offset, size, is_signed, style } => {
                    let value = context.order.load_signed(record, *offset, *size, *is_signed);
                    print_plain(value, *style, output)
                }
                ProgramPiece::CharArray { offset, size } => print_chars(record, *offset, *size, output),
                ProgramPiece::Value { spec, width, precision, value } => {
                    let machine = machine.get_or_insert_with(|| Machine {
                        record,
                        context,
                        stack: std::mem::take(&mut self.stack),
                        scratch: std::mem::take(&mut self.scratch),
                    });
                    machine.scratch.clear();
                    let padding = padding_of(program, spec, width.as_ref(), precision.as_ref(), machine);
                    let value = run(&program.code, value.clone(), machine);
                    print_value(program, machine, value, spec, padding, output)
                }
            };
        }
        if let Some(machine) = machine {
            (self.stack, self.scratch) = (machine.stack, machine.scratch);
        }
        is_whole
    }
}

fn print_plain(value: Option<i64>, style: NumberStyle, output: &mut Vec<u8>) -> bool {
    let Some(value) = value else {
        output.extend_from_slice(MISSING);
        return false;
    };
    match style {
        NumberStyle::Signed(size) => {
            let value = sign_extend(value, size);
            if value < 0 {
                output.push(b'-');
            }
            push_decimal(output, value.unsigned_abs());
        }
        NumberStyle::Unsigned(size) => push_decimal(output, zero_extend(value, size).cast_unsigned()),
        NumberStyle::Hex(size) => push_hex(output, zero_extend(value, size).cast_unsigned()),
    }
    true
}

fn print_chars(record: &[u8], offset: usize, size: usize, output: &mut Vec<u8>) -> bool {
    let Some(chars) = record.get(offset..offset.saturating_add(size)) else {
        output.extend_from_slice(MISSING);
        return false;
    };
    let length = memchr::memchr(0, chars).unwrap_or(size);
    output.extend_from_slice(chars.get(..length).unwrap_or_default());
    true
}

fn padding_of(
    program: &Program,
    spec: &Spec,
    width: Option<&Range<usize>>,
    precision: Option<&Range<usize>>,
    machine: &mut Machine<'_>,
) -> Padding {
    let mut amount = |amount: Amount, code: Option<&Range<usize>>| match (amount, code) {
        (Amount::Fixed(value), _) => Some(i64::from(value)),
        (Amount::Argument, Some(code)) => run(&program.code, code.clone(), machine).number(),
        _ => None,
    };
    let width = amount(spec.width, width).unwrap_or(0);
    Padding::new(width, amount(spec.precision, precision))
}

fn print_value(
    program: &Program,
    machine: &Machine<'_>,
    value: Value,
    spec: &Spec,
    padding: Padding,
    output: &mut Vec<u8>,
) -> bool {
    let text = machine.text(&program.code, value);
    match (spec.conversion, value) {
        (_, Value::Missing) => {
            output.extend_from_slice(MISSING);
            return false;
        }
        (Conversion::Text, Value::Number(address)) => print_pointed_text(address, machine, output),
        (Conversion::Text, _) => {
            let length = memchr::memchr(0, text).unwrap_or(text.len());
            push_text(output, text.get(..length).unwrap_or_default(), spec, padding);
        }
        (Conversion::Pointer(kind), Value::Number(address)) => {
            let pointed = Pointed::Address(zero_extend(address, machine.context.long_bytes).cast_unsigned());
            push_pointer(output, pointed, kind, spec, padding, &machine.context);
        }
        (Conversion::Pointer(kind), _) => {
            push_pointer(output, Pointed::Bytes(text), kind, spec, padding, &machine.context);
        }
        (Conversion::Character, _) => {
            let character = value.number().unwrap_or(0) as u8;
            push_text(output, &[character], spec, Padding { precision: None, ..padding });
        }
        _ => push_integer(output, value.number().unwrap_or(0), spec, padding),
    }
    true
}

/// `%s` of an address: a string of the kernel where printk_formats has it.
fn print_pointed_text(address: i64, machine: &Machine<'_>, output: &mut Vec<u8>) {
    let address = zero_extend(address, machine.context.long_bytes).cast_unsigned();
    if address == 0 {
        output.extend_from_slice(b"(null)");
        return;
    }
    match machine.context.printk_formats.and_then(|formats| formats.find(address)) {
        Some(text) => output.extend_from_slice(text),
        None => push_address(output, address, PointerKind::Address, &machine.context),
    }
}

//! Runs the code of a compiled print format on a record.

use std::ops::Range;

use super::bitmap::Bitmap;
use super::program::{Arithmetic, Code, Op, Table};
use super::values::{Machine, Value};
use crate::formats::trace_dat::byte_order::{sign_extend, zero_extend};

/// Runs the steps of `range` and answers what is left on top; `Missing` where the record ends too early
/// or a field points outside it.
pub fn run(code: &Code, range: Range<usize>, machine: &mut Machine<'_>) -> Value {
    let end = range.end.min(code.ops.len());
    let mut at = range.start;
    machine.stack.clear();
    while at < end {
        let Some(op) = code.ops.get(at) else { break };
        at = match step(code, op, machine) {
            Some(target) => target.max(at.saturating_add(1)),
            None => at.saturating_add(1),
        };
    }
    machine.pop()
}

/// The value of code that reads no record; `None` where it does.
pub fn constant_of(code: &Code) -> Option<i64> {
    let mut machine = Machine::default();
    match run(code, 0..code.ops.len(), &mut machine) {
        Value::Number(value) => Some(value),
        _ => None,
    }
}

/// Does one step, and returns where it jumps to.
fn step(code: &Code, op: &Op, machine: &mut Machine<'_>) -> Option<usize> {
    match *op {
        Op::Constant(value) => machine.push(Value::Number(value)),
        Op::Text(index) => machine.push(Value::Literal(index)),
        Op::Number { offset, size, is_signed } => {
            let value = machine.context.order.load_signed(machine.record, offset, size, is_signed);
            machine.push(value.map_or(Value::Missing, Value::Number));
        }
        Op::Bytes(_) | Op::FieldText(_) | Op::Length(_) | Op::Bitmask(_) => {
            let value = field_value(code, op, machine).unwrap_or(Value::Missing);
            machine.push(value);
        }
        Op::Element { bytes, is_signed } => {
            let (index, array) = (machine.pop_number(), machine.pop());
            let value = element(machine, array, index, bytes, is_signed);
            machine.push(value.map_or(Value::Missing, Value::Number));
        }
        Op::Advance { bytes } => {
            let (count, array) = (machine.pop_number(), machine.pop());
            machine.push(advance(array, count, bytes).unwrap_or(Value::Missing));
        }
        Op::Cut { bytes, is_signed } => machine.map_number(|value| cut(value, bytes, is_signed)),
        Op::Negate => machine.map_number(i64::wrapping_neg),
        Op::Invert => machine.map_number(|value| !value),
        Op::Not => {
            let is_true = machine.pop().is_true();
            machine.push(Value::Number(i64::from(!is_true)));
        }
        Op::Truth => {
            let is_true = machine.pop().is_true();
            machine.push(Value::Number(i64::from(is_true)));
        }
        Op::Binary { operation, is_signed } => {
            let (right, left) = (machine.pop(), machine.pop());
            machine.push(match (left.number(), right.number()) {
                (Some(left), Some(right)) => Value::Number(calculate(operation, left, right, is_signed)),
                _ => Value::Missing,
            });
        }
        Op::JumpIfZero(target) => return (!machine.pop().is_true()).then_some(target),
        Op::Jump(target) => return Some(target),
        Op::AndJump(target) | Op::OrJump(target) => {
            let is_true = machine.pop().is_true();
            if is_true == matches!(op, Op::OrJump(_)) {
                machine.push(Value::Number(i64::from(is_true)));
                return Some(target);
            }
        }
        Op::Drop => {
            machine.pop();
        }
        Op::SwapBytes(bytes) => machine.map_number(|value| swap_bytes(value, bytes)),
        Op::PrintFlags(index) => print_names(code, index, machine, print_flags),
        Op::PrintSymbolic(index) => print_names(code, index, machine, print_symbolic),
        Op::PrintHex { has_blanks } => print_hex(machine, has_blanks),
        Op::PrintArray => print_array(machine),
    }
    None
}

fn field_value(code: &Code, op: &Op, machine: &mut Machine<'_>) -> Option<Value> {
    let (Op::Bytes(index) | Op::FieldText(index) | Op::Length(index) | Op::Bitmask(index)) = *op else {
        return None;
    };
    let field = code.fields.get(index)?;
    let order = machine.context.order;
    let range = field.range(machine.record, order)?;
    let bytes = machine.record.get(range.clone())?;
    match op {
        Op::Length(_) => Some(Value::Number(i64::try_from(range.len()).ok()?)),
        Op::FieldText(_) => {
            let length = memchr::memchr(0, bytes).unwrap_or(bytes.len());
            Some(Value::Record(range.start, range.start.checked_add(length)?))
        }
        Op::Bitmask(_) => {
            let bits =
                Bitmap { bytes, bits: bytes.len().saturating_mul(8), word_bytes: field.element_bytes, order };
            let start = machine.scratch.len();
            bits.push_words(&mut machine.scratch);
            Some(Value::Scratch(start, machine.scratch.len()))
        }
        _ => Some(Value::Record(range.start, range.end)),
    }
}

fn element(machine: &Machine<'_>, array: Value, index: i64, bytes: usize, is_signed: bool) -> Option<i64> {
    let Value::Record(start, end) = array else { return None };
    let offset = start.checked_add(usize::try_from(index).ok()?.checked_mul(bytes)?)?;
    let array = machine.record.get(..end)?;
    machine.context.order.load_signed(array, offset, bytes, is_signed)
}

/// The elements of an array after the first `count`.
fn advance(array: Value, count: i64, bytes: usize) -> Option<Value> {
    let Value::Record(start, end) = array else { return None };
    let start = start.checked_add(usize::try_from(count).ok()?.checked_mul(bytes)?)?;
    (start <= end).then_some(Value::Record(start, end))
}

fn cut(value: i64, bytes: usize, is_signed: bool) -> i64 {
    if is_signed { sign_extend(value, bytes) } else { zero_extend(value, bytes) }
}

fn calculate(operation: Arithmetic, left: i64, right: i64, is_signed: bool) -> i64 {
    let (unsigned_left, unsigned_right) = (left.cast_unsigned(), right.cast_unsigned());
    let order = if is_signed { left.cmp(&right) } else { unsigned_left.cmp(&unsigned_right) };
    let shift = u32::try_from(right & 63).unwrap_or(0);
    match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        // Division by zero has no value in C either; the kernel never prints one.
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => 0,
        Arithmetic::Divide if is_signed => left.wrapping_div(right),
        Arithmetic::Divide => unsigned_left.wrapping_div(unsigned_right).cast_signed(),
        Arithmetic::Remainder if is_signed => left.wrapping_rem(right),
        Arithmetic::Remainder => unsigned_left.wrapping_rem(unsigned_right).cast_signed(),
        Arithmetic::ShiftLeft => left.wrapping_shl(shift),
        Arithmetic::ShiftRight if is_signed => left.wrapping_shr(shift),
        Arithmetic::ShiftRight => unsigned_left.wrapping_shr(shift).cast_signed(),
        Arithmetic::BitAnd => left & right,
        Arithmetic::BitOr => left | right,
        Arithmetic::BitXor => left ^ right,
        Arithmetic::Less => i64::from(order.is_lt()),
        Arithmetic::LessEqual => i64::from(order.is_le()),
        Arithmetic::Greater => i64::from(order.is_gt()),
        Arithmetic::GreaterEqual => i64::from(order.is_ge()),
        Arithmetic::Equal => i64::from(left == right),
        Arithmetic::NotEqual => i64::from(left != right),
    }
}

fn swap_bytes(value: i64, bytes: usize) -> i64 {
    match bytes {
        2 => i64::from((value as u16).swap_bytes()),
        4 => i64::from((value as u32).swap_bytes()),
        _ => value.swap_bytes(),
    }
}

/// Replaces the number on top by its names.
fn print_names(code: &Code, index: usize, machine: &mut Machine<'_>, print: fn(&Table, u64, &mut Vec<u8>)) {
    let (Value::Number(value), Some(table)) = (machine.pop(), code.tables.get(index)) else {
        return machine.push(Value::Missing);
    };
    let value = zero_extend(value, usize::from(table.value_bytes)).cast_unsigned();
    let start = machine.scratch.len();
    print(table, value, &mut machine.scratch);
    machine.push(Value::Scratch(start, machine.scratch.len()));
}

/// Source: trace_print_flags_seq in kernel/trace/trace_output.c.
fn print_flags(table: &Table, value: u64, output: &mut Vec<u8>) {
    let mut left = value;
    let mut is_first = true;
    for (mask, name) in &table.entries {
        // A mask of 0 is a name for every value but 0 itself.
        if left == 0 {
            break;
        }
        let mask = zero_extend(*mask, usize::from(table.value_bytes)).cast_unsigned();
        if left & mask != mask {
            continue;
        }
        if !is_first {
            output.extend_from_slice(&table.delimiter);
        }
        output.extend_from_slice(name);
        left &= !mask;
        is_first = false;
    }
    if left != 0 {
        if !is_first {
            output.extend_from_slice(&table.delimiter);
        }
        output.extend_from_slice(b"0x");
        super::number::push_hex(output, left);
    }
}

/// Source: trace_print_symbols_seq in kernel/trace/trace_output.c.
fn print_symbolic(table: &Table, value: u64, output: &mut Vec<u8>) {
    let size = usize::from(table.value_bytes);
    let named = table.entries.iter().find(|(entry, _)| zero_extend(*entry, size).cast_unsigned() == value);
    match named {
        Some((_, name)) => output.extend_from_slice(name),
        None => {
            output.extend_from_slice(b"0x");
            super::number::push_hex(output, value);
        }
    }
}

fn print_hex(machine: &mut Machine<'_>, has_blanks: bool) {
    let (length, array) = (machine.pop_number(), machine.pop());
    let Value::Record(start, end) = array else { return machine.push(Value::Missing) };
    let count = usize::try_from(length).unwrap_or(0).min(end.saturating_sub(start));
    let bytes = machine.record.get(start..start.saturating_add(count)).unwrap_or_default();
    let from = machine.scratch.len();
    super::pointer::push_hex_bytes(&mut machine.scratch, bytes, has_blanks.then_some(b' '));
    machine.push(Value::Scratch(from, machine.scratch.len()));
}

/// Source: trace_print_array_seq in kernel/trace/trace_output.c.
fn print_array(machine: &mut Machine<'_>) {
    let (size, count, array) = (machine.pop_number(), machine.pop_number(), machine.pop());
    let (Value::Record(start, end), Ok(size @ 1..=8)) = (array, usize::try_from(size)) else {
        return machine.push(Value::Missing);
    };
    let bytes = machine.record.get(start..end).unwrap_or_default();
    let from = machine.scratch.len();
    machine.scratch.push(b'{');
    for (index, item) in bytes.chunks_exact(size).take(usize::try_from(count).unwrap_or(0)).enumerate() {
        if index > 0 {
            machine.scratch.push(b',');
        }
        machine.scratch.extend_from_slice(b"0x");
        let value = machine.context.order.load(item, 0, size).unwrap_or(0);
        super::number::push_hex(&mut machine.scratch, value);
    }
    machine.scratch.push(b'}');
    machine.push(Value::Scratch(from, machine.scratch.len()));
}

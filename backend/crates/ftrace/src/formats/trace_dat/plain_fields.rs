//! Fields printed from their description only: `name=value`, and the arguments of system calls.

use super::byte_order::{ByteOrder, zero_extend};
use super::event_format::{EventFormat, Field};
use super::print_fmt::number::{push_decimal, push_hex};

/// Appends `name=value` of every field that is not common; false where one lies outside the record.
pub fn print_fields(format: &EventFormat, record: &[u8], order: ByteOrder, output: &mut Vec<u8>) -> bool {
    let mut is_whole = true;
    for (index, field) in format.fields.iter().enumerate() {
        if index > 0 {
            output.push(b' ');
        }
        output.extend_from_slice(&field.name);
        output.push(b'=');
        is_whole &= print_field(field, record, order, output);
    }
    is_whole
}

fn print_field(field: &Field, record: &[u8], order: ByteOrder, output: &mut Vec<u8>) -> bool {
    let Some(bytes) = field.bytes(record, order) else {
        output.extend_from_slice(b"<missing>");
        return false;
    };
    if field.is_text {
        let length = memchr::memchr(0, bytes).unwrap_or(bytes.len());
        output.extend_from_slice(bytes.get(..length).unwrap_or_default());
        return true;
    }
    if let Some(value) = field.number(record, order).filter(|_| bytes.len() == field.element_bytes) {
        if field.is_pointer {
            output.extend_from_slice(b"0x");
            push_hex(output, value.cast_unsigned());
        } else if value < 0 && field.is_signed {
            output.push(b'-');
            push_decimal(output, value.unsigned_abs());
        } else {
            push_decimal(output, value.cast_unsigned());
        }
        return true;
    }
    output.push(b'{');
    for (index, element) in bytes.chunks(field.element_bytes.max(1)).enumerate() {
        if index > 0 {
            output.push(b',');
        }
        output.extend_from_slice(b"0x");
        push_hex(output, order.load(element, 0, element.len()).unwrap_or(0));
    }
    output.push(b'}');
    true
}

/// Appends `dfd: ffffff9c, filename: 7ffe...` as the kernel prints it between its brackets.
///
/// Since Linux 6.18 (`has_prefix`) numbers of two digits and more have `0x` before them, and what a pointer
/// pointed at follows it.
/// Source: print_syscall_enter in kernel/trace/trace_syscalls.c.
pub fn print_syscall_enter(
    format: &EventFormat,
    record: &[u8],
    order: ByteOrder,
    has_prefix: bool,
    output: &mut Vec<u8>,
) -> bool {
    let mut is_whole = true;
    let arguments = format.fields.iter().filter(|field| !is_call_number(field) && !is_pointed_text(field));
    for (index, field) in arguments.enumerate() {
        if index > 0 {
            output.extend_from_slice(b", ");
        }
        output.extend_from_slice(&field.name);
        output.extend_from_slice(b": ");
        let Some(value) = field.number(record, order) else {
            output.extend_from_slice(b"<missing>");
            is_whole = false;
            continue;
        };
        let value = zero_extend(value, field.size).cast_unsigned();
        if has_prefix && value >= 10 {
            output.extend_from_slice(b"0x");
        }
        push_hex(output, value);
        let wanted = [b"__", field.name.as_slice(), b"_val"].concat();
        if let Some(text) = format.field(&wanted).and_then(|text| text.bytes(record, order)) {
            let length = memchr::memchr(0, text).unwrap_or(text.len());
            output.extend_from_slice(b" \"");
            output.extend_from_slice(text.get(..length).unwrap_or_default());
            output.push(b'"');
        }
    }
    is_whole
}

/// Appends `-> 0x3`.
pub fn print_syscall_exit(
    format: &EventFormat,
    record: &[u8],
    order: ByteOrder,
    output: &mut Vec<u8>,
) -> bool {
    output.extend_from_slice(b"-> ");
    let value = format.field(b"ret").and_then(|field| Some((field.number(record, order)?, field.size)));
    match value {
        Some((value, size)) => {
            output.extend_from_slice(b"0x");
            push_hex(output, zero_extend(value, size).cast_unsigned());
        }
        None => output.extend_from_slice(b"<missing>"),
    }
    value.is_some()
}

/// `int __syscall_nr`, or `nr` in old kernels.
fn is_call_number(field: &Field) -> bool {
    matches!(field.name.as_slice(), b"__syscall_nr" | b"nr")
}

/// `__data_loc char[] __filename_val`
fn is_pointed_text(field: &Field) -> bool {
    field.name.starts_with(b"__") && field.name.ends_with(b"_val")
}

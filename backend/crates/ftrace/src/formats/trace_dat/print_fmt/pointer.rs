//! What `%p` and the letters after it print.
//!
//! Source: lib/vsprintf.c, Linux 6.12. Two things differ on purpose: a plain `%p` prints the address with
//! `0x`, because the kernel's own text holds a hash that no file can repeat.

use super::bitmap::Bitmap;
use super::number::{Padding, push_decimal, push_hex, push_text};
use super::spec::{PointerKind, Spec};
use super::values::PrintContext;

/// A pointer argument: an address, or the bytes in the record that it stands for.
#[derive(Clone, Copy, Debug)]
pub enum Pointed<'p> {
    Address(u64),
    Bytes(&'p [u8]),
}

/// Appends an address as `%p`, `%ps` or `%pS` print it; unknown symbols as their address.
pub fn push_address(output: &mut Vec<u8>, address: u64, kind: PointerKind, context: &PrintContext<'_>) {
    let has_offset = kind == PointerKind::SymbolOffset;
    let is_symbol = has_offset || kind == PointerKind::Symbol;
    let address = if is_symbol { context.address(address) } else { address };
    let symbol = context.symbols.filter(|_| is_symbol).and_then(|symbols| symbols.find(address));
    let Some(symbol) = symbol else {
        output.extend_from_slice(b"0x");
        push_hex(output, address);
        return;
    };
    output.extend_from_slice(symbol.name);
    if has_offset {
        output.extend_from_slice(b"+0x");
        push_hex(output, symbol.offset);
        if let Some(size) = symbol.size {
            output.extend_from_slice(b"/0x");
            push_hex(output, size);
        }
    }
    if !symbol.module.is_empty() {
        output.extend_from_slice(b" [");
        output.extend_from_slice(symbol.module);
        output.push(b']');
    }
}

/// Appends a pointer by its kind. `width` also counts the bytes of `%*ph` and the bits of `%*pb`.
pub fn push_pointer(
    output: &mut Vec<u8>,
    value: Pointed<'_>,
    kind: PointerKind,
    spec: &Spec,
    padding: Padding,
    context: &PrintContext<'_>,
) {
    let bytes = match value {
        Pointed::Bytes(bytes) => bytes,
        Pointed::Address(address) => {
            let mut text = Vec::new();
            push_address(&mut text, address, kind, context);
            return push_text(output, &text, spec, Padding { precision: None, ..padding });
        }
    };
    match kind {
        PointerKind::Mac { has_colons } => {
            push_hex_bytes(output, first(bytes, 6), has_colons.then_some(b':'));
        }
        PointerKind::Ip4 { is_padded } => push_ip4(output, first(bytes, 4), is_padded),
        PointerKind::Ip6 { is_compressed, has_colons } => {
            push_ip6(output, first(bytes, 16), is_compressed, has_colons);
        }
        PointerKind::SockAddr { is_compressed, has_port } => {
            push_socket_address(output, bytes, is_compressed, has_port, context);
        }
        PointerKind::Uuid { is_little, is_upper } => push_uuid(output, first(bytes, 16), is_little, is_upper),
        PointerKind::Hex { separator } => {
            // The kernel prints one byte without a width and at most 64.
            push_hex_bytes(output, first(bytes, padding.width.clamp(1, 64)), separator);
        }
        PointerKind::Bitmap { is_list } => {
            let (bits, word_bytes, order) = (padding.width, context.long_bytes, context.order);
            let bitmap = Bitmap { bytes, bits, word_bytes, order };
            if is_list { bitmap.push_list(output) } else { bitmap.push_words(output) }
        }
        // The address of a field is that of a buffer long gone; its bytes say more.
        PointerKind::Address | PointerKind::Symbol | PointerKind::SymbolOffset => {
            push_hex_bytes(output, first(bytes, 64), None);
        }
    }
}

/// Appends bytes as two digits each.
pub fn push_hex_bytes(output: &mut Vec<u8>, bytes: &[u8], separator: Option<u8>) {
    for (index, byte) in bytes.iter().enumerate() {
        output.extend(separator.filter(|_| index > 0));
        output.extend_from_slice(&hex_digits(*byte, b"0123456789abcdef"));
    }
}

fn hex_digits(byte: u8, alphabet: &[u8; 16]) -> [u8; 2] {
    let digit = |value: u8| alphabet.get(usize::from(value & 15)).copied().unwrap_or(b'0');
    [digit(byte >> 4), digit(byte)]
}

fn first(bytes: &[u8], count: usize) -> &[u8] {
    bytes.get(..count).unwrap_or(bytes)
}

fn push_ip4(output: &mut Vec<u8>, bytes: &[u8], is_padded: bool) {
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            output.push(b'.');
        }
        let text = if is_padded { format!("{byte:03}") } else { byte.to_string() };
        output.extend_from_slice(text.as_bytes());
    }
}

fn push_ip6(output: &mut Vec<u8>, bytes: &[u8], is_compressed: bool, has_colons: bool) {
    if let (true, Some(octets)) = (is_compressed, bytes.first_chunk::<16>()) {
        output.extend_from_slice(std::net::Ipv6Addr::from(*octets).to_string().as_bytes());
        return;
    }
    for (index, group) in bytes.chunks(2).enumerate() {
        if index > 0 && has_colons {
            output.push(b':');
        }
        push_hex_bytes(output, group, None);
    }
}

/// `struct sockaddr_in` and `sockaddr_in6`: family, port, and the address after: `10.0.0.7:80`, `[::1]:80`.
fn push_socket_address(
    output: &mut Vec<u8>,
    bytes: &[u8],
    is_compressed: bool,
    has_port: bool,
    context: &PrintContext<'_>,
) {
    match context.order.u16(bytes, 0) {
        Some(2) => push_ip4(output, bytes.get(4..8).unwrap_or_default(), false),
        Some(10) => {
            output.extend(has_port.then_some(b'['));
            push_ip6(output, bytes.get(8..24).unwrap_or_default(), is_compressed, true);
            output.extend(has_port.then_some(b']'));
        }
        _ => return push_hex_bytes(output, bytes, None),
    }
    if let (true, Some(&[high, low])) = (has_port, bytes.get(2..4)) {
        output.push(b':');
        push_decimal(output, u64::from(u16::from_be_bytes([high, low])));
    }
}

fn push_uuid(output: &mut Vec<u8>, bytes: &[u8], is_little: bool, is_upper: bool) {
    const IN_ORDER: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    const LITTLE: [usize; 16] = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let alphabet = if is_upper { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    let order = if is_little { LITTLE } else { IN_ORDER };
    for (position, index) in order.iter().enumerate() {
        if matches!(position, 4 | 6 | 8 | 10) {
            output.push(b'-');
        }
        if let Some(byte) = bytes.get(*index) {
            output.extend_from_slice(&hex_digits(*byte, alphabet));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::{Piece, pieces};
    use super::super::values::Machine;
    use super::*;

    fn check(format: &str, width: i64, bytes: &[u8], expected: &str) {
        let Some(Some(Piece::Conversion(spec))) = pieces(format.as_bytes(), 8).next() else {
            panic!("{format}");
        };
        let super::super::spec::Conversion::Pointer(kind) = spec.conversion else { panic!("{format}") };
        let context = Machine::default().context;
        let mut output = Vec::new();
        let padding = Padding::new(width, None);
        push_pointer(&mut output, Pointed::Bytes(bytes), kind, &spec, padding, &context);
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{format}");
    }

    #[test]
    fn kinds_of_pointers_print_as_in_the_kernel() {
        check("%pM", 0, &[0, 1, 2, 0xaa, 0xbb, 0xcc, 9], "00:01:02:aa:bb:cc");
        check("%pI4", 0, &[127, 0, 0, 1], "127.0.0.1");
        check("%pi4", 0, &[127, 0, 0, 1], "127.000.000.001");
        let mut ip6 = [0; 16];
        ip6[15] = 1;
        check("%pI6c", 0, &ip6, "::1");
        check("%pI6", 0, &ip6, "0000:0000:0000:0000:0000:0000:0000:0001");
        check("%*ph", 3, &[1, 2, 0xff, 4], "01 02 ff");
        check("%*phN", 2, &[1, 2], "0102");
        check("%*pbl", 9, &[0x0f, 1], "0-3,8");
        let uuid: Vec<u8> = (0..16).collect();
        check("%pUb", 0, &uuid, "00010203-0405-0607-0809-0a0b0c0d0e0f");
        check("%pUL", 0, &uuid, "03020100-0504-0706-0809-0A0B0C0D0E0F");
        let mut socket6 = [&[10, 0, 0, 80, 0, 0, 0, 0][..], &ip6].concat();
        check("%pIS", 0, &[2, 0, 0, 80, 10, 0, 0, 7], "10.0.0.7");
        check("%pISpc", 0, &[2, 0, 0, 80, 10, 0, 0, 7], "10.0.0.7:80");
        check("%pISc", 0, &socket6, "::1");
        check("%pISpc", 0, &socket6, "[::1]:80");
        check("%pIS", 0, &socket6, "0000:0000:0000:0000:0000:0000:0000:0001");
        socket6[0] = 1;
        check("%pIS", 0, &socket6[..4], "01000050");
    }
}

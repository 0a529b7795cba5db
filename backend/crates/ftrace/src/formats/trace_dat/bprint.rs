//! trace_printk's packed arguments: a format in the kernel, and its values one after the other.
//!
//! Source: vbin_printf and bstr_printf in lib/vsprintf.c, Linux 6.12.

use super::print_fmt::PrintContext;
use super::print_fmt::number::{Padding, push_integer, push_text};
use super::print_fmt::pointer::push_address;
use super::print_fmt::spec::{Amount, Conversion, Piece, PointerKind, Spec, pieces};

/// Appends the text that `format` makes of the values in `packed`. Where the values end too early, or a
/// conversion is not known, the rest of the format is shown as it is.
pub fn print_packed(format: &[u8], packed: &[u8], context: PrintContext<'_>, output: &mut Vec<u8>) {
    let mut values = Packed { bytes: packed, at: 0, context };
    for piece in pieces(format, context.long_bytes) {
        match piece {
            Some(Piece::Literal(literal)) => output.extend_from_slice(literal),
            Some(Piece::Conversion(spec)) => {
                if values.print(&spec, output).is_none() {
                    output.extend_from_slice(b"<missing>");
                }
            }
            None => output.push(b'%'),
        }
    }
}

struct Packed<'p> {
    bytes: &'p [u8],
    at: usize,
    context: PrintContext<'p>,
}

impl Packed<'_> {
    fn print(&mut self, spec: &Spec, output: &mut Vec<u8>) -> Option<()> {
        let width = self.amount(spec.width)?;
        let precision = self.amount(spec.precision)?;
        let padding = Padding::new(width.unwrap_or(0), precision);
        match spec.conversion {
            Conversion::Text => push_text(output, self.text()?, spec, padding),
            Conversion::Character => push_text(output, &[self.integer(1)? as u8], spec, padding),
            Conversion::Pointer(kind) => self.pointer(kind, spec, padding, output)?,
            _ => push_integer(output, self.integer(usize::from(spec.size))?, spec, padding),
        }
        Some(())
    }

    /// Symbols are kept as addresses; what a pointer points at was printed when it was recorded.
    fn pointer(
        &mut self,
        kind: PointerKind,
        spec: &Spec,
        padding: Padding,
        output: &mut Vec<u8>,
    ) -> Option<()> {
        match kind {
            PointerKind::Address | PointerKind::Symbol | PointerKind::SymbolOffset => {
                let address = self.integer(self.context.long_bytes)?;
                let mut text = Vec::new();
                push_address(&mut text, address.cast_unsigned(), kind, &self.context);
                push_text(output, &text, spec, Padding { precision: None, ..padding });
            }
            _ => push_text(output, self.text()?, spec, Padding { precision: None, ..padding }),
        }
        Some(())
    }

    fn amount(&mut self, amount: Amount) -> Option<Option<i64>> {
        match amount {
            Amount::None => Some(None),
            Amount::Fixed(value) => Some(Some(i64::from(value))),
            Amount::Argument => self.integer(4).map(|value| Some(i64::from(value as i32))),
        }
    }

    /// The next integer, aligned to its own size but at most to 4 bytes.
    fn integer(&mut self, size: usize) -> Option<i64> {
        self.at = self.at.checked_next_multiple_of(size.clamp(1, 4))?;
        let value = self.context.order.load(self.bytes, self.at, size)?;
        self.at = self.at.checked_add(size)?;
        Some(value.cast_signed())
    }

    /// The next string, up to its NUL.
    fn text(&mut self) -> Option<&[u8]> {
        let rest = self.bytes.get(self.at..)?;
        let length = memchr::memchr(0, rest)?;
        self.at = self.at.checked_add(length)?.checked_add(1)?;
        rest.get(..length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, packed: &[u8], expected: &str) {
        let mut output = Vec::new();
        print_packed(format.as_bytes(), packed, PrintContext::BARE, &mut output);
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }

    #[test]
    fn values_follow_each_other_with_the_kernels_alignment() {
        let packed = [&b"cat\0"[..], &[7, 0, 0, 0], b"k\0\0\0", &[1, 0, 0, 0, 1, 0, 0, 0]].concat();
        check("%s: %d %c %llu", &packed, "cat: 7 k 4294967297");
        check("%*d|", &[4, 0, 0, 0, 9, 0, 0, 0], "   9|");
        check("%hhd %hd %d", &[1, 0, 2, 0, 3, 0, 0, 0], "1 2 3");
        check("%p", &[0x10, 0, 0, 0, 0, 0, 0, 0], "0x10");
    }

    #[test]
    fn values_that_end_too_early_are_missing() {
        check("%d %s", &[1, 0, 0, 0, b'x'], "1 <missing>");
    }
}

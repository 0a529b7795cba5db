//! One `%` conversion of a printf format, as the kernel's vsnprintf knows them.
//!
//! Source: lib/vsprintf.c and Documentation/core-api/printk-formats.rst, Linux 6.12.

/// Width or precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    #[default]
    None,
    Fixed(u16),
    /// `*`: the argument before the value.
    Argument,
}

/// What kind of thing is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conversion {
    #[default]
    Decimal,
    Unsigned,
    Hex,
    HexUpper,
    Octal,
    Character,
    Text,
    Pointer(PointerKind),
}

/// The letters after `%p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// `%p`, `%px`, `%pK`: the address.
    Address,
    /// `%ps`, `%pf`: a symbol's name.
    Symbol,
    /// `%pS`, `%pF`, `%pB`: a symbol's name, the offset in it and its size.
    SymbolOffset,
    /// `%pM`, `%pm`: a MAC address, with `:` or without.
    Mac { has_colons: bool },
    /// `%pI4`, `%pi4`
    Ip4 { is_padded: bool },
    /// `%pI6c` (compressed) and `%pI6`, `%pi6`
    Ip6 { is_compressed: bool, has_colons: bool },
    /// `%pIS`: a socket address by its family; `c` compresses one of IPv6, `p` adds the port.
    SockAddr { is_compressed: bool, has_port: bool },
    /// `%pU`, in the order of its bytes or little endian, in small or capital letters.
    Uuid { is_little: bool, is_upper: bool },
    /// `%*ph`, with this between the bytes.
    Hex { separator: Option<u8> },
    /// `%*pb`, and `%*pbl` as a list.
    Bitmap { is_list: bool },
}

/// A conversion with its flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    pub is_left: bool,
    pub has_plus: bool,
    pub has_blank: bool,
    pub is_alternate: bool,
    pub is_zero_padded: bool,
    pub width: Amount,
    pub precision: Amount,
    /// Bytes of the integer, from the length modifier.
    pub size: u8,
    pub conversion: Conversion,
}

/// What a format's next bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    Literal(&'f [u8]),
    Conversion(Spec),
}

/// A format cut into literals and conversions; `None` stands for one that is not known.
pub fn pieces(format: &[u8], long_bytes: usize) -> Pieces<'_> {
    Pieces { rest: format, long_bytes }
}

pub struct Pieces<'f> {
    rest: &'f [u8],
    long_bytes: usize,
}

impl<'f> Iterator for Pieces<'f> {
    type Item = Option<Piece<'f>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (first, rest) = self.rest.split_first()?;
        if *first != b'%' {
            let end = memchr::memchr(b'%', self.rest).unwrap_or(self.rest.len());
            let (literal, rest) = self.rest.split_at_checked(end)?;
            self.rest = rest;
            return Some(Some(Piece::Literal(literal)));
        }
        if rest.first() == Some(&b'%') {
            let (literal, rest) = rest.split_at_checked(1)?;
            self.rest = rest;
            return Some(Some(Piece::Literal(literal)));
        }
        let mut scanner = Scanner { rest, long_bytes: self.long_bytes };
        let spec = scanner.spec();
        self.rest = scanner.rest;
        Some(spec.map(Piece::Conversion))
    }
}

struct Scanner<'f> {
    rest: &'f [u8],
    long_bytes: usize,
}

impl Scanner<'_> {
    fn spec(&mut self) -> Option<Spec> {
        let mut spec = Spec { size: 4, ..Spec::default() };
        loop {
            match self.rest.first()? {
                b'-' => spec.is_left = true,
                b'+' => spec.has_plus = true,
                b' ' => spec.has_blank = true,
                b'#' => spec.is_alternate = true,
                b'0' => spec.is_zero_padded = true,
                _ => break,
            }
            self.skip(1);
        }
        spec.width = self.amount()?;
        if self.rest.first() == Some(&b'.') {
            self.skip(1);
            spec.precision = match self.amount()? {
                Amount::None => Amount::Fixed(0),
                amount => amount,
            };
        }
        let long_bytes = if self.long_bytes == 4 { 4 } else { 8 };
        let (size, length) = match self.rest {
            [b'h', b'h', ..] => (1, 2),
            [b'h', ..] => (2, 1),
            [b'l', b'l', ..] => (8, 2),
            [b'l', ..] => (long_bytes, 1),
            [b'L' | b'q' | b'j', ..] => (8, 1),
            [b'z' | b'Z' | b't', ..] => (long_bytes, 1),
            _ => (4, 0),
        };
        spec.size = size;
        self.skip(length);
        let letter = *self.rest.first()?;
        self.skip(1);
        spec.conversion = match letter {
            b'd' | b'i' => Conversion::Decimal,
            b'u' => Conversion::Unsigned,
            b'x' => Conversion::Hex,
            b'X' => Conversion::HexUpper,
            b'o' => Conversion::Octal,
            b'c' => Conversion::Character,
            b's' => Conversion::Text,
            b'p' => Conversion::Pointer(self.pointer_kind()?),
            _ => return None,
        };
        Some(spec)
    }

    fn amount(&mut self) -> Option<Amount> {
        if self.rest.first() == Some(&b'*') {
            self.skip(1);
            return Some(Amount::Argument);
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Some(Amount::None);
        }
        let value = std::str::from_utf8(self.rest.get(..digits)?).ok()?.parse().ok()?;
        self.skip(digits);
        Some(Amount::Fixed(value))
    }

    /// The kernel takes all letters and digits after `%p` for the kind, whether it knows them or not.
    fn pointer_kind(&mut self) -> Option<PointerKind> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let letters = self.rest.get(..length)?;
        self.skip(length);
        Some(match letters {
            [] | [b'x' | b'K', ..] => PointerKind::Address,
            [b's' | b'f', ..] => PointerKind::Symbol,
            [b'S' | b'F' | b'B', ..] => PointerKind::SymbolOffset,
            [b'M', ..] => PointerKind::Mac { has_colons: true },
            [b'm', ..] => PointerKind::Mac { has_colons: false },
            [b'I', b'4', ..] => PointerKind::Ip4 { is_padded: false },
            [b'i', b'4', ..] => PointerKind::Ip4 { is_padded: true },
            [b'I', b'6', b'c', ..] => PointerKind::Ip6 { is_compressed: true, has_colons: true },
            [b'I', b'6', ..] => PointerKind::Ip6 { is_compressed: false, has_colons: true },
            [b'i', b'6', ..] => PointerKind::Ip6 { is_compressed: false, has_colons: false },
            [b'I', b'S', options @ ..] => PointerKind::SockAddr {
                is_compressed: options.contains(&b'c'),
                has_port: options.contains(&b'p'),
            },
            [b'U', b'L'] => PointerKind::Uuid { is_little: true, is_upper: true },
            [b'U', b'l'] => PointerKind::Uuid { is_little: true, is_upper: false },
            [b'U', b'B'] => PointerKind::Uuid { is_little: false, is_upper: true },
            [b'U', ..] => PointerKind::Uuid { is_little: false, is_upper: false },
            [b'h', b'C', ..] => PointerKind::Hex { separator: Some(b':') },
            [b'h', b'D', ..] => PointerKind::Hex { separator: Some(b'-') },
            [b'h', b'N', ..] => PointerKind::Hex { separator: None },
            [b'h', ..] => PointerKind::Hex { separator: Some(b' ') },
            [b'b', b'l', ..] => PointerKind::Bitmap { is_list: true },
            [b'b', ..] => PointerKind::Bitmap { is_list: false },
            _ => return None,
        })
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_told_from_literals() {
        let found: Vec<_> = pieces(b"a=%-5.3lld %%x %pS+", 8).collect();
        let decimal = Spec {
            is_left: true,
            width: Amount::Fixed(5),
            precision: Amount::Fixed(3),
            size: 8,
            ..Spec::default()
        };
        let symbol =
            Spec { size: 4, conversion: Conversion::Pointer(PointerKind::SymbolOffset), ..Spec::default() };
        let expected = [
            Piece::Literal(b"a="),
            Piece::Conversion(decimal),
            Piece::Literal(b" "),
            Piece::Literal(b"%"),
            Piece::Literal(b"x "),
            Piece::Conversion(symbol),
            Piece::Literal(b"+"),
        ];
        assert_eq!(found, expected.map(Some));
    }

    #[test]
    fn unknown_conversions_are_none() {
        for format in [&b"%"[..], b"%k", b"%pQ", b"%-", b"%99999d"] {
            assert_eq!(pieces(format, 8).next(), Some(None), "{format:?}");
        }
    }
}

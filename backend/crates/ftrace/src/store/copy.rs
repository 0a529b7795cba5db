//! PostgreSQL's binary COPY format, written.
//!
//! Source: PostgreSQL 15 documentation, COPY, "Binary Format"; `array_recv` in arrayfuncs.c.

use super::tables::{Table, Type};
use super::text::storable;
use crate::model::Ns;

/// What a stream begins with: a signature, no flags and no header extension.
pub const HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What it ends with: a row of -1 fields.
pub const TRAILER: &[u8] = b"\xff\xff";
const NULL: i32 = -1;

/// An integer that a column can hold.
pub trait Int: Copy {
    const SCALAR: Type;
    const ARRAY: Type;
    const OID: i32;
    /// The element's length and its bytes, as an array holds them.
    fn append_element(self, bytes: &mut Vec<u8>);
}

macro_rules! int {
    ($int:ident $scalar:ident $array:ident $oid:literal $size:literal) => {
        impl Int for $int {
            const SCALAR: Type = Type::$scalar;
            const ARRAY: Type = Type::$array;
            const OID: i32 = $oid;

            fn append_element(self, bytes: &mut Vec<u8>) {
                let mut element = [0; 4 + $size];
                let (length, value) = element.split_at_mut(4);
                length.copy_from_slice(&i32::to_be_bytes($size));
                value.copy_from_slice(&self.to_be_bytes());
                bytes.extend_from_slice(&element);
            }
        }
    };
}

int! { i16 Int2 Int2Array 21 2 }
int! { i32 Int4 Int4Array 23 4 }
int! { i64 Int8 Int8Array 20 8 }

/// Times are kept in columns as the integers that they are.
impl Int for Ns {
    const SCALAR: Type = <i64 as Int>::SCALAR;
    const ARRAY: Type = <i64 as Int>::ARRAY;
    const OID: i32 = <i64 as Int>::OID;

    fn append_element(self, bytes: &mut Vec<u8>) {
        self.0.append_element(bytes);
    }
}

const TEXT_OID: i32 = 25;

/// A column of texts, kept as a block's array holds them.
#[derive(Default)]
pub struct TextColumn {
    elements: Vec<u8>,
    count: i32,
}

impl TextColumn {
    pub fn push(&mut self, text: &[u8]) {
        append_sized(&storable(text), &mut self.elements);
        self.count = self.count.saturating_add(1);
    }

    pub fn size_bytes(&self) -> usize {
        self.elements.len()
    }

    pub fn clear(&mut self) {
        self.elements.clear();
        self.count = 0;
    }
}

/// Rows of one table as a COPY stream. The fields of a row are written one by one in the order of the
/// table's columns, after `begin_row`.
pub struct CopyEncoder {
    table: &'static Table,
    bytes: Vec<u8>,
    /// The next column, checked against the table in builds with debug assertions.
    column: usize,
}

impl CopyEncoder {
    pub fn new(table: &'static Table) -> Self {
        Self { table, bytes: Vec::new(), column: table.columns.len() }
    }

    pub fn table(&self) -> &'static Table {
        self.table
    }

    pub fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The finished stream; the encoder is empty again afterwards. `None` where there is no row.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        if self.bytes.is_empty() {
            return None;
        }
        self.expect(self.column == self.table.columns.len(), "ends inside a row");
        self.bytes.extend_from_slice(TRAILER);
        Some(std::mem::take(&mut self.bytes))
    }

    /// Begins a row, whose fields follow in the order of the table's columns.
    pub fn begin_row(&mut self) {
        self.expect(self.column == self.table.columns.len(), "begins inside a row");
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(HEAD);
        }
        let column_count = i16::try_from(self.table.columns.len()).unwrap_or(i16::MAX);
        self.bytes.extend_from_slice(&column_count.to_be_bytes());
        self.column = 0;
    }

    /// An integer; NULL only by [`optional_int`](Self::optional_int).
    pub fn int<T: Int>(&mut self, value: T) -> &mut Self {
        self.next_column(T::SCALAR, false);
        value.append_element(&mut self.bytes);
        self
    }

    pub fn optional_int<T: Int>(&mut self, value: Option<T>) -> &mut Self {
        self.next_column(T::SCALAR, value.is_none());
        match value {
            Some(value) => value.append_element(&mut self.bytes),
            None => self.append_be(NULL),
        }
        self
    }

    /// A text; bytes that PostgreSQL cannot store are escaped.
    pub fn text(&mut self, text: &[u8]) -> &mut Self {
        self.next_column(Type::Text, false);
        append_sized(&storable(text), &mut self.bytes);
        self
    }

    /// Text that `excerpt` has made fit to be held and shown; escaping it again would show its escapes.
    pub fn excerpt(&mut self, escaped: &str) -> &mut Self {
        self.next_column(Type::Text, false);
        append_sized(escaped.as_bytes(), &mut self.bytes);
        self
    }

    pub fn optional_text(&mut self, text: Option<&[u8]>) -> &mut Self {
        self.next_column(Type::Text, text.is_none());
        match text {
            Some(text) => append_sized(&storable(text), &mut self.bytes),
            None => self.append_be(NULL),
        }
        self
    }

    /// An array of integers without NULLs.
    pub fn ints<T: Int>(&mut self, values: impl ExactSizeIterator<Item = T>) -> &mut Self {
        self.next_column(T::ARRAY, false);
        let start = self.begin_array(T::OID, values.len(), false);
        for value in values {
            value.append_element(&mut self.bytes);
        }
        self.end_array(start)
    }

    /// An array in which NULL stands for `None`.
    pub fn optional_ints<T: Int>(&mut self, values: impl ExactSizeIterator<Item = Option<T>>) -> &mut Self {
        self.next_column(T::ARRAY, false);
        let start = self.begin_array(T::OID, values.len(), true);
        for value in values {
            match value {
                Some(value) => value.append_element(&mut self.bytes),
                None => self.append_be(NULL),
            }
        }
        self.end_array(start)
    }

    /// An array of texts, which `TextColumn` has made fit to be stored.
    pub fn texts(&mut self, texts: &TextColumn) -> &mut Self {
        self.next_column(Type::TextArray, false);
        let start = self.begin_array(TEXT_OID, usize::try_from(texts.count).unwrap_or(0), false);
        self.bytes.extend_from_slice(&texts.elements);
        self.end_array(start)
    }

    /// Returns where the field begins, for `end_array`, which fills in its length.
    fn begin_array(&mut self, oid: i32, count: usize, has_nulls: bool) -> usize {
        let start = self.bytes.len();
        let count = i32::try_from(count).unwrap_or(i32::MAX);
        self.append_be(0);
        self.append_be(i32::from(count > 0));
        self.append_be(i32::from(has_nulls));
        self.append_be(oid);
        if count > 0 {
            self.append_be(count);
            // PostgreSQL counts from one.
            self.append_be(1);
        }
        start
    }

    fn end_array(&mut self, start: usize) -> &mut Self {
        let length = self.bytes.len().saturating_sub(start).saturating_sub(4);
        let length = i32::try_from(length).unwrap_or(i32::MAX).to_be_bytes();
        if let Some(field) = self.bytes.get_mut(start..).and_then(|field| field.first_chunk_mut()) {
            *field = length;
        }
        self
    }

    fn append_be(&mut self, value: i32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    /// What only an error in this program breaks; tests look, and a recording is read at full speed.
    fn expect(&self, is_kept: bool, otherwise: &str) {
        assert!(!cfg!(test) || is_kept, "{} {otherwise} (column {})", self.table.name, self.column);
    }

    fn next_column(&mut self, column_type: Type, is_null: bool) {
        let column = self.table.columns.get(self.column);
        self.expect(
            column.is_some_and(|column| column.column_type == column_type && (column.nullable || !is_null)),
            "has another column there",
        );
        self.column = self.column.saturating_add(1);
    }
}

fn append_sized(text: &[u8], bytes: &mut Vec<u8>) {
    let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::super::tables;
    use super::*;

    #[test]
    fn a_row_is_what_the_documentation_says() {
        let mut encoder = CopyEncoder::new(&tables::SYMBOL);
        encoder.begin_row();
        encoder.int(7_i64).int(1_i32).text(b"do_idle").optional_text(None);
        let expected = [
            b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".as_slice(),
            &[0, 4],
            &[0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7],
            &[0, 0, 0, 4, 0, 0, 0, 1],
            b"\0\0\0\x07do_idle",
            &[0xff; 4],
            &[0xff; 2],
        ];
        assert_eq!(encoder.take(), Some(expected.concat()));
        assert_eq!(encoder.take(), None);
    }

    #[test]
    fn arrays_have_a_header_and_may_be_empty() {
        let mut frames = TextColumn::default();
        frames.push(b"a\0");
        let mut encoder = CopyEncoder::new(&tables::STACK);
        encoder.begin_row();
        encoder.int(7_i64).int(0_i32).int(5_i64).optional_int::<i16>(None).text(b"kernel");
        encoder.optional_int::<i32>(None);
        let before = encoder.size_bytes();
        encoder.texts(&frames);
        let array = encoder.take().unwrap().split_off(before);
        assert_eq!(
            array,
            b"\0\0\0\x1d\0\0\0\x01\0\0\0\0\0\0\0\x19\0\0\0\x01\0\0\0\x01\0\0\0\x05a\\x00\xff\xff"
        );
        let mut encoder = CopyEncoder::new(&tables::STACK);
        let start = encoder.begin_array(<i16 as Int>::OID, 0, false);
        encoder.end_array(start);
        assert_eq!(encoder.bytes, b"\0\0\0\x0c\0\0\0\0\0\0\0\0\0\0\0\x15");
    }
}

//! Reads PostgreSQL's binary COPY TO streams back into column vectors.
//!
//! The bytes come from our own database, but a damaged page or a wrong query must end in an error
//! that names table, column and byte, never in a panic or a silent shift of columns.
//! Source: PostgreSQL 15 documentation, COPY, "Binary Format"; `array_send` in arrayfuncs.c.

use thiserror::Error;

pub use super::elements::Int;
use super::elements::read_texts;
use super::tables::Table;

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";
/// An array of these tables has one dimension; PostgreSQL sends none for an empty one.
const ARRAY_HEADER_BYTES: usize = 20;
const TEXT_OID: i32 = 25;

/// Stored bytes that are not what their table promises.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{table}.{column} at byte {byte_offset} of its stream: {problem}")]
pub struct DecodeError {
    pub table: &'static str,
    pub column: &'static str,
    pub byte_offset: usize,
    pub problem: &'static str,
}

/// The rows of one COPY stream, front to back. No bytes at all are no rows.
pub struct CopyStream<'a> {
    table: &'static Table,
    bytes: &'a [u8],
    at: usize,
    ended: bool,
}

impl<'a> CopyStream<'a> {
    /// A stream of rows of `table`, from its first on.
    ///
    /// Errors: bytes that do not begin as a binary COPY stream.
    pub fn open(table: &'static Table, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut stream = Self { table, bytes, at: 0, ended: bytes.is_empty() };
        if !stream.ended {
            if stream.take("header", SIGNATURE.len())? != SIGNATURE {
                return Err(stream.error("header", "not a binary COPY stream"));
            }
            let _flags = stream.be_i32("header")?;
            let extension = stream.be_i32("header")?;
            let extension =
                usize::try_from(extension).map_err(|_| stream.error("header", "negative length"))?;
            stream.take("header", extension)?;
        }
        Ok(stream)
    }

    /// How many bytes were read; between rows, where the next one begins.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next row, which has a field for every column of the table; `None` after the trailer.
    pub fn next_row(&mut self) -> Result<Option<Row<'a>>, DecodeError> {
        if self.ended {
            return Ok(None);
        }
        let field_count = i16::from_be_bytes(self.array("row")?);
        if field_count == -1 {
            self.ended = true;
            return match self.bytes.len() == self.at {
                true => Ok(None),
                false => Err(self.error("trailer", "bytes follow the end of the stream")),
            };
        }
        let column_count = self.table.columns.len();
        if usize::try_from(field_count) != Ok(column_count) {
            return Err(self.error("row", "another number of columns than the table has"));
        }
        let mut fields = Vec::with_capacity(column_count);
        for _ in 0..column_count {
            fields.push(self.field()?);
        }
        Ok(Some(Row { table: self.table.name, fields: fields.into_iter() }))
    }

    fn field(&mut self) -> Result<Field<'a>, DecodeError> {
        let length = self.be_i32("field")?;
        let at = self.at;
        if length == -1 {
            return Ok(Field { at, bytes: None });
        }
        let length = usize::try_from(length).map_err(|_| self.error("field", "negative length"))?;
        Ok(Field { at, bytes: Some(self.take("field", length)?) })
    }

    fn be_i32(&mut self, column: &'static str) -> Result<i32, DecodeError> {
        self.array(column).map(i32::from_be_bytes)
    }

    fn array<const N: usize>(&mut self, column: &'static str) -> Result<[u8; N], DecodeError> {
        let bytes = self.take(column, N)?;
        bytes.try_into().map_err(|_| self.error(column, "the stream ends early"))
    }

    fn take(&mut self, column: &'static str, length: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.error(column, "the stream ends early"))?;
        self.at = self.at.saturating_add(length);
        Ok(taken)
    }

    fn error(&self, column: &'static str, problem: &'static str) -> DecodeError {
        DecodeError { table: self.table.name, column, byte_offset: self.at, problem }
    }
}

#[derive(Clone, Copy)]
struct Field<'a> {
    at: usize,
    /// `None` is SQL's NULL.
    bytes: Option<&'a [u8]>,
}

/// The fields of one row, taken in the order of the table's columns; `column` is for messages.
pub struct Row<'a> {
    table: &'static str,
    fields: std::vec::IntoIter<Field<'a>>,
}

impl<'a> Row<'a> {
    /// Passes a column that is not wanted.
    pub fn skip(&mut self, column: &'static str) -> Result<(), DecodeError> {
        self.field(column).map(|_| ())
    }

    /// Errors: NULL, or an integer of another width.
    pub fn int<T: Int>(&mut self, column: &'static str) -> Result<T, DecodeError> {
        let field = self.field(column)?;
        let bytes = self.not_null(column, field)?;
        T::read(bytes).ok_or_else(|| self.error(column, field, "another integer type"))
    }

    /// `None` for NULL.
    ///
    /// Errors: an integer of another width.
    pub fn optional_int<T: Int>(&mut self, column: &'static str) -> Result<Option<T>, DecodeError> {
        let field = self.field(column)?;
        let Some(bytes) = field.bytes else { return Ok(None) };
        T::read(bytes).map(Some).ok_or_else(|| self.error(column, field, "another integer type"))
    }

    /// Errors: NULL, or text that is not UTF-8.
    pub fn text(&mut self, column: &'static str) -> Result<&'a str, DecodeError> {
        let field = self.field(column)?;
        let bytes = self.not_null(column, field)?;
        str::from_utf8(bytes).map_err(|_| self.error(column, field, "text that is not UTF-8"))
    }

    /// `None` for NULL.
    ///
    /// Errors: text that is not UTF-8.
    pub fn optional_text(&mut self, column: &'static str) -> Result<Option<&'a str>, DecodeError> {
        let field = self.field(column)?;
        let Some(bytes) = field.bytes else { return Ok(None) };
        str::from_utf8(bytes).map(Some).map_err(|_| self.error(column, field, "text that is not UTF-8"))
    }

    /// An integer array; its NULL elements come back as `absent`.
    pub fn ints_or<T: Int>(&mut self, column: &'static str, absent: T) -> Result<Vec<T>, DecodeError> {
        let field = self.field(column)?;
        let (count, elements) = self.array_elements(column, field, T::OID)?;
        let sparse = || T::read_sparse(elements, count);
        let or_absent =
            |values: Vec<Option<T>>| values.into_iter().map(|value| value.unwrap_or(absent)).collect();
        T::read_dense(elements, count)
            .or_else(|| sparse().map(or_absent))
            .ok_or_else(|| self.error(column, field, "array elements do not fit its length"))
    }

    /// An integer array that may hold NULL elements.
    pub fn optional_ints<T: Int>(&mut self, column: &'static str) -> Result<Vec<Option<T>>, DecodeError> {
        let field = self.field(column)?;
        let (count, elements) = self.array_elements(column, field, T::OID)?;
        T::read_sparse(elements, count)
            .ok_or_else(|| self.error(column, field, "array elements do not fit its length"))
    }

    /// An integer array without NULL elements.
    pub fn ints<T: Int>(&mut self, column: &'static str) -> Result<Vec<T>, DecodeError> {
        let field = self.field(column)?;
        let (count, elements) = self.array_elements(column, field, T::OID)?;
        T::read_dense(elements, count)
            .ok_or_else(|| self.error(column, field, "array elements are NULL or do not fit its length"))
    }

    /// A text array; NULL elements come back empty.
    pub fn texts(&mut self, column: &'static str) -> Result<Vec<&'a str>, DecodeError> {
        let field = self.field(column)?;
        let (count, elements) = self.array_elements(column, field, TEXT_OID)?;
        read_texts(elements, count)
            .ok_or_else(|| self.error(column, field, "array elements are no text or do not fit its length"))
    }

    /// The bytes of a field of any type; `None` is NULL.
    pub fn bytes(&mut self, column: &'static str) -> Result<Option<&'a [u8]>, DecodeError> {
        self.field(column).map(|field| field.bytes)
    }

    /// Element count and element bytes of an array field; every element takes at least its 4 bytes
    /// of length, so a damaged count cannot ask for more memory than the stream has bytes.
    fn array_elements(
        &self,
        column: &'static str,
        field: Field<'a>,
        oid: i32,
    ) -> Result<(usize, &'a [u8]), DecodeError> {
        let bytes = self.not_null(column, field)?;
        let damaged = || self.error(column, field, "a damaged array header");
        let word = |index: usize| {
            let start = index.checked_mul(4)?;
            bytes.get(start..start.checked_add(4)?)?.try_into().ok().map(i32::from_be_bytes)
        };
        if word(2).ok_or_else(damaged)? != oid {
            return Err(self.error(column, field, "an array of another element type"));
        }
        match word(0) {
            Some(0) if bytes.len() == 12 => return Ok((0, &[])),
            Some(1) => {}
            _ => return Err(self.error(column, field, "not a one-dimensional array")),
        }
        let count = word(3).and_then(|count| usize::try_from(count).ok()).ok_or_else(damaged)?;
        let elements = bytes.get(ARRAY_HEADER_BYTES..).ok_or_else(damaged)?;
        if count > elements.len() / 4 {
            return Err(damaged());
        }
        Ok((count, elements))
    }

    fn field(&mut self, column: &'static str) -> Result<Field<'a>, DecodeError> {
        self.fields.next().ok_or(DecodeError {
            table: self.table,
            column,
            byte_offset: 0,
            problem: "the row has no such column",
        })
    }

    fn not_null(&self, column: &'static str, field: Field<'a>) -> Result<&'a [u8], DecodeError> {
        field.bytes.ok_or_else(|| self.error(column, field, "NULL where a value must be"))
    }

    fn error(&self, column: &'static str, field: Field<'_>, problem: &'static str) -> DecodeError {
        DecodeError { table: self.table, column, byte_offset: field.at, problem }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::copy::{CopyEncoder, TextColumn};
    use crate::store::tables::{Column, Type};

    static TABLE: Table = Table {
        name: "t",
        columns: &[
            Column { name: "a", column_type: Type::Int8, nullable: false },
            Column { name: "b", column_type: Type::Int4Array, nullable: false },
            Column { name: "c", column_type: Type::TextArray, nullable: false },
        ],
        key: &["a"],
    };

    fn stream() -> Vec<u8> {
        let mut encoder = CopyEncoder::new(&TABLE);
        encoder.begin_row();
        encoder.int(7_i64).optional_ints([Some(5), None].into_iter()).texts(&TextColumn::default());
        let mut texts = TextColumn::default();
        texts.push(b"");
        texts.push(b"x=1");
        encoder.begin_row();
        encoder.int(-1_i64).ints([1, -2, 3].into_iter()).texts(&texts);
        encoder.take().unwrap()
    }

    /// Reads the second row of [`stream`] with `read`.
    fn check(read: impl FnOnce(&mut Row<'_>) -> Result<(), DecodeError>, expected: Result<(), &str>) {
        let bytes = stream();
        let mut rows = CopyStream::open(&TABLE, &bytes).unwrap();
        rows.next_row().unwrap().unwrap();
        let mut row = rows.next_row().unwrap().unwrap();
        assert_eq!(read(&mut row).map_err(|error| error.to_string()), expected.map_err(str::to_owned));
        assert!(rows.next_row().unwrap().is_none());
    }

    #[test]
    fn values_come_back_in_order() {
        check(
            |row| {
                assert_eq!(row.int::<i64>("a")?, -1);
                assert_eq!(row.ints::<i32>("b")?, [1, -2, 3]);
                assert_eq!(row.texts("c")?, ["", "x=1"]);
                Ok(())
            },
            Ok(()),
        );
    }

    #[test]
    fn another_type_is_an_error_with_its_place() {
        check(|row| row.int::<i32>("a").map(drop), Err("t.a at byte 91 of its stream: another integer type"));
        check(
            |row| {
                row.skip("a")?;
                row.ints::<i64>("b").map(drop)
            },
            Err("t.b at byte 103 of its stream: an array of another element type"),
        );
    }

    #[test]
    fn null_elements_are_the_absent_value() {
        let bytes = stream();
        let mut row = CopyStream::open(&TABLE, &bytes).unwrap().next_row().unwrap().unwrap();
        row.skip("a").unwrap();
        assert_eq!(row.ints_or::<i32>("b", -1).unwrap(), [5, -1]);
        assert_eq!(row.texts("c").unwrap(), [""; 0]);
        let mut row = CopyStream::open(&TABLE, &bytes).unwrap().next_row().unwrap().unwrap();
        row.skip("a").unwrap();
        assert_eq!(row.optional_ints::<i32>("b").unwrap(), [Some(5), None]);
    }

    fn read_all(bytes: &[u8]) -> Result<(), DecodeError> {
        let mut rows = CopyStream::open(&TABLE, bytes)?;
        while let Some(mut row) = rows.next_row()? {
            row.int::<i64>("a")?;
            row.ints_or::<i32>("b", 0)?;
            row.texts("c")?;
        }
        Ok(())
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_survived() {
        let bytes = stream();
        for end in 1..bytes.len() {
            assert!(read_all(&bytes[..end]).is_err());
        }
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let _ = read_all(&damaged);
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(tail in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut bytes = stream();
            bytes.truncate(19);
            bytes.extend(tail);
            let _ = read_all(&bytes);
        }
    }
}

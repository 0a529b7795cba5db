//! Rows that a parser hands over, checked against the trace that it was started for.
//!
//! The parser reads hostile bytes and may have been taken over by them. The worker that copies its rows
//! can write to every trace, so it must see that they belong to this one.

use std::ops::Range;

use thiserror::Error;

use super::decode::{CopyStream, DecodeError, Row};
use super::tables::{self, Table};

/// Why a stream of rows is not copied.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("no parser fills the table {0}")]
    Table(String),
    #[error("row {row} of {table} belongs to trace {found}, not to trace {expected}")]
    ForeignRow { table: &'static str, row: usize, found: i64, expected: i64 },
    #[error(transparent)]
    Damaged(#[from] DecodeError),
}

/// A row that bears the trace's key.
pub struct OwnRow<'a> {
    /// Where it is in its stream.
    pub place: Range<usize>,
    /// What is after the key.
    pub fields: Row<'a>,
}

/// The number of rows in a COPY stream of `table`, after every one of them was seen to bear the key.
pub fn count_own_rows(trace_key: i64, table: &str, stream: &[u8]) -> Result<usize, Refusal> {
    let mut count = 0_usize;
    each_own_row(trace_key, filled(table)?, stream, |_| {
        count = count.saturating_add(1);
        Ok(())
    })?;
    Ok(count)
}

/// A table that parsers fill.
pub fn filled(table: &str) -> Result<&'static Table, Refusal> {
    let found = tables::ALL.iter().find(|known| known.name == table);
    found.copied().ok_or_else(|| Refusal::Table(table.to_owned()))
}

/// Hands every row of a COPY stream of `table` to `take`, up to the first that does not bear the key.
///
/// The stream is read to its end and as strictly as PostgreSQL reads it. Otherwise a row could hide from
/// one of the two readers.
pub fn each_own_row<'a>(
    trace_key: i64,
    table: &'static Table,
    stream: &'a [u8],
    mut take: impl FnMut(OwnRow<'a>) -> Result<(), DecodeError>,
) -> Result<(), Refusal> {
    let mut rows = CopyStream::open(table, stream)?;
    let mut number = 0_usize;
    let mut start = rows.position();
    while let Some(mut fields) = rows.next_row()? {
        number = number.saturating_add(1);
        let found = fields.int::<i64>("trace_key")?;
        if found != trace_key {
            return Err(Refusal::ForeignRow { table: table.name, row: number, found, expected: trace_key });
        }
        let end = rows.position();
        take(OwnRow { place: start..end, fields })?;
        start = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::copy::CopyEncoder;

    /// Rows of `symbol` with these keys.
    fn symbols(keys: &[i64]) -> Vec<u8> {
        let mut encoder = CopyEncoder::new(&tables::SYMBOL);
        for (idx, &key) in (0_i32..).zip(keys) {
            encoder.begin_row();
            encoder.int(key).int(idx).text(b"do_idle").optional_text(None);
        }
        encoder.take().unwrap()
    }

    fn check(table: &str, stream: &[u8], expected: Result<usize, &str>) {
        let found = count_own_rows(7, table, stream).map_err(|refusal| refusal.to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
    }

    #[test]
    fn rows_of_the_trace_are_counted() {
        check("symbol", &symbols(&[7, 7, 7]), Ok(3));
    }

    #[test]
    fn one_row_of_another_trace_is_enough() {
        check("symbol", &symbols(&[7, 8, 7]), Err("row 2 of symbol belongs to trace 8, not to trace 7"));
    }

    #[test]
    fn only_tables_that_parsers_fill_are_taken() {
        for table in ["trace", "latency_explanation", "label", ""] {
            check(table, &symbols(&[7]), Err(&format!("no parser fills the table {table}")));
        }
    }

    #[test]
    fn a_key_of_another_type_is_no_key() {
        let mut stream = symbols(&[7]);
        // The field's length, after the header of 19 bytes and the number of fields.
        stream.splice(21..33, [&[0, 0, 0, 4][..], &7_i32.to_be_bytes()].concat());
        check("symbol", &stream, Err("symbol.trace_key at byte 25 of its stream: another integer type"));
        stream.splice(21..29, [0xff; 4]);
        check(
            "symbol",
            &stream,
            Err("symbol.trace_key at byte 25 of its stream: NULL where a value must be"),
        );
    }

    #[test]
    fn nothing_hides_behind_the_end() {
        let mut stream = symbols(&[7]);
        stream.extend(&symbols(&[8])[19..]);
        check(
            "symbol",
            &stream,
            Err("symbol.trailer at byte 58 of its stream: bytes follow the end of the stream"),
        );
    }
}

//! The columns of one row, however each of them is stored, at the full length of its block.

use super::blocks::ABSENT;
use crate::store::decode::{CopyStream, DecodeError, Int, Row};
use crate::store::id_runs;
use crate::store::tables::Table;

/// Every row of a stream of `table`, through `read`.
pub fn read_rows<'a, T>(
    table: &'static Table,
    bytes: &'a [u8],
    mut read: impl FnMut(&mut Row<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let mut stream = CopyStream::open(table, bytes)?;
    let mut rows = Vec::new();
    while let Some(mut row) = stream.next_row()? {
        rows.push(read(&mut row)?);
    }
    Ok(rows)
}

/// The columns `t0, t1, count` that begin every block of records.
pub struct Extent {
    t0: i64,
    count: i32,
}

impl Extent {
    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        let t0 = row.int("t0")?;
        row.skip("t1")?;
        Ok(Self { t0, count: row.int("count")? })
    }

    /// The column `dt` as absolute times: each distance counts from the record before.
    pub fn times(self, row: &mut Row<'_>, table: &'static Table) -> Result<Vec<i64>, DecodeError> {
        let distances: Vec<i32> = row.ints("dt")?;
        let columns = Columns { table, count: distances.len() };
        columns.check("count", usize::try_from(self.count).unwrap_or(usize::MAX))?;
        let mut t_ns = self.t0;
        let times = distances.iter().map(|distance| {
            t_ns = t_ns.checked_add(i64::from(*distance))?;
            Some(t_ns)
        });
        let times = times.collect::<Option<Vec<i64>>>();
        times.ok_or_else(|| columns.error("dt", "times past the range of 64 bits"))
    }
}

/// Reads columns at the full length of their block: a value for each record.
pub trait Lengthen {
    fn record_count(&self) -> usize;

    /// A value for each record, from a column as it is stored.
    ///
    /// Errors: the column is not that of as many records.
    fn of_records<T: Copy>(&self, column: &'static str, values: Vec<T>) -> Result<Vec<T>, DecodeError>;

    /// NULL elements come back as `absent`.
    fn exact<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        absent: T,
    ) -> Result<Vec<T>, DecodeError> {
        self.of_records(column, row.ints_or(column, absent)?)
    }

    /// Like `exact`, but an empty array stands for `default` in every record.
    fn or_default<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        default: T,
    ) -> Result<Vec<T>, DecodeError> {
        let values = row.ints_or(column, default)?;
        if values.is_empty() {
            Ok(vec![default; self.record_count()])
        } else {
            self.of_records(column, values)
        }
    }

    /// Values that may be NULL; an empty array has none of them.
    fn optional<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
    ) -> Result<Vec<Option<T>>, DecodeError> {
        let values = row.optional_ints(column)?;
        if values.is_empty() { Ok(vec![None; self.record_count()]) } else { self.of_records(column, values) }
    }
}

/// Reads the columns of one block, which must all have the length of its first.
pub struct Columns {
    pub table: &'static Table,
    pub count: usize,
}

impl Lengthen for Columns {
    fn record_count(&self) -> usize {
        self.count
    }

    fn of_records<T: Copy>(&self, column: &'static str, values: Vec<T>) -> Result<Vec<T>, DecodeError> {
        self.check(column, values.len())?;
        Ok(values)
    }
}

impl Columns {
    /// Times that are stored as an `integer` and what is past it; empty where the column is.
    pub fn times(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        excess_column: &'static str,
    ) -> Result<Vec<i64>, DecodeError> {
        let times: Vec<i32> = row.ints(column)?;
        let excess: Vec<i64> = row.ints(excess_column)?;
        if excess.is_empty() {
            return Ok(times.into_iter().map(i64::from).collect());
        }
        self.check(excess_column, excess.len())?;
        let sums = times.iter().zip(&excess).map(|(time, excess)| excess.checked_add(i64::from(*time)));
        sums.collect::<Option<Vec<i64>>>()
            .ok_or_else(|| self.error(excess_column, "times past the range of 64 bits"))
    }

    /// The ids of slices, [`ABSENT`] where they have none.
    pub fn ids(&self, row: &mut Row<'_>) -> Result<Vec<i32>, DecodeError> {
        let at: Vec<i16> = row.ints("id_at")?;
        let steps: Vec<i32> = row.ints("id_step")?;
        if at.is_empty() {
            return Ok(vec![ABSENT; self.count]);
        }
        let ids = if at.len() == steps.len() { id_runs::ids(&at, &steps, self.count) } else { None };
        ids.ok_or_else(|| self.error("id_at", "places that are not those of its records"))
    }

    /// The column that says which of the block's combinations is each record's.
    pub fn shared(&self, row: &mut Row<'_>, column: &'static str) -> Result<Shared, DecodeError> {
        let idx: Vec<i16> = row.ints(column)?;
        self.check(column, idx.len())?;
        Ok(Shared { table: self.table, idx })
    }

    /// Errors: `column` has another length than the block.
    pub fn check(&self, column: &'static str, length: usize) -> Result<(), DecodeError> {
        if length == self.count { Ok(()) } else { Err(self.error(column, "columns of different lengths")) }
    }

    /// An error about a column of this block.
    pub fn error(&self, column: &'static str, problem: &'static str) -> DecodeError {
        DecodeError { table: self.table.name, column, byte_offset: 0, problem }
    }
}

/// Reads columns that hold each combination once, and returns them with a value for each record.
pub struct Shared {
    table: &'static Table,
    idx: Vec<i16>,
}

impl Lengthen for Shared {
    fn record_count(&self) -> usize {
        self.idx.len()
    }

    fn of_records<T: Copy>(&self, column: &'static str, values: Vec<T>) -> Result<Vec<T>, DecodeError> {
        let value = |idx: &i16| values.get(usize::try_from(*idx).ok()?).copied();
        self.idx.iter().map(value).collect::<Option<Vec<T>>>().ok_or(DecodeError {
            table: self.table.name,
            column,
            byte_offset: 0,
            problem: "a record's combination is not in its block",
        })
    }
}

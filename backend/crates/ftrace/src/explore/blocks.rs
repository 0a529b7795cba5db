//! The block tables as column vectors. Columns that may be stored empty come back at full length.

use crate::model::Flags;
use crate::store::decode::{CopyStream, DecodeError, Int, Row};
use crate::store::id_runs;
use crate::store::tables::{self, Table};

/// Stands in a column for SQL's NULL: a record without task, symbol, CPU or parent. Indices into
/// dictionaries and CPU numbers are never negative, so no value is lost.
pub const ABSENT: i32 = -1;
/// [`ABSENT`] in a `smallint` column.
pub const ABSENT_SMALL: i16 = -1;

/// Stands for SQL's NULL in a column of durations.
pub const UNKNOWN_NS: i64 = -1;

/// Slices of one kind that ended one after the other, in the order of their start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceBlock {
    pub kind: i16,
    pub number: i32,
    pub start_ns: Vec<i64>,
    pub duration_ns: Vec<i64>,
    pub self_ns: Vec<i64>,
    pub cpu: Vec<i16>,
    pub task_idx: Vec<i32>,
    pub symbol_idx: Vec<i32>,
    pub depth: Vec<i16>,
    pub id: Vec<i32>,
    pub parent: Vec<i32>,
    pub flags: Vec<i16>,
}

impl SliceBlock {
    pub const TABLE: &'static Table = &tables::SLICE_BLOCK;

    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        let kind = row.int("kind")?;
        let number = row.int("block")?;
        let header = BlockHeader::read(row)?;
        row.skip("max_ns")?;
        let start_ns = header.times(row, Self::TABLE)?;
        let columns = Columns { table: Self::TABLE, count: start_ns.len() };
        let duration_ns = columns.times(row, "duration_ns", "duration_excess_ns")?;
        let self_ns = columns.times(row, "self_ns", "self_excess_ns")?;
        let self_ns = if self_ns.is_empty() { duration_ns.clone() } else { self_ns };
        columns.check("duration_ns", duration_ns.len())?;
        columns.check("self_ns", self_ns.len())?;
        let id = columns.ids(row)?;
        let parent = columns.or_default(row, "parent", ABSENT)?;
        let contexts = columns.shared(row, "context_idx")?;
        Ok(Self {
            kind,
            number,
            cpu: contexts.exact(row, "cpu", ABSENT_SMALL)?,
            task_idx: contexts.exact(row, "task", ABSENT)?,
            symbol_idx: contexts.exact(row, "symbol", ABSENT)?,
            depth: contexts.exact(row, "depth", 0)?,
            flags: contexts.exact(row, "flags", 0)?,
            start_ns,
            duration_ns,
            self_ns,
            id,
            parent,
        })
    }
}

/// Consecutive events in the order of the trace; `args` is the printed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventBlock<'a> {
    pub number: i32,
    /// Number of the first event, counted from the trace's first.
    pub first_seq: i64,
    pub t_ns: Vec<i64>,
    pub cpu: Vec<i16>,
    pub task_idx: Vec<i32>,
    pub type_idx: Vec<i16>,
    /// [`Flags`](crate::model::Flags) bit for bit.
    pub flags: Vec<i32>,
    /// Zero for the top buffer.
    pub buffer: Vec<i16>,
    pub args: Vec<&'a str>,
}

impl<'a> EventBlock<'a> {
    pub const TABLE: &'static Table = &tables::EVENT_BLOCK;

    /// True where another trace instance has the very record in a row, too, and analyses have seen it there.
    pub fn is_repeated(&self, row: usize) -> bool {
        self.flags.get(row).is_some_and(|flags| Flags(flags.cast_unsigned()).has(Flags::REPEATED))
    }

    pub fn read(row: &mut Row<'a>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        let number = row.int("block")?;
        let header = BlockHeader::read(row)?;
        let first_seq = row.int("first_seq")?;
        let t_ns = header.times(row, Self::TABLE)?;
        let columns = Columns { table: Self::TABLE, count: t_ns.len() };
        let contexts = columns.shared(row, "context_idx")?;
        let messages = columns.shared(row, "message_idx")?;
        let cpu = contexts.exact(row, "cpu", ABSENT_SMALL)?;
        let task_idx = contexts.exact(row, "task", ABSENT)?;
        let flags = contexts.or_default(row, "flags", 0)?;
        let type_idx = messages.exact(row, "type", ABSENT_SMALL)?;
        let args = messages.of_records("args", &row.texts("args")?)?;
        let buffer = contexts.or_default(row, "buffer", 0)?;
        Ok(Self { number, first_seq, t_ns, cpu, task_idx, type_idx, flags, buffer, args })
    }
}

/// Consecutive readings of counters, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterBlock {
    pub t_ns: Vec<i64>,
    pub counter_idx: Vec<i16>,
    pub cpu: Vec<i16>,
    pub value: Vec<i64>,
}

impl CounterBlock {
    pub const TABLE: &'static Table = &tables::COUNTER_BLOCK;

    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        row.skip("block")?;
        let t_ns = BlockHeader::read(row)?.times(row, Self::TABLE)?;
        let columns = Columns { table: Self::TABLE, count: t_ns.len() };
        Ok(Self {
            counter_idx: columns.exact(row, "counter", ABSENT_SMALL)?,
            cpu: columns.or_default(row, "cpu", ABSENT_SMALL)?,
            value: columns.exact(row, "value", 0)?,
            t_ns,
        })
    }
}

/// Buckets of one lane at one zoom level; empty buckets are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RollupBlock {
    pub kind: i16,
    pub level: i16,
    pub cpu: i16,
    pub depth: i16,
    pub width_ns: i64,
    /// Start of each bucket on the trace's time line.
    pub bucket_start_ns: Vec<i64>,
    pub slices: Vec<i32>,
    pub busy_ns: Vec<i64>,
    pub max_ns: Vec<i64>,
    pub max_start_ns: Vec<i64>,
    pub task_idx: Vec<i32>,
    pub symbol_idx: Vec<i32>,
}

impl RollupBlock {
    pub const TABLE: &'static Table = &tables::ROLLUP_BLOCK;

    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        let (kind, level) = (row.int("kind")?, row.int("level")?);
        let (cpu, depth) = (row.int("cpu")?, row.int("depth")?);
        row.skip("block")?;
        let width_ns: i64 = row.int("width_ns")?;
        let first_bucket: i64 = row.int("first_bucket")?;
        row.skip("last_bucket")?;
        row.skip("count")?;
        let bucket: Vec<i32> = row.ints("bucket")?;
        let columns = Columns { table: Self::TABLE, count: bucket.len() };
        let bucket_start_ns = bucket
            .iter()
            .map(|offset| first_bucket.checked_add(i64::from(*offset))?.checked_mul(width_ns))
            .collect::<Option<Vec<i64>>>()
            .filter(|_| width_ns > 0)
            .ok_or_else(|| columns.error("bucket", "buckets past the range of time"))?;
        Ok(Self {
            kind,
            level,
            cpu,
            depth,
            width_ns,
            bucket_start_ns,
            slices: columns.exact(row, "slices", 0)?,
            busy_ns: columns.exact(row, "busy_ns", 0)?,
            max_ns: columns.exact(row, "max_ns", 0)?,
            max_start_ns: columns.exact(row, "max_start_ns", 0)?,
            task_idx: columns.or_default(row, "task", ABSENT)?,
            symbol_idx: columns.or_default(row, "symbol", ABSENT)?,
        })
    }
}

/// Nodes of the whole trace's merged call tree, parents before children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTreeBlock {
    pub first_node: i32,
    /// Node number in the whole tree.
    pub parent: Vec<i32>,
    pub symbol_idx: Vec<i32>,
    pub cpu: Vec<i16>,
    pub task_idx: Vec<i32>,
    pub calls: Vec<i64>,
    pub total_ns: Vec<i64>,
    pub self_ns: Vec<i64>,
    pub min_ns: Vec<i64>,
    /// [`UNKNOWN_NS`] where the tree was too large to keep it.
    pub p50_ns: Vec<i64>,
    pub max_ns: Vec<i64>,
}

impl CallTreeBlock {
    pub const TABLE: &'static Table = &tables::CALLTREE_BLOCK;

    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        row.skip("block")?;
        let first_node = row.int("first_node")?;
        row.skip("count")?;
        let parent: Vec<i32> = row.ints_or("parent", ABSENT)?;
        let columns = Columns { table: Self::TABLE, count: parent.len() };
        Ok(Self {
            first_node,
            symbol_idx: columns.exact(row, "symbol", ABSENT)?,
            cpu: columns.exact(row, "cpu", ABSENT_SMALL)?,
            task_idx: columns.exact(row, "task", ABSENT)?,
            calls: columns.exact(row, "calls", 0)?,
            total_ns: columns.exact(row, "total_ns", 0)?,
            self_ns: columns.exact(row, "self_ns", 0)?,
            min_ns: columns.exact(row, "min_ns", 0)?,
            p50_ns: columns.exact(row, "p50_ns", UNKNOWN_NS)?,
            max_ns: columns.exact(row, "max_ns", 0)?,
            parent,
        })
    }
}

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
pub(super) struct BlockHeader {
    t0: i64,
    count: i32,
}

impl BlockHeader {
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

/// Reads the columns of one block, which must all have the length of its first.
pub(super) struct Columns {
    pub table: &'static Table,
    pub count: usize,
}

impl Columns {
    /// NULL elements come back as `absent`.
    pub fn exact<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        absent: T,
    ) -> Result<Vec<T>, DecodeError> {
        let values = row.ints_or(column, absent)?;
        self.check(column, values.len())?;
        Ok(values)
    }

    /// Like `exact`, but an empty array stands for `default` in every record.
    pub fn or_default<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        default: T,
    ) -> Result<Vec<T>, DecodeError> {
        let values = row.ints_or(column, default)?;
        if values.is_empty() {
            return Ok(vec![default; self.count]);
        }
        self.check(column, values.len())?;
        Ok(values)
    }

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
    fn ids(&self, row: &mut Row<'_>) -> Result<Vec<i32>, DecodeError> {
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

    pub fn check(&self, column: &'static str, length: usize) -> Result<(), DecodeError> {
        if length == self.count { Ok(()) } else { Err(self.error(column, "columns of different lengths")) }
    }

    fn error(&self, column: &'static str, problem: &'static str) -> DecodeError {
        DecodeError { table: self.table.name, column, byte_offset: 0, problem }
    }
}

/// Reads columns that hold each combination once, and answers them with a value for each record.
pub(super) struct Shared {
    table: &'static Table,
    idx: Vec<i16>,
}

impl Shared {
    pub fn exact<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        absent: T,
    ) -> Result<Vec<T>, DecodeError> {
        self.of_records(column, &row.ints_or(column, absent)?)
    }

    /// Like `exact`, but an empty array stands for `default` in every record.
    pub fn or_default<T: Int>(
        &self,
        row: &mut Row<'_>,
        column: &'static str,
        default: T,
    ) -> Result<Vec<T>, DecodeError> {
        let values = row.ints_or(column, default)?;
        if values.is_empty() { Ok(vec![default; self.idx.len()]) } else { self.of_records(column, &values) }
    }

    fn of_records<T: Copy>(&self, column: &'static str, values: &[T]) -> Result<Vec<T>, DecodeError> {
        let value = |idx: &i16| values.get(usize::try_from(*idx).ok()?).copied();
        self.idx.iter().map(value).collect::<Option<Vec<T>>>().ok_or(DecodeError {
            table: self.table.name,
            column,
            byte_offset: 0,
            problem: "a record's combination is not in its block",
        })
    }
}

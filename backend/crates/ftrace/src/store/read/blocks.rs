//! The block tables as column vectors. Columns that may be stored empty come back at full length.

use super::columns::{Columns, Extent, Lengthen};
use crate::model::Flags;
use crate::store::decode::{DecodeError, Row};
use crate::store::tables::{self, Table};

/// Stands in a column for SQL's NULL: a record without task, symbol, CPU or parent. Indices into
/// dictionaries and CPU numbers are never negative, so no value is lost.
pub const ABSENT: i32 = -1;
/// [`ABSENT`] in a `smallint` column.
pub const ABSENT_SMALL: i16 = -1;

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

    /// A row of the table.
    ///
    /// Errors: columns of different lengths or types, or times past the range of 64 bits.
    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        let kind = row.int("kind")?;
        let number = row.int("block")?;
        let header = Extent::read(row)?;
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

    /// A row of the table, with a value for each event.
    ///
    /// Errors: columns of different lengths or types, or times past the range of 64 bits.
    pub fn read(row: &mut Row<'a>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        let number = row.int("block")?;
        let header = Extent::read(row)?;
        let first_seq = row.int("first_seq")?;
        let t_ns = header.times(row, Self::TABLE)?;
        let columns = Columns { table: Self::TABLE, count: t_ns.len() };
        let contexts = columns.shared(row, "context_idx")?;
        let messages = columns.shared(row, "message_idx")?;
        let cpu = contexts.exact(row, "cpu", ABSENT_SMALL)?;
        let task_idx = contexts.exact(row, "task", ABSENT)?;
        let flags = contexts.or_default(row, "flags", 0)?;
        let type_idx = messages.exact(row, "type", ABSENT_SMALL)?;
        let args = messages.of_records("args", row.texts("args")?)?;
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

    /// A row of the table.
    ///
    /// Errors: columns of different lengths or types, or times past the range of 64 bits.
    pub fn read(row: &mut Row<'_>) -> Result<Self, DecodeError> {
        row.skip("trace_key")?;
        row.skip("block")?;
        let t_ns = Extent::read(row)?.times(row, Self::TABLE)?;
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

    /// A row of the table.
    ///
    /// Errors: columns of different lengths or types, or buckets past the range of 64 bits.
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
    /// `None` where the tree was too large to keep it.
    pub p50_ns: Vec<Option<i64>>,
    pub max_ns: Vec<i64>,
}

impl CallTreeBlock {
    pub const TABLE: &'static Table = &tables::CALLTREE_BLOCK;

    /// A row of the table.
    ///
    /// Errors: columns of different lengths or types.
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
            p50_ns: columns.optional(row, "p50_ns")?,
            max_ns: columns.exact(row, "max_ns", 0)?,
            parent,
        })
    }
}

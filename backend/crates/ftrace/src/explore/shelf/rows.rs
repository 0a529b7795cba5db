//! Rows by table, in a scratch file.

use std::collections::{BTreeMap, BTreeSet};

use super::ShelfError;
use super::placed::{Placed, key_of};
use crate::explore::ExploreError;
use crate::explore::protocol::{Filter, Listed, RowId};
use crate::input::Scratch;
use crate::model::{Code, FailureClass, Place, ReadError};
use crate::store::copy::{HEAD, TRAILER};
use crate::store::decode::{CopyStream, DecodeError};
use crate::store::own_rows::{each_own_row, filled};
use crate::store::tables::projections::{EVENT_HEADER, ROLLUP_HEADER, SAMPLE_HEADER, SLICE_HEADER};
use crate::store::tables::{EVENT_BLOCK, ROLLUP_BLOCK, SAMPLE_BLOCK, SLICE_BLOCK, Table, Type};

/// Blocks, and what is asked of them without their records.
static HEADERS: [(&Table, &Table); 4] = [
    (&EVENT_BLOCK, &EVENT_HEADER),
    (&ROLLUP_BLOCK, &ROLLUP_HEADER),
    (&SAMPLE_BLOCK, &SAMPLE_HEADER),
    (&SLICE_BLOCK, &SLICE_HEADER),
];

/// The rows of one trace.
pub struct Rows<S> {
    scratch: S,
    trace_key: i64,
    tables: BTreeMap<&'static str, TableRows>,
}

struct TableRows {
    table: &'static Table,
    /// In the order of their keys, once all are there.
    rows: Vec<Placed>,
}

impl<S: Scratch> Rows<S> {
    pub fn new(scratch: S, trace_key: i64) -> Self {
        Self { scratch, trace_key, tables: BTreeMap::new() }
    }

    pub fn clear(&mut self) {
        self.scratch.clear();
        self.tables.clear();
    }

    /// Takes in a COPY stream of rows of the trace.
    pub fn add(&mut self, table: &str, stream: &[u8]) -> Result<(), super::Unreceived> {
        let table = filled(table)?;
        let header = HEADERS.iter().find(|(blocks, _)| blocks.name == table.name).map(|(_, header)| *header);
        let base = self.scratch.len();
        let headers_base = base.saturating_add(u64::try_from(stream.len()).unwrap_or(u64::MAX));
        let mut header_bytes = Vec::new();
        let (mut rows, mut header_rows) = (Vec::new(), Vec::new());
        each_own_row(self.trace_key, table, stream, |row| {
            let start = header_bytes.len();
            if let Some(header) = header {
                begin_row(header, self.trace_key, &mut header_bytes);
            }
            let projected = header.map_or(&[][..], |header| header.columns);
            let placed = Placed::read(table, projected, row, base, &mut header_bytes)?;
            if header.is_some() {
                let offset = headers_base.saturating_add(u64::try_from(start).unwrap_or(u64::MAX));
                let length = header_bytes.len().saturating_sub(start);
                header_rows.push(Placed { offset, length, ..placed.clone() });
            }
            rows.push(placed);
            Ok(())
        })?;
        self.scratch.append(stream)?;
        self.scratch.append(&header_bytes)?;
        self.of(table).extend(rows);
        if let Some(header) = header {
            self.of(header).extend(header_rows);
        }
        Ok(())
    }

    fn of(&mut self, table: &'static Table) -> &mut Vec<Placed> {
        &mut self.tables.entry(table.name).or_insert_with(|| TableRows { table, rows: Vec::new() }).rows
    }

    /// All rows are there.
    pub fn settle(&mut self) {
        for table in self.tables.values_mut() {
            table.rows.sort_by(|one, other| one.key.cmp(&other.key));
            table.rows.shrink_to_fit();
        }
    }

    /// The rows of a table that all filters hold for, as a complete COPY stream in the order of the primary key; no
    /// bytes where there are none.
    pub fn fetch(&self, table: &str, filters: &[Filter]) -> Result<Vec<u8>, ShelfError> {
        let Some(TableRows { rows, .. }) = self.tables.get(table) else { return Ok(Vec::new()) };
        // Filters are about the columns of blocks, which headers stand for one by one.
        let blocks = HEADERS.iter().find(|(_, header)| header.name == table).map(|(blocks, _)| blocks.name);
        let Some(filtered) = self.tables.get(blocks.unwrap_or(table)) else { return Ok(Vec::new()) };
        let mut chosen: Vec<usize> = (0..filtered.rows.len()).collect();
        for filter in filters {
            match filter {
                Filter::Rows(ids) => {
                    let wanted = filtered.with_ids(ids);
                    chosen.retain(|place| wanted.contains(place));
                }
                Filter::Touches(start_ns, end_ns) => {
                    chosen.retain(|at| filtered.row(*at).is_some_and(|row| row.touches(*start_ns, *end_ns)));
                }
                Filter::Holds(listed, values) => chosen = self.holding(filtered, chosen, *listed, values)?,
                Filter::Name(_) => return Err(ExploreError::bad("name", "names no rows").into()),
            }
        }
        let chosen: Vec<&Placed> = chosen.into_iter().filter_map(|at| rows.get(at)).collect();
        self.stream(&chosen)
    }

    fn holding(
        &self,
        filtered: &TableRows,
        places: Vec<usize>,
        listed: Listed,
        values: &[i32],
    ) -> Result<Vec<usize>, ShelfError> {
        let mut holding = Vec::new();
        for place in places {
            let Some(row) = filtered.row(place) else { continue };
            let stream = self.stream(&[row])?;
            if holds(filtered.table, &stream, listed, values).map_err(ExploreError::from)? {
                holding.push(place);
            }
        }
        Ok(holding)
    }

    fn stream(&self, rows: &[&Placed]) -> Result<Vec<u8>, ShelfError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let length = rows.iter().map(|row| row.length).fold(0, usize::saturating_add);
        let mut stream = Vec::with_capacity(HEAD.len().saturating_add(length).saturating_add(TRAILER.len()));
        stream.extend_from_slice(HEAD);
        let mut rest = rows;
        while let Some((first, after)) = rest.split_first() {
            // Rows that lie one after the other are read at once.
            let (mut end, mut length) = (first.end(), first.length);
            rest = after;
            while let Some((next, after)) = rest.split_first().filter(|(next, _)| next.offset == end) {
                (end, length) = (next.end(), length.saturating_add(next.length));
                rest = after;
            }
            let start = stream.len();
            stream.resize(start.saturating_add(length), 0);
            self.read(first.offset, stream.get_mut(start..).unwrap_or_default())?;
        }
        stream.extend_from_slice(TRAILER);
        Ok(stream)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), ReadError> {
        if self.scratch.read_at(offset, buffer)? == buffer.len() {
            return Ok(());
        }
        let sentence = "The scratch file has lost rows that were written to it.".to_owned();
        Err(ReadError::new(FailureClass::Io, Code::ReadFailed, Place::byte(offset), sentence))
    }
}

impl TableRows {
    fn row(&self, place: usize) -> Option<&Placed> {
        self.rows.get(place)
    }

    /// The places of the rows that have these keys.
    fn with_ids(&self, ids: &[RowId]) -> BTreeSet<usize> {
        let keys = ids.iter().filter_map(|id| key_of(self.table, id));
        keys.filter_map(|key| self.rows.binary_search_by(|row| (*row.key).cmp(key.as_slice())).ok()).collect()
    }
}

/// Whether the row of the stream lists one of the values in the column.
fn holds(table: &'static Table, stream: &[u8], listed: Listed, values: &[i32]) -> Result<bool, DecodeError> {
    let Some(mut row) = CopyStream::open(table, stream)?.next_row()? else { return Ok(false) };
    for column in table.columns {
        match column.column_type {
            Type::Int2Array if column.name == listed.name() => {
                let found = row.ints_or::<i16>(column.name, -1)?;
                return Ok(found.iter().any(|value| values.contains(&i32::from(*value))));
            }
            Type::Int4Array if column.name == listed.name() => {
                let found = row.ints_or::<i32>(column.name, -1)?;
                return Ok(found.iter().any(|value| values.contains(value)));
            }
            _ => row.skip(column.name)?,
        }
    }
    Ok(false)
}

/// The number of fields, and the first of them, which is the trace's key.
fn begin_row(table: &Table, trace_key: i64, bytes: &mut Vec<u8>) {
    let count = i16::try_from(table.columns.len()).unwrap_or(i16::MAX);
    bytes.extend_from_slice(&count.to_be_bytes());
    bytes.extend_from_slice(&8_i32.to_be_bytes());
    bytes.extend_from_slice(&trace_key.to_be_bytes());
}

//! Where a row lies, and what it is found by.

use crate::store::decode::DecodeError;
use crate::store::own_rows::OwnRow;
use crate::store::tables::{Column, Table, Type};

/// A row in the scratch file.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its primary key without the trace's; keys sort as bytes as they do as values.
    pub key: Box<[u8]>,
    pub t0: i64,
    pub t1: i64,
    pub offset: u64,
    pub length: usize,
}

impl Placed {
    /// The offset after the row.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(long(self.length))
    }

    /// True where the row has an instant in `[start_ns, end_ns)`.
    pub fn touches(&self, start_ns: i64, end_ns: i64) -> bool {
        self.t1 >= start_ns && self.t0 < end_ns
    }

    /// A row of the stream that lies at `base`. Its fields of the columns that are `projected`, too, are added to
    /// `fields`, each with its length.
    pub fn read(
        table: &'static Table,
        projected: &[Column],
        row: OwnRow<'_>,
        base: u64,
        fields: &mut Vec<u8>,
    ) -> Result<Self, DecodeError> {
        let OwnRow { place, fields: mut row } = row;
        let mut key = Vec::new();
        let (mut t0, mut t1) = (0, 0);
        for column in table.columns.iter().skip(1) {
            let bytes = row.bytes(column.name)?;
            if bytes.is_some_and(|bytes| width(column.column_type).is_some_and(|width| width != bytes.len()))
            {
                let problem = "another integer type";
                return Err(DecodeError {
                    table: table.name,
                    column: column.name,
                    byte_offset: place.start,
                    problem,
                });
            }
            if table.key.contains(&column.name) {
                append_key_part(column.column_type, bytes.unwrap_or_default(), &mut key);
            }
            match column.name {
                "t0" => t0 = value(bytes),
                "t1" => t1 = value(bytes),
                "t_ns" => (t0, t1) = (value(bytes), value(bytes)),
                _ => {}
            }
            if projected.contains(column) {
                let length = bytes.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap_or(i32::MAX));
                fields.extend_from_slice(&length.to_be_bytes());
                fields.extend_from_slice(bytes.unwrap_or_default());
            }
        }
        let offset = base.saturating_add(long(place.start));
        Ok(Self { key: key.into(), t0, t1, offset, length: place.len() })
    }
}

/// The key of the row with these numbers, as [`Placed`] has it; `None` where the table can hold no such row.
pub fn key_of(table: &Table, id: &[i32]) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    let mut numbers = id.iter();
    for name in table.key.iter().filter(|name| **name != "trace_key") {
        let column = table.columns.iter().find(|column| column.name == *name)?;
        let number = *numbers.next()?;
        match column.column_type {
            Type::Int2 => {
                append_key_part(Type::Int2, &i16::try_from(number).ok()?.to_be_bytes(), &mut key);
            }
            Type::Int4 => append_key_part(Type::Int4, &number.to_be_bytes(), &mut key),
            _ => return None,
        }
    }
    numbers.next().is_none().then_some(key)
}

fn append_key_part(of: Type, bytes: &[u8], key: &mut Vec<u8>) {
    if width(of).is_none() {
        key.extend_from_slice(bytes);
        // No text holds a NUL, so a shorter one comes before what it is the beginning of.
        key.push(0);
        return;
    }
    // With the sign turned, negative numbers come before others.
    let mut bytes = bytes.iter();
    key.extend(bytes.next().map(|first| first ^ 0x80));
    key.extend(bytes);
}

fn width(of: Type) -> Option<usize> {
    match of {
        Type::Int2 => Some(2),
        Type::Int4 => Some(4),
        Type::Int8 => Some(8),
        _ => None,
    }
}

fn value(bytes: Option<&[u8]>) -> i64 {
    bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, i64::from_be_bytes)
}

fn long(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

//! What an import wrote, read back for tests.

use super::decode::Row;
use super::frames::Output;
use super::read::read_rows;
use super::tables::Table;
use crate::model::ReadError;

/// What an import wrote.
#[derive(Default)]
pub struct Written {
    bytes: Vec<u8>,
}

impl Output for Written {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

impl Written {
    /// As it came through the pipe.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Every frame: its tag and its payload.
    pub fn frames(&self) -> Vec<(u8, &[u8])> {
        let mut frames = Vec::new();
        let mut rest = self.bytes.as_slice();
        while let Some((head, after)) = rest.split_first_chunk::<5>() {
            let [tag, length @ ..] = head;
            let (payload, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            frames.push((*tag, payload));
            rest = after;
        }
        assert!(rest.is_empty(), "the output ends inside a frame");
        frames
    }

    /// Every row of a table, through `read`, which finds the trace's key already taken.
    pub fn rows<T>(&self, table: &'static Table, read: impl Fn(&mut Row<'_>) -> T) -> Vec<T> {
        self.streams(table)
            .flat_map(|stream| {
                read_rows(table, stream, |row| {
                    assert_eq!(row.int("trace_key"), Ok(KEY));
                    Ok(read(row))
                })
                .unwrap()
            })
            .collect()
    }

    /// The COPY streams of a table, in order, without those that a restart made void.
    pub fn streams(&self, table: &'static Table) -> impl Iterator<Item = &[u8]> {
        let frames = self.frames();
        let from = frames.iter().rposition(|(tag, _)| *tag == b'R').unwrap_or(0);
        frames.into_iter().skip(from).filter(|(tag, _)| *tag == b'T').filter_map(|(_, payload)| {
            let (length, rest) = payload.split_first().unwrap();
            let (name, stream) = rest.split_at(usize::from(*length));
            (name == table.name.as_bytes()).then_some(stream)
        })
    }

    /// All rows of a table as one stream.
    pub fn whole(&self, table: &'static Table) -> Vec<u8> {
        const HEADER: usize = 19;
        const TRAILER: usize = 2;
        let mut whole = Vec::new();
        for stream in self.streams(table) {
            let from = if whole.is_empty() { 0 } else { HEADER };
            whole.extend_from_slice(&stream[from..stream.len() - TRAILER]);
        }
        if !whole.is_empty() {
            whole.extend_from_slice(&[0xff, 0xff]);
        }
        whole
    }
}

/// The key of every imported trace.
pub const KEY: i64 = 7;

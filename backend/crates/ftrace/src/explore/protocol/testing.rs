//! Drives questions from a dictionary of streams, as the service does from its database.

use std::collections::BTreeMap;

use super::{Answer, Answering, Desk, Filter, Need, Part, Question, Stored};
use crate::store::copy::CopyEncoder;
use crate::store::read::read_rows;
use crate::store::tables::projections::{EVENT_HEADER, ROLLUP_HEADER, SAMPLE_HEADER, SLICE_HEADER};
use crate::store::tables::{self, Table};
use crate::store::testing::Written;

const COPY_HEADER_BYTES: usize = 19;

/// The stored tables of one trace.
#[derive(Default)]
pub struct Shelf {
    streams: BTreeMap<&'static str, Vec<u8>>,
    pub isolated: String,
}

impl Shelf {
    /// Of a recording as it was written.
    pub fn of(written: &Written) -> Self {
        let streams = tables::ALL.iter().map(|table| (table.name, written.whole(table)));
        Self { streams: streams.collect(), isolated: String::new() }
    }

    /// The same with the rows of one more table.
    pub fn with(mut self, table: &'static Table, stream: Vec<u8>) -> Self {
        self.streams.insert(table.name, stream);
        self
    }

    pub fn stream(&self, table: &'static Table) -> &[u8] {
        self.streams.get(table.name).map(Vec::as_slice).unwrap_or_default()
    }

    fn fetch(&self, need: &Need, facts: &str) -> Part {
        match need.table {
            "trace" | "recording" => Part::new(facts.as_bytes().to_vec()),
            "isolation" => Part::new(self.isolated.clone()),
            "slice_header" => Part::new(self.headers(&tables::SLICE_BLOCK, &SLICE_HEADER, need)),
            "sample_header" => Part::new(self.headers(&tables::SAMPLE_BLOCK, &SAMPLE_HEADER, need)),
            "event_header" => Part::new(self.headers(&tables::EVENT_BLOCK, &EVENT_HEADER, need)),
            "rollup_header" => Part::new(self.headers(&tables::ROLLUP_BLOCK, &ROLLUP_HEADER, need)),
            table => {
                let stream = self.streams.get(table).map(Vec::as_slice).unwrap_or_default();
                Part::new(filtered(stream, &need.filters))
            }
        }
    }

    /// What the headers of blocks are, unless a test sets them.
    fn headers(&self, blocks: &'static Table, headers: &'static Table, need: &Need) -> Vec<u8> {
        if let Some(set) = self.streams.get(headers.name) {
            return set.clone();
        }
        let mut encoder = CopyEncoder::new(headers);
        read_rows(blocks, &filtered(self.stream(blocks), &need.filters), |row| {
            encoder.begin_row();
            for column in headers.columns {
                match column.column_type {
                    tables::Type::Int2 => _ = encoder.int(row.int::<i16>(column.name)?),
                    tables::Type::Int4 => _ = encoder.int(row.int::<i32>(column.name)?),
                    _ => _ = encoder.int(row.int::<i64>(column.name)?),
                }
            }
            Ok(())
        })
        .unwrap();
        encoder.take().unwrap_or_default()
    }
}

/// The answer to a question about the trace on the shelf. `trace` in the request is what is known of that.
pub fn ask(name: &str, request: &str, shelf: &Shelf) -> Answer {
    let (request, facts) = split(request);
    drive(Question::new(name, &request)?, &facts, shelf, |_| ())
}

/// The same for a question that has no name, with a look at everything that is needed on the way.
pub fn ask_with(
    request: &str,
    shelf: &Shelf,
    question: impl FnOnce(Stored) -> Answering,
    see: impl FnMut(&Need),
) -> Answer {
    let (request, facts) = split(request);
    let desk = Desk::default();
    let work = question(Stored::new(desk.clone(), &request)?);
    drive(Question { work, desk }, &facts, shelf, see)
}

/// The parameters with the id of a trace, and the facts of the trace.
fn split(request: &str) -> (String, String) {
    let mut request: serde_json::Value = serde_json::from_str(request).unwrap();
    let facts = request.as_object_mut().unwrap().insert("trace".to_owned(), "x".into());
    (request.to_string(), facts.map_or_else(|| "{}".to_owned(), |facts| facts.to_string()))
}

fn drive(mut question: Question, facts: &str, shelf: &Shelf, mut see: impl FnMut(&Need)) -> Answer {
    let mut parts = Vec::new();
    let mut written = Vec::new();
    loop {
        let turn = question.go_on(parts, false)?;
        written.extend(turn.written.iter());
        if let Some(answer) = turn.answer {
            return Ok([written, answer].concat());
        }
        let is_at_work = !turn.needs.is_empty() || !turn.written.is_empty();
        assert!(is_at_work, "a question that needs nothing has an answer");
        turn.needs.iter().for_each(&mut see);
        parts = turn.needs.iter().map(|need| shelf.fetch(need, facts)).collect();
    }
}

/// The rows with the wanted keys; what else filters say is left to the question.
fn filtered(stream: &[u8], filters: &[Filter]) -> Vec<u8> {
    if stream.is_empty() {
        return Vec::new();
    }
    let is_wanted = |row: &&[u8]| filters.iter().all(|filter| is_held(row, filter));
    let rows: Vec<&[u8]> = rows(stream).into_iter().filter(is_wanted).collect();
    [&stream[..COPY_HEADER_BYTES], &rows.concat(), &[0xff, 0xff]].concat()
}

fn is_held(row: &[u8], filter: &Filter) -> bool {
    let number = |at| i64::from_be_bytes(std::array::from_fn(|byte| padded(field(row, at), byte)));
    match filter {
        Filter::Rows(rows) => rows.iter().any(|id| {
            // The first column is the trace's key.
            (1..).zip(id).all(|(column, value)| number(column) == i64::from(*value))
        }),
        Filter::Touches(..) | Filter::Holds(..) => true,
        Filter::Name(_) => false,
    }
}

/// A byte of a number as if it had eight of them.
fn padded(number: &[u8], byte: usize) -> u8 {
    byte.checked_sub(8 - number.len()).map_or(0, |at| number[at])
}

/// The rows of a stream: the number of fields, and of each its length and its bytes.
fn rows(stream: &[u8]) -> Vec<&[u8]> {
    let mut rest = &stream[COPY_HEADER_BYTES..];
    let mut rows = Vec::new();
    while rest.len() > 2 {
        let count = u16::from_be_bytes([rest[0], rest[1]]);
        let length = (0..count).fold(2, |at, _| at + 4 + length_at(rest, at));
        let (row, after) = rest.split_at(length);
        rows.push(row);
        rest = after;
    }
    rows
}

fn field(row: &[u8], number: usize) -> &[u8] {
    let at = (0..number).fold(2, |at, _| at + 4 + length_at(row, at));
    &row[at + 4..at + 4 + length_at(row, at)]
}

fn length_at(row: &[u8], at: usize) -> usize {
    let length = i32::from_be_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
    usize::try_from(length).unwrap_or(0)
}

//! A small recording, and requests about it.

use super::field_series::field_series;
use super::samples::SampleBlocks;
use super::scan::{LatencyScan, Purpose, ScanTables};
use crate::explore::ExploreError;
use crate::import::testing::Written;
use crate::store::tables::{self, Table};

/// Three wakeups of two tasks; the longest migrates.
pub const LINES: &str = "
    <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
    <idle>-0 [1] 1.000050: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
    rt-9     [1] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
    <idle>-0 [1] 1.000100: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
    <idle>-0 [1] 1.000110: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
    <idle>-0 [0] 1.000200: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
    <idle>-0 [0] 1.000230: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
    ";

/// The stream of a table that is written in one piece.
pub fn whole<'a>(written: &'a Written, table: &'static Table) -> &'a [u8] {
    written.streams(table).next().unwrap_or_default()
}

/// A request with these parameters, of a trace that begins at one second.
pub fn request(parameters: &str) -> String {
    let comma = if parameters.is_empty() { "" } else { "," };
    format!(
        r#"{{{parameters}{comma}"trace":{{"origin_ns":"1000000000","duration_ns":5000000,"url":"http://h/t/x"}}}}"#
    )
}

pub fn scan_tables(written: &Written) -> ScanTables {
    let whole = |table| whole(written, table).to_vec();
    ScanTables {
        task: whole(&tables::TASK),
        symbol: whole(&tables::SYMBOL),
        explained: r#"{"wakeup-7@1000200000":"sh was late"}"#.to_owned(),
        latency_kind: whole(&tables::LATENCY_KIND),
        latency_incomplete: whole(&tables::LATENCY_INCOMPLETE),
        event_type: whole(&tables::EVENT_TYPE),
    }
}

/// The answer from all blocks of a recording.
pub fn scanned(purpose: Purpose, request: &str, written: &Written) -> Result<Vec<u8>, ExploreError> {
    let streams = |table| written.streams(table).collect::<Vec<_>>();
    let samples = streams(&tables::SAMPLE_BLOCK);
    let (slices, events) = (streams(&tables::SLICE_BLOCK), streams(&tables::EVENT_BLOCK));
    let (request, series) = with_series(request, written)?;
    let headers = match series["is_stored"] {
        serde_json::Value::Bool(false) => event_headers(written),
        _ => headers(written),
    };
    let mut scan = LatencyScan::new(purpose, &request, &headers, scan_tables(written).into())?;
    while let Some(pass) = scan.next_pass()? {
        let steps: Vec<serde_json::Value> = serde_json::from_str(&pass).unwrap();
        for step in &steps {
            let sample_block = chosen(&samples, &step["samples"]);
            let slice_block = chosen(&slices, &step["slices"]);
            let event_block = chosen(&events, &step["events"]);
            let blocks = SampleBlocks {
                sample_block: &sample_block,
                slice_block: &slice_block,
                event_block: &event_block,
            };
            if scan.add(blocks)? {
                break;
            }
        }
    }
    scan.answer()
}

/// The request with the field of events that it is about, and that field.
pub fn with_series(request: &str, written: &Written) -> Result<(String, serde_json::Value), ExploreError> {
    let (types, fields) = (whole(written, &tables::EVENT_TYPE), whole(written, &tables::EVENT_FIELD));
    let series: serde_json::Value = serde_json::from_slice(&field_series(request, types, fields)?).unwrap();
    let mut asked: serde_json::Value = serde_json::from_str(request).unwrap();
    if !series.is_null() {
        asked["series"] = series.clone();
    }
    Ok((asked.to_string(), series))
}

fn event_headers(written: &Written) -> String {
    let rows = written.rows(&tables::EVENT_BLOCK, |row| {
        let block = row.int::<i32>("block").unwrap();
        let times = (row.int::<i64>("t0").unwrap(), row.int::<i64>("t1").unwrap());
        serde_json::json!([block, times.0, times.1, row.int::<i32>("count").unwrap()])
    });
    serde_json::json!({ "events": rows }).to_string()
}

/// JSON of the headers of all blocks.
fn headers(written: &Written) -> String {
    let of = |table: &'static Table| {
        let rows = written.rows(table, |row| {
            let id = (row.int::<i16>("kind").unwrap(), row.int::<i32>("block").unwrap());
            let times = (row.int::<i64>("t0").unwrap(), row.int::<i64>("t1").unwrap());
            let (count, max_ns) = (row.int::<i32>("count").unwrap(), row.int::<i64>("max_ns").unwrap());
            serde_json::json!([id.0, id.1, times.0, times.1, count, max_ns])
        });
        serde_json::Value::Array(rows)
    };
    serde_json::json!({"samples": of(&tables::SAMPLE_BLOCK), "slices": of(&tables::SLICE_BLOCK)}).to_string()
}

/// One stream of the blocks with these kinds and numbers; of events, with these numbers.
fn chosen(streams: &[&[u8]], ids: &serde_json::Value) -> Vec<u8> {
    let Some(first) = streams.first() else { return Vec::new() };
    let (header, _) = first.split_at(COPY_HEADER_BYTES);
    let rows = streams.iter().flat_map(|stream| rows(stream)).filter(|row| {
        let id = |at: usize| i64::from_be_bytes(std::array::from_fn(|byte| padded(field(row, at), byte)));
        ids.as_array().unwrap().iter().any(|wanted| match wanted.is_array() {
            true => *wanted == serde_json::json!([id(1), id(2)]),
            false => *wanted == id(1),
        })
    });
    [header, &rows.collect::<Vec<_>>().concat(), &[0xff, 0xff]].concat()
}

const COPY_HEADER_BYTES: usize = 19;

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

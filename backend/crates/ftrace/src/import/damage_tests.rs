//! What becomes of a compressed recording that is damaged.

use std::io::Write;

use expect_test::{Expect, expect};

use super::run::{Extent, ImportRequest, import};
use crate::model::Limits;
use crate::store::read::blocks::EventBlock;
use crate::store::read::read_rows;
use crate::store::tables::{DIAGNOSTIC_LINE, EVENT_BLOCK, LOSS};
use crate::store::testing::{KEY, Written};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Prints the events, losses, problems and the account of the file, or why it is refused.
fn check(file: Vec<u8>, expected: Expect) {
    let limits = Limits::default();
    let request = ImportRequest {
        file: &file,
        scratch: &mut Vec::new(),
        limits: &limits,
        trace_key: KEY,
        extent: Extent::Whole,
    };
    let mut written = Written::default();
    import(request, &mut written).unwrap();
    let (tag, last) = *written.frames().last().unwrap();
    let last: serde_json::Value = serde_json::from_slice(last).unwrap();
    let mut lines = String::new();
    if tag == b'E' {
        expected.assert_eq(&format!("refused: {} at {}\n", last["code"], last["place"]["byte_offset"]));
        return;
    }
    for stream in written.streams(&EVENT_BLOCK) {
        for block in read_rows(&EVENT_BLOCK, stream, EventBlock::read).unwrap() {
            for (t_ns, args) in block.t_ns.iter().zip(&block.args) {
                lines += &format!("event {t_ns}: {args}\n");
            }
        }
    }
    for loss in written.rows(&LOSS, |row| {
        row.int::<i32>("idx").unwrap();
        (
            row.optional_int::<i16>("cpu").unwrap(),
            row.int::<i64>("start_ns").unwrap(),
            row.int::<i64>("end_ns").unwrap(),
        )
    }) {
        lines += &format!("lost on {:?} from {} to {}\n", loss.0, loss.1, loss.2);
    }
    for problem in written.rows(&DIAGNOSTIC_LINE, |row| {
        row.int::<i32>("idx").unwrap();
        let code = row.text("code").unwrap().to_owned();
        let (line, byte) = (row.optional_int::<i64>("line").unwrap(), row.int::<i64>("byte_offset").unwrap());
        format!("{code} line {line:?} byte {byte}: {}\n", row.text("sample").unwrap())
    }) {
        lines += &problem;
    }
    assert_eq!(
        last["expanded_bytes"].as_u64().unwrap(),
        last["used_bytes"].as_u64().unwrap() + last["skipped_bytes"].as_u64().unwrap()
    );
    lines += &format!("used {}, skipped {}\n", last["used_bytes"], last["skipped_bytes"]);
    expected.assert_eq(&lines);
}

const ONE: &str = " a-1 [000] 5.000001: x: n=1\n a-1 [000] 5.000002: x: n=2\n a-1 [0";
const TWO: &str = "00] 5.000003: x: n=3\n a-1 [001] 5.000004: x: n=4\n a-1 [0";
const THREE: &str = "01] 5.000005: x: n=5\n a-1 [000] 5.000006: x: n=6\n a-1 [001] 5.000007: x: n=7\n";

#[test]
fn a_damaged_member_costs_its_lines() {
    let members = [ONE, TWO, THREE].map(|text| gzip(text.as_bytes()));
    let mut file = members.concat();
    file[members[0].len() + members[1].len() - 8] ^= 1;
    check(
        file,
        expect![[r#"
            event 0: n=1
            event 1000: n=2
            event 5000: n=6
            event 6000: n=7
            lost on Some(0) from 1000 to 5000
            checksum_mismatch line None byte 54: 55 bytes were skipped
            used 112, skipped 83
        "#]],
    );
}

#[test]
fn a_cut_keeps_the_whole_lines_before_it() {
    let members = [ONE, TWO, THREE].map(|text| gzip(text.as_bytes()));
    let file = members.concat();
    check(
        file[..file.len() - 30].to_vec(),
        expect![[r#"
            event 0: n=1
            event 1000: n=2
            event 2000: n=3
            event 3000: n=4
            event 4000: n=5
            lost on Some(0) from 2000 to 2000
            lost on Some(1) from 4000 to 4000
            lost on Some(0) from 2000 to 4000
            lost on Some(1) from 4000 to 4000
            compressed_truncated line None byte 141: 
            truncated_last_line line Some(6) byte 140:  a-
            used 140, skipped 3
        "#]],
    );
}

#[test]
fn a_member_with_the_only_lines_is_refused_by_name() {
    let mut file = gzip(ONE.as_bytes());
    let trailer = file.len() - 8;
    file[trailer] ^= 1;
    check(
        file,
        expect![[r#"
        refused: "checksum_mismatch" at 46
    "#]],
    );
    let file = gzip(b"# tracer: nop\n");
    check(
        file[..file.len() - 2].to_vec(),
        expect![[r#"
        refused: "compressed_truncated" at 32
    "#]],
    );
}

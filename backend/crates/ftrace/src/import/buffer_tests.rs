//! What becomes of the records of several trace instances.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::Importer;
use super::testing::{feed_lines, import_with};
use crate::model::{CallRecord, Flags, GraphPoint, Limits, Place, Sink, Timestamp};
use crate::store::read::blocks::{EventBlock, SliceBlock};
use crate::store::read::dictionaries::read_losses;
use crate::store::read::read_rows;
use crate::store::tables::{EVENT_BLOCK, LOSS, SLICE_BLOCK};
use crate::store::testing::Written;

/// The buffers, the events with the number of theirs, the slices and the losses.
fn check(feed: impl FnOnce(&mut Importer<'_>), expected: Expect) {
    let (written, summary) = import_with(&Limits::default(), feed);
    let mut text = String::new();
    for buffer in &summary.buffers {
        let name = buffer.name.as_deref().unwrap_or("top");
        writeln!(text, "{name}: {} events", buffer.event_count).unwrap();
    }
    tell_blocks(&written, &mut text);
    expected.assert_eq(&text);
}

fn tell_blocks(written: &Written, text: &mut String) {
    let events = written.whole(&EVENT_BLOCK);
    for block in read_rows(&EVENT_BLOCK, &events, EventBlock::read).unwrap_or_default() {
        for (row, t_ns) in block.t_ns.iter().enumerate() {
            let repeated = if block.is_repeated(row) { " again" } else { "" };
            writeln!(text, "{t_ns} [{}] in {}{repeated}", block.cpu[row], block.buffer[row]).unwrap();
        }
    }
    let slices = written.whole(&SLICE_BLOCK);
    for block in read_rows(&SLICE_BLOCK, &slices, SliceBlock::read).unwrap_or_default() {
        for (start_ns, duration_ns) in block.start_ns.iter().zip(&block.duration_ns) {
            writeln!(text, "slice of kind {} from {start_ns} for {duration_ns}", block.kind).unwrap();
        }
    }
    for loss in read_losses(&written.whole(&LOSS)).unwrap_or_default() {
        writeln!(text, "lost on {:?} from {} to {}", loss.cpu, loss.start_ns, loss.end_ns).unwrap();
    }
}

#[test]
fn what_two_buffers_recorded_is_analysed_once() {
    let lines = "
        <idle>-0 [0] 1.000000: irq_handler_entry: irq=9 name=a
        rt: <idle>-0 [0] 1.000001: irq_handler_entry: irq=9 name=a
        <idle>-0 [0] 1.000005: irq_handler_exit: irq=9 ret=handled
        rt: <idle>-0 [0] 1.000006: irq_handler_exit: irq=9 ret=handled
        rt: <idle>-0 [0] 1.000020: irq_handler_entry: irq=9 name=a
        rt: <idle>-0 [0] 1.000022: irq_handler_exit: irq=9 ret=handled
    ";
    check(
        |importer| {
            importer.buffer(b"rt").unwrap();
            importer.buffer(b"empty").unwrap();
            feed_lines(lines, importer);
        },
        expect![[r#"
            top: 2 events
            rt: 4 events
            empty: 0 events
            0 [0] in 0
            1000 [0] in 1 again
            5000 [0] in 0
            6000 [0] in 1 again
            20000 [0] in 1
            22000 [0] in 1
            slice of kind 2 from 0 for 5000
            slice of kind 2 from 20000 for 2000
        "#]],
    );
}

#[test]
fn a_trace_of_the_top_buffer_lists_none() {
    check(
        |importer| feed_lines("a-1 [0] 1.000000: x: y=1\na-1 [0] 1.000000: x: y=1", importer),
        expect![[r#"
            0 [0] in 0
            0 [0] in 0
        "#]],
    );
}

#[test]
fn a_loss_lies_between_records_of_its_own_buffer() {
    let lines = "
        a-1 [0] 1.000000: x: y=1
        rt: a-1 [0] 1.000010: x: y=2
        a-1 [0] 1.000020: x: y=3
        rt: LOST [0] 5
        rt: a-1 [0] 1.000030: x: y=4
    ";
    check(
        |importer| feed_lines(lines, importer),
        expect![[r#"
            top: 2 events
            rt: 2 events
            0 [0] in 0
            10000 [0] in 1
            20000 [0] in 0
            30000 [0] in 1
            lost on Some(0) from 10000 to 30000
        "#]],
    );
}

#[test]
fn instances_past_the_limit_are_counted_together() {
    let lines: Vec<_> = (0..200).map(|idx| format!("i{idx}: a-1 [0] 1.000000: x: y={idx}")).collect();
    let (_, summary) = import_with(&Limits::default(), |importer| feed_lines(&lines.join("\n"), importer));
    let last = summary.buffers.last().unwrap();
    assert_eq!((summary.buffers.len(), last.event_count), (128, 74));
    assert_eq!(last.name.as_deref(), Some("(other instances)"));
}

#[test]
fn one_call_graph_is_read() {
    let graph = |importer: &mut Importer<'_>| {
        for (buffer, t_ns, is_entry) in
            [("", 0, true), ("rt", 1, true), ("", 10, false), ("rt", 11, false), ("rt", 20, true)]
        {
            let at = GraphPoint {
                ts: Some(Timestamp(t_ns)),
                cpu: Some(0),
                buffer: buffer.as_bytes(),
                task: None,
                flags: Flags::default(),
                depth: Some(0),
                place: Place::default(),
            };
            let call = if is_entry {
                CallRecord::Enter { at, symbol: b"f", args: b"" }
            } else {
                CallRecord::Exit { at, symbol: Some(b"f"), duration_ns: None, retval: b"" }
            };
            importer.call(&call).unwrap();
        }
    };
    check(
        graph,
        expect![[r#"
            top: 0 events
            rt: 0 events
            slice of kind 5 from 0 for 10
        "#]],
    );
}

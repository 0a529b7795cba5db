//! Recordings on a shelf answer as stored ones do, and take nothing that no sound parser writes.

use proptest::prelude::*;
use serde_json::json;

use super::{Received, Shelves};
use crate::explore::protocol::{Filter, Listed, Shelf as Stored, ask};
use crate::import::{Extent, ImportRequest, import};
use crate::model::Limits;
use crate::store::read::read_rows;
use crate::store::tables::{self, EVENT_BLOCK, SAMPLE_BLOCK, SLICE_BLOCK, SYMBOL};
use crate::store::testing::{KEY, Written};

const QUESTIONS: [(&str, &str); 9] = [
    ("latency_kinds", "{}"),
    ("latencies", r#"{"kind":"wakeup","limit":5}"#),
    ("latencies", r#"{"kind":"wakeup","comm":"rt","sort":"t","limit":5}"#),
    ("latency_check", r#"{"kind":"wakeup","stat":"p99","op":"<=","value":"50us","comm":"rt"}"#),
    ("latency_stats", r#"{"kind":"wakeup","group_by":"cpu"}"#),
    ("latency_tasks", r#"{"kind":"wakeup"}"#),
    ("latency_check", r#"{"kind":"wakeup","stat":"max","op":"<=","value":"50us"}"#),
    ("events", r#"{"q":"event:sched_switch cpu:1","limit":7}"#),
    ("timeline", r#"{"start":0,"end":400000,"width":600}"#),
];

/// `rounds` times three wakeups of two tasks on two CPUs.
fn text(rounds: u32) -> String {
    let mut text = String::from("# tracer: nop\n#\n");
    for round in 0..rounds {
        let mut line = |task: &str, cpu: u32, us: u32, event: &str| {
            let (pid, seconds, us) = (if task == "rt" { 9 } else { 0 }, us / 1_000_000, us % 1_000_000);
            text += &format!("{task:>16}-{pid} [00{cpu}] d..2. {seconds}.{us:06}: {event}\n");
        };
        let at = round * 100;
        line("<idle>", 0, at, "sched_waking: comm=rt pid=9 prio=89 target_cpu=001");
        let to_rt = "prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89";
        line("<idle>", 1, at + 20 + round % 7, &format!("sched_switch: {to_rt}"));
        let back = "prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120";
        line("rt", 1, at + 60, &format!("sched_switch: {back}"));
    }
    text
}

fn written(text: &str, extent: Extent) -> Written {
    let (limits, file) = (Limits::default(), text.as_bytes().to_vec());
    let mut written = Written::default();
    let request =
        ImportRequest { file: &file, scratch: &mut Vec::new(), limits: &limits, trace_key: KEY, extent };
    import(request, &mut written).unwrap();
    written
}

fn received(frames: &[u8]) -> Result<(Shelves<Vec<u8>>, Received), String> {
    let mut shelves = Shelves::default();
    let received = shelves.receive(("x", "x.txt"), KEY, Vec::new(), &mut &*frames);
    received.map(|received| (shelves, received)).map_err(|error| error.to_string())
}

fn answers(shelves: &mut Shelves<Vec<u8>>) -> Vec<serde_json::Value> {
    let request = |parameters: &str| {
        let mut request: serde_json::Value = serde_json::from_str(parameters).unwrap();
        request["trace"] = json!("x");
        request.to_string()
    };
    QUESTIONS
        .iter()
        .map(|(question, parameters)| {
            serde_json::from_slice(&shelves.ask(question, &request(parameters)).unwrap()).unwrap()
        })
        .collect()
}

#[test]
fn a_shelf_answers_as_the_store_does() {
    let written = written(&text(300), Extent::Whole);
    let (mut shelves, received) = received(written.bytes()).unwrap();
    let Received::Whole(known) = received else { panic!("{received:?}") };
    let facts: serde_json::Value = serde_json::from_slice(&known.trace_facts()).unwrap();
    for ((question, parameters), answer) in QUESTIONS.iter().zip(answers(&mut shelves)) {
        let mut request: serde_json::Value = serde_json::from_str(parameters).unwrap();
        request["trace"] = facts.clone();
        let stored = ask(question, &request.to_string(), &Stored::of(&written)).unwrap();
        let stored: serde_json::Value = serde_json::from_slice(&stored).unwrap();
        assert_eq!(answer, stored, "{question}");
    }
}

#[test]
fn cases_need_nothing_that_is_summed_up_for_pages() {
    let [whole, cases] = [Extent::Whole, Extent::Cases].map(|extent| written(&text(300), extent));
    assert!(cases.bytes().len() < whole.bytes().len());
    let [whole, cases] = [whole, cases].map(|written| answers(&mut received(written.bytes()).unwrap().0));
    assert_eq!(whole, cases);
}

#[test]
fn what_is_not_whole_is_not_there() {
    let written = written(&text(3), Extent::Cases);
    let frames = written.bytes();
    for end in 0..frames.len() {
        match received(&frames[..end]) {
            Ok((mut shelves, received)) => {
                assert_eq!(received, Received::Nothing, "cut at {end}");
                assert!(shelves.ask("latency_kinds", r#"{"trace":"x"}"#).is_err());
            }
            Err(error) => assert_eq!(error, "the pipe ended inside a frame", "cut at {end}"),
        }
    }
}

#[test]
fn rows_of_another_trace_are_refused() {
    let mut frames = written(&text(3), Extent::Cases).bytes().to_vec();
    let key = [&8_i32.to_be_bytes()[..], &KEY.to_be_bytes()].concat();
    let at = frames.windows(key.len()).position(|window| window == key).unwrap();
    frames[at + key.len() - 1] = 9;
    let refusal = received(&frames).map(|_| ()).unwrap_err();
    assert!(refusal.ends_with("belongs to trace 9, not to trace 7"), "{refusal}");
}

#[test]
fn nothing_comes_after_the_last_frame() {
    let written = written(&text(3), Extent::Cases);
    let twice = [written.bytes(), written.bytes()].concat();
    assert_eq!(received(&twice).map(|_| ()), Err("a frame after the last".to_owned()));
}

#[test]
fn what_was_read_before_a_restart_is_void() {
    let written = written(&text(3), Extent::Cases);
    let frames = written.frames();
    let summary = frames.last().unwrap().1.len() + 5;
    let rows = &written.bytes()[..written.bytes().len() - summary];
    let again = [rows, &[b'R', 0, 0, 0, 0], written.bytes()].concat();
    let [mut once, mut again] = [written.bytes(), &again].map(|frames| received(frames).unwrap().0);
    assert_eq!(answers(&mut once), answers(&mut again));
}

#[test]
fn filters_choose_what_a_look_at_every_row_would() {
    let written = written(&text(20_000), Extent::Whole);
    let (shelves, _) = received(written.bytes()).unwrap();
    let rows = &shelves.0["x"].rows;
    let spans = |stream: &[u8]| {
        read_rows(&EVENT_BLOCK, stream, |row| {
            row.skip("trace_key")?;
            Ok((row.int::<i32>("block")?, row.int::<i64>("t0")?, row.int::<i64>("t1")?))
        })
        .unwrap()
    };
    let all = spans(&rows.fetch("event_block", &[]).unwrap());
    assert!(all.len() > 5);
    assert!(all.is_sorted());
    for (block, t0, t1) in &all {
        let of_block = rows.fetch("event_block", &[Filter::Rows(vec![vec![*block], vec![9_999]])]).unwrap();
        assert_eq!(spans(&of_block), [(*block, *t0, *t1)]);
        let touching = spans(&rows.fetch("event_block", &[Filter::Touches(*t0, *t1)]).unwrap());
        let expected: Vec<_> =
            all.iter().filter(|(_, start, end)| end >= t0 && start < t1).copied().collect();
        assert_eq!(touching, expected);
    }
    let holding = |cpus: &[i32]| {
        spans(&rows.fetch("event_block", &[Filter::Holds(Listed::Cpu, cpus.to_vec())]).unwrap()).len()
    };
    // Of headers, the columns of their blocks are meant.
    let headers = |filter| rows.fetch("event_header", &[filter]).unwrap().len();
    assert!(headers(Filter::Holds(Listed::Cpu, vec![1])) > 50 * all.len());
    assert_eq!(headers(Filter::Holds(Listed::Cpu, vec![5])), 0);
    assert_eq!((holding(&[1]), holding(&[5, 1]), holding(&[5])), (all.len(), all.len(), 0));
    let none = [Filter::Rows(vec![vec![1, 2, 3], vec![i32::MAX], vec![]])];
    assert!(rows.fetch("event_block", &none).unwrap().is_empty());
    assert!(rows.fetch("event_block", &[Filter::Name("x".to_owned())]).is_err());
}

#[test]
fn every_table_comes_back_as_it_was_written() {
    let written = written(&text(20_000), Extent::Whole);
    let (shelves, _) = received(written.bytes()).unwrap();
    for table in [&EVENT_BLOCK, &SLICE_BLOCK, &SAMPLE_BLOCK, &SYMBOL, &tables::TASK] {
        let stored = shelves.0["x"].rows.fetch(table.name, &[]).unwrap();
        let mut expected = written.whole(table);
        // Frames come as they are full, rows in the order of their keys.
        assert_eq!(stored.len(), expected.len(), "{}", table.name);
        let sorted = |bytes: &mut Vec<u8>| bytes.sort_unstable();
        let mut stored = stored;
        sorted(&mut stored);
        sorted(&mut expected);
        assert!(stored == expected, "{}", table.name);
    }
}

proptest! {
    #[test]
    fn damaged_frames_are_refused_and_nothing_else_happens(
        changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..8),
    ) {
        let mut frames = written(&text(4), Extent::Cases).bytes().to_vec();
        for (at, value) in changes {
            let at = at % frames.len();
            frames[at] = value;
        }
        if let Ok((shelves, Received::Whole(_))) = received(&frames) {
            let rows = &shelves.0["x"].rows;
            for table in tables::ALL {
                let _ = rows.fetch(table.name, &[Filter::Touches(0, 9), Filter::Holds(Listed::Task, vec![1])]);
                rows.fetch(table.name, &[]).unwrap();
            }
        }
    }
}

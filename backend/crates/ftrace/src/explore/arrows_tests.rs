//! Answers about arrows, of recordings that are imported for it.

use proptest::prelude::*;
use serde_json::Value;

use super::protocol::{Shelf, ask};
use crate::import::testing::import_lines;

const TEXT: &str = "
sh-7     [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
sh-7     [0] 1.000020: softirq_raise: vec=1 [action=TIMER]
<idle>-0 [1] 1.000035: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
ks-4     [0] 1.000090: softirq_entry: vec=1 [action=TIMER]
";

fn answer(shelf: &Shelf, request: &str) -> Result<Value, String> {
    let request = format!(r#"{{"trace":{{"duration_ns":80000}}{request}}}"#);
    let json = ask("arrows", &request, shelf).map_err(|error| error.to_string())?;
    Ok(serde_json::from_slice(&json).unwrap())
}

/// `kind from->to`, and what is hidden.
fn check(request: &str, expected: &str) {
    let shelf = Shelf::of(&import_lines(TEXT).0);
    let found = answer(&shelf, request).map(|answer| {
        let text = |column: &str, at: usize| answer[column][at].to_string().replace('"', "");
        let count = answer["kind"].as_array().unwrap().len();
        let arrow = |at| {
            let (kind, from, to) = (text("kind", at), text("from_event", at), text("to_event", at));
            format!("{kind} {from} {} -> {to} {}", text("from_pid", at), text("to_pid", at))
        };
        let hidden = answer["hidden"].as_object().unwrap().iter().filter(|(_, count)| **count != 0);
        let hidden = hidden.map(|(kind, count)| format!("hidden {count} {kind}"));
        (0..count).map(arrow).chain(hidden).collect::<Vec<_>>().join("; ")
    });
    assert_eq!(found.unwrap_or_else(|error| error), expected, "{request}");
}

#[test]
fn arrows_with_an_end_in_the_window_are_shown() {
    let (wakeup, softirq) = ("wakeup cpu0@0 7 -> cpu1@25000 9", "softirq cpu0@10000 7 -> cpu0@80000 4");
    check("", &format!("{wakeup}; {softirq}"));
    check(r#","start":0,"end":10"#, wakeup);
    check(r#","start":25000,"end":25001"#, wakeup);
    check(r#","start":26000,"end":79000"#, "");
    check(r#","start":26000,"end":80001"#, softirq);
}

#[test]
fn tasks_cpus_and_kinds_are_of_either_end() {
    let (wakeup, softirq) = ("wakeup cpu0@0 7 -> cpu1@25000 9", "softirq cpu0@10000 7 -> cpu0@80000 4");
    check(r#","pid":9"#, wakeup);
    check(r#","pid":"7""#, &format!("{wakeup}; {softirq}"));
    check(r#","pid":"99""#, "");
    check(r#","cpu":1"#, wakeup);
    check(r#","kinds":"softirq,timer""#, softirq);
    check(
        r#","kinds":"lock""#,
        "kinds: \"lock\" is no kind of arrow; expected wakeup, timer, softirq, ipi, work",
    );
}

#[test]
fn the_longest_are_shown_and_the_others_are_counted() {
    check(r#","limit":1"#, "softirq cpu0@10000 7 -> cpu0@80000 4; hidden 1 wakeup");
    check(r#","limit":0"#, "limit: \"0\" is no integer from 1 to 5000");
}

/// Softirqs of one CPU, each some time after its raise.
fn recording(waits: &[(u32, u32)]) -> String {
    let mut micros = 0;
    let mut text = String::new();
    for (gap, wait) in waits {
        micros += gap + 1;
        text.push_str(&format!("a-1 [0] 1.{micros:06}: softirq_raise: vec=1\n"));
        micros += wait;
        text.push_str(&format!("a-1 [0] 1.{micros:06}: softirq_entry: vec=1\n"));
    }
    text
}

proptest! {
    #[test]
    fn nothing_is_lost_between_what_is_shown_and_what_is_counted(
        waits in proptest::collection::vec((0_u32..40, 0_u32..9_000), 1..60),
        start in 0_i64..200_000, length in 1_i64..300_000, limit in 1_usize..9,
    ) {
        let shelf = Shelf::of(&import_lines(&recording(&waits)).0);
        let all = answer(&shelf, r#","end":9000000000,"limit":5000"#).unwrap();
        let ends = |answer: &Value| -> Vec<(i64, i64)> {
            let column = |name: &str| answer[name].as_array().unwrap().clone();
            let pairs = column("from_t").into_iter().zip(column("to_t"));
            pairs.map(|(from, to)| (from.as_i64().unwrap(), to.as_i64().unwrap())).collect()
        };
        prop_assert_eq!(ends(&all).len(), waits.len());
        let end = start + length;
        let is_in = |t: i64| start <= t && t < end;
        let mut expected: Vec<_> =
            ends(&all).into_iter().filter(|(from, to)| is_in(*from) || is_in(*to)).collect();
        let count = expected.len();
        expected.sort_by_key(|(from, to)| (from - to, *from));
        expected.truncate(limit);
        expected.sort_unstable();
        let some = answer(&shelf, &format!(r#","start":{start},"end":{end},"limit":{limit}"#)).unwrap();
        prop_assert_eq!(ends(&some), expected.clone());
        let hidden = usize::try_from(some["hidden"]["softirq"].as_i64().unwrap()).unwrap();
        prop_assert_eq!((hidden, &some["is_complete"]), (count - expected.len(), &Value::Bool(true)));
    }
}

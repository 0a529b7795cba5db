//! Lists over small recordings, page by page.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::order::Order;
use super::plan::{blocks, steps};
use super::scan::Purpose;
use super::selection::Selection;
use super::testing::{LINES, request, scanned, scanned_seen, shelf};
use crate::explore::fixture::block_headers;
use crate::explore::headers::Headers;
use crate::explore::protocol::{Filter, Need, Shelf, ask};
use crate::explore::request::Params;
use crate::import::testing::import_lines;
use crate::store::read::headers::BlockHeader;
use crate::store::tables::projections::SAMPLE_HEADER;
use crate::store::testing::Written;

/// The page as it is answered, mostly from the worst samples only, and as the blocks give it.
fn pages(written: &Written, request: &str) -> (serde_json::Value, serde_json::Value) {
    let answered = ask("latencies", request, &shelf(written)).unwrap();
    let blocks = scanned(Purpose::List, request, written).unwrap();
    [answered, blocks].map(|json| serde_json::from_slice(&json).unwrap()).into()
}

fn check(parameters: &str, expected: Expect) {
    let (written, _) = import_lines(LINES);
    let (answered, page) = pages(&written, &request(parameters));
    assert_eq!(answered, page);
    let items = page["items"].as_array().unwrap().iter();
    let lines: Vec<String> = items.map(|item| format!("{} {}", item["id"], item["headline"])).collect();
    expected.assert_eq(&format!("{}\nnext {}", lines.join("\n"), page["next"]));
}

#[test]
fn details_are_in_the_unit_of_the_clock() {
    let (written, _) = import_lines(LINES);
    let request = request(r#""pid":9"#).replace(r#""trace":{"#, r#""trace":{"time_unit":"ticks","#);
    let (_, page) = pages(&written, &request);
    let details: Vec<&serde_json::Value> =
        page["items"].as_array().unwrap().iter().map(|item| &item["detail"]).collect();
    assert_eq!(details, ["woken on CPU 0", "slept 40,000 clock ticks"]);
}

#[test]
fn the_worst_come_first() {
    check(
        "",
        expect![[r#"
            "wakeup-9@1000000000" "Wakeup of rt-9 on CPU 1 took 50 µs: CPU 1 was idle and took 50 µs to notice"
            "wakeup-7@1000200000" "sh was late"
            "wakeup-9@1000100000" "Wakeup of rt-9 on CPU 1 took 10 µs: the wakeup and the switch themselves took 10 µs"
            next null"#]],
    );
    check(
        r#""kind":"wakeup","limit":1"#,
        expect![[r#"
            "wakeup-9@1000000000" "Wakeup of rt-9 on CPU 1 took 50 µs: CPU 1 was idle and took 50 µs to notice"
            next "after-50000.0.3.1.2.-1.0.0""#]],
    );
    check(
        r#""sort":"t","limit":2"#,
        expect![[r#"
            "wakeup-9@1000000000" "Wakeup of rt-9 on CPU 1 took 50 µs: CPU 1 was idle and took 50 µs to notice"
            "wakeup-9@1000100000" "Wakeup of rt-9 on CPU 1 took 10 µs: the wakeup and the switch themselves took 10 µs"
            next "after-10000.100000.3.1.2.-1.0.0""#]],
    );
}

#[test]
fn a_window_holds_what_ends_at_its_first_instant() {
    check(
        r#""start":"110us","end":"111us""#,
        expect![[r#"
            "wakeup-9@1000100000" "Wakeup of rt-9 on CPU 1 took 10 µs: the wakeup and the switch themselves took 10 µs"
            next null"#]],
    );
    check(
        r#""start":"110001","end":"111us""#,
        expect![[r#"

        next null"#]],
    );
}

#[test]
fn filters_must_all_hold() {
    check(
        r#""comm":"rt","max":"20us""#,
        expect![[r#"
            "wakeup-9@1000100000" "Wakeup of rt-9 on CPU 1 took 10 µs: the wakeup and the switch themselves took 10 µs"
            next null"#]],
    );
    check(
        r#""cpu":"0""#,
        expect![[r#"
        "wakeup-7@1000200000" "sh was late"
        next null"#]],
    );
    check(
        r#""min":"30us","pid":7"#,
        expect![[r#"
        "wakeup-7@1000200000" "sh was late"
        next null"#]],
    );
    check(
        r#""start":"105us","end":"200us""#,
        expect![[r#"
            "wakeup-9@1000100000" "Wakeup of rt-9 on CPU 1 took 10 µs: the wakeup and the switch themselves took 10 µs"
            next null"#]],
    );
    check(
        r#""kind":"wakeup","key":"none""#,
        expect![[r#"

        next null"#]],
    );
}

#[test]
fn an_item_says_all_that_is_known() {
    let (written, _) = import_lines(LINES);
    let (_, page) = pages(&written, &request(r#""limit":1"#));
    expect![[r#"
        {
          "comm": "rt",
          "cpu": 1,
          "detail": "woken on CPU 0",
          "duration_ns": 50000,
          "end": 50000,
          "flags": [],
          "headline": "Wakeup of rt-9 on CPU 1 took 50 µs: CPU 1 was idle and took 50 µs to notice",
          "id": "wakeup-9@1000000000",
          "is_explained": true,
          "key": null,
          "kind": "wakeup",
          "pid": 9,
          "start_cpu": 0,
          "t": 0,
          "unit": "ns",
          "url": "http://h/t/x/cases/wakeup-9@1000000000",
          "weight": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&page["items"][0]).unwrap());
}

#[test]
fn bad_parameters_are_named() {
    for (parameters, expected) in [
        (r#""kind":"wakup""#, "kind: \"wakup\" is no kind of latency; expected one of "),
        (r#""sort":"size""#, "sort: "),
        (r#""cursor":"after-1.2""#, "cursor: not a cursor of this list"),
        (r#""limit":0"#, "limit: "),
    ] {
        let error = ask("latencies", &request(parameters), &Shelf::default()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

proptest! {
    /// Whatever the order and the size of pages, all pages together are the whole list.
    #[test]
    fn pages_join_to_the_list(
        waits in proptest::collection::vec((0_u32..4, 1_u32..6, 0_u16..2), 1..60),
        sort in prop::sample::select(vec!["worst", "-duration", "duration", "t", "-t"]),
        limit in 1_usize..9,
    ) {
        let mut lines = String::new();
        for (number, (pid, wait, cpu)) in (0_u32..).zip(&waits) {
            let (pid, woken, switched) = (pid + 1, number / 3 * 20, number / 3 * 20 + wait);
            let at = |time: u32| format!("<idle>-0 [{cpu}] 1.{time:06}");
            let switch = "prev_comm=x prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=t";
            lines += &format!("{}: sched_waking: comm=t pid={pid} prio=1 target_cpu=000\n", at(woken));
            lines += &format!("{}: sched_switch: {switch} next_pid={pid} next_prio=1\n", at(switched));
            let back = "next_comm=x next_pid=0 next_prio=120";
            lines += &format!(
                "{}: sched_switch: prev_comm=t prev_pid={pid} prev_prio=1 prev_state=S ==> {back}\n",
                at(switched),
            );
        }
        let (written, _) = import_lines(&lines);
        let ids = |page: &serde_json::Value| -> Vec<String> {
            let items = page["items"].as_array().unwrap().iter();
            items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
        };
        let (_, all) = pages(&written, &request(&format!(r#""kind":"wakeup","sort":"{sort}","limit":1000"#)));
        let (mut joined, mut cursor) = (Vec::new(), String::new());
        loop {
            let params = format!(r#""kind":"wakeup","sort":"{sort}","limit":{limit}{cursor}"#);
            let (answered, page) = pages(&written, &request(&params));
            prop_assert_eq!(&answered, &page);
            joined.extend(ids(&page));
            let Some(next) = page["next"].as_str() else { break };
            cursor = format!(r#","cursor":"{next}""#);
        }
        prop_assert_eq!(joined, ids(&all));
    }
}

#[test]
fn blocks_with_the_worst_come_first_and_few_at_first() {
    let selection = Selection::from_params(&Params::parse(&request(r#""kind":"wakeup""#)).unwrap()).unwrap();
    let header = |kind, block, t0, t1, count, max_ns| BlockHeader { kind, block, t0, t1, count, max_ns };
    let headers = Headers {
        samples: vec![
            header(3, 0, 0, 99, 8_192, 7),
            header(3, 1, 50, 200, 32_767, 80),
            header(3, 2, 50, 200, 1, 80),
        ],
        slices: vec![header(2, 0, 0, 9, 1, 9)],
        events: Vec::new(),
    };
    let planned = |is_growing| {
        let steps = steps(&blocks(&selection, Order::Worst, &headers), is_growing);
        steps.iter().map(|step| format!("{:?} {:?}", step.samples, step.rest)).collect::<Vec<_>>()
    };
    assert_eq!(planned(true), ["[(3, 1), (3, 2)] Some(-7)", "[(3, 0)] None"]);
    assert_eq!(planned(false), ["[(3, 1), (3, 2), (3, 0)] None"]);
}

#[test]
fn a_page_is_given_as_soon_as_the_rest_cannot_be_on_it() {
    let params = request(r#""kind":"wakeup","limit":1"#);
    let (written, _) = import_lines(LINES);
    // A block that is not there, but could hold what is worse, or is on the next page.
    for (max_ns, is_enough) in [(50_000, false), (30_000, false), (29_999, true)] {
        let rows = [(3, 0, 0, 5_000_000, 40_000, 50_000), (3, 1, 0, 5_000_000, 9, max_ns)];
        let shelf = shelf(&written).with(&SAMPLE_HEADER, block_headers(&SAMPLE_HEADER, &rows));
        let mut reads = 0;
        let seen = |need: &Need| reads += i32::from(need.filters == [Filter::Rows(vec![vec![3, 1]])]);
        scanned_seen(Purpose::List, &params, &shelf, seen).unwrap();
        // In any case once at the end, since cases of the same name may be in it.
        assert_eq!(reads, if is_enough { 1 } else { 2 }, "{max_ns}");
    }
}

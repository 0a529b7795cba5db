use serde_json::{Value, json};

use super::super::export::testing::Recording;

/// Rows as a program reads them, and the items of all pages.
fn check(recording: &Recording, list: &str, sort: Value) {
    let mut pages: Vec<Value> = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let request = json!({"limit": 37, "cursor": cursor, "sort": sort});
        let page: Value = serde_json::from_slice(&recording.ask(list, request)).unwrap();
        pages.extend(page["items"].as_array().unwrap().iter().cloned());
        cursor = page["next"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert!(pages.len() > 40, "{list}: {}", pages.len());
    let ndjson = recording.ask("rows", json!({"list": list, "format": "ndjson"}));
    let rows: Vec<Value> =
        String::from_utf8(ndjson).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows, pages, "{list}");
    let csv = String::from_utf8(recording.ask("rows", json!({"list": list, "format": "csv"}))).unwrap();
    assert_eq!(csv.matches("\r\n").count(), pages.len() + 1, "{list}");
    // Every field of an item has a column, or columns of its own.
    let (head, _) = csv.split_once("\r\n").unwrap();
    for (name, value) in pages[0].as_object().unwrap() {
        let is_column = head.split(',').any(|column| column == name);
        let inner = value.as_object().is_some_and(|inner| {
            inner.keys().all(|field| head.split(',').any(|column| column == format!("{name}.{field}")))
        });
        assert!(is_column || inner || value.is_null(), "{list}: {name}");
    }
}

#[test]
fn rows_are_those_of_the_pages() {
    let waking = Recording::of_sample("cyclictest-6.12-rt.dat");
    check(&waking, "events", Value::Null);
    check(&waking, "latencies", json!("t"));
    let calls = Recording::of_sample("timer-interrupt-6.12.txt.zst");
    check(&calls, "functions", Value::Null);
}

#[test]
fn calls_come_each_once() {
    let recording = Recording::of_sample("timer-interrupt-6.12.txt.zst");
    let rows = String::from_utf8(recording.ask("rows", json!({"list": "calls", "format": "csv"}))).unwrap();
    let count = recording.facts["call_count"].as_u64().unwrap();
    assert_eq!(u64::try_from(rows.lines().count()).unwrap(), count + 1);
}

#[test]
fn cells_are_no_formulas_and_keep_their_commas() {
    let file = "\
# tracer: nop
           =x,\"y-7       [000] d..2.   100.000001: custom: a=1
";
    let csv = Recording::of(file.as_bytes()).ask("rows", json!({"list": "events", "format": "csv"}));
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.contains(",7,\"'=x,\"\"y\",custom,true,"), "{csv}");
}

#[test]
fn a_list_in_another_order_is_refused() {
    let recording = Recording::of_sample("cyclictest-break-6.12-rt.txt");
    let refused =
        recording.refusal("rows", json!({"list": "latencies", "format": "csv", "sort": "-duration"}));
    assert!(refused.contains("order of time"), "{refused}");
}

use std::io::Cursor;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, SchemaRef};
use serde_json::{Map, Value, json};

use super::super::export::testing::Recording;

/// Rows as a program reads them, and the items of all pages.
fn check(recording: &Recording, list: &str, sort: Value) {
    let mut pages: Vec<Value> = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let request = json!({"limit": 509, "cursor": cursor, "sort": sort});
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
    for (format, read) in [("arrow", read_arrow as fn(Vec<u8>) -> _), ("parquet", read_parquet)] {
        let (schema, batches) = read(recording.ask("rows", json!({"list": list, "format": format})));
        assert_eq!(schema.metadata().get("jitterscope.list").map(String::as_str), Some(list));
        let columns: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let rows: Vec<Value> = batches.iter().flat_map(items).collect();
        let expected: Vec<Value> = pages.iter().map(|item| chosen(item, &columns)).collect();
        assert_eq!(rows, expected, "{list} {format}");
    }
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

fn read_arrow(file: Vec<u8>) -> (SchemaRef, Vec<RecordBatch>) {
    let reader = StreamReader::try_new(Cursor::new(file), None).unwrap();
    (reader.schema(), reader.map(Result::unwrap).collect())
}

fn read_parquet(file: Vec<u8>) -> (SchemaRef, Vec<RecordBatch>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(file)).unwrap();
    (builder.schema().clone(), builder.build().unwrap().map(Result::unwrap).collect())
}

/// The columns of an item, without what is null.
fn chosen(item: &Value, columns: &[String]) -> Value {
    let values = columns.iter().map(|column| (column, &item[column.split('.').next().unwrap()], column));
    let values = values.map(|(name, value, path)| match path.split_once('.') {
        Some((_, inner)) => (name.clone(), value[inner].clone()),
        None => (name.clone(), value.clone()),
    });
    values.filter(|(_, value)| !value.is_null()).collect::<Map<String, Value>>().into()
}

/// Rows of a batch, without what is null.
fn items(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let row = |at: usize| {
        let columns = schema.fields().iter().zip(batch.columns());
        let columns = columns.filter(|(_, column)| !column.is_null(at));
        let values = columns.map(|(field, column)| (field.name().clone(), value(field.name(), column, at)));
        values.collect::<Map<String, Value>>().into()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(name: &str, column: &dyn Array, at: usize) -> Value {
    match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(at).into(),
        DataType::Boolean => column.as_boolean().value(at).into(),
        DataType::Utf8 if name == "args" => {
            serde_json::from_str(column.as_string::<i32>().value(at)).unwrap()
        }
        DataType::Utf8 => column.as_string::<i32>().value(at).into(),
        DataType::List(_) => {
            let names = column.as_list::<i32>().value(at);
            names.as_string::<i32>().iter().flatten().collect()
        }
        DataType::Dictionary(..) => {
            let names = column.as_dictionary::<Int32Type>().downcast_dict::<StringArray>().unwrap();
            let key = names.keys().value(at);
            names.values().value(usize::try_from(key).unwrap()).into()
        }
        other => panic!("{other}"),
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

#[test]
fn a_list_without_rows_has_its_columns() {
    let recording = Recording::of_sample("cyclictest-break-6.12-rt.txt");
    for (format, read) in [("arrow", read_arrow as fn(Vec<u8>) -> _), ("parquet", read_parquet)] {
        let request = json!({"list": "events", "format": format, "event": "none_such"});
        let (schema, batches) = read(recording.ask("rows", request));
        assert_eq!(schema.field(1).name(), "t");
        assert_eq!(schema.field(1).metadata().get("unit").map(String::as_str), Some("ns"));
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 0, "{format}");
    }
}

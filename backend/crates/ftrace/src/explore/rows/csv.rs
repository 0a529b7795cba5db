//! Comma-separated values as RFC 4180 has them, with names in the first row.

use serde_json::Value;
use serde_json::value::RawValue;

use super::super::ExploreError;

/// The first row.
pub fn head(columns: &[&str]) -> Vec<u8> {
    (columns.join(",") + "\r\n").into_bytes()
}

/// Adds an item as a row. What a page has as an object or a list is JSON in its cell.
pub fn row(columns: &[&str], item: &RawValue, bytes: &mut Vec<u8>) -> Result<(), ExploreError> {
    let item: Value =
        serde_json::from_str(item.get()).map_err(|error| ExploreError::bad("list", error.to_string()))?;
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            bytes.push(b',');
        }
        let value = column.split('.').try_fold(&item, |value, name| value.get(name));
        match value.unwrap_or(&Value::Null) {
            Value::Null => {}
            Value::String(text) => cell(text, bytes),
            Value::Bool(flag) => bytes.extend_from_slice(if *flag { b"true" } else { b"false" }),
            Value::Number(number) => bytes.extend_from_slice(number.to_string().as_bytes()),
            other => cell(&other.to_string(), bytes),
        }
    }
    bytes.extend_from_slice(b"\r\n");
    Ok(())
}

/// Text of a cell. Spreadsheets run what begins like a formula, and names come from files of strangers: an apostrophe
/// makes it text.
fn cell(text: &str, bytes: &mut Vec<u8>) {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains(['"', ',', '\r', '\n']) {
        bytes.push(b'"');
        bytes.extend_from_slice(guard.as_bytes());
        bytes.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        bytes.push(b'"');
    } else {
        bytes.extend_from_slice(guard.as_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
}

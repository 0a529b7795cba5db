//! Comma-separated values as RFC 4180 has them, with names in the first row.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::super::ExploreError;
use super::failed;
use super::formats::{About, Begun, Encoder};
use super::item::Item;
use super::lists::List;

struct Csv {
    list: &'static List,
    /// The rows that are not handed out yet.
    bytes: Vec<u8>,
}

/// Begins a file with the names of the columns, as RFC 4180 has it.
pub fn begin(list: &'static List, _: &About) -> Begun {
    let names: Vec<&str> = list.columns.iter().map(|(name, _)| *name).collect();
    Ok(Box::new(Csv { list, bytes: (names.join(",") + "\r\n").into_bytes() }))
}

impl Encoder for Csv {
    fn add(&mut self, items: &[&RawValue]) -> Result<Vec<u8>, ExploreError> {
        for item in items {
            self.row(item)?;
        }
        Ok(std::mem::take(&mut self.bytes))
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExploreError> {
        Ok(self.bytes)
    }
}

impl Csv {
    /// Adds an item as a row. What a page has as an object or a list is JSON in its cell.
    fn row(&mut self, item: &RawValue) -> Result<(), ExploreError> {
        let mut item = Item::of(item)?;
        for (at, (column, _)) in self.list.columns.iter().enumerate() {
            if at > 0 {
                self.bytes.push(b',');
            }
            match item.value(column)? {
                None => {}
                Some(json) if json.starts_with('"') => {
                    let text: Cow<'_, str> = serde_json::from_str(json).map_err(failed)?;
                    cell(&text, &mut self.bytes);
                }
                Some(json) if json.starts_with(['{', '[']) => cell(json, &mut self.bytes),
                Some(json) => self.bytes.extend_from_slice(json.as_bytes()),
            }
        }
        self.bytes.extend_from_slice(b"\r\n");
        Ok(())
    }
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

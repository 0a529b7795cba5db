//! A JSON object on each line, as pages have it.

use serde_json::value::RawValue;

use super::super::ExploreError;
use super::formats::{About, Begun, Encoder};
use super::lists::List;

struct Ndjson;

/// One JSON object a line, as the list has it; no header.
pub fn begin(_: &'static List, _: &About) -> Begun {
    Ok(Box::new(Ndjson))
}

impl Encoder for Ndjson {
    fn add(&mut self, items: &[&RawValue]) -> Result<Vec<u8>, ExploreError> {
        let mut bytes = Vec::new();
        for item in items {
            bytes.extend_from_slice(item.get().as_bytes());
            bytes.push(b'\n');
        }
        Ok(bytes)
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExploreError> {
        Ok(Vec::new())
    }
}

//! The formats that whole lists can be had in.

use serde_json::value::RawValue;

use super::super::ExploreError;
use super::super::protocol::Stored;
use super::lists::List;
use super::{arrow, csv, ndjson, parquet};

/// A format of rows.
pub struct Format {
    pub name: &'static str,
    pub begin: fn(&'static List, &About) -> Begun,
}

pub const FORMATS: &[Format] = &[
    Format { name: "csv", begin: csv::begin },
    Format { name: "ndjson", begin: ndjson::begin },
    Format { name: "arrow", begin: arrow::begin },
    Format { name: "parquet", begin: parquet::begin },
];

/// What writes a list, with nothing written yet.
pub type Begun = Result<Box<dyn Encoder>, ExploreError>;

/// Writes the rows of one list.
pub trait Encoder: Send {
    /// Takes the next items, and returns the bytes that are ready.
    fn add(&mut self, items: &[&RawValue]) -> Result<Vec<u8>, ExploreError>;
    /// The bytes that are left.
    fn end(self: Box<Self>) -> Result<Vec<u8>, ExploreError>;
}

/// What files say of the trace that their rows come from.
pub struct About {
    /// Permalink of the trace; empty without a service.
    pub url: String,
    /// Absolute time of its first record, as a decimal.
    pub origin_ns: i64,
    pub time_unit: String,
}

impl About {
    /// What is known of the trace that the question is about.
    pub async fn of(stored: &Stored) -> Result<Self, ExploreError> {
        let params = stored.params().await?;
        let unit = serde_json::to_value(params.trace().time_unit).map_err(super::failed)?;
        Ok(Self {
            url: params.trace_url().to_owned(),
            origin_ns: params.origin_ns(),
            time_unit: unit.as_str().unwrap_or_default().to_owned(),
        })
    }
}

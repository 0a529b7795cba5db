//! Apache Parquet, compressed with zstd. Rows are held until a group of them is full.

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::value::RawValue;

use super::super::ExploreError;
use super::formats::{About, Begun, Encoder};
use super::lists::List;
use super::{columns, failed};

/// Bounds of a group: what a reader takes in at once, and what is held in memory here.
const GROUP_ROWS: usize = 1 << 17;
const GROUP_BYTES: usize = 16 << 20;

struct Parquet {
    list: &'static List,
    schema: SchemaRef,
    writer: ArrowWriter<Vec<u8>>,
}

/// Begins a file whose metadata name the trace.
pub fn begin(list: &'static List, about: &About) -> Begun {
    let schema = columns::schema(list, about);
    let metadata = schema.metadata().iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_created_by(concat!("Jitterscope ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        .set_key_value_metadata(Some(metadata.collect()))
        .build();
    let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties)).map_err(failed)?;
    Ok(Box::new(Parquet { list, schema, writer }))
}

impl Encoder for Parquet {
    fn add(&mut self, items: &[&RawValue]) -> Result<Vec<u8>, ExploreError> {
        if !items.is_empty() {
            let batch = columns::batch(self.list, &self.schema, items)?;
            self.writer.write(&batch).map_err(failed)?;
        }
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExploreError> {
        self.writer.into_inner().map_err(failed)
    }
}

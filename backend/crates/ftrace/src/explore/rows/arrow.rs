//! Apache Arrow's stream format: a batch of rows for each page, each with the dictionaries of its own.

use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use serde_json::value::RawValue;

use super::super::ExploreError;
use super::formats::{About, Begun, Encoder};
use super::lists::List;
use super::{columns, failed};

struct Arrow {
    list: &'static List,
    schema: SchemaRef,
    writer: StreamWriter<Vec<u8>>,
}

/// Begins a file with the columns of the list.
pub fn begin(list: &'static List, about: &About) -> Begun {
    let schema = columns::schema(list, about);
    let writer = StreamWriter::try_new(Vec::new(), &schema).map_err(failed)?;
    Ok(Box::new(Arrow { list, schema, writer }))
}

impl Encoder for Arrow {
    fn add(&mut self, items: &[&RawValue]) -> Result<Vec<u8>, ExploreError> {
        if !items.is_empty() {
            let batch = columns::batch(self.list, &self.schema, items)?;
            self.writer.write(&batch).map_err(failed)?;
        }
        Ok(std::mem::take(self.writer.get_mut()))
    }

    fn end(self: Box<Self>) -> Result<Vec<u8>, ExploreError> {
        self.writer.into_inner().map_err(failed)
    }
}

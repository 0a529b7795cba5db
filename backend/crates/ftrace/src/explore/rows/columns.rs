//! Rows as Apache Arrow's columns, each with the type that its values have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::ExploreError;
use super::failed;
use super::formats::About;
use super::item::Item;
use super::lists::{List, Type};

/// The columns of a list, and in the metadata which trace they are of. Every column may hold nulls.
pub fn schema(list: &List, about: &About) -> SchemaRef {
    let fields = list.columns.iter().map(|(name, column)| {
        let field = Field::new(*name, column.arrow(), true);
        match column {
            Type::Ns => field.with_metadata(HashMap::from([("unit".to_owned(), "ns".to_owned())])),
            _ => field,
        }
    });
    let facts = [
        ("jitterscope.list", list.name.to_owned()),
        ("jitterscope.url", about.url.clone()),
        ("jitterscope.origin_ns", about.origin_ns.to_string()),
        ("jitterscope.time_unit", about.time_unit.clone()),
    ];
    let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
    let metadata: HashMap<_, _> = facts.map(|(name, value)| (name.to_owned(), value)).collect();
    Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata))
}

/// The items as one batch of rows.
pub fn batch(list: &List, schema: &SchemaRef, items: &[&RawValue]) -> Result<RecordBatch, ExploreError> {
    let mut columns: Vec<Column> = list.columns.iter().map(|(_, column)| Column::new(*column)).collect();
    for item in items {
        let mut item = Item::of(item)?;
        for ((name, _), column) in list.columns.iter().zip(&mut columns) {
            column.push(item.value(name)?)?;
        }
    }
    let arrays = columns.iter_mut().map(Column::finish).collect();
    RecordBatch::try_new(schema.clone(), arrays).map_err(failed)
}

impl Type {
    fn arrow(self) -> DataType {
        match self {
            Self::Ns | Self::Long => DataType::Int64,
            Self::Int => DataType::Int32,
            Self::Bool => DataType::Boolean,
            Self::Text | Self::Json => DataType::Utf8,
            Self::Name => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Self::Names => DataType::List(Arc::new(Field::new("item", DataType::Utf8, true))),
        }
    }
}

enum Column {
    Long(Int64Builder),
    Int(Int32Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
    Json(StringBuilder),
    Name(StringDictionaryBuilder<Int32Type>),
    Names(ListBuilder<StringBuilder>),
}

impl Column {
    fn new(column: Type) -> Self {
        match column {
            Type::Ns | Type::Long => Self::Long(Int64Builder::new()),
            Type::Int => Self::Int(Int32Builder::new()),
            Type::Bool => Self::Bool(BooleanBuilder::new()),
            Type::Text => Self::Text(StringBuilder::new()),
            Type::Json => Self::Json(StringBuilder::new()),
            Type::Name => Self::Name(StringDictionaryBuilder::new()),
            Type::Names => Self::Names(ListBuilder::new(StringBuilder::new())),
        }
    }

    /// Adds a value as pages have it.
    fn push(&mut self, json: Option<&str>) -> Result<(), ExploreError> {
        match self {
            Self::Long(column) => column.append_option(read(json)?),
            Self::Int(column) => column.append_option(read(json)?),
            Self::Bool(column) => column.append_option(read(json)?),
            Self::Text(column) => column.append_option(read::<Text<'_>>(json)?.map(|text| text.0)),
            Self::Json(column) => column.append_option(json),
            Self::Name(column) => column.append_option(read::<Text<'_>>(json)?.map(|text| text.0)),
            Self::Names(column) => {
                let names: Option<Vec<String>> = read(json)?;
                column.append_option(names.map(|names| names.into_iter().map(Some)));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Long(column) => ArrayBuilder::finish(column),
            Self::Int(column) => ArrayBuilder::finish(column),
            Self::Bool(column) => ArrayBuilder::finish(column),
            Self::Text(column) | Self::Json(column) => ArrayBuilder::finish(column),
            Self::Name(column) => ArrayBuilder::finish(column),
            Self::Names(column) => ArrayBuilder::finish(column),
        }
    }
}

/// Borrowed where JSON has it without escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn read<'a, T: Deserialize<'a>>(json: Option<&'a str>) -> Result<Option<T>, ExploreError> {
    json.map(serde_json::from_str).transpose().map_err(failed)
}

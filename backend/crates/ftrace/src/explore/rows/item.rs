//! The fields of an item of a page, found by the names of columns.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::ExploreError;
use super::failed;

/// An object whose values are not read yet.
#[derive(Default)]
struct Fields<'a>(Vec<(&'a str, &'a RawValue)>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

/// One item. Its columns are asked for in their order, so that an object in it is read once.
pub struct Item<'a> {
    fields: Fields<'a>,
    inner: Option<(&'static str, Fields<'a>)>,
}

impl<'a> Item<'a> {
    /// Errors: the item is not a JSON object.
    pub fn of(item: &'a RawValue) -> Result<Self, ExploreError> {
        Ok(Self { fields: serde_json::from_str(item.get()).map_err(failed)?, inner: None })
    }

    /// The JSON of a column: of a field, or after a point of a field of it. `None` is null or absent.
    pub fn value(&mut self, column: &'static str) -> Result<Option<&'a str>, ExploreError> {
        let value = match column.split_once('.') {
            None => self.fields.get(column),
            Some((outer, name)) => self.inner(outer)?.get(name),
        };
        Ok(value.map(RawValue::get).filter(|json| *json != "null"))
    }

    fn inner(&mut self, name: &'static str) -> Result<&Fields<'a>, ExploreError> {
        if self.inner.as_ref().is_none_or(|(read, _)| *read != name) {
            let object: Option<Fields<'a>> = match self.fields.get(name) {
                Some(value) => serde_json::from_str(value.get()).map_err(failed)?,
                None => None,
            };
            self.inner = Some((name, object.unwrap_or_default()));
        }
        self.inner.as_ref().map(|(_, fields)| fields).ok_or_else(|| failed("no object"))
    }
}

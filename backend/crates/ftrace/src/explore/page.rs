//! Pages of a list.

use serde::{Serialize, Serializer};

use super::ExploreError;
use super::request::Params;

const DEFAULT_LIMIT: i64 = 100;
/// A block of records; the service lets clients have fewer at once.
const MAX_LIMIT: i64 = 8_192;
const PREFIX: &str = "at-";

/// Where the next page begins: a number within a list that does not change, since traces do not.
/// Callers hand it back as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(pub usize);

impl Cursor {
    /// The parameter `cursor`; `None` for the first page.
    ///
    /// Errors: a cursor that no answer has given.
    pub fn from_params(params: &Params) -> Result<Option<Self>, ExploreError> {
        let Some(text) = params.text("cursor", 64)? else { return Ok(None) };
        let number = text.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let refuse =
            || ExploreError::bad("cursor", "not a cursor of this list; hand back `next` as it was given");
        number.map(|number| Some(Self(number))).ok_or_else(refuse)
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{PREFIX}{}", self.0))
    }
}

/// Items on a page.
pub fn limit(params: &Params) -> Result<usize, ExploreError> {
    let limit = params.int("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?;
    Ok(usize::try_from(limit).unwrap_or(usize::MAX))
}

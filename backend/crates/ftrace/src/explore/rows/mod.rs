//! Whole lists, row by row: every page of a list one after the other, handed out in a format for programs.
//!
//! The rows are those of the pages, so that both always say the same; a list of any length takes the memory of one
//! page, or of a group of rows where a format has groups.

mod arrow;
mod columns;
mod csv;
mod formats;
mod item;
mod lists;
mod ndjson;
mod parquet;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::ExploreError;
use super::protocol::{Answer, Stored};
use formats::{About, FORMATS, Format};
use lists::{LISTS, List};

/// Rows that are made at once: as many as a block has.
const PAGE_ROWS: i64 = 8_192;

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
    next: Option<String>,
}

/// GET events, latencies, functions, calls in one of the `format`s: all rows that the filter leaves. `list` says which.
pub async fn rows(stored: Stored) -> Answer {
    let mut request = stored.request().clone();
    let formats: Vec<(&str, &Format)> = FORMATS.iter().map(|format| (format.name, format)).collect();
    let format = taken(&mut request, "format", &formats)?;
    let lists: Vec<(&str, &List)> = LISTS.iter().map(|list| (list.name, list)).collect();
    let list = taken(&mut request, "list", &lists)?;
    (list.check)(&mut request)?;
    request.insert("limit".to_owned(), PAGE_ROWS.into());
    request.remove("cursor");
    let mut encoder = (format.begin)(list, &About::of(&stored).await?)?;
    loop {
        let page = (list.ask)(stored.about(stored.trace_id(), request.clone())).await?;
        let page: Page<'_> = serde_json::from_slice(&page).map_err(failed)?;
        stored.write(encoder.add(&page.items)?).await;
        match page.next {
            Some(next) => _ = request.insert("cursor".to_owned(), next.into()),
            None => return encoder.end(),
        }
    }
}

/// What went wrong in making the rows, which no request can bring about.
fn failed(error: impl std::fmt::Display) -> ExploreError {
    ExploreError::bad("list", error.to_string())
}

/// One of the options, by its name in the request, which keeps it no longer.
fn taken<T: Copy>(
    request: &mut serde_json::Map<String, Value>,
    name: &'static str,
    options: &[(&str, T)],
) -> Result<T, ExploreError> {
    let given = request.remove(name);
    let given = given.as_ref().and_then(Value::as_str).unwrap_or_default();
    let found = options.iter().find(|(option, _)| *option == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = options.iter().map(|(option, _)| *option).collect();
        ExploreError::bad(name, format!("{given:?} is none of {}", names.join(", ")))
    })
}

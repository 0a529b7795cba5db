//! Whole lists, row by row: every page of a list one after the other, handed out in a format for programs.
//!
//! The rows are those of the pages, so that both always say the same; a list of any length takes the memory of one
//! page.

mod csv;
mod lists;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::ExploreError;
use super::protocol::{Answer, Stored};
use lists::{LISTS, List};

/// Rows that are made at once: as many as a block has.
const PAGE_ROWS: i64 = 8_192;

#[derive(Clone, Copy)]
enum Format {
    Csv,
    /// A JSON object on each line, as pages have it.
    Ndjson,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
    next: Option<String>,
}

/// GET events, latencies, functions, calls as `csv` or `ndjson`: all rows that the filter leaves. `list` says which.
pub async fn rows(stored: Stored) -> Answer {
    let mut request = stored.request().clone();
    let formats = [("csv", Format::Csv), ("ndjson", Format::Ndjson)];
    let format = taken(&mut request, "format", &formats)?;
    let lists: Vec<(&str, &List)> = LISTS.iter().map(|list| (list.name, list)).collect();
    let list = taken(&mut request, "list", &lists)?;
    (list.check)(&mut request)?;
    request.insert("limit".to_owned(), PAGE_ROWS.into());
    request.remove("cursor");
    if matches!(format, Format::Csv) {
        stored.write(csv::head(list.columns)).await;
    }
    loop {
        let page = (list.ask)(stored.about(stored.trace_id(), request.clone())).await?;
        let page: Page<'_> =
            serde_json::from_slice(&page).map_err(|error| ExploreError::bad("list", error.to_string()))?;
        let mut bytes = Vec::new();
        for item in &page.items {
            match format {
                Format::Csv => csv::row(list.columns, item, &mut bytes)?,
                Format::Ndjson => {
                    bytes.extend_from_slice(item.get().as_bytes());
                    bytes.push(b'\n');
                }
            }
        }
        stored.write(bytes).await;
        match page.next {
            Some(next) => _ = request.insert("cursor".to_owned(), next.into()),
            None => return Ok(Vec::new()),
        }
    }
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

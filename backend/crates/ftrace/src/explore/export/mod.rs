//! A trace, or a window of it, in the formats of other tools. Each format is a file and a line in [`FORMATS`].
//!
//! A writer reads blocks in the order in which they are stored and hands out bytes as it makes them, so that it
//! holds a few blocks at a time, whatever the length of the trace.

mod call_edges;
mod chrome;
mod event_blocks;
mod folded;
mod ftrace;
mod ftrace_header;
mod ftrace_line;
mod names;
mod numbering;
mod out;
mod perfetto;
mod perfetto_event;
mod protobuf;
mod scope;
mod slice_blocks;
mod speedscope;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::ExploreError;
use super::protocol::{Answer, Answering, Stored};
use scope::Scope;

/// A format, as the catalog and the menu of the page show it.
#[derive(Debug, Serialize)]
pub struct ExportFormat {
    /// As `format=` has it.
    pub name: &'static str,
    pub title: &'static str,
    /// What it is for, in a sentence.
    pub reader: &'static str,
    pub extension: &'static str,
    pub media_type: &'static str,
    /// True where it holds function calls and nothing else.
    pub is_of_calls: bool,
    #[serde(skip)]
    write: fn(Stored, Scope) -> Answering,
}

/// Every format, in the order of the menu.
pub const FORMATS: &[ExportFormat] =
    &[ftrace::FORMAT, perfetto::FORMAT, chrome::FORMAT, speedscope::FORMAT, folded::FORMAT];

/// GET export: a trace or a window in the format that `format` names.
pub async fn export(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let named = params.text("format", 32)?.unwrap_or_default();
    let format = FORMATS.iter().find(|format| format.name == named).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        ExploreError::bad("format", format!("{named:?} is none of {}", names.join(", ")))
    })?;
    let scope = Scope::fetch(&stored, params).await?;
    (format.write)(stored, scope).await
}

//! What this version can read and find, for the API's catalog.

use serde::Serialize;

use crate::analyses::{ARROWS, ArrowKind, LatencyKind, Lateness, SliceKind, Subject};
use crate::events::Role;
use crate::explain::{ADVICE, AdviceEntry};
use crate::explore::{ExportFormat, MEASURING, Measuring};
use crate::formats::FORMATS;
use crate::input::wrappings::WRAPPINGS;
use crate::kinds::{analyses, latency_kinds};
use crate::model::{About, Code, Severity};

#[derive(Debug, Serialize)]
pub struct Catalog {
    formats: Vec<Format>,
    /// What is taken off a file before its format is looked at.
    wrappings: Vec<Wrapped>,
    diagnostics: Vec<DiagnosticKind>,
    analyses: Vec<AnalysisKind>,
    slice_kinds: Vec<SliceKindEntry>,
    arrows: Vec<ArrowEntry>,
    latencies: Vec<Latency>,
    /// What usually helps, by mechanism and condition.
    advice: Vec<Advice>,
    /// Which tasks a recording was made to look at.
    measuring: Measuring,
    /// Formats of other tools that a trace can be had in.
    exports: &'static [ExportFormat],
}

#[derive(Debug, Serialize)]
struct Advice {
    name: &'static str,
    mechanism: &'static str,
    title: &'static str,
    condition: &'static str,
    meaning: &'static str,
    helps: &'static str,
    check: &'static str,
    reference: &'static str,
}

impl Advice {
    fn new(entry: &AdviceEntry) -> Self {
        let AdviceEntry { name, mechanism, title, condition, meaning, helps, check, reference, .. } = *entry;
        Self { name, mechanism: mechanism.name(), title, condition, meaning, helps, check, reference }
    }
}

#[derive(Debug, Serialize)]
struct Format {
    name: &'static str,
    title: &'static str,
    #[serde(flatten)]
    about: About,
}

#[derive(Debug, Serialize)]
struct Wrapped {
    title: &'static str,
    #[serde(flatten)]
    about: About,
}

#[derive(Debug, Serialize)]
struct DiagnosticKind {
    code: &'static str,
    severity: Severity,
    sentence: &'static str,
    remedy: &'static str,
}

#[derive(Debug, Serialize)]
struct AnalysisKind {
    name: &'static str,
    title: &'static str,
    /// Alternatives, each a list of events that must all be recorded.
    needs: &'static [&'static [&'static str]],
}

#[derive(Debug, Serialize)]
struct Latency {
    kind: &'static str,
    title: &'static str,
    definition: &'static str,
    note: &'static str,
    /// Whose it is.
    subject: Subject,
    /// What samples are keyed by besides CPU and task.
    key_name: Option<&'static str>,
    lateness: Lateness,
    /// As for analyses.
    needs: &'static [&'static [&'static str]],
}

impl Latency {
    fn new(kind: &LatencyKind) -> Self {
        let LatencyKind { name, title, definition, note, subject, key_name, lateness, ref analysis, .. } =
            *kind;
        Self { kind: name, title, definition, note, subject, key_name, lateness, needs: analysis.needs }
    }
}

#[derive(Debug, Serialize)]
struct ArrowEntry {
    name: &'static str,
    title: &'static str,
    forward: &'static str,
    backward: &'static str,
    events: &'static [&'static str],
}

impl ArrowEntry {
    fn new(kind: &ArrowKind) -> Self {
        let ArrowKind { name, title, forward, backward, events, .. } = *kind;
        Self { name, title, forward, backward, events }
    }
}

#[derive(Debug, Serialize)]
struct SliceKindEntry {
    /// The number that is stored.
    code: i16,
    name: &'static str,
    lane: &'static str,
    title: &'static str,
    colour: &'static str,
    /// Labels of its rows by depth, where depth says what a slice is about.
    rows: &'static [&'static str],
    /// Events that begin and that end its slices.
    begins: Vec<String>,
    ends: Vec<String>,
}

impl SliceKindEntry {
    fn new(kind: SliceKind) -> Self {
        Self {
            code: kind.code(),
            name: kind.name(),
            lane: kind.lane(),
            title: kind.title(),
            colour: kind.colour(),
            rows: kind.rows(),
            begins: Role::names(|role| kind.begins_with(role)),
            ends: Role::names(|role| kind.ends_with(role)),
        }
    }
}

/// The registries of formats, diagnostics, analyses, slices, latencies and advice, in their own order.
pub fn catalog() -> Catalog {
    let diagnostic = |code: &Code| DiagnosticKind {
        code: code.name(),
        severity: code.severity(),
        sentence: code.sentence(),
        remedy: code.remedy(),
    };
    Catalog {
        formats: FORMATS
            .iter()
            .map(|format| Format { name: format.name(), title: format.title(), about: format.about() })
            .collect(),
        wrappings: WRAPPINGS
            .iter()
            .map(|wrapping| Wrapped { title: wrapping.title, about: wrapping.about })
            .collect(),
        diagnostics: Code::ALL.iter().map(diagnostic).collect(),
        analyses: analyses()
            .map(|entry| AnalysisKind { name: entry.name, title: entry.title, needs: entry.needs })
            .collect(),
        measuring: MEASURING,
        exports: crate::explore::EXPORT_FORMATS,
        slice_kinds: SliceKind::ALL.iter().map(|kind| SliceKindEntry::new(*kind)).collect(),
        arrows: ARROWS.iter().map(|kind| ArrowEntry::new(kind)).collect(),
        latencies: latency_kinds().map(Latency::new).collect(),
        advice: ADVICE.iter().copied().map(Advice::new).collect(),
    }
}

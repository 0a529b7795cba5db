//! How a request names the two sides of a comparison.

use std::fmt;

use serde_json::{Map, Value};

use super::normal_calls::Pick;
use super::words::percent_encoded;
use crate::explore::ExploreError;
use crate::explore::latency::case_id::CaseId;
use crate::explore::protocol::Stored;

const CALLS: &str = "calls:";
const CASES: &str = "cases:";
const CALL_FILTERS: &[&str] = &["cpu", "pid", "min", "max", "start", "end"];
const CASE_FILTERS: &[&str] = &["cpu", "pid", "min", "max", "start", "end", "comm", "key", "field"];
const MAX_TRACE_CHARS: usize = 64;
const MAX_WHAT_CHARS: usize = 1_000;
const EXPECTED: &str = "expected <trace>/<call>, such as abcdefghijkl/call-1213@4500.2; <trace>/<case>, such as \
     abcdefghijkl/wakeup-1213@2563694; or a group, such as abcdefghijkl/calls:schedule;cpu=1 (all calls of a \
     function) or abcdefghijkl/cases:wakeup;comm=rt;min=50us (all cases of a kind)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefKind {
    Call,
    Calls,
    Case,
    Cases,
}

/// One side: in which trace, and what there.
#[derive(Clone, Debug)]
pub struct Ref {
    /// How refusals name it: `abnormal` or `normal`.
    parameter: &'static str,
    pub trace: String,
    pub what: String,
}

impl Ref {
    /// `abcdefghijkl/call-1213@4500.2`
    pub fn parse(parameter: &'static str, text: &str) -> Result<Self, ExploreError> {
        let refuse =
            || ExploreError::bad(parameter, format!("{text:?} names no call and no case; {EXPECTED}"));
        let (trace, what) = text.split_once('/').ok_or_else(refuse)?;
        let is_id = |trace: &str| trace.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        let has_length = |text: &str, max: usize| (1..=max).contains(&text.chars().count());
        if !has_length(trace, MAX_TRACE_CHARS)
            || !is_id(trace)
            || !has_length(what, MAX_WHAT_CHARS)
            || what.chars().any(char::is_control)
        {
            return Err(refuse());
        }
        Ok(Self::new(parameter, trace, what.to_owned()))
    }

    pub fn new(parameter: &'static str, trace: &str, what: String) -> Self {
        Self { parameter, trace: trace.to_owned(), what }
    }

    pub fn kind(&self) -> RefKind {
        let is_call = || {
            let place = self.what.rsplit_once('@').map_or("", |(_, place)| place);
            self.what.starts_with("call-") && place.contains('.')
        };
        match self.what.as_str() {
            what if what.starts_with(CALLS) => RefKind::Calls,
            what if what.starts_with(CASES) => RefKind::Cases,
            _ if is_call() => RefKind::Call,
            _ => RefKind::Case,
        }
    }

    pub fn is_of_calls(&self) -> bool {
        matches!(self.kind(), RefKind::Call | RefKind::Calls)
    }

    pub fn is_group(&self) -> bool {
        matches!(self.kind(), RefKind::Calls | RefKind::Cases)
    }

    /// What asks for the side alone.
    pub fn request(&self) -> Result<Map<String, Value>, ExploreError> {
        let one = |name: &str| Map::from_iter([(name.to_owned(), Value::from(self.what.as_str()))]);
        match self.kind() {
            RefKind::Call => Ok(one("id")),
            RefKind::Case => Ok(one("case")),
            RefKind::Calls => self.group(CALLS, "function", CALL_FILTERS),
            RefKind::Cases => self.group(CASES, "kind", CASE_FILTERS),
        }
    }

    /// What asks for all cases of the kind that a case or a group of cases is of.
    pub fn request_of_kind(&self) -> Result<Map<String, Value>, ExploreError> {
        let entry = |name: &str, value: &str| (name.to_owned(), Value::from(value));
        if self.kind() == RefKind::Cases {
            let mut request = self.request()?;
            request.retain(|name, _| name == "kind" || name == "field");
            return Ok(request);
        }
        let id = CaseId::parse(&self.what);
        let kind = id.as_ref().map(|id| entry("kind", &id.kind));
        let field = id.as_ref().and_then(|id| id.field.as_deref()).map(|field| entry("field", field));
        Ok(kind.into_iter().chain(field).collect())
    }

    /// `calls:schedule;cpu=1;min=50us`
    fn group(&self, prefix: &str, first: &str, known: &[&str]) -> Result<Map<String, Value>, ExploreError> {
        let mut parts = self.what.trim_start_matches(prefix).split(';');
        let value = parts.next().unwrap_or_default();
        let mut request = Map::from_iter([(first.to_owned(), Value::from(value))]);
        for text in parts {
            let refuse = || {
                let wanted: Vec<String> = known.iter().map(|name| format!("{name}=")).collect();
                let (what, wanted) = (prefix.trim_end_matches(':'), wanted.join(", "));
                ExploreError::bad(
                    self.parameter,
                    format!("{text:?} is not a filter of {what}; expected {wanted}"),
                )
            };
            let (name, value) = text.split_once('=').ok_or_else(refuse)?;
            if !known.contains(&name) {
                return Err(refuse());
            }
            request.insert(name.to_owned(), Value::from(value));
        }
        Ok(request)
    }

    /// The side's trace, asked for what the side names.
    pub fn stored(&self, stored: &Stored) -> Result<Stored, ExploreError> {
        Ok(stored.about(&self.trace, self.request()?))
    }

    /// A refusal as one of this side.
    pub fn refused(&self, error: ExploreError) -> ExploreError {
        match error {
            ExploreError::Request { parameter, code, detail, column }
                if !["abnormal", "normal", "noise_floor", "limit"].contains(&parameter) =>
            {
                let detail = if parameter == "id" { detail } else { format!("{parameter}: {detail}") };
                ExploreError::Request { parameter: self.parameter, code, detail, column }
            }
            other => other,
        }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.trace, self.what)
    }
}

/// What the abnormal side is compared with.
pub enum Normal {
    /// Its like in the same trace: `auto` is the median, `all` all of them.
    Picked(Pick),
    Named(Ref),
}

impl Normal {
    pub fn parse(text: &str) -> Result<Self, ExploreError> {
        Ok(match text {
            "auto" => Self::Picked(Pick::One),
            "all" => Self::Picked(Pick::All),
            _ => Self::Named(Ref::parse("normal", text)?),
        })
    }
}

impl fmt::Display for Normal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picked(Pick::One) => f.write_str("auto"),
            Self::Picked(Pick::All) => f.write_str("all"),
            Self::Named(side) => side.fmt(f),
        }
    }
}

/// The page of a comparison. `trace_url` is the page of its abnormal side's trace.
pub fn page_url(trace_url: &str, abnormal: &Ref, normal: &Normal) -> String {
    let base = trace_url.rsplit_once("/t/").map_or(trace_url, |(base, _)| base);
    let [abnormal, normal] = [abnormal.to_string(), normal.to_string()].map(|side| percent_encoded(&side));
    format!("{base}/diff?abnormal={abnormal}&normal={normal}")
}

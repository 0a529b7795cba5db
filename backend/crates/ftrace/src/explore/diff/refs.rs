//! How a request names the two sides of a comparison.

use std::fmt;

use serde_json::{Map, Value};

use super::normal_calls::Pick;
use super::words::percent_encoded;
use crate::analyses::SampleSource;
use crate::explore::ExploreError;
use crate::explore::latency::case_id::CaseId;
use crate::explore::protocol::Stored;
use crate::kinds;

const CALLS: &str = "calls:";
const CASES: &str = "cases:";
const CALL_FILTERS: &[&str] = &["cpu", "pid", "min", "max", "start", "end"];
const CASE_FILTERS: &[&str] =
    &["cpu", "pid", "min", "max", "start", "end", "comm", "priority_class", "key", "field"];
const MAX_TRACE_CHARS: usize = 64;
const MAX_WHAT_CHARS: usize = 1_000;
/// Each is read as a group of its own.
const MAX_TRACES: usize = 20;
const EXPECTED: &str = "expected <trace>/<call>, such as abcdefghijkl/call-1213@4500.2; <trace>/<case>, such as \
     abcdefghijkl/wakeup-1213@2563694; or a group, such as abcdefghijkl/calls:schedule;cpu=1 (all calls of a \
     function) or abcdefghijkl,mnopqrstuvwx/cases:wakeup;comm=rt;min=50us (all cases of a kind, of both traces)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefKind {
    Call,
    /// A case that is a call: it is compared as one.
    CallCase,
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
    /// More traces that a group is of.
    others: Vec<String>,
    pub what: String,
}

impl Ref {
    /// `abcdefghijkl/call-1213@4500.2`, `abcdefghijkl,mnopqrstuvwx/cases:wakeup`
    pub fn parse(parameter: &'static str, text: &str) -> Result<Self, ExploreError> {
        let refuse =
            || ExploreError::bad(parameter, format!("{text:?} names no call and no case; {EXPECTED}"));
        let (traces, what) = text.split_once('/').ok_or_else(refuse)?;
        let has_length = |text: &str, max: usize| (1..=max).contains(&text.chars().count());
        let is_id = |trace: &str| {
            has_length(trace, MAX_TRACE_CHARS)
                && trace.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        };
        let mut ids = traces.split(',');
        if !traces.split(',').all(is_id)
            || !has_length(what, MAX_WHAT_CHARS)
            || what.chars().any(char::is_control)
        {
            return Err(refuse());
        }
        let mut side = Self::new(parameter, ids.next().unwrap_or_default(), what.to_owned());
        for id in ids {
            if id != side.trace && !side.others.iter().any(|known| known == id) {
                side.others.push(id.to_owned());
            }
        }
        if side.others.len() >= MAX_TRACES {
            let detail = format!("a group can be of {MAX_TRACES} traces at most; name fewer");
            return Err(ExploreError::bad(parameter, detail));
        }
        if !side.others.is_empty() && !side.is_group() {
            let detail = "only a group (calls:<function>, cases:<kind>) can be of several traces";
            return Err(ExploreError::bad(parameter, detail));
        }
        Ok(side)
    }

    /// What it names in each of its traces.
    pub fn parts(&self) -> Vec<Self> {
        let all = [&self.trace].into_iter().chain(&self.others);
        all.map(|trace| Self::new(self.parameter, trace, self.what.clone())).collect()
    }

    /// What `what` names in the same traces.
    pub fn naming(&self, parameter: &'static str, what: String) -> Self {
        Self { parameter, what, ..self.clone() }
    }

    /// A reference to `what` in one trace; `parameter` is named where it is refused.
    pub fn new(parameter: &'static str, trace: &str, what: String) -> Self {
        Self { parameter, trace: trace.to_owned(), others: Vec::new(), what }
    }

    /// What the text names, by its form only.
    pub fn kind(&self) -> RefKind {
        let is_call = || {
            let place = self.what.rsplit_once('@').map_or("", |(_, place)| place);
            self.what.starts_with("call-") && place.contains('.')
        };
        match self.what.as_str() {
            what if what.starts_with(CALLS) => RefKind::Calls,
            what if what.starts_with(CASES) => RefKind::Cases,
            _ if is_call() => RefKind::Call,
            what if is_call_case(what) => RefKind::CallCase,
            _ => RefKind::Case,
        }
    }

    /// True where it names calls, be it one, a case that is one, or a group.
    pub fn is_of_calls(&self) -> bool {
        matches!(self.kind(), RefKind::Call | RefKind::CallCase | RefKind::Calls)
    }

    /// True where it names several instances at once.
    pub fn is_group(&self) -> bool {
        matches!(self.kind(), RefKind::Calls | RefKind::Cases)
    }

    /// The request for only this side.
    pub fn request(&self) -> Result<Map<String, Value>, ExploreError> {
        let one = |name: &str| Map::from_iter([(name.to_owned(), Value::from(self.what.as_str()))]);
        match self.kind() {
            RefKind::Call => Ok(one("id")),
            RefKind::CallCase | RefKind::Case => Ok(one("case")),
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
        f.write_str(&self.trace)?;
        for other in &self.others {
            write!(f, ",{other}")?;
        }
        write!(f, "/{}", self.what)
    }
}

fn is_call_case(what: &str) -> bool {
    let kind = CaseId::parse(what).and_then(|id| kinds::find(&id.kind));
    kind.is_some_and(|kind| kind.latency().source == SampleSource::RootCalls)
}

/// What the abnormal side is compared with.
pub enum Normal {
    /// Its like: `auto` is the median, `all` all of them; in the same trace, or in the one that is named.
    Picked(Pick, Option<String>),
    Named(Ref),
}

impl Normal {
    /// `auto` or `all`, perhaps of another trace, or a side by its name.
    ///
    /// Errors: anything else.
    pub fn parse(text: &str) -> Result<Self, ExploreError> {
        let (trace, what) = text.split_once('/').map_or((None, text), |(trace, what)| (Some(trace), what));
        let pick = match what {
            "auto" => Pick::One,
            "all" => Pick::All,
            _ => return Ok(Self::Named(Ref::parse("normal", text)?)),
        };
        // It refuses the name of a trace that is none.
        let trace = trace.map(|_| Ref::parse("normal", text)).transpose()?.map(|side| side.trace);
        Ok(Self::Picked(pick, trace))
    }
}

impl fmt::Display for Normal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pick, trace) = match self {
            Self::Picked(pick, trace) => (pick, trace),
            Self::Named(side) => return side.fmt(f),
        };
        if let Some(trace) = trace {
            write!(f, "{trace}/")?;
        }
        f.write_str(if *pick == Pick::All { "all" } else { "auto" })
    }
}

/// The page of a comparison. `trace_url` is the page of its abnormal side's trace.
pub fn page_url(trace_url: &str, abnormal: &Ref, normal: &Normal) -> String {
    let base = trace_url.rsplit_once("/t/").map_or(trace_url, |(base, _)| base);
    let [abnormal, normal] = [abnormal.to_string(), normal.to_string()].map(|side| percent_encoded(&side));
    format!("{base}/diff?abnormal={abnormal}&normal={normal}")
}

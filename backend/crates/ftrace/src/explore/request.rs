//! The parameters of a request, checked; every refusal names its parameter.

use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ExploreError;
use super::duration::{parse_duration, scale_decimal};
use super::ids::CallId;
use super::latency::FieldSeries;
use crate::analyses::TraceClock;
use crate::model::{Ns, TimeUnit};

/// Times stay exact in JavaScript up to here.
const MAX_TIME_NS: i64 = 1 << 53;
const MAX_WIDTH_PX: i64 = 5_000;
const DEFAULT_WIDTH_PX: i64 = 1_600;
const MAX_LIST: usize = 256;
const MAX_NAME_CHARS: usize = 512;

/// Half-open, relative to the trace's first record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub start_ns: i64,
    pub end_ns: i64,
}

impl Window {
    pub fn length_ns(self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// True where [start, start + duration) has an instant in the window; an empty interval has the
    /// instant of its start.
    pub fn touches(self, start_ns: i64, duration_ns: i64) -> bool {
        start_ns < self.end_ns && start_ns.saturating_add(duration_ns.max(1)) > self.start_ns
    }

    /// True for the instants of the window; its end is not one of them.
    pub fn contains(self, t_ns: i64) -> bool {
        self.start_ns <= t_ns && t_ns < self.end_ns
    }
}

/// What every question must know of its trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct TraceFacts {
    /// Permalink of the trace.
    pub url: String,
    /// What one step of its clock is.
    pub time_unit: TimeUnit,
    /// Absolute time of the first record: a decimal string, as the API shows it.
    pub origin_ns: String,
    pub duration_ns: i64,
    pub cpus: Vec<i16>,
    /// Names of the buffers that events come from, by number; null for the top one.
    pub buffers: Vec<Option<String>>,
    pub event_count: i64,
    /// The clock that stamped it, by the kernel's name.
    pub clock: Option<String>,
    /// As the header of the file has it: `preempt`, `desktop`, `PREEMPT(none)`.
    pub preemption_model: Option<String>,
}

/// Query parameters under their public names, as text or already typed; null is absent.
#[derive(Clone, Debug)]
pub struct Params {
    values: Map<String, Value>,
    origin_ns: i64,
    facts: TraceFacts,
    series: Option<FieldSeries>,
}

impl Params {
    /// The parameters and, under `trace`, what is known of their trace.
    #[cfg(test)]
    pub fn parse(json: &str) -> Result<Self, ExploreError> {
        let mut values: Map<String, Value> = serde_json::from_str(json).unwrap();
        let facts = values.remove("trace").map(serde_json::from_value).transpose().unwrap();
        Self::new(values, facts.unwrap_or_default())
    }

    /// `values` are the parameters as they came, `facts` what is known of their trace.
    pub fn new(mut values: Map<String, Value>, facts: TraceFacts) -> Result<Self, ExploreError> {
        values.retain(|_, value| !value.is_null());
        let origin_ns = match facts.origin_ns.as_str() {
            "" => 0,
            text => text.parse().map_err(|_| ExploreError::bad("request", "origin_ns is no integer"))?,
        };
        let mut params = Self { values, origin_ns, facts, series: None };
        params.resolve_at()?;
        Ok(params)
    }

    /// `at` is `start` as the file prints it; clocks that count no seconds print integers.
    fn resolve_at(&mut self) -> Result<(), ExploreError> {
        let Some(stamp) = self.scalar("at")? else { return Ok(()) };
        if self.values.contains_key("start") {
            return Err(ExploreError::bad(
                "at",
                "sets the start of the window, as start does; give only one of the two",
            ));
        }
        let refuse =
            || ExploreError::bad("at", "must be a stamp as the file prints it, such as 14372.732649");
        let start = if stamp.contains('.') {
            Value::String(stamp)
        } else {
            let stamp: i64 = stamp.parse().ok().filter(|stamp| *stamp >= 0).ok_or_else(refuse)?;
            Value::from(stamp.saturating_sub(self.origin_ns))
        };
        self.values.remove("at");
        self.values.insert("start".to_owned(), start);
        Ok(())
    }

    /// The same with the field of events that they are about.
    pub fn with_series(self, series: Option<FieldSeries>) -> Self {
        Self { series, ..self }
    }

    /// The field of events that was found for the request.
    pub fn series(&self) -> Option<&FieldSeries> {
        self.series.as_ref()
    }

    pub fn clock(&self) -> TraceClock {
        TraceClock { origin_ns: Ns(self.origin_ns), unit: self.facts.time_unit }
    }

    /// `start` and `end`; where absent, the whole trace. For the `id` of a call, its first nanosecond.
    pub fn window(&self) -> Result<Window, ExploreError> {
        if let Some(CallId { start_ns, .. }) = self.call_id()? {
            return Ok(Window { start_ns, end_ns: start_ns.saturating_add(1) });
        }
        let start_ns = self.time("start")?.unwrap_or(0);
        // Half-open, so the last record needs one nanosecond more than the duration.
        let end_ns = self.time("end")?.unwrap_or(self.facts.duration_ns.saturating_add(1));
        if end_ns <= start_ns {
            return Err(ExploreError::bad("end", format!("end ({end_ns}) must be after start ({start_ns})")));
        }
        Ok(Window { start_ns, end_ns })
    }

    /// The same, but without a start for what is handed out as a whole: a call that ends with the first record began
    /// before it.
    pub fn open_window(&self) -> Result<Window, ExploreError> {
        let window = self.window()?;
        let start_ns = if self.values.contains_key("start") { window.start_ns } else { -MAX_TIME_NS };
        Ok(Window { start_ns, ..window })
    }

    /// Pixels of the screen that the answer is for.
    pub fn width(&self) -> Result<i64, ExploreError> {
        self.int("width", 2..=MAX_WIDTH_PX, DEFAULT_WIDTH_PX)
    }

    /// Absolute time of the trace's first record.
    pub fn origin_ns(&self) -> i64 {
        self.origin_ns
    }

    /// Permalink of the trace; empty where the request does not say.
    pub fn trace_url(&self) -> &str {
        &self.facts.url
    }

    /// CPUs of the trace; empty where the request does not say.
    pub fn trace_cpus(&self) -> &[i16] {
        &self.facts.cpus
    }

    /// Names of the buffers that events come from, by number.
    pub fn trace_buffers(&self) -> &[Option<String>] {
        &self.facts.buffers
    }

    /// What is known of the trace as a whole.
    pub fn trace(&self) -> &TraceFacts {
        &self.facts
    }

    /// True where the window is the whole trace because neither end is given.
    pub fn has_no_window(&self) -> bool {
        !self.values.contains_key("start") && !self.values.contains_key("end")
    }

    /// Nanoseconds from trace start: an integer, a duration (`50us`), or a stamp of the file (`14372.732649`).
    pub fn time(&self, name: &'static str) -> Result<Option<i64>, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(None) };
        self.parse_time(&text).map(Some).ok_or_else(|| {
            let expected =
                "nanoseconds from trace start (1500), a duration (50us), or a stamp (14372.732649)";
            ExploreError::bad(name, format!("{text:?} is no time; expected {expected}"))
        })
    }

    /// Nanoseconds from the trace's first record: of a stamp with a point, less the origin; else a duration. `None`
    /// where it is neither, or too large.
    pub fn parse_time(&self, text: &str) -> Option<i64> {
        let time = match scale_decimal(text, 9) {
            Some(stamp) if text.contains('.') => stamp.checked_sub(self.origin_ns),
            _ => parse_duration(text),
        };
        time.filter(|time| (-MAX_TIME_NS..=MAX_TIME_NS).contains(time))
    }

    /// A bare integer.
    pub fn number(&self, name: &'static str) -> Result<Option<i64>, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(None) };
        let refuse = || ExploreError::bad(name, format!("{text:?} is no integer, as the values are"));
        text.parse().map(Some).map_err(|_| refuse())
    }

    /// A duration of at least zero.
    pub fn duration(&self, name: &'static str) -> Result<Option<i64>, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(None) };
        parse_duration(&text).filter(|duration| *duration >= 0).map(Some).ok_or_else(|| {
            ExploreError::bad(name, format!("{text:?} is no duration; expected 9656, 50us, 1.5ms or 2s"))
        })
    }

    /// An integer in `range`, or `default` where the parameter is absent.
    ///
    /// Errors: any other text, and a number out of range.
    pub fn int(
        &self,
        name: &'static str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> Result<i64, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(default) };
        text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            ExploreError::bad(name, format!("{text:?} is no integer from {low} to {high}"))
        })
    }

    /// `true` or `1`; false where the parameter is absent.
    pub fn flag(&self, name: &'static str) -> Result<bool, ExploreError> {
        self.choice(name, &[("false", false), ("0", false), ("true", true), ("1", true)], false)
    }

    /// The value of the option that the parameter names, or `default` where it is absent.
    pub fn choice<T: Copy>(
        &self,
        name: &'static str,
        options: &[(&str, T)],
        default: T,
    ) -> Result<T, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(default) };
        let found = options.iter().find(|(option, _)| *option == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = options.iter().map(|(option, _)| *option).collect();
            ExploreError::bad(name, format!("{text:?} is none of {}", names.join(", ")))
        })
    }

    /// A share of the whole from 0 to 1, in billionths.
    pub fn share_ppb(&self, name: &'static str) -> Result<i64, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(0) };
        let share = scale_decimal(&text, 9).filter(|share| *share <= 1_000_000_000);
        share.ok_or_else(|| ExploreError::bad(name, format!("{text:?} is no share from 0 to 1, like 0.001")))
    }

    /// The parameter `id`, where there is one.
    pub fn call_id(&self) -> Result<Option<CallId>, ExploreError> {
        let Some(text) = self.scalar("id")? else { return Ok(None) };
        let id = CallId::parse(&text).filter(|id| (-MAX_TIME_NS..=MAX_TIME_NS).contains(&id.start_ns));
        let refuse = || ExploreError::bad("id", format!("{text:?} is no call; expected call-1213@5000.3"));
        id.map(Some).ok_or_else(refuse)
    }

    /// The text, which has at most `max_chars` characters; `None` where it is absent or empty.
    pub fn text(&self, name: &'static str, max_chars: usize) -> Result<Option<String>, ExploreError> {
        let Some(text) = self.scalar(name)? else { return Ok(None) };
        match text.chars().count() {
            0 => Ok(None),
            length if length > max_chars => {
                Err(ExploreError::bad(name, format!("{length} characters; the limit is {max_chars}")))
            }
            _ => Ok(Some(text)),
        }
    }

    /// Integers: `3`, `"0,2,3"` or `[0, 2, 3]`; empty where absent.
    pub fn ints<T: std::str::FromStr>(&self, name: &'static str) -> Result<Vec<T>, ExploreError> {
        let items = self.names(name)?;
        let parse = |item: &String| {
            item.trim()
                .parse()
                .map_err(|_| ExploreError::bad(name, format!("{item:?} is no integer in range")))
        };
        items.iter().map(parse).collect()
    }

    /// Names: `"a,b"` or `["a", "b"]`; empty where absent.
    pub fn names(&self, name: &'static str) -> Result<Vec<String>, ExploreError> {
        let items: Vec<String> = match self.values.get(name) {
            None => Vec::new(),
            Some(Value::Array(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(scalar_text).collect();
                texts.ok_or_else(|| ExploreError::bad(name, "expected names or numbers"))?
            }
            Some(_) => {
                let text = self.scalar(name)?.unwrap_or_default();
                text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect()
            }
        };
        if items.len() > MAX_LIST || items.iter().any(|item| item.chars().count() > MAX_NAME_CHARS) {
            let limits = format!("at most {MAX_LIST} items of {MAX_NAME_CHARS} characters");
            return Err(ExploreError::bad(name, limits));
        }
        Ok(items)
    }

    /// One name, kept whole: a comm may hold a comma.
    pub fn name_or_list(&self, name: &'static str) -> Result<Vec<String>, ExploreError> {
        match self.values.get(name) {
            Some(Value::String(text)) if text.chars().count() <= MAX_NAME_CHARS => Ok(vec![text.clone()]),
            _ => self.names(name),
        }
    }

    /// The parameter as it would be repeated in another request; `None` where it is absent.
    pub fn shown(&self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            Value::Array(items) => Some(items.iter().filter_map(scalar_text).collect::<Vec<_>>().join(",")),
            value => scalar_text(value),
        }
    }

    fn scalar(&self, name: &'static str) -> Result<Option<String>, ExploreError> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let text = scalar_text(value).ok_or_else(|| ExploreError::bad(name, "expected one value"))?;
        Ok(Some(text))
    }
}

fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(start: &str, end: &str, expected: Result<(i64, i64), &str>) {
        let json = format!(
            r#"{{"start":{start},"end":{end},"trace":{{"origin_ns":"14372732649000","duration_ns":1000}}}}"#
        );
        let window = Params::parse(&json).and_then(|params| params.window());
        let window = window.map(|window| (window.start_ns, window.end_ns)).map_err(|error| error.to_string());
        assert_eq!(window, expected.map_err(str::to_owned));
    }

    #[test]
    fn times_are_nanoseconds_durations_or_stamps() {
        check("null", "null", Ok((0, 1001)));
        check("100", "\"50us\"", Ok((100, 50_000)));
        check("\"14372.732649\"", "\"14372.732650001\"", Ok((0, 1001)));
        check("-5", "\"7\"", Ok((-5, 7)));
    }

    #[test]
    fn refusals_name_the_parameter() {
        check("7", "7", Err("end: end (7) must be after start (7)"));
        check(
            "\"soon\"",
            "7",
            Err(
                "start: \"soon\" is no time; expected nanoseconds from trace start (1500), a duration (50us), \
                 or a stamp (14372.732649)",
            ),
        );
        check("[1]", "7", Err("start: expected one value"));
        check(
            "7,\"at\":\"14372.732649\"",
            "9",
            Err("at: sets the start of the window, as start does; give only one of the two"),
        );
    }
}

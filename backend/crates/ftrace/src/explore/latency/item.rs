//! Cases as lists show them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

use serde::Serialize;

use super::case::interval;
use super::case_id::{CaseId, CaseNames};
use super::explaining::Unexplained;
use super::field_series::FieldSeries;
use super::placed_sample::PlacedSample;
use crate::analyses::{LatencyKind, SampleFlags};
use crate::explain::{Case, Recorded, event};
use crate::explore::duration::clock_text;
use crate::explore::request::Params;
use crate::kinds;
use crate::model::{TimeUnit, grouped};
use crate::store::decode::DecodeError;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::read_rows;
use crate::store::read::samples::StoredLatency;
use crate::store::tables::projections::EXPLANATION;

/// One case of a list.
#[derive(Debug, Serialize)]
pub struct CaseItem {
    pub id: CaseId,
    kind: &'static str,
    t: i64,
    end: i64,
    duration_ns: i64,
    /// That of `duration_ns`.
    unit: &'static str,
    cpu: i16,
    /// Where it began, if that is another CPU.
    start_cpu: Option<i16>,
    pid: Option<i32>,
    comm: Option<String>,
    key: Option<String>,
    flags: Vec<&'static str>,
    /// How many equal measurements it stands for.
    weight: i64,
    detail: String,
    pub headline: String,
    is_explained: bool,
    pub url: String,
    /// What it was made of.
    #[serde(skip)]
    found: (&'static LatencyKind, StoredLatency),
}

impl CaseItem {
    /// The same with the sentence of its explanation.
    pub fn explained(self, headline: String) -> Self {
        Self { headline, is_explained: true, ..self }
    }

    /// Sets the sentence of its explanation.
    pub fn explain(&mut self, headline: String) {
        (self.headline, self.is_explained) = (headline, true);
    }

    /// Its id with the sentence of its explanation.
    pub fn into_sentence(self) -> Option<(String, String)> {
        let Self { id, headline, is_explained, .. } = self;
        is_explained.then(|| (id.to_string(), headline))
    }

    /// The case, if it was not explained yet. What took no time cannot be explained.
    pub fn unexplained(&self) -> Option<Unexplained> {
        let (latency, sample) = self.found;
        let kind = kinds::find(latency.name).filter(|_| !self.is_explained && !sample.is_number())?;
        Some(Unexplained { kind, sample })
    }
}

/// First sentences of the cases that were explained when the trace was loaded, by id.
pub fn headlines(explanation: &[u8]) -> Result<BTreeMap<String, String>, DecodeError> {
    let rows = read_rows(&EXPLANATION, explanation, |row| {
        row.skip("trace_key")?;
        row.skip("kind")?;
        row.skip("rank")?;
        Ok((row.text("id")?.to_owned(), row.text("headline")?.to_owned()))
    })?;
    Ok(rows.into_iter().collect())
}

/// What the items of one trace are made with.
pub struct CaseItems<'d, 'a> {
    pub origin_ns: i64,
    time_unit: TimeUnit,
    pub trace_url: String,
    pub tasks: &'d Dictionary<Task<'a>>,
    pub symbols: &'d Dictionary<Symbol<'a>>,
    /// Where the samples are read from events: of which field.
    pub series: Option<&'d FieldSeries>,
    /// First sentences of the cases that were explained, by id.
    pub headlines: BTreeMap<String, String>,
    /// The names, for sentences about what nothing else is known of.
    named: OnceLock<Recorded<'a>>,
}

impl<'d, 'a> CaseItems<'d, 'a> {
    /// Headlines are by the id of their case; a case without one gets a sentence of its numbers only.
    pub fn new(
        params: &Params,
        headlines: BTreeMap<String, String>,
        tasks: &'d Dictionary<Task<'a>>,
        symbols: &'d Dictionary<Symbol<'a>>,
    ) -> Self {
        let trace_url = params.trace_url().to_owned();
        Self {
            origin_ns: params.origin_ns(),
            time_unit: params.trace().time_unit,
            trace_url,
            tasks,
            symbols,
            series: None,
            headlines,
            named: OnceLock::new(),
        }
    }

    /// The same where the samples are read from events.
    pub fn of_series(self, series: Option<&'d FieldSeries>) -> Self {
        Self { series, ..self }
    }

    /// Names of `samples[at]` for each `at`; what the samples must hold is said at [`CaseNames::ids`].
    pub fn ids(&self, kind: &'static LatencyKind, samples: &[StoredLatency], at: &[usize]) -> Vec<CaseId> {
        self.names(kind).ids(samples, at)
    }

    fn names(&self, kind: &'static LatencyKind) -> CaseNames<'d, 'a> {
        let Self { origin_ns, tasks, symbols, series, .. } = *self;
        CaseNames { kind, origin_ns, tasks, symbols, series }
    }

    /// The name of a sample whose number is known.
    pub fn id(&self, found: &PlacedSample) -> CaseId {
        self.names(found.kind).id(&found.sample, found.number)
    }

    /// The item of a sample whose number is known.
    pub fn placed(&self, found: &PlacedSample) -> CaseItem {
        self.item(found.kind, self.id(found), &found.sample)
    }

    /// Items for `samples[at]` for each `at`.
    pub fn items(
        &self,
        kind: &'static LatencyKind,
        samples: &[StoredLatency],
        at: &[usize],
    ) -> Vec<CaseItem> {
        let shown = at.iter().filter_map(|at| samples.get(*at));
        self.ids(kind, samples, at).into_iter().zip(shown).map(|(id, one)| self.item(kind, id, one)).collect()
    }

    /// The item of the worst sample that a task has of a kind that is about tasks: of those that it began at
    /// once, the longest has no number.
    pub fn worst_of_task(&self, kind: &'static LatencyKind, worst: &StoredLatency) -> CaseItem {
        self.item(kind, self.names(kind).id(worst, 0), worst)
    }

    /// The item of one sample.
    pub fn item(&self, kind: &'static LatencyKind, id: CaseId, sample: &StoredLatency) -> CaseItem {
        let task = self.tasks.get(sample.task_idx);
        let key = self.symbols.get(sample.symbol_idx).map(Symbol::display);
        let explained = self.headlines.get(&id.to_string());
        CaseItem {
            kind: kind.name,
            t: sample.start_ns,
            end: sample.end_ns(),
            duration_ns: sample.duration_ns,
            unit: if sample.is_number() { "none" } else { "ns" },
            cpu: sample.cpu,
            start_cpu: Some(sample.start_cpu).filter(|cpu| *cpu != sample.cpu),
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm.to_owned()),
            flags: flag_names(sample.flags),
            weight: sample.weight,
            detail: detail(kind, sample, self.time_unit),
            headline: explained.cloned().unwrap_or_else(|| self.plain(kind, sample)),
            is_explained: explained.is_some(),
            url: self.url(&id),
            key,
            id,
            found: (kind, *sample),
        }
    }

    /// A sentence for a case that was not explained: what happened, but not why.
    fn plain(&self, latency: &'static LatencyKind, sample: &StoredLatency) -> String {
        if sample.is_number() {
            let key = self.symbols.get(sample.symbol_idx).map(Symbol::display);
            return number_text(sample.cpu, key.as_deref().unwrap_or(latency.name), sample.duration_ns);
        }
        let names = || Recorded::of_names(self.tasks.clone(), self.symbols.clone(), self.time_unit);
        let names = self.named.get_or_init(names);
        let kind = kinds::find(latency.name);
        kind.map(|kind| event(&Case::new(kind, &interval(sample), self.tasks, self.symbols), names))
            .unwrap_or_default()
    }

    /// The permalink of a case.
    pub fn url(&self, id: &CaseId) -> String {
        let mut url = format!("{}/cases/", self.trace_url);
        for byte in id.to_string().bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' | b'+' => {
                    url.push(char::from(byte));
                }
                // Writing to a String cannot fail.
                _ => _ = write!(url, "%{byte:02X}"),
            }
        }
        url
    }
}

fn flag_names(flags: SampleFlags) -> Vec<&'static str> {
    SampleFlags::NAMES.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, name)| *name).collect()
}

/// What else is known of the sample, in a few words.
fn detail(kind: &LatencyKind, sample: &StoredLatency, unit: TimeUnit) -> String {
    let mut parts = Vec::new();
    if sample.start_cpu != sample.cpu {
        let began = if kind.has_sleep { "woken" } else { "began" };
        parts.push(format!("{began} on CPU {}", sample.start_cpu));
    }
    if let Some(sleep_ns) = sample.sleep_ns {
        parts.push(format!("slept {}", clock_text(sleep_ns, unit)));
    }
    match sample.idle_state {
        Some(state) if state >= 0 => parts.push(format!("CPU was in idle state {state}")),
        Some(_) => parts.push("CPU was busy".to_owned()),
        None => {}
    }
    if let Some(khz) = sample.frequency_khz {
        parts.push(format!("{} MHz", khz.div_euclid(1_000)));
    }
    parts.extend(flag_names(sample.flags).into_iter().map(|name| name.replace('_', " ")));
    parts.join(", ")
}

/// `CPU 1: hrtimer_cb.delta is 9,656`; a source that names its CPU is not led by it: `ftq CPU 1: 1,094`.
fn number_text(cpu: i16, key: &str, value: i64) -> String {
    let (place, value) = (format!("CPU {cpu}"), grouped(value));
    if key.ends_with(&place) { format!("{key}: {value}") } else { format!("{place}: {key} is {value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_its_cpu_once() {
        assert_eq!(number_text(1, "hrtimer_cb.delta", 9_656), "CPU 1: hrtimer_cb.delta is 9,656");
        assert_eq!(number_text(1, "ftq CPU 1", 1_094), "ftq CPU 1: 1,094");
        assert_eq!(number_text(1, "ftq CPU 11", 7), "CPU 1: ftq CPU 11 is 7");
    }
}

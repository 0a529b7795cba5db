//! Which latencies a request is about.

use hashbrown::HashSet;

use super::field_series::FieldSeries;
use super::task_filter::TaskFilter;
use crate::analyses::LatencyKind;
use crate::explain::Kind;
use crate::explore::ExploreError;
use crate::explore::request::{Params, Window};
use crate::kinds::{self, FIELD, latency_kinds};
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::StoredLatency;

/// The filters of a request, as it names them; an empty list lets everything through.
#[derive(Debug)]
pub struct Selection {
    /// In the order of the registry, each once.
    pub kinds: Vec<&'static LatencyKind>,
    pub window: Window,
    pub min_ns: Option<i64>,
    cpus: Vec<i16>,
    tasks: TaskFilter,
    keys: Vec<String>,
    max_ns: Option<i64>,
    has_window: bool,
    /// Where the samples are read from events: of which field.
    pub series: Option<FieldSeries>,
}

impl Selection {
    /// Every kind where the request names none.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let names = params.names("kind")?;
        for name in &names {
            known_kind(name)?;
        }
        let fields = params.name_or_list("field")?;
        if !fields.is_empty() && names.iter().any(|name| name != FIELD.name) {
            return Err(ExploreError::bad("field", "goes with kind=field"));
        }
        let is_wanted = |kind: &&LatencyKind| match (names.is_empty(), fields.is_empty()) {
            (true, true) => true,
            (true, false) => kind.code == FIELD.code,
            (false, _) => names.iter().any(|name| name == kind.name),
        };
        let series = FieldSeries::of_events(params);
        let is_number = series.as_ref().is_some_and(FieldSeries::is_number);
        let bound = |name| if is_number { params.number(name) } else { params.duration(name) };
        let keys = match (&series, fields.is_empty()) {
            (Some(_), _) => Vec::new(),
            (None, false) => fields.clone(),
            (None, true) => params.name_or_list("key")?,
        };
        Ok(Self {
            kinds: latency_kinds().filter(is_wanted).collect(),
            window: params.window()?,
            min_ns: bound("min")?,
            cpus: params.ints("cpu")?,
            tasks: TaskFilter::from_params(params)?,
            keys,
            max_ns: bound("max")?,
            has_window: !params.has_no_window(),
            series,
        })
    }

    /// For answers about one kind, which the request has to name.
    pub fn of_one_kind(params: &Params) -> Result<(Self, &'static LatencyKind), ExploreError> {
        let selection = Self::from_params(params)?;
        let is_named = params.names("kind")?.len() == 1 || !params.name_or_list("field")?.is_empty();
        match selection.kinds.as_slice() {
            [kind] if is_named => {
                let kind = *kind;
                Ok((selection, kind))
            }
            _ => Err(ExploreError::bad("kind", format!("expected one of {}", kind_names()))),
        }
    }

    /// True where every sample of the kinds is meant.
    pub fn is_whole(&self) -> bool {
        let has_filter =
            self.series.is_some() || self.has_window || self.min_ns.is_some() || self.max_ns.is_some();
        !has_filter && self.tasks.is_empty() && self.keys.is_empty() && self.cpus.is_empty()
    }

    /// The filters on one trace, whose names they are compared with.
    pub fn matcher(&self, tasks: &Dictionary<Task<'_>>, symbols: &Dictionary<Symbol<'_>>) -> Matcher {
        let is_wanted_symbol = |symbol: &Symbol<'_>| self.keys.contains(&symbol.display());
        Matcher {
            window: self.window,
            cpus: self.cpus.clone(),
            min_ns: self.min_ns,
            max_ns: self.max_ns,
            tasks: self.tasks.indices(tasks),
            symbols: (!self.keys.is_empty()).then(|| indices(symbols, is_wanted_symbol)),
        }
    }
}

/// Says of single samples whether they are meant.
pub struct Matcher {
    window: Window,
    cpus: Vec<i16>,
    min_ns: Option<i64>,
    max_ns: Option<i64>,
    /// Stored indices; `None` lets all through.
    tasks: Option<HashSet<i32>>,
    symbols: Option<HashSet<i32>>,
}

impl Matcher {
    /// True where every condition of the selection holds for the sample.
    pub fn matches(&self, sample: &StoredLatency) -> bool {
        self.is_in_window(sample)
            && self.min_ns.is_none_or(|min_ns| sample.duration_ns >= min_ns)
            && self.max_ns.is_none_or(|max_ns| sample.duration_ns <= max_ns)
            && (self.cpus.is_empty() || self.cpus.contains(&sample.cpu))
            && self.tasks.as_ref().is_none_or(|tasks| tasks.contains(&sample.task_idx))
            && self.symbols.as_ref().is_none_or(|symbols| symbols.contains(&sample.symbol_idx))
    }

    /// The record that ends a sample is part of it: with the first of a trace, a tracer reports what began
    /// before.
    fn is_in_window(&self, sample: &StoredLatency) -> bool {
        let window = self.window;
        sample.start_ns < window.end_ns && sample.end_ns() >= window.start_ns
    }
}

fn indices<T>(dictionary: &Dictionary<T>, is_wanted: impl Fn(&T) -> bool) -> HashSet<i32> {
    dictionary.iter().filter(|(_, entry)| is_wanted(entry)).map(|(idx, _)| idx).collect()
}

/// Errors: the name is no kind's.
pub fn known_kind(name: &str) -> Result<&'static dyn Kind, ExploreError> {
    let refuse = || {
        ExploreError::bad("kind", format!("{name:?} is no kind of latency; expected one of {}", kind_names()))
    };
    kinds::find(name).ok_or_else(refuse)
}

fn kind_names() -> String {
    latency_kinds().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

//! Which part of a trace is exported, and what is known of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::ExploreError;
use super::super::protocol::Stored;
use super::super::request::{Params, TraceFacts, Window};
use crate::model::TimeUnit;

/// A window on some CPUs of a recording.
#[derive(Clone)]
pub struct Scope {
    pub window: Window,
    /// Empty for all.
    pub cpus: Vec<i16>,
    /// False where a part is left out.
    pub is_whole: bool,
    pub origin_ns: i64,
    pub trace: TraceFacts,
    pub recording: Recording,
}

/// What the file says of itself.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Recording {
    pub kernel: Option<String>,
    pub tracer: Option<String>,
    pub cpu_count: Option<u32>,
    pub facts: BTreeMap<String, serde_json::Value>,
}

impl Recording {
    /// A fact of the header as text.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }
}

impl Scope {
    /// The part of the trace that the parameters choose, with what the file says of itself.
    pub async fn fetch(stored: &Stored, params: Params) -> Result<Self, ExploreError> {
        let cpus: Vec<i16> = params.ints("cpu")?;
        Ok(Self {
            window: params.open_window()?,
            is_whole: params.has_no_window() && cpus.is_empty(),
            cpus,
            origin_ns: params.origin_ns(),
            recording: stored.json("recording").await?,
            trace: params.trace().clone(),
        })
    }

    /// The part of it on one CPU.
    pub fn of_cpu(&self, cpu: i16) -> Self {
        Self { cpus: vec![cpu], is_whole: false, ..self.clone() }
    }

    /// True where records of this CPU are exported.
    pub fn has_cpu(&self, cpu: i16) -> bool {
        self.cpus.is_empty() || self.cpus.contains(&cpu)
    }

    /// The trace's clock at a time from its first record.
    pub fn stamp(&self, t_ns: i64) -> i64 {
        self.origin_ns.saturating_add(t_ns)
    }

    /// Its clock does not count seconds.
    pub fn counts_ticks(&self) -> bool {
        self.trace.time_unit == TimeUnit::Ticks
    }
}

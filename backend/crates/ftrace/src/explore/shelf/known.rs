//! What a parser says of a whole recording.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::model::TimeUnit;

/// The parts of an import's summary that questions and people ask about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// The file's, which the parser does not know.
    #[serde(skip_deserializing)]
    pub name: String,
    pub format: String,
    pub tracer: Option<String>,
    pub kernel: Option<String>,
    pub clock: Option<String>,
    pub time_unit: TimeUnit,
    pub time_origin: Option<String>,
    pub cpus: Vec<i16>,
    pub cpu_count: i64,
    pub origin_ns: String,
    pub duration_ns: i64,
    pub event_count: i64,
    pub lost_events: i64,
    pub buffers: Vec<Buffer>,
    pub facts: BTreeMap<String, String>,
}

/// A buffer that events come from; `None` for the top one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Buffer {
    pub name: Option<String>,
}

impl Known {
    /// Of the summary at the end of an import.
    pub(super) fn read(name: &str, summary: &[u8]) -> Result<Self, serde_json::Error> {
        let known: Self = serde_json::from_slice(summary)?;
        Ok(Self { name: name.to_owned(), ..known })
    }

    /// JSON of what every question must know of its trace.
    pub(super) fn trace_facts(&self) -> Vec<u8> {
        let buffers: Vec<_> = self.buffers.iter().map(|buffer| &buffer.name).collect();
        bytes(&json!({
            "url": "",
            "time_unit": self.time_unit,
            "origin_ns": self.origin_ns,
            "duration_ns": self.duration_ns,
            "cpus": self.cpus,
            "buffers": buffers,
            "event_count": self.event_count,
            "clock": self.clock,
            "preemption_model": self.facts.get("preemption_model"),
        }))
    }

    /// JSON of what distinguishes the sides of a comparison.
    pub(super) fn side_facts(&self, id: &str) -> Vec<u8> {
        bytes(&json!({
            "id": id,
            "name": self.name,
            "url": "",
            "kernel": self.kernel,
            "tracer": self.tracer,
            "clock": self.clock,
            "time_unit": self.time_unit,
            "time_origin": self.time_origin,
            "cpu_count": self.cpu_count,
            "facts": self.facts,
        }))
    }

    /// CPUs that the file calls isolated, as `isolcpus=` lists them.
    pub(super) fn isolated_cpus(&self) -> String {
        self.facts.get("isolated").cloned().unwrap_or_default()
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

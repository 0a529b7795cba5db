//! What is known of a side besides its tree, and how an answer shows it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::located::LocatedCall;
use super::words;
use crate::explore::ExploreError;
use crate::explore::protocol::Stored;
use crate::model::TimeUnit;
use crate::store::read::dictionaries::Loss;

/// The facts of a recording that may differ between the sides.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Recording {
    pub id: String,
    pub name: String,
    /// Permalink of the trace.
    pub url: String,
    pub kernel: Option<String>,
    pub tracer: Option<String>,
    pub clock: Option<String>,
    /// What one step of its clock is.
    pub time_unit: TimeUnit,
    pub time_origin: Option<String>,
    pub cpu_count: Option<i64>,
    /// Everything else that the file says, by stable name.
    pub facts: BTreeMap<String, Value>,
}

impl Recording {
    /// What is known of the trace that the question is about.
    pub async fn fetch(stored: &Stored) -> Result<Self, ExploreError> {
        stored.json("recording").await
    }

    /// A fact that is a text.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }
}

/// One side as an answer shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    pub trace: String,
    pub trace_name: String,
    /// As it can be asked for again.
    pub id: String,
    pub title: String,
    pub cpu: i16,
    pub pid: Option<i32>,
    pub comm: Option<String>,
    pub t: i64,
    pub duration_ns: i64,
    pub url: String,
}

impl Side {
    /// A call, titled by its function and CPU.
    pub fn of_call(trace: &Recording, call: &LocatedCall) -> Self {
        Self {
            trace: trace.id.clone(),
            trace_name: trace.name.clone(),
            id: call.id.clone(),
            title: format!("{} on CPU {}", call.symbol, call.cpu),
            cpu: call.cpu,
            pid: call.pid,
            comm: call.comm.clone(),
            t: call.t,
            duration_ns: call.duration_ns,
            url: format!("{}/calls?call={}", trace.url, words::percent_encoded(&call.id)),
        }
    }

    /// Events that were lost on its CPU while it ran.
    pub fn has_loss(&self, losses: &[Loss]) -> bool {
        let end_ns = self.t.saturating_add(self.duration_ns);
        let is_on_cpu = |loss: &&Loss| loss.cpu.is_none_or(|cpu| cpu == self.cpu);
        losses.iter().filter(is_on_cpu).any(|loss| loss.start_ns < end_ns && self.t < loss.end_ns)
    }
}

//! Recordings for tests, stored as the import stores them.

use std::path::Path;

use serde_json::{Value, json};

use super::super::protocol::{Answer, Shelf, ask};
use crate::formats::read_any;
use crate::import::testing::import_with;
use crate::model::Limits;
use crate::store::testing::Written;

/// A recording as it is stored, and what is known of it.
pub struct Recording {
    shelf: Shelf,
    pub written: Written,
    pub facts: Value,
}

impl Recording {
    pub fn of(file: &[u8]) -> Self {
        let limits = Limits::default();
        let (written, summary) = import_with(&limits, |importer| {
            read_any(&file.to_vec(), &mut Vec::new(), &limits, importer).unwrap();
        });
        let mut facts = serde_json::to_value(summary).unwrap();
        let names = facts["buffers"].as_array().unwrap().iter().map(|buffer| buffer["name"].clone());
        facts["buffers"] = names.collect();
        Self { shelf: Shelf::of(&written), written, facts }
    }

    pub fn of_sample(name: &str) -> Self {
        Self::of(&sample(name))
    }

    pub fn ask(&self, question: &str, parameters: Value) -> Vec<u8> {
        self.answer(question, parameters).unwrap()
    }

    pub fn refusal(&self, question: &str, parameters: Value) -> String {
        self.answer(question, parameters).unwrap_err().to_string()
    }

    fn answer(&self, question: &str, mut parameters: Value) -> Answer {
        parameters["trace"] = self.facts.clone();
        ask(question, &parameters.to_string(), &self.shelf)
    }

    pub fn export(&self, format: &str) -> Vec<u8> {
        self.ask("export", json!({"format": format}))
    }

    pub fn json(&self, format: &str) -> Value {
        serde_json::from_slice(&self.export(format)).unwrap()
    }

    /// Every event but for its number: two of one time on different CPUs may change places.
    pub fn events(&self) -> Vec<String> {
        let mut events = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page: Value =
                serde_json::from_slice(&self.ask("events", json!({"limit": 1000, "cursor": cursor})))
                    .unwrap();
            for event in page["items"].as_array().unwrap() {
                let mut event = event.clone();
                event.as_object_mut().unwrap().remove("seq");
                events.push(event.to_string());
            }
            cursor = page["next"].clone();
            if cursor.is_null() {
                return events;
            }
        }
    }
}

/// One of the recordings that come with the project.
pub fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces").join(name);
    #[expect(clippy::disallowed_methods, reason = "the recordings are files")]
    std::fs::read(path).unwrap()
}

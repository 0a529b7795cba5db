//! What to do about a case, and what to record next time, in the shape of the API.

use serde::Serialize;

use crate::explain::{AdviceEntry, Link, RecordNext, Recording, Setting, advice, record_next};
use crate::explore::request::Params;

/// One entry of the table of advice.
#[derive(Serialize)]
pub struct AdviceItem {
    name: &'static str,
    mechanism: &'static str,
    title: &'static str,
    meaning: &'static str,
    helps: &'static str,
    check: &'static str,
    reference: &'static str,
}

#[derive(Serialize)]
pub struct RecordNextItem {
    command: String,
    why: String,
}

/// What is advised where the chain of a case has the links `why`.
pub fn advice_items<'a>(
    setting: &Setting<'_, '_, 'a>,
    why: &[Link<'a>],
    params: &Params,
) -> (Vec<AdviceItem>, Option<RecordNextItem>) {
    let trace = params.trace();
    let recording = Recording {
        duration_ns: trace.duration_ns,
        event_count: trace.event_count,
        cpu_count: trace.cpus.len(),
        clock: trace.clock.as_deref(),
    };
    let next = record_next(setting.case, why, setting.around, &recording);
    let next = next.map(|RecordNext { command, why }| RecordNextItem { command, why });
    (advice(setting, why).into_iter().map(AdviceItem::new).collect(), next)
}

impl AdviceItem {
    fn new(entry: &AdviceEntry) -> Self {
        let AdviceEntry { name, mechanism, title, meaning, helps, check, reference, .. } = *entry;
        Self { name, mechanism: mechanism.name(), title, meaning, helps, check, reference }
    }
}

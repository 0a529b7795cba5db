//! What the programs' formats hand on.

use std::collections::BTreeMap;

use crate::events::{Measured, Quantity};
use crate::model::{
    Code, Diagnostic, EventKind, EventRecord, Facts, Flags, Limits, Place, ReadError, Sink, TaskRef,
    TimeOrigin, Timestamp,
};

/// Facts of a file, and bytes of one.
const MAX_FACTS: usize = 64;
const MAX_FACT_BYTES: usize = 256;
/// No position is laid out past this, about 73 years.
const MAX_POSITION_NS: i64 = i64::MAX / 4;

pub struct Out<'s> {
    pub sink: &'s mut dyn Sink,
    /// The line that is being looked at.
    pub place: Place,
    pub facts: Facts,
    max_lanes: usize,
    /// By lane, how many values without a time it has so far: values follow each other, a nanosecond each.
    counts: BTreeMap<u16, i64>,
    text: Vec<u8>,
}

impl<'s> Out<'s> {
    pub fn new(sink: &'s mut dyn Sink, limits: &Limits) -> Self {
        Self {
            sink,
            place: Place::default(),
            facts: Facts::default(),
            max_lanes: usize::try_from(limits.max_cpus).unwrap_or(usize::MAX),
            counts: BTreeMap::new(),
            text: Vec::new(),
        }
    }

    /// The lane of a CPU or a thread; `None`, and told, past the limit of CPUs.
    pub fn lane(&mut self, number: i64) -> Result<Option<u16>, ReadError> {
        let lane = usize::try_from(number).ok().filter(|number| *number < self.max_lanes);
        let lane = lane.and_then(|lane| u16::try_from(lane).ok());
        if lane.is_none() {
            let (code, place) = (Code::CpuOutOfRange, self.place);
            let sample = number.to_string();
            self.sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count: 1 })?;
        }
        Ok(lane)
    }

    /// So many values of this size; nothing where there are none. Without a time of their own, values of a
    /// lane are laid out one behind the other.
    pub fn measured(
        &mut self,
        lane: u16,
        at_ns: Option<i64>,
        quantity: Quantity,
        count: i64,
        source: &str,
    ) -> Result<(), ReadError> {
        if count <= 0 {
            return Ok(());
        }
        let position_ns = self.counts.entry(lane).or_default();
        let ts = Timestamp(at_ns.unwrap_or(*position_ns));
        *position_ns = position_ns.saturating_add(count).min(MAX_POSITION_NS);
        if at_ns.is_none() {
            self.facts.time_origin = Some(TimeOrigin::Derived);
        }
        self.text.clear();
        Measured { quantity, count, source: source.as_bytes() }.write(&mut self.text);
        let name = source.split_once(' ').map_or(source, |(program, _)| program);
        self.sink.event(&EventRecord {
            ts,
            cpu: lane,
            buffer: b"",
            task: TaskRef::default(),
            flags: Flags::default(),
            kind: EventKind::Measurement,
            system: None,
            name: name.as_bytes(),
            args: &self.text,
            place: self.place,
        })
    }

    /// Something that the file states; past the limit of such, nothing more is kept.
    pub fn fact(&mut self, name: &str, value: &str) {
        let is_known = self.facts.other.contains_key(name);
        let value = value.trim();
        let is_short = name.len() <= MAX_FACT_BYTES && value.len() <= MAX_FACT_BYTES;
        if is_short && !value.is_empty() && (is_known || self.facts.other.len() < MAX_FACTS) {
            self.facts.other.insert(name.to_owned(), value.to_owned());
        }
    }

    pub fn finish(&mut self) -> Result<(), ReadError> {
        self.sink.facts(std::mem::take(&mut self.facts))
    }
}

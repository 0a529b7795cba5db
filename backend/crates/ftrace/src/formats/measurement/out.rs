//! What the programs' formats hand on.

use std::collections::BTreeMap;

use crate::events::{Measured, Quantity};
use crate::model::{
    Code, Diagnostic, EventKind, EventRecord, Facts, Flags, Limits, Place, Sink, Stop, TaskRef, TimeOrigin,
    Timestamp,
};

/// Facts of a file, and bytes of one.
const MAX_FACTS: usize = 64;
const MAX_FACT_BYTES: usize = 256;
/// No position is laid out past this, about 73 years.
const MAX_POSITION_NS: i64 = i64::MAX / 4;

/// Where values belong: on a CPU, or, where the file names none, beside those of the same thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane {
    number: u16,
    is_cpu: bool,
}

impl Lane {
    /// The lane of a file that distinguishes no threads and no CPUs.
    pub const ONLY: Lane = Lane { number: 0, is_cpu: false };
}

pub struct Out<'s> {
    pub sink: &'s mut dyn Sink,
    /// The line that is being looked at.
    pub place: Place,
    pub facts: Facts,
    max_lanes: usize,
    /// By lane, how many values without a time it has so far: values follow each other, a nanosecond each.
    counts: BTreeMap<Lane, i64>,
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

    /// The lane of a CPU; past the limit of CPUs `None`, which is reported.
    pub fn cpu(&mut self, number: i64) -> Result<Option<Lane>, Stop> {
        self.lane(number, true)
    }

    /// The lane of a thread whose CPU the file does not state; past the limit of CPUs `None`, which is reported.
    pub fn thread(&mut self, number: i64) -> Result<Option<Lane>, Stop> {
        self.lane(number, false)
    }

    /// The lane of this CPU, or of a thread where there is none.
    pub fn cpu_or_thread(&mut self, cpu: Option<i64>, thread: i64) -> Result<Option<Lane>, Stop> {
        self.lane(cpu.unwrap_or(thread), cpu.is_some())
    }

    fn lane(&mut self, number: i64, is_cpu: bool) -> Result<Option<Lane>, Stop> {
        let within = usize::try_from(number).ok().filter(|number| *number < self.max_lanes);
        let within = within.and_then(|number| u16::try_from(number).ok());
        if within.is_none() {
            self.report(Code::CpuOutOfRange, &number.to_string())?;
        }
        Ok(within.map(|number| Lane { number, is_cpu }))
    }

    /// Reports a problem of the line that is being looked at.
    pub fn report(&mut self, code: Code, sample: &str) -> Result<(), Stop> {
        self.report_many(code, sample, 1)
    }

    /// Reports a comment of pairs, `cpu=1 n=150`, of which one has lost its sign: `cpu1 n=150`.
    pub fn check_pairs(&mut self, comment: &str) -> Result<(), Stop> {
        const MIN_PAIRS: usize = 3;
        let (pairs, others): (Vec<_>, Vec<_>) =
            comment.split_ascii_whitespace().skip(1).partition(|word| word.contains('='));
        let is_pair = |word: &&str| {
            let name = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
            !name.is_empty()
                && name.len() < word.len()
                && name.chars().all(|letter| letter.is_ascii_lowercase())
        };
        match others.iter().find(|word| is_pair(word)) {
            Some(word) if pairs.len() >= MIN_PAIRS => self.report(Code::DoubtfulValue, word),
            _ => Ok(()),
        }
    }

    /// The same of a problem that is there `count` times.
    pub fn report_many(&mut self, code: Code, sample: &str, count: u64) -> Result<(), Stop> {
        let (place, sample) = (self.place, sample.as_bytes());
        self.sink.diagnostic(Diagnostic { code, place, sample, count })
    }

    /// Hands on `count` values of this size; nothing where there are none. Without a time of their own, values of a
    /// lane are laid out one after the other.
    pub fn measured(
        &mut self,
        lane: Lane,
        at_ns: Option<i64>,
        quantity: Quantity,
        count: i64,
        source: &str,
    ) -> Result<(), Stop> {
        self.measured_of(
            TaskRef::default(),
            lane,
            at_ns,
            Measured { quantity, count, source: source.as_bytes() },
        )
    }

    /// The same for what was measured of a task.
    pub fn measured_of(
        &mut self,
        task: TaskRef<'_>,
        lane: Lane,
        at_ns: Option<i64>,
        measured: Measured<'_>,
    ) -> Result<(), Stop> {
        let Measured { count, source, .. } = measured;
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
        measured.write(&mut self.text);
        let program = source.split(|byte| *byte == b' ').next().unwrap_or_default();
        self.sink.event(&EventRecord {
            ts,
            cpu: lane.number,
            buffer: b"",
            task,
            flags: Flags::default(),
            kind: EventKind::Measurement,
            system: None,
            name: program,
            args: &self.text,
            place: self.place,
        })
    }

    /// Keeps a fact that the file states, up to the limit.
    pub fn fact(&mut self, name: &str, value: &str) {
        let is_known = self.facts.other.contains_key(name);
        let value = value.trim();
        let is_short = name.len() <= MAX_FACT_BYTES && value.len() <= MAX_FACT_BYTES;
        if is_short && !value.is_empty() && (is_known || self.facts.other.len() < MAX_FACTS) {
            self.facts.other.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Hands on the facts, after the last line.
    pub fn finish(&mut self) -> Result<(), Stop> {
        self.sink.facts(std::mem::take(&mut self.facts))
    }
}

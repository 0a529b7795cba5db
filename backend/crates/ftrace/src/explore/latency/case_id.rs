//! Public names of latency cases: made of what a case is, so that a permalink outlives loading it again.

use std::fmt;

use hashbrown::{HashMap, HashSet};

use super::field_series::FieldSeries;
use crate::analyses::{LatencyKind, Subject};
use crate::explore::ids::Owner;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::{Severity, StoredLatency};

/// What distinguishes the samples of a kind, in its name: `field.hrtimer_cb.delta`.
const KEY_IN_NAME: &str = "field";

/// `wakeup-1213@2563694114000`, `irq-cpu1@2563695110000+1`, `field.hrtimer_cb.delta-cpu6@14372732649000`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseId {
    /// The stable name of the kind.
    pub kind: String,
    /// For the kind `field`: which field.
    pub field: Option<String>,
    pub owner: Owner,
    /// On the clock of the file, not from the trace's first record.
    pub start_ns: i64,
    /// Tells cases of one owner and one start apart: from the longest, among equal ones as stored.
    pub number: u32,
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if let Some(field) = &self.field {
            write!(f, ".{field}")?;
        }
        match self.owner {
            Owner::Pid(pid) => write!(f, "-{pid}@{}", self.start_ns)?,
            Owner::Cpu(cpu) => write!(f, "-cpu{cpu}@{}", self.start_ns)?,
        }
        match self.number {
            0 => Ok(()),
            number => write!(f, "+{number}"),
        }
    }
}

impl serde::Serialize for CaseId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl CaseId {
    /// The case that the text names; `None` where it is no name, or not the only spelling of one.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, place) = text.rsplit_once('@')?;
        let (name, owner) = name.rsplit_once('-')?;
        let (kind, field) = match name.split_once('.') {
            Some((kind, field)) => (kind, Some(field.to_owned())),
            None => (name, None),
        };
        let (start_ns, number) = match place.split_once('+') {
            Some((start_ns, number)) => (start_ns, number.parse().ok()?),
            None => (place, 0),
        };
        let owner = match owner.strip_prefix("cpu") {
            Some(cpu) => Owner::Cpu(cpu.parse().ok()?),
            None => Owner::Pid(owner.parse().ok()?),
        };
        let id = Self { kind: kind.to_owned(), field, owner, start_ns: start_ns.parse().ok()?, number };
        // One case has one name: `wakeup-007@+5+0` is none.
        (id.to_string() == text && !kind.is_empty()).then_some(id)
    }
}

/// Names the samples of one kind in one trace.
pub struct CaseNames<'d, 'a> {
    pub kind: &'static LatencyKind,
    /// Absolute time of the trace's first record.
    pub origin_ns: i64,
    pub tasks: &'d Dictionary<Task<'a>>,
    pub symbols: &'d Dictionary<Symbol<'a>>,
    /// Where the samples are read from events: of which field.
    pub series: Option<&'d FieldSeries>,
}

impl CaseNames<'_, '_> {
    /// The names of `samples[at]` for each `at` of `wanted`. The samples must be all of the kind, or at
    /// least all that begin when a wanted one does.
    pub fn ids(&self, samples: &[StoredLatency], wanted: &[usize]) -> Vec<CaseId> {
        let starts: HashSet<i64> =
            wanted.iter().filter_map(|at| samples.get(*at)).map(|sample| self.named_ns(sample)).collect();
        let rivals = samples.iter().enumerate().filter(|(_, sample)| starts.contains(&self.named_ns(sample)));
        let mut equal: HashMap<CaseId, Vec<(Severity, usize)>> = HashMap::new();
        for (at, sample) in rivals {
            equal.entry(self.unnumbered(sample)).or_default().push((sample.severity(), at));
        }
        equal.values_mut().for_each(|rivals| rivals.sort_unstable());
        let id = |at: &usize| {
            let id = self.unnumbered(samples.get(*at)?);
            let number = equal.get(&id)?.iter().position(|(_, rival)| rival == at)?;
            Some(CaseId { number: u32::try_from(number).ok()?, ..id })
        };
        wanted.iter().filter_map(id).collect()
    }

    /// Which of the samples has this name.
    pub fn find(&self, id: &CaseId, samples: &[StoredLatency]) -> Option<usize> {
        let nameless = CaseId { number: 0, ..id.clone() };
        let rivals = samples.iter().enumerate().filter(|(_, sample)| self.unnumbered_is(sample, &nameless));
        let mut rivals: Vec<_> = rivals.map(|(at, sample)| (sample.severity(), at)).collect();
        rivals.sort_unstable();
        rivals.get(usize::try_from(id.number).ok()?).map(|(_, at)| *at)
    }

    /// The name of a sample that comes so late among those of one owner and one start.
    pub fn id(&self, sample: &StoredLatency, number: u32) -> CaseId {
        CaseId { number, ..self.unnumbered(sample) }
    }

    /// True where the names of two samples of one start differ in nothing but their numbers.
    pub fn is_one_name(&self, one: &StoredLatency, other: &StoredLatency) -> bool {
        let field =
            |sample: &StoredLatency| (self.kind.key_name == Some(KEY_IN_NAME)).then_some(sample.symbol_idx);
        self.owner(one) == self.owner(other) && field(one) == field(other)
    }

    fn owner(&self, sample: &StoredLatency) -> Owner {
        match self.kind.subject {
            Subject::Task => Owner::new(self.tasks.get(sample.task_idx), sample.cpu),
            Subject::Cpu => Owner::Cpu(sample.cpu),
        }
    }

    fn unnumbered_is(&self, sample: &StoredLatency, id: &CaseId) -> bool {
        self.named_ns(sample).saturating_add(self.origin_ns) == id.start_ns && self.unnumbered(sample) == *id
    }

    /// The time in its name: of samples that are read from events, that of the event, so that a case is found
    /// by it.
    pub fn named_ns(&self, sample: &StoredLatency) -> i64 {
        named_ns(self.series, sample)
    }

    fn unnumbered(&self, sample: &StoredLatency) -> CaseId {
        let symbol = || match self.series {
            Some(series) => Some(series.id_name()),
            None => self.symbols.get(sample.symbol_idx).map(|symbol| symbol.name.to_owned()),
        };
        CaseId {
            kind: self.kind.name.to_owned(),
            field: (self.kind.key_name == Some(KEY_IN_NAME)).then(symbol).flatten(),
            owner: self.owner(sample),
            start_ns: self.named_ns(sample).saturating_add(self.origin_ns),
            number: 0,
        }
    }
}

/// The time that names a sample in its id: the start, or for a field of events the end, which is the event's
/// own time.
pub fn named_ns(series: Option<&FieldSeries>, sample: &StoredLatency) -> i64 {
    if series.is_some() { sample.end_ns() } else { sample.start_ns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::testing::import_lines;
    use crate::store::read::dictionaries::{read_symbols, read_tasks};
    use crate::store::read::samples::read_samples;
    use crate::store::tables;

    fn check(text: &str, expected: Option<CaseId>) {
        assert_eq!(CaseId::parse(text), expected, "{text}");
    }

    fn id(kind: &str, owner: Owner, start_ns: i64, number: u32) -> CaseId {
        CaseId { kind: kind.to_owned(), field: None, owner, start_ns, number }
    }

    #[test]
    fn ids_are_read_as_they_are_written() {
        check("wakeup-1213@2563694", Some(id("wakeup", Owner::Pid(1213), 2_563_694, 0)));
        check("irq-cpu6@-5+2", Some(id("irq", Owner::Cpu(6), -5, 2)));
        let field = Some("hrtimer_cb.delta".to_owned());
        let expected = CaseId { field, ..id("field", Owner::Cpu(6), 7, 0) };
        check("field.hrtimer_cb.delta-cpu6@7", Some(expected));
    }

    #[test]
    fn other_text_is_no_id() {
        let texts = ["", "wakeup", "wakeup-1@", "-1@2", "wakeup-01@2", "wakeup-1@+2", "wakeup-1@2+0"];
        for text in texts.into_iter().chain(["wakeup-cpux@2", "wakeup@2", "wakeup-1@2+", ".x-1@2"]) {
            check(text, None);
        }
    }

    #[test]
    fn the_longest_of_equal_starts_comes_first() {
        let (written, _) = import_lines(
            "
            <idle>-0 [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
            <idle>-0 [0] 1.000010: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
            <idle>-0 [1] 1.000035: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [1] 1.000045: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            ",
        );
        let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap()).unwrap();
        let symbols = read_symbols(b"").unwrap();
        let blocks: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
        let kind = crate::kinds::find("wakeup").unwrap().latency();
        let samples = read_samples(kind, &blocks, &[]).unwrap();
        let names =
            CaseNames { kind, origin_ns: 1_000_010_000, tasks: &tasks, symbols: &symbols, series: None };
        let ids = names.ids(&samples, &[1, 0]);
        let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["wakeup-7@1000010000", "wakeup-9@1000010000"]);
        assert_eq!(names.find(&ids[0], &samples), Some(1));
        // Were both of one task, the longer one would go without a number.
        let samples = [0, 1].map(|at: usize| StoredLatency { task_idx: samples[0].task_idx, ..samples[at] });
        let ids = names.ids(&samples, &[0, 1]);
        let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["wakeup-9@1000010000+1", "wakeup-9@1000010000"]);
        assert_eq!(ids.iter().map(|id| names.find(id, &samples)).collect::<Vec<_>>(), [Some(0), Some(1)]);
        assert_eq!(names.find(&CaseId { number: 2, ..ids[0].clone() }, &samples), None);
    }
}

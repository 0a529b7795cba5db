//! The small tables of a trace: names behind the indices of blocks, losses, notes, statistics.

use super::columns::read_rows;
use super::name_idx::Name;
use crate::store::decode::{DecodeError, Row};
use crate::store::tables::{self, Table};

/// A task, or one CPU's idle task (pid 0 with its CPU).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task<'a> {
    pub pid: Option<i32>,
    pub cpu: Option<i16>,
    pub comm: &'a str,
    /// The kernel's priority that it ran with most often.
    pub prio: Option<i16>,
}

/// A name on a slice, with the module that a function lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    pub name: &'a str,
    pub module: Option<&'a str>,
}

impl Symbol<'_> {
    /// As the kernel prints it: `vfio_fops_open [vfio]`.
    pub fn display(&self) -> String {
        match self.module {
            Some(module) => format!("{} [{module}]", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// What sort of record an event is: `sched_switch`, `print` ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventType<'a> {
    pub name: &'a str,
    pub kind: &'a str,
    pub system: Option<&'a str>,
}

/// A field of a type of events that holds a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventField<'a> {
    pub event_type: i16,
    pub name: &'a str,
    pub unit_ns: Option<i64>,
    pub unit_source: Option<&'a str>,
    pub is_sampled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter<'a> {
    pub name: &'a str,
    pub unit: Option<&'a str>,
}

/// A stretch of time in which events were lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub cpu: Option<i16>,
    pub start_ns: i64,
    pub end_ns: i64,
    pub lost_count: Option<i64>,
}

/// A hand-written remark in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    pub t_ns: i64,
    pub cpu: Option<i16>,
    pub text: &'a str,
}

/// Where a task was in the code, innermost frame first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack<'a> {
    pub t_ns: i64,
    pub cpu: Option<i16>,
    /// `kernel` or `user`.
    pub kind: &'a str,
    pub frames: Vec<&'a str>,
}

/// What all calls of one function add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionStat {
    pub symbol_idx: i32,
    pub count: i64,
    pub total_ns: i64,
    pub self_ns: i64,
    pub min_ns: i64,
    pub p50_ns: i64,
    pub p99_ns: i64,
    pub max_ns: i64,
    pub slowest_start_ns: i64,
    pub slowest_cpu: i16,
    pub slowest_task_idx: Option<i32>,
    pub slowest_depth: i16,
}

/// The tasks by index; every CPU has an idle task of its own.
pub fn read_tasks(bytes: &[u8]) -> Result<Dictionary<Task<'_>>, DecodeError> {
    Dictionary::read(&tables::TASK, bytes, |row| {
        let (pid, cpu) = (row.optional_int("pid")?, row.optional_int("cpu")?);
        row.skip("tgid")?;
        let comm = row.text("comm")?;
        row.skip("event_count")?;
        Ok(Task { pid, cpu, comm, prio: row.optional_int("prio")? })
    })
}

/// The functions and interrupts by index.
pub fn read_symbols(bytes: &[u8]) -> Result<Dictionary<Symbol<'_>>, DecodeError> {
    Dictionary::read(&tables::SYMBOL, bytes, |row| {
        Ok(Symbol { name: row.text("name")?, module: row.optional_text("module")? })
    })
}

/// The types of events by index.
pub fn read_event_types(bytes: &[u8]) -> Result<Dictionary<EventType<'_>>, DecodeError> {
    Dictionary::read(&tables::EVENT_TYPE, bytes, |row| {
        Ok(EventType {
            name: row.text("name")?,
            kind: row.text("kind")?,
            system: row.optional_text("system")?,
        })
    })
}

/// The counters by index.
pub fn read_counters(bytes: &[u8]) -> Result<Dictionary<Counter<'_>>, DecodeError> {
    Dictionary::read(&tables::COUNTER, bytes, |row| {
        Ok(Counter { name: row.text("name")?, unit: row.optional_text("unit")? })
    })
}

/// One row a field that holds numbers.
pub fn read_event_fields(bytes: &[u8]) -> Result<Vec<EventField<'_>>, DecodeError> {
    read_rows(&tables::EVENT_FIELD, bytes, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        Ok(EventField {
            event_type: row.int("type")?,
            name: row.text("name")?,
            unit_ns: row.optional_int("unit_ns")?,
            unit_source: row.optional_text("unit_source")?,
            is_sampled: row.int::<i16>("is_sampled")? != 0,
        })
    })
}

/// One row a loss, in the order of the stream; `cpu` is `None` where it may lie on any.
pub fn read_losses(bytes: &[u8]) -> Result<Vec<Loss>, DecodeError> {
    read_rows(&tables::LOSS, bytes, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        Ok(Loss {
            cpu: row.optional_int("cpu")?,
            start_ns: row.int("start_ns")?,
            end_ns: row.int("end_ns")?,
            lost_count: row.optional_int("lost_count")?,
        })
    })
}

/// One row a note, in the order of the stream.
pub fn read_notes(bytes: &[u8]) -> Result<Vec<Note<'_>>, DecodeError> {
    read_rows(&tables::NOTE, bytes, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        Ok(Note { t_ns: row.int("t_ns")?, cpu: row.optional_int("cpu")?, text: row.text("text")? })
    })
}

/// One row a stack, in the order of the stream.
pub fn read_stacks(bytes: &[u8]) -> Result<Vec<Stack<'_>>, DecodeError> {
    read_rows(&tables::STACK, bytes, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        let (t_ns, cpu) = (row.int("t_ns")?, row.optional_int("cpu")?);
        let kind = row.text("kind")?;
        row.skip("task")?;
        Ok(Stack { t_ns, cpu, kind, frames: row.texts("frames")? })
    })
}

/// One row a function that was called.
pub fn read_function_stats(bytes: &[u8]) -> Result<Vec<FunctionStat>, DecodeError> {
    read_rows(&tables::FUNCTION_STAT, bytes, |row| {
        row.skip("trace_key")?;
        let stat = FunctionStat {
            symbol_idx: row.int("symbol")?,
            count: row.int("count")?,
            total_ns: row.int("total_ns")?,
            self_ns: row.int("self_ns")?,
            min_ns: row.int("min_ns")?,
            p50_ns: row.int("p50_ns")?,
            p99_ns: row.int("p99_ns")?,
            max_ns: row.int("max_ns")?,
            slowest_start_ns: {
                row.skip("slowest_call")?;
                row.int("slowest_start_ns")?
            },
            slowest_cpu: row.int("slowest_cpu")?,
            slowest_task_idx: row.optional_int("slowest_task")?.filter(|idx| *idx >= 0),
            slowest_depth: row.int("slowest_depth")?,
        };
        Ok(stat)
    })
}

/// Rows of a table by their `idx`, which need neither start at 0 nor be without gaps.
#[derive(Clone, Debug)]
pub struct Dictionary<T> {
    entries: Vec<(i32, T)>,
}

impl<T> Dictionary<T> {
    fn read<'a>(
        table: &'static Table,
        bytes: &'a [u8],
        mut read: impl FnMut(&mut Row<'a>) -> Result<T, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let mut entries = read_rows(table, bytes, |row| {
            row.skip("trace_key")?;
            Ok((row.int("idx")?, read(row)?))
        })?;
        entries.sort_by_key(|(idx, _)| *idx);
        Ok(Self { entries })
    }

    /// A dictionary in which nothing is found.
    pub fn empty() -> Self {
        Self { entries: Vec::new() }
    }

    /// The same with one more entry, at [`Name::Added`].
    pub fn with(mut self, entry: T) -> Self {
        self.entries.push((Name::Added.idx(), entry));
        self
    }

    /// `None` for an absent index, and for one that the dictionary does not hold.
    pub fn get(&self, idx: i32) -> Option<&T> {
        // Indices count from 0 without gaps in every trace that we wrote, so the first look hits.
        let direct = usize::try_from(idx).ok().and_then(|at| self.entries.get(at));
        match direct {
            Some((found, entry)) if *found == idx => Some(entry),
            _ => {
                let at = self.entries.binary_search_by_key(&idx, |(idx, _)| *idx).ok()?;
                self.entries.get(at).map(|(_, entry)| entry)
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (i32, &T)> {
        self.entries.iter().map(|(idx, entry)| (*idx, entry))
    }
}

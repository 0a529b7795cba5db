//! What statistics are grouped by.

use hashbrown::HashMap;
use serde::Serialize;

use crate::analyses::LatencyKind;
use crate::explore::ExploreError;
use crate::explore::duration::duration_text;
use crate::explore::request::Params;
use crate::model::grouped;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::StoredLatency;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    Cpu,
    Pid,
    Comm,
    Key,
    Sleep,
    Frequency,
    IdleState,
}

const NAMES: [(&str, GroupBy); 7] = [
    ("cpu", GroupBy::Cpu),
    ("pid", GroupBy::Pid),
    ("comm", GroupBy::Comm),
    ("key", GroupBy::Key),
    ("sleep", GroupBy::Sleep),
    ("frequency", GroupBy::Frequency),
    ("idle_state", GroupBy::IdleState),
];

/// Times asleep are grouped by these, each the first of its group.
const SLEEPS_NS: [i64; 7] = [0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// One group as an answer names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupName {
    name: &'static str,
    value: Option<Value>,
    label: String,
    /// Where this is the rest of the groups: how many.
    folded: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Value {
    Number(i64),
    Text(String),
}

impl GroupBy {
    /// The names by which samples of the kind can be grouped.
    pub fn names(kind: &LatencyKind) -> Vec<&'static str> {
        NAMES.iter().filter(|(_, by)| by.fits(kind)).map(|(name, _)| *name).collect()
    }

    /// The parameter `group_by`; `None` where it is absent.
    ///
    /// Errors: a name that the samples of the kind have no value of.
    pub fn from_params(params: &Params, kind: &LatencyKind) -> Result<Option<Self>, ExploreError> {
        let options = NAMES.map(|(name, by)| (name, Some(by)));
        let by = params.choice("group_by", &options, None)?;
        match by {
            Some(by) if !by.fits(kind) => {
                let detail =
                    format!("samples of {} are grouped by {}", kind.name, Self::names(kind).join(", "));
                Err(ExploreError::bad("group_by", detail))
            }
            by => Ok(by),
        }
    }

    /// True where groups follow each other by their value; else the worst comes first.
    pub fn is_by_value(self) -> bool {
        !matches!(self, Self::Pid | Self::Comm | Self::Key)
    }

    fn fits(self, kind: &LatencyKind) -> bool {
        match self {
            Self::Cpu | Self::Pid | Self::Comm => true,
            Self::Key => kind.key_name.is_some(),
            Self::Sleep | Self::Frequency | Self::IdleState => kind.has_sleep,
        }
    }
}

/// Finds the groups of one trace's samples.
pub struct Grouping<'d, 'a> {
    by: GroupBy,
    tasks: &'d Dictionary<Task<'a>>,
    symbols: &'d Dictionary<Symbol<'a>>,
    /// By task name, the first task that has it.
    comms: HashMap<&'a str, i32>,
}

/// Stands for a group within one answer; `None` where it is not known.
pub type GroupKey = Option<i64>;

impl<'d, 'a> Grouping<'d, 'a> {
    /// Sorts the samples of one trace into groups by `by`.
    pub fn new(by: GroupBy, tasks: &'d Dictionary<Task<'a>>, symbols: &'d Dictionary<Symbol<'a>>) -> Self {
        let mut comms = HashMap::new();
        for (idx, task) in tasks.iter() {
            comms.entry(task.comm).or_insert(idx);
        }
        Self { by, tasks, symbols, comms }
    }

    /// The group of a sample.
    pub fn key(&self, sample: &StoredLatency) -> GroupKey {
        let task = || self.tasks.get(sample.task_idx);
        match self.by {
            GroupBy::Cpu => Some(i64::from(sample.cpu)),
            GroupBy::Pid => task()?.pid.map(i64::from),
            GroupBy::Comm => self.comms.get(task()?.comm).copied().map(i64::from),
            GroupBy::Key => self.symbols.get(sample.symbol_idx).map(|_| i64::from(sample.symbol_idx)),
            GroupBy::Sleep => SLEEPS_NS.into_iter().rev().find(|from_ns| Some(*from_ns) <= sample.sleep_ns),
            GroupBy::Frequency => sample.frequency_khz.map(i64::from),
            GroupBy::IdleState => sample.idle_state.map(i64::from),
        }
    }

    /// What the answer calls a group: the parameter that selects only it, its value and a label.
    pub fn name(&self, key: GroupKey) -> GroupName {
        let (value, label) = match key {
            Some(key) => self.known(key),
            None => (None, "unknown".to_owned()),
        };
        GroupName { name: self.param(), value, label, folded: None }
    }

    /// The name of `count` groups together.
    pub fn folded(&self, count: usize) -> GroupName {
        GroupName {
            name: self.param(),
            value: None,
            label: format!("{} others", grouped(count)),
            folded: Some(count),
        }
    }

    fn param(&self) -> &'static str {
        NAMES.iter().find(|(_, by)| *by == self.by).map_or("", |(name, _)| *name)
    }

    fn known(&self, key: i64) -> (Option<Value>, String) {
        let idx = i32::try_from(key).unwrap_or(-1);
        let number = Some(Value::Number(key));
        match self.by {
            GroupBy::Cpu => (number, format!("CPU {key}")),
            GroupBy::Pid => (number, self.pid_label(idx)),
            GroupBy::Comm => {
                let comm = self.tasks.get(idx).map_or("", |task| task.comm);
                (Some(Value::Text(comm.to_owned())), comm.to_owned())
            }
            GroupBy::Key => {
                let name = self.symbols.get(idx).map(Symbol::display).unwrap_or_default();
                (Some(Value::Text(name.clone())), name)
            }
            GroupBy::Sleep => {
                let until = SLEEPS_NS.into_iter().find(|from_ns| *from_ns > key);
                let label = match until {
                    Some(until) if key == 0 => format!("slept less than {}", duration_text(until)),
                    Some(until) => format!("slept {} to {}", duration_text(key), duration_text(until)),
                    None => format!("slept {} or more", duration_text(key)),
                };
                (number, label)
            }
            GroupBy::Frequency => (number, format!("{} MHz", key.div_euclid(1_000))),
            GroupBy::IdleState if key < 0 => (number, "not idle".to_owned()),
            GroupBy::IdleState => (number, format!("idle state {key}")),
        }
    }

    fn pid_label(&self, pid: i32) -> String {
        let task = self.tasks.iter().find(|(_, task)| task.pid == Some(pid));
        task.map_or_else(|| pid.to_string(), |(_, task)| format!("{}-{pid}", task.comm))
    }
}

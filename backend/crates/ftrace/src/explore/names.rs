//! Dictionaries of one answer: only the names that it uses, numbered by their first use.

use serde::Serialize;

use crate::store::read::dictionaries::{Dictionary, Symbol, Task};

/// Numbers of an answer for indices of a stored dictionary.
#[derive(Debug)]
pub struct LocalNames<'d, T> {
    dictionary: &'d Dictionary<T>,
    /// By stored index, which is below the number of names in the trace; `None` where not yet used.
    local: Vec<Option<u32>>,
    used: Vec<i32>,
}

impl<'d, T> LocalNames<'d, T> {
    pub fn new(dictionary: &'d Dictionary<T>) -> Self {
        Self { dictionary, local: Vec::new(), used: Vec::new() }
    }

    /// `None` for an absent index, and for one that the dictionary does not hold.
    pub fn number(&mut self, idx: i32) -> Option<u32> {
        let at = usize::try_from(idx).ok()?;
        if let Some(number) = self.local.get(at).copied().flatten() {
            return Some(number);
        }
        self.dictionary.get(idx)?;
        let number = u32::try_from(self.used.len()).ok()?;
        if self.local.len() <= at {
            self.local.resize(at.saturating_add(1), None);
        }
        *self.local.get_mut(at)? = Some(number);
        self.used.push(idx);
        Some(number)
    }

    /// The stored entry behind an index.
    pub fn entry(&self, idx: i32) -> Option<&'d T> {
        self.dictionary.get(idx)
    }

    /// The entries that have a number, in the order of their numbers.
    pub fn used(&self) -> impl Iterator<Item = &'d T> {
        self.used.iter().filter_map(|idx| self.dictionary.get(*idx))
    }
}

/// A task as answers show it; `cpu` is given for idle tasks, of which every CPU has its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskName {
    pub pid: Option<i32>,
    pub comm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<i16>,
}

/// The tasks that the answer uses, in the order of their numbers.
pub fn task_names(names: &LocalNames<'_, Task<'_>>) -> Vec<TaskName> {
    names.used().map(|task| TaskName { pid: task.pid, comm: task.comm.to_owned(), cpu: task.cpu }).collect()
}

/// The functions that the answer uses, each with its module, in the order of their numbers.
pub fn symbol_names(names: &LocalNames<'_, Symbol<'_>>) -> Vec<String> {
    names.used().map(Symbol::display).collect()
}

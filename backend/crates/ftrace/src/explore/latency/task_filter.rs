//! The parameters `pid`, `comm` and `priority_class`: which tasks' latencies are meant.

use hashbrown::HashSet;

use crate::explore::ExploreError;
use crate::explore::priority_class::PriorityClass;
use crate::explore::request::Params;
use crate::store::read::dictionaries::{Dictionary, Task};

/// The tasks that a request names; an empty list lets all through.
#[derive(Debug, Default)]
pub struct TaskFilter {
    pids: Vec<i32>,
    comms: Vec<String>,
    classes: Vec<PriorityClass>,
}

impl TaskFilter {
    /// Errors: a parameter that is malformed, or a class that does not exist.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        Ok(Self {
            pids: params.ints("pid")?,
            comms: params.name_or_list("comm")?,
            classes: PriorityClass::from_params(params)?,
        })
    }

    /// True where every task is meant, and what no task is known of.
    pub fn is_empty(&self) -> bool {
        self.pids.is_empty() && self.comms.is_empty() && self.classes.is_empty()
    }

    /// True where every condition that is set holds for the task.
    pub fn matches(&self, task: &Task<'_>) -> bool {
        let has_pid = self.pids.is_empty() || task.pid.is_some_and(|pid| self.pids.contains(&pid));
        let class = task.prio.map(PriorityClass::of);
        has_pid
            && (self.comms.is_empty() || self.comms.iter().any(|comm| comm == task.comm))
            && (self.classes.is_empty() || class.is_some_and(|class| self.classes.contains(&class)))
    }

    /// Indices of the tasks that are meant; `None` where all are.
    pub fn indices(&self, tasks: &Dictionary<Task<'_>>) -> Option<HashSet<i32>> {
        let wanted = || tasks.iter().filter(|(_, task)| self.matches(task)).map(|(idx, _)| idx).collect();
        (!self.is_empty()).then(wanted)
    }
}

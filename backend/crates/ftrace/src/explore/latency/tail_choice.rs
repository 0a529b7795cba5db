//! Whose samples a tail profile is asked of, and whether that is kept.

use std::collections::{BTreeMap, BTreeSet};

use super::tail_profile::Subject;
use super::task_filter::TaskFilter;
use super::worst::read_by_task;
use crate::analyses::{LatencyKind, Subject as KindSubject};
use crate::explore::ExploreError;
use crate::explore::priority_class::PriorityClass;
use crate::explore::request::Params;
use crate::model::grouped;
use crate::store::read::dictionaries::{Dictionary, Task};

pub struct Choice {
    filter: TaskFilter,
    classes: Vec<PriorityClass>,
    /// A class says it all.
    is_by_class: bool,
    /// Tasks that have samples of the kind and are meant.
    meant: BTreeSet<i32>,
    parameters: BTreeMap<&'static str, String>,
}

/// The filters on tasks, by the names of their parameters.
const BY_TASK: [&str; 3] = ["pid", "comm", "priority_class"];

impl Choice {
    /// Errors: the kind is about CPUs, and tasks are asked for.
    pub fn from_params(
        params: &Params,
        kind: &LatencyKind,
        tasks: &Dictionary<Task<'_>>,
        latency_task: &[u8],
    ) -> Result<Self, ExploreError> {
        let filter = TaskFilter::from_params(params)?;
        let mut parameters = BTreeMap::new();
        for name in BY_TASK {
            if let Some(text) = params.shown(name) {
                if kind.subject != KindSubject::Task {
                    let detail =
                        format!("{} is about CPUs, not about tasks; leave the filter out", kind.name);
                    return Err(ExploreError::bad(name, detail));
                }
                parameters.insert(name, text);
            }
        }
        let by_task = read_by_task(latency_task)?;
        let of_kind = by_task.get(&kind.code).into_iter().flatten().map(|one| one.worst.task_idx);
        let meant = of_kind.filter(|idx| tasks.get(*idx).is_some_and(|task| filter.matches(task)));
        let is_by_class = parameters.keys().all(|name| *name == "priority_class");
        let classes = PriorityClass::from_params(params)?;
        Ok(Self { meant: meant.collect(), filter, classes, is_by_class, parameters })
    }

    /// The numbers of the subjects that are meant.
    ///
    /// Errors: some tasks that are meant are not kept apart.
    pub fn subjects(
        &self,
        subjects: impl Iterator<Item = Subject>,
        tasks: &Dictionary<Task<'_>>,
    ) -> Result<BTreeSet<i32>, ExploreError> {
        let subjects: Vec<Subject> = subjects.collect();
        let of_class = |subject: &&Subject| subject.class.is_some_and(|class| self.classes.contains(&class));
        if self.filter.is_empty() {
            return Ok(subjects.iter().map(|subject| subject.number).collect());
        }
        if self.is_by_class {
            return Ok(subjects.iter().filter(of_class).map(|subject| subject.number).collect());
        }
        let number = |idx: &i32| {
            subjects.iter().find(|subject| subject.task_idx == Some(*idx)).map(|subject| subject.number)
        };
        let found: BTreeSet<i32> = self.meant.iter().filter_map(number).collect();
        if found.len() < self.meant.len() && !subjects.is_empty() {
            let apart: BTreeSet<&str> =
                subjects.iter().filter_map(|subject| Some(tasks.get(subject.task_idx?)?.comm)).collect();
            let apart = apart.into_iter().collect::<Vec<_>>().join(", ");
            let parameter = if self.parameters.contains_key("pid") { "pid" } else { "comm" };
            return Err(ExploreError::bad(
                parameter,
                format!(
                    "{} of the {} tasks meant are not kept apart; those that are: {apart}; ask for one of these, for \
                     priority_class, or for all tasks",
                    grouped(self.meant.len().saturating_sub(found.len())),
                    grouped(self.meant.len()),
                ),
            ));
        }
        Ok(found)
    }

    /// The filters as parameters of a list.
    pub fn parameters(&self) -> BTreeMap<&'static str, String> {
        self.parameters.clone()
    }

    /// ` of cyclictest`, ` of pid 7`, ` of real-time tasks`; nothing for all.
    pub fn whose(&self) -> String {
        let [pid, comm, class] = BY_TASK.map(|name| self.parameters.get(name));
        match (comm, pid, class) {
            (Some(comm), Some(pid), _) => format!(" of {comm} (pid {pid})"),
            (Some(comm), None, _) => format!(" of {comm}"),
            (None, Some(pid), _) => format!(" of pid {pid}"),
            (None, None, Some(class)) => {
                format!(" of {} tasks", class.replace('_', "-").replace(',', " and "))
            }
            (None, None, None) => String::new(),
        }
    }
}

//! What a block must hold for anything in it to match, as its header says it.

use hashbrown::HashSet;

use super::ExploreError;
use super::filter::Filter;
use super::priority_class::PriorityClass;
use super::protocol::{self, Listed, Need, Stored};
use super::request::Params;
use crate::store::read::dictionaries::{Dictionary, EventType, Task};
use crate::store::read::headers::read_events;
use crate::store::tables::projections::EVENT_HEADER;

/// By column of the headers, the values of which a block must hold one; `None` where any will do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub cpus: Option<Vec<i32>>,
    pub tasks: Option<Vec<i32>>,
    pub types: Option<Vec<i32>>,
}

impl Wanted {
    /// From the parameters `cpu`, `pid`, `comm` and `event`, and from terms of `q` about these.
    pub fn from_params(
        params: &Params,
        tasks: &Dictionary<Task<'_>>,
        types: &Dictionary<EventType<'_>>,
    ) -> Result<Self, ExploreError> {
        let filter = Filter::from_params(params)?;
        let (pids, comms) = (params.ints("pid")?, params.name_or_list("comm")?);
        let classes = PriorityClass::from_params(params)?;
        let of_class: Option<HashSet<i32>> = (!classes.is_empty()).then(|| {
            let is_wanted =
                |task: &Task<'_>| task.prio.is_some_and(|prio| classes.contains(&PriorityClass::of(prio)));
            tasks.iter().filter(|(_, task)| is_wanted(task)).map(|(idx, _)| idx).collect()
        });
        let named = task_indices(tasks, &pids, &comms, &filter);
        Ok(Self {
            cpus: cpus(&params.ints("cpu")?, &filter),
            tasks: both(named, of_class).map(sorted),
            types: type_indices(types, &params.names("event")?, &filter).map(sorted),
        })
    }

    /// `headers` of samples or slices, narrowed. Their columns list no event types.
    pub fn narrow(&self, headers: Need) -> Need {
        Self::narrowed(headers, [(Listed::Cpu, &self.cpus), (Listed::Task, &self.tasks)])
    }

    /// Numbers of the event blocks that hold what is wanted; `None` where that leaves all of them.
    pub async fn event_blocks(&self, stored: &Stored) -> Result<Option<HashSet<i32>>, ExploreError> {
        if *self == Self::default() {
            return Ok(None);
        }
        let columns = [(Listed::Cpu, &self.cpus), (Listed::Task, &self.tasks), (Listed::Type, &self.types)];
        let headers = stored.part(Self::narrowed(stored.all(&EVENT_HEADER), columns)).await;
        Ok(Some(read_events(&headers)?.into_iter().map(|header| header.block).collect()))
    }

    fn narrowed<const N: usize>(headers: Need, columns: [(Listed, &Option<Vec<i32>>); N]) -> Need {
        columns.into_iter().fold(headers, |need, (column, values)| match values {
            Some(values) => need.filtered(protocol::Filter::Holds(column, values.clone())),
            None => need,
        })
    }
}

/// The CPUs that are meant; `None` where nothing names them.
fn cpus(given: &[i16], filter: &Filter) -> Option<Vec<i32>> {
    let is_wanted = |cpu: &i16| filter.may_hold_on_cpu(*cpu);
    let wanted: Vec<i16> = if given.is_empty() {
        i16::try_from(filter.only_cpu()?).ok().filter(is_wanted).into_iter().collect()
    } else {
        given.iter().copied().filter(is_wanted).collect()
    };
    Some(wanted.into_iter().map(i32::from).collect())
}

/// Indices of the tasks that are meant; `None` where all are, or where what no task is known of is meant, too.
pub fn task_indices(
    tasks: &Dictionary<Task<'_>>,
    pids: &[i32],
    comms: &[String],
    filter: &Filter,
) -> Option<HashSet<i32>> {
    let is_wanted = |task: &Task<'_>| {
        (pids.is_empty() || task.pid.is_some_and(|pid| pids.contains(&pid)))
            && (comms.is_empty() || comms.iter().any(|comm| comm == task.comm))
            && filter.may_hold_for_task(task.pid, Some(task.comm))
    };
    if pids.is_empty() && comms.is_empty() && filter.may_hold_for_task(None, None) {
        return None;
    }
    Some(tasks.iter().filter(|(_, task)| is_wanted(task)).map(|(idx, _)| idx).collect())
}

/// Indices of the event types that are meant; `None` where all are, or where those without a name are, too.
pub fn type_indices(
    types: &Dictionary<EventType<'_>>,
    names: &[String],
    filter: &Filter,
) -> Option<HashSet<i32>> {
    let is_wanted = |found: &EventType<'_>| {
        (names.is_empty() || names.iter().any(|name| name == found.name))
            && filter.may_hold_for_type(found.name)
    };
    if names.is_empty() && filter.may_hold_for_type("") {
        return None;
    }
    Some(types.iter().filter(|(_, found)| is_wanted(found)).map(|(idx, _)| idx).collect())
}

/// What is in both; `None` is in all.
fn both(one: Option<HashSet<i32>>, other: Option<HashSet<i32>>) -> Option<HashSet<i32>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
        (one, other) => one.or(other),
    }
}

fn sorted(indices: HashSet<i32>) -> Vec<i32> {
    let mut indices: Vec<i32> = indices.into_iter().collect();
    indices.sort_unstable();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fixture::{event_types, tasks};
    use crate::store::read::dictionaries::{read_event_types, read_tasks};

    fn check(request: &str, cpus: Option<&[i32]>, task_idx: Option<&[i32]>, type_idx: Option<&[i32]>) {
        let tasks = tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]);
        let types = event_types(&[("print", "print"), ("sched_switch", "tracepoint")]);
        let params = Params::parse(request).unwrap();
        let wanted =
            Wanted::from_params(&params, &read_tasks(&tasks).unwrap(), &read_event_types(&types).unwrap());
        let listed = |values: Option<&[i32]>| values.map(<[i32]>::to_vec);
        let expected = Wanted { cpus: listed(cpus), tasks: listed(task_idx), types: listed(type_idx) };
        assert_eq!(wanted.unwrap(), expected, "{request}");
    }

    #[test]
    fn plain_parameters_say_what_a_block_must_hold() {
        check(r#"{"end":99}"#, None, None, None);
        check(r#"{"end":99,"cpu":1,"pid":999999}"#, Some(&[1]), Some(&[]), None);
        check(r#"{"end":99,"comm":"sh"}"#, None, Some(&[0]), None);
        check(r#"{"end":99,"event":"nothing"}"#, None, None, Some(&[]));
        // No event says what these run with.
        check(r#"{"end":99,"priority_class":"fair"}"#, None, Some(&[]), None);
        check(r#"{"end":99,"priority_class":"fair","pid":7}"#, None, Some(&[]), None);
    }

    #[test]
    fn so_do_terms_of_the_filter() {
        check(r#"{"q":"event~switch prev_pid=1"}"#, None, None, Some(&[1]));
        check(r#"{"q":"pid:7 cpu:3"}"#, Some(&[3]), Some(&[0]), None);
        check(r#"{"q":"pid:7 -comm:sh"}"#, None, Some(&[]), None);
        check(r#"{"q":"cpu<3 pid:7","cpu":"1,5"}"#, Some(&[1]), Some(&[0]), None);
        check(r#"{"q":"cpu:1 cpu:2"}"#, Some(&[]), None, None);
        check(r#"{"q":"cpu:99999"}"#, Some(&[]), None, None);
    }

    #[test]
    fn terms_that_hold_for_what_is_not_known_leave_all() {
        check(r#"{"q":"-pid:7 comm!=sh event!=print cpu>1"}"#, None, None, None);
        check(r#"{"q":"-cpu:1 word"}"#, None, None, None);
    }
}

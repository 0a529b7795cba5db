//! What a block must hold for anything in it to match.

use hashbrown::HashSet;
use serde::Serialize;

use super::dictionaries::{self, Dictionary, EventType, Task};
use super::filter::Filter;
use super::request::Params;
use super::{ExploreError, answer_json};

/// What a block must hold for an event of it to match: one of each list that is there.
#[derive(Serialize)]
struct Wanted {
    cpus: Option<Vec<i16>>,
    tasks: Option<Vec<i32>>,
    types: Option<Vec<i32>>,
}

/// JSON `{"cpus": [..] | null, "tasks": .., "types": ..}`: which CPUs, and which indices of the dictionaries, the
/// parameters `cpu`, `pid`, `comm` and `event` and such terms of `q` leave; null where they leave all. A block without one of a list
/// has no match, be it of events or of latencies.
pub fn wanted_in_blocks(request: &str, task: &[u8], event_type: &[u8]) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let filter = Filter::from_params(&params)?;
    let (pids, comms) = (params.ints("pid")?, params.name_or_list("comm")?);
    let tasks = dictionaries::read_tasks(task)?;
    let types = dictionaries::read_event_types(event_type)?;
    let sorted = |indices: HashSet<i32>| {
        let mut indices: Vec<i32> = indices.into_iter().collect();
        indices.sort_unstable();
        indices
    };
    answer_json(&Wanted {
        cpus: cpus(&params.ints("cpu")?, &filter),
        tasks: task_indices(&tasks, &pids, &comms, &filter).map(sorted),
        types: type_indices(&types, &params.names("event")?, &filter).map(sorted),
    })
}

/// The CPUs that are meant; `None` where nothing names them.
fn cpus(given: &[i16], filter: &Filter) -> Option<Vec<i16>> {
    let is_wanted = |cpu: i16| filter.may_hold_on_cpu(cpu);
    if !given.is_empty() {
        return Some(given.iter().copied().filter(|cpu| is_wanted(*cpu)).collect());
    }
    filter.only_cpu().map(|cpu| i16::try_from(cpu).ok().filter(|cpu| is_wanted(*cpu)).into_iter().collect())
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

#[cfg(test)]
mod tests {
    use super::super::fixture::{event_types, tasks};
    use super::*;

    fn check(request: &str, expected: &str) {
        let tasks = tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]);
        let types = event_types(&[("print", "print"), ("sched_switch", "tracepoint")]);
        let answer = wanted_in_blocks(request, &tasks, &types).unwrap();
        assert_eq!(String::from_utf8(answer).unwrap(), expected, "{request}");
    }

    #[test]
    fn plain_parameters_say_what_a_block_must_hold() {
        check(r#"{"end":99}"#, r#"{"cpus":null,"tasks":null,"types":null}"#);
        check(r#"{"end":99,"cpu":1,"pid":999999}"#, r#"{"cpus":[1],"tasks":[],"types":null}"#);
        check(r#"{"end":99,"comm":"sh"}"#, r#"{"cpus":null,"tasks":[0],"types":null}"#);
        check(r#"{"end":99,"event":"nothing"}"#, r#"{"cpus":null,"tasks":null,"types":[]}"#);
    }

    #[test]
    fn so_do_terms_of_the_filter() {
        check(r#"{"q":"event~switch prev_pid=1"}"#, r#"{"cpus":null,"tasks":null,"types":[1]}"#);
        check(r#"{"q":"pid:7 cpu:3"}"#, r#"{"cpus":[3],"tasks":[0],"types":null}"#);
        check(r#"{"q":"pid:7 -comm:sh"}"#, r#"{"cpus":null,"tasks":[],"types":null}"#);
        check(r#"{"q":"cpu<3 pid:7","cpu":"1,5"}"#, r#"{"cpus":[1],"tasks":[0],"types":null}"#);
        check(r#"{"q":"cpu:1 cpu:2"}"#, r#"{"cpus":[],"tasks":null,"types":null}"#);
        check(r#"{"q":"cpu:99999"}"#, r#"{"cpus":[],"tasks":null,"types":null}"#);
    }

    #[test]
    fn terms_that_hold_for_what_is_not_known_leave_all() {
        check(r#"{"q":"-pid:7 comm!=sh event!=print cpu>1"}"#, r#"{"cpus":null,"tasks":null,"types":null}"#);
        check(r#"{"q":"-cpu:1 word"}"#, r#"{"cpus":null,"tasks":null,"types":null}"#);
    }
}

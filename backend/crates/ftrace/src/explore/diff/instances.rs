//! The calls of one function: all of them for comparisons, a sample of points for the plot.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize, Serializer};

use super::group::{CallGroup, Standing, calls_of_group};
use crate::analyses::SliceFlags;
use crate::explore::answer_json;
use crate::explore::ids::{CallId, Owner};
use crate::explore::protocol::{Answer, Stored};
use crate::store::read::blocks::{ABSENT, SliceBlock};
use crate::store::read::dictionaries::{Dictionary, Task, read_symbols, read_tasks};
use crate::store::tables;

const DEFAULT_POINTS: i64 = 2_000;
const MAX_POINTS: i64 = 20_000;

/// A call as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Instance {
    pub start_ns: i64,
    pub duration_ns: i64,
    pub cpu: i16,
    pub task_idx: i32,
    pub depth: i16,
    /// Its number in the trace.
    pub number: i32,
    /// The number of its caller.
    pub parent: i32,
    pub symbol_idx: i32,
    pub flags: SliceFlags,
}

/// As an array, without names: a function may have a million calls.
impl Serialize for Instance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { start_ns, duration_ns, cpu, task_idx, depth, number, parent, symbol_idx, flags } = self;
        (start_ns, duration_ns, cpu, task_idx, depth, number, parent, symbol_idx, flags).serialize(serializer)
    }
}

impl Instance {
    /// The calls of a block, in its order.
    pub fn all(block: &SliceBlock) -> impl Iterator<Item = Self> {
        let times = block.start_ns.iter().zip(&block.duration_ns);
        let places = block.cpu.iter().zip(&block.task_idx).zip(block.depth.iter().zip(&block.symbol_idx));
        let names = block.id.iter().zip(&block.parent).zip(&block.flags);
        times.zip(places).zip(names).map(
            |(
                ((start_ns, duration_ns), ((cpu, task_idx), (depth, symbol_idx))),
                ((number, parent), flags),
            )| Self {
                start_ns: *start_ns,
                duration_ns: *duration_ns,
                cpu: *cpu,
                task_idx: *task_idx,
                depth: *depth,
                number: *number,
                parent: *parent,
                symbol_idx: *symbol_idx,
                flags: SliceFlags(flags.cast_unsigned()),
            },
        )
    }

    /// Nothing called it.
    pub fn is_root(&self) -> bool {
        self.parent == ABSENT
    }

    /// The id by which links and requests name the call.
    pub fn id(&self, tasks: &Dictionary<Task<'_>>) -> CallId {
        let owner = Owner::new(tasks.get(self.task_idx), self.cpu);
        CallId { owner, start_ns: self.start_ns, depth: self.depth }
    }

    /// Both ends are its own.
    pub fn is_whole(&self) -> bool {
        !self.flags.is_cut()
    }

    /// Where the call is: its task or idle CPU, and its time. An empty call has the instant of its start.
    pub fn standing(&self, tasks: &Dictionary<Task<'_>>) -> Standing {
        let owner = Owner::new(tasks.get(self.task_idx), self.cpu);
        let end_ns = self.start_ns.saturating_add(self.duration_ns.max(1));
        Standing { owner, start_ns: self.start_ns, end_ns }
    }
}

/// What the durations of a set are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    pub count: usize,
    pub median_ns: i64,
    /// Median of the distances from the median.
    pub mad_ns: i64,
    pub min_ns: i64,
    pub max_ns: i64,
}

impl Spread {
    /// `None` of nothing. Of an even number, the lower of the two in the middle is the median.
    pub fn of(durations_ns: impl Iterator<Item = i64>) -> Option<Self> {
        let mut sorted: Vec<i64> = durations_ns.collect();
        sorted.sort_unstable();
        let (min_ns, max_ns) = (*sorted.first()?, *sorted.last()?);
        let median_ns = middle(&sorted)?;
        let mut distances: Vec<i64> =
            sorted.iter().map(|duration_ns| duration_ns.saturating_sub(median_ns).saturating_abs()).collect();
        distances.sort_unstable();
        Some(Self { count: sorted.len(), median_ns, mad_ns: middle(&distances)?, min_ns, max_ns })
    }
}

fn middle(sorted: &[i64]) -> Option<i64> {
    sorted.get(sorted.len().checked_sub(1)?.div_euclid(2)).copied()
}

/// The one of median length, the earliest of equals.
pub fn median(instances: &[Instance]) -> Option<Instance> {
    let mut sorted: Vec<&Instance> = instances.iter().collect();
    sorted.sort_by_key(|instance| (instance.duration_ns, instance.start_ns, instance.number));
    sorted.get(sorted.len().checked_sub(1)?.div_euclid(2)).map(|instance| **instance)
}

#[derive(Serialize)]
struct Instances {
    function: String,
    count: usize,
    spread: Option<Spread>,
    /// The call of median length.
    median: Option<CallId>,
    is_decimated: bool,
    notes: Vec<String>,
    id: Vec<CallId>,
    t: Vec<i64>,
    duration_ns: Vec<i64>,
    cpu: Vec<i16>,
    pid: Vec<Option<i32>>,
    is_root: Vec<bool>,
}

#[derive(Clone, Copy)]
enum Sort {
    Time,
    Slowest,
}

/// GET functions/instances: the calls of one function, over time with every extreme kept, or the slowest first.
///
/// Errors: the trace has no such function.
pub async fn function_instances(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let group = CallGroup::from_params(&params)?;
    let sort = params.choice("sort", &[("t", Sort::Time), ("-duration", Sort::Slowest)], Sort::Time)?;
    let limit = usize::try_from(params.int("limit", 2..=MAX_POINTS, DEFAULT_POINTS)?).unwrap_or(usize::MAX);
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
    let (choice, mut found) = calls_of_group(&stored, &group, (&tasks, &symbols)).await?;
    let count = found.len();
    let spread = Spread::of(found.iter().map(|instance| instance.duration_ns));
    let median = median(&found);
    match sort {
        Sort::Time => found = decimate(&found, limit),
        Sort::Slowest => {
            found.sort_by_key(|instance| (Reverse(instance.duration_ns), instance.start_ns));
            found.truncate(limit);
        }
    }
    answer_json(&Instances {
        count,
        spread,
        median: median.map(|instance| instance.id(&tasks)),
        is_decimated: found.len() < count,
        notes: choice.note(&group.function).into_iter().collect(),
        id: found.iter().map(|instance| instance.id(&tasks)).collect(),
        t: found.iter().map(|instance| instance.start_ns).collect(),
        duration_ns: found.iter().map(|instance| instance.duration_ns).collect(),
        cpu: found.iter().map(|instance| instance.cpu).collect(),
        pid: found.iter().map(|instance| tasks.get(instance.task_idx).and_then(|task| task.pid)).collect(),
        is_root: found.iter().map(|instance| instance.is_root()).collect(),
        function: group.function,
    })
}

/// At most `limit` points: of each of half as many runs of neighbours, the shortest and the longest.
fn decimate(instances: &[Instance], limit: usize) -> Vec<Instance> {
    if instances.len() <= limit {
        return instances.to_vec();
    }
    let run = instances.len().div_ceil(limit.div_euclid(2).max(1));
    let mut kept = Vec::with_capacity(limit);
    for run in instances.chunks(run) {
        let numbered = || run.iter().enumerate();
        let shortest = numbered().min_by_key(|(at, instance)| (instance.duration_ns, *at));
        let longest = numbered().max_by_key(|(at, instance)| (instance.duration_ns, Reverse(*at)));
        let Some(((first, _), (second, _))) = shortest.zip(longest) else { continue };
        kept.extend(run.get(first.min(second)));
        kept.extend(run.get(first.max(second)).filter(|_| first != second));
    }
    kept
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::explore::protocol::{Shelf, ask};
    use crate::import::testing::import_file;

    const CALLS: &str = "
        # tracer: function_graph
        #
        # CPU  DURATION                  FUNCTION CALLS
        # |     |   |                     |   |   |   |
         0)   1.000 us    |  tick();
         0)               |  outer() {
         0)   5.000 us    |    tick();
         0)   6.000 us    |  }
         1)   3.000 us    |  tick();
         1)   9.000 us    |  tick();
         1)   2.000 us    |  tick();
        ";

    fn check(request: &str, expected: Expect) {
        let answer = ask("function_instances", request, &Shelf::of(&import_file(CALLS).0));
        let text = answer.map(|json| String::from_utf8(json).unwrap_or_default());
        expected.assert_eq(&text.unwrap_or_else(|error| error.to_string()));
    }

    #[test]
    fn calls_of_a_function_are_points_with_their_spread() {
        check(
            r#"{"function":"tick"}"#,
            expect![[
                r#"{"function":"tick","count":5,"spread":{"count":5,"median_ns":3000,"mad_ns":2000,"min_ns":1000,"max_ns":9000},"median":"call-cpu1@0.0","is_decimated":false,"notes":[],"id":["call-cpu0@0.0","call-cpu1@0.0","call-cpu0@1000.1","call-cpu1@3000.0","call-cpu1@12000.0"],"t":[0,0,1000,3000,12000],"duration_ns":[1000,3000,5000,9000,2000],"cpu":[0,1,0,1,1],"pid":[null,null,null,null,null],"is_root":[true,true,false,true,true]}"#
            ]],
        );
    }

    #[test]
    fn the_slowest_come_first_where_that_is_asked_for() {
        check(
            r#"{"function":"tick","cpu":1,"sort":"-duration","limit":2}"#,
            expect![[
                r#"{"function":"tick","count":3,"spread":{"count":3,"median_ns":3000,"mad_ns":1000,"min_ns":2000,"max_ns":9000},"median":"call-cpu1@0.0","is_decimated":true,"notes":[],"id":["call-cpu1@3000.0","call-cpu1@0.0"],"t":[3000,0],"duration_ns":[9000,3000],"cpu":[1,1],"pid":[null,null],"is_root":[true,true]}"#
            ]],
        );
    }

    #[test]
    fn extremes_survive_decimation() {
        let tick = |at: i64, duration_ns: i64| Instance {
            start_ns: at,
            duration_ns,
            cpu: 0,
            task_idx: 0,
            depth: 0,
            number: 0,
            parent: ABSENT,
            symbol_idx: 0,
            flags: SliceFlags::default(),
        };
        let many: Vec<Instance> = (0..1_000).map(|at| tick(at, if at == 777 { 99 } else { 5 })).collect();
        let few = decimate(&many, 10);
        assert!(few.len() <= 10);
        assert!(few.iter().any(|instance| instance.duration_ns == 99));
        assert_eq!(decimate(&many, 1_000), many);
    }
}

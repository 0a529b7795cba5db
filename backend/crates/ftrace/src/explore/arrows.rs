//! What caused what: wakeups, timers, softirqs, IPIs and work, from one event to the other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::arrow_plan::{ArrowPlan, ArrowRequest};
use super::names::{LocalNames, TaskName, task_names};
use super::protocol::{Answer, Stored};
use super::request::Window;
use super::{ExploreError, answer_json};
use crate::analyses::ArrowKind;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::dictionaries::{self, Dictionary, Symbol, Task};
use crate::store::read::headers::BlockHeader;
use crate::store::read::read_rows;
use crate::store::tables;

/// GET arrows: those with an end in the window, the longest of them; of the others their number. How many blocks are
/// read is bounded, whatever the window.
pub async fn arrows(stored: Stored) -> Answer {
    let request = ArrowRequest::from_params(&stored.params().await?)?;
    let mut plan = ArrowPlan::fetch(&stored, &request).await?;
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let tasks = dictionaries::read_tasks(&task)?;
    let symbols = dictionaries::read_symbols(&symbol)?;
    let mut found = ShownArrows::new(&request, &tasks);
    let mut next = std::mem::take(&mut plan.read);
    let mut read_count = 0;
    loop {
        if !next.is_empty() {
            read_count += next.len();
            let blocks: Vec<(i16, i32)> = next.iter().map(BlockHeader::id).collect();
            found.add(&stored.part(stored.blocks(SliceBlock::TABLE, &blocks)).await)?;
        }
        next = plan.take_longest(read_count, found.shortest_ns());
        if next.is_empty() {
            return found.answer(&plan, &symbols);
        }
    }
}

/// One arrow; tasks and symbol are indices of the trace's dictionaries.
#[derive(Clone, Copy, Debug)]
struct Arrow {
    kind: &'static ArrowKind,
    from_ns: i64,
    from_cpu: i16,
    from_task: i32,
    to_ns: i64,
    to_cpu: i16,
    to_task: i32,
    symbol: i32,
}

impl Arrow {
    fn duration_ns(&self) -> i64 {
        self.to_ns.saturating_sub(self.from_ns)
    }

    /// The longest first, the earliest of equals; nothing else tells arrows apart that differ in none of these.
    fn rank(&self) -> impl Ord + use<> {
        (-self.duration_ns(), self.from_ns, self.kind.slices.code(), self.from_cpu, self.to_cpu, self.symbol)
    }
}

/// The longest arrows, as many as are shown, and the number of all.
struct ShownArrows<'r, 'a> {
    request: &'r ArrowRequest,
    tasks: &'r Dictionary<Task<'a>>,
    longest: Vec<Arrow>,
    counts: BTreeMap<i16, i64>,
}

impl<'r, 'a> ShownArrows<'r, 'a> {
    fn new(request: &'r ArrowRequest, tasks: &'r Dictionary<Task<'a>>) -> Self {
        Self { request, tasks, longest: Vec::new(), counts: BTreeMap::new() }
    }

    fn add(&mut self, slice_block: &[u8]) -> Result<(), ExploreError> {
        read_rows(SliceBlock::TABLE, slice_block, |row| {
            let block = SliceBlock::read(row)?;
            let Some(kind) = self.request.kind_of(block.kind) else { return Ok(()) };
            let mut count = 0;
            for arrow in arrows_of(kind, &block) {
                if self.is_wanted(&arrow) {
                    count += 1;
                    self.longest.push(arrow);
                }
            }
            let of_kind = self.counts.entry(block.kind).or_default();
            *of_kind = of_kind.saturating_add(count);
            Ok(())
        })?;
        self.longest.sort_unstable_by_key(Arrow::rank);
        self.longest.truncate(self.request.limit);
        Ok(())
    }

    fn is_wanted(&self, arrow: &Arrow) -> bool {
        let ArrowRequest { window, pids, cpus, .. } = self.request;
        let pid = |task: i32| self.tasks.get(task).and_then(|task| task.pid);
        let is_of = |task: i32| pid(task).is_some_and(|pid| pids.contains(&pid));
        has_an_end_in(*window, arrow)
            && (cpus.is_empty() || cpus.contains(&arrow.from_cpu) || cpus.contains(&arrow.to_cpu))
            && (pids.is_empty() || is_of(arrow.from_task) || is_of(arrow.to_task))
    }

    /// The duration that another must exceed to be shown; `None` while there is room.
    fn shortest_ns(&self) -> Option<i64> {
        let is_full = self.longest.len() >= self.request.limit;
        self.longest.last().filter(|_| is_full).map(Arrow::duration_ns)
    }

    fn answer(mut self, plan: &ArrowPlan, symbols: &Dictionary<Symbol<'_>>) -> Answer {
        for block in &plan.whole {
            let of_kind = self.counts.entry(block.kind).or_default();
            *of_kind = of_kind.saturating_add(block.count);
        }
        self.longest.sort_unstable_by_key(|arrow| (arrow.from_ns, arrow.to_ns, arrow.rank()));
        let mut answer = Columns::default();
        let mut names = LocalNames::new(self.tasks);
        for arrow in &self.longest {
            answer.push(arrow, &mut names, symbols);
            let of_kind = self.counts.entry(arrow.kind.slices.code()).or_default();
            *of_kind = of_kind.saturating_sub(1);
        }
        let hidden = |kind: &&'static ArrowKind| {
            (kind.name, self.counts.get(&kind.slices.code()).copied().unwrap_or(0))
        };
        answer_json(&Arrows {
            start: self.request.window.start_ns,
            end: self.request.window.end_ns,
            tasks: task_names(&names),
            columns: answer,
            hidden: self.request.kinds.iter().map(hidden).collect(),
            is_complete: plan.left_out == 0,
            recorded: plan.recorded.iter().map(|kind| kind.name).collect(),
        })
    }
}

fn has_an_end_in(window: Window, arrow: &Arrow) -> bool {
    window.contains(arrow.from_ns) || window.contains(arrow.to_ns)
}

/// The arrows of a block: its slices are on the lane of the end, `depth` and `parent` say the beginning.
fn arrows_of<'b>(kind: &'static ArrowKind, block: &'b SliceBlock) -> impl Iterator<Item = Arrow> + 'b {
    let times = block.start_ns.iter().zip(&block.duration_ns);
    let from = block.depth.iter().zip(&block.parent);
    let to = block.cpu.iter().zip(&block.task_idx).zip(&block.symbol_idx);
    times.zip(from).zip(to).map(
        move |(((from_ns, duration_ns), (from_cpu, from_task)), ((to_cpu, to_task), symbol))| Arrow {
            kind,
            from_ns: *from_ns,
            from_cpu: *from_cpu,
            from_task: *from_task,
            to_ns: from_ns.saturating_add(*duration_ns),
            to_cpu: *to_cpu,
            to_task: *to_task,
            symbol: *symbol,
        },
    )
}

#[derive(Serialize)]
struct Arrows {
    start: i64,
    end: i64,
    tasks: Vec<TaskName>,
    #[serde(flatten)]
    columns: Columns,
    hidden: BTreeMap<&'static str, i64>,
    is_complete: bool,
    recorded: Vec<&'static str>,
}

#[derive(Default, Serialize)]
struct Columns {
    kind: Vec<&'static str>,
    what: Vec<Option<String>>,
    from_t: Vec<i64>,
    from_cpu: Vec<i16>,
    from_pid: Vec<Option<i32>>,
    from_task_idx: Vec<Option<u32>>,
    from_event: Vec<String>,
    to_t: Vec<i64>,
    to_cpu: Vec<i16>,
    to_pid: Vec<Option<i32>>,
    to_task_idx: Vec<Option<u32>>,
    to_event: Vec<String>,
}

impl Columns {
    fn push(
        &mut self,
        arrow: &Arrow,
        tasks: &mut LocalNames<'_, Task<'_>>,
        symbols: &Dictionary<Symbol<'_>>,
    ) {
        let pid = |task: i32| tasks.entry(task).and_then(|task| task.pid);
        self.from_pid.push(pid(arrow.from_task));
        self.to_pid.push(pid(arrow.to_task));
        self.from_task_idx.push(tasks.number(arrow.from_task));
        self.to_task_idx.push(tasks.number(arrow.to_task));
        self.kind.push(arrow.kind.name);
        self.what.push(symbols.get(arrow.symbol).map(Symbol::display));
        self.from_t.push(arrow.from_ns);
        self.from_cpu.push(arrow.from_cpu);
        self.from_event.push(event_id(arrow.from_cpu, arrow.from_ns));
        self.to_t.push(arrow.to_ns);
        self.to_cpu.push(arrow.to_cpu);
        self.to_event.push(event_id(arrow.to_cpu, arrow.to_ns));
    }
}

/// An event as the address of a page has it.
fn event_id(cpu: i16, t_ns: i64) -> String {
    format!("cpu{cpu}@{t_ns}")
}

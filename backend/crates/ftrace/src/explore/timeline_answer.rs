//! The answer of a timeline, in as much detail as its size allows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer_json;
use super::answer_size::{LaneSize, Reduction};
use super::counters::CounterLane;
use super::grid::Grid;
use super::kind;
use super::lane_columns::{AnswerNames, LaneColumns};
use super::lanes::Lanes;
use super::names::{LocalNames, TaskName, symbol_names, task_names};
use super::protocol::Answer;
use super::request::Window;
use super::task_lanes::{FinishedLane, LaneTask, TaskLanes};
use super::timeline_plan::TimelineRequest;
use crate::store::read::dictionaries::{Dictionary, Loss, Note, Symbol, Task};

/// Losses and notes that are answered one by one. Of more, those of a cell are answered together.
const MOST_LOSSES: usize = 1_000;
const MOST_NOTES: usize = 200;

/// CPU, depth: the lanes of one kind.
pub type LaneKey = (i16, i16);

/// What the window holds, in the detail that the width asks for.
pub struct TimelineContents<'a> {
    pub request: &'a TimelineRequest,
    pub kinds: BTreeMap<i16, Lanes<LaneKey>>,
    pub tasks: TaskLanes,
    pub counters: Vec<CounterLane>,
    pub losses: Vec<Loss>,
    pub notes: Vec<Note<'a>>,
    pub task_names: Dictionary<Task<'a>>,
    pub symbol_names: Dictionary<Symbol<'a>>,
}

#[derive(Serialize)]
struct Timeline<'a> {
    start: i64,
    end: i64,
    width: i64,
    cpus: Vec<i16>,
    tasks: Vec<TaskName>,
    symbols: Vec<String>,
    lanes: Vec<Lane>,
    counters: Vec<CounterLane>,
    losses: Vec<LossItem>,
    notes: Vec<NoteItem<'a>>,
    hidden_lanes: usize,
}

#[derive(Serialize)]
struct Lane {
    /// `cpu0.irq`; the lanes of interrupts within interrupts are `cpu0.irq.1` and so on. `task1213`; what interrupted
    /// the task are `task1213.1`, and softirqs `task1213.2`.
    id: String,
    /// `None` for the lane of a task.
    cpu: Option<i16>,
    kind: &'static str,
    depth: i16,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<LaneTask>,
    #[serde(flatten)]
    columns: LaneColumns,
}

#[derive(Serialize)]
struct LossItem {
    cpu: Option<i16>,
    start: i64,
    end: i64,
    lost_count: Option<i64>,
}

#[derive(Serialize)]
struct NoteItem<'a> {
    t: i64,
    cpu: Option<i16>,
    text: &'a str,
}

impl TimelineContents<'_> {
    /// What each lane adds to an answer.
    pub fn sizes(&self) -> Vec<LaneSize> {
        let of_kinds = self.kinds.values().flat_map(Lanes::sizes);
        let of_counters = self.counters.iter().map(|counter| counter.size(self.grid(1)));
        of_kinds.chain(self.tasks.sizes()).chain(of_counters).collect()
    }

    /// The answer in wider cells and with fewer lanes, as `reduction` says.
    pub fn json(&self, Reduction { pixels, most_lanes }: Reduction) -> Answer {
        let mut names = AnswerNames {
            tasks: LocalNames::new(&self.task_names),
            symbols: LocalNames::new(&self.symbol_names),
        };
        let (lanes, hidden_lanes) = self.lanes(pixels, most_lanes, &mut names);
        let grid = self.grid(pixels);
        let counters = self.counters.iter().take(most_lanes.saturating_sub(lanes.len()));
        let hidden_counters = self.counters.len().saturating_sub(counters.len());
        let window = self.request.window;
        answer_json(&Timeline {
            start: window.start_ns,
            end: window.end_ns,
            width: self.request.width_px,
            cpus: shown_cpus(self.request, &lanes),
            tasks: task_names(&names.tasks),
            symbols: symbol_names(&names.symbols),
            counters: counters.map(|counter| counter.widened(&grid)).collect(),
            losses: loss_items(&self.losses, window, &grid),
            notes: note_items(&self.notes, window, &grid),
            hidden_lanes: hidden_lanes.saturating_add(hidden_counters),
            lanes,
        })
    }

    fn grid(&self, pixels: i64) -> Grid {
        Grid::new(self.request.window, self.request.width_px, 1).of_pixels(pixels)
    }

    /// The lanes of CPUs, then those of tasks, and how many of them are left out.
    fn lanes(&self, pixels: i64, most: usize, names: &mut AnswerNames<'_, '_>) -> (Vec<Lane>, usize) {
        let mut found = Vec::new();
        for (kind, lanes) in &self.kinds {
            found.extend(lanes.of_pixels(pixels).finish().map(|(key, contents)| (key, *kind, contents)));
        }
        // A stable sort: within a CPU, kinds and depths stay in their own order.
        found.sort_by_key(|((cpu, _), ..)| *cpu);
        let count = found.len();
        let mut answer = Vec::new();
        for ((cpu, depth), kind, contents) in found.into_iter().take(most) {
            let columns = contents.columns(names, None);
            let kind = kind::name(kind);
            let id = if depth == 0 { format!("cpu{cpu}.{kind}") } else { format!("cpu{cpu}.{kind}.{depth}") };
            if columns.row_count > 0 {
                answer.push(Lane { id, cpu: Some(cpu), kind, depth, task: None, columns });
            }
        }
        let hidden = count.saturating_sub(most);
        // At most 64 tasks have lanes, and somebody chose each of them.
        answer.extend(self.tasks.finish(pixels, names).into_iter().map(task_lane));
        (answer, hidden)
    }
}

fn task_lane(FinishedLane { task, depth, columns }: FinishedLane) -> Lane {
    let pid = task.pid;
    let id = if depth == 0 { format!("task{pid}") } else { format!("task{pid}.{depth}") };
    Lane { id, cpu: None, kind: kind::name(kind::TASK), depth, task: Some(task), columns }
}

/// The CPUs of the trace where the request says them, else those that have a lane.
fn shown_cpus(request: &TimelineRequest, lanes: &[Lane]) -> Vec<i16> {
    if !request.cpus.is_empty() {
        return request.cpus.clone();
    }
    let mut cpus: Vec<i16> = lanes.iter().filter_map(|lane| lane.cpu).collect();
    cpus.dedup();
    cpus
}

/// Losses that touch the window. Where they are too many, those of a CPU in one cell are one, from the first to the last.
fn loss_items(losses: &[Loss], window: Window, grid: &Grid) -> Vec<LossItem> {
    let touches = |loss: &&Loss| window.touches(loss.start_ns, loss.end_ns.saturating_sub(loss.start_ns));
    let seen = || losses.iter().filter(touches);
    if seen().count() <= MOST_LOSSES {
        return seen().map(loss_item).collect();
    }
    let mut merged: BTreeMap<(Option<i16>, usize), LossItem> = BTreeMap::new();
    for loss in seen() {
        let cell = merged.entry((loss.cpu, grid.cell_of(loss.start_ns)));
        cell.and_modify(|before| {
            before.start = before.start.min(loss.start_ns);
            before.end = before.end.max(loss.end_ns);
            before.lost_count =
                before.lost_count.zip(loss.lost_count).map(|(one, other)| one.saturating_add(other));
        })
        .or_insert_with(|| loss_item(loss));
    }
    merged.into_values().collect()
}

fn loss_item(loss: &Loss) -> LossItem {
    LossItem { cpu: loss.cpu, start: loss.start_ns, end: loss.end_ns, lost_count: loss.lost_count }
}

/// Notes in the window. Where they are too many, the first of each cell.
fn note_items<'a>(notes: &[Note<'a>], window: Window, grid: &Grid) -> Vec<NoteItem<'a>> {
    let seen = || notes.iter().filter(|note| window.contains(note.t_ns));
    let item = |note: &Note<'a>| NoteItem { t: note.t_ns, cpu: note.cpu, text: note.text };
    if seen().count() <= MOST_NOTES {
        return seen().map(item).collect();
    }
    let mut first: BTreeMap<usize, NoteItem<'a>> = BTreeMap::new();
    for note in seen() {
        first.entry(grid.cell_of(note.t_ns)).or_insert_with(|| item(note));
    }
    first.into_values().collect()
}

//! Lanes of single tasks: where they ran, and what they did without a CPU.

use hashbrown::HashMap;
use serde::Serialize;

use super::grid::Grid;
use super::kind;
use super::lanes::{
    AnswerNames, Cell, Item, LaneColumns, add_to_cells, bucket_columns, items, rollup_cells, slice_columns,
};
use super::request::Window;
use crate::analyses::TaskState;
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::dictionaries::{Dictionary, Task};

/// Whose lane it is.
#[derive(Clone, Debug, Serialize)]
pub struct LaneTask {
    pub pid: i32,
    comm: String,
    /// The kernel's priority that it ran with most often.
    prio: Option<i16>,
}

/// A task that a lane is asked for.
#[derive(Clone, Debug)]
pub struct WantedTask {
    pub idx: i32,
    task: LaneTask,
}

/// The tasks with these pids; those that the trace does not know have no lane.
pub fn wanted_tasks(pids: &[i32], tasks: &Dictionary<Task<'_>>) -> Vec<WantedTask> {
    let mut known: HashMap<i32, WantedTask> = HashMap::new();
    for (idx, task) in tasks.iter() {
        let Some(pid) = task.pid.filter(|pid| *pid != 0 && pids.contains(pid)) else { continue };
        let task = LaneTask { pid, comm: task.comm.to_owned(), prio: task.prio };
        known.entry(pid).or_insert(WantedTask { idx, task });
    }
    pids.iter().filter_map(|pid| known.remove(pid)).collect()
}

/// The lanes of the wanted tasks, in the order in which they were asked for.
pub struct TaskLanes {
    window: Window,
    width_px: i64,
    places: HashMap<i32, usize>,
    lanes: Vec<TaskLane>,
}

struct TaskLane {
    task: LaneTask,
    states: States,
    irqs: Vec<Item>,
    softirqs: Vec<Item>,
    boosts: Vec<Item>,
}

enum States {
    Slices(Vec<(Item, bool)>),
    Cells(Cells),
}

/// Time that a task ran, and time that it ran or wanted to.
struct Cells {
    grid: Grid,
    running: Vec<Cell>,
    all: Vec<Cell>,
}

impl Cells {
    fn new(grid: Grid) -> Self {
        Self {
            grid,
            running: vec![Cell::default(); grid.cell_count],
            all: vec![Cell::default(); grid.cell_count],
        }
    }

    fn add(&mut self, item: &Item, is_running: bool) {
        add_to_cells(&self.grid, &mut self.all, item);
        if is_running {
            add_to_cells(&self.grid, &mut self.running, item);
        }
    }
}

/// One lane of an answer: the states of a task, what interrupted it while it ran, or the priorities that it was lent.
pub struct FinishedLane {
    pub task: LaneTask,
    pub depth: i16,
    pub columns: LaneColumns,
}

impl TaskLanes {
    /// Lanes without contents, in the order of `tasks`.
    pub fn new(tasks: &[WantedTask], window: Window, width_px: i64) -> Self {
        let places = tasks.iter().enumerate().map(|(place, task)| (task.idx, place)).collect();
        let lane = |wanted: &WantedTask| TaskLane {
            task: wanted.task.clone(),
            states: States::Slices(Vec::new()),
            irqs: Vec::new(),
            softirqs: Vec::new(),
            boosts: Vec::new(),
        };
        Self { window, width_px, places, lanes: tasks.iter().map(lane).collect() }
    }

    /// Adds the slices of a block that belong to a wanted task and touch the window.
    pub fn add_slices(&mut self, block: &SliceBlock) {
        if self.places.is_empty() {
            return;
        }
        for ((item, depth), task) in items(block).zip(&block.depth).zip(&block.task_idx) {
            let Some(lane) = self.places.get(task).and_then(|place| self.lanes.get_mut(*place)) else {
                continue;
            };
            if !self.window.touches(item.start_ns, item.duration_ns) {
                continue;
            }
            match (block.kind, &mut lane.states) {
                (kind::SCHED, States::Slices(slices)) => slices.push((item, true)),
                (kind::TASK, States::Slices(slices)) => slices.push((item, false)),
                (kind::IRQ, _) if *depth == 0 => lane.irqs.push(item),
                (kind::SOFTIRQ, _) if *depth == 0 => lane.softirqs.push(item),
                (kind::BOOST, _) => lane.boosts.push(item),
                _ => {}
            }
        }
    }

    /// A rollup of one state of one task: `cpu` is the state, `depth` the task.
    pub fn add_rollup(&mut self, rollup: &RollupBlock) {
        let place = self.places.get(&i32::from(rollup.depth));
        let Some(lane) = place.and_then(|place| self.lanes.get_mut(*place)) else { return };
        if let States::Slices(_) = lane.states {
            lane.states = States::Cells(Cells::new(Grid::new(self.window, self.width_px, rollup.width_ns)));
        }
        let States::Cells(cells) = &mut lane.states else { return };
        let is_running = u16::try_from(rollup.cpu) == Ok(TaskState::Running.code());
        for (start_ns, count, busy_ns, longest) in rollup_cells(rollup) {
            if !cells.grid.clip.contains(start_ns) {
                continue;
            }
            let number = cells.grid.cell_of(start_ns);
            let running = if is_running { cells.running.get_mut(number) } else { None };
            for cell in cells.all.get_mut(number).into_iter().chain(running) {
                cell.add(count, busy_ns, &longest);
            }
        }
    }

    /// Of each task a lane of its states, and below it, where it has any, those of interrupts, softirqs and
    /// boosts.
    pub fn finish(self, names: &mut AnswerNames<'_, '_>) -> Vec<FinishedLane> {
        let grid = Grid::new(self.window, self.width_px, 1);
        let mut finished = Vec::new();
        for TaskLane { task, states, irqs, softirqs, boosts } in self.lanes {
            let columns = state_columns(states, grid, names);
            finished.push(FinishedLane { task: task.clone(), depth: 0, columns });
            for (depth, interrupts) in [(1, irqs), (2, softirqs), (3, boosts)] {
                if !interrupts.is_empty() {
                    let columns = interrupt_columns(interrupts, grid, names);
                    finished.push(FinishedLane { task: task.clone(), depth, columns });
                }
            }
        }
        finished
    }
}

/// Single slices where the pixels can show them; else sums of the time in which the task ran or wanted to.
fn state_columns(states: States, grid: Grid, names: &mut AnswerNames<'_, '_>) -> LaneColumns {
    let cells = match states {
        States::Slices(slices) if slices.len() <= grid.cell_count => {
            let (columns, items) = slice_columns(slices.into_iter().map(|(item, _)| item).collect());
            let on_cpu = Some(items.iter().map(|item| item.cpu).collect());
            return LaneColumns { on_cpu, ..columns.named(&items, names) };
        }
        States::Slices(slices) => {
            let mut cells = Cells::new(grid);
            let is_blocked = |item: &Item| {
                names.symbols.entry(item.symbol_idx).is_some_and(|symbol| symbol.name.starts_with("blocked"))
            };
            for (item, is_running) in
                slices.iter().filter(|(item, is_running)| *is_running || !is_blocked(item))
            {
                cells.add(item, *is_running);
            }
            cells
        }
        States::Cells(cells) => cells,
    };
    let (columns, longest) = bucket_columns(&cells.grid, &cells.all);
    let used = cells.all.iter().zip(&cells.running).filter(|(all, _)| all.is_used());
    let (busy_ns, waiting_ns) = used
        .map(|(all, running)| (running.busy_ns(), all.busy_ns().saturating_sub(running.busy_ns())))
        .unzip();
    LaneColumns { busy_ns: Some(busy_ns), waiting_ns: Some(waiting_ns), ..columns.named(&longest, names) }
}

fn interrupt_columns(interrupts: Vec<Item>, grid: Grid, names: &mut AnswerNames<'_, '_>) -> LaneColumns {
    let (columns, items) = if interrupts.len() <= grid.cell_count {
        slice_columns(interrupts)
    } else {
        let mut cells = vec![Cell::default(); grid.cell_count];
        interrupts.iter().for_each(|item| add_to_cells(&grid, &mut cells, item));
        bucket_columns(&grid, &cells)
    };
    columns.named(&items, names)
}

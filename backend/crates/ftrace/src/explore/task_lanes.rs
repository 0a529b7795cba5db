//! Lanes of single tasks: where they ran, and what they did without a CPU.

use hashbrown::HashMap;
use serde::Serialize;

use super::answer_size::LaneSize;
use super::grid::Grid;
use super::kind;
use super::lane_columns::{AnswerNames, LaneColumns, bucket_columns, slice_columns};
use super::lanes::{Cell, Item, add_to_cells, cells_of, items, rollup_cells, widened_cells};
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

    fn of_pixels(&self, pixels: i64) -> Self {
        let grid = self.grid.of_pixels(pixels);
        let [running, all] = [&self.running, &self.all].map(|cells| widened_cells(cells, &self.grid, &grid));
        Self { grid, running, all }
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

    /// What each lane adds to an answer.
    pub fn sizes(&self) -> impl Iterator<Item = LaneSize> {
        let grid = Grid::new(self.window, self.width_px, 1);
        self.lanes.iter().flat_map(move |lane| {
            let states = match &lane.states {
                States::Slices(slices) => LaneSize::of_slices(slices.len(), grid),
                States::Cells(cells) => LaneSize::of_buckets(cells.all.len(), cells.grid),
            };
            let others = lane.interruptions().map(|(_, items)| items.len()).filter(|count| *count > 0);
            let others = others.map(|count| LaneSize::of_slices(count, grid)).collect::<Vec<_>>();
            std::iter::once(states.with_states()).chain(others)
        })
    }

    /// Of each task a lane of its states, and below it, where it has any, those of interrupts, softirqs and
    /// boosts. Cells are at least so many `pixels` wide.
    pub fn finish(&self, pixels: i64, names: &mut AnswerNames<'_, '_>) -> Vec<FinishedLane> {
        let grid = Grid::new(self.window, self.width_px, 1).of_pixels(pixels);
        let mut finished = Vec::new();
        for lane in &self.lanes {
            let columns = state_columns(&lane.states, grid, pixels, names);
            finished.push(FinishedLane { task: lane.task.clone(), depth: 0, columns });
            for (depth, items) in lane.interruptions().filter(|(_, items)| !items.is_empty()) {
                let columns = interrupt_columns(items, grid, names);
                finished.push(FinishedLane { task: lane.task.clone(), depth, columns });
            }
        }
        finished
    }
}

impl TaskLane {
    fn interruptions(&self) -> impl Iterator<Item = (i16, &[Item])> {
        [(1, &self.irqs), (2, &self.softirqs), (3, &self.boosts)]
            .into_iter()
            .map(|(depth, items)| (depth, items.as_slice()))
    }
}

/// Single slices where the pixels can show them; else sums of the time in which the task ran or wanted to.
fn state_columns(states: &States, grid: Grid, pixels: i64, names: &mut AnswerNames<'_, '_>) -> LaneColumns {
    let cells = match states {
        States::Slices(slices) if slices.len() <= grid.cell_count => {
            let (columns, items) = slice_columns(slices.iter().map(|(item, _)| *item).collect());
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
        States::Cells(cells) => cells.of_pixels(pixels),
    };
    let (columns, longest) = bucket_columns(&cells.grid, &cells.all);
    let used = cells.all.iter().zip(&cells.running).filter(|(all, _)| all.is_used());
    let (busy_ns, waiting_ns) = used
        .map(|(all, running)| (running.busy_ns(), all.busy_ns().saturating_sub(running.busy_ns())))
        .unzip();
    LaneColumns { busy_ns: Some(busy_ns), waiting_ns: Some(waiting_ns), ..columns.named(&longest, names) }
}

fn interrupt_columns(interrupts: &[Item], grid: Grid, names: &mut AnswerNames<'_, '_>) -> LaneColumns {
    let (columns, items) = if interrupts.len() <= grid.cell_count {
        slice_columns(interrupts.to_vec())
    } else {
        bucket_columns(&grid, &cells_of(&grid, interrupts.iter()))
    };
    columns.named(&items, names)
}

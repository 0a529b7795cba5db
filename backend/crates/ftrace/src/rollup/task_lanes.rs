//! Zoom levels of the lane of every task.

use super::Lanes;
use crate::analyses::{Slice, SliceKind, TaskState};
use crate::model::ReadError;
use crate::store::writer::TableWriter;

/// Tasks past as many, in the order in which they are first seen, have no levels: a few states of each are lanes.
const MAX_TASKS: u32 = 1 << 14;

/// Of every task and state a lane, its `cpu` the number of the state and its `depth` the index of the task. Blocked is
/// what is left: a sleeper would touch every cell.
#[derive(Default)]
pub struct TaskLanes(Lanes);

impl TaskLanes {
    /// Adds a slice of a task to the lane of its state.
    pub fn add(&mut self, slice: &Slice<'_>) {
        let state = match slice.kind {
            SliceKind::Sched => TaskState::Running.code(),
            SliceKind::Task if slice.depth != TaskState::Blocked.code() => slice.depth,
            _ => return,
        };
        let Some(depth) =
            slice.task.filter(|task| *task < MAX_TASKS).and_then(|task| u16::try_from(task).ok())
        else {
            return;
        };
        self.0.add(&Slice { kind: SliceKind::Task, cpu: state, depth, ..*slice });
    }

    pub fn write(self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        self.0.write(writer)
    }
}

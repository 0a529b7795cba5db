//! What slices add up to, over the whole trace: what pages show, and the explanation of a case does not ask for.

use crate::analyses::{Slice, SliceKind};
use crate::model::{Ns, ReadError};
use crate::rollup::{CallTree, FunctionStats, Interference, TaskLanes};
use crate::store::writer::TableWriter;

#[derive(Default)]
pub struct Aggregates {
    task_lanes: TaskLanes,
    interference: Interference,
    functions: FunctionStats,
    call_tree: CallTree,
}

impl Aggregates {
    /// Adds a slice to every rollup that counts its kind.
    pub fn add(&mut self, slice: &Slice<'_>) {
        self.task_lanes.add(slice);
        if slice.kind.is_of_cpu() {
            self.interference.add(slice);
        }
        if slice.kind == SliceKind::Call {
            self.functions.add(slice);
            self.call_tree.add(slice);
        }
    }

    /// A tick of the timer, and whether its handler is known.
    pub fn add_tick(&mut self, cpu: u16, start_ns: Ns, duration_ns: Ns, is_known: bool) {
        self.interference.add_tick(cpu, start_ns, duration_ns, is_known);
    }

    /// True where calls were folded, which then have a name of their own.
    pub fn is_folded(&self) -> bool {
        self.call_tree.is_folded()
    }

    /// `folded` is the index of the name of folded calls.
    pub fn write(self, folded: u32, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        self.task_lanes.write(writer)?;
        self.interference.write(writer)?;
        self.functions.write(writer)?;
        self.call_tree.write(folded, writer)
    }
}

//! From the queueing of work to its start in a kernel thread.

use super::open::Open;
use super::{ArrowKind, emit_arrow, symbol_of};
use crate::analyses::{Analysis, AnalysisEntry, Emit, Event, Gap, SliceKind};
use crate::events::{Decoded, Role};
use crate::model::{Limits, ReadError};

pub static KIND: ArrowKind = ArrowKind {
    name: "work",
    title: "Work queues",
    forward: "queues work",
    backward: "work queued by",
    events: &["workqueue_queue_work", "workqueue_execute_start"],
    slices: SliceKind::WorkArrow,
    analysis: AnalysisEntry {
        name: "work_arrows",
        title: "Arrows of work queues",
        needs: &[],
        roles: &[Role::WorkQueued, Role::WorkStarted],
        start,
    },
};

fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(QueuedWork(Open::new(limits.max_tasks)))
}

/// Work by its address. The kernel queues none that is pending already.
struct QueuedWork(Open<u64>);

impl Analysis for QueuedWork {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.0.see(event);
        match &event.decoded {
            Decoded::WorkQueued(work) => self.0.begin(work.address, event),
            Decoded::WorkStarted(work) => {
                if let Some(origin) = self.0.end(&work.address, event) {
                    let symbol = symbol_of(work.function, emit)?;
                    emit_arrow(KIND.slices, origin, event, (event.task, symbol), emit)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.0.gap(gap);
        Ok(())
    }
}

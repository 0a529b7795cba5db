//! From a waking to the switch to its task.

use hashbrown::HashMap;

use super::{ArrowKind, Origin, emit_arrow};
use crate::analyses::on_cpu::OnCpu;
use crate::analyses::taint::{Mark, Taint};
use crate::analyses::{Analysis, AnalysisEntry, Emit, Event, Gap, SliceKind};
use crate::events::{Decoded, Role, Switch};
use crate::model::{Limits, ReadError, TaskRef};

pub static KIND: ArrowKind = ArrowKind {
    name: "wakeup",
    title: "Wakeups",
    forward: "wakes",
    backward: "woken by",
    events: &["sched_waking", "sched_wakeup", "sched_switch"],
    slices: SliceKind::WakeupArrow,
    analysis: AnalysisEntry {
        name: "wakeup_arrows",
        title: "Arrows of wakeups",
        needs: &[],
        roles: &[Role::SchedSwitch, Role::SchedWaking, Role::SchedWakeup, Role::SchedMigrate],
        start,
    },
};

fn start(limits: &Limits) -> Box<dyn Analysis> {
    let max_tasks = limits.max_tasks;
    Box::new(Wakeups { max_tasks, woken: HashMap::new(), on_cpu: OnCpu::default(), taint: Taint::default() })
}

/// The first waking of a task counts until it runs; one of a task that runs wakes nothing.
struct Wakeups {
    max_tasks: usize,
    woken: HashMap<i32, (Origin, Mark)>,
    on_cpu: OnCpu,
    taint: Taint,
}

impl Wakeups {
    fn wake(&mut self, pid: i32, event: &Event<'_>) {
        let is_full = self.woken.len() >= self.max_tasks;
        if pid != 0 && !is_full && !self.on_cpu.is_anywhere(pid) {
            self.woken.entry(pid).or_insert((Origin::of(event), self.taint.mark()));
        }
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        // A task that leaves a CPU was on it, though no switch to it was seen.
        self.woken.remove(&switch.prev.pid);
        self.on_cpu.switch(event.cpu, switch.next.pid);
        let next = switch.next;
        let Some((origin, mark)) = self.woken.remove(&next.pid) else { return Ok(()) };
        if self.taint.incomplete_between(mark, next.pid, (origin.cpu, origin.t_ns), event).is_some() {
            return Ok(());
        }
        let task = emit.task(event.cpu, TaskRef { pid: Some(next.pid), comm: next.comm, tgid: None })?;
        emit_arrow(KIND.slices, origin, event, (task, None), emit)
    }
}

impl Analysis for Wakeups {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match &event.decoded {
            Decoded::Switch(switch) => return self.switch(event, switch, emit),
            Decoded::Waking(task) | Decoded::Wakeup(task) => self.wake(task.pid, event),
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.gap(gap);
        self.on_cpu.forget(gap.cpu);
        Ok(())
    }
}

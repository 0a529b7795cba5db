//! Which task a line belongs to.

use super::CallBuilder;
use super::call::CallSink;
use super::task_stack::TaskStack;
use crate::model::{GraphPoint, TaskRef, Timestamp};

/// The idle task is one per CPU, and so is a task that nothing has named.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StackKey {
    Pid(i32),
    Idle(u16),
    Unknown(u16),
}

#[derive(Default)]
pub(super) struct CpuState {
    pub current: Option<usize>,
    pub last_time: Timestamp,
    pub losses: u64,
    /// Nesting of `==========>` markers.
    pub interrupts: u32,
}

impl CallBuilder<'_> {
    /// The CPU and the time of a line; both are remembered.
    pub(super) fn arrive(&mut self, at: &GraphPoint<'_>) -> (u16, Timestamp) {
        let cpu = at.cpu.unwrap_or_default();
        let state = self.cpus.entry(cpu).or_default();
        let time = at.ts.unwrap_or(state.last_time);
        state.last_time = time;
        (cpu, time)
    }

    /// The stack of the task that a line belongs to.
    pub(super) fn stack_of(&mut self, at: &GraphPoint<'_>, cpu: u16) -> usize {
        if let Some(task) = at.task
            && let Some(pid) = task.pid
        {
            let index = self.stack(key(pid, cpu), cpu);
            self.cpus.entry(cpu).or_default().current = Some(index);
            if let Some(stack) = self.stacks.get_mut(index) {
                stack.name(task);
            }
            return index;
        }
        if let Some(index) = self.cpus.get(&cpu).and_then(|state| state.current) {
            return index;
        }
        let index = self.stack(StackKey::Unknown(cpu), cpu);
        self.cpus.entry(cpu).or_default().current = Some(index);
        index
    }

    /// The index of the stack with this key, which is made if there is none.
    pub(super) fn stack(&mut self, key: StackKey, cpu: u16) -> usize {
        // Past the limit, tasks share the stack of their CPU; what they leave open is ended by depth.
        let key = match key {
            StackKey::Pid(_)
                if self.stacks.len() >= self.limits.max_tasks && !self.by_key.contains_key(&key) =>
            {
                StackKey::Unknown(cpu)
            }
            key => key,
        };
        let stacks = &mut self.stacks;
        *self.by_key.entry(key).or_insert_with(|| {
            let pid = match key {
                StackKey::Pid(pid) => pid,
                StackKey::Idle(_) => 0,
                StackKey::Unknown(cpu) => placeholder(cpu),
            };
            stacks.push(TaskStack::new(pid));
            stacks.len().saturating_sub(1)
        })
    }

    /// The banner names the task that was shown so far; if nothing had named it yet, its stack is renamed.
    pub(super) fn name_placeholder(
        &mut self,
        index: usize,
        cpu: u16,
        prev: TaskRef<'_>,
        out: &mut dyn CallSink,
    ) {
        let Some(pid) = prev.pid else { return };
        let Some(stack) = self.stacks.get_mut(index) else { return };
        if stack.pid != placeholder(cpu) {
            return;
        }
        out.rename(stack.pid, prev);
        stack.pid = pid;
        stack.name(prev);
        self.by_key.remove(&StackKey::Unknown(cpu));
        let known = self.by_key.get(&key(pid, cpu)).and_then(|index| self.stacks.get(*index));
        if known.is_none_or(|stack| stack.open.is_empty()) {
            self.by_key.insert(key(pid, cpu), index);
        }
    }
}

/// The stack of a task. Every CPU has an idle task of its own, and all of them have pid 0.
pub(super) fn key(pid: i32, cpu: u16) -> StackKey {
    if pid == 0 { StackKey::Idle(cpu) } else { StackKey::Pid(pid) }
}

/// -1 for CPU 0, -2 for CPU 1 ...
fn placeholder(cpu: u16) -> i32 {
    -1 - i32::from(cpu)
}

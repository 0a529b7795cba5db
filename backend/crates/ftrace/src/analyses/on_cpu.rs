//! Which task each CPU was last switched to.

use hashbrown::HashMap;

#[derive(Default)]
pub struct OnCpu {
    by_cpu: HashMap<u16, i32>,
    /// By pid; a task can be on several CPUs where a switch in between was lost.
    cpu_counts: HashMap<i32, u32>,
}

impl OnCpu {
    /// The task that `cpu` was switched to before.
    pub fn switch(&mut self, cpu: u16, pid: i32) -> Option<i32> {
        let before = self.by_cpu.insert(cpu, pid);
        self.leave(before);
        let count = self.cpu_counts.entry(pid).or_default();
        *count = count.saturating_add(1);
        before
    }

    /// What runs on `cpu` is not known any more.
    pub fn forget(&mut self, cpu: u16) {
        let before = self.by_cpu.remove(&cpu);
        self.leave(before);
    }

    /// A CPU on which it is.
    pub fn cpu_of(&self, pid: i32) -> Option<u16> {
        let is_its = |(cpu, on_it): (&u16, &i32)| (*on_it == pid).then_some(*cpu);
        if self.is_anywhere(pid) { self.by_cpu.iter().find_map(is_its) } else { None }
    }

    /// True where the task runs on some CPU.
    pub fn is_anywhere(&self, pid: i32) -> bool {
        self.cpu_counts.contains_key(&pid)
    }

    fn leave(&mut self, pid: Option<i32>) {
        let Some(pid) = pid else { return };
        match self.cpu_counts.get_mut(&pid) {
            Some(count @ 2..) => *count = count.saturating_sub(1),
            _ => drop(self.cpu_counts.remove(&pid)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_somewhere_until_it_has_left_every_cpu() {
        let mut on_cpu = OnCpu::default();
        assert_eq!(on_cpu.switch(0, 7), None);
        assert_eq!(on_cpu.switch(1, 7), None);
        assert_eq!(on_cpu.switch(0, 8), Some(7));
        assert!(on_cpu.is_anywhere(7));
        on_cpu.forget(1);
        assert!(!on_cpu.is_anywhere(7) && on_cpu.is_anywhere(8));
        assert_eq!(on_cpu.switch(0, 8), Some(8));
        assert!(on_cpu.is_anywhere(8));
    }
}

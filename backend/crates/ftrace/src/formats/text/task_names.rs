//! Names of tasks that differ from the line before in one sign, as no task renames itself.

use crate::model::is_similar_name;

/// CPUs that are followed; what lies past them is not compared.
const MAX_CPUS: usize = 1_024;

/// The task of the last line of each CPU.
#[derive(Debug, Default)]
pub struct TaskNames {
    last: Vec<(i32, Vec<u8>)>,
}

impl TaskNames {
    /// True where the line before of this CPU has the same process with almost the same name.
    pub fn is_misspelt(&mut self, cpu: u16, pid: Option<i32>, comm: &[u8]) -> bool {
        let (Some(pid), at) = (pid, usize::from(cpu)) else { return false };
        if comm.is_empty() || at >= MAX_CPUS {
            return false;
        }
        if at >= self.last.len() {
            self.last.resize_with(at.saturating_add(1), Default::default);
        }
        let Some((last_pid, last_comm)) = self.last.get_mut(at) else { return false };
        if *last_pid == pid && last_comm == comm {
            return false;
        }
        let is_misspelt = *last_pid == pid && is_similar_name(comm, last_comm);
        *last_pid = pid;
        last_comm.clear();
        last_comm.extend_from_slice(comm);
        is_misspelt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_one_cpu_are_compared() {
        let mut names = TaskNames::default();
        let lines: [(u16, i32, &[u8]); 7] = [
            (0, 7, b"cyclictest"),
            (1, 7, b"cyclic.est"),
            (0, 7, b"cyclic.est"),
            (0, 7, b"cyclictest"),
            (0, 7, b"cyclictest"),
            (0, 8, b"cyclictes"),
            (0, 8, b"stress"),
        ];
        let misspelt: Vec<_> =
            lines.iter().map(|(cpu, pid, comm)| names.is_misspelt(*cpu, Some(*pid), comm)).collect();
        assert_eq!(misspelt, [false, false, true, true, false, false, false]);
    }
}

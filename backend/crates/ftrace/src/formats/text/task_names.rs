//! Names of tasks that differ from the line before in one sign, as no task renames itself.

/// CPUs that are followed; what lies past them is not compared.
const MAX_CPUS: usize = 1_024;
/// Shorter names may differ in one sign by chance.
const MIN_NAME_BYTES: usize = 4;

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
        let is_misspelt = *last_pid == pid && is_almost(comm, last_comm);
        *last_pid = pid;
        last_comm.clear();
        last_comm.extend_from_slice(comm);
        is_misspelt
    }
}

/// True where a name is `other` but for a sign that is another, gone or too many. Numbers may count on:
/// `worker-1` and `worker-2` are names of one thread that is used again.
pub fn is_almost(comm: &[u8], other: &[u8]) -> bool {
    if comm == other || comm.len().abs_diff(other.len()) > 1 || comm.len().min(other.len()) < MIN_NAME_BYTES {
        return false;
    }
    let same = comm.iter().zip(other).take_while(|(one, other)| one == other).count();
    let is_digit = |name: &[u8]| name.get(same).is_none_or(u8::is_ascii_digit);
    if is_digit(comm) && is_digit(other) {
        return false;
    }
    let behind = |name: &[u8], other: &[u8]| same.saturating_add(usize::from(name.len() >= other.len()));
    comm.get(behind(comm, other)..) == other.get(behind(other, comm)..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_sign_more_less_or_other_is_misspelt() {
        for other in ["kworker/u32(4", "kworker/u324", "kworker/u32::4", "Kworker/u32:4"] {
            assert!(is_almost(b"kworker/u32:4", other.as_bytes()), "{other}");
            assert!(is_almost(other.as_bytes(), b"kworker/u32:4"), "{other}");
        }
        for other in ["kworker/u32:4", "kworker/u32:5", "kworker/u32:41", "kworker/u3", "bash"] {
            assert!(!is_almost(b"kworker/u32:4", other.as_bytes()), "{other}");
        }
        assert!(!is_almost(b"sh", b"ssh"));
    }

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

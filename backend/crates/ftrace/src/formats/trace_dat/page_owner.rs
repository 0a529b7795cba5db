//! Which CPU a page is of, by what is on it.
//!
//! Pages do not say so, but switches to and from the CPU's idle task do: `swapper/3` runs only on CPU 3.

use crate::model::{IDLE_TASK_PREFIX, idle_task_cpu};

/// The longest name of a task, with its end.
const COMM_BYTES: usize = 16;

/// Whose pages they are, where they show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Unknown,
    Cpu(u16),
    Several,
}

impl Owner {
    /// Of this, and of `other` beside it.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (owner, Self::Unknown) | (Self::Unknown, owner) => owner,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }

    /// By the names of idle tasks in `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        memchr::memmem::find_iter(bytes, IDLE_TASK_PREFIX).fold(Self::Unknown, |owner, at| {
            let rest = bytes.get(at..).unwrap_or_default();
            let rest = rest.get(..COMM_BYTES).unwrap_or(rest);
            let comm = rest.iter().position(|byte| *byte == 0).and_then(|end| rest.get(..end));
            comm.and_then(idle_task_cpu).map_or(owner, |cpu| owner.and(Self::Cpu(cpu)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_idle_task_names_its_cpu() {
        for (page, expected) in [
            (&b"cat\0 swapper/3\0 swapper/3\0"[..], Owner::Cpu(3)),
            (b"swapper/3\0 swapper/12\0", Owner::Several),
            (b"swapper/3/x\0 swapper/\0 swapper/99999999\0 swapper/", Owner::Unknown),
        ] {
            assert_eq!(Owner::of(page), expected);
        }
    }
}

//! Which CPU a page is of, by what is on it.
//!
//! Pages do not say so, but switches to and from the CPU's idle task do: `swapper/3` runs on CPU 3 alone.

/// Names of idle tasks: of CPU 3, `swapper/3`.
const IDLE: &[u8] = b"swapper/";

/// Whose pages they are, as far as they tell.
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
        memchr::memmem::find_iter(bytes, IDLE).fold(Self::Unknown, |owner, at| {
            let rest = bytes.get(at.saturating_add(IDLE.len())..).unwrap_or_default();
            let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(0);
            let number = rest.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            let is_ended = rest.get(digits) == Some(&0);
            number.filter(|_| is_ended).map_or(owner, |cpu| owner.and(Self::Cpu(cpu)))
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

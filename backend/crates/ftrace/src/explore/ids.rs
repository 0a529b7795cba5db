//! Public names of calls: made of what a call is, so that a permalink outlives loading it again.

use std::fmt;

use crate::store::read::dictionaries::Task;

/// Whose stack a call lies on, where the file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    Pid(i32),
    /// The idle task, or an unknown one: every CPU has its own.
    Cpu(i16),
}

impl Owner {
    /// The owner of what ran as `task` on `cpu`.
    pub fn new(task: Option<&Task<'_>>, cpu: i16) -> Self {
        match task.and_then(|task| task.pid) {
            Some(pid) if pid != 0 => Self::Pid(pid),
            _ => Self::Cpu(cpu),
        }
    }
}

/// `call-1213@2563694114000.3`: a call by owner, start (ns from trace start) and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    pub owner: Owner,
    pub start_ns: i64,
    pub depth: i16,
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Owner::Pid(pid) => write!(f, "call-{pid}@{}.{}", self.start_ns, self.depth),
            Owner::Cpu(cpu) => write!(f, "call-cpu{cpu}@{}.{}", self.start_ns, self.depth),
        }
    }
}

impl serde::Serialize for CallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl CallId {
    /// The call that the text names; `None` where it is no name, or not the only spelling of one.
    pub fn parse(text: &str) -> Option<Self> {
        let (owner, place) = text.strip_prefix("call-")?.split_once('@')?;
        let (start_ns, depth) = place.split_once('.')?;
        let owner = match owner.strip_prefix("cpu") {
            Some(cpu) => Owner::Cpu(cpu.parse().ok()?),
            None => Owner::Pid(owner.parse().ok()?),
        };
        let id = Self { owner, start_ns: start_ns.parse().ok()?, depth: depth.parse().ok()? };
        // One call has one name: `call-007@+5.0` is none.
        (id.to_string() == text).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<CallId>) {
        assert_eq!(CallId::parse(text), expected, "{text}");
    }

    #[test]
    fn ids_are_read_as_they_are_written() {
        check("call-1213@2563694.3", Some(CallId { owner: Owner::Pid(1213), start_ns: 2_563_694, depth: 3 }));
        check("call-cpu6@-5.0", Some(CallId { owner: Owner::Cpu(6), start_ns: -5, depth: 0 }));
    }

    #[test]
    fn other_text_is_no_id() {
        for text in ["", "call-", "call-1@2", "call-01@2.0", "call-1@+2.0", "call-cpux@2.0", "wakeup-1@2"] {
            check(text, None);
        }
    }
}

//! `sched_pi_setprio`: a task is lent the priority of one that waits for its lock, or gives it back.

use super::fields::{after_key, number};

/// The priorities of the task before and after, as the kernel counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boost<'a> {
    pub comm: &'a [u8],
    pub pid: i32,
    pub old_prio: i32,
    pub new_prio: i32,
}

// comm=low pid=228 oldprio=89 newprio=19
/// Source: include/trace/events/sched.h, Linux 2.6.33 to 6.12.
pub fn parse(args: &[u8]) -> Option<Boost<'_>> {
    let int = |key| i32::try_from(number(args, key)?).ok();
    let comm = after_key(args, b"comm")?;
    // The comm ends where the next key begins; it may hold blanks.
    let end = memchr::memmem::rfind(comm, b" pid=").unwrap_or(comm.len());
    Some(Boost {
        comm: comm.get(..end)?,
        pid: int(b"pid")?,
        old_prio: int(b"oldprio")?,
        new_prio: int(b"newprio")?,
    })
}

//! `sched_migrate_task`.

use memchr::memmem;

use super::fields::{leading_number, number};

/// Which task goes to which CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    pub pid: i32,
    /// Where it was.
    pub from_cpu: Option<u16>,
    /// Where it goes.
    pub cpu: u16,
}

/// A comm may hold text that looks like the fields after it; the last ones count.
///
/// Source: include/trace/events/sched.h, Linux 6.12.
pub fn parse(args: &[u8]) -> Option<Migration> {
    // comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
    let at = memmem::rfind(args, b" pid=")?;
    let (pid, rest) = leading_number(args.get(at.saturating_add(5)..)?)?;
    let from_cpu = number(rest, b"orig_cpu").and_then(|cpu| u16::try_from(cpu).ok());
    let cpu = number(rest, b"dest_cpu")?;
    Some(Migration { pid: i32::try_from(pid).ok()?, from_cpu, cpu: u16::try_from(cpu).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_names_the_task_and_where_it_goes() {
        let to_1 = Some(Migration { pid: 9, from_cpu: Some(0), cpu: 1 });
        assert_eq!(parse(b"comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1"), to_1);
        assert_eq!(parse(b"comm=a pid=3 dest_cpu=4 pid=9 prio=89 orig_cpu=0 dest_cpu=1"), to_1);
        assert_eq!(parse(b"comm=rt"), None);
        assert_eq!(parse(b"comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=70000"), None);
    }
}

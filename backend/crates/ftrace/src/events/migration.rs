//! `sched_migrate_task`.

use memchr::memmem;

use super::fields::{leading_number, number};

/// Which pid goes to which CPU.
///
/// A comm may hold text that looks like the fields behind it; the last ones count.
/// Source: include/trace/events/sched.h, Linux 6.12.
pub fn migration(args: &[u8]) -> Option<(i32, i64)> {
    // comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
    let at = memmem::rfind(args, b" pid=")?;
    let (pid, rest) = leading_number(args.get(at.saturating_add(5)..)?)?;
    Some((i32::try_from(pid).ok()?, number(rest, b"dest_cpu")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_names_the_task_and_where_it_goes() {
        assert_eq!(migration(b"comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1"), Some((9, 1)));
        assert_eq!(migration(b"comm=a pid=3 dest_cpu=4 pid=9 prio=89 orig_cpu=0 dest_cpu=1"), Some((9, 1)));
        assert_eq!(migration(b"comm=rt"), None);
    }
}

//! `workqueue_queue_work` and `workqueue_execute_start`: work is handed to a kernel thread.

use super::fields::word;
use super::number::parse_address;

/// An item of work, by the address of its `work_struct`, which the kernel may print hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work<'a> {
    pub address: u64,
    pub function: &'a [u8],
}

// work struct=000000000330d0cd function=process_srcu workqueue=rcu_gp req_cpu=8192 cpu=0
// work struct 000000000330d0cd: function process_srcu
/// Source: include/trace/events/workqueue.h, Linux 2.6.36 to 6.12.
pub fn parse(args: &[u8]) -> Option<Work<'_>> {
    let address = match args.strip_prefix(b"work struct ") {
        Some(rest) => rest.split(|byte| *byte == b':').next()?,
        None => word(args, b"struct").or_else(|| word(args, b"work"))?,
    };
    let function = word(args, b"function").or_else(|| {
        let at = memchr::memmem::find(args, b": function ")?;
        args.get(at.saturating_add(11)..)?.split(|byte| *byte == b' ').next()
    });
    Some(Work { address: parse_address(address)?, function: function.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: Option<(u64, &str)>) {
        let found = parse(args.as_bytes());
        let expected = expected.map(|(address, function)| Work { address, function: function.as_bytes() });
        assert_eq!(found, expected, "{args}");
    }

    #[test]
    fn both_events_name_the_work_and_its_function() {
        let queued = "work struct=000000000330d0cd function=process_srcu workqueue=rcu_gp req_cpu=8192 cpu=0";
        check(queued, Some((0x0330_d0cd, "process_srcu")));
        check("work struct 000000000330d0cd: function process_srcu", Some((0x0330_d0cd, "process_srcu")));
        check("work=0xffff8880 function=vmstat_update", Some((0xffff_8880, "vmstat_update")));
        check("work struct (____ptrval____): function f", None);
    }
}

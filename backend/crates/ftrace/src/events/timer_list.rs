//! `timer_start` and `timer_expire_entry`: the kernel's coarse timers, which the TIMER softirq runs.

use super::fields::word;
use super::number::parse_address;

/// A timer, by the address of its `timer_list`, which the kernel may print hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListTimer<'a> {
    pub address: u64,
    pub function: &'a [u8],
}

// timer=00000000bba09578 function=process_timeout expires=4294671927 [timeout=3] bucket_expiry=4294671928 cpu=0 idx=56
/// Source: include/trace/events/timer.h, Linux 6.12.
pub fn parse(args: &[u8]) -> Option<ListTimer<'_>> {
    let address = parse_address(word(args, b"timer")?)?;
    Some(ListTimer { address, function: word(args, b"function").unwrap_or_default() })
}

//! Frames of stacks with their addresses: in the kernel, an address is in one function.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap};

use super::scan;

/// Addresses that are followed.
const MAX_ADDRESSES: usize = 4_096;
/// Programs have their own functions at the same addresses; those of the kernel are at the end.
const FIRST_OF_KERNEL: u64 = 0xffff << 48;

/// The function of each address of a section.
#[derive(Debug, Default)]
pub struct FrameAddresses {
    functions: HashMap<u64, u64>,
    hasher: DefaultHashBuilder,
}

impl FrameAddresses {
    /// Takes `=> do_idle (ffffffff83d35223)`; true where that address was in another function before.
    pub fn is_other_function(&mut self, frame: &[u8]) -> bool {
        let address = memchr::memmem::rfind(frame, b" (").and_then(|at| frame.split_at_checked(at));
        let Some((function, address)) = address else { return false };
        let digits = address.strip_prefix(b" (").and_then(|address| address.strip_suffix(b")"));
        let Some(address) = digits.and_then(scan::parse_hex).filter(|at| *at >= FIRST_OF_KERNEL) else {
            return false;
        };
        let function = self.hasher.hash_one(function);
        if self.functions.len() >= MAX_ADDRESSES {
            return self.functions.get(&address).is_some_and(|known| *known != function);
        }
        *self.functions.entry(address).or_insert(function) != function
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_kernel_is_in_one_function() {
        let mut frames = FrameAddresses::default();
        let mut is_other = |frame: &str| frames.is_other_function(frame.as_bytes());
        for frame in [
            "=> do_idle (ffffffff83d35223)",
            "=> do_idle (ffffffff83d35223)",
            "=> do_idle (ffffffff83d35229)",
            "=> main (7f0011223344)",
            "=> other (7f0011223344)",
            "=> do_idle",
            "=> start_secondary",
        ] {
            assert!(!is_other(frame), "{frame}");
        }
        assert!(is_other("=> cpu_startup_entry (ffffffff83d35223)"));
    }
}

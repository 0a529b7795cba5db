//! Numbers for names in the order in which they are used, so that a file depends on nothing that is not in it.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// Functions by their index in the trace, numbered from zero.
#[derive(Default)]
pub struct Numbering {
    numbers: HashMap<i32, u32>,
    used: Vec<i32>,
}

impl Numbering {
    /// The number of a function, and whether this is its first use.
    pub fn number(&mut self, symbol_idx: i32) -> (u32, bool) {
        match self.numbers.entry(symbol_idx) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(new) => {
                let number = u32::try_from(self.used.len()).unwrap_or(u32::MAX);
                self.used.push(symbol_idx);
                (*new.insert(number), true)
            }
        }
    }

    /// The indices, by their numbers.
    pub fn used(&self) -> &[i32] {
        &self.used
    }
}

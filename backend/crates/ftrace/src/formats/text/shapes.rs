//! Whether the records of an event have the fields that the event has elsewhere in the text.
//!
//! `sched_waking: comm=rcu_preempt pid=18 prio=120 target_cpu=001` has the same keys every time. A record whose
//! keys are seen nowhere else has lost a part of its line, or is put together from two.

use std::hash::{BuildHasher, Hasher};

use hashbrown::{DefaultHashBuilder, HashMap};

use crate::model::Place;

/// Event names and forms of each that are followed.
const MAX_NAMES: usize = 4_096;
const MAX_FORMS: usize = 8;
/// Of so many records a form that stands alone is odd; of fewer, it may be what the event looks like.
const MIN_RECORDS: u64 = 3;
const SAMPLE_BYTES: usize = 160;

#[derive(Debug)]
struct Form {
    hash: u64,
    count: u64,
    first: Place,
    sample: Vec<u8>,
}

#[derive(Debug, Default)]
struct Forms {
    forms: Vec<Form>,
    record_count: u64,
}

#[derive(Debug, Default)]
pub struct Shapes {
    names: HashMap<Vec<u8>, Forms>,
    hasher: DefaultHashBuilder,
}

impl Shapes {
    pub fn look(&mut self, name: &[u8], args: &[u8], place: Place) {
        let hash = self.keys_hash(args);
        let Some(known) = self.names.get_mut(name) else {
            if self.names.len() < MAX_NAMES {
                let mut known = Forms::default();
                known.add(hash, args, place);
                self.names.insert(name.to_vec(), known);
            }
            return;
        };
        known.add(hash, args, place);
    }

    /// Records unlike all others of their event: where, and their arguments; in the order of the text.
    pub fn odd(&self) -> Vec<(Place, &[u8])> {
        let usual = self.names.values().filter(|known| known.record_count >= MIN_RECORDS);
        let alone = usual.flat_map(|known| known.forms.iter().filter(|form| form.count == 1).take(1));
        let mut odd: Vec<_> = alone.map(|form| (form.first, form.sample.as_slice())).collect();
        odd.sort_unstable_by_key(|(place, _)| place.byte_offset);
        odd
    }

    /// True where `args` name a field twice: `irq=3 name=arch_tiq_handler_exit: irq=3 ret=handled`
    pub fn has_field_twice(args: &[u8]) -> bool {
        const MAX_KEYS: usize = 16;
        let mut seen = [&b""[..]; MAX_KEYS];
        for (count, key) in keys(args).take(MAX_KEYS).enumerate() {
            if !key.is_empty() && seen.get(..count).is_some_and(|seen| seen.contains(&key)) {
                return true;
            }
            if let Some(slot) = seen.get_mut(count) {
                *slot = key;
            }
        }
        false
    }

    /// Of `comm=` `pid=` in this order, whatever their values.
    fn keys_hash(&self, args: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for key in keys(args) {
            hasher.write(key);
            hasher.write_u8(b'=');
        }
        hasher.finish()
    }
}

impl Forms {
    fn add(&mut self, hash: u64, args: &[u8], place: Place) {
        self.record_count = self.record_count.saturating_add(1);
        if let Some(form) = self.forms.iter_mut().find(|form| form.hash == hash) {
            form.count = form.count.saturating_add(1);
            return;
        }
        if self.forms.len() < MAX_FORMS {
            let sample = args.get(..SAMPLE_BYTES).unwrap_or(args).to_vec();
            self.forms.push(Form { hash, count: 1, first: place, sample });
        }
    }
}

/// What stands before each `=`.
fn keys(args: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'=', args).map(|at| {
        let before = args.get(..at).unwrap_or_default();
        let length = before.iter().rev().take_while(|byte| is_of_key(**byte)).count();
        before.get(at.saturating_sub(length)..).unwrap_or_default()
    })
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

//! What records of one block have in common, held once.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::copy::TextColumn;

/// Distinct pairs of a tag and a text, in the order of their first appearance. A block has at most
/// `BLOCK_RECORDS` of them, so that a `smallint` counts them.
pub struct Distinct<T> {
    hasher: DefaultHashBuilder,
    /// The hash is kept, so that growing does not need the text again.
    indices: HashTable<(u64, usize)>,
    entries: Vec<Entry<T>>,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry<T> {
    tag: T,
    text_start: usize,
    text_end: usize,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self {
            hasher: DefaultHashBuilder::default(),
            indices: HashTable::new(),
            entries: Vec::new(),
            bytes: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    /// The number of this pair, counted from zero.
    pub fn index_of(&mut self, tag: T, text: &[u8]) -> i16 {
        let hash = self.hasher.hash_one((tag, text));
        let Self { indices, entries, bytes, .. } = self;
        let is_same = |(held, idx): &(u64, usize)| {
            *held == hash
                && entries.get(*idx).is_some_and(|entry| {
                    let held = bytes.get(entry.text_start..entry.text_end).unwrap_or_default();
                    entry.tag == tag && is_equal(held, text)
                })
        };
        let idx = match indices.find(hash, is_same) {
            Some((_, idx)) => *idx,
            None => {
                let idx = entries.len();
                let text_start = bytes.len();
                bytes.extend_from_slice(text);
                entries.push(Entry { tag, text_start, text_end: bytes.len() });
                indices.insert_unique(hash, (hash, idx), |(held, _)| *held);
                idx
            }
        };
        i16::try_from(idx).unwrap_or(i16::MAX)
    }

    /// The tag of each pair, in their order.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = T> {
        self.entries.iter().map(|entry| entry.tag)
    }

    /// The pair with this number.
    pub fn entry(&self, idx: i16) -> Option<(T, &[u8])> {
        let entry = self.entries.get(usize::try_from(idx).ok()?)?;
        Some((entry.tag, self.bytes.get(entry.text_start..entry.text_end).unwrap_or_default()))
    }

    /// The text of each pair, in their order.
    pub fn texts(&self) -> TextColumn {
        let mut column = TextColumn::default();
        for entry in &self.entries {
            column.push(self.bytes.get(entry.text_start..entry.text_end).unwrap_or_default());
        }
        column
    }

    /// Bytes of all texts together, each pair counted once.
    pub fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets all pairs; the next one has the number 0.
    pub fn clear(&mut self) {
        self.indices.clear();
        self.entries.clear();
        self.bytes.clear();
    }
}

/// Empty slices point nowhere. glibc's memcmp for AVX-512 loads from there all the same, masked, for
/// which the processor takes 100 ns; `==` on empty slices calls it. Remove this when it does not any more.
fn is_equal(held: &[u8], text: &[u8]) -> bool {
    if text.is_empty() { held.is_empty() } else { held == text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(i16, &str)], expected: &[i16]) {
        let mut distinct = Distinct::default();
        // What a block before held must not be found again.
        distinct.index_of(1, b"old");
        distinct.clear();
        let found: Vec<_> =
            pairs.iter().map(|(tag, text)| distinct.index_of(*tag, text.as_bytes())).collect();
        assert_eq!(found, expected);
        let count = expected.iter().max().map_or(0, |last| last + 1);
        assert_eq!(i16::try_from(distinct.tags().len()), Ok(count));
    }

    #[test]
    fn equal_pairs_have_one_number() {
        check(&[(1, "a"), (2, "a"), (1, "a"), (1, ""), (1, "old"), (1, "")], &[0, 1, 0, 2, 3, 2]);
    }

    #[test]
    fn every_record_of_a_block_may_be_different() {
        let texts: Vec<_> = (0..8_192).map(|number: i16| number.to_string()).collect();
        let pairs: Vec<_> = texts.iter().map(|text| (0, text.as_str())).collect();
        check(&pairs, &(0..8_192).collect::<Vec<_>>());
    }
}

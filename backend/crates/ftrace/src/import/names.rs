//! Names and their indices, in the order of first appearance.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// All names together take at most this; the next one is past the limit like one too many.
const MAX_BYTES: usize = 64 << 20;

/// Places in which a name that came lately is looked for.
const RECENT: usize = 64;

/// Distinct names, each with a tag and perhaps a qualifier (a function's module, an event's system).
pub struct Names<T> {
    max_names: usize,
    hasher: DefaultHashBuilder,
    indices: HashTable<u32>,
    /// What came last of those that share a place: most names come again soon, and to hash one takes longer than to
    /// compare it.
    recent: [u32; RECENT],
    bytes: Vec<u8>,
    entries: Vec<Entry<T>>,
}

#[derive(Clone, Copy)]
struct Entry<T> {
    tag: T,
    at: usize,
    name_bytes: usize,
    qualifier_bytes: Option<usize>,
}

/// Where a name was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interned {
    Known(u32),
    New(u32),
    /// There are too many names already; this one was not kept.
    Refused,
}

/// A name as it was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'a, T> {
    pub tag: T,
    pub name: &'a [u8],
    pub qualifier: Option<&'a [u8]>,
}

impl<T: Copy + Eq + Hash> Names<T> {
    /// No names yet; past `max_names` of them, or 64 MiB of text, new ones are refused.
    pub fn new(max_names: usize) -> Self {
        Self {
            max_names,
            hasher: DefaultHashBuilder::default(),
            indices: HashTable::new(),
            recent: [0; RECENT],
            bytes: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// The index of a name among those of its tag and qualifier; equal ones have one index, counted from zero.
    pub fn intern(&mut self, tag: T, name: &[u8], qualifier: Option<&[u8]>) -> Interned {
        let wanted = Name { tag, name, qualifier };
        let place = recent_place(name);
        if let Some(idx) = self.recent.get(place).filter(|idx| self.get(**idx) == Some(wanted)) {
            return Interned::Known(*idx);
        }
        let hash = self.hasher.hash_one((tag, name, qualifier));
        if let Some(idx) = self.indices.find(hash, |idx| self.get(*idx) == Some(wanted)).copied() {
            self.recent.get_mut(place).into_iter().for_each(|recent| *recent = idx);
            return Interned::Known(idx);
        }
        let Ok(idx) = u32::try_from(self.entries.len()) else { return Interned::Refused };
        let size = name.len().saturating_add(qualifier.map_or(0, <[u8]>::len));
        if self.entries.len() >= self.max_names || self.bytes.len().saturating_add(size) > MAX_BYTES {
            return Interned::Refused;
        }
        let at = self.bytes.len();
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(qualifier.unwrap_or_default());
        let qualifier_bytes = qualifier.map(<[u8]>::len);
        self.entries.push(Entry { tag, at, name_bytes: name.len(), qualifier_bytes });
        let Self { indices, entries, bytes, hasher, .. } = self;
        indices.insert_unique(hash, idx, |idx| hash_of(entry(entries, bytes, *idx), hasher));
        Interned::New(idx)
    }

    /// True where `intern` has kept this name.
    pub fn is_known(&self, tag: T, name: &[u8], qualifier: Option<&[u8]>) -> bool {
        let wanted = Name { tag, name, qualifier };
        let hash = self.hasher.hash_one((tag, name, qualifier));
        self.indices.find(hash, |idx| self.get(*idx) == Some(wanted)).is_some()
    }

    pub fn get(&self, idx: u32) -> Option<Name<'_, T>> {
        entry(&self.entries, &self.bytes, idx)
    }

    /// The index that the next new name gets, or would get.
    pub fn next_index(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Every name in the order of its index.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Name<'_, T>)> {
        (0..u32::MAX).map_while(|idx| self.get(idx).map(|name| (idx, name)))
    }
}

/// By the length of a name and its last byte, which distinguish `sys_enter` from `sys_exit`.
fn recent_place(name: &[u8]) -> usize {
    let last = name.last().copied().unwrap_or_default();
    name.len().wrapping_mul(7).wrapping_add(usize::from(last)) % RECENT
}

fn entry<'a, T: Copy>(entries: &[Entry<T>], bytes: &'a [u8], idx: u32) -> Option<Name<'a, T>> {
    let entry = entries.get(usize::try_from(idx).ok()?)?;
    let from_name = bytes.get(entry.at..)?;
    let (name, rest) = from_name.split_at_checked(entry.name_bytes)?;
    let qualifier = match entry.qualifier_bytes {
        Some(size) => Some(rest.get(..size)?),
        None => None,
    };
    Some(Name { tag: entry.tag, name, qualifier })
}

fn hash_of<T: Hash>(name: Option<Name<'_, T>>, hasher: &DefaultHashBuilder) -> u64 {
    name.map_or(0, |name| hasher.hash_one((name.tag, name.name, name.qualifier)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_by_all_of_its_parts() {
        let mut names = Names::new(4);
        assert_eq!(names.intern((), b"ab", None), Interned::New(0));
        assert_eq!(names.intern((), b"a", Some(b"b")), Interned::New(1));
        assert_eq!(names.intern((), b"ab", Some(b"")), Interned::New(2));
        assert_eq!(names.intern((), b"ab", None), Interned::Known(0));
        assert_eq!(names.intern((), b"", None), Interned::New(3));
        assert_eq!(names.intern((), b"c", None), Interned::Refused);
        assert_eq!(names.intern((), b"a", Some(b"b")), Interned::Known(1));
        assert_eq!(names.get(1), Some(Name { tag: (), name: b"a".as_slice(), qualifier: Some(b"b") }));
        assert_eq!(names.iter().count(), 4);
        assert!(names.is_known((), b"a", Some(b"b")));
        assert!(!names.is_known((), b"a", None));
    }

    #[test]
    fn names_that_share_a_place_are_told_apart_by_all_of_their_parts() {
        let mut names = Names::new(9);
        for (tag, name, qualifier) in
            [(1, "ab", None), (2, "ab", None), (1, "bb", None), (1, "ab", Some("x")), (1, "ab", Some("y"))]
        {
            let (name, qualifier): (&str, Option<&str>) = (name, qualifier);
            let Interned::New(idx) = names.intern(tag, name.as_bytes(), qualifier.map(str::as_bytes)) else {
                panic!("{name} of {tag} is taken for another")
            };
            for _ in 0..2 {
                let again = names.intern(tag, name.as_bytes(), qualifier.map(str::as_bytes));
                assert_eq!(again, Interned::Known(idx));
            }
        }
    }

    #[test]
    fn indices_survive_growth() {
        let mut names = Names::new(10_000);
        for number in 0..10_000_u32 {
            assert_eq!(names.intern((), number.to_string().as_bytes(), None), Interned::New(number));
        }
        assert_eq!(names.intern((), b"7777", None), Interned::Known(7777));
    }
}

//! Names of both sides, once each, and which of them are the same function.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A name of [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(super) u32);

/// What compilers append to the name of a copy of a function: `.isra.0`, `.constprop.1`, `.part.0.cold`.
const SUFFIXES: &[&str] = &["isra", "constprop", "part", "cold", "llvm", "lto_priv"];

/// Distinct names. One for all trees that are compared with each other.
#[derive(Default)]
pub struct Names {
    hasher: DefaultHashBuilder,
    indices: HashTable<u32>,
    entries: Vec<Entry>,
}

struct Entry {
    text: Box<str>,
    /// The name without its suffixes; itself where it has none.
    function: NameId,
}

impl Names {
    /// The id of a name; equal names have one.
    pub fn intern(&mut self, text: &str) -> NameId {
        let hash = self.hasher.hash_one(text);
        let is_it = |idx: &u32| text_of(&self.entries, *idx) == text;
        if let Some(idx) = self.indices.find(hash, is_it) {
            return NameId(*idx);
        }
        let stem = without_suffixes(text);
        let stem = if stem.len() < text.len() { Some(self.intern(stem)) } else { None };
        // More names than fit in 32 bits need more memory than any tree may have.
        let idx = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(Entry { text: text.into(), function: stem.unwrap_or(NameId(idx)) });
        let Self { hasher, indices, entries } = self;
        indices.insert_unique(hash, idx, |idx| hasher.hash_one(text_of(entries, *idx)));
        NameId(idx)
    }

    /// The text that was interned as `name`.
    pub fn text(&self, name: NameId) -> &str {
        text_of(&self.entries, name.0)
    }

    /// The name with its suffixes set aside: equal for all copies that a compiler made of one function.
    pub fn function(&self, name: NameId) -> NameId {
        usize::try_from(name.0)
            .ok()
            .and_then(|idx| self.entries.get(idx))
            .map_or(name, |entry| entry.function)
    }
}

fn text_of(entries: &[Entry], idx: u32) -> &str {
    usize::try_from(idx).ok().and_then(|idx| entries.get(idx)).map_or("", |entry| &entry.text)
}

fn without_suffixes(text: &str) -> &str {
    let mut stem = text;
    while let Some((rest, last)) = stem.rsplit_once('.') {
        let is_number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
        let (rest, suffix) =
            if is_number { rest.rsplit_once('.').unwrap_or((rest, "")) } else { (rest, last) };
        if rest.is_empty() || !SUFFIXES.contains(&suffix) {
            break;
        }
        stem = rest;
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, function: &str) {
        let mut names = Names::default();
        let name = names.intern(name);
        assert_eq!(names.text(names.function(name)), function);
    }

    #[test]
    fn suffixes_of_copies_are_set_aside() {
        check("lock_hrtimer_base.isra.0", "lock_hrtimer_base");
        check("try_to_wake_up.part.0.cold.12", "try_to_wake_up");
        check("f.constprop.0.isra.4", "f");
        check("f.llvm.1234567890", "f");
        check("f.cold", "f");
        check("f", "f");
        check("f.0", "f.0");
        check("x.y", "x.y");
        check(".cold", ".cold");
        check("", "");
    }

    #[test]
    fn a_name_is_kept_once() {
        let mut names = Names::default();
        let all: Vec<NameId> = ["f.cold", "f", "g", "f.cold"].iter().map(|name| names.intern(name)).collect();
        assert_eq!(all[0], all[3]);
        assert_eq!(names.function(all[0]), all[1]);
        assert_eq!(names.text(all[2]), "g");
    }
}

//! Feeds each target two thousand mutated seeds, the same in every test run. The fuzzer (`make fuzz`) looks further.
#![allow(clippy::disallowed_methods, reason = "seeds are files")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;

use super::replay::files;
use super::{Target, targets};

const MUTANTS: usize = 2_000;

/// What a fuzzer keeps its inputs below, too.
const MAX_BYTES: usize = 16 << 10;

/// Bytes that end or begin something in one of the formats, or are a number's limit.
const SPECIAL: &[u8] = b"\0\n \t=:|[]{}\"-09\x7f\x80\xff";

/// Numbers that arithmetic breaks on, written over what is there: as text, and in either byte order.
const NUMBERS: [u64; 6] = [0, 1 << 31, u32::MAX as u64, 1 << 63, i64::MAX as u64, u64::MAX];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A short stretch of something that long.
    fn stretch(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        start..(start + self.below(64)).min(len)
    }
}

fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let range = random.stretch(bytes.len());
    match random.below(8) {
        0 => bytes.iter_mut().skip(range.start).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        1 => bytes.iter_mut().skip(range.start).take(1).for_each(|byte| *byte = *random.pick(SPECIAL)),
        2 => drop(bytes.drain(range)),
        3 => bytes.truncate(range.start),
        4 => {
            let repeated = bytes[range.clone()].repeat(1 + random.below(3));
            drop(bytes.splice(range, repeated));
        }
        5 => drop(bytes.splice(range, other[random.stretch(other.len())].iter().copied())),
        6 => drop(bytes.splice(range, random.pick(&NUMBERS).to_string().into_bytes())),
        _ => {
            let number = random.pick(&NUMBERS);
            let binary = if random.below(2) == 0 { number.to_le_bytes() } else { number.to_be_bytes() };
            let binary = &binary[..*random.pick(&[2, 4, 8])];
            let end = (range.start + binary.len()).min(bytes.len());
            drop(bytes.splice(range.start..end, binary.iter().copied()));
        }
    }
    bytes.truncate(MAX_BYTES);
}

/// The beginnings of the text samples: what does not look like a target's format is a seed, too.
fn beginnings() -> Vec<(String, Vec<u8>)> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces");
    let paths = fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let mut text = fs::read(&path).unwrap();
            text.truncate(4_000);
            (path.display().to_string(), text)
        })
        .collect();
    texts.sort();
    texts
}

/// The seeds of a target: its own, or all.
fn seeds(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut own = files("seeds", name);
    own.sort();
    if !own.is_empty() {
        return own;
    }
    let others = targets().into_iter().flat_map(|target| files("seeds", target.name));
    let mut all: Vec<_> = beginnings().into_iter().chain(others).collect();
    all.sort();
    all
}

fn feed(target: &Target) {
    let seeds = seeds(target.name);
    assert!(!seeds.is_empty(), "{}: no seeds", target.name);
    let mut random = Random(target.name.bytes().fold(1, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte)));
    for number in 0..MUTANTS {
        let (path, seed) = random.pick(&seeds);
        let mut mutant = seed.clone();
        for _ in 0..=random.below(4) {
            let (_, other) = random.pick(&seeds);
            mutate(&mut mutant, other, &mut random);
        }
        if catch_unwind(AssertUnwindSafe(|| (target.check)(&mutant))).is_err() {
            let kept = std::env::temp_dir().join(format!("{}-{number}", target.name));
            fs::write(&kept, &mutant).unwrap();
            panic!("{}: mutant {number} of {path} fails; it is in {}", target.name, kept.display());
        }
    }
}

#[test]
fn mutants_pass() {
    thread::scope(|scope| {
        for target in targets() {
            scope.spawn(move || feed(&target));
        }
    });
}

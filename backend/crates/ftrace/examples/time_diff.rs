//! Times comparisons of large trees of the shapes that are hardest to align.
//!
//!     cargo run --release -p ftrace --example time_diff [CALLS]...
#![allow(clippy::disallowed_methods, reason = "this measures; the core has no clock")]

use std::time::Instant;

use ftrace::diff::{Diff, Kind, Limits, Names, Sides, Tree, TreeBuilder, TreeError, diff};

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }

    fn duration_ns(&mut self) -> i64 {
        i64::try_from(300 + self.below(200) + if self.below(50) == 0 { self.below(5_000) } else { 0 })
            .unwrap_or(0)
    }
}

type Shape = fn(&mut TreeBuilder<'_>, usize, &mut Random) -> Result<(), TreeError>;

const SHAPES: &[(&str, Shape)] = &[
    ("one name", one_name),
    ("one name, up to one in 10 missing", one_name_with_gaps),
    ("period of three", period),
    ("period of three, interrupted", period_with_bursts),
    ("hundred names at random", |tree, calls, random| flat(tree, calls, random, 100)),
    ("all names different", |tree, calls, random| flat(tree, calls, random, u64::MAX)),
    ("deep chain", chain),
    ("deep chain with leaves", chain_with_leaves),
    ("equal names over random subtrees", random_subtrees),
    ("random tree, few names", |tree, calls, random| random_tree(tree, calls, random, 4)),
    ("random tree, many names", |tree, calls, random| random_tree(tree, calls, random, 300)),
];

fn leaf(tree: &mut TreeBuilder<'_>, name: &str, random: &mut Random) -> Result<(), TreeError> {
    tree.open(name, Kind::Call, 0, random.duration_ns())?;
    tree.close()
}

fn one_name(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random) -> Result<(), TreeError> {
    (0..calls).try_for_each(|_| leaf(tree, "clear_page", random))
}

/// The two sides have different numbers of calls.
fn one_name_with_gaps(
    tree: &mut TreeBuilder<'_>,
    calls: usize,
    random: &mut Random,
) -> Result<(), TreeError> {
    let missing = random.below(u64::try_from(calls / 10).unwrap_or(0));
    let missing = usize::try_from(missing).unwrap_or(0);
    one_name(tree, calls.saturating_sub(missing), random)
}

fn period(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random) -> Result<(), TreeError> {
    let skipped = usize::try_from(random.below(3)).unwrap_or(0);
    ["lock", "walk", "unlock"]
        .iter()
        .cycle()
        .skip(skipped)
        .take(calls)
        .try_for_each(|name| leaf(tree, name, random))
}

fn period_with_bursts(
    tree: &mut TreeBuilder<'_>,
    calls: usize,
    random: &mut Random,
) -> Result<(), TreeError> {
    for (at, name) in ["lock", "walk", "unlock"].iter().cycle().take(calls).enumerate() {
        let is_burst = at % 5_000 < usize::try_from(random.below(1_000)).unwrap_or(0);
        leaf(tree, if is_burst { "printk" } else { name }, random)?;
    }
    Ok(())
}

fn flat(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random, names: u64) -> Result<(), TreeError> {
    (0..calls).try_for_each(|_| leaf(tree, &format!("f{}", random.below(names)), random))
}

fn chain(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random) -> Result<(), TreeError> {
    (0..calls).try_for_each(|_| tree.open("f", Kind::Call, 0, random.duration_ns()))
}

fn chain_with_leaves(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random) -> Result<(), TreeError> {
    for _ in 0..calls / 2 {
        tree.open("f", Kind::Call, 0, random.duration_ns())?;
        leaf(tree, if random.below(2) == 0 { "g" } else { "f" }, random)?;
    }
    Ok(())
}

fn random_subtrees(tree: &mut TreeBuilder<'_>, calls: usize, random: &mut Random) -> Result<(), TreeError> {
    for _ in 0..calls / 20 {
        tree.open("handle_mm_fault", Kind::Call, 0, 9_000 + random.duration_ns())?;
        flat(tree, 19, random, 6)?;
        tree.close()?;
    }
    Ok(())
}

fn random_tree(
    tree: &mut TreeBuilder<'_>,
    calls: usize,
    random: &mut Random,
    names: u64,
) -> Result<(), TreeError> {
    let mut depth = 0;
    for _ in 0..calls {
        while depth > 0 && random.below(2) == 0 {
            tree.close()?;
            depth -= 1;
        }
        tree.open(&format!("f{}", random.below(names)), Kind::Call, 0, random.duration_ns())?;
        depth += 1;
    }
    (0..depth).try_for_each(|_| tree.close())
}

fn make(names: &mut Names, shape: Shape, calls: usize, seed: u64) -> Result<Tree, TreeError> {
    let mut tree = TreeBuilder::new(names, calls.saturating_add(1));
    tree.open("root", Kind::Call, 0, 1_000_000_000)?;
    shape(&mut tree, calls, &mut Random(seed))?;
    tree.finish()
}

fn main() -> Result<(), TreeError> {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|calls| calls.parse().ok()).collect();
    for calls in if sizes.is_empty() { vec![20_000, 200_000] } else { sizes } {
        for (title, shape) in SHAPES {
            let mut names = Names::default();
            let seeds = Sides { abnormal: 1, normal: 2 };
            let trees = seeds.try_map(|seed| make(&mut names, *shape, calls, seed))?;
            let started = Instant::now();
            let found: Diff = diff(&names, trees.as_ref(), &Limits::default());
            let milliseconds = started.elapsed().as_millis();
            let matched = found.rows.iter().filter_map(|row| row.places.both());
            let matched: u64 = matched.map(|places| u64::from(places.abnormal.count)).sum();
            let Sides { abnormal, normal } = trees.as_ref().map(|tree| tree.nodes().len());
            let notes = found.notes.len();
            println!(
                "{milliseconds:6} ms  {abnormal} x {normal} calls, {matched} matched, {notes} notes: {title}"
            );
        }
    }
    Ok(())
}

//! What holds for any two trees.

use proptest::prelude::*;

use super::testing::{verify, verify_mirror};
use super::*;

/// Calls by their depth (relative to the one before), name, kind and duration.
type Calls = Vec<(u8, u8, u8, u16)>;

const NAMES: &[&str] = &["f", "f.isra.0", "g", "g.cold", "h", "k", "l", "m.part.1.llvm.7"];

fn calls(most: usize) -> impl Strategy<Value = Calls> {
    prop::collection::vec((0_u8..5, 0_u8..8, 0_u8..30, 0_u16..12), 0..most)
}

fn build(names: &mut Names, calls: &Calls) -> Tree {
    let mut tree = TreeBuilder::new(names, 1_000);
    tree.open("root", Kind::Call, 0, 500).unwrap();
    let mut depth = 0;
    for (up, name, kind, duration_ns) in calls {
        for _ in 0..(*up).min(depth) {
            tree.close().unwrap();
            depth -= 1;
        }
        if *kind > 26 {
            tree.elided();
        }
        let kind = if *kind == 0 { Kind::Interrupt } else { Kind::Call };
        tree.open(NAMES[usize::from(*name)], kind, 0, i64::from(*duration_ns)).unwrap();
        depth += 1;
    }
    tree.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_nanosecond_is_accounted_for_and_the_mirror_image_is_exact(abnormal in calls(40), normal in calls(40), table_cells in 0_usize..200) {
        let mut names = Names::default();
        let trees = Sides { abnormal, normal }.map(|calls| build(&mut names, &calls));
        let trees = trees.as_ref();
        for fold_from in [0, 2] {
            // Small tables take the ways of large trees.
            for table_cells in [table_cells, 1 << 20] {
                let limits = Limits { table_cells, fold_from, ..Limits::default() };
                let found = diff(&names, trees, &limits);
                verify(&found);
                verify_mirror(&found, &diff(&names, trees.swapped(), &limits));
                verify_rows(&found, trees, fold_from);
            }
        }
    }

    #[test]
    fn a_tree_differs_in_nothing_from_itself(calls in calls(60), table_cells in 0_usize..200) {
        let mut names = Names::default();
        let tree = build(&mut names, &calls);
        let found = diff(&names, Sides { abnormal: &tree, normal: &tree }, &Limits { table_cells, ..Limits::default() });
        prop_assert_eq!(found.summary, "The two are equal.");
        prop_assert_eq!(found.contributions, Contributions::default());
        prop_assert!(found.rows.iter().all(|row| row.status == Status::Matched && row.largest_ns == 0));
        prop_assert_eq!(found.notes, Vec::<String>::new());
    }

    #[test]
    fn the_reading_with_most_counterparts_is_found(abnormal in calls(9), normal in calls(9)) {
        let mut names = Names::default();
        let trees = Sides { abnormal, normal }.map(|calls| build(&mut names, &calls));
        let found = diff(&names, trees.as_ref(), &Limits { fold_from: 0, ..Limits::default() });
        let matched = found.rows.iter().filter(|row| row.status == Status::Matched).count();
        let trees = trees.as_ref().map(|tree| lift::lift(tree).tree);
        let of_roots = trees.as_ref().map(|tree| children(tree, 0));
        prop_assert_eq!(matched, 1 + most_matched(&names, trees.as_ref(), of_roots.as_ref().map(Vec::as_slice)));
    }
}

/// The rows hold all nodes of both sides, once, in order.
fn verify_rows(found: &Diff, trees: Sides<&Tree>, fold_from: usize) {
    let places = Sides {
        abnormal: found.rows.iter().filter_map(|row| row.places.abnormal).collect::<Vec<Place>>(),
        normal: found.rows.iter().filter_map(|row| row.places.normal).collect(),
    };
    for (tree, places) in trees.zip(places) {
        let count: u32 = places.iter().map(|place| place.count).sum();
        assert_eq!(usize::try_from(count).unwrap(), tree.nodes().len());
        if fold_from == 0 {
            let mut nodes: Vec<u32> = places.iter().map(|place| place.node).collect();
            nodes.sort_unstable();
            assert!(nodes.into_iter().eq(0..count));
        }
    }
    for (idx, row) in found.rows.iter().enumerate() {
        let parent = row.parent.map(|parent| &found.rows[usize::try_from(parent).unwrap()]);
        assert_eq!(row.depth, parent.map_or(0, |parent| parent.depth + 1));
        assert!(row.parent.is_none_or(|parent| usize::try_from(parent).unwrap() < idx));
    }
}

fn children(tree: &Tree, parent: u32) -> Vec<u32> {
    tree.children(parent).map(|(idx, _)| idx).collect()
}

/// By trying everything.
fn most_matched(names: &Names, trees: Sides<&Tree>, siblings: Sides<&[u32]>) -> usize {
    let Some(first) = siblings.map(<[u32]>::first).both().map(|first| first.map(|idx| *idx)) else {
        return 0;
    };
    let rest = siblings.map(|siblings| &siblings[1..]);
    let skipped = most_matched(names, trees, Sides { abnormal: rest.abnormal, ..siblings })
        .max(most_matched(names, trees, Sides { normal: rest.normal, ..siblings }));
    let nodes = trees.zip(first).map(|(tree, idx)| tree.node(idx).unwrap());
    let keys = nodes.map(|node| (names.function(node.name), node.kind));
    if keys.abnormal != keys.normal {
        return skipped;
    }
    let below = trees.zip(first).map(|(tree, idx)| children(tree, idx));
    let below = most_matched(names, trees, below.as_ref().map(Vec::as_slice));
    skipped.max(1 + below + most_matched(names, trees, rest))
}

//! What holds for any two trees, and that an extra call is found wherever it stands.

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
    fn every_nanosecond_is_accounted_for_and_the_mirror_image_is_exact(a in calls(40), b in calls(40), table_cells in 0_usize..200) {
        let mut names = Names::default();
        let (a, b) = (build(&mut names, &a), build(&mut names, &b));
        for fold_from in [0, 2] {
            // Small tables take the ways of large trees.
            for table_cells in [table_cells, 1 << 20] {
                let limits = Limits { table_cells, fold_from, ..Limits::default() };
                let found = diff(&names, &a, &b, &limits);
                verify(&found);
                verify_mirror(&found, &diff(&names, &b, &a, &limits));
                verify_rows(&found, &a, &b, fold_from);
            }
        }
    }

    #[test]
    fn a_tree_differs_in_nothing_from_itself(a in calls(60), table_cells in 0_usize..200) {
        let mut names = Names::default();
        let a = build(&mut names, &a);
        let found = diff(&names, &a, &a, &Limits { table_cells, ..Limits::default() });
        prop_assert_eq!(found.summary, "The two are equal.");
        prop_assert_eq!(found.contributions, Contributions::default());
        prop_assert!(found.rows.iter().all(|row| row.status == Status::Matched && row.largest_ns == 0));
        prop_assert_eq!(found.notes, Vec::<String>::new());
    }

    #[test]
    fn the_reading_with_most_counterparts_is_found(a in calls(9), b in calls(9)) {
        let mut names = Names::default();
        let (a, b) = (build(&mut names, &a), build(&mut names, &b));
        let found = diff(&names, &a, &b, &Limits { fold_from: 0, ..Limits::default() });
        let matched = found.rows.iter().filter(|row| row.status == Status::Matched).count();
        let (a, b) = (lift::lift(&a).tree, lift::lift(&b).tree);
        prop_assert_eq!(matched, 1 + most_matched(&names, (&a, &children(&a, 0)), (&b, &children(&b, 0))));
    }
}

/// All nodes of both sides stand in the rows, once, in order.
fn verify_rows(found: &Diff, a: &Tree, b: &Tree, fold_from: usize) {
    for (tree, place) in [(a, (|row: &Row| row.a) as fn(&Row) -> Option<Place>), (b, |row: &Row| row.b)] {
        let places: Vec<Place> = found.rows.iter().filter_map(place).collect();
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
fn most_matched(names: &Names, (a, of_a): (&Tree, &[u32]), (b, of_b): (&Tree, &[u32])) -> usize {
    let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (of_a, of_b) else { return 0 };
    let skipped =
        most_matched(names, (a, rest_a), (b, of_b)).max(most_matched(names, (a, of_a), (b, rest_b)));
    let (node_a, node_b) = (a.node(*first_a).unwrap(), b.node(*first_b).unwrap());
    if names.function(node_a.name) != names.function(node_b.name) || node_a.kind != node_b.kind {
        return skipped;
    }
    let below = most_matched(names, (a, &children(a, *first_a)), (b, &children(b, *first_b)));
    skipped.max(1 + below + most_matched(names, (a, rest_a), (b, rest_b)))
}

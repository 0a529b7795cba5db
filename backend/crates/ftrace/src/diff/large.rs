//! Trees that are too large, or too deep, to try every reading.

use expect_test::{Expect, expect};

use super::testing::{verify, verify_mirror};
use super::*;

/// The sentence and the notes for two roots with these calls, each given with its duration and the way up before it.
fn check(abnormal: &[Call], normal: &[Call], expected: Expect) {
    let mut names = Names::default();
    let trees = Sides { abnormal, normal }.map(|calls| build(&mut names, calls));
    let found = diff(&names, trees.as_ref(), &Limits::default());
    verify(&found);
    verify_mirror(&found, &diff(&names, trees.as_ref().swapped(), &Limits::default()));
    expected.assert_eq(&format!("{}\n{}", found.summary, found.notes.join("\n")));
}

#[derive(Clone, Copy)]
struct Call {
    name: &'static str,
    duration_ns: i64,
    is_leaf: bool,
}

fn build(names: &mut Names, calls: &[Call]) -> Tree {
    let mut tree = TreeBuilder::new(names, 1_000_000);
    let sum = calls.iter().filter(|call| call.is_leaf).map(|call| call.duration_ns).sum();
    tree.open("root", Kind::Call, 0, sum).unwrap();
    for call in calls {
        tree.open(call.name, Kind::Call, 0, call.duration_ns).unwrap();
        if call.is_leaf {
            tree.close().unwrap();
        }
    }
    tree.finish().unwrap()
}

fn leaf(name: &'static str, duration_ns: i64) -> Call {
    Call { name, duration_ns, is_leaf: true }
}

fn leaves(count: usize, names: &[&'static str]) -> Vec<Call> {
    let jitter = |at: usize| i64::try_from(at * 7_919 % 101).unwrap();
    names.iter().cycle().take(count).enumerate().map(|(at, name)| leaf(name, 400 + jitter(at))).collect()
}

#[test]
fn a_slow_extra_call_in_a_long_loop_is_found() {
    let normal = leaves(20_000, &["clear_page"]);
    let mut abnormal = normal.clone();
    abnormal.insert(12_345, leaf("clear_page", 50_000));
    check(
        &abnormal,
        &normal,
        expect![[r#"
            +50.00 µs, all in calls made once more (clear_page under root).
        "#]],
    );
}

#[test]
fn a_burst_of_calls_in_a_long_loop_is_found() {
    let normal = leaves(20_000, &["lock", "walk", "unlock"]);
    let mut abnormal = normal.clone();
    abnormal.splice(9_000..9_000, leaves(3_000, &["printk"]));
    check(
        &abnormal,
        &normal,
        expect![[r#"
            +1.350 ms, all in calls missing from the normal run (printk ×3,000 under root).
            root has too many calls to try every alignment (23,000 abnormal, 20,000 normal): among equal calls, the wrong one may be marked as extra."#]],
    );
}

#[test]
fn calls_made_once_on_both_sides_are_anchors() {
    let part = |name| [leaves(4_000, &["lock", "walk", "unlock"]), vec![leaf(name, 900)]].concat();
    let normal = ["a", "b", "c", "d", "e"].map(part).concat();
    let extra = leaves(2_000, &["printk"]);
    let abnormal = [
        extra.as_slice(),
        &part("a"),
        &extra,
        &part("b"),
        &extra,
        &part("c"),
        &part("d"),
        &extra,
        &part("e"),
    ]
    .concat();
    check(
        &abnormal,
        &normal,
        expect![[r#"
            +3.600 ms, all in calls missing from the normal run (printk ×8,000 under root).
            root has too many calls to try every alignment (28,005 abnormal, 20,005 normal): among equal calls, the wrong one may be marked as extra."#]],
    );
}

#[test]
fn depth_is_no_danger() {
    let chain = |len: usize| vec![Call { name: "f", duration_ns: 0, is_leaf: false }; len];
    let level = [leaf("g", 100), Call { name: "f", duration_ns: 0, is_leaf: false }];
    check(
        &[chain(100_000), vec![leaf("g", 100)]].concat(),
        &chain(100_000),
        expect![[r#"
            +0.100 µs: 0.100 µs in calls missing from the normal run (g under f), 0.100 µs in root itself, −0.100 µs in f itself (under f).
        "#]],
    );
    check(
        &[level.repeat(50_000), vec![leaf("h", 100)]].concat(),
        &level.repeat(49_999),
        expect![[r#"
            +0.200 µs: 0.200 µs in root itself, 0.100 µs in calls missing from the normal run (g, f under f), −0.100 µs in f itself (under f).
        "#]],
    );
}

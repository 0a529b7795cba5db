//! What a comparison finds, on trees that can be read.

use expect_test::{Expect, expect};

use super::testing::{compare, text};

fn check(abnormal: &str, normal: &str, expected: Expect) {
    let (names, diff) = compare(abnormal, normal);
    expected.assert_eq(&text(&names, &diff));
}

#[test]
fn equal_trees_differ_in_nothing() {
    let tree = "
        f 10
          g 3
            ...
          g 3";
    check(
        tree,
        tree,
        expect![[r#"
        The two are equal.
    "#]],
    );
}

#[test]
fn calls_that_one_side_only_makes_are_named_where_they_stand() {
    check(
        "
        tick 30
          enqueue 20
            lock 1
            ktime_get 0.5
            start.isra.0 7.5
              base 2
            unlock 1
          exit 3",
        "
        tick 21
          enqueue 11
            lock 1
            unlock 1
          exit 3.1",
        expect![[r#"
            = tick 9000 self 100
              = enqueue 9000 self 1000
                + ktime_get 500 self 500
                + start.isra.0 7500 self 5500
                  + base 2000 self 2000
              = exit -100 self -100
            +9.000 µs: 8.000 µs in calls that the normal one does not make (ktime_get, start.isra.0 under enqueue), 1.000 µs spread over slower calls.
        "#]],
    );
}

#[test]
fn names_that_differ_by_a_suffix_are_matched() {
    check(
        "f 10\n lock.isra.0 4\n lock 2",
        "f 9\n lock 3\n lock.cold 2",
        expect![[r#"
        = f 1000 self 0
          = lock.isra.0 (lock) 1000 self 1000
        +1.000 µs: 1.000 µs spread over slower calls.
    "#]],
    );
}

#[test]
fn a_slow_extra_call_is_extra_and_not_a_slow_twin() {
    check(
        "f 50\n g 1\n g 40\n g 1.1",
        "f 10\n g 1\n g 1.1",
        expect![[r#"
        = f 40000 self 0
          + g 40000 self 40000
        +40.000 µs: 40.000 µs in calls that the normal one does not make (g under f).
    "#]],
    );
}

#[test]
fn dots_stand_for_any_siblings() {
    check(
        "f 20\n g 1\n ...\n k 2\n l 3",
        "f 21\n g 1\n h 4\n  i 2\n j 1\n k 2\n m 3",
        expect![[r#"
        = f -1000 self -1000
          . h 0 self 0
            . i 0 self 0
          . j 0 self 0
          + l 3000 self 3000
          - m -3000 self -3000
        −1.000 µs: 3.000 µs in calls that the normal one does not make (l under f), −3.000 µs in calls that only the normal one makes (m under f), −1.000 µs spread over faster calls.
    "#]],
    );
}

#[test]
fn interrupts_are_taken_out_of_what_they_hit() {
    check(
        "f 20\n g 12\n  !eth0 5\n   napi 3\n  h 2\n k 1",
        "f 15\n g 7\n  h 2\n k 1",
        expect![[r#"
        = f 5000 self 0
          + eth0 5000 self 2000
            + napi 3000 self 3000
        +5.000 µs: 5.000 µs in interrupts that only it took (eth0).
    "#]],
    );
}

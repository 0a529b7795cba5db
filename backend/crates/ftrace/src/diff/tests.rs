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
fn calls_that_only_one_side_makes_are_named_with_their_caller() {
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
            +9.000 µs: 8.000 µs in calls missing from the normal run (ktime_get, start.isra.0 under enqueue), 1.000 µs in slower calls.
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
            +1.000 µs, all in lock.isra.0 itself (under f).
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
            +40.00 µs, all in calls made once more (g under f).
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
            −1.000 µs: 3.000 µs in calls missing from the normal run (l under f), −3.000 µs in calls missing from the abnormal run (m under f), −1.000 µs in f itself.
            note: 3 calls are elided (...) on the other side: their time counts for their callers.
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
            +5.000 µs, all in interrupts missing from the normal run (eth0 in g).
        "#]],
    );
}

#[test]
fn a_run_of_equal_calls_is_one_row() {
    check(
        "f 50\n g 2\n  h 1\n g 2\n  h 1\n g 30\n  h 1\n g 2\n  h 1\n g 2.1\n  h 1\n g 2\n  h 1\n g 2\n  h 1",
        "f 20\n g 1\n  h 1\n g 1\n  h 1\n g 1\n  h 1\n g 1\n  h 1\n g 1\n  h 1\n g 1\n  h 1\n g 1\n  h 1",
        expect![[r#"
            = f 30000 self -5100
              = g 1000 self 1000
              = g 1000 self 1000
              = g 29000 self 29000
              = g 4100 self 4100
            +30.00 µs: 35.10 µs in g itself (7 calls under f), −5.10 µs in faster calls.
        "#]],
    );
}

#[test]
fn a_call_that_takes_most_is_named() {
    check(
        "f 90\n g 70\n h 3\n k 4",
        "f 22\n g 5\n h 3\n k 2",
        expect![[r#"
            = f 68000 self 1000
              = g 65000 self 65000
              = k 2000 self 2000
            +68.00 µs: 65.00 µs in g itself (under f), 3.00 µs in slower calls.
        "#]],
    );
    check(
        "f 22\n g 5\n h 3\n k 2",
        "f 90\n g 70\n h 3\n k 4",
        expect![[r#"
            = f -68000 self -1000
              = g -65000 self -65000
              = k -2000 self -2000
            −68.00 µs: −65.00 µs in g itself (under f), −3.00 µs in faster calls.
        "#]],
    );
}

#[test]
fn slower_and_faster_calls_are_apart_where_both_matter() {
    check(
        "f 30\n a 6\n b 6\n c 6\n d 1\n e 1\n g 1",
        "f 29\n a 4\n b 4\n c 4\n d 3\n e 3\n g 2",
        expect![[r#"
            = f 1000 self 0
              = a 2000 self 2000
              = b 2000 self 2000
              = c 2000 self 2000
              = d -2000 self -2000
              = e -2000 self -2000
              = g -1000 self -1000
            +1.000 µs: 6.000 µs in slower calls, −5.000 µs in faster calls.
        "#]],
    );
}

#[test]
fn extra_and_missing_calls_may_take_equally_long() {
    check(
        "f 9\n g 4\n k 1",
        "f 9\n h 4\n k 1",
        expect![[r#"
              + g 4000 self 4000
              - h -4000 self -4000
            Equally long: 4.000 µs in calls missing from the normal run (g under f), −4.000 µs in calls missing from the abnormal run (h under f).
        "#]],
    );
    check(
        "f 9\n g 0\n k 1",
        "f 9\n k 1",
        expect![[r#"
              + g 0 self 0
            Both take equally long; they differ in calls missing from the normal run (g under f).
        "#]],
    );
}

#[test]
fn a_further_pass_is_no_new_call() {
    // The second pass makes what the first one does, and more.
    check(
        "f 40\n lock 1\n run 10\n  wake 8\n unlock 1\n lock 1\n run 20\n  wake 8\n  tick 11\n unlock 1",
        "f 14\n lock 1\n run 10\n  wake 8\n unlock 1",
        expect![[r#"
            = f 26000 self 4000
              = unlock 0 self 0 ambiguous
              + lock 1000 self 1000
              + run 20000 self 1000
                + wake 8000 self 8000
                + tick 11000 self 11000
              + unlock 1000 self 1000 ambiguous
            +26.00 µs: 22.00 µs in calls made once more (lock, run, unlock under f, 11.00 µs of it in tick, missing from the normal run), 4.00 µs in slower calls.
            note: 2 calls could equally be matched in another way; they are marked.
        "#]],
    );
    check(
        "f 9\n g 2\n g 2\n g 2",
        "f 3\n g 2",
        expect![[r#"
            = f 6000 self 2000
              + g 2000 self 2000
              + g 2000 self 2000
            +6.000 µs: 4.000 µs in calls made more often (g ×2 under f), 2.000 µs in f itself.
        "#]],
    );
    check(
        "f 3\n g 2",
        "f 9\n g 2\n k 2\n g 2",
        expect![[r#"
            = f -6000 self -2000
              = g 0 self 0 ambiguous
              - k -2000 self -2000
              - g -2000 self -2000 ambiguous
            −6.000 µs: −2.000 µs in calls missing from the abnormal run (k under f), −2.000 µs in calls made once more in the normal run (g under f), −2.000 µs in f itself.
            note: 2 calls could equally be matched in another way; they are marked.
        "#]],
    );
}

#[test]
fn calls_at_one_place_are_named_together() {
    check(
        "f 20\n a 1\n m 3\n b 2\n m 4\n c 1",
        "f 16\n m 3\n m 4",
        expect![[r#"
            = f 4000 self 0
              + a 1000 self 1000
              + b 2000 self 2000
              + c 1000 self 1000
            +4.000 µs, all in calls missing from the normal run (b, a, c under f).
        "#]],
    );
}

#[test]
fn only_the_calls_that_matter_are_named_of_many() {
    check(
        "f 40\n a 1\n b 1\n run 30\n c 1\n d 1",
        "f 2",
        expect![[r#"
            = f 38000 self 4000
              + a 1000 self 1000
              + b 1000 self 1000
              + run 30000 self 30000
              + c 1000 self 1000
              + d 1000 self 1000
            +38.00 µs: 34.00 µs in calls missing from the normal run (a, run and 3 more under f), 4.00 µs in slower calls.
        "#]],
    );
}

#[test]
fn interrupts_that_both_sides_take_are_further_ones() {
    check(
        "f 30\n g 12\n  !eth0 5\n h 12\n  !eth0 5\n  !eth1 2",
        "f 18\n g 7\n h 10\n  !eth0 5",
        expect![[r#"
            = f 12000 self 5000
              + eth0 5000 self 5000
              + eth1 2000 self 2000
            +12.00 µs: 5.00 µs in additional interrupts (eth0 in h), 5.00 µs in f itself, 2.00 µs in interrupts missing from the normal run (eth1 in h).
        "#]],
    );
}

#[test]
fn cases_are_summed_up_by_their_largest_waits() {
    check(
        "@wakeup 3000\n @sched_waking 931\n !irq eth0 20\n  @entry of irq eth0 20\n @exit of irq eth0 1\n @sched_switch 2000\n @sched_stat_runtime 40\n @sched_migrate_task 0\n @sched_switch 8",
        "@wakeup 13\n @sched_waking 3\n @hrtimer_cancel 2\n @sched_switch 8",
        expect![[r#"
            = wakeup 2987000 self 0
              = sched_waking 928000 self 928000
              - hrtimer_cancel -2000 self -2000
              + exit of irq eth0 1000 self 1000
              + sched_switch 2000000 self 2000000
              + sched_stat_runtime 40000 self 40000
              + sched_migrate_task 0 self 0
              + irq eth0 20000 self 0
                + entry of irq eth0 20000 self 20000
            +2.987 ms: 2.000 ms from sched_switch to sched_stat_runtime (extra), 928 µs from sched_waking to irq eth0, 59 µs in 5 smaller differences. Only the abnormal run has irq eth0, sched_migrate_task.
        "#]],
    );
    check(
        "@wakeup 30\n @sched_waking 3\n !irq eth0 20\n @exit of irq eth0 1\n @sched_wakeup 6",
        "@wakeup 8\n @sched_waking 3\n @sched_wakeup 5",
        expect![[r#"
            = wakeup 22000 self 0
              + exit of irq eth0 1000 self 1000
              = sched_wakeup 1000 self 1000
              + irq eth0 20000 self 20000
            +22.00 µs: 20.00 µs in interrupts missing from the normal run (eth0), 1.00 µs from the exit of irq eth0 to sched_wakeup (extra), 1.00 µs from sched_wakeup to the end.
        "#]],
    );
}

#[test]
fn what_could_be_read_in_two_ways_is_marked() {
    check(
        "f 9\n g 2\n  h 1\n g 2\n  k 1",
        "f 7\n g 2",
        expect![[r#"
            = f 2000 self 0
              = g 0 self -1000 ambiguous
                + h 1000 self 1000
              + g 2000 self 1000 ambiguous
                + k 1000 self 1000
            +2.000 µs: 2.000 µs in calls made once more (g under f, 1.000 µs of it in k, missing from the normal run), 1.000 µs in calls missing from the normal run (h under g), −1.000 µs in g itself (under f).
            note: 2 calls could equally be matched in another way; they are marked.
        "#]],
    );
    // Nobody could tell the two apart.
    check(
        "f 9\n g 2\n g 2",
        "f 7\n g 2",
        expect![[r#"
            = f 2000 self 0
              + g 2000 self 2000
            +2.000 µs, all in calls made once more (g under f).
        "#]],
    );
    check(
        "f 9\n g 2\n k 2",
        "f 9\n k 2\n g 2",
        expect![[r#"
              + g 2000 self 2000
              = k 0 self 0 ambiguous
              - g -2000 self -2000 ambiguous
            Both take equally long; they differ in calls made in another order (g under f).
            note: 2 calls could equally be matched in another way; they are marked.
        "#]],
    );
}

#[test]
fn different_roots_are_compared_all_the_same() {
    check(
        "sys_read 9\n g 2",
        "sys_write 7\n g 2",
        expect![[r#"
            = sys_read (sys_write) 2000 self 2000
            +2.000 µs, all in sys_read itself.
        "#]],
    );
}

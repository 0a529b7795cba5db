//! What is read of cyclictest's forms, and of signaltest's.

use expect_test::expect;

use crate::testing::check_measurements as check;

#[test]
fn histograms_are_bars_with_their_overflows() {
    check(
        "\
# /dev/cpu_dma_latency set to 0us
# Histogram
000000 000000\t000000
000001 000512\t000000
000002 000003\t000007
# Total: 000000515 000000007
# Min Latencies: 00001 00002
# Avg Latencies: 00001 00002
# Max Latencies: 00055 00002
# Histogram Overflows: 00003 00000
# Histogram Overflow at cycle number:
# Thread 0: 00004 00077 00099
# Thread 1:
",
        expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported × 512
                measured cpu 1 cyclictest thread 1 start 0 duration 2000 reported × 7
                measured cpu 0 cyclictest thread 0 start 512 duration 2000 reported × 3
                measured cpu 0 cyclictest thread 0 start 515 duration 3000 reported at_least × 2
                measured cpu 0 cyclictest thread 0 start 517 duration 55000 reported
                average of cyclictest thread 0: 1 us
                average of cyclictest thread 1: 2 us
            "#]],
    );
}

#[test]
fn a_line_with_a_hole_is_not_read() {
    let whole = "T: 0 (  913) P:80 I:1000 C:     10 Min:     20 Act:   20 Avg:   20 Max:      20\n";
    check(
        &(whole.to_owned() + &whole.replace("Act:   20", "Act:   \0\0")),
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 20000 reported
            measured incomplete: 9 not_listed
            unparsed_lines: 1 from line 2
            average of cyclictest thread 0: 20 us
        "#]],
    );
}

#[test]
fn the_sum_of_all_threads_is_none_of_them() {
    check(
        "\
# Histogram
000001 000512\t000001\t000513
# Total: 000000512 000000001 000000513
# Min Latencies: 00001 00001
# Avg Latencies: 00001 00001
# Max Latencies: 00001 00001 00001
# Histogram Overflows: 00000 00000 00000
",
        expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported × 512
                measured cpu 1 cyclictest thread 1 start 0 duration 1000 reported
                average of cyclictest thread 0: 1 us
                average of cyclictest thread 1: 1 us
            "#]],
    );
}

#[test]
fn values_behind_a_comment_mark_are_reported() {
    check(
        "\
# Histogram
000001 000512
#000002 000003
# 000003 000001
#T: 0 ( 1234) P:80 I:1000 C: 512 Min: 1 Act: 1 Avg: 1 Max: 1
# Total: 000000512
# Min Latencies: 00001
# Avg Latencies: 00001
# Max Latencies: 00001
",
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported × 512
            ends_early: 1 from line 9
            unparsed_lines: 3 from line 3
            average of cyclictest thread 0: 1 us
        "#]],
    );
}

#[test]
fn a_line_printed_over_keeps_what_it_said() {
    check(
        "Max CPUs = 1\nOnline CPUs = 1\nThread 0 Interval: 1000\n       0:       0:       5\r       0:       1:       7\r\n",
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 5000 reported
            measured cpu 0 cyclictest thread 0 start 1000000 duration 7000 reported
        "#]],
    );
}

#[test]
fn cycles_lie_their_interval_apart() {
    check(
        "\
Max CPUs = 2
Online CPUs = 2
Thread 0 Interval: 1500
       0:       0:      19
       1:       0:      17
       0:       1:      6356
       0:       2:      -1
",
        expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
                measured cpu 1 cyclictest thread 1 start 0 duration 17000 reported
                measured cpu 0 cyclictest thread 0 start 1500000 duration 6356000 reported
                unparsed_lines: 1 from line 7
            "#]],
    );
}

#[test]
fn a_summary_states_its_extremes_and_what_broke_it() {
    check(
        "\
policy: fifo: loadavg: 0.34 0.08 0.03 2/56 822          

T: 0 (  822) P:80 I:1000 C:      9 Min:     19 Act:   23 Avg:   20 Max:      23
\x1b[3Apolicy: fifo: loadavg: 0.34 0.08 0.03 1/56 822          

T: 0 (  822) P:80 I:1000 C:    313 Min:     19 Act:   32 Avg:   20 Max:      44
# Thread Ids: 00822
# Break thread: 822
# Break value: 75
",
        expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
                measured cpu 0 cyclictest thread 0 start 1 duration 32000 reported
                measured cpu 0 cyclictest thread 0 start 2 duration 44000 reported
                measured cpu 0 cyclictest thread 0 start 313 duration 75000 reported
                measured incomplete: 310 not_listed
                average of cyclictest thread 0: 20 us
                break_value_us: 75
                policy: fifo
            "#]],
    );
}

#[test]
fn damage_is_counted() {
    check(
        "\
# Histogram
000001 000512
000002 0005x2
000003 000001 000001
# Total: 000000512
# Max Latencies: 0000",
        expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported × 512
                truncated_last_line: 1 from line 6
                unparsed_lines: 2 from line 3
            "#]],
    );
}

#[test]
fn signaltest_has_no_interval() {
    check(
        "T: 0 (27000) P: 0 C:    200 Min:     22 Act:   37 Avg:   47 Max:     424\n",
        expect![[r#"
            measured cpu 0 signaltest thread 0 start 0 duration 22000 reported
            measured cpu 0 signaltest thread 0 start 1 duration 37000 reported
            measured cpu 0 signaltest thread 0 start 2 duration 424000 reported
            measured incomplete: 197 not_listed
            average of signaltest thread 0: 47 us
        "#]],
    );
}

#[test]
fn a_histogram_without_its_head_is_one() {
    let rows: String = (0..8).map(|value| format!("{value:06} {:06}\n", value % 2)).collect();
    check(
        &rows,
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported
            measured cpu 0 cyclictest thread 0 start 1 duration 3000 reported
            measured cpu 0 cyclictest thread 0 start 2 duration 5000 reported
            measured cpu 0 cyclictest thread 0 start 3 duration 7000 reported
            ends_early: 1 from line 8
        "#]],
    );
}

#[test]
fn rows_and_cycles_follow_one_another() {
    let end = "# Max Latencies: 00003\n# Histogram Overflows: 00000\n";
    check(
        &format!("# Histogram\n000001 000001\n000003 000001\n{end}"),
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported
            measured cpu 0 cyclictest thread 0 start 1 duration 3000 reported
            ends_early: 1 from line 5
        "#]],
    );
    // Another file after the first.
    check(
        &format!("# Histogram\n000001 000001\n{end}# Histogram\n000001 000001\n{end}"),
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported
            unparsed_lines: 1 from line 6
        "#]],
    );
    check(
        "Thread 0 Interval: 1000\n       0:       0:      19\n       0:       2:      18\n",
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
            measured cpu 0 cyclictest thread 0 start 2000000 duration 18000 reported
            ends_early: 1 from line 3
        "#]],
    );
    // The cycles of another file after the first.
    check(
        "Thread 0 Interval: 1000\n       0:       0:      19\n       0:       0:      18\n",
        expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
            measured cpu 0 cyclictest thread 0 start 0 duration 18000 reported
            several_recordings: 1 from line 3
        "#]],
    );
}

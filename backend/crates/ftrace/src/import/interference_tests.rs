//! Which causes the rollup of interference counts for which task.

use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::import::testing::import_lines;
use crate::store::read::dictionaries::{read_symbols, read_tasks};
use crate::store::tables;

fn check(text: &str, expected: Expect) {
    let (written, _) = import_lines(text);
    let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap()).unwrap();
    let symbols = read_symbols(written.streams(&tables::SYMBOL).next().unwrap()).unwrap();
    let task = |idx: Option<i32>| idx.map_or("-", |idx| tasks.get(idx).unwrap().comm);
    let rows = written.rows(&tables::INTERFERENCE, |row| {
        let mut line = String::new();
        row.skip("idx").unwrap();
        let cpu = row.int::<i16>("cpu").unwrap();
        let victim = row.optional_int::<i32>("victim").unwrap();
        let cause = row.int::<i16>("cause").unwrap();
        let symbol = row.optional_int::<i32>("symbol").unwrap();
        let symbol = symbol.map_or("-", |idx| symbols.get(idx).unwrap().name);
        let ran = task(row.optional_int::<i32>("task").unwrap());
        write!(line, "cpu {cpu} cause {cause} {symbol} of {ran} to {}:", task(victim)).unwrap();
        for name in ["count", "total_ns", "max_ns", "max_start_ns", "first_start_ns", "last_start_ns"] {
            write!(line, " {}", row.int::<i64>(name).unwrap()).unwrap();
        }
        line + "\n"
    });
    expected.assert_eq(&rows.concat());
}

#[test]
fn time_is_summed_by_what_took_it_and_from_whom() {
    check(
        "
        sh-7     [0] 1.000010: local_timer_entry: vector=236
        sh-7     [0] 1.000012: irq_handler_entry: irq=34 name=eth0
        sh-7     [0] 1.000015: irq_handler_exit: irq=34 ret=handled
        sh-7     [0] 1.000020: local_timer_exit: vector=236
        sh-7     [0] 1.000030: local_timer_entry: vector=236
        sh-7     [0] 1.000039: local_timer_exit: vector=236
        sh-7     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
        rt-9     [0] 1.000041: local_timer_entry: vector=236
        rt-9     [0] 1.000043: local_timer_exit: vector=236
        rt-9     [0] 1.000045: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] 1.000046: cpu_idle: state=1 cpu_id=0
        <idle>-0 [0] 1.000060: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] 1.000061: cpu_idle: state=2 cpu_id=0
        <idle>-0 [0] 1.000071: cpu_idle: state=4294967295 cpu_id=0
        ",
        expect![[r#"
            cpu 0 cause 1 - of - to sh: 1 19000 19000 0 0 0
            cpu 0 cause 1 - of - to rt: 1 2000 2000 30000 30000 30000
            cpu 0 cause 1 - of sh to -: 1 11000 11000 0 0 0
            cpu 0 cause 1 - of rt to -: 1 3000 3000 30000 30000 30000
            cpu 0 cause 2 local_timer of - to sh: 2 16000 9000 20000 0 20000
            cpu 0 cause 2 local_timer of - to rt: 1 2000 2000 31000 31000 31000
            cpu 0 cause 2 eth0 [34] of - to sh: 1 3000 3000 2000 2000 2000
            cpu 0 cause 4 - of - to -: 2 24000 14000 36000 36000 51000
            cpu 0 cause -1 - of - to -: 3 21000 10000 0 0 31000
        "#]],
    );
}

#[test]
fn what_a_tracer_states_of_a_recorded_interrupt_is_no_second_one() {
    check(
        "
        sh-7 [0] 1.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
        sh-7 [0] 1.000010: local_timer_entry: vector=236
        sh-7 [0] 1.000019: irq_noise: local_timer:236 start 1.000009500 duration 9000 ns
        sh-7 [0] 1.000020: local_timer_exit: vector=236
        sh-7 [0] 1.000030: local_timer_entry: vector=236
        sh-7 [0] 1.000040: local_timer_exit: vector=236
        sh-7 [0] 1.000041: irq_noise: local_timer:236 start 1.000029500 duration 11000 ns
        sh-7 [0] 1.000060: irq_noise: eth0:34 start 1.000055000 duration 4000 ns
        sh-7 [0] 1.000100: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        sh-7 [0] 1.000100: thread_noise: sh:7 start 1.000000200 duration 75000 ns
        ",
        expect![[r#"
            cpu 0 cause 1 - of - to sh: 1 25000 25000 0 0 0
            cpu 0 cause 1 - of sh to -: 1 75000 75000 0 0 0
            cpu 0 cause 2 local_timer of - to sh: 2 20000 10000 10000 10000 30000
            cpu 0 cause 9 irq eth0:34 of - to sh: 1 4000 4000 55000 55000 55000
            cpu 0 cause -1 - of - to -: 2 20000 10000 10000 10000 30000
        "#]],
    );
}

#[test]
fn noise_that_only_a_tracer_tells_is_without_what_is_nested() {
    check(
        "
        sh-7 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        sh-7 [0] 1.000050: irq_noise: local_timer:236 start 1.000040000 duration 9000 ns
        sh-7 [0] 1.000070: softirq_noise: RCU:9 start 1.000030000 duration 28000 ns
        rt-9 [0] 1.000100: thread_noise: sh:7 start 1.000010000 duration 48000 ns
        ",
        expect![[r#"
            cpu 0 cause 9 irq local_timer:236 of - to sh: 1 9000 9000 40000 40000 40000
            cpu 0 cause 9 softirq RCU:9 of - to sh: 1 28000 28000 30000 30000 30000
            cpu 0 cause 9 thread sh-7 of sh to -: 1 48000 48000 10000 10000 10000
        "#]],
    );
}

//! Which parts of a call its sentence names.

use expect_test::{Expect, expect};

use crate::testing::explain::explain_file;

const HEADER: &str = "# tracer: function_graph
#
#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
#      |          |     |    |           |   |                     |   |   |   |
";

/// The first call's sentence.
fn check(calls: &str, expected: Expect) {
    let mut headline = String::new();
    explain_file(&format!("{HEADER}{calls}"), "call", |_, explanation, _| {
        if headline.is_empty() {
            headline = explanation.headline.clone();
        }
    });
    expected.assert_eq(&headline);
}

#[test]
fn the_path_that_holds_half_of_a_call_is_named_at_its_end() {
    check(
        "   10.000000 |   0)    sh-7     |               |  sock_sendmsg() {
   10.000010 |   0)    sh-7     |   6.000 us    |    ip_make_skb();
   10.000020 |   0)    sh-7     |               |    ip_output() {
   10.000025 |   0)    sh-7     |   9.000 us    |      skb_copy();
   10.000040 |   0)    sh-7     |   8.000 us    |      skb_push();
   10.000050 |   0)    sh-7     |   7.000 us    |      skb_pull();
   10.000082 |   0)    sh-7     | + 62.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect!["sock_sendmsg on CPU 0 took 100 µs: 62 µs in ip_output"],
    );
}

#[test]
fn what_took_a_third_is_named_beside_what_took_half() {
    check(
        "   10.000000 |   0)    sh-7     |               |  hrtimer_interrupt() {
   10.000005 |   0)    sh-7     | + 35.000 us   |    __hrtimer_run_queues();
   10.000040 |   0)    sh-7     |               |    tick_program_event() {
   10.000041 |   0)    sh-7     |   2.000 us    |      lapic_next_event();
   10.000044 |   0)    sh-7     | + 50.000 us   |      lapic_next_event();
   10.000095 |   0)    sh-7     | + 55.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect![
            "hrtimer_interrupt on CPU 0 took 100 µs: 50 µs in lapic_next_event, and 35 µs in __hrtimer_run_queues"
        ],
    );
    check(
        "   10.000000 |   0)    sh-7     |               |  security_task_getsecid() {
   10.000010 |   0)    sh-7     | + 60.000 us   |    apparmor_task_getsecid();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect![
            "security_task_getsecid on CPU 0 took 100 µs: 60 µs in apparmor_task_getsecid, and 40 µs in itself"
        ],
    );
    check(
        "   10.000000 |   0)    sh-7     |               |  security_task_getsecid() {
   10.000010 |   0)    sh-7     | + 40.000 us   |    apparmor_task_getsecid();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect![
            "security_task_getsecid on CPU 0 took 100 µs: 60 µs in itself, outside the recorded calls, and 40 µs in apparmor_task_getsecid"
        ],
    );
}

#[test]
fn a_function_that_calls_itself_is_no_other_one() {
    check(
        "   10.000000 |   0)    sh-7     |               |  walk_tree() {
   10.000010 |   0)    sh-7     | + 40.000 us   |    walk_tree();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect!["walk_tree on CPU 0 took 100 µs"],
    );
}

#[test]
fn two_that_hold_half_together_are_both_named() {
    check(
        "   10.000000 |   0)    sh-7     |               |  hrtimer_interrupt() {
   10.000010 |   0)    sh-7     | + 44.000 us   |    tick_nohz_handler();
   10.000060 |   0)    sh-7     | + 30.000 us   |    hrtimer_wakeup();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect![
            "hrtimer_interrupt on CPU 0 took 100 µs: 44 µs in tick_nohz_handler and 30 µs in hrtimer_wakeup"
        ],
    );
}

#[test]
fn many_calls_of_one_function_are_one_part() {
    check(
        "   10.000000 |   0)    sh-7     |               |  mlock() {
   10.000010 |   0)    sh-7     | + 20.000 us   |    munlock_folio();
   10.000035 |   0)    sh-7     | + 30.000 us   |    munlock_folio();
   10.000070 |   0)    sh-7     | + 20.000 us   |    munlock_folio();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect!["mlock on CPU 0 took 100 µs: 70 µs in 3 calls of munlock_folio"],
    );
}

/// One that sleeps in it: the functions that the scheduler calls on the way are the least of it.
#[test]
fn of_many_parts_the_largest_is_named_be_it_no_function_at_all() {
    let call = |own_us: u32, away_us: u32, callee_us: u32| {
        let back_us = 2 + away_us;
        let end_us = back_us + 1 + callee_us + own_us;
        format!(
            "   10.000000 |   0)    sh-7     |               |  schedule() {{
   10.000000 |   0)    sh-7     |   1.000 us    |    pick_next_task_fair();
   10.000001 |   0)    sh-7     |   1.000 us    |    psi_task_switch();
   10.{back_us:06} |   0)    sh-7     |   1.000 us    |    finish_task_switch.isra.0();
   10.{:06} |   0)    sh-7     | {callee_us}.000 us   |    balance_fair();
   10.{end_us:06} |   0)    sh-7     | {end_us}.000 us  |  }}
",
            back_us + 1
        )
    };
    check(&call(20, 45, 30), expect!["schedule on CPU 0 took 98 µs: its task was switched out for 45 µs"]);
    check(
        &call(45, 20, 30),
        expect!["schedule on CPU 0 took 98 µs: most of all 45 µs in itself, outside the recorded calls"],
    );
    check(&call(30, 20, 45), expect!["schedule on CPU 0 took 98 µs: most of all 45 µs in balance_fair"]);
}

/// Its stamps are microseconds, so that its neighbour seems to begin in it.
#[test]
fn of_a_call_without_calls_nothing_is_left_to_say() {
    check(
        "   10.000000 |   0)    sh-7     |   3.056 us    |  pick_next_task_fair();
   10.000003 |   0)    sh-7     |   1.000 us    |  put_prev_task_fair();
",
        expect!["pick_next_task_fair on CPU 0 took 3.1 µs"],
    );
}

#[test]
fn the_time_of_others_is_none_of_the_call_itself() {
    check(
        "   10.000000 |   0)    sh-7     |               |  schedule() {
   10.000010 |   0)   dd-8      | + 30.000 us   |  vfs_read();
   10.000040 |   0)    sh-7     |   1.000 us    |    update_rq_clock();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect!["schedule on CPU 0 took 100 µs: 69 µs in itself, outside the recorded calls"],
    );
}

#[test]
fn a_task_that_the_scheduler_took_from_the_cpu_was_switched_out() {
    check(
        "   10.000000 |   0)    sh-7     |               |  sock_close() {
   10.000010 |   0)    sh-7     |               |    static_key_slow_inc() {
   10.000012 |   0)    sh-7     |   1.000 us    |      pick_next_task_fair();
   10.000014 |   0)    sh-7     |   1.000 us    |      psi_task_switch();
   10.000080 |   0)    sh-7     |   1.000 us    |      finish_task_switch();
   10.000090 |   0)    sh-7     | + 80.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
        expect!["sock_close on CPU 0 took 100 µs: its task was switched out for 65 µs"],
    );
}

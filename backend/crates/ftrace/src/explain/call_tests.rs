//! What ran in the calls of a function graph.

use expect_test::expect;

use crate::testing::explain::check_file;

#[test]
fn a_call_of_a_task_that_was_switched_out_is_not_told_to_have_worked() {
    check_file(
        "# tracer: function_graph
#
#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
#      |          |     |    |           |   |                     |   |   |   |
   10.000000 |   0)   rcu-18    |               |  rcu_gp_fqs_loop() {
   10.000010 |   0)   rcu-18    | + 10.000 us   |    pick_next_task_fair();
   10.000030 |   0)    sh-7     | + 20.000 us   |  vfs_read();
   10.000060 |   0)    sh-7     | + 20.000 us   |  vfs_write();
   10.000090 |   0)   rcu-18    |   5.000 us    |    finish_task_switch();
   10.000100 |   0)   rcu-18    | ! 100.000 us  |  }
",
        "call",
        expect![[r#"
            rcu_gp_fqs_loop on CPU 0 took 100 µs: its task was switched out for 60 µs
              task sh-7: 60000, 20 µs of it in vfs_read, pid 7, from 30000, longest 60000
              itself rcu_gp_fqs_loop: 25000, pid 18, from 0, longest 10000
              itself pick_next_task_fair: 10000, pid 18, from 10000, longest 10000
              itself finish_task_switch: 5000, pid 18, from 90000, longest 5000
            vfs_read on CPU 0 took 20 µs
              itself vfs_read: 20000, from 30000, longest 20000
            vfs_write on CPU 0 took 20 µs
              itself vfs_write: 20000, from 60000, longest 20000
        "#]],
    );
}

#[test]
fn the_idle_task_is_not_switched_out_of_being_idle() {
    check_file(
        "# tracer: function_graph
#
#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
#      |          |     |    |           |   |                     |   |   |   |
   10.000000 |   0)  <idle>-0    |               |  do_idle() {
   10.000001 |   0)  <idle>-0    | + 90.000 us   |    cpuidle_enter();
   10.000095 |   0)    sh-7      |   1.000 us    |  vfs_read();
   10.000098 |   0)  <idle>-0    |   1.000 us    |    schedule_idle();
   10.000100 |   0)  <idle>-0    | ! 100.000 us  |  }
",
        "call",
        expect![[r#"
            do_idle on CPU 0 took 100 µs: the CPU was idle for 97 µs
              idle idle: 97000, from 0, longest 95000
              task sh-7: 3000, 1.0 µs of it in vfs_read, pid 7, from 95000, longest 3000
            vfs_read on CPU 0 took 1.0 µs
              itself vfs_read: 1000, from 95000, longest 1000
        "#]],
    );
}

#[test]
fn an_interrupt_of_an_idle_cpu_that_comes_right_behind_a_task_is_no_idling() {
    check_file(
        "# tracer: function_graph
#
#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
#      |          |     |    |           |   |                     |   |   |   |
   10.000000 |   0)    sh-7      | + 10.000 us   |  schedule();
   10.000010 |   0)  <idle>-0    |               |  hrtimer_interrupt() {
   10.000012 |   0)  <idle>-0    | + 70.000 us   |    lapic_next_event();
   10.000110 |   0)  <idle>-0    | ! 100.000 us  |  }
",
        "call",
        expect![[r#"
            schedule on CPU 0 took 10 µs
              itself schedule: 10000, from 0, longest 10000
            hrtimer_interrupt on CPU 0 took 100 µs: 70 µs in lapic_next_event
              itself lapic_next_event: 70000, from 12000, longest 70000
              itself hrtimer_interrupt: 30000, from 10000, longest 28000
        "#]],
    );
}

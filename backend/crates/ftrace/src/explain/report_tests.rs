//! What ran in the cases of latency tracers' reports.

use expect_test::{Expect, expect};

use crate::testing::explain::check_file;

const SECTION: &str = "
# irqsoff latency trace v1.1.5 on 6.12.95-trace-preempt
# --------------------------------------------------------------------
# latency: 100 us, #5/5, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: dd-191 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#  => started at: sysvec_apic_timer_interrupt
#  => ended at:   irq_exit_rcu
#
";

/// The header of a wakeup report.
fn wakeup(latency_us: u32, task: &str) -> String {
    format!(
        "
# wakeup_rt latency trace v1.1.5 on 6.12.95+deb12-rt-amd64
# --------------------------------------------------------------------
# latency: {latency_us} us, #4/4, CPU#0 | (M:preempt_rt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: {task} (uid:0 nice:0 policy:1 rt_prio:50)
#    -----------------
#
"
    )
}

/// The legend of a latency tracer.
pub const COLUMNS: &str = "
#                    _------=> CPU#
#                   / _-----=> irqs-off/BH-disabled
#                  | / _----=> need-resched
#                  || / _---=> hardirq/softirq
#                  ||| / _--=> preempt-depth
#                  |||| / _-=> migrate-disable
#                  ||||| /     delay
#  cmd     pid     |||||| time  |   caller
#     \\   /        ||||||  \\    |    /
";

const GRAPH_COLUMNS: &str = "
#                                       _-----=> irqs-off
#                                      / _----=> need-resched
#                                     | / _---=> hardirq/softirq
#                                     || / _--=> preempt-depth
#                                     ||| /
#   REL TIME      CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS
#      |          |     |    |        ||||      |   |                     |   |   |   |
";

fn check(tracer: &str, banner: &str, columns: &str, lines: &str, expected: Expect) {
    let parts = [banner, columns, lines].map(|part| part.trim_start_matches('\n'));
    check_file(&format!("# tracer: {tracer}\n#\n{}", parts.concat()), kind_of(tracer), expected);
}

fn kind_of(tracer: &str) -> &str {
    if tracer == "irqsoff" { tracer } else { "wakeup" }
}

#[test]
fn a_section_is_told_by_the_functions_that_took_its_time() {
    check(
        "irqsoff",
        SECTION,
        COLUMNS,
        "
      dd-191       0d....    0us : irqentry_enter <-sysvec_apic_timer_interrupt
      dd-191       0d.h..   20us : ktime_get <-tick_sched_timer
      dd-191       0d.h..   25us!: write_sysrq <-hrtimer_interrupt
      dd-191       0dNs..   85us : ktime_get <-tick_sched_timer
      dd-191       0dNs..  100us : tracer_hardirqs_on <-irq_exit_rcu
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqentry_enter ← sysvec_apic_timer_interrupt (dd-191): from sysvec_apic_timer_interrupt to irq_exit_rcu, 60 % of it in write_sysrq ← hrtimer_interrupt
              irqsoff write_sysrq ← hrtimer_interrupt: 60000, dd-191, pid 191, from 25000, longest 60000
              irqsoff irqentry_enter ← sysvec_apic_timer_interrupt: 20000, dd-191, pid 191, from 0, longest 20000
              irqsoff ktime_get ← tick_sched_timer: 20000, dd-191, pid 191, from 20000, longest 15000
              reported latency: Nanoseconds(100000) None None
              started at: Text("sysvec_apic_timer_interrupt") None None
              ended at: Text("irq_exit_rcu") None None
        "#]],
    );
}

#[test]
fn time_over_lines_that_were_left_out_is_of_no_function() {
    check(
        "irqsoff",
        SECTION,
        COLUMNS,
        "
      dd-191       0d....    0us : irqentry_enter <-sysvec_apic_timer_interrupt
      dd-191       0d.h..   10us : ktime_get <-tick_sched_timer
[...]
      dd-191       0d.h..   70us : write_sysrq <-hrtimer_interrupt
      dd-191       0dNs..  100us : tracer_hardirqs_on <-irq_exit_rcu
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqentry_enter ← sysvec_apic_timer_interrupt (dd-191): the text leaves out 60 % of it
              unknown events were lost: 60000, from 10000, longest 60000
              irqsoff write_sysrq ← hrtimer_interrupt: 30000, dd-191, pid 191, from 70000, longest 30000
              irqsoff irqentry_enter ← sysvec_apic_timer_interrupt: 10000, dd-191, pid 191, from 0, longest 10000
              reported latency: Nanoseconds(100000) None None
              started at: Text("sysvec_apic_timer_interrupt") None None
              ended at: Text("irq_exit_rcu") None None
        "#]],
    );
}

#[test]
fn who_had_the_cpu_over_lines_that_were_left_out_is_not_known() {
    check(
        "wakeup_rt",
        &wakeup(100, "rt-9"),
        COLUMNS,
        "
      sh-7         0dNh4.    0us+:        7:120:R   + [000]       9: 49:R rt
      sh-7         0d..3.   10us : __schedule
<snip>
      sh-7         0d..3.   80us : __schedule
      sh-7         0d..3.  100us+:        7:120:R ==> [000]       9: 49:R rt
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: the text leaves out 70 % of it
              wakeup -> switch: 100000
              unknown events were lost: 70000, from 10000, longest 70000
              task sh-7: 30000, 20 µs of it in __schedule, pid 7, from 0, longest 20000
              reported latency: Nanoseconds(100000) None None
        "#]],
    );
}

#[test]
fn a_section_of_many_small_functions_names_none() {
    let lines: String = (0..50)
        .map(|at| {
            format!("      dd-191       0d....  {:3}us : f{at} <-sysvec_apic_timer_interrupt\n", at * 2)
        })
        .collect();
    let expected = expect![[r#"
        Interrupts were off for 100 µs on CPU 0 in f0 ← sysvec_apic_timer_interrupt (dd-191): from sysvec_apic_timer_interrupt to irq_exit_rcu, 100 µs in sysvec_apic_timer_interrupt
    "#]];
    check_headline("irqsoff", SECTION, COLUMNS, &lines, expected);
}

/// Who called a function says which ones have returned.
#[test]
fn the_records_of_functions_say_which_of_them_took_most() {
    let mut at_us = 0;
    let mut lines = String::new();
    for (function, caller, took_us) in [
        ("irqentry_enter", "sysvec_apic_timer_interrupt", 2),
        ("hrtimer_interrupt", "__sysvec_apic_timer_interrupt", 4),
        ("hrtimer_wakeup", "__hrtimer_run_queues", 10),
        ("enqueue_task_fair", "activate_task", 12),
        ("update_curr", "enqueue_task_fair", 13),
        ("tick_nohz_handler", "__hrtimer_run_queues", 5),
        ("_raw_spin_lock", "tick_do_update_jiffies64", 6),
        ("calc_global_load", "tick_do_update_jiffies64", 8),
        ("update_process_times", "tick_nohz_handler", 12),
        ("rcu_sched_clock_irq", "update_process_times", 13),
        ("irq_exit_rcu", "sysvec_apic_timer_interrupt", 15),
    ] {
        lines += &format!("      dd-191       0d.h..  {at_us:3}us : {function} <-{caller}\n");
        at_us += took_us;
    }
    let expected = expect![[r#"
        Interrupts were off for 100 µs on CPU 0 in irqentry_enter ← sysvec_apic_timer_interrupt (an interrupt on top of dd-191): from sysvec_apic_timer_interrupt to irq_exit_rcu, 44 µs in tick_nohz_handler and 35 µs in hrtimer_wakeup
    "#]];
    check_headline("irqsoff", SECTION, COLUMNS, &lines, expected);
}

#[test]
fn calls_of_a_section_count_with_their_self_times() {
    check(
        "irqsoff",
        SECTION,
        GRAPH_COLUMNS,
        "
        0 us |   0)     dd-191     |  d.s3. |   0.000 us    |  _raw_spin_lock_irqsave();
       10 us |   0)     dd-191     |  d.s4. |               |  outer() {
       20 us |   0)     dd-191     |  d.s5. | + 50.000 us   |    inner();
       80 us |   0)     dd-191     |  d.s5. | + 70.000 us   |  }
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in _raw_spin_lock_irqsave ← sysvec_apic_timer_interrupt (dd-191): from sysvec_apic_timer_interrupt to irq_exit_rcu, 50 µs in inner
              irqsoff inner: 50000, dd-191, pid 191, from 20000, longest 50000
              irqsoff _raw_spin_lock_irqsave ← sysvec_apic_timer_interrupt: 30000, dd-191, pid 191, from 0, longest 20000
              irqsoff outer: 20000, dd-191, pid 191, from 10000, longest 10000
              reported latency: Nanoseconds(100000) None None
              started at: Text("sysvec_apic_timer_interrupt") None None
              ended at: Text("irq_exit_rcu") None None
        "#]],
    );
}

#[test]
fn a_report_tells_by_its_records_who_had_the_cpu() {
    check(
        "wakeup_rt",
        &wakeup(71, "irq/25-virtio1--142"),
        COLUMNS,
        "
cyclicte-306       0dNh4.    0us+:      306:120:R   + [000]     142: 49:R irq/25-virtio1-
cyclicte-306       0dNh3.   35us : task_woken_rt <-ttwu_do_activate
cyclicte-306       0d..3.   40us : __schedule
cyclicte-306       0d..3.   41us+:      306:120:R ==> [000]     142: 49:R irq/25-virtio1-
",
        expect![[r#"
            Wakeup of irq/25-virtio1--142 on CPU 0 took 71 µs: an interrupt ran for 35 µs
              wakeup -> switch: 71000
              irq an interrupt: 35000, in cyclicte-306, pid 306, from 0, longest 35000
              task cyclicte-306: 31000, 1.0 µs of it in __schedule, pid 306, from 40000, longest 31000
              unknown not recorded: 5000, from 35000, longest 5000
              reported latency: Nanoseconds(71000) None None
        "#]],
    );
}

#[test]
fn an_interrupt_that_is_not_seen_to_go_on_is_not_told_to() {
    check(
        "wakeup_rt",
        &wakeup(100, "rt-9"),
        COLUMNS,
        "
      sh-7         0dNh4.    0us+:        7:120:R   + [000]       9: 49:R rt
      sh-7         0dNh3.   35us : 0
      sh-7         0d..3.  100us : __schedule
      sh-7         0d..3.  100us+:        7:120:R ==> [000]       9: 49:R rt
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: no record of what ran during 65 % of it
              wakeup -> switch: 100000
              unknown not recorded: 65000, from 35000, longest 65000
              irq an interrupt: 35000, in sh-7, pid 7, from 0, longest 35000
              reported latency: Nanoseconds(100000) None None
        "#]],
    );
}

#[test]
fn calls_tell_who_had_the_cpu_in_the_report_of_a_wakeup() {
    check(
        "wakeup_rt",
        &wakeup(100, "rt-9"),
        GRAPH_COLUMNS,
        "
        0 us |   0)      sh-7      |  dNh5. |               |  /*        7:120:R   + [000]       9: 49:R rt */
       10 us |   0)      sh-7      |  dNh4. | + 10.000 us   |  hrtimer_update_next_event();
       30 us |   0)      sh-7      |  .N.2. | + 60.000 us   |  folio_batch_move_lru();
      100 us |   0)      sh-7      |  d..3. |               |  /*        7:120:R ==> [000]       9: 49:R rt */
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: sh-7 ran for 80 % of it, 60 µs in folio_batch_move_lru
              wakeup -> switch: 100000
              task sh-7: 80000, 60 µs of it in folio_batch_move_lru, pid 7, from 20000, longest 80000
              irq an interrupt: 20000, in sh-7, 10 µs of it in hrtimer_update_next_event, pid 7, from 0, longest 20000
              reported latency: Nanoseconds(100000) None None
        "#]],
    );
}

fn check_headline(tracer: &str, banner: &str, columns: &str, lines: &str, expected: Expect) {
    let parts = [banner, columns, lines].map(|part| part.trim_start_matches('\n'));
    crate::testing::explain::check_file_headline(
        &format!("# tracer: {tracer}\n#\n{}", parts.concat()),
        kind_of(tracer),
        expected,
    );
}

#[test]
fn between_two_records_without_functions_nothing_is_known() {
    check(
        "wakeup_dl",
        &wakeup(4_821, "rt-9"),
        COLUMNS,
        "
    <idle>-0       0dNh7.    0us+:        0:120:R   + [000]       9:255:R rt
    <idle>-0       0dNh7.   20us : <stack trace>
 => __trace_stack
    <idle>-0       0dNh7.   21us#: try_to_wake_up <-wake_up_state
    <idle>-0       0d..3. 4812us : __schedule <-schedule_idle
    <idle>-0       0d..3. 4813us :        0:120:R ==> [000]       9:255:R rt
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 4.821 ms: no record of what ran during 99 % of it
              wakeup -> switch: 4821000
              unknown not recorded: 4791000, from 21000, longest 4791000
              irq an interrupt: 21000, in the idle task, from 0, longest 21000
              task the idle task: 9000, 1.0 µs of it in __schedule ← schedule_idle, from 4812000, longest 9000
              reported latency: Nanoseconds(4821000) None None
        "#]],
    );
}

#[test]
fn the_task_waits_where_the_functions_are_recorded() {
    check(
        "wakeup_rt",
        &wakeup(100, "rt-9"),
        COLUMNS,
        "
    <idle>-0       1dNh4.    0us+:        0:120:R   + [000]       9: 49:R rt
    <idle>-0       1dNh4.    1us : try_to_wake_up <-wake_up_state
      sh-7         0d..3.    2us : do_sys_poll <-sys_poll
      sh-7         0d..3.   20us : poll_freewait <-do_sys_poll
     dd-12         2d..3.   50us : vfs_read <-sys_read
     dd-12         2d..3.   98us : __schedule <-schedule
     dd-12         2d..3.   99us+:       12:120:R ==> [002]       9: 49:R rt
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 100 µs: no record of what ran during 48 % of it
              wakeup -> switch: 100000
              unknown not recorded: 48000 on cpu 2, from 50000, longest 48000
              unknown not recorded: 32000, from 0, longest 30000
              task sh-7: 18000, 18 µs of it in do_sys_poll ← sys_poll, pid 7, from 2000, longest 18000
              task dd-12: 2000 on cpu 2, 1.0 µs of it in __schedule ← schedule, pid 12, from 98000, longest 2000
              reported latency: Nanoseconds(100000) None None
        "#]],
    );
}

#[test]
fn an_interrupt_of_a_report_is_named_by_its_entry() {
    check_headline(
        "wakeup_rt",
        &wakeup(300, "rt-9"),
        COLUMNS,
        "
      sh-7         0dNh4.    0us+:        7:120:R   + [000]       9: 49:R rt
      sh-7         0dNh3.    2us : task_woken_rt <-ttwu_do_activate
      sh-7         0dN.1.    4us : irq_enter_rcu <-sysvec_apic_timer_interrupt
      sh-7         0dNh1.    5us : hrtimer_interrupt <-__sysvec_apic_timer_interrupt
      sh-7         0dNh1.  250us : irq_exit_rcu <-sysvec_apic_timer_interrupt
      sh-7         0d..3.  290us : __schedule
      sh-7         0d..3.  300us+:        7:120:R ==> [000]       9: 49:R rt
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 300 µs: interrupt sysvec_apic_timer_interrupt ran for 245 µs
        "#]],
    );
}

#[test]
fn what_the_tracer_takes_for_its_stacks_is_told() {
    check_headline(
        "wakeup_rt",
        &wakeup(71, "rt-9"),
        COLUMNS,
        "
      sh-7         0dNh4.    0us+:        7:120:R   + [000]       9: 49:R rt
      sh-7         0dNh4.   34us : <stack trace>
 => try_to_wake_up
 => sysvec_apic_timer_interrupt
      sh-7         0dNh4.   35us : 0
      sh-7         0d..3.   40us : __schedule
      sh-7         0d..3.   41us+:        7:120:R ==> [000]       9: 49:R rt
      sh-7         0d..3.   71us : <stack trace>
 => __schedule
",
        expect![[r#"
            Wakeup of rt-9 on CPU 0 took 71 µs: the tracer's own stack traces took 64 µs
        "#]],
    );
}

#[test]
fn a_task_that_may_not_run_beside_an_idle_cpu_has_used_up_its_runtime() {
    check_headline(
        "wakeup_dl",
        &wakeup(11_322, "dl-9"),
        COLUMNS,
        "
  <idle>-0         0dNh5.    0us+:        0:120:R   + [000]       9:255:R dl
  <idle>-0         0dN.2.   43us : _raw_spin_lock <-__schedule
  <idle>-0         0d..1.   47us#: ktime_get <-tick_nohz_idle_enter
  <idle>-0         0d.h3. 11252us : update_rq_clock <-dl_task_timer
  <idle>-0         0dNh3. 11253us : cpupri_set <-enqueue_dl_entity
  <idle>-0         0d..3. 11320us : __schedule
  <idle>-0         0d..3. 11322us+:        0:120:R ==> [000]       9:255:R dl
",
        expect![[r#"
            Wakeup of dl-9 on CPU 0 took 11.322 ms: it had used up its runtime, until dl_task_timer gave it more after 11.252 ms
        "#]],
    );
}

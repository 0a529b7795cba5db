//! What is said of sections that a tracer reported.

use expect_test::{Expect, expect};

use super::report_tests::COLUMNS;
use crate::testing::explain::check_file_headline;

fn check(tracer: &str, lines: &str, expected: Expect) {
    let banner = format!(
        "# tracer: {tracer}
#
# {tracer} latency trace v1.1.5 on 6.12.95
# --------------------------------------------------------------------
# latency: 100 us, #5/5, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: dd-191 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#
"
    );
    let text = [&banner, COLUMNS, lines].map(|part| part.trim_start_matches('\n')).concat();
    let kind = if tracer == "preemptirqsoff" { "irqsoff" } else { tracer };
    check_file_headline(&text, kind, expected);
}

#[test]
fn a_section_of_a_softirq_is_not_of_the_task_below_it() {
    check(
        "irqsoff",
        "
  dd-191       0dNs2.    0us!: _raw_spin_lock_irqsave <-free_pcppages_bulk
  dd-191       0dNs3.  100us : _raw_spin_unlock_irqrestore <-free_pcppages_bulk
  dd-191       0dNs3.  101us : <stack trace>
 => free_pcppages_bulk
 => rcu_do_batch
 => rcu_core
 => handle_softirqs
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (softirq RCU on top of dd-191): all of it in _raw_spin_lock_irqsave ← free_pcppages_bulk
        "#]],
    );
}

#[test]
fn a_section_of_either_says_so() {
    check(
        "preemptirqsoff",
        "
  <idle>-0       0dN.1.    1us*: default_idle_call <-do_idle
  <idle>-0       0d..2.   60us : sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=dd next_pid=191 next_prio=120
  dd-191       0d.h1.   70us : local_timer_entry: vector=236
  dd-191       0d.h1.   80us : local_timer_exit: vector=236
  dd-191       0...1.   90us : finish_task_switch <-schedule
  dd-191       0...1.  100us : preempt_count_sub <-schedule
",
        expect![[r#"
            Interrupts or preemption were off for 100 µs on CPU 0 in irqsoff (the idle task, then dd-191): 59 % of it in default_idle_call ← do_idle
        "#]],
    );
}

/// Interrupts are on again in its last record, and preemption is off until then.
#[test]
fn a_section_of_either_says_so_that_only_its_end_shows() {
    check(
        "preemptirqsoff",
        "
  dd-191       0d....    0us!: _raw_spin_lock_irqsave <-ata_scsi_queuecmd
  dd-191       0...1.  100us : _raw_spin_unlock_irqrestore <-ata_scsi_queuecmd
  dd-191       0...1.  101us : trace_preempt_on <-ata_scsi_queuecmd
",
        expect![[r#"
            Interrupts or preemption were off for 100 µs on CPU 0 in irqsoff (dd-191): all of it in _raw_spin_lock_irqsave ← ata_scsi_queuecmd
        "#]],
    );
}

#[test]
fn a_section_that_goes_on_across_a_switch_names_both_tasks() {
    check(
        "irqsoff",
        "
  rcu_pre-16       0d..1.    0us*: __schedule <-schedule
  rcu_pre-16       0d..2.   80us : finish_task_switch <-__schedule
  dd-191       0d..2.   90us : finish_task_switch <-__schedule
  dd-191       0d..2.  100us : trace_hardirqs_on <-schedule
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (rcu_pre-16, then dd-191): 80 % of it in __schedule ← schedule
        "#]],
    );
}

#[test]
fn calls_of_a_section_are_told_by_what_they_call_in_all() {
    check(
        "preemptoff",
        "
    0 us |   0)     dd-191   |  ...1. |   0.500 us    |  _raw_spin_lock();
    2 us |   0)     dd-191   |  ...2. |               |  munlock_folio() {
    3 us |   0)     dd-191   |  ...2. |  20.000 us    |    lru_add();
   24 us |   0)     dd-191   |  ...2. |  10.000 us    |    lru_del();
   40 us |   0)     dd-191   |  ...1. |  38.000 us    |  }
   41 us |   0)     dd-191   |  ...2. |               |  munlock_folio() {
   42 us |   0)     dd-191   |  ...2. |  20.000 us    |    lru_add();
   63 us |   0)     dd-191   |  ...2. |  10.000 us    |    lru_del();
   79 us |   0)     dd-191   |  ...1. |  38.000 us    |  }
   99 us |   0)     dd-191   |  ...1. |   0.500 us    |  _raw_spin_unlock();
",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): 40 µs in 2 calls of lru_add and 20 µs in 2 calls of lru_del
        "#]],
    );
}

#[test]
fn the_longest_part_is_named_be_it_the_first_record_itself() {
    check(
        "irqsoff",
        "
  dd-191       0d..1.    0us*: __schedule <-schedule
  dd-191       0d..2.   51us*: finish_task_switch <-__schedule
  dd-191       0d..2.  100us : trace_hardirqs_on <-schedule
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): 51 % of it in __schedule ← schedule
        "#]],
    );
}

#[test]
fn what_runs_on_top_of_a_section_is_what_it_was_long_for() {
    check(
        "preemptoff",
        "
  dd-191       0...1.    0us : _raw_spin_lock_irqsave <-wake_up_new_task
  dd-191       0d..1.   12us : irq_enter <-smp_apic_timer_interrupt
  dd-191       0d.h1.   13us : hrtimer_interrupt <-smp_apic_timer_interrupt
  dd-191       0d.s2.   36us : __do_softirq <-call_softirq
  dd-191       0dNs2.   90us : __local_bh_enable <-__do_softirq
  dd-191       0dN.2.  100us : _raw_spin_unlock <-wake_up_new_task
",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): interrupts and softirqs ran in it for 77 µs
        "#]],
    );
}

#[test]
fn what_lies_between_two_interrupts_is_not_theirs() {
    check(
        "preemptoff",
        "
  dd-191       0...1.    0us!: _raw_spin_lock <-wake_up_new_task
  dd-191       0d.h1.   20us : local_timer_entry: vector=236
  dd-191       0d.h1.   30us!: local_timer_exit: vector=236
  dd-191       0d.h1.   80us : local_timer_entry: vector=236
  dd-191       0d.h1.   90us : local_timer_exit: vector=236
  dd-191       0dN.2.  100us : _raw_spin_unlock <-wake_up_new_task
",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): nothing recorded for 50 µs between local_timer_exit and local_timer_entry
        "#]],
    );
}

#[test]
fn functions_that_one_caller_calls_in_a_loop_are_told_by_their_caller() {
    check(
        "preemptoff",
        "
  dd-191       0...1.    0us : _raw_spin_lock <-__pte_offset_map_lock
  dd-191       0...1.    2us : __rcu_read_lock <-mlock_folio_batch
  dd-191       0...1.   32us : __rcu_read_unlock <-mlock_folio_batch
  dd-191       0...1.   72us : __rcu_read_lock <-mlock_folio_batch
  dd-191       0...1.   92us : other <-mlock_pte_range
  dd-191       0...1.  100us : _raw_spin_unlock <-mlock_pte_range
",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): 90 % of it in mlock_folio_batch
        "#]],
    );
}

#[test]
fn a_hole_among_functions_is_told_as_one() {
    check(
        "irqsoff",
        "
  dd-191       0d....    0us!: trace_hardirqs_off_thunk <-reschedule_interrupt
  dd-191       0d....   88us : smp_reschedule_interrupt <-reschedule_interrupt
  dd-191       0d.h..   90us : scheduler_ipi <-smp_reschedule_interrupt
  dd-191       0d.h..   91us : irq_exit <-smp_reschedule_interrupt
  dd-191       0d....   95us : idle_cpu <-irq_exit
  dd-191       0d....  100us : trace_hardirqs_on_thunk <-restore_all_notrace
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): 88 % of it in reschedule_interrupt
        "#]],
    );
}

#[test]
fn a_hole_is_told_of_few_records_too_but_not_between_the_ends() {
    check(
        "irqsoff",
        "
      dd-191       0d....    0us : trace_hardirqs_off_thunk <-try_to_wake_up
      dd-191       0d....    5us!: sched_waking: comm=w pid=7 prio=120 target_cpu=000
      dd-191       0d....   93us : sched_wakeup: comm=w pid=7 prio=120 target_cpu=000
      dd-191       0d....  100us : trace_hardirqs_on_thunk <-restore_all
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): nothing recorded for 88 µs between sched_waking and sched_wakeup
        "#]],
    );
    check(
        "irqsoff",
        "
      dd-191       0d....    0us : trace_hardirqs_off_thunk <-work
      dd-191       0d....    2us!: irqs_off <-work
      dd-191       0d....   98us : irqs_on <-other
      dd-191       0d....  100us : trace_hardirqs_on_thunk <-other
",
        expect![[r#"
            Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): 96 % of it in irqs_off ← work
        "#]],
    );
}

#[test]
fn time_before_the_first_record_is_nobodys() {
    check(
        "preemptoff",
        "
      dd-191       0...1.   97us : _raw_spin_lock <-dput
      dd-191       0...1.   98us : _raw_spin_unlock <-dentry_unlink_inode
      dd-191       0...1.  100us : tracer_preempt_on <-dentry_unlink_inode
",
        expect![[r#"
            Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): 97 µs of it before the first record
        "#]],
    );
}

//! A timer interrupt of a real-time kernel that took 10 µs longer than normal, and a normal one beside it.
//!
//! A comparison by hand had found that the kernel started a period timer in the midst of a wakeup.

use expect_test::expect;

use super::testing::{compare, text};

const ABNORMAL: &str = "
    smp_apic_timer_interrupt 63.996
      irq_enter 8.986
      hrtimer_interrupt 46.372
        ...
        __hrtimer_run_queues 36.056
          ...
          hrtimer_wakeup 31.336
            wake_up_process 30.588
              try_to_wake_up 29.839
                ...
                ttwu_do_activate 22.754
                  activate_task 18.785
                    enqueue_task_rt 18.024
                      dequeue_rt_stack 1.196
                        dequeue_top_rt_rq 0.423
                      cpupri_set 0.434
                      update_rt_migration 0.371
                      _raw_spin_lock 1.145
                        preempt_count_add 0.384
                      ktime_get 0.470
                      hrtimer_forward 0.394
                      hrtimer_start_range_ns 7.505
                        lock_hrtimer_base.isra.0 1.973
                          _raw_spin_lock_irqsave 1.211
                            preempt_count_add 0.396
                        preempt_count_sub 0.382
                        _raw_spin_lock 1.129
                          preempt_count_add 0.383
                        enqueue_hrtimer 0.412
                        _raw_spin_unlock_irqrestore 1.170
                          preempt_count_sub 0.379
                      preempt_count_sub 0.399
                      enqueue_top_rt_rq 1.943
                        sched_can_stop_tick 0.377
                        tick_nohz_dep_clear_cpu 0.380
                  ...
                ...
          ...
        ...
      irq_exit 6.826
        ...
";
const NORMAL: &str = "
    smp_apic_timer_interrupt 53.940
      irq_enter 8.901
        ...
      hrtimer_interrupt 36.506
        ...
        __hrtimer_run_queues 26.086
          ...
          hrtimer_wakeup 21.393
            wake_up_process 20.648
              try_to_wake_up 19.906
                ...
                ttwu_do_activate 12.782
                  activate_task 8.811
                    enqueue_task_rt 8.032
                      dequeue_rt_stack 1.150
                        dequeue_top_rt_rq 0.391
                      cpupri_set 0.416
                      update_rt_migration 0.380
                      _raw_spin_lock 1.128
                        preempt_count_add 0.385
                      preempt_count_sub 0.376
                      enqueue_top_rt_rq 1.889
                        sched_can_stop_tick 0.373
                        tick_nohz_dep_clear_cpu 0.366
                  ...
                ...
          ...
        ...
      irq_exit 6.732
        ...
";

#[test]
fn the_period_timer_is_found_in_the_midst_of_the_wakeup() {
    let (names, diff) = compare(ABNORMAL, NORMAL);
    expect![[r#"
        = smp_apic_timer_interrupt 10056 self 11
          = irq_enter 85 self 85
          = hrtimer_interrupt 9866 self -104
            = __hrtimer_run_queues 9970 self 27
              = hrtimer_wakeup 9943 self 3
                = wake_up_process 9940 self 7
                  = try_to_wake_up 9933 self -39
                    = ttwu_do_activate 9972 self -2
                      = activate_task 9974 self -18
                        = enqueue_task_rt 9992 self 1474
                          = dequeue_rt_stack 46 self 14
                            = dequeue_top_rt_rq 32 self 32
                          = cpupri_set 18 self 18
                          = update_rt_migration -9 self -9
                          = _raw_spin_lock 17 self 18
                            = preempt_count_add -1 self -1
                          + ktime_get 470 self 470
                          + hrtimer_forward 394 self 394
                          + hrtimer_start_range_ns 7505 self 2439
                            + lock_hrtimer_base.isra.0 1973 self 762
                              + _raw_spin_lock_irqsave 1211 self 815
                                + preempt_count_add 396 self 396
                            + preempt_count_sub 382 self 382
                            + _raw_spin_lock 1129 self 746
                              + preempt_count_add 383 self 383
                            + enqueue_hrtimer 412 self 412
                            + _raw_spin_unlock_irqrestore 1170 self 791
                              + preempt_count_sub 379 self 379
                          = preempt_count_sub 23 self 23
                          = enqueue_top_rt_rq 54 self 36
                            = sched_can_stop_tick 4 self 4
                            = tick_nohz_dep_clear_cpu 14 self 14
          = irq_exit 94 self 94
        +10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get, hrtimer_forward, hrtimer_start_range_ns under enqueue_task_rt), 1.69 µs in slower calls.
    "#]].assert_eq(&text(&names, &diff));
}

#[test]
fn the_other_way_round_calls_are_missing() {
    let (_, diff) = compare(NORMAL, ABNORMAL);
    expect!["−10.06 µs: −8.37 µs in calls missing from the abnormal run (ktime_get, hrtimer_forward, hrtimer_start_range_ns under enqueue_task_rt), −1.69 µs in faster calls."].assert_eq(&diff.summary);
}

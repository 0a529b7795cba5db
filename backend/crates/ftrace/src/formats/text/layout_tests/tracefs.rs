//! The default layout: its headers, clocks and options.

use expect_test::expect;

use super::check;

#[test]
fn headers_of_every_kernel() {
    check(
        "tracefs_text",
        "\
# tracer: nop
#
#           TASK-PID    CPU#    TIMESTAMP  FUNCTION
#              | |       |          |         |
          <idle>-0     [001]  3049.123456: sched_wakeup: comm=k pid=9 prio=120 success=1 target_cpu=001
",
        expect![[r#"
            3049123456000 [1] <idle>-0 0 Tracepoint sched_wakeup | comm=k pid=9 prio=120 success=1 target_cpu=001
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
#
# entries-in-buffer/entries-written: 1/1   #P:2
#
#                              _-----=> irqs-off
#                             / _----=> need-resched
#                            | / _---=> hardirq/softirq
#                            || / _--=> preempt-depth
#                            ||| /     delay
#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION
#              | |       |   ||||       |         |
          <idle>-0     [001] d.h3  3049.123456: sched_waking: comm=k pid=9 prio=120 target_cpu=001
",
        expect![[r#"
            3049123456000 [1] <idle>-0 305 Tracepoint sched_waking | comm=k pid=9 prio=120 target_cpu=001
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [001] DNZ31  3049.123456: sched_waking: comm=k pid=9 prio=120 target_cpu=001
",
        expect![[r#"
            3049123456000 [1] <idle>-0 103b7 Tracepoint sched_waking | comm=k pid=9 prio=120 target_cpu=001
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
#
#                                _-------=> irqs-off/BH-disabled
#                               / _------=> need-resched
#                              | / _-----=> need-resched-lazy
#                              || / _----=> hardirq/softirq
#                              ||| / _---=> preempt-depth
#                              |||| / _--=> preempt-lazy-depth
#                              ||||| / _-=> migrate-disable
#                              |||||| /     delay
#           TASK-PID     CPU#  |||||||  TIMESTAMP  FUNCTION
#              | |         |   |||||||     |         |
          <idle>-0       [001] dnLh213  3049.123456: sched_waking: comm=k pid=9 prio=120 target_cpu=001
",
        expect![[r#"
            3049123456000 [1] <idle>-0 31247 Tracepoint sched_waking | comm=k pid=9 prio=120 target_cpu=001
        "#]],
    );
    check(
        "latency_text",
        "\
# tracer: irqsoff
#
# irqsoff latency trace v1.1.5 on 2.6.33.1
# --------------------------------------------------------------------
# latency: 20 us, #2/2, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:2)
#                / _--=> preempt-depth
#               || / _-=> lock-depth
#  cmd     pid   ||||| time  |   caller
    bash-3917    0d..1-   0us : trace_hardirqs_off_thunk <-apic_timer_interrupt
    bash-3917    0d..1.   20us+: trace_hardirqs_on (restore)
",
        expect![[r#"
            0 [0] bash-3917 101 Function function | trace_hardirqs_off_thunk <-apic_timer_interrupt
            20000 [0] bash-3917 101 Function function | trace_hardirqs_on <-restore
        "#]],
    );
}

#[test]
fn clocks_of_every_kind() {
    check(
        "tracefs_text",
        "\
# tracer: nop
           <...>-7       [000] d..2. 1700000000.000001: a: tai=1
",
        expect![[r#"
            1700000000000001000 [0] -7 201 Tracepoint a | tai=1
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
           <...>-7       [000] d..2. 4294912345: a: uptime=1
           <...>-7       [000] d..2. 4294912345: a: uptime=2
",
        expect![[r#"
            4294912345 [0] -7 201 Tracepoint a | uptime=1
            4294912345 [0] -7 201 Tracepoint a | uptime=2
        "#]],
    );
}

#[test]
fn options_of_the_default_layout() {
    check(
        "tracefs_text",
        "\
# tracer: nop
           bash-12      [000] 12.000001: noirq_info: a=1
           bash-12      (     12) [000] d..2. 12.000002: record_tgid: a=1
           <...>-12     (-------) [000] d..2. 12.000003: record_tgid: a=2
",
        expect![[r#"
            12000001000 [0] bash-12 0 Tracepoint noirq_info | a=1
            ! several_recordings x1 line 3
            12000002000 [0] bash-12(12) 201 Tracepoint record_tgid | a=1
            12000003000 [0] -12 201 Tracepoint record_tgid | a=2
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: function
           bash-12      [000] d..2. 12.000001: do_idle+0x1a/0x40 <-cpu_startup_entry+0x19/0x20
           bash-12      [000] d..2. 12.000002: do_idle <ffffffff81e00001> <-cpu_startup_entry <ffffffff81e00002>
           bash-12      [000] d..2. 12.000003: do_idle
           bash-12      [000] d..2. 12.000004: open(filename=0x7f, flags=577) <-do_sys [mod]
           bash-12      [000] d..2. 12.000005: rcu_read <-walk (repeats: 3, last_ts: 12.000009)
           bash-12      [000] d..2. 12.000010: 0xffffffff81000000 <-0
",
        expect![[r#"
            12000001000 [0] bash-12 201 Function function | do_idle+0x1a/0x40 <-cpu_startup_entry+0x19/0x20
            12000002000 [0] bash-12 201 Function function | do_idle <ffffffff81e00001> <-cpu_startup_entry <ffffffff81e00002>
            12000003000 [0] bash-12 201 Function function | do_idle
            12000004000 [0] bash-12 201 Function function | open(filename=0x7f, flags=577) <-do_sys [mod]
            12000005000 [0] bash-12 201 Tracepoint func_repeats | rcu_read <-walk (repeats: 3, last_ts: 12.000009)
            12000010000 [0] bash-12 201 Function function | 0xffffffff81000000 <-0
            ! doubtful_text x1 line 4
            ! odd_fields x1 line 3
            loss cpu None before None count None
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
           bash-12      [000] d..2. 12.000001: sched_waking: prio=0x78 (120) pid=0x9 (9) comm=k target_cpu=0x0 (0)
           bash-12      [000] d..2. 12.000002: <stack trace>
 => trace_event_raw_event_sched_waking
 => [FTRACE TRAMPOLINE]
 => 0xffffffffc0001234
           bash-12      [000] d..2. 12.000003: sched_waking: comm=k
           bash-12      [000] d..2. 12.000004: <user stack trace>
 => /usr/lib/libc.so.6[+0x6012b] <00007fa1c863e12b>
 =>  <00007fa1c863e12c>
",
        expect![[r#"
            12000001000 [0] bash-12 201 Tracepoint sched_waking | prio=0x78 (120) pid=0x9 (9) comm=k target_cpu=0x0 (0)
            12000002000 [0] bash-12 201 Tracepoint kernel_stack | <stack trace>
            stack Some(12000002000) Kernel ["trace_event_raw_event_sched_waking", "[FTRACE TRAMPOLINE]", "0xffffffffc0001234"]
            12000003000 [0] bash-12 201 Tracepoint sched_waking | comm=k
            12000004000 [0] bash-12 201 Tracepoint user_stack | <user stack trace>
            stack Some(12000004000) User ["/usr/lib/libc.so.6[+0x6012b] <00007fa1c863e12b>", "<00007fa1c863e12c>"]
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
12 1 12000000001 type: 313
12 1 12000000002 # ffffffff83e34f9f a marker
",
        expect![[r#"
            ! raw_text x1 line 2
            12000000001 [1] -12 0 Unknown unknown | type: 313
            12000000002 [1] -12 0 Print print | ffffffff83e34f9f a marker
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
0000000c 00000001 00000002cb417801 type: 5

",
        expect![[r#"
            ! raw_text x1 line 2
            12000000001 [1] -12 0 Unknown unknown | type: 5
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: nop
#
sched_waking: comm=k pid=9 prio=120 target_cpu=000
cpu_idle: state=1 cpu_id=0
",
        expect![[r#"
            ! no_time x1 line 3
            ! no_time x1 line 4
        "#]],
    );
}

#[test]
fn prints_and_raw_data() {
    check(
        "tracefs_text",
        "\
# tracer: nop
           bash-12      [000] ..... 12.000001: tracing_mark_write: first
second: with a colon
           bash-12      [000] ..... 12.000002: my_driver_probe: probe of two words
           bash-12      [000] ..... 12.000003: # 2a buf: 01 02 03
           bash-12      [000] ..... 12.000004: Unknown type 77
           bash-12      [000] ..... 12.000005: console: usb 1-1: new
 device
           bash-12      [000] ..... 12.000006: synth: stack=STACK:
=> schedule+0x10/0x20
=> do_nanosleep+0x5/0x80
",
        expect![[r#"
            12000001000 [0] bash-12 0 Print print | first
            second: with a colon
            12000002000 [0] bash-12 0 Tracepoint my_driver_probe | probe of two words
            12000003000 [0] bash-12 0 Unknown raw_data | # 2a buf: 01 02 03
            12000004000 [0] bash-12 0 Unknown unknown | Unknown type 77
            12000005000 [0] bash-12 0 Tracepoint console | usb 1-1: new
             device
            12000006000 [0] bash-12 0 Tracepoint synth | stack=STACK:
            stack Some(12000006000) Kernel ["schedule+0x10/0x20", "do_nanosleep+0x5/0x80"]
        "#]],
    );
}

#[test]
fn gaps_of_every_notation() {
    check(
        "tracefs_text",
        "\
# tracer: nop
#
# entries-in-buffer/entries-written: 4/9   #P:2
#
##### CPU 1 buffer started ####
           bash-12      [001] ..... 12.000001: a: x=1
CPU:0 [LOST 5 EVENTS]
           bash-13      [000] ..... 12.000002: a: x=2
CPU:1 [LOST EVENTS]
[LINE TOO BIG]
           bash-12      [001] ..... 12.000003: a: x=3
",
        expect![[r#"
            loss cpu Some(1) before Some(12000001000) count None
            12000001000 [1] bash-12 0 Tracepoint a | x=1
            loss cpu Some(0) before Some(12000002000) count Some(5)
            12000002000 [0] bash-13 0 Tracepoint a | x=2
            ! line_too_long x1 line 10
            loss cpu Some(1) before None count None
            loss cpu Some(0) before None count None
            loss cpu Some(1) before Some(12000003000) count None
            12000003000 [1] bash-12 0 Tracepoint a | x=3
            loss cpu None before None count Some(5)
        "#]],
    );
}

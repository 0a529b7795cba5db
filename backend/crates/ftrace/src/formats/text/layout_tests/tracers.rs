//! Layouts of single tracers.

use expect_test::expect;

use super::check;

#[test]
fn latency_tracers() {
    check(
        "latency_text",
        "\
# tracer: irqsoff
#
# irqsoff latency trace v1.1.5 on 6.12.107-rt
# --------------------------------------------------------------------
# latency: 7038 us, #4/4, CPU#2 | (M:PREEMPT(full) VP:0, KP:0, SP:0 HP:0 #P:4)
#    -----------------
#    | task: kworker/2:1-8174 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#  => started at: vprintk_emit
#  => ended at:   vprintk_emit
#
kworker/-8174      2d..2.    0us : console_lock <-vprintk_emit
kworker/-8174      2d..2.   12us!: irq_handler_entry: irq=4 name=serial
kworker/-8174      2dN.2. 7039us+: tracer_hardirqs_on <-vprintk_emit
kworker/-8174      2dN.2. 7042us : <stack trace>
 => vprintk_emit
 => printk
",
        expect![[r#"
            0 [2] kworker/-8174 201 Function function | console_lock <-vprintk_emit
            12000 [2] kworker/-8174 201 Tracepoint irq_handler_entry | irq=4 name=serial
            7039000 [2] kworker/-8174 283 Function function | tracer_hardirqs_on <-vprintk_emit
            7042000 [2] kworker/-8174 283 Tracepoint kernel_stack | <stack trace>
            stack Some(7042000) Kernel ["vprintk_emit", "printk"]
        "#]],
    );
    check(
        "latency_text",
        "\
# tracer: wakeup_rt
#
# wakeup_rt latency trace v1.1.5 on 6.12.107
# latency: 12 us, #2/2, CPU#1 | (M:server VP:0, KP:0, SP:0 HP:0 #P:2)
#    | task: sleep-5882 (uid:0 nice:0 policy:1 rt_prio:5)
  <idle>-0         1dNh4.    0us :        0:120:R   + [001]    5882: 94:R sleep
  <idle>-0         1d..3.   12us :        0:120:R ==> [001]    5882: 94:R sleep
",
        expect![[r#"
            0 [1] <idle>-0 487 Tracer wakeup | 0:120:R   + [001]    5882: 94:R sleep
            12000 [1] <idle>-0 301 Tracer context_switch | 0:120:R ==> [001]    5882: 94:R sleep
        "#]],
    );
    check(
        "latency_text",
        "\
# tracer: wakeup_dl
#
# latency: 5 us, #1/1, CPU#0 | (M:desktop VP:0, KP:0, SP:0 HP:0)
#    | task: dl-77 (uid:0 nice:0 policy:6 rt_prio:0)
  <idle>-0         0d..3.    5us :        0:120:R ==> [000]      77: -1:R dl
",
        expect![[r#"
            5000 [0] <idle>-0 301 Tracer context_switch | 0:120:R ==> [000]      77: -1:R dl
        "#]],
    );
    check(
        "latency_text",
        "\
# tracer: preemptirqsoff
#
            bash   28502   0 1 00000003 00000000 [a9f46b7b] 2851.433ms (+0.001ms): _raw_spin_lock <-f
            bash   28502   0 9 00000003 00000001 [a9f46b7c] 2851.434ms (+0.000ms): sched_waking: comm=k
",
        expect![[r#"
            2851367803000 [0] bash-28502 301 Function function | _raw_spin_lock <-f
            2851367804000 [0] bash-28502 305 Tracepoint sched_waking | comm=k
        "#]],
    );
    check(
        "latency_text",
        "\
# tracer: nop
    bash-12      101d..2. 13: a: counter=1
",
        expect![[r#"
            13 [101] bash-12 201 Tracepoint a | counter=1
        "#]],
    );
    check(
        "function_graph_text",
        "\
# tracer: preemptoff
#
# preemptoff latency trace v1.1.5 on 6.12.107
# latency: 9 us, #4/4, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#   REL TIME      CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS
        0 us |   0)   bash-1507    |  d..1. |   0.378 us    |    do_raw_spin_trylock();
        9 us |   0)   bash-1507    |  dNh1. | ! 108.500 us  |    do_raw_spin_unlock();
",
        expect![[r#"
            leaf 0 [0] bash-1507 depth Some(1) do_raw_spin_trylock Some(378)
            leaf 9000 [0] bash-1507 depth Some(1) do_raw_spin_unlock Some(108500)
        "#]],
    );
}

#[test]
fn tracers_with_lines_of_their_own() {
    check(
        "tracefs_text",
        "\
# tracer: hwlat
           <...>-1729     [001] d....   678.473449: #1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6
           <...>-1729     [001] d....   679.473449: #2     inner/outer(us):   12/14    ts:1581527484.343962693 nmi-total:7 nmi-count:1
",
        expect![[r#"
            678473449000 [1] -1729 1 Tracer hwlat | #1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6
            679473449000 [1] -1729 1 Tracer hwlat | #2     inner/outer(us):   12/14    ts:1581527484.343962693 nmi-total:7 nmi-count:1
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: osnoise
#                                          || /               RUNTIME      NOISE  %% OF CPU  NOISE    +-----------------------------+
           <...>-859      [000] .....    81.637220: 1000000        190  99.98100       9     18      0   1007     18      1
",
        expect![[r#"
            81637220000 [0] -859 0 Tracer osnoise | 1000000        190  99.98100       9     18      0   1007     18      1
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: timerlat
          <idle>-0       [000] d.h1.    54.029328: #1     context    irq timer_latency       932 ns
           <...>-867     [000] .....    54.029339: #1     context thread timer_latency     11700 ns
           <...>-867     [000] .....    54.029349: #1     context user-ret timer_latency     14900 ns
",
        expect![[r#"
            54029328000 [0] <idle>-0 105 Tracer timerlat | #1     context    irq timer_latency       932 ns
            54029339000 [0] -867 0 Tracer timerlat | #1     context thread timer_latency     11700 ns
            54029349000 [0] -867 0 Tracer timerlat | #1     context user-ret timer_latency     14900 ns
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: blk
   kworker/u8:1-77      [002] d..1.   320.000123:   8,0    A  WS 223490 + 8 <- (8,1) 221442
   kworker/u8:1-77      [002] d..1.   320.000124:   8,0    P   N [kworker/u8:1]
   kworker/u8:1-77      [002] d..1.   320.000125:   8,0  1,2    Q   W 223490 + 8 [kworker/u8:1]
",
        expect![[r#"
            320000123000 [2] kworker/u8:1-77 101 Tracer blk | 8,0    A  WS 223490 + 8 <- (8,1) 221442
            320000124000 [2] kworker/u8:1-77 101 Tracer blk | 8,0    P   N [kworker/u8:1]
            320000125000 [2] kworker/u8:1-77 101 Tracer blk | 8,0  1,2    Q   W 223490 + 8 [kworker/u8:1]
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: blk
# DEV   CPU TIMESTAMP     PID ACT FLG
#  |     |     |           |   |   |
  8,0    1     0.000000321   697  Q   W 223490 + 8 [kjournald]
",
        expect![[r#"
            321 [1] -697 0 Tracer blk | 8,0 Q   W 223490 + 8 [kjournald]
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: branch
#           TASK-PID   CPU#    TIMESTAMP        CORRECT  FUNC:FILE:LINE
           bash-12      [001]    12.000001: [  ok  ] schedule:core.c:6500
           bash-12      [001]    12.000002: [ MISS ] pick_next:fair.c:77
",
        expect![[r#"
            12000001000 [1] bash-12 0 Tracer branch | [  ok  ] schedule:core.c:6500
            12000002000 [1] bash-12 0 Tracer branch | [ MISS ] pick_next:fair.c:77
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: mmiotrace
#
VERSION 20070824
PCIDEV 0100 10de0391 10 fd000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 nvidia
MAP 12.000001 1 0xfd000000 0xffffc90000000000 0x1000000 0x0 0
R 4 12.000010 1 0xfd000140 0x1 0x0 0
W 4 12.000012 1 0xfd000140 0x0 0x0 0
MARK 12.000013 starting X
UNMAP 12.000020 1 0x0 0
",
        expect![[r#"
            12000001000 [0] --2147483648 0 Tracer mmiotrace_map | MAP 12.000001 1 0xfd000000 0xffffc90000000000 0x1000000 0x0 0
            12000010000 [0] --2147483648 0 Tracer mmiotrace_rw | R 4 12.000010 1 0xfd000140 0x1 0x0 0
            12000012000 [0] --2147483648 0 Tracer mmiotrace_rw | W 4 12.000012 1 0xfd000140 0x0 0x0 0
            12000013000 [0] --2147483648 0 Print print | starting X
            12000020000 [0] --2147483648 0 Tracer mmiotrace_map | UNMAP 12.000020 1 0x0 0
        "#]],
    );
    check(
        "tracefs_text",
        "\
# tracer: wakeup
           bash-12      [001] d..3.    12.000001:     12:120:S ==> [001]     9:120:R k
           bash-12      [001] d..3.    12.000002:     12:120:S   + [000]     9:120:R k
",
        expect![[r#"
            12000001000 [1] bash-12 301 Tracer context_switch | 12:120:S ==> [001]     9:120:R k
            12000002000 [1] bash-12 301 Tracer wakeup | 12:120:S   + [000]     9:120:R k
        "#]],
    );
}

#[test]
fn columns_of_the_function_graph() {
    check(
        "function_graph_text",
        "\
# tracer: function_graph
#
#     TIME        CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS
  384.905506 |   1)   ping-1556    |  d..2. |               |  finish_task_switch() {
  384.905507 |   1)   ping-1556    |  d..2. |   91607669 us |    wait_long();
  384.905508 |   1)   ping-1556    |  d..2. | $ 119760.2 us |  }
",
        expect![[r#"
            enter 384905506000 [1] ping-1556 depth None finish_task_switch()
            leaf 384905507000 [1] ping-1556 depth Some(1) wait_long Some(91607669000)
            exit 384905508000 [1] ping-1556 depth Some(0) None Some(119760200) 
        "#]],
    );
    check(
        "function_graph_text",
        " 0)               |  __sysvec() {
 0)   ==========> |
 0)               |    irq_enter_rcu() {
 0)   0.100 us    |      rcu_irq_enter();
 0)   1.500 us    |    }
 0)   <========== |
 0)               |    /* irq_handler_entry: irq=4 name=a */
 0)   9.910 us    |  }
 (Overruns: 0)
 ------------------------------------------
 0)   ksoftir-18   => qemu-kv-17653
 ------------------------------------------

 0)   0.100 us    |  vfio_open [vfio]();
",
        expect![[r#"
            enter 0 [0] depth None __sysvec()
            irq 0 [0] depth None true
            enter 0 [0] depth Some(1) irq_enter_rcu()
            leaf 0 [0] depth Some(2) rcu_irq_enter Some(100)
            exit 1500 [0] depth Some(1) None Some(1500) 
            irq 1500 [0] depth None false
            1500 [0] --2147483648 0 Tracepoint irq_handler_entry | irq=4 name=a
            exit 9910 [0] depth Some(0) None Some(9910) 
            switch Some(9910) [0] 18 => 17653
            leaf 9910 [0] depth Some(0) vfio_open [vfio] Some(100)
        "#]],
    );
    check(
        "function_graph_text",
        " 0)               |  open(name=0x7f, mode=2 [RW], s=(struct x)[0x1:0x2], ...) { /* <-do_sys+0x1/0x2 */
 0)   0.100 us    |    lock.isra.0(); /* <-open+0x1/0x2 ret=0x0 */
 0)   0.100 us    |    unlock(); /* = 0x0 */
 0)   9.910 us    |  } /* open ret=-2 */
 0) # 1200.000 us |  } /* do_sys */
",
        expect![[r#"
            enter 0 [0] depth None open(name=0x7f, mode=2 [RW], s=(struct x)[0x1:0x2], ...)
            enter 0 [0] depth Some(1) lock.isra.0(<-open+0x1/0x2)
            exit 100 [0] depth Some(1) Some("lock.isra.0") Some(100) 0x0
            enter 100 [0] depth Some(1) unlock()
            exit 200 [0] depth Some(1) Some("unlock") Some(100) 0x0
            exit 9910 [0] depth Some(0) Some("open") Some(9910) -2
            exit 1209910 [0] depth Some(0) Some("do_sys") Some(1200000) 
        "#]],
    );
    check(
        "function_graph_text",
        "\
# tracer: function_graph
#
 0)  |  schedule() {
 0)  |    __schedule();
 0)  |  }
",
        expect![[r#"
            enter 0 [0] depth None schedule()
            leaf 0 [0] depth Some(1) __schedule None
            exit 0 [0] depth Some(0) None None 
        "#]],
    );
    check(
        "function_graph_text",
        "\
# tracer: function_graph
#
#     TIME        CPU  DURATION                  FUNCTION CALLS
    12.000001 |   0)               |  f() {
           bash-12      [000] d..2.    12.000002: sched_waking: comm=k
           bash-12      [000] d..2.    12.000003: <stack trace>
 => g
    12.000004 |   0)   3.100 us    |  }
",
        expect![[r#"
            enter 12000001000 [0] depth None f()
            ! several_recordings x1 line 5
            12000002000 [0] bash-12 201 Tracepoint sched_waking | comm=k
            12000003000 [0] bash-12 201 Tracepoint kernel_stack | <stack trace>
            stack Some(12000003000) Kernel ["g"]
            ! several_recordings x1 line 8
            exit 12000004000 [0] depth None None Some(3100) 
        "#]],
    );
}

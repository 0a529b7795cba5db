//! What trace-cmd report prints.

use expect_test::expect;

use super::check;

#[test]
fn variants_of_trace_cmd_report() {
    check(
        "report_text",
        "\
version = 6
CPU 1 is empty
overriding event (310) sched:sched_wakeup_new with new print handler
cpus=2
              ls-4734  [002] 106439.675571: bprint:               f: x=1
              ls-4734  [002] d..1. 106439.675572: print:                tracing_mark_write: hello
              ls-4734  [002] d..1. 106439.675573: function:             igbvf_reset <-- e1000_reset
              ls-4734  [002] d..1. 106439.675574: kernel_stack:         <stack trace >
=> schedule (ffffffff84a0012f)
CPU:2 [EVENTS DROPPED]
              ls-4734  [002] d..1. 106439.675575: sched_switch:         ls:4734 [120] S ==> k:9 [120]
",
        expect![[r#"
            106439675571000 [2] ls-4734 0 Bprint bprint | f: x=1
            ! several_recordings x1 line 6
            106439675572000 [2] ls-4734 101 Print print | hello
            106439675573000 [2] ls-4734 101 Function function | igbvf_reset <-e1000_reset
            106439675574000 [2] ls-4734 101 Tracepoint kernel_stack | <stack trace >
            stack Some(106439675574000) Kernel ["schedule"]
            loss cpu Some(2) before Some(106439675575000) count None
            106439675575000 [2] ls-4734 101 Tracepoint sched_switch | ls:4734 [120] S ==> k:9 [120]
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
      ls-4734    2d..1. 106439.675571: sched_waking:         comm=k pid=9
      ls-4734    2-0x1 106439.675572: sched_waking:         comm=k pid=9
",
        expect![[r#"
            106439675571000 [2] ls-4734 101 Tracepoint sched_waking | comm=k pid=9
            ! several_recordings x1 line 3
            106439675572000 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
              ls-4734  [002] 106439.675571920:          sched_waking:         comm=k pid=9
              ls-4734  [002] 106439.675571940: (+20)    sched_waking:         comm=k pid=9
              ls-4734  [002]-0x1 106439.675572: sched_waking:         comm=k pid=9
              ls-4734  [002] d..2.1000000000000: sched_waking:         comm=k pid=9
",
        expect![[r#"
            106439675571920 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            106439675571940 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            ! several_recordings x1 line 4
            106439675572000 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            ! several_recordings x1 line 5
            1000000000000 [2] ls-4734 201 Tracepoint sched_waking | comm=k pid=9
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
      ls-4734    2d..2.126725612207: sched_waking:         comm=k pid=9
      ls-4734    1dNh1. 26725612208: sched_waking:         comm=k pid=9
      ls-4734    1.....126725612209: sched_waking:         comm=k pid=9
",
        expect![[r#"
            126725612207 [2] ls-4734 201 Tracepoint sched_waking | comm=k pid=9
            26725612208 [1] ls-4734 187 Tracepoint sched_waking | comm=k pid=9
            126725612209 [1] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
              ls-4734  [002] 106439.675571: sched_switch:         ls:4734 [120] S ==> k:9 [120] Latency: 5.630 usecs
CPU:1 [SUBBUFFER START] [10773890620:0x9a000]
              ls-4734  [002] 106439.675572: sched_waking:         comm=k pid=9 [8746:0x34:16]
Average wakeup latency: 6.570 usecs
Maximum Latency: 15.652 usecs at timestamp: 36.934666
Minimum Latency: 5.544 usecs at timestamp: 37.084522

RT task timings:
",
        expect![[r#"
            106439675571000 [2] ls-4734 0 Tracepoint sched_switch | ls:4734 [120] S ==> k:9 [120]
            106439675572000 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
       rt:               ls-4734  [002] 106439.675571: sched_waking:         comm=k pid=9
                         ls-4734  [002] 106439.675572: sched_waking:         comm=k pid=9
       rt: CPU:2 [1803 EVENTS DROPPED]
              ls-4734  [002] 106439.675573: sched_waking:         comm=k pid=9
           CPU:2 [EVENTS DROPPED]
              ls-4734  [002] 106439.675574: print:                tracing_mark_write: hello
       rt:        CPU 0/KVM-4734  [002] 106439.675575: print:                tracing_mark_write: hello
    other:               ls-4734  [002] 106439.675576: funcgraph_entry:        0.913 us   |  f();
",
        expect![[r#"
            106439675571000 of rt [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            106439675572000 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            loss cpu Some(2) of rt before Some(106439675573000) count Some(1803)
            106439675573000 of rt [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            loss cpu Some(2) before Some(106439675574000) count None
            106439675574000 [2] ls-4734 0 Print print | hello
            106439675575000 of rt [2] CPU 0/KVM-4734 0 Print print | hello
            leaf 106439675576000 of other [2] ls-4734 depth Some(0) f Some(913)
        "#]],
    );
    check(
        "report_text",
        "\
cpus=2
       rt:       ls-4734    2d..1. 106439.675571: sched_waking:         comm=k pid=9
  Nov 12 kernel:               ls-4734  [002] 106439.675572: sched_waking:         comm=k pid=9
       rt: CPU:2 [SUBBUFFER START] [106439675572000:0x1b000]
       rt:       ls-4734    2d..1. 106439.675573: kernel_stack:         \t=> do_idle
\t=> cpu_startup_entry
",
        expect![[r#"
            106439675571000 of rt [2] ls-4734 101 Tracepoint sched_waking | comm=k pid=9
            ! several_recordings x1 line 3
            106439675572000 [2] ls-4734 0 Tracepoint sched_waking | comm=k pid=9
            106439675573000 of rt [2] ls-4734 101 Tracepoint kernel_stack | 
            stack Some(106439675573000) Kernel ["do_idle", "cpu_startup_entry"]
        "#]],
    );
    check(
        "report_text",
        "\
cpus=1
              ls-4734  [000]    10.785195: funcgraph_entry:                   |  f() {
              ls-4734  [000]    10.785196: funcgraph_entry:        0.913 us   |    g();
              ls-4734  [000]    10.785197: funcgraph_exit:         9.156 us   |  } /* f */
              ls-4734  [000]    10.785198: funcgraph_entry:      # 33813.703 us |  h(); (2)
              ls-4734  [000]    10.785199: funcgraph_exit:       + 15.100 us   |  }
",
        expect![[r#"
            enter 10785195000 [0] ls-4734 depth Some(0) f()
            leaf 10785196000 [0] ls-4734 depth Some(1) g Some(913)
            exit 10785197000 [0] ls-4734 depth Some(0) Some("f") Some(9156) 
            leaf 10785198000 [0] ls-4734 depth Some(0) h Some(33813703)
            exit 10785199000 [0] ls-4734 depth Some(0) None Some(15100) 
        "#]],
    );
    check(
        "report_text",
        "\
cpus=1
              ls-4734  [000]    10.785195: funcgraph_entry:      --> f (1)
              ls-4734  [000]    10.785199: funcgraph_exit:       <-- f (1) (start: 282d906fd  end: 282d90cad) over: 1
              ls-4734  [000]    10.785200: funcgraph_entry:      func=g depth=1
              ls-4734  [000]    10.785201: funcgraph_exit:       func=g overrun=0x0 calltime=0x10 rettime=0x20 depth=1
",
        expect![[r#"
            enter 10785195000 [0] ls-4734 depth Some(1) f()
            exit 10785199000 [0] ls-4734 depth Some(1) Some("f") Some(1456) 
            enter 10785200000 [0] ls-4734 depth Some(1) g()
            exit 10785201000 [0] ls-4734 depth Some(1) Some("g") Some(16) 
        "#]],
    );
}

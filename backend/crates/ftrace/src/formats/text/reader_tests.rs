use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::reader;
use super::test_log::Log;
use crate::model::{Limits, Stop};

fn read(bytes: &[u8]) -> (Log, Result<(), Stop>) {
    let mut log = Log::default();
    let mut stream = bytes;
    let result = reader::read(&mut stream, &Limits::default(), &mut log);
    (log, result)
}

fn check(trace: &str, expected: Expect) {
    let (mut log, result) = read(trace.as_bytes());
    if let Err(Stop::Failed(error)) = result {
        log.text += &format!("failed: {} at line {:?}: {error}\n", error.code.name(), error.place.line);
    }
    assert_eq!(log.accounted.0 + log.accounted.1, trace.len() as u64);
    expected.assert_eq(&log.text);
}

#[test]
fn default_lines_with_every_number_of_flags() {
    check(
        "\
# tracer: nop
#
          <idle>-0       [000] d..2.   166.727747: sched_switch: prev_comm=swapper/0 ==> next_comm=a
              sh-12958 [002] d.H5 365761.623995: sched_wakeup: comm=rcu_preempt pid=8
       swapper/0-1       [002] dnLh213     0.831928: my: (pci_enable_ats+0x0/0xa0) a=8
           <...>-7       [001]     1.000001: foo: a=1
      cyclictest-275     (    275) [000] d.h1.     9.745940: local_timer_exit: vector=236
          <idle>-0       (-------) [001] d.s4.     9.745941: local_timer_exit: vector=236
 my app-12 3-4-5-4242    [000] d..2.   100.000900: x: y=1
      cyclictest-408     [000] d.h1. 473183655424: local_timer_entry: vector=236
",
        expect![[r#"
            facts Some("nop") Some(Ns) Some(Recorded)
            166727747000 [0] <idle>-0 201 Tracepoint sched_switch | prev_comm=swapper/0 ==> next_comm=a
            ! several_recordings x1 line 4
            365761623995000 [2] sh-12958 50d Tracepoint sched_wakeup | comm=rcu_preempt pid=8
            ! several_recordings x1 line 5
            831928000 [2] swapper/0-1 31247 Tracepoint my | (pci_enable_ats+0x0/0xa0) a=8
            ! several_recordings x1 line 6
            1000001000 [1] -7 0 Tracepoint foo | a=1
            ! several_recordings x1 line 7
            9745940000 [0] cyclictest-275(275) 105 Tracepoint local_timer_exit | vector=236
            9745941000 [1] <idle>-0 409 Tracepoint local_timer_exit | vector=236
            ! several_recordings x1 line 9
            100000900000 [0] my app-12 3-4-5-4242 201 Tracepoint x | y=1
            facts Some("nop") Some(Ticks) Some(Recorded)
            ! several_recordings x1 line 10
            473183655424 [0] cyclictest-408 105 Tracepoint local_timer_entry | vector=236
            facts Some("nop") Some(Ticks) Some(Recorded)
        "#]],
    );
}

#[test]
fn columns_before_the_duration_are_no_notes() {
    let (log, _) = read(
        b"# tracer: function_graph
  169.976042 |   0)   1.498 us    |  psi_flags_change();
  169.976045 |   0)  |  d..1 |   1.500 us    |  psi_group_change();
",
    );
    assert!(!log.text.contains("note"), "{}", log.text);
}

#[test]
fn latency_lines_stacks_and_notes() {
    check(
        "\
kworker/-8174      2d..2 7039us+: trace_hardirqs_on <-vprintk_emit
kworker/-8174      2d..2 7042us : <stack trace>
 => vprintk_default
 => printk
cyclicte-1213    1d...1.. 2563694114us : hrtimer_start: hrtimer=2a mode=ABS <========= prepare to sleep
...
",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            7039000 [2] kworker/-8174 201 Function function | trace_hardirqs_on <-vprintk_emit
            7042000 [2] kworker/-8174 201 Tracepoint kernel_stack | <stack trace>
            stack Some(7042000) Kernel ["vprintk_default", "printk"]
            ! several_recordings x1 line 5
            2563694114000 [1] cyclicte-1213 101 Tracepoint hrtimer_start | hrtimer=2a mode=ABS
            note at Some(2563694114000): prepare to sleep
            ! elided_calls x1 line 6
            loss cpu Some(2) before None count None
            loss cpu Some(1) before None count None
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

#[test]
fn verbose_latency_lines() {
    check(
        "          <idle>       0   1 53 00000005 00000009 [00c2f9c5] 24.005ms (+0.004ms): sched_wakeup: comm=a
          <idle>       0   0 1 00000002 00000002 [00c2f9c6] 24.006ms (+0.001ms): sched_wakeup: comm=a
            a 1 b       1   1 1 00000001 00000001 [00c2f9c7] 24.007ms (+0.001ms): sched_wakeup: comm=a
",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            12777925000 [1] <idle>-0 58b Tracepoint sched_wakeup | comm=a
            12777926000 [0] <idle>-0 201 Tracepoint sched_wakeup | comm=a
            12777927000 [1] a 1 b-1 101 Tracepoint sched_wakeup | comm=a
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

#[test]
fn report_lines_and_their_graph() {
    check(
        "\
cpus=2
CPU:7 [204600 EVENTS DROPPED]
       rt:        trace-cmd-20913 [007] d..2. 852655.067718: sched_switch:         trace-cmd:20913 [120] R ==> k:2 [120]
          <idle>-0     [000]    10.785195: funcgraph_entry:                   |  finish_task_switch.isra.0() {
          <idle>-0     [000]    10.785196: funcgraph_entry:        1.456 us   |    _raw_spin_unlock();
          <idle>-0     [000]    10.785199: funcgraph_exit:         4.424 us   |  } /* finish_task_switch.isra.0 */ (0)
    ping-1556    1d..2.   384.905506: funcgraph_entry:      + 15.986 us  |  f(); (0)
            ping-1556  [001]   384.905522: funcgraph_exit:        func=g overrun=0x0 calltime=599e27ecd0 rettime=599e282b42 depth=1
              ls-4734  [002]-0x1 106439.675571: bprint:               f: fig: cpu=0
 gid=4
",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            loss cpu Some(7) before Some(852655067718000) count Some(204600)
            852655067718000 of rt [7] trace-cmd-20913 201 Tracepoint sched_switch | trace-cmd:20913 [120] R ==> k:2 [120]
            ! several_recordings x1 line 4
            enter 10785195000 [0] <idle>-0 depth Some(0) finish_task_switch.isra.0()
            leaf 10785196000 [0] <idle>-0 depth Some(1) _raw_spin_unlock Some(1456)
            exit 10785199000 [0] <idle>-0 depth Some(0) Some("finish_task_switch.isra.0") Some(4424) 
            ! several_recordings x1 line 7
            leaf 384905506000 [1] ping-1556 depth Some(0) f Some(15986)
            ! several_recordings x1 line 8
            exit 384905522000 [1] ping-1556 depth Some(1) Some("g") Some(15986) 
            106439675571000 [2] ls-4734 0 Bprint bprint | f: fig: cpu=0
             gid=4
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

#[test]
fn a_graph_without_times_is_laid_out_from_its_durations() {
    check(
        "\
# tracer: function_graph
 ------------------------------------------
 0)    bash-167    =>  cyclict-209
 ------------------------------------------

 0)               |  f() {
 0)   1.500 us    |    g(); /* = 0x1 */
 0)               |    /* sched_waking: comm=x */
 0)   0.500 us    | why?   h();
 0)   5.000 us    |  } /* f = -22 */
",
        expect![[r#"
            switch Some(0) [0] 167 => 209
            facts Some("function_graph") Some(Ns) Some(Derived)
            enter 0 [0] depth None f()
            enter 0 [0] depth Some(1) g()
            exit 1500 [0] depth Some(1) Some("g") Some(1500) 0x1
            1500 [0] cyclict-209 0 Tracepoint sched_waking | comm=x
            leaf 1500 [0] depth Some(3) h Some(500)
            note at Some(1500): why?
            exit 5000 [0] depth Some(0) Some("f") Some(5000) -22
            facts Some("function_graph") Some(Ns) Some(Derived)
        "#]],
    );
}

#[test]
fn broken_lines_are_joined() {
    check(
        "\
      dd-820       0d.... 8104us : find_suitable_fallback
<-__rmqueue_pcplist
           <...>-8795    [001] dn...   613.749741: #1 inner/outer(us):
  41/41    ts:1702045267.016266287 count:9976
      irq/68-dwc3-725   [000]   514.575337: funcgraph_entry:      #
2079.480 us |  gether_disconnect();
 110)  <...>-11449   | # 1102.026 us |      } /*
ext4_convert_unwritten_extents [ext4] */
 0)               |  cppc_cpufreq_get_rate
[cppc_cpufreq]() {
 0)               |  cut
 0)               |  whole() {
",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            8104000 [0] dd-820 1 Function function | find_suitable_fallback <-__rmqueue_pcplist
            ! several_recordings x1 line 3
            613749741000 [1] -8795 3 Tracer hwlat | #1 inner/outer(us): 41/41    ts:1702045267.016266287 count:9976
            ! several_recordings x1 line 5
            leaf 514575337000 [0] irq/68-dwc3-725 depth Some(0) gether_disconnect Some(2079480)
            ! several_recordings x1 line 7
            exit 1102026 [110] -11449 depth Some(2) Some("ext4_convert_unwritten_extents [ext4]") Some(1102026) 
            ! several_recordings x1 line 9
            enter 0 [0] depth Some(0) cppc_cpufreq_get_rate [cppc_cpufreq]()
            ! unparsed_lines x1 line 11
            enter 0 [0] depth Some(0) whole()
            ! lines_joined x5 line 2
            ! odd_fields x2 line 1
            loss cpu None before None count None
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    check(
        "\
 a-1    [000] d..2.   1.000001: x: a=1
 a-1    [000] d..2.   9223372036.854775808: x: a=1
 a-1    [000] d..2.   1e308: x: a=1
 a-1    [99999999] d..2.   1.000001: x: a=1
lorem ipsum
 0)   nan us      |  nan();
 a-1    [000] d..2.   1.000002: x:",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            1000001000 [0] a-1 201 Tracepoint x | a=1
            ! timestamp_out_of_range x1 line 2
            loss cpu Some(0) before None count None
            ! bad_timestamp x1 line 3
            ! cpu_out_of_range x1 line 4
            ! unparsed_lines x1 line 5
            ! bad_duration x1 line 6
            ! truncated_last_line x1 line 7
            loss cpu Some(0) before None count None
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

#[test]
fn a_file_that_is_mostly_no_trace_fails() {
    check(
        "# tracer: nop\nlorem ipsum\n",
        expect![[r#"
            ! unparsed_lines x1 line 2
            facts Some("nop") None None
            failed: too_many_unparsed at line Some(2): 1 of 1 lines could not be read.
        "#]],
    );
    check(
        "# tracer: nop\n# entries-in-buffer/entries-written: 0/5   #P:4\n",
        expect![[r#"
            loss cpu None before None count Some(5)
            facts Some("nop") None None
            ! no_events x1 line 2
        "#]],
    );
}

#[test]
fn options_that_print_numbers_are_read_as_far_as_they_go() {
    check(
        "\
# tracer: nop
207 0 8309919745 type: 313
000000b2 00000001 00000019fb7f3a4d type: 5
0 1 24037911419 ffffffff83db3390 ffffffff83db45aa
",
        expect![[r#"
            ! raw_text x1 line 2
            facts Some("nop") Some(Ns) Some(Recorded)
            8309919745 [0] -207 0 Unknown unknown | type: 313
            111593601613 [1] -178 0 Unknown unknown | type: 5
            24037911419 [1] -0 0 Function function | ffffffff83db3390 <-ffffffff83db45aa
            facts Some("nop") Some(Ns) Some(Recorded)
        "#]],
    );
    check(
        "# tracer: nop\nsched_waking: comm=a pid=1\n",
        expect![[r#"
            ! no_time x1 line 2
            facts Some("nop") None None
        "#]],
    );
}

#[test]
fn a_graph_without_any_column_is_known_by_its_header() {
    check(
        "\
# tracer: function_graph
f() {
  g();
}
",
        expect![[r#"
            facts Some("function_graph") Some(Ns) Some(Derived)
            enter 0 [0] depth None f()
            leaf 0 [0] depth Some(1) g None
            exit 0 [0] depth Some(0) None None 
            facts Some("function_graph") Some(Ns) Some(Derived)
        "#]],
    );
}

#[test]
fn brackets_count_where_the_indentation_is_gone() {
    check(
        "\
 0)               |  f() {
 0)   1.000 us    |  g();
 0)   3.000 us    |  }
",
        expect![[r#"
            facts None Some(Ns) Some(Derived)
            enter 0 [0] depth None f()
            leaf 0 [0] depth None g Some(1000)
            exit 3000 [0] depth None None Some(3000) 
            facts None Some(Ns) Some(Derived)
        "#]],
    );
}

#[test]
fn markers_may_quote_trace_lines() {
    check(
        "           app-9    [000] d..2.   100.000001: tracing_mark_write:           <idle>-0       [000] d..2.   100.500000: sched_switch: x\n",
        expect![[r#"
            facts None Some(Ns) Some(Recorded)
            100000001000 [0] app-9 201 Print print |           <idle>-0       [000] d..2.   100.500000: sched_switch: x
            facts None Some(Ns) Some(Recorded)
        "#]],
    );
}

const PIECES: &[&str] = &[
    "          <idle>-0       [000] d..2.   166.727747: sched_switch: prev_comm=a\n",
    "  <idle>-0         0d.h1. 38746us : f <-g\n",
    "  1.0 |   0)   bash-1    |  d..2 | + 15.986 us   |  f();\n",
    " 0)               |  f() {\n",
    " 0)   1.0 us    |  } /* f */\n",
    " => f\n",
    "CPU:1 [LOST 5 EVENTS]\n",
    "# tracer: nop\n",
    "-",
    "|",
    "\n",
    ":",
    " [0",
    "us",
    "{",
    "(",
    "/*",
    "\0",
    "\u{feff}",
    "=3D",
    "> ",
];

proptest! {
    #[test]
    fn any_bytes_are_accounted_for(bytes in proptest::collection::vec(any::<u8>(), 0..3_000)) {
        let (log, _) = read(&bytes);
        prop_assert_eq!(log.accounted.0 + log.accounted.1, bytes.len() as u64);
    }

    #[test]
    fn any_mixture_of_pieces_is_accounted_for(pieces in proptest::collection::vec(0..PIECES.len(), 0..200)) {
        let text: String = pieces.iter().map(|at| PIECES[*at]).collect();
        let (log, _) = read(text.as_bytes());
        prop_assert_eq!(log.accounted.0 + log.accounted.1, text.len() as u64);
    }
}

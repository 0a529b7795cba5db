//! Traces from Android, and text that went through mail, pages and editors.

use expect_test::expect;

use super::{check, check_bytes};

#[test]
fn android() {
    check(
        "tracefs_text",
        "\
TRACE:
# tracer: nop
#
 ndroid.systemui-13580 (13580) [001] ...1 683201.354908: tracing_mark_write: B|13580|draw|frame: {1}
 ndroid.systemui-13580 (13580) [001] ...1 683201.354910: tracing_mark_write: E
com.google.android.youtube-23071 (23071) [002] d..5 214168.479892: sched_wakeup: comm=Binder:549_4 pid=2029 prio=120 success=1 target_cpu=000
            adbd-315   (-----) [002] 683201.400000: 0: C|124|VSYNC|1
            adbd-315   (  315) [002] ...1 683201.400001: tracing_mark_write: trace_event_clock_sync: parent_ts=683201.5
",
        expect![[r#"
            683201354908000 [1] ndroid.systemui-13580(13580) 100 Print print | B|13580|draw|frame: {1}
            683201354910000 [1] ndroid.systemui-13580(13580) 100 Print print | E
            ! out_of_order x1 line 6
            214168479892000 [2] com.google.android.youtube-23071(23071) 501 Tracepoint sched_wakeup | comm=Binder:549_4 pid=2029 prio=120 success=1 target_cpu=000
            ! several_recordings x1 line 7
            683201400000000 [2] adbd-315 0 Print print | C|124|VSYNC|1
            ! several_recordings x1 line 8
            683201400001000 [2] adbd-315(315) 100 Print print | trace_event_clock_sync: parent_ts=683201.5
        "#]],
    );
    check(
        "systrace_html",
        "\
<!DOCTYPE html>
<html><title>Android System Trace</title>
  <script class=\"trace-data\" type=\"application/text\">
# tracer: nop
            adbd-315   (  315) [002] ...1 683201.400001: sched_waking: comm=k pid=9
  </script>
</html>
",
        expect![[r#"
            683201400001000 [2] adbd-315(315) 100 Tracepoint sched_waking | comm=k pid=9
        "#]],
    );
    check(
        "systrace_html",
        "\
<html><script>
  var linuxPerfData = \"\\
# tracer: nop\\n\\
            adbd-315   [002] 683201.400001: 0: B|3|a \\\"b\\\"\\n\\
            adbd-315   [002] 683201.400002: 0: E\\n\";
</script></html>
",
        expect![[r#"
            683201400001000 [2] adbd-315 0 Print print | B|3|a "b"
            683201400002000 [2] adbd-315 0 Print print | E
        "#]],
    );
}

#[test]
fn the_viewer_of_systrace_is_told_its_clock_at_no_moment_of_the_trace() {
    check(
        "systrace_html",
        "\
<html><script>
  var linuxPerfData = \"\\
# tracer: nop\\n\\
      debugd-4404  [000] 0.000000: tracing_mark_write: trace_event_clock_sync: parent_ts=0.0\\n\\
            adbd-315   [002] 683201.400001: 0: B|3|a\\n\\
           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\\n\";
</script></html>
",
        expect![[r#"
            0 [0] debugd-4404 0 Print print | trace_event_clock_sync: parent_ts=0.0
            683201400001000 [2] adbd-315 0 Print print | B|3|a
        "#]],
    );
}

#[test]
fn text_as_people_pass_it_on() {
    check(
        "tracefs_text",
        "> > # tracer: nop\n> >           <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1 cpu_id=1 <=== sleeps here\n> >           <idle>-0       [001] d..2. 12.000002: cpu_idle: state=2   <- why?\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1 cpu_id=1
            note at Some(12000001000): sleeps here
            12000002000 [1] <idle>-0 201 Tracepoint cpu_idle | state=2
            note at Some(12000002000): why?
            ! quote_marks_removed x3 line 1
        "#]],
    );
    check(
        "tracefs_text",
        "@@ -1,2 +1,2 @@\n+          <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1\n-          <idle>-0       [001] d..2. 12.000002: cpu_idle: state=2\n+          <idle>-0       [001] d..2. 12.000003: cpu_idle: state=3\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
            12000002000 [1] <idle>-0 201 Tracepoint cpu_idle | state=2
            12000003000 [1] <idle>-0 201 Tracepoint cpu_idle | state=3
            ! quote_marks_removed x4 line 1
        "#]],
    );
    check(
        "tracefs_text",
        "\u{feff}# tracer: nop\r\n          <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1\r\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
        "#]],
    );
    check(
        "tracefs_text",
        "# tracer: nop\n\u{a0}         <idle>-0       [001]\u{a0}d..2. 12.000001: cpu_idle: state=1\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
            ! html_unescaped x1 line 2
        "#]],
    );
    check(
        "tracefs_text",
        "\
#  =3D> x
          <idle>-0       [001] d..2. 12.000001: sched_switch: pid=3D1 =
=3D=3D> next=3D2
",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint sched_switch | pid=1 ==> next=2
            ! quoted_printable_decoded x2 line 1
        "#]],
    );
    check(
        "tracefs_text",
        "          &lt;idle&gt;-0       [001] d..2. 12.000001: sched_switch: a ==&gt; b\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint sched_switch | a ==> b
            ! html_unescaped x1 line 1
        "#]],
    );
    check(
        "latency_text",
        "\
# rt\\_prio:0
  -0         1d.h. 0us#: hrtimer\\_interrupt <-f
",
        expect![[r#"
            0 [1] -0 5 Function function | hrtimer_interrupt <-f
            ! quote_marks_removed x2 line 1
        "#]],
    );
    check(
        "tracefs_text",
        "\
```
$ cat trace
          <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1
[...]
^C
```
",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
            ! elided_calls x1 line 4
            loss cpu Some(1) before None count None
        "#]],
    );
    check(
        "tracefs_text",
        "[  210.418122] Dumping ftrace buffer:\n[  210.418123] ---------------------------------\n[  210.418124]   <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1\n[  210.418125] ---------------------------------\n",
        expect![[r#"
            12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
            ! quote_marks_removed x4 line 1
        "#]],
    );
}

#[test]
fn what_a_person_left_out_is_a_gap_of_every_cpu() {
    let lines = "\
...
 <idle>-0 [000] d..2. 12.000001: cpu_idle: state=1
 <idle>-0 [001] d..2. 12.000002: cpu_idle: state=1
[...]
<snip>
 <idle>-0 [001] d..2. 12.000003: cpu_idle: state=2
[omitted for brevity]
";
    check(
        "tracefs_text",
        lines,
        expect![[r#"
            ! elided_calls x1 line 1
            12000001000 [0] <idle>-0 201 Tracepoint cpu_idle | state=1
            12000002000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
            ! elided_calls x1 line 4
            loss cpu Some(0) before None count None
            loss cpu Some(1) before None count None
            12000003000 [1] <idle>-0 201 Tracepoint cpu_idle | state=2
            ! elided_calls x1 line 7
            loss cpu Some(1) before None count None
        "#]],
    );
}

#[test]
fn several_traces_in_one_file() {
    check(
        "tracefs_text",
        "\
# tracer: irqsoff
# latency: 9 us, #1/1, CPU#1 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:2)
#  => started at: f
    bash-12      1d..2.    9us : f <-g
# tracer: nop
           bash-12      [000] d..2. 12.000001: a: x=1
           bash-12      [000] d..2. 12.000002: a: x=2
# tracer: function_graph
 0)   0.100 us    |  f();
",
        expect![[r#"
            9000 [1] bash-12 201 Function function | f <-g
            ! several_recordings x1 line 5
            12000001000 [0] bash-12 201 Tracepoint a | x=1
            12000002000 [0] bash-12 201 Tracepoint a | x=2
            ! several_recordings x1 line 8
            leaf 0 [0] depth None f Some(100)
        "#]],
    );
}

#[test]
fn two_bytes_a_character() {
    let text = "# tracer: nop\r\n          <idle>-0       [001] d..2. 12.000001: cpu_idle: state=1\r\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    check_bytes(
        "tracefs_text",
        &[b"\xff\xfe", little.as_slice()].concat(),
        expect![[r#"
        ! utf16_decoded x1 line 0
        12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
    "#]],
    );
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    check_bytes(
        "tracefs_text",
        &big,
        expect![[r#"
        ! utf16_decoded x1 line 0
        12000001000 [1] <idle>-0 201 Tracepoint cpu_idle | state=1
    "#]],
    );
}

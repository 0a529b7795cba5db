//! What is missing from a text is reported, however it was lost.

mod graph;

use expect_test::{Expect, expect};

use super::reader;
use super::test_log::Log;
use crate::model::Limits;

/// What is handed on of a text that can be read.
fn read(trace: &str) -> Log {
    let mut log = Log::default();
    reader::read(&mut trace.as_bytes(), &Limits::default(), &mut log).unwrap();
    assert_eq!(log.accounted.0 + log.accounted.1, trace.len() as u64);
    log
}

/// Everything that is read but the facts.
fn check(trace: &str, expected: Expect) {
    let log = read(trace);
    let lines: Vec<_> = log.text.lines().filter(|line| !line.starts_with("facts")).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

/// Codes and counts of what is reported, with their lines.
fn check_reports(trace: &str, expected: &str) {
    let log = read(trace);
    let reports: Vec<_> = log.text.lines().filter_map(|line| line.strip_prefix("! ")).collect();
    assert_eq!(reports.join(", "), expected, "{trace}");
}

/// A line of the default layout.
fn line(payload: &str) -> String {
    line_of(0, 1, payload)
}

/// The same on a CPU, at this many microseconds after a second.
fn line_of(cpu: u32, us: u32, payload: &str) -> String {
    format!("          sh-{}       [00{cpu}] .....     1.{us:06}: {payload}\n", cpu + 7)
}

/// This many of these lines, a microsecond apart.
fn lines(count: u32, payload: &str) -> String {
    (1..=count).map(|us| line_of(0, us, payload)).collect()
}

#[test]
fn one_record_of_a_cpu_past_those_of_the_header_is_doubtful() {
    let header = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/4   #P:2\n#\n";
    let of = |cpu: u32, us: u32| line_of(cpu, us, "x: a=1");
    check_reports(
        &format!("{header}{}{}{}{}", of(0, 1), of(1, 2), of(7, 3), of(1, 4)),
        "doubtful_text x1 line 7",
    );
    check_reports(&format!("{header}{}{}{}{}", of(0, 1), of(7, 2), of(7, 3), of(1, 4)), "");
}

#[test]
fn a_line_without_its_end_is_no_event() {
    check(
        "\
          rt-9       [000] d..2.     1.000001: sched_switch: prev_comm=rt prev_prio=1 ==> next_comm=sh next_prio=120
          sh-7       [001] d..2.     1.000002: sched_switch: prev_comm=sh prev_prio=120 ==> next_comm=rt next_prio=1",
        expect![[r#"
            1000001000 [0] rt-9 201 Tracepoint sched_switch | prev_comm=rt prev_prio=1 ==> next_comm=sh next_prio=120
            ! truncated_last_line x1 line 2
            loss cpu Some(0) before None count None
        "#]],
    );
}

#[test]
fn a_page_that_ends_within_its_trace_is_cut() {
    check_reports(
        "\
<!DOCTYPE html>
<script class=\"trace-data\" type=\"application/text\">
# tracer: nop
           <idle>-0     [000] d..2     1.000001: x: a=1
",
        "truncated_last_line x1 line 4",
    );
}

/// A header that announces three entries, and this many lines.
fn announced(count: usize) -> String {
    let lines = [1, 2, 3, 4].map(|n| line_of((n - 1) % 2, n, &format!("x: a={n}")));
    let header = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 3/3   #P:2\n#\n";
    header.to_owned() + &lines[..count].concat()
}

#[test]
fn fewer_entries_than_announced_are_a_loss_at_the_end() {
    check(
        &announced(2),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            ! header_mismatch x1 line 6
            loss cpu Some(0) before None count None
            loss cpu Some(1) before None count None
            loss cpu None before None count Some(1)
        "#]],
    );
    check_reports(&announced(3), "");
    check_reports(&announced(4), "header_mismatch x1 line 8");
}

#[test]
fn an_unreadable_line_is_the_entry_that_is_missing() {
    check_reports(&(announced(2) + "lorem ipsum\n"), "unparsed_lines x1 line 7");
}

#[test]
fn each_header_counts_for_the_lines_below_it() {
    check(
        &(announced(2) + &announced(3)),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            ! several_recordings x1 line 7
            ! header_mismatch x1 line 7
            loss cpu Some(0) before None count None
            loss cpu Some(1) before None count None
            loss cpu None before None count Some(1)
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            1000003000 [0] sh-7 0 Tracepoint x | a=3
        "#]],
    );
}

#[test]
fn the_file_of_one_cpu_announces_the_entries_of_all() {
    let of_one = |announced: u32, count: u32| {
        format!("# entries-in-buffer/entries-written: {announced}/{announced}   #P:4\n")
            + &lines(count, "x: a=1")
    };
    // That many of so few may well be all of one CPU's. Of more, nobody knows; but it is no loss of this CPU.
    check_reports(&of_one(8, 2), "one_cpu_only x6 line 3");
    check_reports(&of_one(8, 1), "header_mismatch x7 line 2");
    check_reports(&of_one(80, 20), "header_mismatch x60 line 21");
    let log = read(&of_one(80, 20));
    assert!(!log.text.contains("loss"), "{}", log.text);
}

#[test]
fn two_lines_in_one_are_reported() {
    let line = "              sh-7       [000] .....     1.000001: x: a=1";
    let graph = " 0)   0.153 us    |  f();";
    let exit = " 0)   9.153 us    |  } /* g */";
    for two in [
        format!("{line}{}\n", line.replace("a=", "b=")),
        format!("CPU:1 [LOST 5 EVENTS]{line}\n"),
        format!("          sh-7       [000] .....     1.000001: tracing_mark_write: text{line}\n"),
        format!(" 0)               |  g() {{{graph}\n"),
        format!("{graph}{graph}\n"),
        format!(" 0)   0.153 us    |  ttwu_que{graph}\n"),
        format!("{exit}{graph}\n"),
        format!("{exit}{exit}\n"),
        "   0.153 us    |  f();   0.153 us    |  f();\n".to_owned(),
        "# tracer: function_graph\nf();  g();\n".to_owned(),
        "# tracer: function_graph\nf() {  g();\n".to_owned(),
    ] {
        let number = two.lines().count();
        check_reports(&two, &format!("second_record x1 line {number}"));
    }
}

#[test]
fn what_a_program_wrote_may_look_like_a_record() {
    let line = "              sh-7       [000] .....     1.000001: x: a=1";
    check_reports(&self::line(&format!("tracing_mark_write: {line}")), "");
    // As many entries as announced: nothing is missing, but this text may have been overwritten.
    let quoting = self::line(&format!("tracing_mark_write: a {line}"));
    let header = "# entries-in-buffer/entries-written: 1/1   #P:2\n";
    check_reports(&(header.to_owned() + &quoting), "doubtful_text x1 line 2");
    check_reports(&quoting, "second_record x1 line 1");
}

#[test]
fn a_text_as_long_as_announced_may_be_damaged_all_the_same() {
    let lines: String = (1..9).map(|n| line_of(0, n, &format!("x: a={n} b=1"))).collect();
    let header = "# entries-in-buffer/entries-written: 9/9   #P:2\n";
    let whole = |last: &str| format!("{header}{lines}{}", line_of(0, 9, last));
    check_reports(&whole("x: a=9 b=1"), "");
    check_reports(&whole("x: a=9 b=1 [001] .....     1.000001: x: a=1"), "doubtful_text x1 line 10");
    check_reports(&whole("x: a=9 a=1"), "doubtful_text x1 line 10");
    check_reports(&whole("x: a=9 b=1# tracer: nop"), "doubtful_text x1 line 10");
}

#[test]
fn a_record_behind_a_comment_mark_is_reported() {
    let record = line("x: a=1");
    let later = line_of(0, 2, "x: a=1");
    check_reports(&format!("{record}#{later}{record}"), "");
    check_reports(&format!("{record}# [000] .....     1.000001: x: a=1\n"), "stray_comment x1 line 2");
    check_reports("# 0)   0.153 us    |  f();\n 0)   0.153 us    |  f();\n", "stray_comment x1 line 1");
    check_reports(
        &format!("# tracer: nop\n#\n# entries-in-bXffer/entries-written: 3/3   #P:2\n#\n{record}"),
        "stray_comment x1 line 3",
    );
}

#[test]
fn frames_belong_to_a_stack() {
    let record = line("x: a=1");
    check_reports(&format!("{record} => f\n"), "stray_stack x1 line 2");
    let stack = line("<stack trace>") + " => f\n";
    check_reports(&stack, "");
    check_reports(&format!("{stack} => 0001: sched_switch: a=1\n"), "stray_stack x1 line 3");
}

#[test]
fn a_damaged_record_is_no_text_of_the_print_before_it() {
    let print = line("tracing_mark_write: two lines of text");
    check_reports(&format!("{print}second line\n"), "");
    for damaged in ["  sh-7 [0x1] .....     1.000001: x: a=1", "sh [001] .....  x: a=1"] {
        check_reports(&format!("{print}{damaged}\n"), "lines_joined x1 line 2");
    }
}

#[test]
fn a_record_of_blanks_is_reported() {
    let record = line("x: a=1");
    check_reports(&format!("{record}{}\n", " ".repeat(60)), "doubtful_text x1 line 2");
    check_reports(&format!("{record}  \n\n"), "");
    let beginning = format!("{:80}-0       [001] d..2.     1.000002: x: a=1\n", "");
    check_reports(&format!("{record}{beginning}"), "second_record x1 line 2");
    let call = format!(" 0)   1.456 us    |  f(); /* sched{:60}_event */\n", "");
    check_reports(&call, "second_record x1 line 1");
}

#[test]
fn a_hole_in_a_record_is_reported() {
    for filling in ["#", ".", "\u{7f}", " "] {
        let hole = filling.repeat(60);
        check_reports(&line(&format!("x: a={hole}=1")), "second_record x1 line 1");
    }
}

#[test]
fn a_record_with_other_fields_than_its_event_is_reported() {
    let usual = lines(6, "x: a=1 b=2 c=3");
    check_reports(&(usual.clone() + &lines(1, "x: a=1 b=2 z=3")), "odd_fields x1 line 7");
    check_reports(&(usual + &lines(2, "x: a=1 b=2 z=3")), "");
    check_reports(&line("y: a=1 name=ay: a=1 b=2"), "odd_fields x1 line 1");
}

#[test]
fn what_lies_across_a_damaged_record_is_lost() {
    let records = line("x: a=1") + &line_of(1, 2, "x: a=2");
    let damaged = "          sh-7       [000] .....     1.0x0002: x: a=2\n";
    check(
        &(records.clone() + damaged + damaged + &records),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            ! bad_timestamp x1 line 3
            loss cpu Some(0) before None count None
            ! bad_timestamp x1 line 4
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
        "#]],
    );
    let without_cpu = "          sh-7       [0=0] .....     1.000002: x: a=2\n";
    check(
        &(records.clone() + without_cpu),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            ! unparsed_lines x1 line 3
            loss cpu Some(0) before None count None
            loss cpu Some(1) before None count None
        "#]],
    );
    check(
        &(records + "[   12.345678] usb 1-1: a line of another log\n"),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint x | a=1
            1000002000 [1] sh-8 0 Tracepoint x | a=2
            ! unparsed_lines x1 line 3
        "#]],
    );
}

#[test]
fn frames_behind_a_damaged_record_are_not_of_the_record_before_it() {
    let stack = line("<stack trace>") + " => f\n";
    let damaged = "          sh-7       [000] .....     1.0x0002: <stack trace>\n => g\n";
    check(
        &(stack + damaged),
        expect![[r#"
            1000001000 [0] sh-7 0 Tracepoint kernel_stack | <stack trace>
            ! bad_timestamp x1 line 3
            stack Some(1000001000) Kernel ["f"]
            loss cpu Some(0) before None count None
            stack Some(1000001000) Kernel ["g"]
            ! stray_stack x1 line 4
            loss cpu None before None count None
        "#]],
    );
}

#[test]
fn a_gap_in_the_numbers_of_samples_is_lost_samples() {
    let sample = |number: u32| line(&format!("#{number:<5} context    irq timer_latency     49247 ns"));
    let of_thread = sample(7).replace("    irq", " thread");
    check_reports(&(sample(7) + &of_thread + &sample(8)), "");
    check_reports(&(sample(7) + &sample(10)), "missing_samples x2 line 2");
    check_reports(&(sample(7) + "CPU:0 [LOST 9 EVENTS]\n" + &sample(10)), "");
    check_reports(&(sample(7) + "[...]\n" + &sample(10)), "elided_calls x1 line 2");
}

#[test]
fn the_beginning_of_one_line_and_the_end_of_another_are_reported() {
    let noise = lines(6, "irq_noise: local_timer:236 start 1263.775719917 duration 5958 ns");
    let others = lines(3, "sched_stat_runtime: comm=a pid=4 runtime=9 [ns]")
        + &lines(3, "sched_waking: comm=a pid=4 prio=120 target_cpu=001")
        + &lines(3, "irq_handler_entry: irq=3 name=a")
        + &lines(3, "softirq_lock_entry: vec=3 [action=A]")
        + &line("local_timer_exit: vector=236");
    let texts = noise + &others;
    let number = texts.lines().count() + 1;
    check_reports(&texts, "");
    for odd in [
        "irq_noise: local_timer:236 start 1263.775719917 duration 595ocal_timer:236 start 1263.7 duration 6 ns",
        "irq_noise: local_timer:236 095: irq_noise: local_timer:236 start 1263.7 duration 6 ns",
        "timer_expire_entry: timer=0000000045daf01b now=429492cal_timer_exit: vector=236",
        "sched_wak581: comm=a pid=4 runtime=91416 [ns]",
        "irq_handlock_entry: vec=3 [action=A]",
        "#50     ns",
        "kernel_stack:          size=2 caller=ARRAY[ee, 25, d1, 8",
        "kernel_stack:  YSCALL_64_after_hwframe (ffffffff84a0012f)",
        "sys_dup2 -> 0x1 sys_close(fd: a)",
    ] {
        let log = read(&(texts.clone() + &line(odd)));
        assert!(log.text.contains(&format!("! odd_fields x1 line {number}")), "{odd}: {}", log.text);
    }
    let glued = "hrtimer_wakeup <-hrtimer try_to_wake_up <-hrtimer_wakeup";
    let log = read(&(texts.clone() + &line(glued)));
    assert!(log.text.contains(&format!("! second_record x1 line {number}")), "{}", log.text);
    check_reports(&(texts + &line("irq_work_exit: vector=236")), "");
}

#[test]
fn lines_left_out_before_the_first_record_are_reported() {
    check_reports(&("...\n".to_owned() + &line("x: a=1")), "elided_calls x1 line 1");
}

#[test]
fn capital_letters_in_an_address_are_doubted() {
    let header = "# tracer: function\n0 1 24044889551 ffffffff83db44b4 ffffffff83c8b555\n";
    let text = header.to_owned() + "0 1 24044889552 FFFFFFFF83DB44B4 FFFFFFFF83C8B555\n";
    check_reports(&text, "raw_text x1 line 2, doubtful_text x1 line 3");
}

#[test]
fn half_a_header_with_half_a_record_is_reported() {
    for half in [
        "#              | |         |   |||||      |           |     8 ns\n",
        "#              hread_noise:     head:605 start 117.095384089 duration 16184230 ns\n",
        "# -----------------------t <-_raw_spin_lock_irq\n",
        "# entries-in-bufg: comm=rt-task pid=200 prio=49 target_cpu=000\n",
        "# ecpu=000\n",
    ] {
        check_reports(&format!("# tracer: nop\n{half}{}", line("x: a=1")), "stray_comment x1 line 2");
    }
    let hidden = "#[000]    86.017900: local_timer_entry:     vector=236\n";
    check_reports(&format!("{hidden}{}", line("x: a=1")), "stray_comment x1 line 1");
}

#[test]
fn the_start_of_a_binary_record_without_its_end_is_skipped() {
    let mut log = Log::default();
    let text = b"# tracer: nop\n\x01\0\0\0\n";
    let _result = reader::read(&mut text.as_slice(), &Limits::default(), &mut log);
    assert!(log.text.contains("! unparsed_lines x1 line 2"), "{}", log.text);
    assert_eq!(log.accounted, (14, 5));
}

use super::super::reader;
use super::super::test_log::Log;
use crate::model::Limits;

fn is_reported(text: &str, code: &str) -> bool {
    let mut log = Log::default();
    reader::read(&mut text.as_bytes(), &Limits::default(), &mut log).unwrap();
    log.text.contains(&format!("! {code}"))
}

#[test]
fn a_line_of_a_graph_is_torn_where_no_kernel_prints_it() {
    let graph = |last: &str| {
        format!(
            "# tracer: function_graph\n 0)               |  a() {{\n 0)   1.522 us    |    b();\n{last}\n 0)   9.522 us    |  }}\n"
        )
    };
    for whole in [
        " 0)   1.522 us    |    c();",
        " 0)   1.522 us    |    c(x=1, y=0x2);",
        " 0)               |    /* a comment */",
        " 0)     c();",
    ] {
        assert!(!is_reported(&graph(whole), "second_record"), "{whole}");
    }
    for torn in [
        " 0) /* c */",
        " 0)               |    c( {",
        " 0)               |    c();",
        " 0)   1.522 us    |    c(                  d();",
        " 0)   1.522 us    |    /* a comment */",
        " 0)   1.522 us    |    } /* */",
    ] {
        assert!(is_reported(&graph(torn), "second_record"), "{torn}");
    }
}

#[test]
fn the_rules_of_a_banner_have_one_length() {
    let graph = |dashes: usize| {
        let (call, rule) = (" 0)   1.456 us    |  f();\n", "-".repeat(dashes));
        format!("{call} {rule}\n 0)     sh-7     =>     rt-9\n {rule}\n\n{call}")
    };
    assert!(!is_reported(&graph(42), "doubtful_text"));
    assert!(is_reported(&graph(34), "doubtful_text"));
}

#[test]
fn a_part_of_two_lines_leaves_a_name_or_a_comment_that_nothing_prints() {
    let task = |name: &str| format!("  114.890465 |   0)    {name}-0    |   1.562 us    |  f();\n");
    assert!(!is_reported(&task("<idle>"), "doubtful_text"));
    assert!(is_reported(&task("<idle>-dle>"), "doubtful_text"));
    let comment = "# nop latency trace v1.1.5 on 6.12-am237] 22.070ms (+1.027ms): tracing_mark_write: a\n";
    assert!(is_reported(comment, "stray_comment"));
    assert!(is_reported("#errupt\n", "stray_comment"));
}

#[test]
fn a_header_begins_with_its_tracer() {
    let legend = "#           TASK-PID   CPU#  ||||    TIMESTAMP  FUNCTION\n";
    assert!(!is_reported(&format!("# tracer: nop\n#\n{legend}"), "stray_comment"));
    assert!(is_reported(&format!("#\n{legend}"), "stray_comment"));
    assert!(is_reported("# wakeup latency trace v1.1.5 on 6.12.95\n", "stray_comment"));
}

#[test]
fn a_step_far_beyond_all_others_is_that_to_another_recording() {
    let line = |seconds: u32, us: u32| {
        format!("            bash-175     [001] d..2.   {seconds}.00000{us}: x: a=1\n")
    };
    let near: String = (1..=4).map(|us| line(17, us)).collect();
    assert!(!is_reported(&format!("{near}{}", line(20, 5)), "several_recordings"));
    assert!(is_reported(&format!("{near}{}", line(40, 5)), "several_recordings"));
}

#[test]
fn a_tracer_of_samples_writes_no_functions() {
    let text = |tracer: &str| {
        format!("# tracer: {tracer}\n            bash-175     [001] d..2.     1.000001: f <-g\n")
    };
    assert!(!is_reported(&text("function"), "doubtful_text"));
    assert!(is_reported(&text("timerlat"), "doubtful_text"));
}

#[test]
fn one_name_of_an_event_that_is_almost_that_of_others_is_misspelt() {
    let line = |us: u32, name: &str| {
        format!("            bash-175     [001] d..2.     1.00000{us}: {name}: timer=1\n")
    };
    let others: String = (1..=4).map(|us| line(us, "timer_cancel")).collect();
    for misspelt in ["timer_cance", "timer_cancle", "timer_cancez", "TIMER_cancel", "bprintprint"] {
        assert!(is_reported(&format!("{others}{}", line(5, misspelt)), "odd_fields"), "{misspelt}");
    }
    for other in ["timer_init", "timer_cancel", "timer_cancel2"] {
        assert!(!is_reported(&format!("{others}{}", line(5, other)), "odd_fields"), "{other}");
    }
}

#[test]
fn one_bar_before_a_call_is_not_drawn_by_a_person() {
    let bar = " 0)               |   |    f() {\n";
    let whole = " 0)               |  g() {\n";
    assert!(is_reported(&format!("{bar}{whole}"), "doubtful_text"));
    assert!(!is_reported(&format!("{whole}{bar}{bar}"), "doubtful_text"));
}

#[test]
fn the_file_of_one_cpu_may_have_lost_entries() {
    let text = |count: usize| {
        let lines: String = (0..count)
            .map(|us| format!("            bash-175     [001] d..2.     1.00000{us}: x: a=1\n"))
            .collect();
        format!("# tracer: nop\n#\n# entries-in-buffer/entries-written: 8/8   #P:4\n#\n{lines}")
    };
    assert!(!is_reported(&text(8), "one_cpu_only"));
    assert!(is_reported(&text(7), "one_cpu_only"));
    assert!(is_reported(&text(1), "header_mismatch"));
}

#[test]
fn a_shell_prompt_holds_no_record() {
    assert!(!is_reported("# cat /tmp/trace\n", "stray_comment"));
    assert!(is_reported("# cat /tmp/trace_unlock <-rb_simple_write\n", "stray_comment"));
    assert!(is_reported("# mer_interrupt\n", "stray_comment"));
}

#[test]
fn an_event_without_text_beside_one_with_it_has_lost_its_own() {
    let line =
        |us: u32, args: &str| format!("            bash-175     [001] d..2.     1.00000{us}: x_cb: {args}\n");
    assert!(is_reported(&[line(1, "8 overruns"), line(2, "")].concat(), "odd_fields"));
    assert!(!is_reported(&[line(1, ""), line(2, "")].concat(), "odd_fields"));
}

#[test]
fn a_constant_of_which_others_have_more_is_cut() {
    let line = |us: u32, name: &str, args: &str| {
        format!("            bash-175     [001] d..2.     1.00000{us}: {name}: {args}\n")
    };
    let whole = line(1, "pm_qos_update_request", "CPU_DMA_LATENCY value=0");
    for (args, is_cut) in
        [("CPU_DMA_LA prev_value=2", true), ("CPU_DMA_LATENCY value=1", false), ("NETWORK value=1", false)]
    {
        assert_eq!(
            is_reported(&format!("{whole}{}", line(2, "pm_qos_add_request", args)), "odd_fields"),
            is_cut,
            "{args}"
        );
    }
}

#[test]
fn the_beginning_of_a_name_and_nothing_of_its_event_is_a_piece() {
    let line =
        |us: u32, payload: &str| format!("            bash-175     [001] d..2.     1.00000{us}: {payload}\n");
    let others: String =
        (1..=4).map(|us| line(us, "cpuhp_exit: cpu: 0004  state: 145 step: 145 ret: 0")).collect();
    for (piece, is_odd) in [("cp: 0", true), ("cpp: 145 ret: 0", true), ("dev: 0", false)] {
        assert_eq!(is_reported(&format!("{others}{}", line(5, piece)), "odd_fields"), is_odd, "{piece}");
    }
}

#[test]
fn a_marker_of_atrace_is_one_line() {
    let marker = |text: &str| {
        format!("            bash-175     [001] d..2.     1.000001: tracing_mark_write: {text}\n")
    };
    assert!(!is_reported(&marker("two\nlines"), "lines_joined"));
    assert!(is_reported(&[marker("C|124|VSYNC|1\nusBar|1"), marker("a\nb")].concat(), "lines_joined"));
    assert!(!is_reported(&marker("C|124|VSYNC|1"), "doubtful_text"));
    assert!(is_reported(&marker("C|124|Stat C|124|VSYNC|0"), "doubtful_text"));
}

#[test]
fn words_of_other_events_are_the_end_of_their_line() {
    let line =
        |us: u32, payload: &str| format!("            bash-175     [001] d..2.     1.00000{us}: {payload}\n");
    let others = [
        line(1, "rcu_utilization: Start context switch"),
        line(2, "tlb_flush: pages:-1 reason:flush on task switch (0)"),
    ]
    .concat();
    for (piece, is_odd) in
        [("End cons:-1 reason:flush on task switch (0)", true), ("End grace period", false)]
    {
        let text = format!("{others}{}", line(5, &format!("rcu_utilization: {piece}")));
        assert_eq!(is_reported(&text, "odd_fields"), is_odd, "{piece}");
    }
}

#[test]
fn who_leaves_out_a_call_keeps_its_columns() {
    let graph = |elided: &str| format!("{}{elided}\n", " 0)   1.522 us    |    f();\n".repeat(4));
    assert!(!is_reported(&graph(" 0)   8.986 us    |      ..."), "doubtful_text"));
    assert!(is_reported(&graph(" 0)   8.986 us        |      ..."), "doubtful_text"));
}

#[test]
fn a_parent_is_a_symbol_or_an_address() {
    let line = |parent: &str| format!("          sh-7       [000] .....     1.000001: f <-{parent}\n");
    for whole in ["g", "g [mod]", "g+0x1/0x2", "<ffffffff8102f3c4>"] {
        assert!(!is_reported(&line(whole), "second_record"), "{whole}");
    }
    for torn in ["__rmqueue_pace>", "g>[mod]"] {
        assert!(is_reported(&line(torn), "second_record"), "{torn}");
    }
}

#[test]
fn one_line_without_fields_among_whole_ones_was_torn_and_not_shortened() {
    let line = |event: &str| format!("          sh-7       [000] .....     1.000001: {event}\n");
    let whole = line("sched_waking: comm=rt pid=9 prio=19 target_cpu=000").repeat(20);
    let exec = |args: &str| line(&format!("sched_prepare_exec: {args}"));
    let (torn, short) = (exec("interp=/ue7b9d36a00"), line("sched_process_fork: comm=sh"));
    assert!(is_reported(&format!("{whole}{torn}"), "odd_fields"));
    assert!(is_reported(&format!("{torn}{whole}"), "odd_fields"));
    for as_it_was in [
        format!("{whole}{}", exec("interp=/bin/a filename=/bin/a pid=7 comm=sh")),
        // A person has shortened more than one, or there is little to go by.
        format!("{whole}{torn}{short}"),
        format!("{whole}{torn}{torn}"),
        format!("{}{torn}", line("sched_waking: comm=rt pid=9 prio=19 target_cpu=000").repeat(5)),
    ] {
        assert!(!is_reported(&as_it_was, "odd_fields"), "{as_it_was}");
    }
}

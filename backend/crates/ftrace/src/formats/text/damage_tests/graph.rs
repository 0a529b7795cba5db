//! What is missing from a function graph.

use super::check_reports;

#[test]
fn a_leaf_of_a_graph_is_two_entries() {
    let graph = |count: u32| {
        format!(
            "\
# tracer: irqsoff
# latency: 9 us, #{count}/{count}, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
        0 us |   0)   bash-1507    |  d..1. |   0.378 us    |  f();
        1 us |   0)   bash-1507    |  d..1. |               |  g() {{
        2 us |   0)   bash-1507    |  d..1. |               |    /* x: a=1 */
        3 us |   0)   bash-1507    |  d..1. |   2.378 us    |  }}
        3 us |   0)   ==========> |
"
        )
    };
    check_reports(&graph(5), "");
    check_reports(&graph(6), "header_mismatch x1 line 7");
}

#[test]
fn a_line_of_a_graph_has_one_call_and_its_own_duration() {
    for odd in [
        " 0)   0.153 us    |  f() {\n",
        " 0)               |  f();\n",
        " 0)   9.153 us    |  } /* a     |   7.432 us    |      } /* b */\n",
        " 0)   9.153 us    |  } /b */\n",
        "    1.000001 |   0)  sh-7  |   9.153 us    |  up   f();\n",
        "    1.00000|   0)  sh-7  |   9.153 us    |  f();\n",
        "    1.0000 |   0)  sh-7  |   9.153 us    |  f();\n",
        " 0)   9.153 us    |  } (Overruns: 0)\n",
        " 0)   9.153 us    |  } /*  */\n",
        " 0)               |  f(){\n",
    ] {
        check_reports(odd, "second_record x1 line 1");
    }
    let report = "          sh-7       [000]     1.000001: funcgraph_entry:        1.476 us   |  up   f();\n";
    check_reports(report, "second_record x1 line 1");
}

#[test]
fn a_bar_between_two_words_of_an_event_is_no_column() {
    let line = |event: &str| format!("    1.000001 |   0)  sh-7      |               |  /* {event} */\n");
    for event in ["hrtimer_start: hrtimer=00ff mode=ABS|PINNED|HARD was_armed=0", "x: flags=A|B"] {
        check_reports(&line(event), "");
    }
    check_reports(&line("x: a=1   |f();"), "second_record x1 line 1");
}

#[test]
fn a_call_with_the_indentation_of_another_line_is_reported() {
    let open = " 0)               |  f() {\n 0)               |    g() {\n";
    let (shallow, deep) = (" 0)   1.000 us    |  h();\n", " 0)   1.000 us    |      i();\n");
    check_reports(&[open, shallow, deep].concat(), "second_record x1 line 4");
    check_reports(&[open, shallow, "  0)  sh-7    =>   rt-9  \n", deep].concat(), "");
    check_reports(&[open, deep, shallow].concat(), "");
    let without_cpu = |line: &str| line.replace(" 0) ", "    ");
    check_reports(&[open, shallow, deep].map(without_cpu).concat(), "");
}

/// A graph with its lines' times and tasks, of which `change` makes another text.
fn check_changed(change: impl Fn(&str) -> String, expected: &str) {
    const WHOLE: &str = concat!(
        "     1.000001 |   0)    <idle>-0    |               |  f() {\n",
        "     1.000002 |   0)    <idle>-0    |               |    g() {\n",
        "     1.000003 |   0)    <idle>-0    |               |      h() {\n",
        "     1.000004 |   0)    <idle>-0    |   1.472 us    |        i();\n",
        "     1.000006 |   0)    <idle>-0    | ! 103.476 us  |      } /* h */\n",
        "     1.000110 |   0)    <idle>-0    | ! 104.000 us  |    } /* g */\n",
        "     1.000111 |   0)    <idle>-0    |   1.500 us    |    j();\n",
        "     1.000113 |   0)    <idle>-0    | ! 110.000 us  |  } /* f */\n",
    );
    check_reports(WHOLE, "");
    check_reports(&change(WHOLE), expected);
}

#[test]
fn a_line_that_goes_on_as_a_later_one_is_none_that_a_kernel_prints() {
    let torn = |from: &'static str, to: &'static str| {
        move |whole: &str| {
            assert!(whole.contains(from), "{from}");
            whole.replace(from, to)
        }
    };
    // The duration has lost digits, the task its blanks, and a comment goes on behind its end.
    check_changed(torn("103.476 us  ", "103.4 us    "), "second_record x1 line 5");
    check_changed(torn("<idle>-0    |   1.472", "<idle>-0|   1.472"), "second_record x1 line 4");
    check_changed(torn("} /* h */", "} /* h */ogram_event */"), "second_record x1 line 5");
    check_changed(torn("<idle>-0    |   1.472", "<idle--1    |   1.472"), "doubtful_text x1 line 4");
}

#[test]
fn two_lines_without_times_that_were_exchanged_are_seen_by_their_depth() {
    const LINES: [&str; 8] = [
        " 0)               |  f() {\n",
        " 0)               |    g() {\n",
        " 0)               |      h() {\n",
        " 0)   1.472 us    |        i();\n",
        " 0)   3.476 us    |      }\n",
        " 0)   5.000 us    |    }\n",
        " 0)   1.500 us    |    j();\n",
        " 0) + 10.000 us   |  }\n",
    ];
    check_reports(&LINES.concat(), "");
    // A call among deeper lines, and one among others that are less deep.
    let mut lines = LINES;
    lines.swap(3, 6);
    check_reports(&lines.concat(), "second_record x1 line 8");
}

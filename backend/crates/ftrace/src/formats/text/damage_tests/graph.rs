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
fn a_call_with_the_indentation_of_another_line_is_reported() {
    let open = " 0)               |  f() {\n 0)               |    g() {\n";
    let (shallow, deep) = (" 0)   1.000 us    |  h();\n", " 0)   1.000 us    |      i();\n");
    check_reports(&[open, shallow, deep].concat(), "second_record x1 line 4");
    check_reports(&[open, shallow, "  0)  sh-7    =>   rt-9  \n", deep].concat(), "");
    check_reports(&[open, deep, shallow].concat(), "");
    let without_cpu = |line: &str| line.replace(" 0) ", "    ");
    check_reports(&[open, shallow, deep].map(without_cpu).concat(), "");
}

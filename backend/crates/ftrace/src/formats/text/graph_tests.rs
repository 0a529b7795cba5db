use expect_test::{Expect, expect};

use super::graph::{self, Graph};
use super::graph_call::GraphCall;

fn check(line: &str, expected: Expect) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let seen = match graph::parse(line.as_bytes()) {
        Graph::No => "no".to_owned(),
        Graph::BadDuration => "bad duration".to_owned(),
        Graph::Unfinished => "unfinished".to_owned(),
        Graph::Line(line) => {
            let call = match line.call {
                GraphCall::Enter { symbol, args } => format!("enter {} ({})", text(symbol), text(args)),
                GraphCall::Leaf { symbol, args, retval } => {
                    format!("leaf {} ({}) ret {:?}", text(symbol), text(args), text(retval))
                }
                GraphCall::Exit { symbol, retval } => {
                    format!("exit {:?} ret {:?}", symbol.map(text), text(retval))
                }
                GraphCall::Irq { enter } => format!("irq {enter}"),
                GraphCall::Comment(comment) => format!("comment {}", text(comment)),
                GraphCall::Elided => "elided".to_owned(),
                GraphCall::Unfinished | GraphCall::Nothing => "nothing".to_owned(),
            };
            let time = line.time.map_or("-".to_owned(), |time| time.0.to_string());
            let cpu = line.cpu.map_or("-".to_owned(), |cpu| cpu.to_string());
            let task = line
                .task
                .map_or("-".to_owned(), |task| format!("{}-{:?}", text(task.comm), task.pid.unwrap()));
            let duration = line.duration_ns.map_or("-".to_owned(), |duration| duration.to_string());
            let depth = line.depth.map_or("-".to_owned(), |depth| depth.to_string());
            format!(
                "time {time} cpu {cpu} task {task} flags {:x} ns {duration} depth {depth} {call}",
                line.flags.0 & 0xfff
            )
        }
    };
    expected.assert_eq(&seen);
}

#[test]
fn every_column_may_be_on_or_off() {
    check(
        "  384.905506 |   1)   ping-1556    |  d..2 | + 15.986 us   |  finish_task_switch();",
        expect![
            r#"time 384905506000 cpu 1 task ping-1556 flags 201 ns 15986 depth 0 leaf finish_task_switch () ret """#
        ],
    );
    check(
        "        6 us |   0)    bash-52     |  dNs5. |   1.572 us    |        __mod_zone_page_state();",
        expect![
            r#"time 6000 cpu 0 task bash-52 flags 58b ns 1572 depth 3 leaf __mod_zone_page_state () ret """#
        ],
    );
    check(
        " 0)               |    hrtimer_interrupt() {",
        expect!["time - cpu 0 task - flags 0 ns - depth 1 enter hrtimer_interrupt ()"],
    );
    check(
        "  1.476 us    |      _raw_spin_lock_irqsave();",
        expect![r#"time - cpu - task - flags 0 ns 1476 depth 2 leaf _raw_spin_lock_irqsave () ret """#],
    );
    check("              |  f() {", expect!["time - cpu - task - flags 0 ns - depth 0 enter f ()"]);
    check(
        "   18.717874 |   0)     _raw_spin_lock_irqsave();",
        expect![
            r#"time 18717874000 cpu 0 task - flags 0 ns - depth 2 leaf _raw_spin_lock_irqsave () ret """#
        ],
    );
    check(
        "   22.3 |   0)    <idle>-0    |               |  }",
        expect![r#"time 22300000000 cpu 0 task <idle>-0 flags 0 ns - depth 0 exit None ret """#],
    );
}

#[test]
fn durations_lose_digits_as_they_grow() {
    check(
        " 3) $ 91607669 us |    } /* btrfs_read_block_groups [btrfs] */",
        expect![
            r#"time - cpu 3 task - flags 0 ns 91607669000 depth 1 exit Some("btrfs_read_block_groups [btrfs]") ret """#
        ],
    );
    check(
        " 3) * 26109.92 us |    btrfs_get_root_ref [btrfs]();",
        expect![
            r#"time - cpu 3 task - flags 0 ns 26109920 depth 1 leaf btrfs_get_root_ref [btrfs] () ret """#
        ],
    );
    check(" 0)  -5.000 us    |  neg();", expect!["bad duration"]);
    check(" 0)   1.5.5 us    |  dots();", expect!["bad duration"]);
    check(" 0) 99999999999999999999999.999 us |  huge();", expect!["bad duration"]);
}

#[test]
fn returned_values_and_arguments_are_kept() {
    check(
        " 1)   1.920 us    |    kick_process(); /* = 0x80000000 */",
        expect![r#"time - cpu 1 task - flags 0 ns 1920 depth 1 leaf kick_process () ret "0x80000000""#],
    );
    check(
        " 1)   5.360 us    |  } /* task_work_add = -22 */",
        expect![r#"time - cpu 1 task - flags 0 ns 5360 depth 0 exit Some("task_work_add") ret "-22""#],
    );
    check(
        " 1)   5.360 us    |  } /* f ret=true */",
        expect![r#"time - cpu 1 task - flags 0 ns 5360 depth 0 exit Some("f") ret "true""#],
    );
    check(
        " 1)   0.1 us |  f(rq=0xff, mode=2 [NAME], s=(struct x)[0x1:0x2], ...); /* <-g+0x1/0x2 ret=0x0 */",
        expect![
            r#"time - cpu 1 task - flags 0 ns 100 depth 0 leaf f (rq=0xff, mode=2 [NAME], s=(struct x)[0x1:0x2], ...) ret "0x0""#
        ],
    );
    check(
        " 1)               |  f() { /* <-g+0x1/0x2 */",
        expect!["time - cpu 1 task - flags 0 ns - depth 0 enter f (<-g+0x1/0x2)"],
    );
}

#[test]
fn comments_markers_and_elisions_are_no_calls() {
    check(
        " 0)               |  /* sched_switch: mode=A|B ==> x */",
        expect!["time - cpu 0 task - flags 0 ns - depth 0 comment sched_switch: mode=A|B ==> x"],
    );
    check(" 1)   ==========> |", expect!["time - cpu 1 task - flags 0 ns - depth - irq true"]);
    check(" 1)   <========== |", expect!["time - cpu 1 task - flags 0 ns - depth - irq false"]);
    check("1)               |     ...", expect!["time - cpu 1 task - flags 0 ns - depth 2 elided"]);
}

#[test]
fn drawings_of_a_person_leave_the_call_where_it_is() {
    check(
        "1)   0.470 us    |              +---->ktime_get();",
        expect![r#"time - cpu 1 task - flags 0 ns 470 depth 9 leaf ktime_get () ret """#],
    );
    check(
        "1)   0.382 us    | additional part      preempt_count_sub();",
        expect![r#"time - cpu 1 task - flags 0 ns 382 depth 10 leaf preempt_count_sub () ret """#],
    );
    check(
        "1)               |   (~7.5us)   |       _raw_spin_lock() {",
        expect!["time - cpu 1 task - flags 0 ns - depth 10 enter _raw_spin_lock ()"],
    );
    check(
        "1)   7.505 us    |              +---->}",
        expect![r#"time - cpu 1 task - flags 0 ns 7505 depth 9 exit None ret """#],
    );
    check(
        "1)   1.973 us    |              |       }",
        expect![r#"time - cpu 1 task - flags 0 ns 1973 depth 10 exit None ret """#],
    );
    check(
        " 0)   0.5 us      |  f();   <=== slow",
        expect![r#"time - cpu 0 task - flags 0 ns 500 depth 0 leaf f () ret """#],
    );
}

#[test]
fn other_lines_are_no_graph() {
    check("            bash-175     [001] d.s4.   166.724421: sched_wakeup: comm=a|b", expect!["no"]);
    check("lorem ipsum | dolor", expect!["no"]);
    check("12 us", expect!["no"]);
    check(" => do_idle", expect!["no"]);
}

#[test]
fn calls_that_go_on_in_the_next_line_wait_for_it() {
    check(" 110)  <...>-11449   | # 1102.026 us |      } /*", expect!["unfinished"]);
    check(" 0)               |  cppc_cpufreq_get_rate", expect!["unfinished"]);
    check(" 0)               |  /* two", expect!["unfinished"]);
}

#[test]
fn a_call_right_behind_its_bar_or_behind_two_is_of_two_lines() {
    let has_second = |line: &str| match graph::parse(line.as_bytes()) {
        Graph::Line(line) => line.has_second,
        _ => panic!("{line} is no line of a graph"),
    };
    let task = "  114.890451 |   0)    <idle>-0    | + 35.394 us   |";
    assert!(!has_second(&format!("{task}  t_stack();")));
    assert!(!has_second(&format!("{task} t_stack();")));
    assert!(has_second(&format!("{task}t_stack();")));
    assert!(!has_second("  10.328 us   |              arch_scale_freq_tick();"));
    assert!(has_second("  10.328 us   |             |              arch_scale_freq_tick();"));
}

#[test]
fn banners_name_both_tasks() {
    let (cpu, prev, next) = graph::banner(b" 0)   ksoftir-18   => qemu-kv-17653 ").unwrap();
    assert_eq!((cpu, prev.pid, next.pid, next.comm), (0, Some(18), Some(17653), &b"qemu-kv"[..]));
}

//! What is written is read again, and the same is found in it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::testing::{Recording, sample};
use crate::testing::everything;

/// Exported as ftrace text and read again, a recording has the same events, slices, calls and samples.
fn check_round_trip(file: &[u8], name: &str) {
    let recording = Recording::of(file);
    let text = recording.export("ftrace");
    let again = Recording::of(&text);
    check_same(&recording.events(), &again.events(), name);
    let lines =
        |recording: &Recording| everything(&recording.written).lines().map(str::to_owned).collect::<Vec<_>>();
    check_same(&lines(&recording), &lines(&again), name);
}

/// The first that differs, since all of them are many.
fn check_same(first: &[String], second: &[String], name: &str) {
    let differs = (0..first.len().max(second.len())).find(|at| first.get(*at) != second.get(*at));
    if let Some(at) = differs {
        assert_eq!(first.get(at), second.get(at), "{name}: {at} of {}", first.len());
    }
}

/// Text, a binary file, several clocks, a latency tracer, tracers with lines of their own, calls.
const SAMPLES: [&str; 9] = [
    "cyclictest-6.12-rt.dat",
    "cyclictest-break-6.12-rt.txt",
    "cyclictest-load-6.12-rt.txt.zst",
    "irqsoff-6.12.txt",
    "osnoise-6.12.txt",
    "preemptirq-6.12.txt.zst",
    "timer-interrupt-6.12.txt.zst",
    "timerlat-6.12-rt.txt",
    "wakeup_rt-6.12-rt.txt",
];

#[test]
fn recordings_are_the_same_after_an_export_as_text() {
    for name in SAMPLES {
        check_round_trip(&sample(name), name);
    }
}

/// One line of a file, as a kernel prints it.
fn line(at_us: u64, cpu: u8, number: u8, text: &str) -> String {
    let flags = ["d..2.", "DNh3a", "....1", "b.s..", "dnL.213", "d.Z1."][usize::from(number) % 6];
    let (comm, pid) = [("sh", 7), ("rcu: x", 12), ("<idle>", 0), ("a-b [001]", 99)][usize::from(number) % 4];
    let payload = match number % 8 {
        0 => format!("sched_waking: comm={text} pid=9 prio=89 target_cpu=00{cpu}"),
        1 => "sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120".to_owned(),
        2 => "irq_handler_entry: irq=24 name=eth0".to_owned(),
        3 => "irq_handler_exit: irq=24 ret=handled".to_owned(),
        4 => format!("tracing_mark_write: {text}"),
        5 => "do_idle <-cpu_startup_entry".to_owned(),
        6 => format!("custom: state={number} note=\"{text}\""),
        _ => "sched_wakeup: comm=sh pid=7 prio=120 target_cpu=000".to_owned(),
    };
    let lost =
        if number.is_multiple_of(23) { format!("CPU:{cpu} [LOST {number} EVENTS]\n") } else { String::new() };
    format!(
        "{lost}{comm:>16}-{pid:<7} [00{cpu}] {flags} {}.{:06}: {payload}\n",
        100 + at_us / 1_000_000,
        at_us % 1_000_000
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_events_are_the_same_after_an_export_as_text(
        lines in proptest::collection::vec((0_u64..400, 0_u8..3, any::<u8>(), "[a-zé;:=<>-]{1,12}"), 1..120),
    ) {
        let mut at_us = 0;
        // Without the number of lines, odd text makes the reader doubt that none is missing.
        let count = lines.len();
        let mut text = format!("# tracer: nop\n#\n# entries-in-buffer/entries-written: {count}/{count}   #P:3\n#\n");
        for (step_us, cpu, number, words) in &lines {
            // A loss between two records of one time would be anywhere among them.
            at_us += step_us + u64::from(number.is_multiple_of(23));
            text += &line(at_us, *cpu, *number, words);
        }
        check_round_trip(text.as_bytes(), &text);
    }

    /// Calls of three tasks, nested at random, many of them of no time at all.
    #[test]
    fn any_calls_keep_their_order_and_their_times(
        steps in proptest::collection::vec((0_usize..3, any::<bool>(), 0_u64..3), 1..200),
    ) {
        let mut stacks: [Vec<(u64, usize)>; 3] = Default::default();
        let mut at_ns = 5_000_000_000_u64;
        let mut text = "# tracer: function_graph\n#\n".to_owned();
        let mut open_and_close = |task: usize, opens: bool, at_ns: u64, stacks: &mut [Vec<(u64, usize)>; 3]| {
            let stack = &mut stacks[task];
            let head = format!("{:>16}-{:<7} [00{task}] {}.{:09}: ", "task", 70 + task, at_ns / 1_000_000_000, at_ns % 1_000_000_000);
            if opens {
                let name = (stack.len() * 7 + usize::try_from(at_ns).unwrap()) % 5;
                text += &format!("{head}funcgraph_entry:                   |  {}f{name}() {{\n", "  ".repeat(stack.len()));
                stack.push((at_ns, name));
            } else if let Some((start_ns, _)) = stack.pop() {
                let duration_ns = at_ns - start_ns;
                text += &format!("{head}funcgraph_exit:  {}.{:03} us   |  {}}}\n", duration_ns / 1000, duration_ns % 1000, "  ".repeat(stack.len()));
            }
        };
        for (task, opens, step_ns) in &steps {
            at_ns += step_ns * 500;
            open_and_close(*task, *opens, at_ns, &mut stacks);
        }
        for task in 0..3 {
            for _ in 0..stacks[task].len() {
                open_and_close(task, false, at_ns, &mut stacks);
            }
        }
        prop_assume!(text.contains("funcgraph_exit"));
        let recording = Recording::of(text.as_bytes());
        check_round_trip(text.as_bytes(), &text);
        check_nesting(&recording);
    }
}

/// speedscope's profiles close what they open, in order; the folded sums are those of the calls.
fn check_nesting(recording: &Recording) {
    let profiles = recording.json("speedscope");
    for profile in profiles["profiles"].as_array().unwrap() {
        let (mut open, mut last) = (Vec::new(), i64::MIN);
        for event in profile["events"].as_array().unwrap() {
            let at = event["at"].as_i64().unwrap();
            assert!(at >= last, "{profile}");
            last = at;
            if event["type"] == "O" {
                open.push(&event["frame"]);
            } else {
                assert_eq!(open.pop(), Some(&event["frame"]), "{profile}");
            }
        }
        assert!(open.is_empty(), "{profile}");
        assert_eq!(profile["endValue"], last);
    }
    let calls = recording.json("chrome");
    let calls = calls["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "call");
    let folded = String::from_utf8(recording.export("folded")).unwrap();
    let total_ns: i64 =
        folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap()).sum();
    let tree: Value = serde_json::from_slice(&recording.ask("calltree", json!({}))).unwrap();
    assert_eq!(total_ns, tree["total_ns"].as_i64().unwrap_or(0), "{folded}");
    assert_eq!(calls.count(), count(recording, "begins"));
}

/// What a file of Perfetto holds, by a reader that knows only the wire format.
fn count(recording: &Recording, what: &str) -> usize {
    let file = recording.export("perfetto");
    let is_of = |field: u64, wanted: u64, of: &[u8]| {
        fields(of).iter().any(|(number, value, _)| *number == field && *value == wanted)
    };
    let mut found = 0;
    for (_, _, packet) in fields(&file) {
        for (field, _, body) in fields(packet) {
            found += match (what, field) {
                ("events", 1) => fields(body).iter().filter(|(number, ..)| *number == 2).count(),
                ("bundles after a loss", 1) => usize::from(is_of(3, 1, body)),
                ("begins", 11) => usize::from(is_of(9, 1, body)),
                ("ends", 11) => usize::from(is_of(9, 2, body)),
                _ => 0,
            };
        }
    }
    found
}

/// The fields of a message: number, value where it is one, bytes where it has some.
fn fields(message: &[u8]) -> Vec<(u64, u64, &[u8])> {
    let (mut rest, mut found) = (message, Vec::new());
    let varint = |rest: &mut &[u8]| {
        let length = rest.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
        let (digits, behind) = rest.split_at(length);
        *rest = behind;
        digits.iter().rev().fold(0_u64, |value, digit| value << 7 | u64::from(digit & 0x7f))
    };
    while !rest.is_empty() {
        let tag = varint(&mut rest);
        let value = varint(&mut rest);
        let length = if tag & 7 == 2 { usize::try_from(value).unwrap() } else { 0 };
        let (bytes, behind) = rest.split_at(length);
        rest = behind;
        found.push((tag >> 3, value, bytes));
    }
    found
}

#[test]
fn perfetto_and_chrome_have_every_event_and_every_call() {
    for name in ["cyclictest-6.12-rt.dat", "cyclictest-load-6.12-rt.txt.zst", "timer-interrupt-6.12.txt.zst"]
    {
        let recording = Recording::of(&sample(name));
        let event_count = usize::try_from(recording.facts["event_count"].as_i64().unwrap()).unwrap();
        let call_count = usize::try_from(recording.facts["call_count"].as_i64().unwrap()).unwrap();
        assert_eq!(count(&recording, "events"), event_count, "{name}");
        assert_eq!(count(&recording, "begins"), call_count, "{name}");
        assert_eq!(count(&recording, "ends"), call_count, "{name}");
        let chrome = recording.json("chrome");
        let of_phase = |phase: &str| {
            chrome["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == phase).count()
        };
        assert_eq!(of_phase("i"), event_count, "{name}");
    }
}

#[test]
fn losses_are_marked_in_the_bundle_that_follows() {
    let file = "\
# tracer: nop
            sh-7       [000] d..2.   100.000001: custom: a=1
            sh-7       [000] d..2.   100.000002: custom: a=2
CPU:0 [LOST 40 EVENTS]
            sh-7       [000] d..2.   100.000009: custom: a=3
";
    assert_eq!(count(&Recording::of(file.as_bytes()), "bundles after a loss"), 1);
}

#[test]
fn names_are_text_in_every_format() {
    let file = "\
# tracer: function_graph
            a\"\\<b>-7       [000]   100.000001: funcgraph_entry:                   |  f;\"g() {
            a\"\\<b>-7       [000]   100.000003: funcgraph_exit:         2.000 us   |  }
";
    let recording = Recording::of(file.as_bytes());
    for format in ["chrome", "speedscope"] {
        recording.json(format);
    }
    for line in String::from_utf8(recording.export("folded")).unwrap().lines() {
        assert_eq!(line.matches(';').count(), 0, "{line}");
    }
}

#[test]
fn a_window_holds_what_lies_in_it() {
    let recording = Recording::of(&sample("cyclictest-load-6.12-rt.txt.zst"));
    let part =
        recording.ask("export", json!({"format": "ftrace", "start": "10ms", "end": "20ms", "cpu": "1"}));
    let lines = String::from_utf8(part).unwrap().lines().filter(|line| !line.starts_with(['#', 'C'])).count();
    let wanted = |event: &&String| {
        let event: Value = serde_json::from_str(event).unwrap();
        event["cpu"] == 1 && (10_000_000..20_000_000).contains(&event["t"].as_i64().unwrap())
    };
    assert_eq!(lines, recording.events().iter().filter(wanted).count());
    assert!(lines > 10, "{lines}");
}

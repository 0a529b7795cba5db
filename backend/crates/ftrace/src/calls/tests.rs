use expect_test::{Expect, expect};

use super::{Call, CallBuilder, CallFlags, CallSink};
use crate::model::{CallRecord, Diagnostic, Flags, GraphPoint, Limits, Ns, Place, TaskRef, Timestamp};

#[derive(Default)]
struct Log(String);

impl CallSink for Log {
    fn call(&mut self, call: &Call<'_>) {
        let parent = call.parent.map_or("-".to_owned(), |parent| parent.to_string());
        let module = call.module.map(|module| format!(" [{}]", String::from_utf8_lossy(module)));
        self.0 += &format!(
            "{} parent {parent} {}{} cpu {} pid {:?} start {} duration {} self {} depth {}{}\n",
            call.id,
            String::from_utf8_lossy(call.symbol),
            module.unwrap_or_default(),
            call.cpu,
            call.task.pid.unwrap_or(i32::MIN),
            call.start.0,
            call.duration_ns,
            call.self_ns,
            call.depth,
            flag_names(call.flags),
        );
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) {
        self.0 +=
            &format!("{} line {:?}\n", diagnostic.code.name(), diagnostic.place.line.unwrap_or_default());
    }

    fn switch(&mut self, cpu: u16, ts: Timestamp, prev: TaskRef<'_>, next: TaskRef<'_>) {
        let pid = |task: TaskRef<'_>| task.pid.unwrap_or(i32::MIN);
        self.0 += &format!("switch cpu {cpu} at {} {} => {}\n", ts.0, pid(prev), pid(next));
    }

    fn rename(&mut self, placeholder_pid: i32, task: TaskRef<'_>) {
        self.0 += &format!("rename {placeholder_pid} to {}\n", task.pid.unwrap_or(i32::MIN));
    }
}

fn flag_names(flags: CallFlags) -> String {
    [
        (CallFlags::STARTED_BEFORE, " started-before"),
        (CallFlags::OUTERMOST, " outermost"),
        (CallFlags::CUT_AT_END, " cut"),
        (CallFlags::HAS_GAP, " gap"),
        (CallFlags::ELIDED_CHILDREN, " elided"),
        (CallFlags::IRQ, " irq"),
        (CallFlags::ELIDED_BEFORE, " elided-before"),
        (CallFlags::ELIDED_LAST, " elided-last"),
    ]
    .iter()
    .filter(|(bit, _)| flags.has(*bit))
    .map(|(_, name)| *name)
    .collect()
}

/// Reads a script of lines `CPU TIME DEPTH WHAT`, where WHAT is `f {`, `f; DURATION`, `} DURATION NAME`,
/// `irq+`, `irq-`, `...`, `lost` or `A => B`; a DEPTH of `-` is unknown.
fn check(script: &str, expected: Expect) {
    let limits = Limits { max_depth: 4, ..Limits::default() };
    let mut builder = CallBuilder::new(&limits);
    let mut log = Log::default();
    for (number, line) in (1..).zip(script.lines().map(str::trim).filter(|line| !line.is_empty())) {
        let words: Vec<&str> = line.split(' ').collect();
        let cpu: u16 = words[0].parse().unwrap();
        let at = GraphPoint {
            ts: Some(Timestamp(words[1].parse().unwrap())),
            cpu: Some(cpu),
            buffer: b"",
            task: None,
            flags: Flags::default(),
            depth: words[2].parse().ok(),
            place: Place::line(number, 0),
        };
        let task = |pid: &str| TaskRef { pid: pid.parse().ok(), comm: b"x", tgid: None };
        let record = match words[3..] {
            ["irq+"] => CallRecord::Irq { at, enter: true },
            ["irq-"] => CallRecord::Irq { at, enter: false },
            ["..."] => CallRecord::Elided { at },
            ["lost"] => {
                builder.loss(Some(cpu), &mut log);
                continue;
            }
            ["}"] => CallRecord::Exit { at, symbol: None, duration_ns: None, retval: b"" },
            ["}", duration] => {
                CallRecord::Exit { at, symbol: None, duration_ns: duration.parse().ok().map(Ns), retval: b"" }
            }
            ["}", duration, name] => CallRecord::Exit {
                at,
                symbol: Some(name.as_bytes()),
                duration_ns: duration.parse().ok().map(Ns),
                retval: b"",
            },
            [prev, "=>", next] => CallRecord::Switch { at, prev: task(prev), next: task(next) },
            [symbol, "{"] => CallRecord::Enter { at, symbol: symbol.as_bytes(), args: b"" },
            [symbol, duration] => CallRecord::Leaf {
                at,
                symbol: symbol.trim_end_matches(';').replace('~', " ").leak().as_bytes(),
                duration_ns: duration.parse().ok().map(Ns),
                args: b"",
            },
            _ => panic!("{line}"),
        };
        builder.record(&record, &mut log).unwrap();
    }
    builder.finish(&mut log);
    expected.assert_eq(&log.0);
}

#[test]
fn nested_calls_close_inside_out() {
    check(
        "
        0 100 0 a {
        0 110 1 b; 20
        0 140 1 c~[mod]; 5
        0 190 0 } 95
        ",
        expect![[r#"
            1 parent 0 b cpu 0 pid -1 start 110 duration 20 self 20 depth 1
            2 parent 0 c [mod] cpu 0 pid -1 start 140 duration 5 self 5 depth 1
            0 parent - a cpu 0 pid -1 start 100 duration 95 self 70 depth 0
        "#]],
    );
}

#[test]
fn a_lost_exit_is_seen_by_the_next_shallow_line() {
    check(
        "
        0 100 0 a {
        0 110 1 b {
        0 120 2 c; 5
        0 150 0 d; 7
        ",
        expect![[r#"
            2 parent 1 c cpu 0 pid -1 start 120 duration 5 self 5 depth 2
            unclosed_call line 4
            1 parent 0 b cpu 0 pid -1 start 110 duration 15 self 10 depth 1 cut
            unclosed_call line 4
            0 parent - a cpu 0 pid -1 start 100 duration 25 self 10 depth 0 cut
            3 parent - d cpu 0 pid -1 start 150 duration 7 self 7 depth 0
        "#]],
    );
}

#[test]
fn a_call_that_began_before_the_file_adopts_its_children() {
    check(
        "
        0 100 2 b; 5
        0 110 1 } 60 a
        0 120 0 }
        ",
        expect![[r#"
            unbalanced_close line 2
            0 parent 1 b cpu 0 pid -1 start 100 duration 5 self 5 depth 2
            unbalanced_close line 3
            1 parent - a cpu 0 pid -1 start 50 duration 60 self 55 depth 1 started-before
        "#]],
    );
}

#[test]
fn stacks_belong_to_tasks_and_banners_name_them() {
    check(
        "
        0 100 0 schedule {
        0 110 0 7 => 9
        0 120 0 b; 5
        0 130 0 9 => 7
        0 150 0 } 50
        ",
        expect![[r#"
            rename -1 to 7
            switch cpu 0 at 110 7 => 9
            1 parent - b cpu 0 pid 9 start 120 duration 5 self 5 depth 0
            switch cpu 0 at 130 9 => 7
            0 parent - schedule cpu 0 pid 7 start 100 duration 50 self 50 depth 0
        "#]],
    );
}

#[test]
fn a_close_on_another_cpu_finds_its_call() {
    check(
        "
        1 100 0 fsync {
        5 200 0 } 100 fsync
        ",
        expect![[r#"
            0 parent - fsync cpu 1 pid -2 start 100 duration 100 self 100 depth 0
        "#]],
    );
}

#[test]
fn brackets_alone_are_enough_where_the_indentation_is_gone() {
    check(
        "
        0 100 - a {
        0 110 - b {
        0 120 - } 10
        0 130 - } 30
        ",
        expect![[r#"
            1 parent 0 b cpu 0 pid -1 start 110 duration 10 self 10 depth 1
            0 parent - a cpu 0 pid -1 start 100 duration 30 self 20 depth 0
        "#]],
    );
}

#[test]
fn calls_past_the_depth_limit_are_folded() {
    check(
        "
        0 1 - a {
        0 2 - b {
        0 3 - c {
        0 4 - d {
        0 5 - e {
        0 6 - } 1
        0 7 - } 3
        0 8 - } 5
        ",
        expect![[r#"
            depth_limit line 5
            3 parent 2 d cpu 0 pid -1 start 4 duration 3 self 3 depth 3
            2 parent 1 c cpu 0 pid -1 start 3 duration 5 self 2 depth 2
            unclosed_call line 0
            1 parent 0 b cpu 0 pid -1 start 2 duration 6 self 1 depth 1 cut
            unclosed_call line 0
            0 parent - a cpu 0 pid -1 start 1 duration 7 self 1 depth 0 cut
        "#]],
    );
}

#[test]
fn gaps_interrupts_and_elisions_are_flagged() {
    check(
        "
        0 100 0 a {
        0 100 0 lost
        0 105 1 ...
        0 110 1 irq+
        0 111 1 b {
        0 112 2 c; 1
        0 115 1 } 4
        0 116 1 irq-
        0 117 1 d; 1
        0 150 0 } 50
        0 160 0 __sysvec_apic_timer_interrupt; 3
        ",
        expect![[r#"
            elided_calls line 3
            2 parent 1 c cpu 0 pid -1 start 112 duration 1 self 1 depth 2 irq
            1 parent 0 b cpu 0 pid -1 start 111 duration 4 self 3 depth 1 irq elided-before
            3 parent 0 d cpu 0 pid -1 start 117 duration 1 self 1 depth 1
            0 parent - a cpu 0 pid -1 start 100 duration 50 self 45 depth 0 gap elided
            4 parent - __sysvec_apic_timer_interrupt cpu 0 pid -1 start 160 duration 3 self 3 depth 0 irq
        "#]],
    );
}

#[test]
fn calls_that_were_left_out_keep_their_place() {
    check(
        "
        0 100 0 a {
        0 105 1 ...
        0 110 1 b {
        0 111 2 c; 1
        0 112 2 ...
        0 115 1 } 5
        0 116 1 d; 1
        0 150 0 } 50
        ",
        expect![[r#"
            elided_calls line 2
            2 parent 1 c cpu 0 pid -1 start 111 duration 1 self 1 depth 2
            elided_calls line 5
            1 parent 0 b cpu 0 pid -1 start 110 duration 5 self 4 depth 1 elided elided-before elided-last
            3 parent 0 d cpu 0 pid -1 start 116 duration 1 self 1 depth 1
            0 parent - a cpu 0 pid -1 start 100 duration 50 self 44 depth 0 elided
        "#]],
    );
}

#[test]
fn self_time_never_goes_below_zero() {
    check(
        "
        0 100 0 parent {
        0 110 1 child; 5000
        0 150 0 } 10
        ",
        expect![[r#"
            1 parent 0 child cpu 0 pid -1 start 110 duration 5000 self 5000 depth 1
            child_exceeds_parent line 3
            0 parent - parent cpu 0 pid -1 start 100 duration 10 self 0 depth 0
        "#]],
    );
}

#[test]
fn calls_of_a_recording_without_entries_are_whole() {
    check(
        "
        0 100 2 } 5 b
        0 110 1 } 60 a
        1 115 3 } 30 c
        0 120 0 } 90 d
        ",
        expect![[r#"
            only_ends line 1
            only_ends line 2
            only_ends line 3
            only_ends line 4
            0 parent 1 b cpu 0 pid -1 start 95 duration 5 self 5 depth 2
            1 parent 3 a cpu 0 pid -1 start 50 duration 60 self 55 depth 1
            3 parent - d cpu 0 pid -1 start 30 duration 90 self 30 depth 0 outermost
            2 parent - c cpu 1 pid -2 start 85 duration 30 self 30 depth 3 outermost
        "#]],
    );
}

#[test]
fn calls_before_the_first_entry_are_cut() {
    check(
        "
        0 100 0 } 5 b
        0 110 0 } 60 a
        0 115 0 c 7
        0 120 0 } 90 d
        ",
        expect![[r#"
            unbalanced_close line 1
            unbalanced_close line 2
            0 parent - b cpu 0 pid -1 start 95 duration 5 self 5 depth 0 started-before
            1 parent - a cpu 0 pid -1 start 50 duration 60 self 60 depth 0 started-before
            2 parent - c cpu 0 pid -1 start 115 duration 7 self 7 depth 0
            unbalanced_close line 4
            3 parent - d cpu 0 pid -1 start 30 duration 90 self 90 depth 0 started-before
        "#]],
    );
}

#[test]
fn ends_that_wait_for_an_entry_are_bounded() {
    let limits = Limits::default();
    let mut builder = CallBuilder::new(&limits);
    let mut log = Log::default();
    let mut end = |log: &mut Log| {
        let at = GraphPoint {
            ts: Some(Timestamp(1)),
            cpu: Some(0),
            buffer: b"",
            task: None,
            flags: Flags::default(),
            depth: Some(1),
            place: Place::line(1, 0),
        };
        builder.record(&CallRecord::Exit { at, symbol: None, duration_ns: None, retval: b"" }, log).unwrap();
    };
    for _ in 1..65_536 {
        end(&mut log);
    }
    assert!(log.0.is_empty());
    end(&mut log);
    assert_eq!(log.0.lines().count(), 65_536);
}

//! Checks of latencies against limits: what passes, what fails, and what cannot be decided.

use super::scan::Purpose;
use super::testing::{LINES, request, scanned, shelf};
use crate::explore::protocol::ask;
use crate::import::testing::import_lines;

/// Outcome, reason, number and count; the worst of the three wakeups waits for 50 us.
fn check_lines(lines: &str, parameters: &str, expected: &str) {
    let (written, _) = import_lines(lines);
    let params = request(&format!(r#""kind":"wakeup",{parameters}"#));
    let answered = ask("latency_check", &params, &shelf(&written));
    let from_samples = scanned(Purpose::Check, &params, &written);
    assert_eq!(answered, from_samples);
    let found = from_samples.map(|json| {
        let result: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let text = |name: &str| result[name].to_string().replace('"', "");
        let passed = match text("outcome").as_str() {
            "passed" => "true",
            "failed" => "false",
            _ => "null",
        };
        assert_eq!(text("passed"), passed);
        format!("{} ({}) {} {}", text("outcome"), text("reason"), text("actual_ns"), text("count"))
    });
    assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected);
}

fn check(parameters: &str, expected: &str) {
    check_lines(LINES, parameters, expected);
}

#[test]
fn a_limit_is_kept_or_broken() {
    check(r#""stat":"max","op":"<=","value":"50us""#, "passed (null) 50000 3");
    check(
        r#""stat":"max","op":"<","value":"50us""#,
        "failed (max is 50 µs, not below the limit of 50 µs) 50000 3",
    );
    check(r#""stat":"max","op":"<","value":"50us","comm":"sh""#, "passed (null) 30000 1");
    check(r#""stat":"p50","op":"==","value":"30us""#, "passed (null) 30000 3");
    check(r#""stat":"p50","op":"==","value":"20us""#, "failed (p50 is 30 µs, not 20 µs) 30000 3");
    check(
        r#""stat":"p99_9","op":">=","value":"1ms""#,
        "failed (p99.9 is 50 µs, below the limit of 1 ms) 50000 3",
    );
    check(r#""stat":"count","op":">=","value":3"#, "passed (null) null 3");
    check(r#""stat":"count","op":">","value":3"#, "failed (count is 3, not above the limit of 3) null 3");
}

#[test]
fn what_is_broken_by_less_than_is_shown_is_told_in_full() {
    let lines = "
        <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        <idle>-0 [0] 3.000001: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
        ";
    check_lines(
        lines,
        r#""stat":"max","op":"<=","value":"2s""#,
        "failed (max is 2,000,001,000 ns, above the limit of 2 s) 2000001000 1",
    );
}

#[test]
fn what_is_not_known_never_passes() {
    check(
        r#""stat":"max","op":"<=","value":"50us","min_count":4"#,
        "undecidable (3 samples, fewer than the 4 required) 50000 3",
    );
    check(
        r#""stat":"max","op":"<=","value":"50us","pid":1"#,
        "undecidable (0 samples, fewer than the 1 required) null 0",
    );
    check(
        r#""stat":"max","op":"<=","value":"50us","pid":1,"min_count":0"#,
        "undecidable (there are no samples) null 0",
    );
    let no_switch = "<idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000";
    check_lines(
        no_switch,
        r#""stat":"count","op":"==","value":0,"min_count":0"#,
        "undecidable (wakeup was not recorded: it needs sched_switch) null 0",
    );
}

/// One latency of 20 us, after which the recording of its CPU was cut off.
const ONE_AND_CUT: &str = "
    <idle>-0 [0] 1.000070: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
    <idle>-0 [0] 1.000090: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
    CUT [0]
    ";

/// The same latency after another one within which events were lost.
const LOST_AND_ONE: &str = "
    <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
    LOST [0] 7
    <idle>-0 [0] 1.000050: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
    rt-9     [0] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=1 prev_state=S ==> next_comm=x next_pid=0 next_prio=1
    <idle>-0 [0] 1.000070: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
    <idle>-0 [0] 1.000090: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
    ";

fn undecidable(number: &str) -> String {
    format!("undecidable (events were lost within 1 more, which may be worse) {number} 1")
}

#[test]
fn losses_leave_room_for_worse_but_not_for_better() {
    for lines in [LOST_AND_ONE, ONE_AND_CUT] {
        check_lines(lines, r#""stat":"max","op":"<=","value":"50us""#, &undecidable("20000"));
        let failed = "failed (max is 20 µs, above the limit of 10 µs) 20000 1";
        check_lines(lines, r#""stat":"max","op":"<=","value":"10us""#, failed);
    }
}

#[test]
fn what_is_lost_may_mend_a_limit_that_looks_broken() {
    check_lines(ONE_AND_CUT, r#""stat":"count","op":">=","value":2"#, &undecidable("null"));
    check_lines(ONE_AND_CUT, r#""stat":"p50","op":"<=","value":"10us""#, &undecidable("20000"));
    check_lines(ONE_AND_CUT, r#""stat":"max","op":">=","value":"1ms""#, &undecidable("20000"));
    check_lines(
        ONE_AND_CUT,
        r#""stat":"count","op":"<","value":1"#,
        "failed (count is 1, not below the limit of 1) null 1",
    );
}

#[test]
fn bad_parameters_are_named() {
    check(r#""op":"<=","value":"1""#, "stat: has to be given");
    check(r#""stat":"max","op":"!=","value":"1""#, "op: \"!=\" is none of <=, <, >=, >, ==");
    check(r#""stat":"max","op":"<=""#, "value: \"\" is not a duration such as 50us");
    check(r#""stat":"count","op":"<=","value":"1us""#, "value: \"1us\" is not a number");
}

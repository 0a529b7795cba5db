//! The tail profile as it is asked for.

use std::fmt::Write;

use serde_json::Value;

use super::tail::unavailable;
use super::testing::{request, shelf};
use crate::explore::ExploreError;
use crate::explore::protocol::ask;
use crate::import::testing::import_lines;
use crate::kinds::KINDS;
use crate::store::copy::CopyEncoder;
use crate::store::tables::{LATENCY_TAIL, LATENCY_TAIL_PART};

/// Wakeups of `rt-9`, of which each twentieth waits for 300 µs behind a task of higher priority, the others for 10 µs
/// behind one of a lower; and one of a shell.
fn recording() -> String {
    let mut text = String::new();
    for number in 0..400 {
        let at_us = 1_000_000 + number * 1_000;
        let (comm, pid, prio, late_us) =
            if number % 20 == 3 { ("hog", 80, 9, 300) } else { ("sh", 7, 120, 10) };
        let mut line = |t_us: u32, event: String| {
            writeln!(text, "a-1 [0] {}.{:06}: {event}", t_us / 1_000_000, t_us % 1_000_000).unwrap();
        };
        line(
            at_us,
            format!(
                "sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={comm} next_pid={pid} next_prio={prio}"
            ),
        );
        line(at_us + 5, "sched_waking: comm=rt pid=9 prio=19 target_cpu=000".to_owned());
        line(at_us + 6, "sched_wakeup: comm=rt pid=9 prio=19 target_cpu=000".to_owned());
        line(
            at_us + 5 + late_us,
            format!(
                "sched_switch: prev_comm={comm} prev_pid={pid} prev_prio={prio} prev_state=S ==> next_comm=rt next_pid=9 next_prio=19"
            ),
        );
        line(
            at_us + 10 + late_us,
            "sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120".to_owned(),
        );
    }
    text
}

fn told(parameters: &str, text: &str) -> Result<Value, ExploreError> {
    let (written, _) = import_lines(text);
    let answer = ask("latency_tail", &request(parameters), &shelf(&written))?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

#[test]
fn the_sentence_names_the_cause_that_differs_most() {
    let answer = told(r#""kind":"wakeup","comm":"rt""#, &recording()).unwrap();
    assert_eq!(
        answer["sentence"],
        "Wakeup latency of rt, the slowest 5 %: 100 % of the time behind hog; the others: 0 %."
    );
    let slowest = answer["bands"].as_array().unwrap().last().unwrap();
    assert_eq!(slowest["causes"][0]["mechanisms"][0]["mechanism"], "higher_priority");
    assert_eq!(slowest["cases"]["min"], "300000ns");
}

#[test]
fn equal_causes_are_called_so() {
    let (hog, sh) = ("hog next_pid=80 next_prio=9", "sh next_pid=7 next_prio=120");
    let (prev_hog, prev_sh) = ("hog prev_pid=80 prev_prio=9", "sh prev_pid=7 prev_prio=120");
    let text = recording().replace(hog, sh).replace(prev_hog, prev_sh);
    let answer = told(r#""kind":"wakeup""#, &text).unwrap();
    assert_eq!(answer["sentence"], "Wakeup latency: the causes of slow and of ordinary ones are the same.");
}

#[test]
fn a_trace_without_profiles_says_how_to_get_them() {
    let (written, _) = import_lines(&recording());
    let none = |table| CopyEncoder::new(table).take().unwrap_or_default();
    let shelf = shelf(&written).with(&LATENCY_TAIL, none(&LATENCY_TAIL));
    let shelf = shelf.with(&LATENCY_TAIL_PART, none(&LATENCY_TAIL_PART));
    let answer = ask("latency_tail", &request(r#""kind":"wakeup""#), &shelf).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert!(answer["unavailable"].as_str().unwrap().contains("reload"), "{answer}");
    assert_eq!(answer["bands"].as_array().unwrap().len(), 0);
}

#[test]
fn a_kind_without_profiles_gives_its_own_reason() {
    for kind in KINDS {
        let told = unavailable(kind.latency());
        let is_of_kind = told.contains(&format!("`{}`", kind.latency().name));
        assert_eq!(is_of_kind, kind.why_unprofiled().is_some(), "{told}");
        assert_ne!(is_of_kind, told.contains("reload"), "{told}");
    }
}

#[test]
fn what_is_not_kept_is_refused() {
    for (parameters, parameter) in [
        (r#""kind":"wakeup","cpu":"0""#, "cpu"),
        (r#""kind":"irq","comm":"rt""#, "comm"),
        (r#""kind":"wakeup,timer""#, "kind"),
    ] {
        let refusal = told(parameters, &recording()).unwrap_err().to_string();
        assert!(refusal.starts_with(parameter), "{refusal}");
    }
}

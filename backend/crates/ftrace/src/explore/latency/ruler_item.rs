//! The ruler of a case, as small as the catalog draws it.

use serde::Serialize;

use super::case_answer::StageItem;
use crate::explain::{Explanation, Surroundings, late_links};

/// Stages of one ruler at most: on one with more, which only migrations make, none could be seen.
const MAX_STAGES: usize = 32;
/// Stretches that are closer than one part in so many of the case are drawn as one.
const PARTS: i64 = 250;

#[derive(Serialize)]
pub struct RulerItem {
    stages: Vec<StageItem>,
    /// What took most of its chain, in the order of time; none where there is no chain.
    late: Vec<StretchItem>,
}

#[derive(Serialize)]
struct StretchItem {
    start_ns: i64,
    duration_ns: i64,
}

impl RulerItem {
    /// `None` for kinds without stages.
    pub fn new(explanation: &Explanation<'_>, around: &Surroundings<'_, '_>) -> Option<Self> {
        let Explanation { stages, why, .. } = explanation;
        if !(1..=MAX_STAGES).contains(&stages.len()) {
            return None;
        }
        let duration_ns = stages.iter().fold(0_i64, |sum, stage| sum.saturating_add(stage.duration_ns));
        let links = late_links(why, around).into_iter().map(|link| (link.start_ns, link.end_ns));
        let late = joined(links, duration_ns.div_euclid(PARTS)).into_iter();
        Some(Self {
            stages: stages.iter().map(StageItem::new).collect(),
            late: late.map(|(start_ns, end_ns)| StretchItem::new(start_ns, end_ns)).collect(),
        })
    }
}

impl StretchItem {
    fn new(start_ns: i64, end_ns: i64) -> Self {
        Self { start_ns, duration_ns: end_ns.saturating_sub(start_ns) }
    }
}

/// The stretches, with those as one that are no more than `gap_ns` apart.
fn joined(stretches: impl Iterator<Item = (i64, i64)>, gap_ns: i64) -> Vec<(i64, i64)> {
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (start_ns, end_ns) in stretches {
        match joined.last_mut() {
            Some((_, last_ns)) if start_ns.saturating_sub(*last_ns) <= gap_ns => *last_ns = end_ns,
            _ => joined.push((start_ns, end_ns)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};
    use serde_json::to_string;

    use super::*;
    use crate::testing::explain::{explain_all, switch};

    /// The rulers of the cases of a kind, on a line each.
    fn check(text: &str, kind: &str, expected: Expect) {
        let mut printed = String::new();
        explain_all(
            text,
            |name| name == kind,
            |_, explanation, around| {
                let ruler = RulerItem::new(explanation, around);
                let stages = explanation.stages.len();
                let late =
                    ruler.map_or_else(|| "no ruler".to_owned(), |ruler| to_string(&ruler.late).unwrap());
                writeln!(printed, "{stages} stages, late: {late}").unwrap();
            },
        );
        expected.assert_eq(&printed);
    }

    /// `rt` waits for tasks that switch to each other at these microseconds.
    fn waits_behind(tasks: &[(&str, u32)]) -> String {
        let mut text =
            String::from("sh-4 [0] 1.000000: sched_waking: comm=rt pid=9 prio=120 target_cpu=000\n");
        let next = tasks.iter().skip(1).map(|(task, _)| *task).chain(["rt-9"]);
        for ((task, at_us), next) in tasks.iter().zip(next) {
            writeln!(text, "{task} [0] 1.{at_us:06}: {}", switch(task, "R", next)).unwrap();
        }
        text
    }

    #[test]
    fn tasks_of_one_name_are_late_together() {
        let tasks = [("sh-4", 60), ("hog-2", 110), ("b-5", 160), ("hog-3", 210)];
        check(
            &waits_behind(&tasks),
            "wakeup",
            expect![[r#"
            1 stages, late: [{"start_ns":60000,"duration_ns":50000},{"start_ns":160000,"duration_ns":50000}]
        "#]],
        );
    }

    #[test]
    fn what_lies_too_close_to_be_seen_apart_is_one() {
        let tasks = [("hog-2", 1_000), ("b-5", 1_003), ("hog-2", 2_000), ("b-5", 2_020), ("hog-2", 3_000)];
        check(
            &waits_behind(&tasks),
            "wakeup",
            expect![[r#"
            1 stages, late: [{"start_ns":0,"duration_ns":2000000},{"start_ns":2020000,"duration_ns":980000}]
        "#]],
        );
    }

    #[test]
    fn what_has_no_stages_has_no_ruler() {
        let text = "
            sh-4 [0] 1.000000: irq_handler_entry: irq=24 name=eth0
            sh-4 [0] 1.000010: irq_handler_exit: irq=24 ret=handled
            ";
        check(
            text,
            "irq",
            expect![[r#"
            0 stages, late: no ruler
        "#]],
        );
    }
}

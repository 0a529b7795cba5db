//! Into which functions most of a call or of a section went: down the tree, as long as one of them holds half of it.

use std::collections::BTreeMap;

use super::span::Span;
use super::{Case, Surroundings, words};
use crate::analyses::SliceKind;
use crate::model::grouped;

/// Of fewer calls nothing is normal.
const MIN_COUNT: usize = 5;

/// The calls of one function under the calls of another.
struct Callees<'s, 'a> {
    calls: Vec<&'s Span<'a>>,
    total_ns: i64,
}

/// The part of a case that its sentence names.
pub struct Part {
    pub duration_ns: i64,
    /// It is half of the case or more.
    pub is_most: bool,
    pub text: String,
}

/// `62 µs in ip_finish_output2`, `126 µs in tick_nohz_handler and 86 µs in hrtimer_wakeup`: the innermost function
/// that holds half of the call, or the two that do together. Else the largest of the many.
pub fn most(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Part> {
    let root = root(case, around)?;
    deepest(case, around, callees(&Callees { calls: vec![root], total_ns: root.duration_ns() }, around))
}

/// The same of a section, by the calls in it.
pub fn most_of_section(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Part> {
    let is_inside = |span: &&Span<'_>| {
        let is_whole = case.start_ns <= span.start_ns && span.end_ns <= case.end_ns();
        span.kind == SliceKind::Call && span.cpu == case.cpu && is_whole
    };
    let mut inside: Vec<&Span<'_>> = around.spans.iter().filter(is_inside).collect();
    inside.sort_unstable_by_key(|span| (span.start_ns, -span.end_ns, span.depth));
    let mut end_ns = i64::MIN;
    inside.retain(|span| {
        let is_outermost = end_ns <= span.start_ns;
        end_ns = end_ns.max(span.end_ns);
        is_outermost
    });
    deepest(case, around, by_function(inside))
}

fn deepest<'s, 'a>(
    case: &Case<'_>,
    around: &'s Surroundings<'_, 'a>,
    mut below: Vec<Callees<'s, 'a>>,
) -> Option<Part> {
    let most = |duration_ns: i64, text: String| Some(Part { duration_ns, is_most: true, text });
    let mut at: Option<Callees<'s, 'a>> = None;
    loop {
        below.sort_by_key(|callees| -callees.total_ns);
        let mut largest = below.into_iter();
        let Some(first) = largest.next() else {
            let at = at?;
            return most(at.total_ns, said(&at, around)?);
        };
        if case.is_most(first.total_ns) {
            below = callees(&first, around);
            at = Some(first);
            continue;
        }
        let duration_ns = first.total_ns;
        let second = largest.next();
        let both_ns = second.as_ref().map_or(0, |second| duration_ns.saturating_add(second.total_ns));
        return match (second, at) {
            (Some(second), _) if case.is_most(both_ns) => {
                most(both_ns, format!("{} and {}", said(&first, around)?, said(&second, around)?))
            }
            (_, Some(at)) => most(at.total_ns, said(&at, around)?),
            (_, None) => {
                let text = format!("most of all {}", said(&first, around)?);
                Some(Part { duration_ns, is_most: false, text })
            }
        };
    }
}

/// How long a task was off its CPU while it was in a call.
pub struct Away {
    pub total_ns: i64,
    /// The part of it in no call that was recorded inside of the call.
    pub own_ns: i64,
}

/// By the functions of the scheduler: between the last one that the task leaves by and the one that it comes back to.
/// Source: __schedule and finish_task_switch in kernel/sched/core.c, Linux 6.12.
pub fn away(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Away {
    let mut away = Away { total_ns: 0, own_ns: 0 };
    let Some(root) = root(case, around) else { return away };
    let mut inside: Vec<&Span<'_>> = around.spans.iter().filter(|span| is_inside(span, root)).collect();
    inside.sort_unstable_by_key(|span| span.start_ns);
    let name = |span: &Span<'_>| around.symbol_name(span.symbol_idx).unwrap_or_default();
    let pairs = inside.iter().zip(inside.iter().skip(1));
    for (before, after) in pairs.filter(|(before, after)| is_leaving(name(before)) && is_back(name(after))) {
        let gap_ns = after.start_ns.saturating_sub(before.end_ns).max(0);
        away.total_ns = away.total_ns.saturating_add(gap_ns);
        if before.depth == root.depth.saturating_add(1) {
            away.own_ns = away.own_ns.saturating_add(gap_ns);
        }
    }
    away
}

fn is_leaving(function: &str) -> bool {
    ["pick_next_", "put_prev_", "psi_task_switch", "__switch_to", "prepare_task_switch", "enter_lazy_tlb"]
        .iter()
        .any(|prefix| function.starts_with(prefix))
}

fn is_back(function: &str) -> bool {
    function.starts_with("finish_task_switch")
}

fn root<'s, 'a>(case: &Case<'_>, around: &'s Surroundings<'_, 'a>) -> Option<&'s Span<'a>> {
    around.spans.iter().find(|span| {
        span.kind == SliceKind::Call
            && span.cpu == case.cpu
            && span.start_ns == case.start_ns
            && span.end_ns == case.end_ns()
            && span.flags.is_outermost(span.depth)
    })
}

fn is_inside(span: &Span<'_>, of: &Span<'_>) -> bool {
    span.kind == SliceKind::Call
        && span.cpu == of.cpu
        && of.start_ns <= span.start_ns
        && span.end_ns <= of.end_ns
        && span.task_idx == of.task_idx
}

/// The functions that these calls called themselves.
fn callees<'s, 'a>(at: &Callees<'s, 'a>, around: &'s Surroundings<'_, 'a>) -> Vec<Callees<'s, 'a>> {
    let Some(first) = at.calls.first() else { return Vec::new() };
    let depth = first.depth.saturating_add(1);
    let mut callers = at.calls.clone();
    callers.sort_unstable_by_key(|call| call.start_ns);
    // Calls of one depth follow each other.
    let caller_of = |call: &Span<'_>| {
        let until = callers.partition_point(|caller| caller.start_ns <= call.start_ns);
        until.checked_sub(1).and_then(|last| callers.get(last)).filter(|caller| is_inside(call, caller))
    };
    by_function(around.spans.iter().filter(|span| span.depth == depth && caller_of(span).is_some()))
}

fn by_function<'s, 'a>(calls: impl IntoIterator<Item = &'s Span<'a>>) -> Vec<Callees<'s, 'a>> {
    let mut of_function: BTreeMap<i32, Callees<'s, 'a>> = BTreeMap::new();
    for call in calls {
        let none = || Callees { calls: Vec::new(), total_ns: 0 };
        let callees = of_function.entry(call.symbol_idx).or_insert_with(none);
        callees.calls.push(call);
        callees.total_ns = callees.total_ns.saturating_add(call.duration_ns());
    }
    of_function.into_values().collect()
}

/// `215 µs in tick_nohz_handler`, `6.3 ms in 512 calls of munlock_folio (each normally 6.1 µs)`
fn said(callees: &Callees<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let first = callees.calls.first()?;
    let (time, name) = (words::time(callees.total_ns), around.symbol_name(first.symbol_idx)?);
    match callees.calls.len() {
        1 => Some(format!("{time} in {name}{}", normally(first, around))),
        count => Some(format!("{time} in {} calls of {name}", grouped(count))),
    }
}

/// ` (normally 21 µs)`, where it took at least twice as long.
fn normally(call: &Span<'_>, around: &Surroundings<'_, '_>) -> String {
    let mut alike: Vec<i64> = around.nearby_runs(SliceKind::Call, call.symbol_idx).collect();
    alike.sort_unstable();
    let median_ns =
        alike.get(alike.len().saturating_sub(1).div_euclid(2)).copied().filter(|_| alike.len() >= MIN_COUNT);
    let told = median_ns.filter(|median_ns| call.duration_ns() >= median_ns.saturating_mul(2));
    told.map_or_else(String::new, |median_ns| format!(" (normally {})", words::time(median_ns)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::explain::explain_file;

    const HEADER: &str = "# tracer: function_graph
#
#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
#      |          |     |    |           |   |                     |   |   |   |
";

    /// The first call's sentence.
    fn check(calls: &str, expected: Expect) {
        let mut headline = String::new();
        explain_file(&format!("{HEADER}{calls}"), "call", |_, explanation, _| {
            if headline.is_empty() {
                headline = explanation.headline.clone();
            }
        });
        expected.assert_eq(&headline);
    }

    #[test]
    fn the_path_that_holds_half_of_a_call_is_named_at_its_end() {
        check(
            "   10.000000 |   0)    sh-7     |               |  sock_sendmsg() {
   10.000010 |   0)    sh-7     |   6.000 us    |    ip_make_skb();
   10.000020 |   0)    sh-7     |               |    ip_output() {
   10.000025 |   0)    sh-7     |   9.000 us    |      skb_copy();
   10.000040 |   0)    sh-7     |   8.000 us    |      skb_push();
   10.000050 |   0)    sh-7     |   7.000 us    |      skb_pull();
   10.000082 |   0)    sh-7     | + 62.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect!["sock_sendmsg on CPU 0 took 100 µs: 62 µs in ip_output"],
        );
    }

    #[test]
    fn two_that_hold_half_together_are_both_named() {
        check(
            "   10.000000 |   0)    sh-7     |               |  hrtimer_interrupt() {
   10.000010 |   0)    sh-7     | + 44.000 us   |    tick_nohz_handler();
   10.000060 |   0)    sh-7     | + 30.000 us   |    hrtimer_wakeup();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect![
                "hrtimer_interrupt on CPU 0 took 100 µs: 44 µs in tick_nohz_handler and 30 µs in hrtimer_wakeup"
            ],
        );
    }

    #[test]
    fn many_calls_of_one_function_are_one_part() {
        check(
            "   10.000000 |   0)    sh-7     |               |  mlock() {
   10.000010 |   0)    sh-7     | + 20.000 us   |    munlock_folio();
   10.000035 |   0)    sh-7     | + 30.000 us   |    munlock_folio();
   10.000070 |   0)    sh-7     | + 20.000 us   |    munlock_folio();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect!["mlock on CPU 0 took 100 µs: 70 µs in munlock_folio"],
        );
    }

    /// One that sleeps in it: the functions that the scheduler calls on the way are the least of it.
    #[test]
    fn of_many_parts_the_largest_is_named_be_it_no_function_at_all() {
        let call = |own_us: u32, away_us: u32, callee_us: u32| {
            let back_us = 2 + away_us;
            let end_us = back_us + 1 + callee_us + own_us;
            format!(
                "   10.000000 |   0)    sh-7     |               |  schedule() {{
   10.000000 |   0)    sh-7     |   1.000 us    |    pick_next_task_fair();
   10.000001 |   0)    sh-7     |   1.000 us    |    psi_task_switch();
   10.{back_us:06} |   0)    sh-7     |   1.000 us    |    finish_task_switch.isra.0();
   10.{:06} |   0)    sh-7     | {callee_us}.000 us   |    balance_fair();
   10.{end_us:06} |   0)    sh-7     | {end_us}.000 us  |  }}
",
                back_us + 1
            )
        };
        check(
            &call(20, 45, 30),
            expect!["schedule on CPU 0 took 98 µs: its task was switched out for 45 µs"],
        );
        check(
            &call(45, 20, 30),
            expect!["schedule on CPU 0 took 98 µs: most of all 45 µs in itself, outside the recorded calls"],
        );
        check(&call(30, 20, 45), expect!["schedule on CPU 0 took 98 µs: most of all 45 µs in balance_fair"]);
    }

    /// Its stamps are microseconds, so that its neighbour seems to begin in it.
    #[test]
    fn of_a_call_without_calls_nothing_is_left_to_say() {
        check(
            "   10.000000 |   0)    sh-7     |   3.056 us    |  pick_next_task_fair();
   10.000003 |   0)    sh-7     |   1.000 us    |  put_prev_task_fair();
",
            expect!["pick_next_task_fair on CPU 0 took 3.1 µs"],
        );
    }

    #[test]
    fn the_time_of_others_is_none_of_the_call_itself() {
        check(
            "   10.000000 |   0)    sh-7     |               |  schedule() {
   10.000010 |   0)   dd-8      | + 30.000 us   |  vfs_read();
   10.000040 |   0)    sh-7     |   1.000 us    |    update_rq_clock();
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect!["schedule on CPU 0 took 100 µs: 69 µs in itself, outside the recorded calls"],
        );
    }

    #[test]
    fn a_task_that_the_scheduler_took_from_the_cpu_was_switched_out() {
        check(
            "   10.000000 |   0)    sh-7     |               |  sock_close() {
   10.000010 |   0)    sh-7     |               |    static_key_slow_inc() {
   10.000012 |   0)    sh-7     |   1.000 us    |      pick_next_task_fair();
   10.000014 |   0)    sh-7     |   1.000 us    |      psi_task_switch();
   10.000080 |   0)    sh-7     |   1.000 us    |      finish_task_switch();
   10.000090 |   0)    sh-7     | + 80.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect!["sock_close on CPU 0 took 100 µs: its task was switched out for 65 µs"],
        );
    }
}

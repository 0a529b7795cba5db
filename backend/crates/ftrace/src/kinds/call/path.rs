//! Into which functions most of a call went: down the tree, as long as one of them holds half of it; or where it is known
//! what such calls take, half of what it took longer.

use std::collections::BTreeMap;

use crate::analyses::SliceKind;
use crate::explain::span::Span;
use crate::explain::{Case, Surroundings, words};

/// Of fewer calls nothing is normal.
const MIN_COUNT: usize = 5;

/// The calls of one function under the calls of another.
struct Callees<'s, 'a> {
    calls: Vec<&'s Span<'a>>,
    total_ns: i64,
}

/// `62 µs in ip_finish_output2`, `126 µs in tick_nohz_handler and 86 µs in hrtimer_wakeup`: the innermost function
/// that holds half of the call, or the two that do together. Else the largest of the many.
pub fn clause(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let root = root(case, around)?;
    let mut at = Callees { calls: vec![root], total_ns: root.duration_ns() };
    let mut is_root = true;
    loop {
        let mut below = callees(&at, around);
        below.sort_by_key(|callees| -callees.total_ns);
        let below_ns = below.iter().fold(0_i64, |sum, callees| sum.saturating_add(callees.total_ns));
        let own_ns = at.total_ns.saturating_sub(below_ns).max(0);
        let mut below = below.into_iter();
        match below.next() {
            Some(first) if case.is_most(first.total_ns) => {
                at = first;
                is_root = false;
            }
            Some(first) => {
                let second = below.next().filter(|second| second.total_ns >= own_ns);
                let (second_ns, second) = match second {
                    Some(second) => (second.total_ns, said(&second, around)?),
                    None => (own_ns, own(&at, own_ns, is_root, around)?),
                };
                let is_both = case.is_most(first.total_ns.saturating_add(second_ns));
                return match is_both {
                    true if second_ns > first.total_ns => {
                        Some(format!("{second} and {}", said(&first, around)?))
                    }
                    true => Some(format!("{} and {second}", said(&first, around)?)),
                    false if !is_root => said(&at, around),
                    false => Some(format!("most of all {}", said(&first, around)?)),
                };
            }
            None => return said(&at, around).filter(|_| !is_root),
        }
    }
}

/// `8.9 µs in __sock_create itself`: outside of the calls that are recorded of it.
fn own(at: &Callees<'_, '_>, ns: i64, is_root: bool, around: &Surroundings<'_, '_>) -> Option<String> {
    let time = words::time(ns);
    match (is_root, at.calls.as_slice()) {
        (true, _) => Some(format!("{time} in itself")),
        (false, [one]) => Some(format!("{time} in {} itself", around.symbol_name(one.symbol_idx)?)),
        (false, many) => {
            let name = around.symbol_name(many.first()?.symbol_idx)?;
            Some(format!("{time} in {} calls of {name} themselves", many.len()))
        }
    }
}

/// `51 µs in tick_do_update_jiffies64 (normally 2.1 µs)`: the innermost function that took half of what the call took
/// longer than such calls do; nothing of a call that is not known to have taken much longer.
pub fn excess(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let root = root(case, around)?;
    let more_ns = root.duration_ns().saturating_sub(usual_ns(root.symbol_idx, around)?);
    // What takes hardly longer than usual has no excess to explain.
    if more_ns < root.duration_ns().div_euclid(2) {
        return None;
    }
    let is_half = |ns: i64| ns >= more_ns.saturating_sub(ns);
    let mut at = Callees { calls: vec![root], total_ns: root.duration_ns() };
    let mut found = None;
    loop {
        let more = callees(&at, around).into_iter().filter_map(|callees| {
            let usual_ns = usual_ns(callees.calls.first()?.symbol_idx, around)?;
            let usual_ns = usual_ns.saturating_mul(i64::try_from(callees.calls.len()).ok()?);
            Some((callees.total_ns.saturating_sub(usual_ns), callees))
        });
        let Some((_, next)) = more.max_by_key(|(ns, _)| *ns).filter(|(ns, _)| is_half(*ns)) else {
            return found.and_then(|at: Callees<'_, '_>| said(&at, around));
        };
        at = Callees { calls: next.calls.clone(), total_ns: next.total_ns };
        found = Some(next);
    }
}

/// How long the task was off its CPU while it was in the call, by the functions of the scheduler: between the last one
/// that the task leaves by and the one that it comes back to.
/// Source: __schedule and finish_task_switch in kernel/sched/core.c, Linux 6.12.
pub fn away_ns(case: &Case<'_>, around: &Surroundings<'_, '_>) -> i64 {
    let Some(root) = root(case, around) else { return 0 };
    let mut inside: Vec<&Span<'_>> = around.spans.iter().filter(|span| is_inside(span, root)).collect();
    inside.sort_unstable_by_key(|span| span.start_ns);
    let name = |span: &Span<'_>| around.symbol_name(span.symbol_idx).unwrap_or_default();
    let pairs = inside.iter().zip(inside.iter().skip(1));
    let switches = pairs.filter(|(before, after)| is_leaving(name(before)) && is_back(name(after)));
    let gaps = switches.map(|(before, after)| after.start_ns.saturating_sub(before.end_ns).max(0));
    gaps.fold(0, i64::saturating_add)
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
            && span.depth == 0
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
    let mut of_function: BTreeMap<i32, Callees<'s, 'a>> = BTreeMap::new();
    for call in around.spans.iter().filter(|span| span.depth == depth) {
        if caller_of(call).is_some() {
            let none = || Callees { calls: Vec::new(), total_ns: 0 };
            let callees = of_function.entry(call.symbol_idx).or_insert_with(none);
            callees.calls.push(call);
            callees.total_ns = callees.total_ns.saturating_add(call.duration_ns());
        }
    }
    of_function.into_values().collect()
}

/// `215 µs in tick_nohz_handler`, `6.3 ms in 512 calls of munlock_folio (each normally 6.1 µs)`
fn said(callees: &Callees<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let first = callees.calls.first()?;
    let (time, name) = (words::time(callees.total_ns), around.symbol_name(first.symbol_idx)?);
    match callees.calls.len() {
        1 => Some(format!("{time} in {name}{}", normally(first, around))),
        count => Some(format!("{time} in {count} calls of {name}")),
    }
}

/// ` (normally 21 µs)`, where it took at least twice as long.
fn normally(call: &Span<'_>, around: &Surroundings<'_, '_>) -> String {
    let usual_ns = usual_ns(call.symbol_idx, around);
    let told = usual_ns.filter(|usual_ns| call.duration_ns() >= usual_ns.saturating_mul(2));
    told.map_or_else(String::new, |usual_ns| format!(" (normally {})", words::time(usual_ns)))
}

/// The median of the calls of a function around the case, where they are enough.
fn usual_ns(symbol_idx: i32, around: &Surroundings<'_, '_>) -> Option<i64> {
    let mut alike: Vec<i64> = around.nearby_runs(SliceKind::Call, symbol_idx).collect();
    if alike.len() < MIN_COUNT {
        return None;
    }
    let middle = alike.len().saturating_sub(1).div_euclid(2);
    let (_, median_ns, _) = alike.select_nth_unstable(middle);
    Some(*median_ns)
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

    fn check(calls: &str, expected: Expect) {
        let mut headline = String::new();
        explain_file(&format!("{HEADER}{calls}"), "call", |_, explanation, _| {
            headline = explanation.headline.clone()
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

    #[test]
    fn what_a_function_does_itself_is_one_of_its_parts() {
        check(
            "   10.000000 |   0)    sh-7     |               |  __sys_socket() {
   10.000005 |   0)    sh-7     |               |    __sock_create() {
   10.000010 |   0)    sh-7     | + 40.000 us   |      inet_create();
   10.000080 |   0)    sh-7     |   3.000 us    |      security_socket_create();
   10.000085 |   0)    sh-7     | + 80.000 us   |    }
   10.000100 |   0)    sh-7     | ! 100.000 us  |  }
",
            expect![
                "__sys_socket on CPU 0 took 100 µs: 40 µs in inet_create and 37 µs in __sock_create itself"
            ],
        );
    }

    /// One call of many takes longer for what one of its callees takes longer, however much another takes each time.
    #[test]
    fn what_takes_longer_than_usual_is_named_not_what_always_takes_long() {
        for (usual_us, slow_us, calls) in [(40_i64, 70_i64, 12_i64), (45, 90, 6), (20, 30, 30)] {
            let mut text = String::new();
            for number in 0..calls {
                let (at_us, rare_us) = (number * 1_000, if number == 3 { slow_us } else { 1 });
                let whole_us = usual_us + rare_us + 5;
                text += &format!(
                    "   10.{at_us:06} |   0)    sh-7     |               |  hrtimer_interrupt() {{
   10.{:06} |   0)    sh-7     | + {usual_us}.000 us   |    update_process_times();
   10.{:06} |   0)    sh-7     | + {rare_us}.000 us   |    tick_do_update();
   10.{:06} |   0)    sh-7     | + {whole_us}.000 us   |  }}
",
                    at_us + 1,
                    at_us + 2 + usual_us,
                    at_us + whole_us,
                );
            }
            let mut said = Vec::new();
            explain_file(&format!("{HEADER}{text}"), "call", |case, explanation, _| {
                said.push((case.duration_ns, explanation.headline.clone()));
            });
            let (slowest_ns, slowest) = said.iter().max().unwrap();
            assert_eq!(said.len(), usize::try_from(calls).unwrap());
            let is_much = slowest_ns - (usual_us + 6) * 1_000 >= slowest_ns / 2;
            let named = format!("{slow_us} µs in tick_do_update (normally 1.0 µs)");
            assert_eq!(slowest.ends_with(&named), is_much, "{slowest}");
            let others = said.iter().filter(|(ns, _)| ns != slowest_ns);
            for (_, other) in others {
                assert!(other.ends_with(&format!("{usual_us} µs in update_process_times")), "{other}");
            }
        }
    }
}

//! Into which functions most of a call or of a section went.

mod traced;
mod tree;

use super::span::Span;
use super::{Case, Surroundings, words};
use crate::analyses::SliceKind;

pub use tree::Part;
use tree::{Call, Callees, Tree, by_function};

pub use traced::most_of_functions;

/// Of fewer calls nothing is normal.
const MIN_COUNT: usize = 5;

/// `62 µs in ip_finish_output2`, `126 µs in tick_nohz_handler and 86 µs in hrtimer_wakeup`: the innermost function
/// that holds half of the call, or the two that do together. Else the largest of the many.
pub fn most(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Part> {
    in_root(case, around, |tree, root| tree.deepest(true, tree.below(&Callees::of(root))))
}

/// The same of a section, by the calls in it.
pub fn most_of_section(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Part> {
    let is_inside = |span: &&Span<'_>| {
        let is_whole = case.start_ns <= span.start_ns && span.end_ns <= case.end_ns();
        span.kind == SliceKind::Call && span.cpu == case.cpu && is_whole
    };
    let spans = around.spans.iter().filter(is_inside);
    let all: Vec<Call<'_>> = spans.map(|span| call(span, around)).collect();
    let mut outermost = all.clone();
    outermost.sort_unstable_by_key(|call| (call.start_ns, -call.end_ns, call.depth));
    let mut end_ns = i64::MIN;
    outermost.retain(|call| {
        let is_outermost = end_ns <= call.start_ns;
        end_ns = end_ns.max(call.end_ns);
        is_outermost
    });
    let usual_ns = |call: &Call<'_>| usual_ns(call, around);
    Tree { case, all: &all, usual_ns: &usual_ns }.deepest(false, by_function(&outermost))
}

/// `2.4 µs in apparmor_task_getsecid`: the largest of the functions that a call called itself, where it took a third of it.
pub fn largest_callee(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    in_root(case, around, |tree, root| tree.largest_of(root))
}

/// Asks something of the calls in the call that is the case.
fn in_root<'s, T>(
    case: &Case<'_>,
    around: &'s Surroundings<'_, '_>,
    ask: impl FnOnce(Tree<'_, 's>, Call<'s>) -> Option<T>,
) -> Option<T> {
    let root = root(case, around)?;
    let inside = around.spans.iter().filter(|span| is_inside(span, root));
    let all: Vec<Call<'s>> = inside.map(|span| call(span, around)).collect();
    let usual_ns = |call: &Call<'_>| usual_ns(call, around);
    ask(Tree { case, all: &all, usual_ns: &usual_ns }, call(root, around))
}

/// ` (normally 3.1 µs)`, where the call that is the case took at least twice as long as such calls do as a rule.
pub fn normally(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let usual_ns = usual_ns(&call(root(case, around)?, around), around)?;
    Some(format!(" (normally {})", words::time(usual_ns)))
}

/// How long such calls take as a rule, where this one took at least twice as long.
fn usual_ns(call: &Call<'_>, around: &Surroundings<'_, '_>) -> Option<i64> {
    let mut alike: Vec<i64> = around.nearby_runs(SliceKind::Call, call.symbol_idx?).collect();
    alike.sort_unstable();
    let median_ns = alike.get(alike.len().saturating_sub(1).div_euclid(2)).copied();
    let median_ns = median_ns.filter(|_| alike.len() >= MIN_COUNT)?;
    let took_ns = call.end_ns.saturating_sub(call.start_ns);
    (took_ns >= median_ns.saturating_mul(2)).then_some(median_ns)
}

fn call<'s>(span: &Span<'_>, around: &'s Surroundings<'_, '_>) -> Call<'s> {
    Call {
        name: around.symbol_name(span.symbol_idx).unwrap_or_default(),
        symbol_idx: Some(span.symbol_idx),
        start_ns: span.start_ns,
        end_ns: span.end_ns,
        depth: i32::from(span.depth),
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

#[cfg(test)]
mod tests;

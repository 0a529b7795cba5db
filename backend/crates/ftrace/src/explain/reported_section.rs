//! What a tracer's report of a section with interrupts or preemption off says: whose it was, and what took most of it.
//!
//! Source: kernel/trace/trace_irqsoff.c, Linux 6.12.

use std::collections::BTreeMap;

use super::blame::Blame;
use super::call_parts;
use super::case::Case;
use super::headline::Findings;
use super::phrases;
use super::place::NAMELESS;
use super::surroundings::{Seen, Surroundings};
use super::words;
use crate::analyses::{Cause, SampleFlags, SliceKind};
use crate::calls::is_interrupt_entry;
use crate::model::Flags;

/// The functions that run a vector of softirqs, as stacks name them.
/// Source: calls of open_softirq, Linux 2.6 to 6.18.
const SOFTIRQS: [(&str, &str); 12] = [
    ("rcu_core", "RCU"),
    ("rcu_process_callbacks", "RCU"),
    ("net_rx_action", "NET_RX"),
    ("net_tx_action", "NET_TX"),
    ("run_timer_softirq", "TIMER"),
    ("hrtimer_run_softirq", "HRTIMER"),
    ("tasklet_action", "TASKLET"),
    ("tasklet_hi_action", "HI"),
    ("blk_done_softirq", "BLOCK"),
    ("irq_poll_softirq", "IRQ_POLL"),
    ("run_rebalance_domains", "SCHED"),
    ("sched_balance_softirq", "SCHED"),
];
/// With fewer records than this, only the two ends are reported.
const ENDS: usize = 4;

/// `Interrupts were off`, as `what` says, or that preemption may have been off instead: the `preemptirqsoff` tracer takes the
/// time in which either is, and one of its records, in the middle, shows the other one alone.
pub fn what_was_off(case: &Case<'_>, around: &Surroundings<'_, '_>, what: &'static str) -> &'static str {
    let is_of_both = |event: &Seen<'_>| match case.kind.slice_kind() {
        Some(SliceKind::Irqsoff) => !has(event, Flags::IRQS_OFF),
        _ => Flags(event.flags.cast_unsigned()).preempt_depth() == 0,
    };
    let middle = |event: &&Seen<'_>| case.start_ns < event.t_ns && event.t_ns < case.end_ns();
    let mut inside = inside(case, around).filter(|event| middle(event) && has(event, Flags::KNOWN));
    let is_either = case.flags.has(SampleFlags::REPORTED) && inside.any(is_of_both);
    if is_either { "Interrupts or preemption were off" } else { what }
}

/// ` (dd-191)`, or what runs on top of it: ` (softirq RCU on top of dd-191)`.
pub fn owner(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let task = around.task_name(case.task_idx, case.end_ns());
    let events = || inside(case, around);
    let all_have = |bit: u32| events().next().is_some() && events().all(|event| has(event, bit));
    let frames = || {
        // The tracer writes the stack when the section is over.
        let stacks = around.stacks.iter().filter(|stack| stack.t_ns >= case.start_ns);
        stacks.flat_map(|stack| &stack.frames).copied()
    };
    let on_top = |what: String| match &task {
        Some(task) => format!(" ({what} on top of {task})"),
        None => format!(" ({what})"),
    };
    // The section goes on across a switch, and the tracer names whom it ends in.
    let first = || events().next().map(|event| event.task_idx).filter(|idx| *idx != case.task_idx);
    let before = || {
        let idx = first()?;
        if around.is_idle_task(idx) {
            Some("the idle task".to_owned())
        } else {
            around.task_name(idx, case.start_ns)
        }
    };
    if !case.flags.has(SampleFlags::REPORTED) {
        phrases::in_task(case, around)
    } else if let Some(before) = before().filter(|before| task.as_ref().is_some_and(|task| task != before)) {
        task.as_ref().map_or(String::new(), |task| format!(" ({before}, then {task})"))
    } else if all_have(Flags::HARDIRQ) {
        let name = frames().find(|frame| is_interrupt_entry(frame.as_bytes()));
        on_top(
            name.map_or("an interrupt".to_owned(), |name| {
                format!("interrupt {}", name.trim_start_matches("__"))
            }),
        )
    } else if all_have(Flags::SOFTIRQ) {
        let is_of =
            |frame: &str, function: &str| frame == function || frame.starts_with(&format!("{function}."));
        let name = frames().find_map(|frame| SOFTIRQS.iter().find(|(function, _)| is_of(frame, function)));
        on_top(name.map_or("a softirq".to_owned(), |(_, name)| format!("softirq {name}")))
    } else {
        phrases::in_task(case, around)
    }
}

/// What ran in it: `from a to b, 63 % of it in f ← g`
pub fn clause(findings: &Findings<'_, '_>) -> Option<String> {
    let case = findings.case;
    let is_section = |row: &&Blame<'_>| matches!(row.cause, Cause::Irqsoff | Cause::Preemptoff);
    if !findings.blame.first().is_some_and(|row| is_section(&row)) {
        return findings.largest_cause();
    }
    let interrupted_ns = interrupted_ns(case, findings.around);
    let called = || call_parts::most_of_section(case, findings.around).filter(|part| part.is_most);
    let what = if let Some(part) = called() {
        Some(part.text)
    } else if case.is_most(interrupted_ns) {
        Some(format!("interrupts and softirqs ran in it for {}", words::time(interrupted_ns)))
    } else {
        let rows = findings.blame.iter().filter(is_section);
        let is_news = |row: &&Blame<'_>| case.key != Some(&row.what) && row.what != NAMELESS;
        let rows: Vec<&Blame<'_>> = rows.filter(|row| !row.is_rest() && is_news(row)).collect();
        // Time behind an event is no function's.
        let first = findings.blame.iter().find(|row| case.key == Some(&row.what) && !row.is_rest());
        let first_ns = first.map_or(0, |row| row.duration_ns);
        match (hole(case, findings.around), in_function(&rows, findings)) {
            (None, Some((text, ns))) if ns < first_ns && findings.is_much(first_ns) => {
                Some(format!("{} before the next record, {text}", words::share(first_ns, case.duration_ns)))
            }
            (Some(hole), Some((text, ns))) if hole.is_of_function && hole.ns <= ns => Some(text),
            (Some(hole), _) => Some(hole.text),
            (None, function) => function.map(|(text, _)| text),
        }
    };
    let parts: Vec<String> = findings.parts.clause.iter().cloned().chain(what).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The function in which most of it went. What follows the entry of a function is its own time or that of its caller:
/// where the functions that one caller called have clearly more than the longest of them, the caller is meant.
fn in_function(rows: &[&Blame<'_>], findings: &Findings<'_, '_>) -> Option<(String, i64)> {
    let caller_of = |what: &str| what.split_once(" ← ").map(|(_, caller)| caller.to_owned());
    // It is no news that the function that began the section called most in it.
    let first = findings.case.key.and_then(caller_of);
    let mut callers: BTreeMap<String, i64> = BTreeMap::new();
    for row in rows {
        if let Some(caller) = caller_of(&row.what).filter(|caller| Some(caller) != first.as_ref()) {
            let total_ns = callers.entry(caller).or_default();
            *total_ns = total_ns.saturating_add(row.duration_ns);
        }
    }
    let longest = rows.iter().max_by_key(|row| row.duration_ns)?;
    let caller = callers.into_iter().max_by_key(|(_, ns)| *ns);
    let clearly_more = |ns: i64| ns.saturating_sub(longest.duration_ns) >= longest.duration_ns.div_euclid(5);
    let (name, ns) = match caller.filter(|(_, ns)| clearly_more(*ns)) {
        Some(caller) => caller,
        None => (longest.what.clone(), longest.duration_ns),
    };
    let share = || words::share(ns, findings.case.duration_ns);
    findings.is_much(ns).then(|| (format!("{} in {}", share(), phrases::without_hook(&name)), ns))
}

/// How long interrupts and softirqs ran on top of what had switched preemption off: between two records that both lie in
/// one. Nothing where the section itself is theirs, or where interrupts are off.
fn interrupted_ns(case: &Case<'_>, around: &Surroundings<'_, '_>) -> i64 {
    let events: Vec<&Seen<'_>> = inside(case, around).collect();
    let is_interrupted = |event: &Seen<'_>| has(event, Flags::HARDIRQ) || has(event, Flags::SOFTIRQ);
    let is_theirs = events.first().is_none_or(|first| is_interrupted(first));
    if is_theirs || case.kind.slice_kind() != Some(SliceKind::Preemptoff) {
        return 0;
    }
    let losses = around.sorted_losses(case.cpu);
    let is_whole = |from_ns: i64, to_ns: i64| {
        let next = losses.get(losses.partition_point(|loss| loss.start_ns < from_ns));
        next.is_none_or(|loss| loss.start_ns >= to_ns)
    };
    let pairs = events.windows(2).filter_map(|pair| match pair {
        [one, other]
            if is_interrupted(one)
                && is_interrupted(other)
                && !are_two_interrupts(one, other)
                && is_whole(one.t_ns, other.t_ns) =>
        {
            Some(other.t_ns.saturating_sub(one.t_ns))
        }
        _ => None,
    });
    pairs.fold(0, i64::saturating_add)
}

/// The exit of one interrupt and the entry of the next, with no softirq below both: in between lies what they interrupted.
fn are_two_interrupts(one: &Seen<'_>, other: &Seen<'_>) -> bool {
    let is_of_one_softirq = has(one, Flags::SOFTIRQ) && has(other, Flags::SOFTIRQ);
    one.ends_interrupt() && other.begins_interrupt() && other.is_in_hard_interrupt() && !is_of_one_softirq
}

/// Half of a section or more between two records, among records that follow each other closely elsewhere.
struct Hole {
    text: String,
    ns: i64,
    /// The first of the records is a function.
    is_of_function: bool,
}

fn hole(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Hole> {
    let events: Vec<&Seen<'_>> = inside(case, around).collect();
    if events.len() <= ENDS {
        return None;
    }
    let gap = |pair: &&[&Seen<'_>]| match pair {
        [one, other] => other.t_ns.saturating_sub(one.t_ns),
        _ => 0,
    };
    let widest = events.windows(2).max_by_key(gap)?;
    let [one, other] = widest else { return None };
    let is_function = |event: &Seen<'_>| around.event_name(event) == "function";
    let name = |event: &Seen<'_>| match is_function(event) {
        true => event.args.split(" <-").next().unwrap_or_default().to_owned(),
        false => around.event_name(event).to_owned(),
    };
    let ns = gap(&widest);
    let text =
        || format!("nothing recorded for {} between {} and {}", words::time(ns), name(one), name(other));
    case.is_most(ns).then(|| Hole { text: text(), ns, is_of_function: is_function(one) })
}

fn inside<'s, 'a>(case: &Case<'_>, around: &'s Surroundings<'_, 'a>) -> impl Iterator<Item = &'s Seen<'a>> {
    let (cpu, reach) = (case.cpu, case.start_ns..=case.end_ns());
    let events = around.events.iter();
    // The mark of a stack follows the section.
    events
        .filter(move |event| event.cpu == cpu && reach.contains(&event.t_ns) && event.args != "<stack trace>")
}

fn has(event: &Seen<'_>, bit: u32) -> bool {
    Flags(event.flags.cast_unsigned()).has(bit)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::explain::check_file_headline;

    fn check(tracer: &str, lines: &str, expected: Expect) {
        let text = format!(
            "# tracer: {tracer}
#
# {tracer} latency trace v1.1.5 on 6.12.95
# --------------------------------------------------------------------
# latency: 100 us, #5/5, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: dd-191 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#
#                    _------=> CPU#
#                   / _-----=> irqs-off/BH-disabled
#                  | / _----=> need-resched
#                  || / _---=> hardirq/softirq
#                  ||| / _--=> preempt-depth
#                  |||| / _-=> migrate-disable
#                  ||||| /     delay
#  cmd     pid     |||||| time  |   caller
#     \\   /        ||||||  \\    |    /
{}",
            lines.trim_start_matches('\n')
        );
        let kind = if tracer == "preemptirqsoff" { "irqsoff" } else { tracer };
        check_file_headline(&text, kind, expected);
    }

    #[test]
    fn a_section_of_a_softirq_is_not_of_the_task_below_it() {
        check(
            "irqsoff",
            "
      dd-191       0dNs2.    0us!: _raw_spin_lock_irqsave <-free_pcppages_bulk
      dd-191       0dNs3.  100us : _raw_spin_unlock_irqrestore <-free_pcppages_bulk
      dd-191       0dNs3.  101us : <stack trace>
 => free_pcppages_bulk
 => rcu_do_batch
 => rcu_core
 => handle_softirqs
",
            expect![[r#"
                Interrupts were off for 100 µs on CPU 0 in irqsoff (softirq RCU on top of dd-191): all of it in _raw_spin_lock_irqsave ← free_pcppages_bulk
            "#]],
        );
    }

    #[test]
    fn a_section_of_either_says_so() {
        check(
            "preemptirqsoff",
            "
      <idle>-0       0dN.1.    1us*: default_idle_call <-do_idle
      <idle>-0       0d..2.   60us : sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=dd next_pid=191 next_prio=120
      dd-191       0d.h1.   70us : local_timer_entry: vector=236
      dd-191       0d.h1.   80us : local_timer_exit: vector=236
      dd-191       0...1.   90us : finish_task_switch <-schedule
      dd-191       0...1.  100us : preempt_count_sub <-schedule
",
            expect![[r#"
                Interrupts or preemption were off for 100 µs on CPU 0 in irqsoff (the idle task, then dd-191): 59 % of it in default_idle_call ← do_idle
            "#]],
        );
    }

    #[test]
    fn a_section_that_goes_on_across_a_switch_names_both_tasks() {
        check(
            "irqsoff",
            "
      rcu_pre-16       0d..1.    0us*: __schedule <-schedule
      rcu_pre-16       0d..2.   80us : finish_task_switch <-__schedule
      dd-191       0d..2.   90us : finish_task_switch <-__schedule
      dd-191       0d..2.  100us : trace_hardirqs_on <-schedule
",
            expect![[r#"
                Interrupts were off for 100 µs on CPU 0 in irqsoff (rcu_pre-16, then dd-191): 80 % of it in __schedule ← schedule
            "#]],
        );
    }

    #[test]
    fn calls_of_a_section_are_told_by_what_they_call_in_all() {
        check(
            "preemptoff",
            "
        0 us |   0)     dd-191   |  ...1. |   0.500 us    |  _raw_spin_lock();
        2 us |   0)     dd-191   |  ...2. |               |  munlock_folio() {
        3 us |   0)     dd-191   |  ...2. |  20.000 us    |    lru_add();
       24 us |   0)     dd-191   |  ...2. |  10.000 us    |    lru_del();
       40 us |   0)     dd-191   |  ...1. |  38.000 us    |  }
       41 us |   0)     dd-191   |  ...2. |               |  munlock_folio() {
       42 us |   0)     dd-191   |  ...2. |  20.000 us    |    lru_add();
       63 us |   0)     dd-191   |  ...2. |  10.000 us    |    lru_del();
       79 us |   0)     dd-191   |  ...1. |  38.000 us    |  }
       99 us |   0)     dd-191   |  ...1. |   0.500 us    |  _raw_spin_unlock();
",
            expect![[r#"
                Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): 40 µs in 2 calls of lru_add and 20 µs in 2 calls of lru_del
            "#]],
        );
    }

    #[test]
    fn the_longest_part_is_named_be_it_the_first_record_itself() {
        check(
            "irqsoff",
            "
      dd-191       0d..1.    0us*: __schedule <-schedule
      dd-191       0d..2.   51us*: finish_task_switch <-__schedule
      dd-191       0d..2.  100us : trace_hardirqs_on <-schedule
",
            expect![[r#"
                Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): 51 % of it in __schedule ← schedule
            "#]],
        );
    }

    #[test]
    fn what_runs_on_top_of_a_section_is_what_it_was_long_for() {
        check(
            "preemptoff",
            "
      dd-191       0...1.    0us : _raw_spin_lock_irqsave <-wake_up_new_task
      dd-191       0d..1.   12us : irq_enter <-smp_apic_timer_interrupt
      dd-191       0d.h1.   13us : hrtimer_interrupt <-smp_apic_timer_interrupt
      dd-191       0d.s2.   36us : __do_softirq <-call_softirq
      dd-191       0dNs2.   90us : __local_bh_enable <-__do_softirq
      dd-191       0dN.2.  100us : _raw_spin_unlock <-wake_up_new_task
",
            expect![[r#"
                Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): interrupts and softirqs ran in it for 77 µs
            "#]],
        );
    }

    #[test]
    fn what_lies_between_two_interrupts_is_not_theirs() {
        check(
            "preemptoff",
            "
      dd-191       0...1.    0us!: _raw_spin_lock <-wake_up_new_task
      dd-191       0d.h1.   20us : local_timer_entry: vector=236
      dd-191       0d.h1.   30us!: local_timer_exit: vector=236
      dd-191       0d.h1.   80us : local_timer_entry: vector=236
      dd-191       0d.h1.   90us : local_timer_exit: vector=236
      dd-191       0dN.2.  100us : _raw_spin_unlock <-wake_up_new_task
",
            expect![[r#"
                Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): nothing recorded for 50 µs between local_timer_exit and local_timer_entry
            "#]],
        );
    }

    #[test]
    fn functions_that_one_caller_calls_in_a_loop_are_told_by_their_caller() {
        check(
            "preemptoff",
            "
      dd-191       0...1.    0us : _raw_spin_lock <-__pte_offset_map_lock
      dd-191       0...1.    2us : __rcu_read_lock <-mlock_folio_batch
      dd-191       0...1.   32us : __rcu_read_unlock <-mlock_folio_batch
      dd-191       0...1.   72us : __rcu_read_lock <-mlock_folio_batch
      dd-191       0...1.   92us : other <-mlock_pte_range
      dd-191       0...1.  100us : _raw_spin_unlock <-mlock_pte_range
",
            expect![[r#"
                Preemption was off for 100 µs on CPU 0 in preemptoff (dd-191): 90 % of it in mlock_folio_batch
            "#]],
        );
    }

    #[test]
    fn a_hole_among_functions_is_told_as_one() {
        check(
            "irqsoff",
            "
      dd-191       0d....    0us!: trace_hardirqs_off_thunk <-reschedule_interrupt
      dd-191       0d....   88us : smp_reschedule_interrupt <-reschedule_interrupt
      dd-191       0d.h..   90us : scheduler_ipi <-smp_reschedule_interrupt
      dd-191       0d.h..   91us : irq_exit <-smp_reschedule_interrupt
      dd-191       0d....   95us : idle_cpu <-irq_exit
      dd-191       0d....  100us : trace_hardirqs_on_thunk <-restore_all_notrace
",
            expect![[r#"
                Interrupts were off for 100 µs on CPU 0 in irqsoff (dd-191): 88 % of it in reschedule_interrupt
            "#]],
        );
    }
}

//! Recordings with one planted cause each, in many variants: the chain must name it, whom it is about and from when to
//! when. And the same recordings without one thing that the cause needs: there the chain must not name it.

mod callee;
mod few;
mod field;
mod idle;
mod pairs;
mod quota;
mod soft;
mod task;
mod ticks;
mod timer;
mod trace;
mod wait;

use super::{Link, Mechanism};
use crate::explain::{Explanation, Surroundings};
use crate::testing::explain::explain_file;
use trace::{Dice, Trace, Who};

const VARIANTS: u64 = 100;
/// What lies between two events of the way is counted to either side.
const NEAR_NS: i64 = 12_000;

/// What is planted: who or what does it, from when to when.
struct Planted {
    trace: Trace,
    /// The kind of the case.
    kind: &'static str,
    mechanism: Mechanism,
    subject: Option<String>,
    from_us: u64,
    to_us: u64,
    is_also: bool,
    /// What the sentence says besides.
    says: Option<&'static str>,
}

impl Planted {
    fn new(trace: Trace, kind: &'static str, mechanism: Mechanism, (from_us, to_us): (u64, u64)) -> Self {
        Self { trace, kind, mechanism, subject: None, from_us, to_us, is_also: false, says: None }
    }

    fn by(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    fn saying(self, says: Option<&'static str>) -> Self {
        Self { says, ..self }
    }

    /// It holds beside what is named.
    fn beside(self) -> Self {
        Self { is_also: true, ..self }
    }
}

/// A generator gets its dice, how long the cause is to last, and whether it is to be there at all.
fn check(make: impl Fn(&mut Dice, u64, bool) -> Planted) {
    let mut wrong = Vec::new();
    for variant in 0..VARIANTS {
        for is_planted in [true, false] {
            let mut dice = Dice::new(variant);
            let length_us = dice.roll(60, 2_000);
            let planted = make(&mut dice, length_us, is_planted);
            if let Err(problem) = judge(planted, is_planted) {
                let what = if is_planted { "with" } else { "without" };
                wrong.push(format!("variant {variant}, {what} the cause: {problem}"));
            }
        }
    }
    let first = wrong.first();
    assert!(first.is_none(), "{} of {} wrong\n{}", wrong.len(), VARIANTS * 2, first.unwrap());
}

fn judge(planted: Planted, is_planted: bool) -> Result<(), String> {
    let Planted { trace, kind, mechanism, subject, from_us, to_us, is_also, says } = planted;
    let (first_us, text) = trace.text();
    let to_ns = |t_us: u64| i64::try_from(t_us - first_us).unwrap() * 1_000;
    let (from_ns, to_ns) = (to_ns(from_us), to_ns(to_us));
    let mut seen = false;
    let mut found = Ok(());
    explain_file(&text, kind, |case, explanation, around| {
        if !(case.start_ns < to_ns && from_ns < case.end_ns()) || case.comm == Some("bystander") {
            return;
        }
        let context = || format!("{}\n{text}", printed(explanation));
        let is_named = |link: &&Link<'_>| {
            let is_mechanism =
                if is_also { link.also.contains(&mechanism) } else { link.mechanism == mechanism };
            is_mechanism && subject.as_deref().is_none_or(|subject| subject_of(link, around) == subject)
        };
        let links: Vec<_> = explanation.why.iter().filter(is_named).collect();
        let named_ns: i64 = links.iter().map(|link| link.duration_ns()).sum();
        if !is_planted {
            if named_ns > NEAR_NS {
                found = Err(format!("named for {named_ns} ns\n{}", context()));
            }
            return;
        }
        seen = true;
        let first_ns = links.first().map(|link| link.start_ns);
        let last_ns = links.last().map(|link| link.end_ns);
        let is_near = |a: Option<i64>, b: i64| a.is_some_and(|a| (a - b).abs() <= NEAR_NS);
        if !is_near(first_ns, from_ns) || !is_near(last_ns, to_ns) {
            found = Err(format!("not named from {from_ns} to {to_ns}\n{}", context()));
        } else if named_ns * 10 < (to_ns - from_ns - NEAR_NS) * 9 {
            found = Err(format!("named for {named_ns} ns of {from_ns} to {to_ns}\n{}", context()));
        } else if !is_also
            && case.duration_ns < named_ns * 2
            && !is_said(&explanation.headline, &links, around)
        {
            found = Err(format!("not in the headline\n{}", context()));
        }
        if let Some(says) = says.filter(|says| !links.iter().any(|link| link.sentence.contains(says))) {
            found = Err(format!("not said: {says}\n{}", context()));
        }
        let words = explanation.headline.split_whitespace().count();
        if words > 30 {
            found = Err(format!("{words} words\n{}", context()));
        }
    });
    if is_planted && !seen {
        return Err(format!("no such case\n{text}"));
    }
    found
}

fn subject_of(link: &Link<'_>, around: &Surroundings<'_, '_>) -> String {
    link.subject.map_or_else(String::new, |subject| subject.name(around, link.end_ns))
}

/// The headline names the subject: by its name, or by its pid where words are short.
fn is_said(headline: &str, links: &[&Link<'_>], around: &Surroundings<'_, '_>) -> bool {
    links.iter().any(|link| {
        let name = subject_of(link, around);
        let pid = name.rsplit_once('-').map(|(_, pid)| format!("pid {pid}"));
        let is_own = (link.mechanism == Mechanism::ArmedLate && headline.contains("it started its timer"))
            || (link.is_for_others && headline.contains("in the handlers of other timers"))
            || (link.is_soft && headline.contains("the interrupt that raised it"))
            || (link.mechanism == Mechanism::Throttled && headline.contains("it was throttled"));
        is_own || headline.contains(&name) || pid.is_some_and(|pid| headline.contains(&pid))
    })
}

fn printed(explanation: &Explanation<'_>) -> String {
    let links = explanation.why.iter().map(|link| {
        let also: String = link.also.iter().map(|also| format!("+{}", also.name())).collect();
        let name = link.mechanism.name();
        format!("{} {} {name}{also}: {}\n", link.start_ns, link.duration_ns(), link.sentence)
    });
    format!("{}\n{}", explanation.headline, links.collect::<String>())
}

/// The beginning of most recordings: a real-time task armed its timer and sleeps, `runner` has its CPU.
fn asleep(trace: &mut Trace, dice: &mut Dice, runner: &Who) -> (Who, u64) {
    let names = ["rt", "rt loop 1", "cyclictest", "0"];
    let sleeper = Who::new(dice.one_of(&names), 9, 19);
    let expiry_us = dice.roll(1_000, 1_500);
    trace.life(dice, expiry_us + 6_000);
    trace.arm(100, &sleeper, expiry_us);
    let cpu = trace.cpu;
    trace.switch(110, cpu, &sleeper, "S", runner);
    (sleeper, expiry_us)
}

#[test]
fn interrupts_off_keep_a_timer_waiting() {
    check(timer::irqs_off);
    check(timer::recorded_section);
    check(timer::irqs_off_later);
    check(timer::undelivered);
}

#[test]
fn an_idle_cpu_takes_its_time() {
    check(timer::idle_exit);
    check(idle::slow_to_notice);
    check(wait::stall_on_the_way_out_of_idle);
    check(idle::stall_until_taken);
    check(idle::leaves_for_another);
    check(idle::woken_from_elsewhere);
    check(idle::idle_loop);
    check(idle::unrecorded_interrupt);
}

#[test]
fn a_timer_is_started_when_it_has_expired() {
    check(timer::armed_late);
}

#[test]
fn another_interrupt_runs_over_the_expiry() {
    check(timer::other_interrupt);
}

#[test]
fn a_cpu_stands_still_inside_an_interrupt() {
    check(timer::stall);
}

#[test]
fn functions_of_others_take_as_long_as_they_like() {
    check(callee::sent);
    check(callee::queued);
    check(callee::silent);
    check(callee::timers);
}

#[test]
fn handlers_take_their_time() {
    check(timer::handler);
    check(timer::other_timers);
}

#[test]
fn a_recording_without_switches_tells_that_an_interrupt_was_kept_away() {
    check(timer::kept_away_from_nobody_known);
}

#[test]
fn a_task_waits_behind_one_of_every_priority() {
    check(wait::higher_priority);
    check(wait::equal_priority);
    check(wait::fair_share);
    check(wait::less_important);
    check(wait::need_resched);
    check(wait::lazy);
}

#[test]
fn flags_alone_show_no_interrupt_around_two_events() {
    check(wait::between_unrecorded_interrupts);
}

#[test]
fn an_interrupt_that_is_not_recorded_may_go_on() {
    check(few::open_interrupt);
}

#[test]
fn no_tick_comes_for_long() {
    check(wait::silence);
}

#[test]
fn a_task_that_runs_takes_ticks() {
    check(ticks::own_work_in_silence);
    check(ticks::late_though_on);
    check(ticks::moved_out_of_silence);
    check(ticks::behind_higher_in_silence);
    check(ticks::behind_higher_of_unknown_mode);
}

#[test]
fn another_cpu_would_have_been_free() {
    check(wait::wrong_cpu);
}

#[test]
fn another_cpu_notices_late() {
    check(wait::ipi);
}

#[test]
fn a_waiting_task_is_moved() {
    check(wait::migration);
    check(wait::pulled);
    check(wait::moved_by_stopper);
}

#[test]
fn a_cgroup_has_a_limit() {
    check(quota::limited);
}

#[test]
fn a_task_that_is_passed_over_is_throttled() {
    check(wait::throttled);
    check(wait::taken_off);
    check(wait::woken_in_vain);
    check(idle::left_without_idle_states);
}

#[test]
fn a_softirq_waits_for_its_carrier() {
    check(soft::deferred);
    check(soft::taken_over);
    check(soft::pending);
    check(soft::raised_long_ago);
    check(soft::in_the_way);
    check(soft::left_alone);
    check(soft::raised_in_an_interrupt);
    check(soft::behind_its_own_kind);
}

#[test]
fn a_task_sleeps_until_somebody_wakes_it() {
    check(task::waits_for);
    check(task::device_timer);
    check(task::overslept);
    check(task::own_work);
    check(task::kernel_exit);
}

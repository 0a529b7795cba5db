//! Stretches in which the recording itself was off, as `tracing_on` leaves them: no event of any CPU, and behind it a
//! CPU is not as it was left. A machine that stands still continues with the same tasks and interrupts, and calls the
//! timers that became due before it does anything else.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::link::{Link, merged};
use super::mechanism::Mechanism;
use super::scene::Scene;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// Shorter silences are ordinary ones of a machine that sleeps.
const MIN_PAUSE_NS: i64 = 10_000_000;
/// An interrupt that is due comes sooner, once its CPU runs with interrupts on.
const OVERDUE_NS: i64 = 1_000_000;
/// A tick that was started again unseen comes this part of its period after a multiple of it, or sooner.
const PART_OF_TICK: i64 = 16;

/// The links, but nothing that is claimed of a time in which the recording was off. A sleep whose length the task set
/// itself is known from its ends.
pub fn without_pauses<'a>(scene: &Scene<'_, 'a>, links: Vec<Link<'a>>) -> Vec<Link<'a>> {
    if scene.case.duration_ns < MIN_PAUSE_NS {
        return links;
    }
    let pauses = pauses(scene);
    if pauses.is_empty() {
        return links;
    }
    outside(links, &pauses)
}

/// The links, cut where pauses are in them. That a task started its timer late is known from its ends, too: only what it
/// went through before that is cut.
fn outside<'a>(links: Vec<Link<'a>>, pauses: &[(i64, i64)]) -> Vec<Link<'a>> {
    let cut = links.into_iter().flat_map(|link| match link.mechanism {
        Mechanism::WaitsFor if link.asked_ns.is_some() => vec![link],
        Mechanism::ArmedLate => vec![Link { deeper: outside(link.deeper, pauses), ..link }],
        _ => without(link, pauses),
    });
    merged(cut.collect())
}

/// What is left of a link, with the pauses in it.
fn without<'a>(link: Link<'a>, pauses: &[(i64, i64)]) -> Vec<Link<'a>> {
    let (start_ns, end_ns, cpu) = (link.start_ns, link.end_ns, link.cpu);
    let inside: Vec<(i64, i64)> = pauses
        .iter()
        .map(|(from_ns, to_ns)| (start_ns.max(*from_ns), end_ns.min(*to_ns)))
        .filter(|(from_ns, to_ns)| from_ns < to_ns)
        .collect();
    if inside.is_empty() {
        return vec![link];
    }
    let left = Link { deeper: Vec::new(), ..link };
    let mut parts = Vec::new();
    let mut at_ns = start_ns;
    for (from_ns, to_ns) in inside {
        parts.push(left.clone().between(at_ns, from_ns));
        parts.push(Link { is_off: true, ..Link::new(Mechanism::Unknown, cpu, from_ns, to_ns) });
        at_ns = to_ns;
    }
    parts.push(left.between(at_ns, end_ns));
    parts
}

/// The pauses that touch the case, in order and apart.
fn pauses(scene: &Scene<'_, '_>) -> Vec<(i64, i64)> {
    let (start_ns, end_ns) = (scene.case.start_ns, scene.case.end_ns());
    let mut last_ns: Option<i64> = scene.around.earlier.iter().map(|event| event.t_ns).max();
    let mut found = Vec::new();
    for event in &scene.around.events {
        let since_ns = last_ns.unwrap_or(event.t_ns);
        last_ns = Some(since_ns.max(event.t_ns));
        let is_long = event.t_ns.saturating_sub(since_ns) >= MIN_PAUSE_NS;
        let touches = since_ns < end_ns && start_ns < event.t_ns;
        if is_long && touches && is_off(scene, (since_ns, event.t_ns)) {
            found.push((since_ns, event.t_ns));
        }
    }
    found
}

fn is_off(scene: &Scene<'_, '_>, (from_ns, to_ns): (i64, i64)) -> bool {
    if scene.around.is_unseen_between(from_ns, to_ns) || scene.around.has_losses(from_ns, to_ns) {
        return false;
    }
    let behind = scene.around.events.iter().filter(|event| event.t_ns >= to_ns);
    let cpus: BTreeSet<i16> = behind.map(|event| event.cpu).collect();
    cpus.into_iter().any(|cpu| {
        let (before, behind) = (scene.events(cpu, i64::MIN, from_ns), scene.events(cpu, to_ns, i64::MAX));
        let Some((last, first)) = before.last().zip(behind.first()) else { return false };
        runs_another(scene, before, first)
            || has_left_interrupt(scene, before, [last, first])
            || has_overtaken_tick(scene, before, behind)
    })
}

/// The CPU runs another task than the one that it switched to, without a switch. Until the first event of that one,
/// events may still be of the one before.
fn runs_another(scene: &Scene<'_, '_>, before: &[&Seen<'_>], first: &Seen<'_>) -> bool {
    let found = before.iter().enumerate().rev().find_map(|(at, event)| Some((at, event, event.switch()?)));
    let Some((at, event, switch)) = found.filter(|(_, event, _)| event.buffer == first.buffer) else {
        return false;
    };
    let current = || scene.around.task(first.task_idx)?.pid;
    let Some(pid) = first.switch().map(|switch| switch.prev.pid).or_else(current) else { return false };
    let is_settled = before.iter().skip(at.saturating_add(1)).any(|later| later.buffer == event.buffer);
    pid != switch.next.pid && (is_settled || pid != switch.prev.pid)
}

/// The CPU was in an interrupt whose entry is recorded, and is in none: its exit is not recorded, though others are.
fn has_left_interrupt(scene: &Scene<'_, '_>, before: &[&Seen<'_>], [last, first]: [&Seen<'_>; 2]) -> bool {
    let [was, is] = [last, first].map(|event| Flags(event.flags.cast_unsigned()));
    let is_left = was.has(Flags::HARDIRQ) && is.has(Flags::KNOWN) && !is.has(Flags::HARDIRQ);
    let is_end = |event: &&&Seen<'_>| event.begins_interrupt() || event.ends_interrupt();
    let entered = before.iter().rev().find(is_end).filter(|event| is_left && event.begins_interrupt());
    entered
        .is_some_and(|event| scene.around.records(&scene.around.event_name(event).replace("_entry", "_exit")))
}

/// A tick was due, and its CPU did other things with interrupts on before it came, at its usual distance from the one
/// that was due: others came in between.
fn has_overtaken_tick(scene: &Scene<'_, '_>, before: &[&Seen<'_>], behind: &[&Seen<'_>]) -> bool {
    let mut armed: HashMap<u64, i64> = HashMap::new();
    for event in before {
        if let Some(start) = event.timer_start() {
            armed.insert(start.timer, start.expires_ns);
        } else if let Some(expiry) = event.timer_expiry() {
            armed.remove(&expiry.timer);
        }
    }
    let mut on_ns: Option<i64> = None;
    for event in behind {
        let flags = Flags(event.flags.cast_unsigned());
        if flags.has(Flags::KNOWN) && !flags.has(Flags::IRQS_OFF) {
            on_ns = on_ns.or(Some(event.t_ns));
        }
        if let Some(start) = event.timer_start() {
            armed.remove(&start.timer);
        }
        let expired = event.timer_expiry().filter(|_| flags.has(Flags::HARDIRQ));
        if let Some((expiry, expires_ns)) =
            expired.and_then(|expiry| Some((expiry, armed.remove(&expiry.timer)?)))
        {
            let late_ns = expiry.now_ns.saturating_sub(expires_ns);
            let is_overtaken = on_ns.is_some_and(|on_ns| event.t_ns.saturating_sub(on_ns) >= OVERDUE_NS);
            let tick_ns = scene.usuals.tick_ns(scene.around).filter(|tick_ns| late_ns >= *tick_ns);
            return is_overtaken
                && expiry.function.starts_with(b"tick_")
                && tick_ns
                    .is_some_and(|tick_ns| late_ns.rem_euclid(tick_ns) <= tick_ns.div_euclid(PART_OF_TICK));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// `rt` is woken behind `sh`. Then nothing is recorded for 50 ms.
    fn wakeup(last: &str, first: &str) -> String {
        headlines(
            &format!(
                "
                <idle>-0 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
                sh-7     [0] d..2. 1.000300: sched_waking: comm=rt pid=5 prio=49 target_cpu=000
                {last}
                {first}
                sh-7     [0] d.h1. 1.050300: local_timer_entry: vector=236
                sh-7     [0] d.h1. 1.050310: local_timer_exit: vector=236
                sh-7     [0] d..2. 1.050600: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=5 next_prio=49
                "
            ),
            "wakeup",
        )
    }

    fn says_pause(headline: &str) -> bool {
        headline.contains("nothing was recorded for 49.8")
    }

    #[test]
    fn nothing_is_claimed_of_a_time_in_which_the_recording_was_off() {
        let last = "sh-7 [0] ..... 1.000400: print: last";
        for (first, is_off) in [
            ("up-9     [0] ..... 1.050250: print: hello", true),
            ("<idle>-0 [0] ..... 1.050250: print: hello", true),
            ("sh-7     [0] ..... 1.050250: print: hello", false),
        ] {
            let said = wakeup(last, first);
            assert_eq!(says_pause(&said), is_off, "{said}");
        }
    }

    /// Right after a switch, events are still of the task before.
    #[test]
    fn a_switch_that_is_not_over_is_none_that_is_missed() {
        let last = "sh-7 [0] d..2. 1.000400: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=up next_pid=9 next_prio=120";
        let first = "sh-7 [0] d..2. 1.050250: print: hello";
        assert!(!says_pause(&wakeup(last, first)));
        let later = format!("{last}\nup-9 [0] ..... 1.000410: print: hello");
        assert!(says_pause(&wakeup(&later, first)));
    }

    #[test]
    fn an_interrupt_is_not_left_without_its_exit() {
        let last = "sh-7 [0] d.h1. 1.000400: local_timer_entry: vector=236";
        let said = wakeup(last, "sh-7 [0] ..... 1.050250: print: hello");
        assert!(says_pause(&said), "{said}");
        let said = wakeup(last, "sh-7 [0] d.h1. 1.050250: local_timer_exit: vector=236");
        assert!(!says_pause(&said), "{said}");
        let only_entries = "sh-7 [0] d.h1. 1.000400: reschedule_entry: vector=253";
        let said = wakeup(only_entries, "sh-7 [0] ..... 1.050250: print: hello");
        assert!(!says_pause(&said), "{said}");
    }
}

//! A sleeper that was woken before the handler of its own timer was over.

use super::interrupt::ON_ITS_WAY_NS;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::{Change, Scene};
use super::step::Step;
use super::timer::{handler_before, running};
use crate::events::SLEEP_HANDLER;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;

/// The links, where a task that runs after a sleep does not get on until the handler that woke it from another CPU returns:
/// `do_nanosleep` calls `hrtimer_cancel` after the sleep, which waits for that (kernel/time/hrtimer.c).
pub fn with_handlers<'a>(scene: &Scene<'_, 'a>, links: Vec<Link<'a>>) -> Vec<Link<'a>> {
    let mut last: Option<(Option<Subject>, &Seen<'a>)> = None;
    let split = |link: Link<'a>| {
        if !matches!(link.mechanism, Mechanism::OwnWork | Mechanism::KernelExit) {
            return vec![link];
        }
        // An interrupt in between does not end it.
        last = awaited(scene, &link).map(|exit| (link.subject, exit)).or(last);
        match last.filter(|(subject, exit)| *subject == link.subject && link.start_ns < exit.t_ns) {
            Some((_, exit)) => until(scene, link, exit),
            None => vec![link],
        }
    };
    links.into_iter().flat_map(split).collect()
}

/// The link from the end of the handler on, and before it what kept that.
fn until<'a>(scene: &Scene<'_, 'a>, link: Link<'a>, exit: &Seen<'a>) -> Vec<Link<'a>> {
    let until_ns = exit.t_ns.min(link.end_ns);
    let leg = Leg { cpu: exit.cpu, start_ns: link.start_ns, end_ns: until_ns };
    let handler = running(scene, leg).into_iter().map(|part| {
        let is_awaited = part.mechanism == Mechanism::Handler;
        Link { is_awaited, ..part.inferred().seen_by([exit]) }
    });
    let rest = link.between(until_ns, i64::MAX);
    handler.chain((rest.duration_ns() > 0).then_some(rest)).collect()
}

/// The end of the handler, on another CPU, for which the task of a link that begins with its switch has to wait.
fn awaited<'s, 'a>(scene: &Scene<'s, 'a>, link: &Link<'_>) -> Option<&'s Seen<'a>> {
    let Some(Subject::Task(task_idx)) = link.subject else { return None };
    let steps = scene.steps(scene.pid(task_idx)?);
    let runs = steps.iter().rposition(|step| step.event.t_ns <= link.start_ns)?;
    let is_switch = |step: &&Step<'_, '_>| step.change == Change::Runs && step.event.t_ns == link.start_ns;
    steps.get(runs).filter(is_switch)?;
    let wakings = steps.get(..runs)?.iter().rev().take_while(|step| step.change == Change::Woken);
    let waking = wakings.last()?.event;
    let handler = handler_before(scene, i64::MIN, waking).filter(|_| waking.cpu != link.cpu)?;
    handler.timer_expiry().filter(|expiry| expiry.function.starts_with(SLEEP_HANDLER))?;
    let after = scene.events(waking.cpu, handler.t_ns, i64::MAX).iter();
    let mut exits = after.copied().filter(|event| event.seq > handler.seq && is_exit(scene, event));
    let exit = exits.next().filter(|exit| exit.seq > waking.seq)?;
    let is_late = exit.t_ns.saturating_sub(link.start_ns) >= ON_ITS_WAY_NS;
    let is_own = |event: &&&Seen<'_>| event.task_idx == task_idx && !event.is_in_interrupt();
    let own = scene.events(link.cpu, link.start_ns.saturating_add(1), exit.t_ns).iter().find(is_own);
    (is_late && own.is_none()).then_some(exit)
}

fn is_exit(scene: &Scene<'_, '_>, event: &Seen<'_>) -> bool {
    scene.around.event_name(event) == "hrtimer_expire_exit"
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::testing::explain::{headlines, switch};

    /// `s` sleeps on CPU 1, is woken from CPU 0, and gets on only as the handler there returns, which shows itself so often.
    fn woken_from_another_handler(exit_us: u32, every_us: usize) -> String {
        let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
        let mut text = String::new();
        // How long such a handler usually goes on.
        for ms in 1..8 {
            writeln!(text, "<idle>-0 [0] d.h1. 0.{ms:03}000: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=0").unwrap();
            writeln!(
                text,
                "<idle>-0 [0] d.h2. 0.{ms:03}003: sched_waking: comm=o pid=9 prio=120 target_cpu=000"
            )
            .unwrap();
            writeln!(
                text,
                "<idle>-0 [0] dNh2. 0.{ms:03}005: sched_wakeup: comm=o pid=9 prio=120 target_cpu=000"
            )
            .unwrap();
            writeln!(text, "<idle>-0 [0] dNh1. 0.{ms:03}008: hrtimer_expire_exit: hrtimer=00000000000000bb")
                .unwrap();
        }
        let busy: String = (1_030 + u32::try_from(every_us).unwrap()..exit_us)
            .step_by(every_us)
            .map(|at_us| format!("<idle>-0 [0] d.h1. 1.{at_us:06}: print: busy\n"))
            .collect();
        let (to_idle, to_s) = (switch("s-7", "S", "swapper/1-0"), switch("swapper/1-0", "R", "s-7"));
        write!(
            text,
            "
            s-7 [1] ..... 1.000000: sys_enter: NR 230 (0, 0, 0, 0, 0, 0)
            s-7 [1] d..1. 1.000002: hrtimer_start: {timer} expires=1000000000 softexpires=1000000000
            s-7 [1] d..2. 1.000005: {to_idle}
            <idle>-0 [0] d.h1. 1.001010: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.001012: hrtimer_expire_entry: {timer} now=1000012000
            <idle>-0 [0] d.h2. 1.001015: sched_waking: comm=s pid=7 prio=120 target_cpu=001
            <idle>-0 [0] d.h2. 1.001018: sched_wakeup: comm=s pid=7 prio=120 target_cpu=001
            <idle>-0 [1] d..2. 1.001030: {to_s}
            {busy}
            <idle>-0 [0] d.h1. 1.{exit_us:06}: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [0] d.h1. 1.{:06}: local_timer_exit: vector=236
            s-7 [1] ..... 1.{:06}: sys_exit: NR 230 = 0
            ",
            exit_us + 2,
            exit_us.max(1_030) + 5
        )
        .unwrap();
        headlines(&text, "syscall")
    }

    #[test]
    fn a_task_gets_on_only_when_the_handler_that_woke_it_is_over() {
        let said = woken_from_another_handler(5_018, 10_000);
        assert!(
            said.contains("CPU 0 stood still for 4.0") || said.contains("CPU 0 stood still for 3.9"),
            "{said}"
        );
        let said = woken_from_another_handler(1_020, 10_000);
        assert!(!said.contains("stood still"), "{said}");
    }
    #[test]
    fn a_handler_that_runs_on_is_waited_for() {
        let said = woken_from_another_handler(5_018, 20);
        assert!(said.contains("for the end of the handler on CPU 0 that woke it"), "{said}");
    }
}

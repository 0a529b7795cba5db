//! A CPU that an interrupt got out of its idle state, and that never shows that it left it.

use std::collections::BTreeMap;

use super::scene::Scene;
use crate::events::Role;
use crate::explain::surroundings::{Seen, Surroundings};

/// A CPU that polls takes interrupts without a record that it leaves that (kernel/sched/idle.c, `cpu_idle_poll`).
const POLLING: i64 = 0;
/// An interrupt that comes sooner behind another one comes before the CPU gets to leave its state.
const LONGEST_STEP_NS: i64 = 20_000;
/// Of so many interrupts in idle states, one at most may be followed by another one before the state is left.
const ONE_OF: usize = 4;

/// True where the last event of a CPU before a time lies in an interrupt that came into a recorded idle state, or is the end of
/// that: what follows it at once is the record that the state is left (kernel/sched/idle.c, `cpuidle_idle_call`), before the CPU
/// enters the next one. As long as that is missing, the CPU is not idle.
pub fn has_left_idle(scene: &Scene<'_, '_>, cpu: i16, before_ns: i64) -> bool {
    if !scene.usuals.leaves_idle(scene.around) {
        return false;
    }
    let before = scene.events(cpu, i64::MIN, before_ns).iter().rev();
    let Some(last) = before.clone().next().filter(|last| is_of_interrupt(last)) else { return false };
    let since_switch = before.take_while(|event| event.switch().is_none());
    let mut states = since_switch.filter_map(|event| Some((event.t_ns, event.idle_state()?)));
    let is_known = |from_ns: i64| {
        let is_lost = scene.around.losses(cpu).any(|loss| loss.end_ns > from_ns && loss.start_ns < before_ns);
        !is_lost && !scene.around.is_unseen_between(from_ns, before_ns)
    };
    let is_sleep = |state: Option<i64>| state.is_some_and(|state| state != POLLING);
    let is_in_state = states.next().is_some_and(|(from_ns, state)| is_sleep(state) && is_known(from_ns));
    is_in_state && scene.around.is_idle_task(last.task_idx)
}

/// True where idle CPUs are known to leave their state behind each interrupt, as a rule.
pub fn leaves_idle(around: &Surroundings<'_, '_>) -> bool {
    if !around.records("cpu_idle") {
        return false;
    }
    // By CPU in an idle state, when it was last seen in an interrupt.
    let mut idle: BTreeMap<i16, Option<i64>> = BTreeMap::new();
    let [mut left, mut others] = [0_usize, 0_usize];
    for event in around.nearby_events() {
        if let Some(state) = event.idle_state() {
            let was_interrupted = idle.remove(&event.cpu).flatten().is_some();
            left = left.saturating_add(usize::from(was_interrupted));
            if state.is_some_and(|state| state != POLLING) {
                idle.insert(event.cpu, None);
            }
        } else if let Some(last_ns) = idle.get_mut(&event.cpu).filter(|_| is_of_interrupt(&event)) {
            let begins = event.begins_interrupt() || event.role == Some(Role::HrtimerExpireEntry);
            let is_next = begins && last_ns.is_some_and(|ns| event.t_ns.saturating_sub(ns) > LONGEST_STEP_NS);
            others = others.saturating_add(usize::from(is_next));
            *last_ns = Some(event.t_ns);
        }
    }
    left > 0 && others.saturating_mul(ONE_OF) <= left
}

/// The idle task wakes nobody and raises no softirq but in interrupts.
fn is_of_interrupt(event: &Seen<'_>) -> bool {
    let is_deed = matches!(event.role, Some(Role::SchedWaking | Role::SchedWakeup | Role::SoftirqRaise));
    is_deed || event.is_in_hard_interrupt() || event.ends_interrupt()
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// `w` waits for CPU 0, on which an interrupt came into an idle state before; these events follow it, and those an ordinary
    /// one.
    fn waits_behind(ordinary: &str, interrupt: &str) -> String {
        headlines(
            &format!(
                "
                <idle>-0 [0] d..1. 0.999000: cpu_idle: state=1 cpu_id=0
                <idle>-0 [0] d.h1. 0.999100: local_timer_entry: vector=236
                <idle>-0 [0] d.h1. 0.999110: local_timer_exit: vector=236
                {ordinary}
                <idle>-0 [0] d..1. 1.000000: cpu_idle: state=1 cpu_id=0
                <idle>-0 [0] d.h1. 1.000100: local_timer_entry: vector=236
                <idle>-0 [0] d.h1. 1.000110: local_timer_exit: vector=236
                {interrupt}
                sh-5     [1] d..2. 1.000500: sched_waking: comm=w pid=9 prio=120 target_cpu=000
                sh-5     [1] d..3. 1.000502: sched_wakeup: comm=w pid=9 prio=120 target_cpu=000
                <idle>-0 [0] d..1. 1.004000: cpu_idle: state=4294967295 cpu_id=0
                <idle>-0 [0] d..2. 1.004005: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio=120
                "
            ),
            "wakeup",
        )
    }

    #[test]
    fn a_cpu_that_never_left_an_interrupt_in_its_idle_state_is_not_idle() {
        let exit = |at: &str| format!("<idle>-0 [0] d..1. {at}: cpu_idle: state=4294967295 cpu_id=0");
        let told = waits_behind(&exit("0.999113"), "");
        assert!(told.contains("CPU 0 stood still for 3.498 ms"), "{told}");
        let back = "<idle>-0 [0] d..1. 1.000120: cpu_idle: state=1 cpu_id=0";
        let told = waits_behind(&exit("0.999113"), &format!("{}\n{back}", exit("1.000112")));
        assert!(told.contains("CPU 0 was idle and took 3.498 ms to notice"), "{told}");
        // As some do whose interrupts return to the idle state.
        let told = waits_behind("<idle>-0 [0] d.h1. 0.999500: local_timer_entry: vector=236", "");
        assert!(told.contains("CPU 0 was idle and took 3.498 ms to notice"), "{told}");
    }
}

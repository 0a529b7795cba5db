//! Softirqs, with the hard interrupts inside them taken off their self time.

use std::collections::BTreeMap;

use super::KIND;
use crate::analyses::nest::{Key, Nest, Open, end_all_cpus, key_of};
use crate::analyses::softirq_vectors::symbol_of;
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, SliceFlags, SliceKind, TraceEnd};
use crate::events::{Decoded, Switch};
use crate::model::{Limits, ReadError};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Softirq { max_depth: limits.max_depth, is_run_by_idle: false, cpus: BTreeMap::new() })
}

struct Softirq {
    max_depth: u16,
    /// The idle task ran one, as on PREEMPT_RT it never does: so no task is switched out in any.
    is_run_by_idle: bool,
    /// Only CPUs that are in a softirq: interrupts outside of one are not followed.
    cpus: BTreeMap<u16, Nest>,
}

impl Softirq {
    fn enter(
        &mut self,
        event: &Event<'_>,
        vector: i64,
        action: &[u8],
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let symbol = symbol_of(vector, action, emit)?;
        self.is_run_by_idle |= event.pid == Some(0);
        let open = Open::new(Key::Softirq(vector), event);
        let open = Open {
            kind: Some(SliceKind::Softirq),
            symbol: Some(symbol),
            task: event.task,
            carrier_pid: event.pid.filter(|pid| *pid != 0 && !self.is_run_by_idle),
            ..open
        };
        let nest = self.cpus.entry(event.cpu).or_default();
        nest.pass(event, emit)?;
        nest.enter(open, event.cpu, self.max_depth, emit)
    }

    fn interrupt_exit(&mut self, event: &Event<'_>, key: Key, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match self.cpus.get_mut(&event.cpu) {
            // The end of the interrupt on whose way out the softirq runs is the business of `irq`.
            Some(nest) if nest.is_open(key) => nest.exit(key, event.cpu, event.t_ns, emit),
            _ => Ok(()),
        }
    }
}

impl Analysis for Softirq {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::SoftirqEntry { vector, action } => self.enter(event, vector, action, emit),
            Decoded::SoftirqExit { vector } => {
                let nest = self.cpus.entry(event.cpu).or_default();
                if nest.is_unknown(Key::Softirq(vector)) {
                    emit.incomplete(&KIND, IncompleteReason::NoStart);
                }
                nest.exit(Key::Softirq(vector), event.cpu, event.t_ns, emit)
            }
            Decoded::InterruptEntry { interrupt, .. } => match self.cpus.get_mut(&event.cpu) {
                Some(nest) if !nest.is_empty() => {
                    let open = Open::new(key_of(interrupt, emit)?, event);
                    nest.pass(event, emit)?;
                    nest.enter(open, event.cpu, self.max_depth, emit)
                }
                _ => Ok(()),
            },
            Decoded::InterruptExit { interrupt } => {
                let key = key_of(interrupt, emit)?;
                self.interrupt_exit(event, key, emit)
            }
            Decoded::Switch(Switch { prev, next, .. }) => {
                if let Some(nest) = self.cpus.get_mut(&event.cpu) {
                    nest.pass(event, emit)?;
                    nest.switch_out(prev.pid, event.t_ns);
                    nest.switch_in(next.pid, event.t_ns);
                }
                Ok(())
            }
            _ => self.cpus.get_mut(&event.cpu).map_or(Ok(()), |nest| nest.pass(event, emit)),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.cpus.entry(gap.cpu).or_default().end_all(gap.cpu, gap.start_ns, SliceFlags::HAS_GAP, emit)
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        end_all_cpus(&mut self.cpus, end, emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::check;

    #[test]
    fn without_ends_a_softirq_lasts_until_its_last_sign_before_the_next_one_or_its_task() {
        check(
            "
            sh-7 [0] ..s. 1.000010: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] d.s. 1.000014: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] ..s. 1.000020: softirq_entry: vec=9 [action=RCU]
            sh-7 [0] d.s. 1.000024: sched_waking: comm=ab pid=8 prio=120 target_cpu=000
            sh-7 [0] d... 1.000030: sched_waking: comm=ab pid=8 prio=120 target_cpu=000
            sh-7 [0] d... 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            ",
            expect![[r#"
                sched cpu 0 sh-7 start 0 duration 30000 started-before
                softirq cpu 0 sh-7 TIMER start 0 duration 4000 cut-at-end
                softirq cpu 0 sh-7 RCU start 10000 duration 4000 cut-at-end
                unpaired_event: 2 from line 3
            "#]],
        );
    }

    #[test]
    fn interrupts_inside_a_softirq_are_not_its_own_time() {
        check(
            "
            sh-7 [0] 1.000000: softirq_raise: vec=1 [action=TIMER]
            sh-7 [0] 1.000010: softirq_entry: vec=1 [action=TIMER]
            sh-7 [0] 1.000012: irq_handler_entry: irq=34 name=eth0
            sh-7 [0] 1.000015: irq_handler_exit: irq=34 ret=handled
            sh-7 [0] 1.000020: softirq_exit: vec=1 [action=TIMER]
            sh-7 [0] 1.000020: softirq_entry: vec=7
            sh-7 [0] 1.000021: softirq_exit: vec=7
            ",
            expect![[r#"
                irq cpu 0 sh-7 eth0 [34] start 12000 duration 3000
                softirq cpu 0 sh-7 TIMER start 10000 duration 10000 self 7000
                softirq cpu 0 sh-7 SCHED start 20000 duration 1000
            "#]],
        );
    }

    #[test]
    fn a_softirq_is_suspended_while_its_task_is_switched_out() {
        check(
            "
            ktimers/0-16 [0] 1.000010: softirq_entry: vec=8 [action=HRTIMER]
            ktimers/0-16 [0] 1.000014: local_timer_entry: vector=236
            ktimers/0-16 [0] 1.000015: local_timer_exit: vector=236
            ktimers/0-16 [0] 1.000020: sched_switch: prev_comm=ktimers/0 prev_pid=16 prev_prio=98 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=9
            rt-9 [0] 1.000030: local_timer_entry: vector=236
            rt-9 [0] 1.000035: local_timer_exit: vector=236
            rt-9 [0] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=9 prev_state=S ==> next_comm=ktimers/0 next_pid=16 next_prio=98
            ktimers/0-16 [0] 1.000070: softirq_exit: vec=8 [action=HRTIMER]
            ",
            expect![[r#"
                sched cpu 0 ktimers/0-16 start 0 duration 10000 started-before
                sched cpu 0 rt-9 start 10000 duration 40000
                sched cpu 0 ktimers/0-16 start 50000 duration 10000 cut-at-end
                irq cpu 0 ktimers/0-16 local_timer start 4000 duration 1000
                irq cpu 0 rt-9 local_timer start 20000 duration 5000
                softirq cpu 0 ktimers/0-16 HRTIMER start 0 duration 60000 self 19000
            "#]],
        );
    }

    /// Of a recording without ends and flags, in which a task is preempted; `runs` ran a softirq before that.
    fn of_softirq_before_a_preemption(runs: &str, expected: Expect) {
        check(
            &format!(
                "
                {runs} [1] 1.000000: softirq_entry: vec=7 [action=SCHED]
                sh-7 [0] 1.000010: softirq_entry: vec=1 [action=TIMER]
                sh-7 [0] 1.000014: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
                sh-7 [0] 1.000020: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
                rt-9 [0] 1.003000: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
                sh-7 [0] 1.005000: softirq_entry: vec=1 [action=TIMER]
                "
            ),
            expected,
        );
    }

    #[test]
    fn no_task_is_preempted_in_a_softirq_where_the_idle_task_runs_some() {
        of_softirq_before_a_preemption(
            "<idle>-0",
            expect![[r#"
            sched cpu 0 sh-7 start 10000 duration 10000 started-before
            sched cpu 0 rt-9 start 20000 duration 2980000
            sched cpu 0 sh-7 start 3000000 duration 2000000 cut-at-end
            softirq cpu 1 <idle> SCHED start 0 duration 0 cut-at-end
            softirq cpu 0 sh-7 TIMER start 10000 duration 0 cut-at-end
            softirq cpu 0 sh-7 TIMER start 5000000 duration 0 cut-at-end
            unpaired_event: 1 from line 4
        "#]],
        );
        of_softirq_before_a_preemption(
            "ksoftirqd/1-17",
            expect![[r#"
            sched cpu 0 sh-7 start 10000 duration 10000 started-before
            sched cpu 0 rt-9 start 20000 duration 2980000
            sched cpu 0 sh-7 start 3000000 duration 2000000 cut-at-end
            softirq cpu 1 ksoftirqd/1-17 SCHED start 0 duration 0 cut-at-end
            softirq cpu 0 sh-7 TIMER start 10000 duration 2990000 self 10000 cut-at-end
            softirq cpu 0 sh-7 TIMER start 5000000 duration 0 cut-at-end
            unpaired_event: 1 from line 6
        "#]],
        );
    }

    #[test]
    fn a_softirq_on_the_way_out_of_an_interrupt_is_beside_it() {
        check(
            "
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000012: softirq_entry: vec=9 [action=RCU]
            sh-7 [0] 1.000014: softirq_exit: vec=9 [action=RCU]
            sh-7 [0] 1.000020: local_timer_exit: vector=236
            ",
            expect![[r#"
                irq cpu 0 sh-7 local_timer start 0 duration 10000
                softirq cpu 0 sh-7 RCU start 2000 duration 2000
            "#]],
        );
    }
}

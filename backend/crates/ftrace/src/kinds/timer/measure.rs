//! Timer lateness: from the expiry that was asked for to the interrupt that noticed it.

use hashbrown::HashSet;

use super::KIND;
use crate::analyses::armed_timers::{ArmedTimers, Expired, WAKING_HANDLER};
use crate::analyses::starts::Starts;
use crate::analyses::timer_passes::{TimerPasses, is_hard};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, TimerExpiry};
use crate::model::{Limits, Ns, ReadError};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Timer {
        timers: ArmedTimers::new(limits.max_tasks),
        passes: TimerPasses::default(),
        starts: Starts::new(limits.max_tasks),
        waking: HashSet::new(),
    })
}

struct Timer {
    timers: ArmedTimers,
    passes: TimerPasses,
    starts: Starts,
    /// CPUs on which the last timer will wake a task that had started it before anything was recorded.
    waking: HashSet<u16>,
}

impl Timer {
    fn expire(
        &mut self,
        event: &Event<'_>,
        expiry: &TimerExpiry<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let is_hard = is_hard(event.flags);
        let first_ns = self.passes.first_ns(event.cpu, expiry.now_ns, event.t_ns, is_hard);
        let found = self.timers.expire(event, expiry).and_then(|expired| {
            let due_ns = expired.armed_ns.max(first_ns - expired.late_ns);
            let is_missed = is_hard && self.passes.has_missed(event.cpu, expiry.now_ns, due_ns);
            if is_missed { Err(IncompleteReason::NoStart) } else { Ok(expired) }
        });
        if expiry.function == WAKING_HANDLER && found.is_err() {
            self.waking.insert(event.cpu);
        } else {
            self.waking.remove(&event.cpu);
        }
        match found {
            Ok(expired) if expired.late_ns < Ns::ZERO => {
                emit.incomplete(&KIND, IncompleteReason::Early);
                Ok(())
            }
            Ok(expired) => {
                let start_ns = first_ns - expired.late_ns;
                let symbol = Some(emit.symbol(expiry.function)?);
                let flags = self.flags(expiry, &expired, start_ns);
                let sample = Sample::new(&KIND, event.cpu, start_ns, first_ns);
                emit.sample(&Sample { duration_ns: expired.late_ns, symbol, flags, ..sample })
            }
            Err(reason) => {
                emit.incomplete(&KIND, reason);
                Ok(())
            }
        }
    }

    /// A sleep that a new task began after it was due is flagged.
    fn flags(&mut self, expiry: &TimerExpiry<'_>, expired: &Expired, start_ns: Ns) -> SampleFlags {
        let sleeper = expired.armed_by.filter(|_| expiry.function == WAKING_HANDLER);
        let is_first = sleeper.is_some_and(|pid| self.starts.is_first(pid, start_ns, expired.armed_ns));
        if is_first { SampleFlags::STARTING } else { SampleFlags::default() }
    }

    fn wake(&mut self, cpu: u16, pid: i32) {
        if !self.waking.is_empty() && self.waking.remove(&cpu) {
            self.starts.has_slept_before(pid);
        }
    }
}

impl Analysis for Timer {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::TimerStart(start) => self.timers.start(event, start),
            Decoded::TimerExpiry(expiry) => return self.expire(event, expiry, emit),
            Decoded::Waking(task) | Decoded::Wakeup(task) => self.wake(event.cpu, task.pid),
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.timers.gap(gap.cpu);
        Ok(())
    }

    /// Timers that are still armed are not late.
    fn finish(&mut self, _end: &TraceEnd, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::expect;

    use crate::testing::check_latencies;

    const KINDS: &[&str] = &["timer"];

    #[test]
    fn lateness_is_exact_where_the_trace_clock_is_coarse() {
        check_latencies(
            KINDS,
            "
            rt-1213  [1] 2563.694114: hrtimer_start: hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900935569 mode=ABS
            <idle>-0 [1] 2563.695118: hrtimer_cancel: hrtimer=000000002ad8bc6a
            <idle>-0 [1] 2563.695119: hrtimer_expire_entry: hrtimer=000000002ad8bc6a function=hrtimer_wakeup now=6389900945120
            ",
            expect![[r#"
                timer cpu 1 hrtimer_wakeup start 995449 duration 9551
            "#]],
        );
    }

    #[test]
    fn the_clock_is_read_once_for_all_timers_of_an_interrupt() {
        check_latencies(
            KINDS,
            "
            rt-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=5000 softexpires=5000
            rt-9     [1] 1.000001: hrtimer_start: hrtimer=00000000000000bb function=hrtimer_wakeup expires=5500 softexpires=5500
            <idle>-0 [1] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=7000
            <idle>-0 [1] 1.000022: hrtimer_expire_exit: hrtimer=00000000000000aa
            <idle>-0 [1] 1.000023: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=7000
            ",
            expect![[r#"
                timer cpu 1 tick start 8000 duration 2000
                timer cpu 1 hrtimer_wakeup start 8500 duration 1500
            "#]],
        );
    }

    #[test]
    fn the_latest_start_counts_and_only_once() {
        check_latencies(
            KINDS,
            "
            rt-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=5000 softexpires=5000
            rt-9     [0] 1.000001: hrtimer_start: hrtimer=00000000000000aa function=tick expires=7000 softexpires=7000
            <idle>-0 [0] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=7100
            <idle>-0 [0] 1.000020: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=17100
            ",
            expect![[r#"
                timer cpu 0 tick start 9900 duration 100
                timer incomplete: 1 no_start
            "#]],
        );
    }

    #[test]
    fn a_timer_with_slack_that_expires_early_is_not_late() {
        check_latencies(
            KINDS,
            "
            sh-9     [1] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=5000 softexpires=1000
            sh-8     [1] 1.000001: hrtimer_start: hrtimer=00000000000000bb function=hrtimer_wakeup expires=5000 softexpires=4001
            <idle>-0 [1] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=4000
            <idle>-0 [1] 1.000010: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=4000
            ",
            expect![[r#"
                timer incomplete: 1 out_of_order
                timer incomplete: 1 early
            "#]],
        );
    }

    #[test]
    fn a_start_may_have_been_lost_where_events_were() {
        check_latencies(
            KINDS,
            "
            rt-9     [0] 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=5000 softexpires=5000
            rt-9     [1] 1.000001: hrtimer_start: hrtimer=00000000000000bb function=tick expires=5000 softexpires=5000
            rt-9     [2] 1.000002: hrtimer_start: hrtimer=00000000000000cc function=tick expires=5000 softexpires=5000
            LOST     [0]
            <idle>-0 [0] 1.000009: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=6000
            <idle>-0 [0] 1.000009: hrtimer_expire_entry: hrtimer=00000000000000cc function=tick now=6000
            <idle>-0 [1] 1.000009: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick now=6000
            rt-9     [0] 1.000010: hrtimer_start: hrtimer=00000000000000aa function=tick expires=8000 softexpires=8000
            <idle>-0 [0] 1.000012: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=9000
            ",
            expect![[r#"
                timer cpu 1 tick start 8000 duration 1000
                timer cpu 0 tick start 11000 duration 1000
                timer incomplete: 2 lost_events
            "#]],
        );
    }

    /// `record -F` leaves out what other tasks do to the tick: it is started again unseen, and not late.
    #[test]
    fn a_timer_that_other_passes_left_out_was_started_again() {
        let pass = |t_us: u32, flags: &str| {
            format!(
                "rt-9 [1] {flags}1. 1.{t_us:06}: hrtimer_expire_entry: hrtimer=00000000000000bb function=x now={t_us}000"
            )
        };
        let lateness = |flags: &str, times: [u32; 2]| {
            let [first, second] = times.map(|t_us| pass(t_us, flags));
            format!(
                "
                rt-9     [1] d..1. 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=5000000 softexpires=5000000
                {first}
                {second}
                rt-9     [1] d.h1. 1.050000: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=50000000
                "
            )
        };
        let started = expect![[r#"
            timer incomplete: 3 no_start
        "#]];
        check_latencies(KINDS, &lateness("d.h", [10_000, 20_000]), started);
        let late = expect![[r#"
            timer cpu 1 tick start 5000000 duration 45000000
            timer incomplete: 2 no_start
        "#]];
        check_latencies(KINDS, &lateness("d.h", [3_000, 20_000]), late);
        let late = expect![[r#"
            timer cpu 1 tick start 5000000 duration 45000000
            timer incomplete: 2 no_start
        "#]];
        check_latencies(KINDS, &lateness("..s", [10_000, 20_000]), late);
    }

    /// What other tasks do to the tick is left out: the idle task is never seen to do anything but to leave the CPU.
    #[test]
    fn a_timer_that_tasks_may_have_started_again_that_are_left_out_is_not_late() {
        let mut switches = String::new();
        for at in 1..=6_u32 {
            let (ms, behind) = (at * 2, at * 2 + 1);
            writeln!(
                switches,
                "<idle>-0 [1] d..2. 1.{ms:03}000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=49
                 rt-9 [1] d..2. 1.{behind:03}000: sched_switch: prev_comm=rt prev_pid=9 prev_prio=49 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                 <idle>-0 [1] d..3. 1.{behind:03}500: sched_waking: comm=rt pid=9 prio=49 target_cpu=001"
            )
            .unwrap();
        }
        let lateness = |idle: &str| {
            format!(
                "
                rt-9     [1] d.h1. 1.000000: hrtimer_start: hrtimer=00000000000000aa function=tick expires=5000000 softexpires=5000000
                {switches}
                {idle}
                rt-9     [1] d.h1. 1.050000: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick now=50000000
                "
            )
        };
        let started = expect![[r#"
            timer incomplete: 1 no_start
        "#]];
        check_latencies(KINDS, &lateness(""), started);
        let late = expect![[r#"
            timer cpu 1 tick start 5000000 duration 45000000
        "#]];
        check_latencies(KINDS, &lateness("<idle>-0 [1] d..1. 1.040000: print: hello"), late);
    }
}

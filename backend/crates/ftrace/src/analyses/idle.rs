//! Idle states: as slices, and as a counter that is -1 while the CPU is busy.

use std::collections::BTreeMap;

use super::{
    Analysis, AnalysisEntry, CounterChange, CounterName, Emit, Event, Gap, Slice, SliceFlags, SliceKind,
    TraceEnd,
};
use crate::events::{Decoded, Role};
use crate::model::{Code, Ns, ReadError};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "idle",
    title: "Idle states",
    needs: &[&["cpu_idle"]],
    roles: &[Role::CpuIdle, Role::PowerStart, Role::PowerEnd],
    start: |_| Box::new(Idle::default()),
};

const COUNTER: CounterName = CounterName { name: "cpu_idle", unit: None };
/// The kernel's own value for a busy CPU, PWR_EVENT_EXIT.
const BUSY: i64 = -1;

#[derive(Default)]
struct Idle {
    /// What is known of each CPU; absent before its first event, and after a gap.
    cpus: BTreeMap<u16, State>,
}

#[derive(Clone, Copy)]
enum State {
    Busy,
    Idle { symbol: u32, since_ns: Ns },
}

impl Idle {
    fn change(
        &mut self,
        event: &Event<'_>,
        state: Option<i64>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let value = state.unwrap_or(BUSY);
        emit.counter(&CounterChange { counter: COUNTER, t_ns: event.t_ns, cpu: event.cpu, value })?;
        let now = match state {
            Some(state) => {
                let symbol = emit.symbol(format!("state {state}").as_bytes())?;
                State::Idle { symbol, since_ns: event.t_ns }
            }
            None => State::Busy,
        };
        match (self.cpus.insert(event.cpu, now), now) {
            (Some(State::Idle { symbol, since_ns }), State::Busy) => {
                emit_slice(event.cpu, Some(symbol), since_ns, event.t_ns, SliceFlags::default(), emit)
            }
            // It was in some idle state for as long as it is known.
            (None, State::Busy) if event.known_since_ns < event.t_ns => emit_slice(
                event.cpu,
                None,
                event.known_since_ns,
                event.t_ns,
                SliceFlags::STARTED_BEFORE,
                emit,
            ),
            (Some(State::Busy), State::Busy) | (Some(State::Idle { .. }), State::Idle { .. }) => {
                emit.diagnostic(Code::UnpairedEvent)
            }
            _ => Ok(()),
        }
    }
}

impl Analysis for Idle {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.decoded {
            Decoded::CpuIdle { state } => self.change(event, state, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match self.cpus.remove(&gap.cpu) {
            Some(State::Idle { symbol, since_ns }) => {
                emit_slice(gap.cpu, Some(symbol), since_ns, gap.start_ns, SliceFlags::HAS_GAP, emit)
            }
            _ => Ok(()),
        }
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for (cpu, state) in std::mem::take(&mut self.cpus) {
            // A CPU on which nothing more is recorded stays idle.
            if let State::Idle { symbol, since_ns } = state
                && since_ns < end.t_ns
            {
                emit_slice(cpu, Some(symbol), since_ns, end.t_ns, SliceFlags::CUT_AT_END, emit)?;
            }
        }
        Ok(())
    }
}

fn emit_slice(
    cpu: u16,
    symbol: Option<u32>,
    start_ns: Ns,
    end_ns: Ns,
    flags: SliceFlags,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    emit.slice(&Slice { symbol, flags, ..Slice::new(SliceKind::Idle, cpu, start_ns, end_ns) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn idle_states_are_slices_and_a_counter() {
        check(
            "
            <idle>-0 [0] 1.000010: cpu_idle: state=2 cpu_id=0
            <idle>-0 [0] 1.000050: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] 1.000060: cpu_idle: state=1 cpu_id=0
            sh-7     [1] 1.000090: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            ",
            expect![[r#"
                idle cpu 0 state 2 start 0 duration 40000
                idle cpu 0 state 1 start 50000 duration 30000 cut-at-end
                counter cpu_idle cpu 0 at 0: 2
                counter cpu_idle cpu 0 at 40000: -1
                counter cpu_idle cpu 0 at 50000: 1
            "#]],
        );
    }

    #[test]
    fn a_trace_may_begin_while_a_cpu_is_idle() {
        check(
            "
            <idle>-0 [0] 1.000010: local_timer_entry: vector=236
            <idle>-0 [0] 1.000012: local_timer_exit: vector=236
            <idle>-0 [0] 1.000013: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] 1.000014: cpu_idle: state=4294967295 cpu_id=0
            ",
            expect![[r#"
                irq cpu 0 <idle> local_timer start 0 duration 2000
                idle cpu 0 start 0 duration 3000 started-before
                counter cpu_idle cpu 0 at 3000: -1
                counter cpu_idle cpu 0 at 4000: -1
                unpaired_event: 1 from line 4
            "#]],
        );
    }
}

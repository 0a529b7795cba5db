//! System calls, from the entry to the return of the same task.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::taint::{Mark, Taint};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, NUMBERED_SYSCALL, Switch, syscall_name};
use crate::model::{Limits, Ns, ReadError};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Syscall { max_tasks: limits.max_tasks, ..Syscall::default() })
}

/// Calls that do not come back; the return of a signal handler has another number than the call.
const WITHOUT_RETURN: [&[u8]; 4] = [b"exit", b"exit_group", b"rt_sigreturn", b"sigreturn"];
/// What `sys_exit` says after the return of a signal handler.
const NO_CALL: i64 = -1;
/// Numbers below this are remembered with their names; Linux has about 470 calls.
const MAX_REMEMBERED: i64 = 1_024;

#[derive(Default)]
struct Syscall {
    max_tasks: usize,
    tasks: HashMap<i32, State>,
    /// The symbols of calls that are known by their number.
    numbered: HashMap<i64, u32>,
    taint: Taint,
}

/// Both events of `raw_syscalls` and of single calls may be recorded, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Raw,
    Named,
}

#[derive(Clone, Copy)]
enum State {
    Inside(Call),
    /// Out of a call, as an event of this form said first.
    Outside(Form),
}

#[derive(Clone, Copy)]
struct Call {
    start_ns: Ns,
    cpu: u16,
    mark: Mark,
    /// What the events of each form name it.
    raw: Option<u32>,
    named: Option<u32>,
    is_blocked: bool,
}

impl Call {
    fn slot(&mut self, form: Form) -> &mut Option<u32> {
        match form {
            Form::Raw => &mut self.raw,
            Form::Named => &mut self.named,
        }
    }
}

impl Syscall {
    fn symbol_of(
        &mut self,
        event: &Event<'_>,
        nr: Option<i64>,
        emit: &mut dyn Emit,
    ) -> Result<Option<(Form, u32)>, ReadError> {
        if let Some(name) = syscall_name(event.name) {
            return Ok(Some((Form::Named, emit.symbol(name)?)));
        }
        let Some(nr) = nr else { return Ok(None) };
        if let Some(symbol) = self.numbered.get(&nr) {
            return Ok(Some((Form::Raw, *symbol)));
        }
        let symbol = emit.symbol(format!("{NUMBERED_SYSCALL}{nr}").as_bytes())?;
        if (0..MAX_REMEMBERED).contains(&nr) {
            self.numbered.insert(nr, symbol);
        }
        Ok(Some((Form::Raw, symbol)))
    }

    fn enter(
        &mut self,
        event: &Event<'_>,
        pid: i32,
        nr: Option<i64>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if syscall_name(event.name).is_some_and(|name| WITHOUT_RETURN.contains(&name)) {
            return Ok(());
        }
        let Some((form, symbol)) = self.symbol_of(event, nr, emit)? else { return Ok(()) };
        if let Some(State::Inside(call)) = self.tasks.get_mut(&pid) {
            if call.slot(form).is_none() {
                *call.slot(form) = Some(symbol);
                return Ok(());
            }
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        let (mark, cpu) = (self.taint.mark(), event.cpu);
        let mut call = Call { start_ns: event.t_ns, cpu, mark, raw: None, named: None, is_blocked: false };
        *call.slot(form) = Some(symbol);
        self.set(pid, State::Inside(call));
        Ok(())
    }

    fn exit(
        &mut self,
        event: &Event<'_>,
        pid: i32,
        nr: Option<i64>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let Some((form, symbol)) = self.symbol_of(event, nr, emit)? else { return Ok(()) };
        let before = self.tasks.get(&pid).copied();
        self.set(pid, State::Outside(form));
        match before {
            Some(State::Inside(mut call)) => {
                let is_same = nr == Some(NO_CALL) || call.slot(form).is_none_or(|entered| entered == symbol);
                if is_same {
                    *call.slot(form) = (nr != Some(NO_CALL)).then_some(symbol).or(*call.slot(form));
                    return self.end(event, call, emit);
                }
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
                emit.incomplete(&KIND, IncompleteReason::NoStart);
                Ok(())
            }
            // The event of the other form has said it already.
            Some(State::Outside(told)) if told != form => Ok(()),
            _ => {
                emit.incomplete(&KIND, IncompleteReason::NoStart);
                Ok(())
            }
        }
    }

    fn end(&self, event: &Event<'_>, call: Call, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let is_migrated = call.cpu != event.cpu;
        if let Some(reason) =
            self.taint.incomplete_between(call.mark, event.pid.unwrap_or(0), (call.cpu, call.start_ns), event)
        {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        let flags = [(is_migrated, SampleFlags::MIGRATED), (call.is_blocked, SampleFlags::BLOCKED)];
        let set = flags.iter().filter(|(is_set, _)| *is_set);
        emit.sample(&Sample {
            task: event.task,
            start_cpu: Some(call.cpu),
            symbol: call.named.or(call.raw),
            flags: set.fold(SampleFlags::default(), |all, (_, flag)| all.with(*flag)),
            ..Sample::new(&KIND, event.cpu, call.start_ns, event.t_ns)
        })
    }

    fn switch(&mut self, switch: &Switch<'_>) {
        if let Some(State::Inside(call)) = self.tasks.get_mut(&switch.prev.pid) {
            call.is_blocked = true;
        }
    }

    fn set(&mut self, pid: i32, state: State) {
        if self.tasks.len() < self.max_tasks || self.tasks.contains_key(&pid) {
            self.tasks.insert(pid, state);
        }
    }
}

impl Analysis for Syscall {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match (&event.decoded, event.pid) {
            (Decoded::Switch(switch), _) => {
                self.switch(switch);
                Ok(())
            }
            (Decoded::SyscallEnter { nr }, Some(pid)) => self.enter(event, pid, *nr, emit),
            (Decoded::SyscallExit { nr, .. }, Some(pid)) => self.exit(event, pid, *nr, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.gap(gap);
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for state in self.tasks.values() {
            if let State::Inside(_) = state {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn a_call_lasts_from_its_entry_to_the_return_of_the_same_task() {
        check_latencies(
            &["syscall"],
            "
            sh-7 [0] 1.000010: sys_enter: NR 230 (1, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000012: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            rt-9 [0] 1.000013: sys_enter_read: fd: 4, buf: 0x56248054e750, count: 0x491
            rt-9 [0] 1.000015: sys_exit_read: -> 0x490
            sh-7 [1] 1.000040: sys_exit: NR 230 = 0
            sh-7 [1] 1.000050: sys_enter: NR 999999 (1, 1, 7f39, 0, 0, 0)
            sh-7 [1] 1.000051: sys_exit: NR 999999 = -38
            ",
            expect![[r#"
                syscall cpu 1 sh-7 syscall 230 start 0 duration 30000 from cpu 0 migrated blocked
                syscall cpu 0 rt-9 read start 3000 duration 2000
                syscall cpu 1 sh-7 syscall 999999 start 40000 duration 1000
            "#]],
        );
    }

    #[test]
    fn a_number_has_a_name_where_the_machine_is_known() {
        check_latencies(
            &["syscall"],
            "
            sh-7 [0] 1.000010: sys_enter: NR 230 (1, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000020: sys_exit: NR 230 = 0
            sh-7 [0] 1.000030: local_timer_entry: vector=236
            sh-7 [0] 1.000031: local_timer_exit: vector=236
            sh-7 [0] 1.000050: sys_enter: NR 999999 (1, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000051: sys_exit: NR 999999 = -38
            ",
            expect![[r#"
                syscall cpu 0 sh-7 clock_nanosleep start 0 duration 10000
                syscall cpu 0 sh-7 syscall 999999 start 40000 duration 1000
            "#]],
        );
    }

    #[test]
    fn a_call_that_two_kinds_of_events_tell_counts_once() {
        check_latencies(
            &["syscall"],
            "
            sh-7 [0] 1.000010: sys_enter: NR 0 (4, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000010: sys_enter_read: fd: 4, buf: 0x56248054e750, count: 0x491
            sh-7 [0] 1.000020: sys_exit: NR 0 = 1
            sh-7 [0] 1.000021: sys_exit_read: -> 0x1
            sh-7 [0] 1.000030: sys_enter: NR 3 (4, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000035: sys_exit: NR 3 = 1
            ",
            expect![[r#"
                syscall cpu 0 sh-7 read start 0 duration 10000
                syscall cpu 0 sh-7 syscall 3 start 20000 duration 5000
            "#]],
        );
    }

    #[test]
    fn a_call_without_both_ends_gives_no_number() {
        check_latencies(
            &["syscall"],
            "
            sh-7 [0] 1.000010: sys_exit: NR 1 = 1
            sh-7 [0] 1.000020: sys_enter: NR 3 (4, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000030: sys_exit: NR 1 = 1
            sh-7 [0] 1.000040: sys_enter: NR 15 (4, 1, 7f39, 0, 0, 0)
            sh-7 [0] 1.000041: sys_exit: NR -1 = 0
            sh-7 [0] 1.000050: sys_enter: NR 3 (4, 1, 7f39, 0, 0, 0)
            LOST [0]
            sh-7 [0] 1.000060: sys_exit: NR 3 = 0
            sh-7 [0] 1.000070: sys_enter_exit_group: error_code: 0
            sh-7 [0] 1.000080: sys_enter_read: fd: 4, buf: 0x56248054e750, count: 0x491
            ",
            expect![[r#"
                syscall cpu 0 sh-7 syscall 15 start 30000 duration 1000
                syscall incomplete: 1 lost_events
                syscall incomplete: 2 no_start
                syscall incomplete: 2 no_end
            "#]],
        );
    }
}

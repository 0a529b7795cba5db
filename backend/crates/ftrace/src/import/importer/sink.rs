//! What the importer does with each thing that a format reads.

use super::{Importer, PROGRESS_BYTES, SeenEvent};
use crate::analyses::{Gap, LossKind};
use crate::events::field_number;
use crate::import::repeats::Content;
use crate::import::reports::FirstRecord;
use crate::import::summary::merge;
use crate::import::tasks::NameSource;
use crate::import::{narrow, stored};
use crate::model::{
    CallRecord, Code, Diagnostic, EventRecord, Facts, Flags, LossCause, LossRecord, NoteRecord, Ns, Sink,
    StackKind, StackRecord, Stop, TimeOrigin, TimeUnit,
};
use crate::store::copy::TextColumn;
use crate::store::event_blocks::StoredEvent;
use crate::store::frames::Stage;
use crate::store::tables::{NOTE, STACK};

impl Sink for Importer<'_> {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.reports.facts(&facts);
        if facts.time_origin == Some(TimeOrigin::Derived) {
            self.recording.lay_out();
        }
        merge(&mut self.facts, facts);
        Ok(())
    }

    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop> {
        self.buffer_number(name);
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        self.recording.place = event.place;
        if i16::try_from(event.cpu).is_err() {
            self.recording.problem(Code::CpuOutOfRange, event.args);
            return Ok(());
        }
        let Some(t_ns) = self.rebase(event.ts)? else { return Ok(()) };
        if self.counting.see(event.ts.0) && self.counting.counts_events(&self.facts) {
            self.recording.count_events();
        }
        self.place_report(event.ts, t_ns, || FirstRecord::of_event(event));
        let arrival = self.arrival(event, t_ns);
        if let Some(last_ns) = arrival.stepped_back_from_ns {
            self.recording.problem(Code::OutOfOrder, event.args);
            self.gap(Gap { cpu: event.cpu, start_ns: last_ns, kind: LossKind::Dropped })?;
        }
        self.losses.end(event.cpu, t_ns, &mut self.recording.writer)?;
        let buffer = self.buffer_number(event.buffer);
        self.buffers.touch(event.cpu, buffer, t_ns);
        self.buffers.count_event(buffer);
        let task = self.task_of(event, buffer);
        let event_type = self.type_of(event);
        self.event_count = self.event_count.saturating_add(1);
        self.switches.report(self.event_count, &mut self.recording);
        let content = Content { event_type, pid: event.task.pid, args: event.args };
        let is_repeated =
            self.buffers.are_several() && self.repeats.is_repeated(event.cpu, buffer, t_ns, content);
        let mut flags = event.flags.0;
        if is_repeated {
            flags |= Flags::REPEATED;
        } else {
            let known_since_ns = arrival.known_since_ns;
            self.analyse(event, event_type, SeenEvent { t_ns, task, known_since_ns, buffer })?;
        }
        let row = StoredEvent {
            t_ns,
            cpu: narrow(event.cpu),
            task: task.map(stored),
            event_type: i16::try_from(event_type).unwrap_or(i16::MAX),
            flags: flags.cast_signed(),
            buffer: i16::from(buffer),
            args: event.args,
        };
        self.settle_tails();
        Ok(self.recording.events.push(&row, &mut self.recording.writer)?)
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        let at = call.at();
        self.recording.place = at.place;
        let buffer = self.buffer_number(at.buffer);
        if *self.graph_buffer.get_or_insert(buffer) != buffer {
            self.recording.problem(Code::GraphOfAnotherBuffer, at.buffer);
            return Ok(());
        }
        if let Some(ts) = at.ts {
            let Some(t_ns) = self.rebase(ts)? else { return Ok(()) };
            self.place_report(ts, t_ns, || FirstRecord::of_call(call));
            if let Some(cpu) = at.cpu {
                self.cpus.touch(cpu, t_ns);
                self.buffers.touch(cpu, buffer, t_ns);
                self.losses.end(cpu, t_ns, &mut self.recording.writer)?;
            }
        }
        Ok(self.with_calls(|calls, receiver| calls.record(call, receiver))?)
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        self.recording.place = stack.place;
        let Some(t_ns) = self.time_beside(stack.ts, stack.cpu)? else { return Ok(()) };
        let mut frames = TextColumn::default();
        for frame in stack.frames {
            frames.push(frame);
        }
        let kind: &[u8] = match stack.kind {
            StackKind::Kernel => b"kernel",
            StackKind::User => b"user",
        };
        // A stack is recorded right after its event.
        let task = stack.cpu.and_then(|cpu| self.cpus.last_task(cpu)).map(stored);
        let idx = self.stack_count;
        self.stack_count = idx.saturating_add(1);
        self.recording.writer.row(&STACK, |row| {
            row.int(idx).int(t_ns).optional_int(stack.cpu.map(narrow)).text(kind);
            row.optional_int(task).texts(&frames);
        })?;
        Ok(())
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        self.recording.place = loss.place;
        self.partners.forget();
        self.settle_tails();
        if matches!(loss.cause, LossCause::Overwritten | LossCause::OverwrittenBefore) {
            let (code, count) = (Code::LostEvents, loss.count.unwrap_or(1));
            self.recording.diagnostics.add(&Diagnostic { code, place: loss.place, sample: b"", count });
        }
        let end_ns = loss.ts.map_or(Ok(None), |ts| self.rebase(ts))?;
        if loss.cause == LossCause::OverwrittenBefore {
            // Before a CPU's first record nothing is known of it anyway.
            return Ok(self.losses.add(loss, Ns::ZERO, end_ns, &mut self.recording.writer)?);
        }
        if loss.cause == LossCause::LeftOut {
            // A recording that is shortened by hand keeps both ends of an interval: intervals continue across the cut.
            let last_ns = loss.cpu.and_then(|cpu| self.cpus.last_record(cpu)).unwrap_or_default();
            return Ok(self.losses.add(loss, last_ns, end_ns, &mut self.recording.writer)?);
        }
        if loss.cause == LossCause::Unreadable {
            self.recording.lose_some();
        }
        if loss.cause == LossCause::CutOff {
            self.recording.cut_off();
            if loss.cpu.is_none() {
                let end_ns = self.last_record_ns;
                return Ok(self.losses.add(loss, end_ns, Some(end_ns), &mut self.recording.writer)?);
            }
        }
        let buffer = loss.buffer.map(|name| self.buffer_number(name));
        let last_ns = loss.cpu.and_then(|cpu| self.cpus.lose(cpu));
        if let Some(cpu) = loss.cpu {
            // Before a CPU's first record, too: what began on others may have ended there unseen. Of a CPU
            // with several buffers, too: which of them has what is nothing that analyses know.
            self.gap(Gap { cpu, start_ns: last_ns.unwrap_or_default(), kind: loss.cause.into() })?;
        }
        if buffer.is_none() || self.graph_buffer.is_none() || self.graph_buffer == buffer {
            self.with_calls(|calls, receiver| {
                calls.loss(loss.cpu, receiver);
                Ok(())
            })?;
        }
        let start_ns = match loss.cpu.zip(buffer).filter(|_| self.buffers.are_several()) {
            Some((cpu, buffer)) => self.buffers.last_record(cpu, buffer),
            None => last_ns,
        };
        Ok(self.losses.add(loss, start_ns.unwrap_or_default(), end_ns, &mut self.recording.writer)?)
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.recording.place = note.place;
        let Some(t_ns) = self.time_beside(note.ts, note.cpu)? else { return Ok(()) };
        self.recording.problem(Code::NoteKept, note.text);
        let idx = self.note_count;
        self.note_count = idx.saturating_add(1);
        self.recording.writer.row(&NOTE, |row| {
            row.int(idx).int(t_ns).optional_int(note.cpu.map(narrow)).text(note.text);
        })?;
        Ok(())
    }

    fn task_name(&mut self, pid: i32, comm: &[u8]) -> Result<(), Stop> {
        self.recording.tasks.rename(pid, comm);
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        self.recording.diagnostics.add(&diagnostic);
        Ok(())
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.used_bytes = used_bytes;
        self.skipped_bytes = skipped_bytes;
        let done = used_bytes.saturating_add(skipped_bytes);
        if done < self.next_progress {
            return Ok(());
        }
        self.next_progress = done.saturating_add(PROGRESS_BYTES);
        Ok(self.report_progress(Stage::Parsing)?)
    }
}

impl Importer<'_> {
    /// The task of an event, which counts the event; `None` where nothing names it.
    fn task_of(&mut self, event: &EventRecord<'_>, buffer: u8) -> Option<u32> {
        let task = self.recording.task_index(event.cpu, event.task, NameSource::Context);
        self.cpus.set_task(event.cpu, task);
        if event.task.pid == Some(0) && !event.name.starts_with(b"sched_") {
            self.cpus.see_idle_work(event.cpu);
        }
        if let Some(task) = task {
            self.recording.tasks.count_event(task);
        }
        let missed = |pid| self.cpus.has_missed_switch(event.cpu, buffer, (pid, task), may_be_late(event));
        if event.task.pid.is_some_and(missed) {
            self.switches.miss(event.place, event.args);
        }
        self.look_at_runtime(event);
        task
    }

    /// The scheduler's account of a task's time says more of when it got its CPU than its first event there.
    fn look_at_runtime(&mut self, event: &EventRecord<'_>) {
        const NAME: &str = "sched_stat_runtime";
        let counts_ns = || self.facts.time_unit.unwrap_or_default() == TimeUnit::Ns;
        if event.name != NAME.as_bytes() || !self.cpus.has_unseen(event.cpu) || !counts_ns() {
            return;
        }
        let args = std::str::from_utf8(event.args).unwrap_or_default();
        let number = |key: &str| field_number(NAME, args, key);
        if let Some((pid, ran_ns)) = number("pid").zip(number("runtime")) {
            self.cpus.ran_for(event.cpu, i32::try_from(pid).unwrap_or(-1), Ns(ran_ns));
        }
    }

    /// The index of an event's type, which counts the event and learns from its fields.
    fn type_of(&mut self, event: &EventRecord<'_>) -> usize {
        let event_type = self.event_type(event);
        if let Some(state) = self.types.get_mut(event_type) {
            state.count = state.count.saturating_add(1);
        }
        self.recording.fields.look(event_type, event.name, event.args);
        event_type
    }
}

/// True of an event that may be one of the task that is being switched out, after the switch is recorded and before
/// `current` changes: interrupts are off then, and the scheduler has nothing more to tell (kernel/sched/core.c,
/// `context_switch`). The noise of a thread is recorded by a probe of the switch itself, even of one that is preempted in its
/// softirq (kernel/trace/trace_osnoise.c, `trace_sched_switch_callback`).
fn may_be_late(event: &EventRecord<'_>) -> bool {
    let is_inside = event.flags.has(Flags::IRQS_OFF) && !event.flags.has(Flags::HARDIRQ | Flags::SOFTIRQ);
    let is_of_switch = is_inside || event.name == b"thread_noise" || !event.flags.has(Flags::KNOWN);
    !event.name.starts_with(b"sched_") && is_of_switch
}

//! Finished calls on their way to the analyses.

use super::recording::Recording;
use super::tasks::NameSource;
use crate::analyses::{Emit, Slice, SliceFlags, SliceKind};
use crate::calls::{Call, CallFlags, CallSink};
use crate::model::{Diagnostic, ReadError, TaskRef, Timestamp};

use super::importer::RunningAnalysis;

/// Receives calls from the call builder; the first error stops the import when the builder returns.
pub struct CallReceiver<'r, 'o> {
    pub recording: &'r mut Recording<'o>,
    pub analyses: &'r mut [RunningAnalysis],
    pub origin: Timestamp,
    pub call_count: i64,
    pub result: Result<(), ReadError>,
}

impl CallReceiver<'_, '_> {
    fn take(&mut self, call: &Call<'_>) -> Result<(), ReadError> {
        let start_ns = call.start - self.origin;
        let slice = Slice {
            duration_ns: call.duration_ns,
            self_ns: call.self_ns,
            task: self.recording.task_index(call.cpu, call.task, NameSource::Context),
            symbol: Some(self.recording.symbol_index(call.symbol, call.module)),
            depth: call.depth,
            id: Some(call.id),
            parent: call.parent,
            flags: flags_of(call.flags),
            args: call.args,
            retval: call.retval,
            ..Slice::new(SliceKind::Call, call.cpu, start_ns, start_ns)
        };
        self.call_count = self.call_count.saturating_add(1);
        for running in self.analyses.iter_mut() {
            running.run(self.recording, |analysis, recording| {
                analysis.call(&slice, recording as &mut dyn Emit)
            })?;
        }
        Ok(())
    }
}

impl CallSink for CallReceiver<'_, '_> {
    fn call(&mut self, call: &Call<'_>) {
        if self.result.is_ok() {
            self.result = self.take(call);
        }
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) {
        self.recording.diagnostics.add(&diagnostic);
    }

    /// A banner names the tasks that are shown, which are not always those that were switched, so no
    /// sched slice is made of it; their names are as good as those of a record's context.
    fn switch(&mut self, cpu: u16, _ts: Timestamp, prev: TaskRef<'_>, next: TaskRef<'_>) {
        self.recording.task_index(cpu, prev, NameSource::Context);
        self.recording.task_index(cpu, next, NameSource::Context);
    }

    fn rename(&mut self, placeholder_pid: i32, task: TaskRef<'_>) {
        self.recording.tasks.resolve(placeholder_pid, task);
    }
}

fn flags_of(flags: CallFlags) -> SliceFlags {
    [
        (CallFlags::STARTED_BEFORE, SliceFlags::STARTED_BEFORE),
        (CallFlags::CUT_AT_END, SliceFlags::CUT_AT_END),
        (CallFlags::HAS_GAP, SliceFlags::HAS_GAP),
        (CallFlags::ELIDED_CHILDREN, SliceFlags::ELIDED_CHILDREN),
        (CallFlags::IRQ, SliceFlags::IN_INTERRUPT),
        (CallFlags::ELIDED_BEFORE, SliceFlags::ELIDED_BEFORE),
        (CallFlags::ELIDED_LAST, SliceFlags::ELIDED_LAST),
        (CallFlags::OUTERMOST, SliceFlags::OUTERMOST),
    ]
    .iter()
    .filter(|(bit, _)| flags.has(*bit))
    .fold(SliceFlags::default(), |all, (_, flag)| all.with(*flag))
}

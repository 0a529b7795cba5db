//! What an import does at its end: closes what is open, looks at the whole trace, and sums it up.

use std::collections::BTreeMap;

use super::Importer;
use crate::analyses::{Report, TraceEnd};
use crate::import::summary::Summary;
use crate::model::{Code, Diagnostic, Ns, Place, ReadError};
use crate::store::frames::{Frames, Stage};

impl<'a> Importer<'a> {
    /// Writes everything that is still open. What comes next on the pipe is the summary.
    pub fn finish(mut self, format: &'static str) -> Result<(Frames<'a>, Summary), ReadError> {
        self.report_progress(Stage::Storing)?;
        if self.counting.counts_events(&self.facts) {
            self.recording.count_events();
        }
        self.with_calls(|calls, receiver| {
            calls.finish(receiver);
            Ok(())
        })?;
        let reports = std::mem::take(&mut self.reports).into_reports();
        let last_ns = reports.iter().map(Report::end_ns).fold(self.last_record_ns, Ns::max);
        let end = TraceEnd {
            t_ns: last_ns.max(self.recording.last_end_ns),
            cpus: self.cpus.last_records(),
            reports,
        };
        for running in &mut self.analyses {
            running.run(&mut self.recording, |analysis, recording| analysis.finish(&end, recording))?;
        }
        self.recording.tell_found_problems(b"");
        self.losses.finish(end.t_ns, &mut self.recording.writer)?;
        self.settle_tails();
        self.check_whole_trace();
        let counts: Vec<i64> = self.types.iter().map(|state| state.count).collect();
        self.recording.write_types(&counts)?;
        self.recording.write_fields()?;
        self.recording.flush(self.facts.kernel.as_deref())?;
        let summary = self.summary(format, &end);
        Ok((self.recording.writer.finish()?, summary))
    }

    /// Problems that only the whole trace shows.
    fn check_whole_trace(&mut self) {
        let overwritten = match (self.facts.entries_in_buffer, self.facts.entries_written) {
            (Some(kept), Some(written)) => written.saturating_sub(kept),
            _ => 0,
        };
        self.recording.place = Place::default();
        if overwritten > self.losses.lost_events {
            let count = overwritten.saturating_sub(self.losses.lost_events);
            self.losses.lost_events = overwritten;
            self.recording.diagnostics.add(&Diagnostic {
                code: Code::LostEvents,
                place: Place::default(),
                sample: b"entries-in-buffer/entries-written",
                count,
            });
        }
        for exception in self.partners.exceptions() {
            self.recording.diagnostics.add(&exception);
        }
        if self.is_empty() && !self.recording.diagnostics.has(Code::NoEvents) {
            self.recording.problem(Code::NoEvents, b"");
        }
    }

    fn summary(&self, format: &'static str, end: &TraceEnd) -> Summary {
        let facts = self.facts.clone();
        let stated_cpus = facts.cpu_count.and_then(|count| usize::try_from(count).ok());
        Summary {
            format,
            tracer: facts.tracer,
            kernel: facts.kernel,
            clock: facts.clock,
            time_unit: facts.time_unit.unwrap_or_default(),
            time_origin: facts.time_origin.unwrap_or_default(),
            cpus: end.cpus.keys().copied().collect(),
            cpu_count: stated_cpus.unwrap_or(end.cpus.len()),
            origin_ns: self.origin.unwrap_or_default().0.to_string(),
            duration_ns: end.t_ns.0.max(0),
            event_count: self.event_count,
            buffers: self.buffers.counts(),
            call_count: self.call_count,
            slice_count: self.recording.slice_count,
            lost_events: i64::try_from(self.losses.lost_events).unwrap_or(i64::MAX),
            used_bytes: self.used_bytes,
            skipped_bytes: self.skipped_bytes,
            expanded_bytes: self.used_bytes.saturating_add(self.skipped_bytes),
            facts: facts.other,
            missing: self.missing(),
            analyses: self
                .analyses
                .iter()
                .filter(|running| running.found_any)
                .map(|running| running.entry.name)
                .collect(),
        }
    }

    /// The analyses for which no alternative was recorded, and the first alternative of each.
    fn missing(&self) -> BTreeMap<&'static str, &'static [&'static str]> {
        let is_recorded =
            |event: &&str| self.recording.types.iter().any(|(_, name)| name.name == event.as_bytes());
        self.analyses
            .iter()
            .filter(|running| {
                !running.found_any && !running.entry.needs.iter().any(|events| events.iter().all(is_recorded))
            })
            .filter_map(|running| Some((running.entry.name, *running.entry.needs.first()?)))
            .collect()
    }
}

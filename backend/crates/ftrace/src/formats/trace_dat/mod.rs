//! trace.dat, the binary recording of trace-cmd, versions 6 and 7.
//!
//! A recording is read in three steps: `v6` or `v7` gives the metadata and where each CPU's pages are
//! ([`recording::Recording`]); `cpu_stream` walks the records of one CPU, a page at a time; `merge` puts the
//! CPUs in the order of time and hands every record to the `decoder`, which prints it by its event's format.

mod bprint;
mod btf;
mod btf_types;
mod budget;
mod byte_order;
mod clock;
mod codec;
mod common_fields;
mod cpu_ranges;
mod cpu_stats;
mod cpu_stream;
mod decoder;
mod embedded_text;
mod entry_header;
mod event_format;
mod event_types;
mod header;
mod last_boot;
mod merge;
mod metadata;
mod options;
mod own_entries;
mod page_source;
mod plain_fields;
mod print_fmt;
mod proc_maps;
mod reader;
mod recording;
mod ring_page;
mod symbols;
mod text_tables;
mod v6;
mod v7;

use super::{Access, Likeness, TraceFormat};
use crate::input::{Input, ReadAt};
use crate::model::{About, Code, Diagnostic, FailureClass, Limits, Place, ReadError, Sink, TimeOrigin};
use budget::Budget;
use cpu_stream::CpuStream;
use decoder::Decoder;
use metadata::Metadata;
use page_source::PageSource;
use recording::Recording;
use ring_page::PageLayout;

/// trace.dat of trace-cmd.
pub struct TraceDat;

impl TraceFormat for TraceDat {
    fn name(&self) -> &'static str {
        "trace_dat"
    }

    fn title(&self) -> &'static str {
        "trace.dat (trace-cmd)"
    }

    fn about(&self) -> About {
        About {
            recognised_by: "its first ten bytes",
            reads: "versions 6 and 7 of either byte order, compressed or not, with instances, lost events and symbols; events as their own print format says; latency tracers' text inside",
            leaves_out: "versions before 6",
        }
    }

    fn access(&self) -> Access {
        Access::Random
    }

    fn likeness(&self, head: &[u8]) -> Likeness {
        if head.starts_with(&header::MAGIC) { Likeness::Sure } else { Likeness::No }
    }

    fn refusal(&self, head: &[u8]) -> Option<ReadError> {
        header::read_header(&head.to_vec()).err().filter(|error| error.class == FailureClass::Unsupported)
    }

    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), ReadError> {
        match input {
            Input::Random(file) => read(file, limits, sink),
            Input::Stream(_) | Input::Broken(..) => {
                let sentence = "A trace.dat cannot be read from front to back.";
                let code = Code::ReadFailed;
                Err(ReadError::new(FailureClass::Io, code, Place::default(), sentence))
            }
        }
    }
}

fn read(file: &dyn ReadAt, limits: &Limits, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let (header, reader) = header::read_header(file)?;
    let mut recording = match header.version {
        6 => v6::read(file, header, reader, limits)?,
        _ => v7::read(file, header, reader, limits)?,
    };
    state_facts(&mut recording, sink)?;
    recording.options.report_unread(sink)?;
    let texts = std::mem::take(&mut recording.texts);
    let mut skipped = 0;
    for text in &texts {
        skipped = embedded_text::read(file, text, skipped, limits, sink)?;
    }
    if !texts.is_empty() && recording.buffers.is_empty() {
        return Ok(());
    }
    cpu_ranges::check_ranges(&mut recording.buffers, file.len(), sink)?;
    read_pages(file, recording, skipped, limits, sink)
}

fn state_facts(recording: &mut Recording, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let (header, options) = (recording.header, &mut recording.options);
    options.add_fact("trace_dat_version", header.version.to_string());
    options.add_fact("page_size_bytes", header.page_bytes.to_string());
    options.facts.time_unit = Some(options.clock.unit(options.facts.clock.as_deref()));
    options.facts.time_origin = Some(TimeOrigin::Recorded);
    sink.facts(options.facts.clone())?;
    let mut names = recording.buffers.iter().map(|buffer| &buffer.name).filter(|name| !name.is_empty());
    names.try_for_each(|name| sink.buffer(name))
}

fn read_pages(
    file: &dyn ReadAt,
    recording: Recording,
    skipped_before: u64,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let Recording { header, metadata, options, buffers, .. } = recording;
    let Metadata { long_bytes, entry_header, .. } = metadata;
    let layout = PageLayout { order: header.order, long_bytes, entry_header };
    let budget = Budget::new(file.len(), limits);
    let mut streams = Vec::new();
    for buffer in &buffers {
        for data in buffer.cpus.iter().filter(|data| data.size > 0) {
            let source = PageSource::new(file, &budget, data, buffer.page_bytes, buffer.codec, header.order)?;
            streams.push(CpuStream::new(data.cpu, &buffer.name, source, layout));
        }
    }
    let max_record_bytes = buffers.iter().map(|buffer| buffer.page_bytes).max().unwrap_or(header.page_bytes);
    let kernel = options.facts.kernel.as_deref();
    let (proc_maps, last_boot) = (options.proc_maps, options.last_boot.as_deref());
    let mut decoder =
        Decoder::new(metadata, proc_maps, last_boot, header.order, max_record_bytes, kernel, limits);
    let page_bytes: u64 = buffers.iter().flat_map(|buffer| &buffer.cpus).map(|data| data.size).sum();
    let before = file.len().saturating_sub(page_bytes);
    let account = merge::merge(&mut streams, &options.clock, &mut decoder, before, sink)?;
    decoder.finish(sink)?;
    cpu_stats::report_losses(&streams, &options.cpu_stats, sink)?;
    if account.used == 0 {
        let (code, place) = (Code::NoEvents, Place::byte(file.len()));
        sink.diagnostic(Diagnostic { code, place, sample: b"", count: 1 })?;
    }
    let skipped = account.skipped.saturating_add(skipped_before).min(file.len());
    sink.progress(file.len().saturating_sub(skipped), skipped)
}

#[cfg(test)]
mod btf_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod loss_tests;
#[cfg(test)]
mod same_events_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

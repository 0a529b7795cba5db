//! trace.dat, the binary recording of trace-cmd, versions 6 and 7.
//!
//! A recording is read in three steps: `v6` or `v7` gives the metadata and where each CPU's pages are
//! ([`recording::Recording`]); `cpu_stream` walks the records of one CPU, a page at a time; `merge` puts the
//! CPUs in the order of time and hands every record to the `decoder`, which prints it by its event's format.

mod bprint;
mod btf;
mod btf_types;
mod budget;
mod byte_account;
mod byte_order;
mod clock;
mod codec;
mod common_fields;
mod cpu_ranges;
mod cpu_recovery;
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
mod odd_lines;
mod option_chain;
mod options;
mod own_entries;
mod page_owner;
mod page_plan;
mod page_source;
mod page_times;
mod plain_fields;
mod print_fmt;
mod proc_maps;
mod reader;
mod recording;
mod ring_page;
mod section_scan;
mod sections;
mod symbols;
mod text_tables;
mod v6;
mod v7;

use std::collections::BTreeMap;

use super::{Access, Likeness, TraceFormat};
use crate::input::{Input, ReadAt};
use crate::model::{
    About, Code, Diagnostic, FailureClass, Limits, LossCause, LossRecord, Place, ReadError, Sink, Stop,
    TimeOrigin,
};
use budget::Budget;
use byte_account::ByteAccount;
use clock::Clock;
use codec::Expander;
use cpu_stream::CpuStream;
use decoder::Decoder;
use page_plan::Plans;
use page_source::PageSource;
use recording::{Damage, Recording};

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

    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop> {
        match input {
            Input::Random(file) => read(file, limits, sink),
            Input::Stream(_) | Input::Broken(..) => {
                let sentence = "A trace.dat cannot be read from front to back.";
                let code = Code::ReadFailed;
                Err(ReadError::new(FailureClass::Io, code, Place::default(), sentence).into())
            }
        }
    }
}

fn read(file: &dyn ReadAt, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop> {
    let file = &ByteAccount::new(file);
    let (header, reader) = header::read_header(file)?;
    let mut recording = match header.version {
        6 => v6::read(file, header, reader, limits)?,
        _ => v7::read(file, header, reader, limits)?,
    };
    state_facts(&mut recording, sink)?;
    recording.damages.iter().try_for_each(|damage| report_damage(damage, file, sink))?;
    recording.options.report_unread(file, sink)?;
    let texts = std::mem::take(&mut recording.texts);
    let is_cut = recording.is_cut;
    let mut skipped = 0;
    for text in &texts {
        skipped = embedded_text::read(file, text, skipped, limits, sink)?;
    }
    file.skip(skipped);
    let pages: BTreeMap<_, _> = recording
        .buffers
        .iter()
        .flat_map(|buffer| buffer.cpus.iter().map(|data| (data.offset, buffer.page_bytes as u64)))
        .collect();
    if texts.is_empty() || !recording.buffers.is_empty() {
        cpu_ranges::check_ranges(&mut recording.buffers, file.len(), sink)?;
        read_pages(file, recording, limits, sink)?;
    }
    if header.version == 7 {
        v7::read_strings(file, header)?;
    }
    if file.report_unread(&pages, sink)? >= header.page_bytes as u64 || is_cut {
        // Pages may have been among it, of any CPU.
        let (cause, place) = (LossCause::Unreadable, Place::byte(file.len()));
        sink.loss(&LossRecord { cpu: None, buffer: None, ts: None, count: None, cause, place })?;
    }
    let skipped = file.skipped_bytes();
    sink.progress(file.len().saturating_sub(skipped), skipped)
}

fn report_damage(damage: &Damage, file: &ByteAccount<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
    file.skip_range(damage.start, damage.end);
    let (code, place, sample) = (Code::BadSection, Place::byte(damage.start), damage.what.as_bytes());
    sink.diagnostic(Diagnostic { code, place, sample, count: 1 })
}

fn state_facts(recording: &mut Recording, sink: &mut dyn Sink) -> Result<(), Stop> {
    let (header, options) = (recording.header, &mut recording.options);
    options.add_fact("trace_dat_version", header.version.to_string());
    options.add_fact("page_size_bytes", header.page_bytes.to_string());
    options.facts.time_unit = Some(options.clock.unit(options.facts.clock.as_deref()));
    options.facts.time_origin = Some(TimeOrigin::Recorded);
    if let Some(name) = options.facts.clock.as_deref().filter(|name| !Clock::is_known(name)) {
        let (code, sample) = (Code::DoubtfulValue, name.as_bytes());
        sink.diagnostic(Diagnostic { code, place: Place::byte(0), sample, count: 1 })?;
    }
    sink.facts(options.facts.clone())?;
    let mut names = recording.buffers.iter().map(|buffer| &buffer.name).filter(|name| !name.is_empty());
    names.try_for_each(|name| sink.buffer(name))
}

fn read_pages(
    file: &ByteAccount<'_>,
    recording: Recording,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let is_damaged = recording.is_damaged(file.len());
    let Recording { header, metadata, options, buffers, .. } = recording;
    let layout = metadata.page_layout(header.order);
    let budget = Budget::new(file.len(), limits);
    let plans = Plans::new(file, &buffers, layout, metadata.event_ids(), is_damaged)?;
    let expanders: Vec<_> = buffers.iter().map(|buffer| buffer.codec.map(Expander::new)).collect();
    let mut streams = Vec::new();
    for (buffer, expander) in buffers.iter().zip(&expanders) {
        for data in buffer.cpus.iter().filter(|data| data.size > 0 || data.is_cut) {
            let plan = match expander {
                Some(_) => None,
                None => plans.plan(data, buffer.page_bytes)?,
            };
            let (page_bytes, expander) = (buffer.page_bytes, expander.as_ref());
            let source = PageSource::new(file, &budget, data, page_bytes, expander, header.order, plan)?;
            streams.push(CpuStream::new(data, &buffer.name, source, layout, file));
        }
    }
    let max_record_bytes = buffers.iter().map(|buffer| buffer.page_bytes).max().unwrap_or(header.page_bytes);
    let kernel = options.facts.kernel.as_deref();
    let (proc_maps, last_boot) = (options.proc_maps, options.last_boot.as_deref());
    let mut decoder =
        Decoder::new(metadata, proc_maps, last_boot, header.order, max_record_bytes, kernel, limits);
    merge::merge(&mut streams, &options.clock, &mut decoder, file, sink)?;
    decoder.finish(sink)?;
    cpu_stats::report_losses(&streams, &options.cpu_stats, header.page_bytes as u64, sink)?;
    page_times::report_far_pages(&streams, sink)?;
    if streams.iter().all(|stream| stream.first.is_none()) {
        let (code, place) = (Code::NoEvents, Place::byte(file.len()));
        sink.diagnostic(Diagnostic { code, place, sample: b"", count: 1 })?;
    }
    Ok(())
}

#[cfg(test)]
mod btf_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod loss_tests;
#[cfg(test)]
mod salvage_tests;
#[cfg(test)]
mod same_events_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

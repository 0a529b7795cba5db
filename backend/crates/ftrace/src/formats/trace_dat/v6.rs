//! Version 6: everything in one fixed order, the options after the metadata.
//!
//! Source: Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and what trace-cmd 3.1 writes.

use super::header::Header;
use super::metadata::Metadata;
use super::options::{DONE, Options, read_option};
use super::reader::{Reader, out_of_range};
use super::recording::{Buffer, CpuData, EmbeddedText, Recording, cpu_number, read_cpu_count};
use crate::input::ReadAt;
use crate::model::{Code, Limits, ReadError};

/// Instances are made by hand; each costs a table of all CPUs.
const MAX_BUFFERS: usize = 1_024;

/// Everything of a version 6 file but its pages; `reader` is past the header.
pub fn read(
    file: &dyn ReadAt,
    header: Header,
    mut reader: Reader<'_>,
    limits: &Limits,
) -> Result<Recording, ReadError> {
    let metadata = read_metadata(&mut reader, header, limits)?;
    let cpu_count = read_cpu_count(&mut reader, limits)?;
    let mut options = Options::default();
    let mut kind = read_kind(&mut reader)?;
    if &kind == b"options  \0" {
        read_options(&mut reader, &mut options)?;
        kind = read_kind(&mut reader)?;
    }
    let (buffers, texts, damages) = (Vec::new(), Vec::new(), Vec::new());
    let mut recording = Recording { header, metadata, options, buffers, texts, damages, is_cut: false };
    match &kind {
        b"flyrecord\0" => {
            let cpus = read_cpu_table(&mut reader, cpu_count, limits)?;
            recording.buffers.push(buffer(Vec::new(), cpus, &header));
            read_trace_clock(&mut reader, &mut recording.options);
            read_instances(file, &mut recording, cpu_count, limits)?;
        }
        b"latency  \0" => {
            let text = EmbeddedText::InFile { offset: reader.position(), size: reader.remaining() };
            recording.texts.push(text);
            take_clock_of_option(&mut recording.options);
        }
        _ => return Err(out_of_range(reader.place(), "Neither ring-buffer pages nor a text trace follow.")),
    }
    if recording.options.facts.cpu_count.is_none() {
        recording.options.facts.cpu_count = Some(cpu_count);
    }
    Ok(recording)
}

fn read_metadata(reader: &mut Reader<'_>, header: Header, limits: &Limits) -> Result<Metadata, ReadError> {
    let mut metadata = Metadata::default();
    reader.short_code = Code::TruncatedFormats;
    metadata.read_header_info(reader, header.long_bytes)?;
    metadata.read_ftrace_formats(reader, limits)?;
    metadata.read_event_formats(reader, limits)?;
    reader.short_code = Code::SizePastEof;
    metadata.read_kallsyms(reader)?;
    metadata.read_printk_formats(reader)?;
    metadata.read_saved_cmdlines(reader)?;
    Ok(metadata)
}

/// `options  `, `flyrecord` or `latency  `, each with its NUL.
fn read_kind(reader: &mut Reader<'_>) -> Result<[u8; 10], ReadError> {
    let bytes = reader.take(10)?;
    Ok(bytes.first_chunk().copied().unwrap_or_default())
}

/// Options until an id of 0, which has no size here.
fn read_options(reader: &mut Reader<'_>, options: &mut Options) -> Result<(), ReadError> {
    loop {
        let start = reader.position();
        if reader.u16()? == DONE {
            return Ok(());
        }
        reader.seek(start);
        let option = read_option(reader)?;
        options.add(option, reader)?;
    }
}

fn read_cpu_table(
    reader: &mut Reader<'_>,
    cpu_count: u32,
    limits: &Limits,
) -> Result<Vec<CpuData>, ReadError> {
    (0..cpu_count)
        .map(|cpu| {
            let place = reader.place();
            let cpu = cpu_number(cpu, place, limits)?;
            let (offset, size) = (reader.u64()?, reader.u64()?);
            Ok(CpuData { cpu, offset, size, entry_place: place.byte_offset, is_cut: false })
        })
        .collect()
}

/// The list of clocks is in the option or, from trace-cmd, after the CPU table.
fn read_trace_clock(reader: &mut Reader<'_>, options: &mut Options) {
    if take_clock_of_option(options) {
        return;
    }
    let Some(size) = reader.u64().ok().filter(|size| *size <= 4_096) else { return };
    if let Ok(list) = reader.take(usize::try_from(size).unwrap_or(0)) {
        options.set_clock_of_list(&list);
    }
}

/// True where there is nothing more to look for: the option holds the list, or there is no option.
fn take_clock_of_option(options: &mut Options) -> bool {
    match options.trace_clock.take() {
        Some(list) if list.is_empty() => false,
        Some(list) => {
            options.set_clock_of_list(&list);
            true
        }
        None => true,
    }
}

/// BUFFER options: u64 offset of another `flyrecord` table, and the instance's name.
fn read_instances(
    file: &dyn ReadAt,
    recording: &mut Recording,
    cpu_count: u32,
    limits: &Limits,
) -> Result<(), ReadError> {
    let order = recording.header.order;
    for option in std::mem::take(&mut recording.options.buffers) {
        let bytes: &dyn ReadAt = &option.data;
        let mut data = Reader::of_section(bytes, option.place, order);
        let offset = data.u64()?;
        let name = option.data.get(8..).unwrap_or_default();
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        let mut table = Reader::new(file, offset, order);
        if &read_kind(&mut table)? != b"flyrecord\0" {
            return Err(out_of_range(data.place(), "An instance's table is not where its option says."));
        }
        let cpus = read_cpu_table(&mut table, cpu_count, limits)?;
        // An empty name may repeat the table of the top instance.
        let is_repeated = recording.buffers.iter().any(|buffer| same_ranges(&buffer.cpus, &cpus));
        if !is_repeated {
            recording.buffers.push(buffer(name, cpus, &recording.header));
        }
        if recording.buffers.len() > MAX_BUFFERS {
            return Err(out_of_range(data.place(), "The file has too many instances."));
        }
    }
    Ok(())
}

fn same_ranges(left: &[CpuData], right: &[CpuData]) -> bool {
    left.iter().map(|cpu| (cpu.offset, cpu.size)).eq(right.iter().map(|cpu| (cpu.offset, cpu.size)))
}

fn buffer(name: Vec<u8>, cpus: Vec<CpuData>, header: &Header) -> Buffer {
    Buffer { name, page_bytes: header.page_bytes, codec: None, cpus }
}

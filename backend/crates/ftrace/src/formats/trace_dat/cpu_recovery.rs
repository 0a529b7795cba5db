//! Pages of a version 7 file whose table of CPUs is missing: where each CPU's begin, and which CPU it is.
//!
//! Pages do not say which CPU they are of. Its idle task may (`page_owner`), or the number of records. What cannot
//! be known for certain is not used.

use std::ops::Range;

use super::cpu_stats::{self, CpuStats};
use super::metadata::Metadata;
use super::options::{BUFFER, Options};
use super::page_owner::Owner;
use super::page_source::{ChunkHeader, MAX_CHUNK_BYTES};
use super::recording::{Buffer, CpuData};
use super::ring_page::PageLayout;
use super::section_scan::{SECTION_HEADER_BYTES, Section};
use super::sections::Sections;
use crate::input::ReadAt;
use crate::model::ReadError;

/// Chunks of each CPU that are expanded to see which it is; of ten pages each, as they are written.
const MAX_LOOKED_CHUNKS: u32 = 4_096;
/// The number of a CPU's chunks, which their size leaves out.
const COUNT_BYTES: u64 = 4;

/// Pages of one CPU.
struct Stretch {
    range: Range<u64>,
    owner: Owner,
    /// Records on them; `None` where not all could be counted.
    record_count: Option<u64>,
}

/// Adds the buffers whose sections no option describes, where their CPUs can be known.
pub fn recover(
    file: &Sections<'_>,
    metadata: &Metadata,
    options: &Options,
    buffers: &mut Vec<Buffer>,
) -> Result<(), ReadError> {
    let all = file.found()?.iter().filter(|section| section.id == BUFFER);
    let numbered: Vec<_> = all.copied().enumerate().collect();
    let names = cpu_stats::buffer_names(&options.cpu_stats);
    for section in file.unused(BUFFER)? {
        let number = numbered.iter().find(|(_, other)| *other == section).map_or(0, |(number, _)| *number);
        let name = match names.get(number) {
            Some(name) => name.clone(),
            None if number == 0 && names.is_empty() => Vec::new(),
            None => {
                unusable(file, &section, "which instance they are of is not known");
                continue;
            }
        };
        let layout = metadata.page_layout(file.header.order);
        let stretches = match section.is_compressed {
            true => packed_stretches(file, &section, layout)?,
            false => plain_stretches(file, &section, layout)?,
        };
        let stats = cpu_stats::of_buffer(&options.cpu_stats, &name);
        let cpus = cpus_of(file, &section, &stretches, &stats, options.facts.cpu_count);
        if cpus.is_empty() {
            unusable(file, &section, "which CPU they are of cannot be known");
            continue;
        }
        file.claim(section)?;
        let what = format!("pages of {} CPUs, whose table is missing", stretches.len());
        file.note(section.place, section.place, what);
        let codec = file.codec.filter(|_| section.is_compressed);
        buffers.push(Buffer { name, page_bytes: file.header.page_bytes, codec, cpus });
    }
    Ok(())
}

fn unusable(file: &Sections<'_>, section: &Section, why: &str) {
    let behind_header = section.place.saturating_add(SECTION_HEADER_BYTES);
    file.note(section.place, behind_header, format!("pages without their table of CPUs; {why}"));
}

/// The table of CPUs that the recorder would have written: in ascending order, those without pages left out.
fn cpus_of(
    file: &Sections<'_>,
    section: &Section,
    stretches: &[Stretch],
    stats: &[CpuStats],
    cpu_count: Option<u32>,
) -> Vec<CpuData> {
    let is_cut = section.end() > file.file.len();
    let is_of_all = cpu_count.is_some_and(|count| count as usize == stretches.len()) && !is_cut;
    let is_only = cpu_count == Some(1) && stretches.len() == 1;
    let mut cpus: Vec<CpuData> = Vec::new();
    for (number, stretch) in (0..).zip(stretches) {
        let is_last = usize::from(number).saturating_add(1) == stretches.len();
        let known = match stretch.owner {
            Owner::Cpu(cpu) => Some(cpu),
            Owner::Unknown if is_of_all || is_only => Some(number),
            Owner::Unknown if is_last && is_cut => next_cpu(stats, &cpus),
            Owner::Unknown => cpu_by_count(stats, stretch.record_count),
            Owner::Several => None,
        };
        let is_next = |cpu: &u16| cpus.last().is_none_or(|last| last.cpu < *cpu);
        let Some(cpu) = known.filter(is_next).filter(|cpu| u32::from(*cpu) < file.limits.max_cpus) else {
            if is_last && is_cut {
                break;
            }
            return Vec::new();
        };
        let Range { start, end } = stretch.range;
        let size = end.saturating_sub(start);
        cpus.push(CpuData {
            cpu,
            offset: start,
            size,
            entry_place: section.place,
            is_cut: is_cut && is_last,
        });
    }
    // Those of which the file has nothing any more, or nothing that is known to be theirs.
    let first_missing = cpus.last().map_or(u16::MAX, |last| last.cpu.saturating_add(1));
    let count = u16::try_from(cpu_count.unwrap_or(0).min(file.limits.max_cpus)).unwrap_or(0);
    for cpu in (first_missing..count).filter(|_| is_cut) {
        let offset = file.file.len();
        cpus.push(CpuData { cpu, offset, size: 0, entry_place: section.place, is_cut: true });
    }
    cpus
}

/// The one CPU of which that many records were read.
fn cpu_by_count(stats: &[CpuStats], count: Option<u64>) -> Option<u16> {
    let count = count?;
    let is_meant = |stats: &&CpuStats| count > 0 && (stats.read == count || stats.written() == count);
    let mut meant = stats.iter().filter(is_meant);
    let only = meant.next().filter(|_| meant.next().is_none())?;
    only.cpu
}

/// The CPU with records that comes after those that are known, if none of them is missing.
fn next_cpu(stats: &[CpuStats], known: &[CpuData]) -> Option<u16> {
    let mut with_records = stats.iter().filter(|stats| stats.written() > 0).filter_map(|stats| stats.cpu);
    let are_all = known.iter().all(|data| with_records.next() == Some(data.cpu));
    let (next, is_only) = (with_records.next(), !known.is_empty() || with_records.next().is_none());
    next.filter(|_| are_all && is_only)
}

/// The chunks of each CPU follow their count, and begin at a page boundary.
fn packed_stretches(
    file: &Sections<'_>,
    section: &Section,
    layout: PageLayout,
) -> Result<Vec<Stretch>, ReadError> {
    let end = section.end().min(file.file.len());
    let mut stretches = Vec::new();
    let mut at = section.body();
    while at < end {
        let border = at.checked_next_multiple_of(file.header.page_bytes as u64).unwrap_or(u64::MAX);
        let Some(stretch) = first_stretch(file, section, [border, at], layout)? else {
            // After the last CPU is nothing; before it, all that follows is in doubt.
            return Ok(if border < end { Vec::new() } else { stretches });
        };
        at = stretch.range.end.saturating_add(COUNT_BYTES);
        stretches.push(stretch);
    }
    Ok(stretches)
}

fn first_stretch(
    file: &Sections<'_>,
    section: &Section,
    starts: [u64; 2],
    layout: PageLayout,
) -> Result<Option<Stretch>, ReadError> {
    for start in starts {
        if let Some(stretch) = packed_stretch(file, section, start, layout)? {
            return Ok(Some(stretch));
        }
    }
    Ok(None)
}

/// The chunks after their number at `start`; those of a cut file end with their section. `None` where there
/// are none.
fn packed_stretch(
    file: &Sections<'_>,
    section: &Section,
    start: u64,
    layout: PageLayout,
) -> Result<Option<Stretch>, ReadError> {
    let mut count = [0; COUNT_BYTES as usize];
    if start >= section.end() || file.file.peek(start, &mut count)? < count.len() {
        return Ok(None);
    }
    let count = file.header.order.u32(&count, 0).unwrap_or(0);
    let (mut next, mut owner, mut records) = (start.saturating_add(COUNT_BYTES), Owner::Unknown, Some(0_u64));
    for number in 0..count {
        let Some(chunk) = ChunkHeader::peek(file.file, next, file.header.order)? else {
            next = section.end();
            break;
        };
        if !chunk.is_of_pages(file.header.page_bytes) {
            return Ok(None);
        }
        if number < MAX_LOOKED_CHUNKS {
            let pages = expand(file, next, chunk)?;
            owner = owner.and(Owner::of(&pages));
            let of_chunk = pages.chunks(file.header.page_bytes).map(|page| layout.record_count(page));
            records = of_chunk.fold(records, |all, count| Some(all?.saturating_add(count?)));
        }
        next = chunk.end(next);
    }
    let is_some = count > 0 && next <= section.end();
    let record_count = records.filter(|_| count <= MAX_LOOKED_CHUNKS);
    let range = start..next.saturating_sub(COUNT_BYTES);
    Ok(is_some.then_some(Stretch { range, owner, record_count }))
}

/// The pages of a chunk; none where it is damaged or cut.
fn expand(file: &Sections<'_>, place: u64, chunk: ChunkHeader) -> Result<Vec<u8>, ReadError> {
    let mut packed = vec![0; chunk.packed_bytes as usize];
    let count = file.file.peek(chunk.body(place), &mut packed)?;
    let (mut pages, size) = (Vec::new(), chunk.expanded_bytes as usize);
    let is_whole = count == packed.len()
        && size <= MAX_CHUNK_BYTES
        && file.codec.is_some_and(|codec| codec.expand(&packed, size, &mut pages));
    if !is_whole {
        pages.clear();
    }
    Ok(pages)
}

/// Pages follow each other; another CPU's begin where the time falls.
fn plain_stretches(
    file: &Sections<'_>,
    section: &Section,
    layout: PageLayout,
) -> Result<Vec<Stretch>, ReadError> {
    let page_bytes = file.header.page_bytes as u64;
    let end = section.end().min(file.file.len());
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut page = vec![0; file.header.page_bytes];
    let mut last_stamp = 0;
    let border = section.body().checked_next_multiple_of(page_bytes).unwrap_or(u64::MAX);
    file.file.peek(border, &mut page)?;
    let mut at = if layout.span(&page).is_some() { border } else { section.body() };
    while at < end {
        let count = file.file.peek(at, &mut page)?;
        let page = page.get(..count).unwrap_or_default();
        let next = at.saturating_add(page_bytes).min(section.end());
        let Some(head) = layout.head(page).filter(|_| next <= end || !stretches.is_empty()) else {
            return Ok(Vec::new());
        };
        let (owner, records) = (Owner::of(page), layout.record_count(page));
        let is_next_cpu = head.used > 0 && head.stamp < last_stamp;
        match stretches.last_mut().filter(|_| !is_next_cpu) {
            Some(last) => {
                (last.range.end, last.owner) = (next, last.owner.and(owner));
                last.record_count =
                    last.record_count.zip(records).map(|(all, count)| all.saturating_add(count));
            }
            None => stretches.push(Stretch { range: at..next, owner, record_count: records }),
        }
        last_stamp = layout.span(page).map_or(last_stamp.max(head.stamp), |span| span.last);
        at = next;
    }
    Ok(stretches)
}

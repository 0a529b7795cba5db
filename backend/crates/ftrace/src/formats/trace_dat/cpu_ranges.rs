//! Checks where the CPUs say their pages are, before any page is read.

use super::recording::{Buffer, CpuData};
use crate::model::{Code, Diagnostic, Place, Sink, Stop};

/// Cuts ranges at the end of the file and where another CPU claims the same bytes, and says so.
///
/// Of two that claim the same bytes, the later one in the file's tables keeps them: tables are written
/// in ascending order, so the earlier one reaches too far.
pub fn check_ranges(buffers: &mut [Buffer], file_bytes: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
    for (data, page_bytes) in all_cpus(buffers) {
        if !data.size.is_multiple_of(page_bytes) {
            let sample = format!("CPU {}: {} bytes are no whole pages", data.cpu, data.size);
            data.is_cut = true;
            report(sink, Code::BadPage, data.entry_place, &sample)?;
        }
        let available = file_bytes.saturating_sub(data.offset);
        if data.size > available {
            let sample =
                format!("CPU {}: {} bytes are missing", data.cpu, data.size.saturating_sub(available));
            (data.size, data.is_cut) = (available, true);
            report(sink, Code::CpuDataTruncated, file_bytes, &sample)?;
        }
    }
    let mut taken: Vec<(u64, u64)> = Vec::new();
    let mut overlaps = Vec::new();
    for data in buffers.iter_mut().rev().flat_map(|buffer| buffer.cpus.iter_mut().rev()) {
        if data.size == 0 {
            continue;
        }
        let claimed = *data;
        let next = taken.partition_point(|(start, _)| *start < data.offset);
        let is_inside = next.checked_sub(1).and_then(|before| taken.get(before));
        let end = match is_inside {
            Some((_, end)) if *end > data.offset => data.offset,
            _ => taken.get(next).map_or(u64::MAX, |(start, _)| *start),
        };
        data.size = data.size.min(end.saturating_sub(data.offset));
        if data.size < claimed.size {
            data.is_cut = true;
            overlaps.push(claimed);
        }
        if data.size > 0 {
            taken.insert(next, (data.offset, data.offset.saturating_add(data.size)));
        }
    }
    overlaps.iter().rev().try_for_each(|data| report_overlap(data, sink))
}

/// Every CPU with the size of its pages; packed ones may take any number of bytes.
fn all_cpus(buffers: &mut [Buffer]) -> impl Iterator<Item = (&mut CpuData, u64)> {
    buffers.iter_mut().flat_map(|buffer| {
        let page_bytes = if buffer.codec.is_some() { 1 } else { buffer.page_bytes as u64 };
        buffer.cpus.iter_mut().map(move |data| (data, page_bytes))
    })
}

fn report_overlap(data: &CpuData, sink: &mut dyn Sink) -> Result<(), Stop> {
    let sample = format!("CPU {} claims {} bytes from byte {}", data.cpu, data.size, data.offset);
    report(sink, Code::CpuDataOverlap, data.entry_place, &sample)
}

fn report(sink: &mut dyn Sink, code: Code, byte_offset: u64, sample: &str) -> Result<(), Stop> {
    let place = Place::byte(byte_offset);
    sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count: 1 })
}

//! All CPUs of a recording in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::byte_account::ByteAccount;
use super::clock::Clock;
use super::cpu_stream::CpuStream;
use super::decoder::Decoder;
use super::ring_page::Missed;
use crate::model::{LossCause, LossRecord, Sink, Stop, Timestamp};

/// Records between two reports of progress.
const PROGRESS_RECORDS: u32 = 16_384;

/// Hands every record of `streams` to `sink`; of equal times the earlier stream's comes first.
pub fn merge(
    streams: &mut [CpuStream<'_>],
    clock: &Clock,
    decoder: &mut Decoder<'_>,
    file: &ByteAccount<'_>,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let mut heap = BinaryHeap::with_capacity(streams.len());
    for (index, stream) in streams.iter_mut().enumerate() {
        let has_record = stream.advance(clock, sink)?;
        report_damage(stream, None, !has_record, sink)?;
        if has_record {
            heap.push(Reverse((stream.time(), index)));
        } else {
            report_missed(stream, None, sink)?;
        }
    }
    let mut until_progress = PROGRESS_RECORDS;
    while let Some(mut first) = heap.peek_mut() {
        let Reverse((time, index)) = *first;
        let Some(stream) = streams.get_mut(index) else { break };
        report_missed(stream, Some(time), sink)?;
        decoder.decode(stream, sink)?;
        let has_record = stream.advance(clock, sink)?;
        report_damage(stream, Some(time), !has_record, sink)?;
        if has_record {
            *first = Reverse((stream.time(), index));
        } else {
            report_missed(stream, None, sink)?;
            PeekMut::pop(first);
        }
        until_progress = until_progress.saturating_sub(1);
        if until_progress == 0 {
            until_progress = PROGRESS_RECORDS;
            sink.progress(file.used_bytes(), file.skipped_bytes())?;
        }
    }
    Ok(())
}

/// Reports what the kernel lost before the record at `ts`, or after the last one.
fn report_missed(stream: &mut CpuStream<'_>, ts: Option<Timestamp>, sink: &mut dyn Sink) -> Result<(), Stop> {
    match stream.take_missed() {
        None => Ok(()),
        Some(Missed(count)) => report_loss(stream, ts, count, LossCause::Overwritten, sink),
    }
}

/// Reports what could not be read between the record at `before`, which was handed on, and where `stream` is
/// now: at once, so that nothing that comes between them on other CPUs is trusted.
fn report_damage(
    stream: &mut CpuStream<'_>,
    before: Option<Timestamp>,
    is_at_end: bool,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    if !stream.take_damage() {
        return Ok(());
    }
    // A CPU's first record may be earlier than the trace's first, so the loss before it has no time of its own.
    let ts = before.and(Some(stream.time())).filter(|_| !is_at_end);
    let cause = if is_at_end { LossCause::CutOff } else { LossCause::Unreadable };
    report_loss(stream, ts, None, cause, sink)
}

fn report_loss(
    stream: &CpuStream<'_>,
    ts: Option<Timestamp>,
    count: Option<u64>,
    cause: LossCause,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let (cpu, buffer, place) = (Some(stream.cpu), Some(stream.buffer), stream.page_place());
    sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })
}

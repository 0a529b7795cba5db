//! All CPUs of a recording in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::clock::Clock;
use super::cpu_stream::CpuStream;
use super::decoder::Decoder;
use super::ring_page::Missed;
use crate::model::{LossCause, LossRecord, ReadError, Sink, Timestamp};

/// Records between two reports of progress.
const PROGRESS_RECORDS: u32 = 16_384;

/// What was made of the bytes of the pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    pub used: u64,
    pub skipped: u64,
}

/// Hands every record of `streams` to `sink`; of equal times the earlier stream's comes first.
pub fn merge(
    streams: &mut [CpuStream<'_>],
    clock: &Clock,
    decoder: &mut Decoder<'_>,
    before: u64,
    sink: &mut dyn Sink,
) -> Result<Account, ReadError> {
    let mut heap = BinaryHeap::with_capacity(streams.len());
    for (index, stream) in streams.iter_mut().enumerate() {
        if stream.advance(clock, sink)? {
            heap.push(Reverse((stream.time(), index)));
        }
    }
    let mut until_progress = PROGRESS_RECORDS;
    while let Some(mut first) = heap.peek_mut() {
        let Reverse((time, index)) = *first;
        let Some(stream) = streams.get_mut(index) else { break };
        report_missed(stream, Some(time), sink)?;
        decoder.decode(stream, sink)?;
        if stream.advance(clock, sink)? {
            *first = Reverse((stream.time(), index));
        } else {
            report_missed(stream, None, sink)?;
            PeekMut::pop(first);
        }
        until_progress = until_progress.saturating_sub(1);
        if until_progress == 0 {
            until_progress = PROGRESS_RECORDS;
            let account = account(streams);
            let used = before.saturating_add(account.used).saturating_sub(account.skipped);
            sink.progress(used, account.skipped)?;
        }
    }
    Ok(account(streams))
}

fn report_missed(
    stream: &mut CpuStream<'_>,
    ts: Option<Timestamp>,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    match stream.take_missed() {
        None => Ok(()),
        Some(Missed(count)) => {
            let (cpu, buffer, place) = (Some(stream.cpu), Some(stream.buffer), stream.page_place());
            let cause = LossCause::Overwritten;
            sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })
        }
    }
}

fn account(streams: &[CpuStream<'_>]) -> Account {
    streams.iter().fold(Account::default(), |sum, stream| Account {
        used: sum.used.saturating_add(stream.used_bytes),
        skipped: sum.skipped.saturating_add(stream.skipped_bytes),
    })
}

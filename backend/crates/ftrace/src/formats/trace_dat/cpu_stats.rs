//! The statistics of a CPU's buffer, as the kernel gave them when the recording ended, and the losses that
//! they count and the pages do not.

use std::collections::BTreeMap;

use super::cpu_stream::CpuStream;
use crate::model::{Code, Diagnostic, LossCause, LossRecord, Place, Sink, Stop, grouped};

/// What `per_cpu/cpuN/stats` counts as lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStats {
    pub cpu: Option<u16>,
    /// Overwritten before they were read.
    pub overrun: u64,
    /// Not written because the buffer was full or a writer was interrupted.
    pub dropped: u64,
    /// Read from the buffer, that is, written to the file. Entries that were still in it may not be there.
    pub read: u64,
    /// Still in the buffer when it was asked, and read afterwards by most recorders.
    pub left: u64,
    /// What those still in the buffer take there; some of what was read may be counted, too.
    pub left_bytes: u64,
    /// When it was asked, on the clock of the pages.
    pub now: Option<u64>,
}

impl CpuStats {
    /// Lines of `CPU: 0`, `overrun: 12`, `commit overrun: 0`, `dropped events: 0` ...
    pub fn parse(text: &[u8]) -> Self {
        let mut stats = Self::default();
        for line in text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some((key, value)) = line.split_once(':') else { continue };
            if key == "now ts" {
                stats.now = now(value.trim());
                continue;
            }
            let Ok(value) = value.trim_matches(|character: char| !character.is_ascii_digit()).parse::<u64>()
            else {
                continue;
            };
            match key.trim() {
                "CPU" | "cpu" => stats.cpu = u16::try_from(value).ok(),
                "overrun" => stats.overrun = value,
                "read events" => stats.read = value,
                "entries" => stats.left = value,
                "bytes" => stats.left_bytes = value,
                "commit overrun" | "dropped events" => stats.dropped = stats.dropped.saturating_add(value),
                _ => {}
            }
        }
        stats
    }

    /// Records that the file may hold at most.
    pub fn written(&self) -> u64 {
        self.read.saturating_add(self.left)
    }

    /// Records that the file holds at least if it holds `seen`: a recorder reads to the end of the buffer, but may
    /// leave the last page there, which was not full. `lost` were overwritten after the statistics.
    fn expected(&self, seen: u64, lost: u64, page_bytes: u64) -> u64 {
        let is_rest_read = seen > self.read || self.left_bytes > page_bytes;
        let left = if is_rest_read { self.left.saturating_sub(lost) } else { 0 };
        self.read.saturating_add(left)
    }

    /// With those of another instance's buffer of the same CPU.
    fn plus(self, other: Self) -> Self {
        Self {
            cpu: self.cpu,
            overrun: self.overrun.saturating_add(other.overrun),
            dropped: self.dropped.saturating_add(other.dropped),
            read: self.read.saturating_add(other.read),
            left: self.left.saturating_add(other.left),
            left_bytes: self.left_bytes.max(other.left_bytes),
            now: self.now.max(other.now),
        }
    }
}

/// `5290.123456` in seconds, up to the end of the microsecond, or a number of a clock that does not count them.
fn now(text: &str) -> Option<u64> {
    let Some((seconds, fraction)) = text.split_once('.') else { return text.parse().ok() };
    let micros: u64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1_000_000)?.checked_add(micros)?.checked_add(1)?.checked_mul(1_000)
}

/// An instance, where the file names it, and a CPU.
type BufferOfCpu<'t> = (Option<&'t [u8]>, u16);

/// The instance that a text is about: those after `\nBuffer: rt\n\n\0` are of `rt`, those before of the top one.
/// `None` where no text names an instance: trace-cmd before 2.9 wrote those of all instances alike.
fn buffers_of<'t>(texts: &'t [(Vec<u8>, u64)]) -> impl Iterator<Item = Option<&'t [u8]>> {
    let name = |text: &'t [u8]| {
        let name = text.trim_ascii_start().strip_prefix(b"Buffer: ")?;
        name.split(|byte| matches!(byte, b'\n' | 0)).next()
    };
    let mut buffer = texts.iter().any(|(text, _)| name(text).is_some()).then_some(&b""[..]);
    texts.iter().map(move |(text, _)| {
        buffer = name(text).or(buffer);
        buffer
    })
}

/// The instances that statistics name, in their order; none where no text names any.
pub fn buffer_names(texts: &[(Vec<u8>, u64)]) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for ((text, _), name) in texts.iter().zip(buffers_of(texts)) {
        if let Some(name) = name
            && CpuStats::parse(text).cpu.is_some()
            && names.last().is_none_or(|last| last != name)
        {
            names.push(name.to_vec());
        }
    }
    names
}

/// The statistics of one instance's CPUs, in their order.
pub fn of_buffer(texts: &[(Vec<u8>, u64)], name: &[u8]) -> Vec<CpuStats> {
    let is_meant = |buffer: Option<&[u8]>| buffer.is_none_or(|buffer| buffer == name);
    let stats = texts.iter().zip(buffers_of(texts)).filter(|(_, buffer)| is_meant(*buffer));
    stats.map(|((text, _), _)| CpuStats::parse(text)).filter(|stats| stats.cpu.is_some()).collect()
}

/// Reports what the statistics count as lost and no page marks.
///
/// What was overwritten before the first page that is kept leaves no mark in old kernels' pages; what a full
/// buffer dropped leaves none anywhere, and may be missing at any time, as may what pages mark uncounted.
pub fn report_losses(
    streams: &[CpuStream<'_>],
    texts: &[(Vec<u8>, u64)],
    page_bytes: u64,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let mut cpus: BTreeMap<BufferOfCpu<'_>, (CpuStats, Place)> = BTreeMap::new();
    for ((text, place), buffer) in texts.iter().zip(buffers_of(texts)) {
        let stats = CpuStats::parse(text);
        let Some(cpu) = stats.cpu else { continue };
        let entry = cpus.entry((buffer, cpu)).or_insert((CpuStats::default(), Place::byte(*place)));
        entry.0 = entry.0.plus(stats);
    }
    for ((buffer, cpu), (stats, place)) in cpus {
        let is_meant = move |stream: &&CpuStream<'_>| {
            stream.cpu == cpu && buffer.is_none_or(|buffer| buffer == stream.buffer)
        };
        let of_cpu = || streams.iter().filter(is_meant);
        report_late(stats, of_cpu().map(|stream| stream.last_stamp).max(), cpu, place, sink)?;
        let counted = of_cpu().map(|stream| stream.counted_losses).fold(0, u64::saturating_add);
        let seen = of_cpu().map(CpuStream::records_seen).fold(0, u64::saturating_add);
        let lost = if of_cpu().any(|stream| stream.has_uncounted_losses) { u64::MAX } else { counted };
        let expected = stats.expected(seen, lost.saturating_sub(stats.overrun), page_bytes);
        report_missing(seen, expected, buffer, cpu, place, sink)?;
        let (mut before, mut anywhere) = (stats.overrun.saturating_sub(counted), stats.dropped);
        if of_cpu().any(|stream| stream.has_uncounted_losses) {
            (before, anywhere) = (0, before.saturating_add(anywhere));
        }
        let first = of_cpu().filter_map(|stream| stream.first).min();
        for (count, cpu, ts) in [(before, Some(cpu), first), (anywhere, None, None)] {
            if count > 0 {
                let is_before = ts.is_some();
                let cause = if is_before { LossCause::OverwrittenBefore } else { LossCause::Overwritten };
                sink.loss(&LossRecord { cpu, buffer, ts, count: Some(count), cause, place })?;
            }
        }
    }
    Ok(())
}

/// Reports a CPU of which the file holds fewer records than its statistics count, wherever they are missing.
fn report_missing(
    seen: u64,
    expected: u64,
    buffer: Option<&[u8]>,
    cpu: u16,
    place: Place,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let missing = expected.saturating_sub(seen);
    if missing == 0 {
        return Ok(());
    }
    let sample = format!("CPU {cpu}: {} of {}", grouped(seen), grouped(expected));
    let (code, cause) = (Code::FewerThanStated, LossCause::Unreadable);
    sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count: missing })?;
    sink.loss(&LossRecord { cpu: None, buffer, ts: None, count: Some(missing), cause, place })
}

/// Reports a CPU with a record later than the statistics.
fn report_late(
    stats: CpuStats,
    last: Option<u64>,
    cpu: u16,
    place: Place,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let Some((last, now)) = last.zip(stats.now).filter(|(last, now)| last > now) else { return Ok(()) };
    let sample = format!("CPU {cpu}: a record at {last}, the statistics are of {now}");
    sink.diagnostic(Diagnostic { code: Code::DoubtfulValue, place, sample: sample.as_bytes(), count: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_overwritten_and_dropped_is_told_apart() {
        let text = b"CPU: 3\nentries: 12\noverrun: 40\ncommit overrun: 1\nbytes: 900\n\
            oldest event ts:  5284.003\nnow ts:  5290.1\ndropped events: 2\nread events: 12\n";
        let stats = CpuStats::parse(text);
        let now = Some(5_290_100_001_000);
        let (overrun, dropped, read, left, left_bytes) = (40, 3, 12, 12, 900);
        assert_eq!(stats, CpuStats { cpu: Some(3), overrun, dropped, read, left, left_bytes, now });
    }

    #[test]
    fn what_was_left_in_the_buffer_is_missed_unless_it_was_one_page() {
        let expected = |read, left, left_bytes, seen| {
            CpuStats { read, left, left_bytes, ..CpuStats::default() }.expected(seen, 0, 4_096)
        };
        // Nothing was read before the statistics: all of the buffer was read then, page by page.
        assert_eq!(expected(0, 200, 9_000, 170), 200);
        assert_eq!(expected(0, 200, 9_000, 0), 200);
        // The last page, which was not full, is not always read.
        assert_eq!(expected(63, 29, 1_856, 63), 63);
        assert_eq!(expected(63, 29, 1_856, 64), 92);
        assert_eq!(expected(63, 0, 0, 60), 63);
        let stats = CpuStats { read: 63, left: 29, ..CpuStats::default() };
        assert_eq!([stats.expected(64, 9, 4_096), stats.expected(64, u64::MAX, 4_096)], [83, 63]);
    }

    #[test]
    fn the_kernel_says_when_it_was_asked() {
        assert_eq!(now("5290.000001"), Some(5_290_000_002_000));
        assert_eq!(now("37147321338"), Some(37_147_321_338));
        assert_eq!(now("never"), None);
    }
}

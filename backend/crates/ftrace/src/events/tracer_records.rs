//! What the tracers osnoise, timerlat and hwlat report, as lines of their own or as events.
//!
//! Sources: kernel/trace/trace_output.c, include/trace/events/osnoise.h, Linux 4.9 to 6.15.

use memchr::memmem;

use super::fields::{leading_number, number, word};

const NS_PER_US: i64 = 1_000;

/// How long after its timer's expiry a context was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerlatRecord<'a> {
    /// `irq`, `thread` or `user-ret`.
    pub context: &'a [u8],
    /// The number of the activation on its CPU.
    pub activation: i64,
    pub latency_ns: i64,
}

/// One line of the timerlat tracer, or its event. `None` where a field is missing or not a number.
///
// #23    context    irq timer_latency     56515 ns
// timer_latency=56515 seqnum=23 context=0
pub fn parse_timerlat(args: &[u8]) -> Option<TimerlatRecord<'_>> {
    let Some(rest) = args.strip_prefix(b"#") else { return timerlat_event(args) };
    let (activation, rest) = leading_number(rest)?;
    let mut words = rest.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let is_context = words.next()? == b"context";
    let context = words.next()?;
    let is_latency = words.next()? == b"timer_latency";
    let (latency_ns, _) = leading_number(words.next()?)?;
    let is_whole = is_context && is_latency && words.next() == Some(b"ns");
    is_whole.then_some(TimerlatRecord { context, activation, latency_ns })
}

fn timerlat_event(args: &[u8]) -> Option<TimerlatRecord<'_>> {
    let context: &[u8] = match number(args, b"context")? {
        0 => b"irq",
        1 => b"thread",
        2 => b"user-ret",
        _ => return None,
    };
    let (activation, latency_ns) = (number(args, b"seqnum")?, number(args, b"timer_latency")?);
    Some(TimerlatRecord { context, activation, latency_ns })
}

/// The noise of one period of sampling, in nanoseconds.
///
// 1043767    1001980   4.00347  128678     82      0     99      0    284
// runtime=1000000 noise=190 max_sample=9 hw_count=18 irq_count=1007 ...
pub fn parse_osnoise(args: &[u8]) -> Option<i64> {
    let noise_us = match number(args, b"noise") {
        Some(noise_us) => noise_us,
        None => {
            let mut columns = args.split(|byte| *byte == b' ').filter(|column| !column.is_empty());
            let (_, rest) = leading_number(columns.next()?)?;
            let (noise_us, behind) = leading_number(columns.next()?)?;
            let is_percentage = memchr::memchr(b'.', columns.next()?).is_some();
            (rest.is_empty() && behind.is_empty() && is_percentage).then_some(noise_us)?
        }
    };
    noise_us.checked_mul(NS_PER_US)
}

/// The longest time that went missing in one window of sampling, in nanoseconds: the larger of that
/// between two readings of the clock in a loop and that between two loops.
///
// #1     inner/outer(us): 17403/16024 ts:1795220337.000647021 count:180
pub fn parse_hwlat(args: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"inner/outer(us):";
    let behind = args.get(memmem::find(args, KEY)?.checked_add(KEY.len())?..)?;
    let (inner_us, rest) = leading_number(behind.trim_ascii_start())?;
    let (outer_us, _) = leading_number(rest.strip_prefix(b"/")?.trim_ascii_start())?;
    inner_us.max(outer_us).checked_mul(NS_PER_US)
}

/// What took a CPU from a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseSource<'a> {
    Nmi,
    /// `local_timer:236`
    Irq(&'a [u8]),
    /// `RCU:9`
    Softirq(&'a [u8]),
    Thread {
        comm: &'a [u8],
        pid: i32,
    },
    /// Nothing of the system's own took it.
    Hardware,
}

/// Noise, as the osnoise and timerlat tracers measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise<'a> {
    pub source: NoiseSource<'a>,
    /// On the clock `local`, whichever the trace's own is.
    pub start_ns: i64,
    /// Without noise that is nested in it.
    pub duration_ns: i64,
}

/// Which of the noise events it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoiseEvent {
    Nmi,
    Irq,
    Softirq,
    Thread,
    Sample,
}

/// `None` also for a sample that was interrupted: what interrupted it has a record of its own.
///
// local_timer:236 start 117.079344896 duration 89982 ns
// start 40.013302523 duration 16358 ns interference 1
pub fn parse_noise(event: NoiseEvent, args: &[u8]) -> Option<Noise<'_>> {
    let (name, start_ns, rest) = interval(args).or_else(|| fields(args))?;
    let (duration_ns, rest) = leading_number(rest)?;
    let name = name.trim_ascii();
    let source = match event {
        NoiseEvent::Nmi => NoiseSource::Nmi,
        NoiseEvent::Irq => NoiseSource::Irq(name),
        NoiseEvent::Softirq => NoiseSource::Softirq(name),
        NoiseEvent::Thread => {
            let (comm, pid) = name.split_at_checked(memchr::memrchr(b':', name)?)?;
            let (pid, _) = leading_number(pid.strip_prefix(b":")?)?;
            NoiseSource::Thread { comm, pid: i32::try_from(pid).ok()? }
        }
        NoiseEvent::Sample => {
            let counted = rest.strip_prefix(b" ns interference ").and_then(leading_number);
            let interference = counted.map(|(count, _)| count).or_else(|| number(args, b"interference"));
            (interference == Some(0)).then_some(NoiseSource::Hardware)?
        }
    };
    (start_ns >= 0 && duration_ns >= 0).then_some(Noise { source, start_ns, duration_ns })
}

/// The name, the start, and what follows `duration`. A name may hold anything, also ` start `.
fn interval(args: &[u8]) -> Option<(&[u8], i64, &[u8])> {
    let at = memmem::rfind(args, b"start ")?;
    let (name, rest) = args.split_at_checked(at)?;
    let rest = rest.strip_prefix(b"start ")?;
    let (start, rest) = rest.split_at_checked(memchr::memchr(b' ', rest)?)?;
    let start_ns = crate::model::parse_seconds(start)?.0;
    Some((name, start_ns, rest.strip_prefix(b" duration ")?))
}

/// What the option `fields` prints: `start=0x1b4 (436) duration=0x7 (7) vector=0xec (236) desc=local_timer`.
fn fields(args: &[u8]) -> Option<(&[u8], i64, &[u8])> {
    let name = word(args, b"desc").or_else(|| word(args, b"comm")).unwrap_or_default();
    Some((name, number(args, b"start")?, super::fields::after_key(args, b"duration")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_timerlat(args: &str, expected: Option<(&str, i64, i64)>) {
        let expected = expected.map(|(context, activation, latency_ns)| TimerlatRecord {
            context: context.as_bytes(),
            activation,
            latency_ns,
        });
        assert_eq!(parse_timerlat(args.as_bytes()), expected, "{args}");
    }

    #[test]
    fn timerlat_reports_a_context_and_its_latency() {
        check_timerlat("#23    context    irq timer_latency     56515 ns", Some(("irq", 23, 56_515)));
        check_timerlat("#1672599 context user-ret timer_latency 1 ns", Some(("user-ret", 1_672_599, 1)));
        check_timerlat("timer_latency=56515 seqnum=23 context=1", Some(("thread", 23, 56_515)));
        check_timerlat("#23 context irq timer_latency 56515 us", None);
        check_timerlat("#23 context", None);
    }

    #[test]
    fn osnoise_and_hwlat_report_microseconds() {
        let osnoise = b"1043767    1001980   4.00347  128678     82      0     99      0    284";
        assert_eq!(parse_osnoise(osnoise), Some(1_001_980_000));
        assert_eq!(parse_osnoise(b"runtime=1000000 noise=190 max_sample=9 hw_count=18"), Some(190_000));
        assert_eq!(parse_osnoise(b"1 2 3 4"), None);
        let hwlat = b"#1     inner/outer(us): 17403/16024 ts:1795220337.000647021 count:180";
        assert_eq!(parse_hwlat(hwlat), Some(17_403_000));
        assert_eq!(parse_hwlat(b"#4     inner/outer(us):   13/26    ts:1748106492.809430691"), Some(26_000));
    }

    fn check_noise(event: NoiseEvent, args: &str, expected: Option<(NoiseSource<'_>, i64, i64)>) {
        let expected =
            expected.map(|(source, start_ns, duration_ns)| Noise { source, start_ns, duration_ns });
        assert_eq!(parse_noise(event, args.as_bytes()), expected, "{args}");
    }

    #[test]
    fn noise_has_a_source_a_start_and_a_duration() {
        check_noise(
            NoiseEvent::Irq,
            "virtio0-output.0:47 start 2932.676620180 duration 86 ns",
            Some((NoiseSource::Irq(b"virtio0-output.0:47"), 2_932_676_620_180, 86)),
        );
        check_noise(
            NoiseEvent::Thread,
            "kworker/1:1:34 start 1.000000005 duration 11080 ns",
            Some((NoiseSource::Thread { comm: b"kworker/1:1", pid: 34 }, 1_000_000_005, 11_080)),
        );
        check_noise(
            NoiseEvent::Nmi,
            "start 1.000000005 duration 7 ns",
            Some((NoiseSource::Nmi, 1_000_000_005, 7)),
        );
        check_noise(NoiseEvent::Softirq, "RCU:9 start 1.2 duration", None);
    }

    #[test]
    fn only_a_sample_without_interference_is_the_hardwares() {
        check_noise(NoiseEvent::Sample, "start 40.013302523 duration 16358 ns interference 1", None);
        check_noise(
            NoiseEvent::Sample,
            "start 40.013318881 duration 1458 ns interference 0",
            Some((NoiseSource::Hardware, 40_013_318_881, 1_458)),
        );
    }
}

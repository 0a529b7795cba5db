//! From a ring-buffer time stamp to a [`Timestamp`].

use super::reader::{Reader, out_of_range};
use crate::model::{ReadError, TimeUnit, Timestamp, grouped};

/// CPUs and samples of a time shift are few; a hostile file may claim any number.
const MAX_SAMPLES: u32 = 65_536;

/// TRACECMD_TSYNC_FLAG_INTERPOLATE
const INTERPOLATE: u32 = 1;

/// The corrections that a file asks for, applied in trace-cmd's order: guest to host, ticks to
/// nanoseconds, then the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    pub shift: Option<TimeShift>,
    tsc: Option<TscScale>,
    offset_ns: i64,
}

#[derive(Clone, Copy, Debug)]
struct TscScale {
    multiplier: u32,
    shift: u32,
    offset: u64,
}

impl Clock {
    /// Adds `value` units to every time from now on.
    pub fn add_offset(&mut self, value: i64, unit_ns: i64) {
        self.offset_ns = self.offset_ns.saturating_add(value.saturating_mul(unit_ns));
    }

    /// TSC2NSEC: u32 multiplier, u32 shift, u64 offset. `None` where nothing can be multiplied so.
    pub fn read_tsc(&mut self, data: &mut Reader<'_>) -> Option<()> {
        let (multiplier, shift, offset) = (data.u32().ok()?, data.u32().ok()?, data.u64().ok()?);
        if multiplier == 0 || shift >= u64::BITS {
            return None;
        }
        self.tsc = Some(TscScale { multiplier, shift, offset });
        Some(())
    }

    /// True for the name of a clock of the kernel or of trace-cmd. Another one says that its letters were damaged, and
    /// nobody knows what its times count.
    ///
    /// Source: kernel/trace/trace.c (`trace_clocks`) and asm/trace_clock.h, Linux 2.6.33 to 7.3; trace-cmd 3.4.
    pub fn is_known(name: &str) -> bool {
        const NAMES: [&str; 13] = [
            "local", "global", "counter", "uptime", "perf", "mono", "mono_raw", "boot", "tai", "x86-tsc",
            "ppc-tb", "s390-tod", "tsc2nsec",
        ];
        NAMES.contains(&name)
    }

    /// What one step of the corrected time is, for a trace clock of this name.
    pub fn unit(&self, name: Option<&str>) -> TimeUnit {
        match name {
            Some("counter" | "uptime" | "x86-tsc" | "ppc-tb") if self.tsc.is_none() => TimeUnit::Ticks,
            _ => TimeUnit::Ns,
        }
    }

    /// The corrected time of a stamp on `cpu`; `None` past the range of an `i64` of nanoseconds.
    pub fn timestamp(&self, stamp: u64, cpu: u16) -> Option<Timestamp> {
        let mut time = i128::from(stamp);
        if let Some(shift) = &self.shift {
            time = shift.apply(stamp, cpu);
        }
        if let Some(tsc) = self.tsc {
            time = (time.checked_mul(i128::from(tsc.multiplier))? >> tsc.shift)
                .checked_add(i128::from(tsc.offset))?;
        }
        i64::try_from(time.checked_add(i128::from(self.offset_ns))?).ok().map(Timestamp)
    }
}

/// TIME_SHIFT of a guest: what its clock read against the host's at some instants, for each CPU.
#[derive(Clone, Debug, Default)]
pub struct TimeShift {
    /// Between two samples the offset goes from one to the other.
    is_interpolated: bool,
    cpus: Vec<Vec<ShiftSample>>,
}

#[derive(Clone, Copy, Debug)]
struct ShiftSample {
    from: u64,
    offset: i64,
    scaling: u64,
    fraction_bits: u32,
}

impl TimeShift {
    /// u64 peer, u32 flags, u32 CPUs; each CPU: u32 k, then k times, k offsets, k scalings; then, in newer
    /// files, k fraction bits for each CPU.
    pub fn read(data: &mut Reader<'_>) -> Result<Self, ReadError> {
        let (_peer, flags) = (data.u64()?, data.u32()?);
        let mut shift = Self { is_interpolated: flags & INTERPOLATE != 0, cpus: Vec::new() };
        for _ in 0..bounded_count(data)? {
            let count = bounded_count(data)?;
            let column =
                |data: &mut Reader<'_>| (0..count).map(|_| data.u64()).collect::<Result<Vec<_>, _>>();
            let (times, offsets, scalings) = (column(data)?, column(data)?, column(data)?);
            let samples = times.iter().zip(&offsets).zip(&scalings).map(|((from, offset), scaling)| {
                ShiftSample { from: *from, offset: offset.cast_signed(), scaling: *scaling, fraction_bits: 0 }
            });
            shift.cpus.push(samples.collect());
        }
        for sample in shift.cpus.iter_mut().flatten() {
            match data.u64() {
                Ok(bits) => sample.fraction_bits = u32::try_from(bits.min(63)).unwrap_or(63),
                Err(_) => break,
            }
        }
        Ok(shift)
    }

    /// The host's time of a guest's stamp, by the last sample at or before it and the one after that; by
    /// the first two or the last two where the stamp lies outside all.
    /// Source: timestamp_host_sync in trace-cmd 3.1, lib/trace-cmd/trace-input.c.
    fn apply(&self, stamp: u64, cpu: u16) -> i128 {
        // A file may give one CPU's samples for all.
        let samples = self.cpus.get(usize::from(cpu)).or_else(|| self.cpus.first());
        let time = i128::from(stamp);
        let (first, next) = match samples.map_or(&[][..], Vec::as_slice) {
            [] => return time,
            [only] => return time.saturating_add(i128::from(only.offset)),
            samples => {
                let behind = samples.partition_point(|sample| sample.from <= stamp);
                let at = behind.saturating_sub(1).min(samples.len().saturating_sub(2));
                let next = samples.get(at.saturating_add(1));
                let Some((first, next)) = samples.get(at).zip(next) else { return time };
                (first, next)
            }
        };
        let scaled = time.saturating_mul(i128::from(first.scaling)) >> first.fraction_bits;
        let mut offset = i128::from(first.offset);
        if self.is_interpolated {
            let span = i128::from(next.from).saturating_sub(i128::from(first.from));
            let change = i128::from(next.offset).saturating_sub(offset);
            let passed = time.saturating_sub(i128::from(first.from));
            let part = passed.saturating_mul(change).saturating_add(span / 2);
            offset = offset.saturating_add(part.checked_div(span).unwrap_or(0));
        }
        scaled.saturating_add(offset)
    }
}

fn bounded_count(data: &mut Reader<'_>) -> Result<u32, ReadError> {
    let place = data.place();
    match data.u32()? {
        count if count <= MAX_SAMPLES => Ok(count),
        count => {
            Err(out_of_range(place, format!("A time shift of {} entries cannot be right.", grouped(count))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::byte_order::ByteOrder;
    use super::*;

    /// A shift of one CPU by samples of time, offset and scaling, of 4 fraction bits each.
    fn check(flags: u32, samples: &[(u64, i64, u64)], stamp: u64, expected: i64) {
        let mut data = [&7_u64.to_le_bytes()[..], &flags.to_le_bytes(), &1_u32.to_le_bytes()].concat();
        data.extend(u32::try_from(samples.len()).unwrap().to_le_bytes());
        data.extend(samples.iter().flat_map(|sample| sample.0.to_le_bytes()));
        data.extend(samples.iter().flat_map(|sample| sample.1.to_le_bytes()));
        data.extend(samples.iter().flat_map(|sample| sample.2.to_le_bytes()));
        data.extend(samples.iter().flat_map(|_| 4_u64.to_le_bytes()));
        let shift = TimeShift::read(&mut Reader::new(&data, 0, ByteOrder::Little)).ok();
        let clock = Clock { shift, ..Clock::default() };
        assert_eq!(clock.timestamp(stamp, 0), Some(Timestamp(expected)));
    }

    #[test]
    fn ticks_are_multiplied_and_shifted_within_64_bits() {
        let read = |multiplier: u32, shift: u32| {
            let data = [&multiplier.to_le_bytes()[..], &shift.to_le_bytes(), &0_u64.to_le_bytes()].concat();
            Clock::default().read_tsc(&mut Reader::new(&data, 0, ByteOrder::Little))
        };
        assert_eq!(read(1 << 31, 24), Some(()));
        for (multiplier, shift) in [(1 << 31, 64), (1 << 31, 0x8700_0018), (0, 24)] {
            assert_eq!(read(multiplier, shift), None, "{multiplier} {shift}");
        }
    }

    #[test]
    fn a_clock_has_a_name_of_the_kernel() {
        assert!(Clock::is_known("x86-tsc"));
        assert!(!Clock::is_known("coun\u{fffd}ter"));
    }

    #[test]
    fn a_guests_time_is_shifted_to_the_hosts() {
        check(0, &[], 100, 100);
        check(0, &[(50, -7, 1)], 100, 93);
        let samples = [(100, 10, 16), (200, 30, 16), (300, -30, 32)];
        check(0, &samples, 50, 60);
        check(0, &samples, 150, 160);
        check(0, &samples, 250, 280);
        check(0, &samples, 999, 1_029);
        check(1, &samples, 150, 170);
        check(1, &samples, 250, 251);
        check(1, &[(100, 10, 16), (100, 20, 16)], 150, 160);
    }
}

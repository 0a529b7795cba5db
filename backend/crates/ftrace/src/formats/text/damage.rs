//! Records that cannot be read: what other records say across them is not to be trusted.

use super::reader::TextReader;
use super::scan;
use crate::model::{LossCause, LossRecord, Place, Stop};

impl TextReader<'_> {
    /// Marks the place of a record that `line` was before it was damaged.
    ///
    /// Nothing is known of its CPU until that CPU's next record; of all CPUs where the line does not say which
    /// it was. A CPU without a record since the last such place is already marked.
    pub(super) fn lose_record(&mut self, line: &[u8], place: Place) -> Result<(), Stop> {
        self.flush()?;
        // Frames that follow are of the lost record's stack.
        self.stack.expect_none();
        match cpu_of(line).filter(|cpu| self.section.has_cpu(*cpu)) {
            Some(cpu) if self.since_damage.take_one(cpu) => self.lose_cpu(cpu, place),
            Some(_) => Ok(()),
            None => {
                let cpus = self.since_damage.take();
                cpus.into_iter().try_for_each(|cpu| self.lose_cpu(cpu, place))
            }
        }
    }

    fn lose_cpu(&mut self, cpu: u16, place: Place) -> Result<(), Stop> {
        self.section.sample_numbers.forget(cpu);
        let (cpu, buffer, ts, count) = (Some(cpu), None, None, None);
        let cause = LossCause::Unreadable;
        self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })
    }
}

/// The CPU of `bash-175   [001] d..2`, or of a graph's ` 1) `.
fn cpu_of(line: &[u8]) -> Option<u16> {
    let (leading, rest) = scan::digits(scan::skip_blanks(line));
    let in_brackets = || {
        memchr::memchr_iter(b'[', line).find_map(|open| {
            let (digits, rest) = scan::digits(line.get(open.checked_add(1)?..)?);
            (digits.len() >= 3 && rest.starts_with(b"] ")).then_some(digits)
        })
    };
    let digits = if rest.starts_with(b") ") { leading } else { in_brackets()? };
    u16::try_from(scan::parse_u64(digits)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_line_may_still_name_its_cpu() {
        let check = |line: &str, expected| assert_eq!(cpu_of(line.as_bytes()), expected, "{line}");
        check("   bash-17x   [001] d..2   1.000001: x: a=1", Some(1));
        check(" 7)  a   |  0.1 us  f();", Some(7));
        check("   bash-175   [0x1] d..2   1.000001: x: a=1", None);
        check("x: prio=[99999999999999999999] ", None);
    }
}

//! The flag column of a text line: `d..2.`, or `dnLh213` from a PREEMPT_RT tree.

use crate::model::Flags;

/// The flags of a column of 4 to 7 characters; `None` where a column cannot hold its character.
///
/// Four characters are irqs, need-resched, irq context, preempt depth; the fifth is the
/// migrate-disable depth (5.15 on) or the lock depth of 2.6.3x. Trees with lazy preemption in columns
/// of its own have six or seven: irqs, need-resched, lazy, irq context, preempt depth, lazy depth, migrate.
/// Source: kernel/trace/trace_output.c (`trace_print_lat_fmt`), Linux 5.10 to 7.3 and RT patches.
pub fn parse(word: &[u8]) -> Option<Flags> {
    let (irqs, resched, lazy, context, preempt, lazy_depth, migrate) = match *word {
        [irqs, resched, context, preempt] => (irqs, resched, b'.', context, preempt, b'.', b'.'),
        [irqs, resched, context, preempt, migrate] => (irqs, resched, b'.', context, preempt, b'.', migrate),
        [irqs, resched, lazy, context, preempt, lazy_depth] => {
            (irqs, resched, lazy, context, preempt, lazy_depth, b'.')
        }
        [irqs, resched, lazy, context, preempt, lazy_depth, migrate] => {
            (irqs, resched, lazy, context, preempt, lazy_depth, migrate)
        }
        _ => return None,
    };
    let bits = irq_bits(irqs)? | resched_bits(resched)? | lazy_bits(lazy)? | context_bits(context)?;
    Some(Flags(bits | Flags::KNOWN).with_depths(depth(preempt)?, depth(lazy_depth)?, depth(migrate)?))
}

fn irq_bits(byte: u8) -> Option<u32> {
    Some(match byte {
        b'.' | b'X' => 0,
        b'd' => Flags::IRQS_OFF,
        b'b' => Flags::BH_OFF,
        b'D' => Flags::IRQS_OFF | Flags::BH_OFF,
        _ => return None,
    })
}

fn resched_bits(byte: u8) -> Option<u32> {
    Some(match byte {
        b'.' => 0,
        b'n' => Flags::NEED_RESCHED,
        b'p' => Flags::PREEMPT_RESCHED,
        b'N' => Flags::NEED_RESCHED | Flags::PREEMPT_RESCHED,
        b'l' => Flags::NEED_RESCHED_LAZY,
        b'L' => Flags::NEED_RESCHED_LAZY | Flags::PREEMPT_RESCHED,
        b'b' => Flags::NEED_RESCHED | Flags::NEED_RESCHED_LAZY,
        b'B' => Flags::NEED_RESCHED | Flags::NEED_RESCHED_LAZY | Flags::PREEMPT_RESCHED,
        _ => return None,
    })
}

fn lazy_bits(byte: u8) -> Option<u32> {
    Some(match byte {
        b'.' => 0,
        b'n' | b'N' | b'l' | b'L' => Flags::NEED_RESCHED_LAZY,
        _ => return None,
    })
}

fn context_bits(byte: u8) -> Option<u32> {
    Some(match byte {
        b'.' => 0,
        b's' => Flags::SOFTIRQ,
        b'h' => Flags::HARDIRQ,
        b'H' => Flags::HARDIRQ | Flags::SOFTIRQ,
        b'z' => Flags::NMI,
        b'Z' => Flags::NMI | Flags::HARDIRQ,
        _ => return None,
    })
}

/// `.` and the `-` of a lock depth that is not held are zero.
fn depth(byte: u8) -> Option<u32> {
    match byte {
        b'.' | b'-' => Some(0),
        _ => char::from(byte).to_digit(16),
    }
}

/// The flags of the verbose latency format, which prints them as a decimal bit mask.
pub fn from_mask(mask: u64, preempt_depth: u64) -> Flags {
    let bits = [
        (1, Flags::IRQS_OFF),
        (4, Flags::NEED_RESCHED),
        (8, Flags::HARDIRQ),
        (16, Flags::SOFTIRQ),
        (32, Flags::PREEMPT_RESCHED),
        (64, Flags::NMI),
        (128, Flags::BH_OFF),
    ];
    let flags =
        bits.iter().filter(|(bit, _)| mask & bit != 0).fold(Flags::KNOWN, |flags, (_, flag)| flags | flag);
    let preempt = u32::try_from(preempt_depth & 15).unwrap_or_default();
    let migrate = u32::try_from(preempt_depth >> 4 & 15).unwrap_or_default();
    Flags(flags).with_depths(preempt, 0, migrate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: Option<(u32, u32, u32, u32)>) {
        let seen = parse(word.as_bytes()).map(|flags| {
            (flags.0 & 0xff, flags.preempt_depth(), flags.preempt_lazy_depth(), flags.migrate_disable_depth())
        });
        assert_eq!(seen, expected, "{word}");
    }

    #[test]
    fn every_width_has_its_own_columns() {
        check("d..2", Some((Flags::IRQS_OFF, 2, 0, 0)));
        check("d.h1.", Some((Flags::IRQS_OFF | Flags::HARDIRQ, 1, 0, 0)));
        check("DNs31", Some((0b1010_0011 | Flags::SOFTIRQ, 3, 0, 1)));
        check(
            "dnLh213",
            Some((
                Flags::IRQS_OFF | Flags::NEED_RESCHED | Flags::NEED_RESCHED_LAZY | Flags::HARDIRQ,
                2,
                1,
                3,
            )),
        );
    }

    #[test]
    fn digits_of_a_time_are_no_flags() {
        check("76.2", None);
        check("10439", None);
        check("", None);
        check("d..2.5", None);
    }
}

//! `ipi_send_cpu`, `ipi_send_cpumask` and `ipi_raise`: one CPU interrupts others.

use super::fields::{after_key, number, word};

/// What an inter-processor interrupt asks of its CPU. A second one of a purpose that is pending already is not seen
/// by the CPU, one of another purpose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IpiPurpose {
    Reschedule,
    Call,
    IrqWork,
    TimerBroadcast,
    WakeUp,
    Stop,
    /// PowerPC has one doorbell for all.
    Any,
}

/// The names of interrupts, and the reasons that Arm prints.
/// Source: arch/x86/include/asm/trace/irq_vectors.h; `ipi_types` in arch/arm/kernel/smp.c and arch/arm64/kernel/smp.c;
/// arch/powerpc/include/asm/trace.h, Linux 4.0 to 6.12.
const PURPOSES: &[(&str, IpiPurpose)] = &[
    ("reschedule", IpiPurpose::Reschedule),
    ("Rescheduling interrupts", IpiPurpose::Reschedule),
    ("call_function", IpiPurpose::Call),
    ("call_function_single", IpiPurpose::Call),
    ("Function call interrupts", IpiPurpose::Call),
    ("Single function call interrupts", IpiPurpose::Call),
    ("irq_work", IpiPurpose::IrqWork),
    ("IRQ work interrupts", IpiPurpose::IrqWork),
    ("Timer broadcast interrupts", IpiPurpose::TimerBroadcast),
    ("CPU wakeup interrupts", IpiPurpose::WakeUp),
    ("CPU wake-up interrupts", IpiPurpose::WakeUp),
    ("CPU stop interrupts", IpiPurpose::Stop),
    ("doorbell", IpiPurpose::Any),
];

impl IpiPurpose {
    /// Of an interrupt by its name; `None` where it is no inter-processor interrupt.
    pub fn of_interrupt(name: &[u8]) -> Option<Self> {
        PURPOSES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, purpose)| *purpose)
    }
}

/// An inter-processor interrupt on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpiSend<'a> {
    pub purpose: IpiPurpose,
    targets: Targets<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Targets<'a> {
    One(u16),
    /// Hexadecimal, in words of 32 bits with commas between them, the last for CPUs 0 to 31.
    Mask(&'a [u8]),
}

// cpu=1 callsite=try_to_wake_up+0x260/0x510 callback=0x0
/// Source: include/trace/events/ipi.h, Linux 6.4 to 6.12. A reschedule has no callback.
pub fn parse_send_cpu(args: &[u8]) -> Option<IpiSend<'_>> {
    let cpu = u16::try_from(number(args, b"cpu")?).ok()?;
    Some(IpiSend { purpose: by_callback(args), targets: Targets::One(cpu) })
}

// cpumask=00000000,0000000b callsite=smp_call_function_many_cond+0x1a callback=generic_smp_call_function_single_interrupt+0x0
/// Source: include/trace/events/ipi.h (ipi_send_cpumask), Linux 6.4 to 6.12.
pub fn parse_send_cpumask(args: &[u8]) -> Option<IpiSend<'_>> {
    Some(IpiSend { purpose: by_callback(args), targets: Targets::Mask(word(args, b"cpumask")?) })
}

// target_mask=00000000,00000002 (Rescheduling interrupts)
/// What `ipi_raise` prints, as on arm and arm64; `None` where it is of no known form.
///
/// Source: include/trace/events/ipi.h, Linux 6.12.
pub fn parse_raise(args: &[u8]) -> Option<IpiSend<'_>> {
    let mask = word(args, b"target_mask")?;
    let open = memchr::memchr(b'(', args)?;
    let reason = args.get(open.saturating_add(1)..)?.trim_ascii_end().strip_suffix(b")")?;
    Some(IpiSend { purpose: IpiPurpose::of_interrupt(reason)?, targets: Targets::Mask(mask) })
}

fn by_callback(args: &[u8]) -> IpiPurpose {
    let callback = after_key(args, b"callback").unwrap_or_default().trim_ascii();
    let digits = callback.strip_prefix(b"0x").unwrap_or(callback);
    let is_null = matches!(callback, b"(null)" | b"(nil)") || digits.iter().all(|digit| *digit == b'0');
    if is_null { IpiPurpose::Reschedule } else { IpiPurpose::Call }
}

impl IpiSend<'_> {
    /// True where a CPU is among those that it goes to.
    pub fn goes_to(&self, cpu: i16) -> bool {
        let mut is_to_it = false;
        self.for_each_target(|target| is_to_it |= i16::try_from(target) == Ok(cpu));
        is_to_it
    }

    /// Calls `each` with the CPUs that it goes to.
    pub fn for_each_target(&self, mut each: impl FnMut(u16)) {
        match self.targets {
            Targets::One(cpu) => each(cpu),
            Targets::Mask(mask) => {
                let digits = mask.iter().rev().filter(|byte| **byte != b',');
                for (first_cpu, digit) in (0_u16..).step_by(4).zip(digits) {
                    let Some(bits) = char::from(*digit).to_digit(16) else { return };
                    (0..4)
                        .filter(|bit| bits >> bit & 1 == 1)
                        .for_each(|bit| each(first_cpu.saturating_add(bit)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(send: Option<IpiSend<'_>>, expected: Option<(IpiPurpose, &[u16])>) {
        let found = send.map(|send| {
            let mut cpus = Vec::new();
            send.for_each_target(|cpu| cpus.push(cpu));
            (send.purpose, cpus)
        });
        assert_eq!(found, expected.map(|(purpose, cpus)| (purpose, cpus.to_vec())));
    }

    #[test]
    fn one_cpu_or_a_mask_of_them() {
        let reschedule = parse_send_cpu(b"cpu=3 callsite=try_to_wake_up+0x260/0x510 callback=0x0");
        check(reschedule, Some((IpiPurpose::Reschedule, &[3])));
        let call = b"cpu=1 callsite=x+0x1 callback=generic_smp_call_function_single_interrupt+0x0/0x20";
        check(parse_send_cpu(call), Some((IpiPurpose::Call, &[1])));
        let mask = b"cpumask=00000001,0000000b callsite=x callback=sched_ttwu_pending";
        check(parse_send_cpumask(mask), Some((IpiPurpose::Call, &[0, 1, 3, 32])));
        let raise = b"target_mask=00000000,00000002 (Rescheduling interrupts)";
        check(parse_raise(raise), Some((IpiPurpose::Reschedule, &[1])));
        check(parse_raise(b"target_mask=2 (Something new)"), None);
        check(parse_send_cpu(b"cpu=99999 callback=0x0"), None);
    }
}

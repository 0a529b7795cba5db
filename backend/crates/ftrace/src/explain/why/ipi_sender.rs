//! Who had another CPU run a function, by the interrupt that asks for it.

use super::link::{Link, Subject};
use super::scene::Scene;
use crate::events::{Decoded, IpiPurpose};
use crate::explain::surroundings::Seen;

/// What was sent so long ago has come, whatever its CPU did in between.
const LONGEST_WAY_NS: i64 = 100_000_000;

/// The event that sent the interrupt that began on `cpu` at `entry_ns`, if that interrupt, by its name, asks for a function
/// to run: the last that another CPU sent there since the one before. Another CPU that has it run a function before it came
/// sends none of its own (kernel/smp.c, `__smp_call_single_queue`).
pub fn sender<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    symbol_idx: i32,
    entry_ns: i64,
) -> Option<&'s Seen<'a>> {
    let purpose = IpiPurpose::of_interrupt(scene.around.symbol_name(symbol_idx)?.as_bytes());
    purpose.filter(|purpose| *purpose == IpiPurpose::Call)?;
    let entry = scene.events(cpu, entry_ns, entry_ns).iter().find(|event| event.begins_interrupt())?;
    let since_ns = entry_ns.saturating_sub(LONGEST_WAY_NS);
    let mut earlier = scene.events(cpu, since_ns, entry_ns).iter().rev();
    let last = earlier.find(|event| event.seq < entry.seq && event.type_idx == entry.type_idx);
    let since_ns = last.map_or(since_ns, |last| last.t_ns);
    let sent = scene.cpus().filter(|other| *other != cpu).filter_map(|other| {
        let events = scene.events(other, since_ns, entry_ns).iter().rev();
        events.copied().find(|event| calls(event, cpu))
    });
    sent.max_by_key(|event| event.seq)
}

/// True for an event that has a CPU run a function.
fn calls(event: &Seen<'_>, cpu: i16) -> bool {
    let Some(Decoded::IpiSend(sent)) = event.decoded_if(event.is_ipi_send()) else { return false };
    sent.purpose == IpiPurpose::Call && sent.goes_to(cpu)
}

/// `delaymod/0-333 on CPU 0`: who sent the interrupt that a link is about, where that is recorded.
pub fn sent_by(scene: &Scene<'_, '_>, link: &Link<'_>) -> Option<String> {
    let is_interrupt = matches!(link.subject, Some(Subject::Interrupt(_)));
    let send = link.evidence.iter().find(|event| is_interrupt && calls(event, link.cpu))?;
    let task = match scene.around.is_idle_task(send.task_idx) {
        true => "the idle task".to_owned(),
        false => scene.around.task_name(send.task_idx, send.t_ns)?,
    };
    Some(format!("{task} on CPU {}", send.cpu))
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// CPU 1 runs a function for 900 µs that `send` asked it for.
    fn told(send: &str) -> String {
        let entry = "call_function_single_entry: vector=251";
        let exit = "call_function_single_exit: vector=251";
        headlines(
            &format!(
                "
                t-9      [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=t next_pid=9 next_prio=120
                t-9      [1] d.h1. 1.000010: {entry}
                t-9      [1] d.h1. 1.000012: {exit}
                {send}
                t-9      [1] d.h1. 1.000105: {entry}
                t-9      [1] d.h1. 1.001005: {exit}
                "
            ),
            "irq",
        )
    }

    #[test]
    fn an_interrupt_that_runs_a_function_names_who_sent_it() {
        let callback = "callback=generic_smp_call_function_single_interrupt+0x0";
        let said = told(&format!(
            "a-3 [0] d..2. 1.000100: ipi_send_cpu: cpu=1 callsite=generic_exec_single+0x3a {callback}"
        ));
        assert!(said.contains("sent by a-3 on CPU 0, and nothing recorded in it says what it did"), "{said}");
        let said = told(&format!(
            "<idle>-0 [2] d..2. 1.000100: ipi_send_cpumask: cpumask=3 callsite=smp_call_function_many_cond {callback}"
        ));
        assert!(said.contains("sent by the idle task on CPU 2"), "{said}");
    }

    #[test]
    fn others_did_not_send_it() {
        for send in [
            "a-3 [0] d..2. 1.000100: ipi_send_cpu: cpu=0 callsite=x callback=f",
            "a-3 [0] d..2. 1.000100: ipi_send_cpu: cpu=1 callsite=x callback=0x0",
            "a-3 [0] d..2. 1.000005: ipi_send_cpu: cpu=1 callsite=x callback=f",
            "a-3 [0] d..2. 1.000200: ipi_send_cpu: cpu=1 callsite=x callback=f",
        ] {
            let said = told(send);
            let longer = said.lines().find(|line| line.contains("900 µs")).unwrap();
            assert!(!longer.contains("a-3"), "{send}: {longer}");
        }
    }
}

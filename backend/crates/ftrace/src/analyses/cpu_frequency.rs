//! The frequency of each CPU as a counter.

use super::{Analysis, AnalysisEntry, CounterChange, CounterName, Emit, Event};
use crate::events::{Decoded, Role};
use crate::model::{Code, ReadError};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "cpu_frequency",
    title: "CPU frequency",
    needs: &[&["cpu_frequency"]],
    roles: &[Role::CpuFrequency],
    start: |limits| Box::new(CpuFrequency { max_cpus: limits.max_cpus }),
};

const COUNTER: CounterName = CounterName { name: "cpu_frequency", unit: Some("kHz") };

struct CpuFrequency {
    max_cpus: u32,
}

impl Analysis for CpuFrequency {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::CpuFrequency { cpu, khz } = event.decoded else { return Ok(()) };
        let cpu = cpu.map_or(Ok(event.cpu), u16::try_from);
        match cpu.ok().filter(|cpu| u32::from(*cpu) < self.max_cpus) {
            Some(cpu) => emit.counter(&CounterChange { counter: COUNTER, t_ns: event.t_ns, cpu, value: khz }),
            None => emit.diagnostic(Code::CpuOutOfRange),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn a_frequency_belongs_to_the_cpu_that_it_names() {
        check(
            "
            sh-7 [0] 1.000010: cpu_frequency: state=1800000 cpu_id=3
            sh-7 [0] 1.000020: cpu_frequency: state=800000 cpu_id=99999
            ",
            expect![[r#"
                counter cpu_frequency cpu 3 at 0: 1800000 kHz
                cpu_out_of_range: 1 from line 2
            "#]],
        );
    }
}

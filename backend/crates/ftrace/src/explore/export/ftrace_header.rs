//! The header of ftrace text.

use std::fmt::Write;

use super::scope::Scope;

/// Lines in the file, and those that were overwritten before it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entries {
    pub in_buffer: i64,
    pub overwritten: i64,
}

const LEGEND: &str = "\
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
";

/// The header as tracefs prints it, and for the whole of a latency tracer's file with what that reported.
pub fn header(scope: &Scope, entries: Entries) -> String {
    let tracer = scope.recording.tracer.as_deref().unwrap_or("nop");
    let cpus = scope.recording.cpu_count.unwrap_or_else(|| {
        scope.trace.cpus.iter().max().map_or(1, |cpu| u32::from(cpu.unsigned_abs()).saturating_add(1))
    });
    let mut header = format!("# tracer: {}\n#\n", on_a_line(tracer));
    if let Some(kernel) = &scope.recording.kernel {
        _ = writeln!(header, "# {} latency trace v1.1.5 on {}", on_a_line(tracer), on_a_line(kernel));
    }
    let written = entries.in_buffer.saturating_add(entries.overwritten);
    let fact = |name| scope.recording.fact(name).filter(|_| scope.is_whole).map(on_a_line);
    if let Some(latency_us) = fact("reported_latency_us") {
        let (cpu, model) = (fact("reported_cpu"), fact("preemption_model"));
        _ = writeln!(
            header,
            "# latency: {latency_us} us, #{}/{written}, CPU#{} | (M:{} VP:0, KP:0, SP:0 HP:0 #P:{cpus})",
            entries.in_buffer,
            cpu.as_deref().unwrap_or("0"),
            model.as_deref().unwrap_or("unknown"),
        );
        if let Some(task) = fact("reported_task") {
            _ = writeln!(
                header,
                "#    -----------------\n#    | task: {task} (uid:0 nice:0 policy:0 rt_prio:0)"
            );
            _ = writeln!(header, "#    -----------------");
        }
        for (name, label) in [("started_at", "started at: "), ("ended_at", "ended at:   ")] {
            if let Some(function) = fact(name) {
                _ = writeln!(header, "#  => {label}{function}");
            }
        }
        header.push_str("#\n");
    } else {
        let in_buffer = entries.in_buffer;
        _ = writeln!(header, "# entries-in-buffer/entries-written: {in_buffer}/{written}   #P:{cpus}\n#");
    }
    header.push_str(LEGEND);
    header
}

fn on_a_line(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

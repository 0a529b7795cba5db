//! What is recorded next, for each question that a recording leaves open.

use super::{Recording, record_next};
use crate::testing::explain::explain_file;

const RECORDING: Recording<'_> =
    Recording { duration_ns: 2_000_000_000, event_count: 40_000, cpu_count: 2, clock: None };

/// The command and the reason of the last case of a kind; `-` where nothing is open.
fn next(lines: &str, kind: &str, recording: Recording<'_>) -> String {
    let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut found = None;
    explain_file(&format!("# tracer: nop\n#\n{}\n", lines.join("\n")), kind, |case, explanation, around| {
        let next = record_next(case, &explanation.why, around, &recording);
        found = Some(next.map_or_else(|| "-".to_owned(), |next| format!("{}\n{}", next.command, next.why)));
    });
    found.unwrap()
}

#[track_caller]
fn check(lines: &str, kind: &str, command: &str, why: &str) {
    assert_eq!(next(lines, kind, RECORDING), format!("{command}\n{why}"));
}

const FIRED: &str = "
    rt-9 [001] d..1. 1.000100: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000 softexpires=1000000 mode=ABS
    rt-9 [001] d..2. 1.000110: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=RUNNER next_pid=33 next_prio=120
    RUNNER-33 [001] d.h1. 1.001500: local_timer_entry: vector=236
    RUNNER-33 [001] d.h1. 1.001502: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1501000
    RUNNER-33 [001] d.h2. 1.001503: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
    RUNNER-33 [001] dNh1. 1.001508: local_timer_exit: vector=236
    RUNNER-33 [001] d..2. 1.001512: sched_switch: prev_comm=RUNNER prev_pid=33 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=19
    ";

#[test]
fn what_had_interrupts_off() {
    let events = "-e sched:sched_switch -e sched:sched_waking -e irq_vectors:local_timer_entry -e irq_vectors:local_timer_exit -e timer:hrtimer_start -e timer:hrtimer_expire_entry";
    check(
        &FIRED.replace("RUNNER", "kworker/1:2"),
        "cyclic",
        &format!(
            "trace-cmd record -i {events} -e preemptirq:irq_disable -e preemptirq:irq_enable -b 65536 -o next.dat sleep 10"
        ),
        "No record says where interrupts were off: irq_disable and irq_enable name the section, on kernels with \
         CONFIG_IRQSOFF_TRACER; others ignore them (-i).",
    );
    let of_program = next(&FIRED.replace("RUNNER", "sh"), "cyclic", RECORDING);
    let calls = "-e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -e preemptirq:irq_disable";
    assert!(of_program.contains(calls), "{of_program}");
    assert!(of_program.contains("whether the task was in the kernel"), "{of_program}");
}

#[test]
fn what_ran() {
    let no_switches: String = FIRED
        .replace("RUNNER", "sh")
        .lines()
        .filter(|line| !line.contains("sched_switch"))
        .map(|line| format!("{line}\n"))
        .collect();
    let found = next(&no_switches, "timer", RECORDING);
    assert!(found.ends_with("\nNo record says what ran: sched_switch was not recorded."), "{found}");
    assert!(found.starts_with("trace-cmd record -e sched:sched_switch -e sched:sched_waking "), "{found}");
}

#[test]
fn nothing_is_open() {
    let hog = "
        <idle>-0 [001] d..2. 1.000010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=5 next_prio=9
        hog-5 [001] d.h2. 1.000100: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        hog-5 [001] d..2. 1.000600: sched_switch: prev_comm=hog prev_pid=5 prev_prio=9 prev_state=S ==> next_comm=rt next_pid=9 next_prio=19
        ";
    assert_eq!(next(hog, "wakeup", RECORDING), "-");
}

#[test]
fn no_name_of_a_trace_reaches_the_shell() {
    for hostile in ["$(reboot)", "`id`", "; rm -rf /", "a' -e b", "\\\"x"] {
        let lines = FIRED.replace("RUNNER", hostile);
        let extra = format!("{lines}\nrt-9 [001] ..... 1.001600: $(halt): x=1\n");
        let recording = Recording { clock: Some("local;halt"), ..RECORDING };
        let found = next(&extra, "cyclic", recording);
        let command = found.lines().next().unwrap();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " -_:.".contains(letter);
        assert!(command.starts_with("trace-cmd record ") && command.chars().all(is_plain), "{command}");
    }
}

#[test]
fn the_buffer_holds_the_run() {
    let lines = FIRED.replace("RUNNER", "kworker/1:2");
    let tail = |recording: Recording<'_>| {
        let found = next(&lines, "cyclic", recording);
        let command = found.lines().next().unwrap().to_owned();
        command.split_once("irq_enable ").unwrap().1.to_owned()
    };
    assert_eq!(tail(Recording { event_count: 100, ..RECORDING }), "-b 1408 -o next.dat sleep 10");
    // 500 events a second on each of two CPUs, 640 bytes for each with sections, 13 s: 4,063 KiB.
    let slow = Recording { duration_ns: 12_500_000_000, event_count: 12_500, cpu_count: 2, clock: None };
    assert_eq!(tail(slow), "-b 4096 -o next.dat sleep 13");
    let long = Recording { duration_ns: i64::MAX, event_count: i64::MAX, cpu_count: 0, clock: Some("mono") };
    assert_eq!(tail(long), "-C mono -b 65536 -o next.dat sleep 60");
    let empty = Recording { duration_ns: 0, event_count: 0, cpu_count: 0, clock: Some("local") };
    assert_eq!(tail(empty), "-b 1408 -o next.dat sleep 10");
}

#[test]
fn which_softirq_kept_the_cpu() {
    let lines = "
        k-8 [001] ..s1. 1.000090: print: soft
        k-8 [001] d.s2. 1.000100: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
        k-8 [001] ..s1. 1.001990: print: soft
        k-8 [001] d..2. 1.002000: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19
        ";
    let next = next(lines, "wakeup", RECORDING);
    assert!(next.contains("-e irq "), "{next}");
    assert!(next.contains("which interrupt or softirq ran"), "{next}");
}

/// A fair task seems to keep its CPU for 40 ms, in which nothing is recorded.
#[test]
fn whether_a_cpu_ran_at_all() {
    let lines = "
        f-7  [001] d..2. 1.000010: sched_switch: prev_comm=f prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=g next_pid=8 next_prio=PRIO
        sh-5 [000] d..2. 1.000100: sched_waking: comm=f pid=7 prio=120 target_cpu=001
        g-8  [001] d..2. 1.041100: sched_switch: prev_comm=g prev_pid=8 prev_prio=PRIO prev_state=R ==> next_comm=f next_pid=7 next_prio=120
        ";
    let of_fair = next(&lines.replace("PRIO", "120"), "wakeup", RECORDING);
    assert!(of_fair.contains("-e timer:hrtimer_start -e timer:hrtimer_expire_entry"), "{of_fair}");
    assert!(of_fair.contains("whether the CPU ran at all"), "{of_fair}");
    assert_eq!(next(&lines.replace("PRIO", "50"), "wakeup", RECORDING), "-");
}

//! Of each entry a recording on which its condition holds, and one that lacks just that.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{ADVICE, Setting, advice};
use crate::testing::explain::explain_file;

/// What the recording is known to be besides its events.
#[derive(Clone, Copy, Default)]
struct Machine {
    isolated: &'static str,
    preemption_model: Option<&'static str>,
}

/// Lines `task [CPU] flags µs: event`.
fn text(lines: &str) -> String {
    let mut lines: Vec<(u64, String)> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (head, event) = line.split_once(": ").unwrap();
            let (who, t_us) = head.rsplit_once(' ').unwrap();
            (t_us.parse().unwrap(), format!("{who} 1.{:0>6}: {event}", t_us))
        })
        .collect();
    lines.sort_by_key(|(t_us, _)| *t_us);
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    format!("# tracer: nop\n#\n{}\n", lines.join("\n"))
}

/// The names of the entries that the cases of a kind are given.
fn advised(lines: &str, kind: &str, machine: Machine) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut cases = 0;
    explain_file(&text(lines), kind, |case, explanation, around| {
        cases += 1;
        let Machine { isolated, preemption_model } = machine;
        let setting = Setting { case, around, isolated, preemption_model };
        names.extend(advice(&setting, &explanation.why).into_iter().map(|entry| entry.name));
    });
    assert!(cases > 0, "no case of {kind} in\n{lines}");
    names
}

#[track_caller]
fn check(lines: &str, kind: &str, expected: &[&str]) {
    check_on(Machine::default(), lines, kind, expected);
}

#[track_caller]
fn check_on(machine: Machine, lines: &str, kind: &str, expected: &[&str]) {
    assert_eq!(advised(lines, kind, machine), expected.iter().copied().collect(), "{lines}");
}

/// rt-9 is woken at 100 µs on CPU 1, where `runner` has the CPU since 10 µs, and gets it at 600 µs.
fn woken(runner: (&str, u32), prio: u32, between: &str) -> String {
    let (name, runner_prio) = runner;
    let (comm, pid) = name.rsplit_once('-').unwrap();
    format!(
        "
        <idle>-0 [001] d..2. 10: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={comm} next_pid={pid} next_prio={runner_prio}
        {name} [001] d.h2. 100: sched_waking: comm=rt pid=9 prio={prio} target_cpu=001
        {name} [001] d.h3. 101: sched_wakeup: comm=rt pid=9 prio={prio} target_cpu=001
        {between}
        {name} [001] d..2. 600: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio={runner_prio} prev_state=S ==> next_comm=rt next_pid=9 next_prio={prio}
        rt-9 [001] d..2. 700: sched_switch: prev_comm=rt prev_pid=9 prev_prio={prio} prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        "
    )
}

/// rt-9 arms its timer for 1,000 µs and sleeps; `between` has what happens until the interrupt, which wakes it at
/// `fired_us`.
fn slept(prio: u32, runner: (&str, u32), between: &str, fired_us: u64) -> String {
    let (name, runner_prio) = runner;
    let (comm, pid) = name.rsplit_once('-').unwrap();
    let at = |plus: u64| fired_us + plus;
    format!(
        "
        rt-9 [001] d..1. 100: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000 softexpires=1000000 mode=ABS
        rt-9 [001] d..2. 110: sched_switch: prev_comm=rt prev_pid=9 prev_prio={prio} prev_state=S ==> next_comm={comm} next_pid={pid} next_prio={runner_prio}
        {between}
        {name} [001] d.h1. {}: local_timer_entry: vector=236
        {name} [001] d.h1. {}: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={}000
        {name} [001] d.h2. {}: sched_waking: comm=rt pid=9 prio={prio} target_cpu=001
        {name} [001] d.h3. {}: sched_wakeup: comm=rt pid=9 prio={prio} target_cpu=001
        {name} [001] d.h1. {}: hrtimer_expire_exit: hrtimer=00000000000000aa
        {name} [001] d.h1. {}: local_timer_exit: vector=236
        ",
        at(0),
        at(2),
        at(1),
        at(3),
        at(5),
        at(6),
        at(8)
    )
}

fn switch_to_rt(t_us: u64, runner: (&str, u32), prio: u32) -> String {
    let (name, runner_prio) = runner;
    let (comm, pid) = name.rsplit_once('-').unwrap();
    format!(
        "{name} [001] d..2. {t_us}: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio={runner_prio} prev_state=R ==> next_comm=rt next_pid=9 next_prio={prio}"
    )
}

/// Work that shows: without events, a CPU seems to stand still in an interrupt.
fn busy(head: &str, during_us: Range<u64>) -> String {
    let times = during_us.step_by(10).skip(1);
    let lines = times.map(|t_us| format!("{head} {t_us}: kmem_cache_free: call_site=f ptr=1 name=skbuff"));
    lines.collect::<Vec<_>>().join("\n")
}

const IDLE: (&str, u32) = ("swapper/1-0", 120);
/// Only a guest has such a device.
const GUEST: &str = "
    sh-7 [000] d.h1. 20: irq_handler_entry: irq=25 name=virtio1-req.0
    sh-7 [000] d.h1. 22: irq_handler_exit: irq=25 ret=handled";

#[test]
fn every_entry_has_a_name_of_its_own_and_a_page_of_the_kernel() {
    let names: BTreeSet<_> = ADVICE.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), ADVICE.len());
    for entry in ADVICE {
        assert!(entry.reference.starts_with("Documentation/"), "{}", entry.name);
        for text in [entry.title, entry.condition, entry.meaning, entry.helps, entry.check] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text:?}", entry.name);
        }
    }
}

#[test]
fn behind_whom() {
    let behind = |name: &str, its: u32, mine: u32| woken((name, its), mine, "");
    check(&behind("hog-5", 9, 19), "wakeup", &["higher_priority"]);
    check(&behind("hog-5", 19, 19), "wakeup", &["equal_priority"]);
    check(&behind("irq/24-eth0-5", 49, 59), "wakeup", &["irq_thread"]);
    // Nothing is wrong with sharing a CPU.
    check(&behind("sh-5", 120, 120), "wakeup", &[]);
}

#[test]
fn a_cgroup_gives_fair_tasks_a_limit() {
    let idle = |prio: u32| {
        format!(
            "
            hog-5 [001] d..2. 5: sched_waking: comm=w pid=9 prio={prio} target_cpu=001
            hog-5 [001] d..2. 10: sched_switch: prev_comm=hog prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=w next_pid=9 next_prio={prio}
            w-9 [001] d..2. 100: sched_switch: prev_comm=w prev_pid=9 prev_prio={prio} prev_state=R ==> next_comm=swapper/1 next_pid=0 next_prio=120
            <idle>-0 [001] d..2. 9000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=9 next_prio={prio}
            w-9 [001] d..2. 9500: sched_switch: prev_comm=w prev_pid=9 prev_prio={prio} prev_state=S ==> next_comm=hog next_pid=5 next_prio=120
            "
        )
    };
    check(&idle(120), "preempted", &["cgroup_limit"]);
    // Real-time tasks are kept off by the bandwidth of their class.
    check(&idle(19), "preempted", &[]);
}

#[test]
fn a_lock_lends_the_priority_that_is_in_the_way() {
    let boosted = |old: u32, new: u32| {
        format!(
            "high-3 [001] d..2. 5: sched_pi_setprio: comm=low pid=5 oldprio={old} newprio={new}\n{}",
            woken(("low-5", 9), 19, "")
        )
    };
    check(&boosted(89, 9), "wakeup", &["priority_inheritance"]);
    check(&boosted(4, 9), "wakeup", &["higher_priority"]);
}

#[test]
fn the_interrupt_of_a_device_can_go_elsewhere_and_the_timer_cannot() {
    let device = format!(
        "
        hog-5 [001] d.h1. 150: irq_handler_entry: irq=24 name=eth0
        {}
        hog-5 [001] d.h1. 400: irq_handler_exit: irq=24 ret=handled",
        busy("hog-5 [001] d.h1.", 150..400)
    );
    let tick = format!(
        "
        hog-5 [001] d.h1. 150: local_timer_entry: vector=236
        hog-5 [001] d.h1. 152: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=1
        {}
        hog-5 [001] d.h1. 400: local_timer_exit: vector=236",
        busy("hog-5 [001] d.h1.", 152..400)
    );
    let hog = ("hog-5", 9);
    check(&woken(hog, 19, &device), "wakeup", &["device_interrupt", "higher_priority"]);
    check(&woken(hog, 19, &tick), "wakeup", &["higher_priority"]);
    let isolated = |isolated| Machine { isolated, ..Machine::default() };
    let both = ["tick_on_isolated_cpu", "higher_priority"];
    // The fair runner is no matter: what counts is the tick.
    check_on(isolated("nohz,domain,1"), &woken(hog, 19, &tick), "wakeup", &both);
    check_on(isolated("0,2-3"), &woken(hog, 19, &tick), "wakeup", &["higher_priority"]);
    let other = tick.replace("tick_nohz_handler", "hrtimer_wakeup");
    check_on(isolated("1"), &woken(hog, 19, &other), "wakeup", &["higher_priority"]);
}

#[test]
fn a_cpu_that_slept_deeply() {
    let fired = |state: i64, fired_us: u64, more: &str| {
        let entered = format!("<idle>-0 [001] d..1. 112: cpu_idle: state={state} cpu_id=1");
        let left = format!("<idle>-0 [001] d..1. {}: cpu_idle: state=4294967295 cpu_id=1", fired_us + 10);
        let switched = switch_to_rt(fired_us + 12, IDLE, 19);
        format!("{more}{}{left}\n{switched}", slept(19, IDLE, &entered, fired_us))
    };
    check(&fired(3, 1_200, ""), "cyclic", &["idle_state"]);
    check(&fired(0, 1_200, ""), "cyclic", &[]);
    check(&fired(3, 9_000, ""), "cyclic", &[]);
    check(&fired(3, 1_200, GUEST), "cyclic", &["guest_idle"]);
}

#[test]
fn a_cpu_that_stood_still() {
    let tick = |t_us: u64, took_us: u64| {
        format!(
            "
            sh-5 [001] d.h1. {t_us}: local_timer_entry: vector=236
            sh-5 [001] d.h1. {}: hrtimer_expire_entry: hrtimer=00000000000000bb function=tick_nohz_handler now=1
            sh-5 [001] d.h1. {}: hrtimer_expire_exit: hrtimer=00000000000000bb
            sh-5 [001] d.h1. {}: local_timer_exit: vector=236",
            t_us + 2,
            t_us + 4,
            t_us + 6 + took_us
        )
    };
    let usual: String = (0..6).map(|at| tick(20 + at * 10, 0)).collect();
    let stood =
        |more: &str, took_us| format!("{more}{usual}{}", woken(("sh-5", 120), 120, &tick(150, took_us)));
    check(&stood("", 300), "wakeup", &["stall"]);
    check(&stood("", 0), "wakeup", &[]);
    check(&stood(GUEST, 300), "wakeup", &["guest_stall"]);
}

#[test]
fn a_task_that_was_late_itself() {
    let armed = |armed_us: u64| {
        let runner = ("sh-5", 120);
        format!(
            "
            rt-9 [001] d..1. {armed_us}: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000 softexpires=1000000 mode=ABS
            {}
            {}",
            slept(19, runner, "", 1_600).lines().filter(|line| !line.contains("hrtimer_start")).map(|line| {
                line.replace("d..2. 110:", &format!("d..2. {}:", armed_us + 2))
            }).collect::<Vec<_>>().join("\n"),
            switch_to_rt(1_612, runner, 19)
        )
    };
    assert!(advised(&armed(1_590), "cyclic", Machine::default()).contains("armed_late"));
    assert!(!advised(&armed(900), "cyclic", Machine::default()).contains("armed_late"));
}

#[test]
fn a_periodic_task_of_the_fair_class() {
    let measured = |prio: u32| {
        let hackbench = ("hackbench-5", 120);
        format!("{}{}", slept(prio, hackbench, "", 1_003), switch_to_rt(1_900, hackbench, prio))
    };
    check(&measured(120), "cyclic", &["fair_measurement"]);
    assert!(!advised(&measured(19), "cyclic", Machine::default()).contains("fair_measurement"));
}

#[test]
fn sections_that_were_recorded() {
    let section = |what: &str| {
        format!(
            "
            sh-5 [001] d..1. 90: {what}_disable: caller=f+0x1/0x2 parent=g+0x1/0x2
            sh-5 [001] d..1. 590: {what}_enable: caller=f+0x9/0x2 parent=g+0x1/0x2"
        )
    };
    let runner = ("sh-5", 120);
    check(&woken(runner, 19, &section("preempt")), "wakeup", &["preempt_off_section"]);
    // That it could not be preempted is concluded, in no section.
    check(&woken(runner, 19, ""), "wakeup", &[]);
    let irqs_off = section("irq").replace(" 90:", " 990:").replace(" 590:", " 1500:");
    let late =
        |between: &str| format!("{}{}", slept(19, runner, between, 1_500), switch_to_rt(1_512, runner, 19));
    check(&late(&irqs_off), "cyclic", &["irqs_off_section"]);
    check(&late(""), "cyclic", &[]);
}

#[test]
fn a_kernel_that_does_not_preempt_itself() {
    let runner = ("sh-5", 120);
    let kept = |flags: &str| {
        format!("sh-5 [001] {flags} 150: sched_process_fork: comm=sh pid=5 child_comm=sh child_pid=6")
    };
    check(&woken(runner, 19, &kept(".N...")), "wakeup", &["unpreemptible_kernel"]);
    // Depth 1: a section, on any kernel. Interrupts off, or in one: the same.
    for flags in [".N.1.", "dN...", ".Nh..", "....."] {
        check(&woken(runner, 19, &kept(flags)), "wakeup", &[]);
    }
    let model = |name| Machine { preemption_model: Some(name), ..Machine::default() };
    let call = "
        sh-5 [001] ..... 50: sys_enter: NR 1 (1, 2, 3, 4, 5, 6)
        sh-5 [001] .N.1. 150: sched_process_fork: comm=sh pid=5 child_comm=sh child_pid=6";
    check_on(model("desktop"), &woken(runner, 19, call), "wakeup", &["unpreemptible_kernel"]);
    check_on(model("preempt"), &woken(runner, 19, call), "wakeup", &[]);
    let back = format!("{call}\nsh-5 [001] ..... 60: sys_exit: NR 1 = 0");
    check_on(model("desktop"), &woken(runner, 19, &back), "wakeup", &[]);
}

#[test]
fn a_softirq_in_the_way() {
    let softirq = format!(
        "
        sh-5 [001] dNh1. 103: softirq_raise: vec=3 [action=NET_RX]
        sh-5 [001] .Ns1. 110: softirq_entry: vec=3 [action=NET_RX]
        {}
        sh-5 [001] .Ns1. 590: softirq_exit: vec=3 [action=NET_RX]",
        busy("sh-5 [001] .Ns1.", 110..590)
    );
    let runner = ("sh-5", 120);
    assert!(
        advised(&woken(runner, 19, &softirq), "wakeup", Machine::default())
            .contains("softirq_not_preemptible")
    );
    let not_asked = softirq.replace("dNh1", "d.h1").replace(".Ns1", "..s1");
    let found = advised(&woken(runner, 19, &not_asked), "wakeup", Machine::default());
    assert!(!found.contains("softirq_not_preemptible"), "{found:?}");
}

#[test]
fn a_cpu_that_the_task_could_have_had() {
    let idle_there = |comm: &str, pid: u32| {
        format!(
            "
            {comm}-{pid} [000] d..2. 60: sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [000] d..2. 900: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=4 next_prio=120
            <idle>-0 [000] d..2. 5: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={comm} next_pid={pid} next_prio=120"
        )
    };
    let waited = |there: &str| format!("{there}{}", woken(("hog-5", 110), 120, ""));
    let found = |lines: &str| advised(lines, "wakeup", Machine::default());
    assert!(found(&waited(&idle_there("rt", 9))).contains("wrong_cpu"));
    // The scheduler puts a real-time task on an idle CPU, unless it may not run there.
    let of_real_time = format!("{}{}", idle_there("rt", 9), woken(("hog-5", 9), 19, ""));
    assert!(!found(&of_real_time).contains("wrong_cpu"));
    // It may be pinned: it was never seen there.
    assert!(!found(&waited(&idle_there("sh", 4))).contains("wrong_cpu"));
}

#[test]
fn deferred_work_that_waits_for_its_thread() {
    let deferred = |between: &str| {
        format!(
            "
            <idle>-0 [001] d..2. 10: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=hog next_pid=5 next_prio=49
            hog-5 [001] d.h1. 100: softirq_raise: vec=8 [action=HRTIMER]
            hog-5 [001] dNh2. 101: sched_waking: comm=ksoftirqd/1 pid=23 prio=120 target_cpu=001
            hog-5 [001] dNh3. 102: sched_wakeup: comm=ksoftirqd/1 pid=23 prio=120 target_cpu=001
            {between}
            ksoftirqd/1-23 [001] ..s.. 605: softirq_entry: vec=8 [action=HRTIMER]
            ksoftirqd/1-23 [001] ..s.. 620: softirq_exit: vec=8 [action=HRTIMER]"
        )
    };
    let behind = "hog-5 [001] d..2. 600: sched_switch: prev_comm=hog prev_pid=5 prev_prio=49 prev_state=S ==> next_comm=ksoftirqd/1 next_pid=23 next_prio=120";
    let found = |lines: &str| advised(lines, "softirq_raise", Machine::default());
    assert!(found(&deferred(behind)).contains("deferred_priority"));
    // The thread had the CPU at once, and took its time.
    let at_once = behind.replace(" 600:", " 103:");
    assert!(!found(&deferred(&at_once)).contains("deferred_priority"));
}

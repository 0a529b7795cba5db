//! A guest whose host runs something else.

use crate::testing::explain::headlines;

/// A sleeper of CPU 1 whose timer comes 31 ms late, and a tick of CPU 0 that comes at a time.
fn woken(device: &str, tick_us: u32) -> String {
    headlines(&sleeper(device, tick_us), "cyclic")
}

fn sleeper(device: &str, tick_us: u32) -> String {
    let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
    let tick = "hrtimer=00000000000000bb function=tick_nohz_handler";
    format!(
        "
        <idle>-0 [1] d.h1. 1.000000: irq_handler_entry: irq=25 name={device}
        <idle>-0 [1] d.h1. 1.000005: irq_handler_exit: irq=25 ret=handled
        <idle>-0 [0] d..1. 1.000050: hrtimer_start: {tick} expires=4000000 softexpires=4000000
        <idle>-0 [0] d..1. 1.000060: cpu_idle: state=1 cpu_id=0
        w-7      [1] d..1. 1.000100: hrtimer_start: {timer} expires=3000000 softexpires=3000000
        w-7      [1] d..2. 1.000110: sched_switch: prev_comm=w prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0 [1] d..1. 1.000120: cpu_idle: state=1 cpu_id=1
        <idle>-0 [0] d.h1. 1.{tick_us:06}: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.{tick_us:06}: hrtimer_expire_entry: {tick} now={tick_us}000
        <idle>-0 [0] d.h1. 1.{tick_us:06}: local_timer_exit: vector=236
        <idle>-0 [1] d.h1. 1.034000: local_timer_entry: vector=236
        <idle>-0 [1] d.h1. 1.034001: hrtimer_expire_entry: {timer} now=34001000
        <idle>-0 [1] d.h2. 1.034002: sched_waking: comm=w pid=7 prio=19 target_cpu=001
        <idle>-0 [1] dNh3. 1.034004: sched_wakeup: comm=w pid=7 prio=19 target_cpu=001
        <idle>-0 [1] dNh1. 1.034006: local_timer_exit: vector=236
        <idle>-0 [1] d..2. 1.034012: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=19
        "
    )
}

#[test]
fn an_idle_cpu_of_a_guest_waits_for_its_host() {
    let late = "w-7 on CPU 1 woke 31.012 ms late: CPU 1 was idle and took 31.000 ms to notice";
    let virtio = "virtio0-requests";
    assert_eq!(woken(virtio, 34_010), format!("{late}, and CPU 0 stood still\n"));
    let host = ", as a guest's CPU does while its host runs something else";
    assert_eq!(woken(virtio, 4_010), format!("{late}{host}\n"));
    assert_eq!(woken("eth0", 4_010), format!("{late}\n"));
}

#[test]
fn no_task_keeps_interrupts_from_two_cpus_at_once() {
    let told = |tick_us: u32| {
        let text = sleeper("virtio0-requests", tick_us);
        let text = text.replace("next_comm=swapper/1 next_pid=0", "next_comm=sh next_pid=5");
        let text = text.replace("prev_comm=swapper/1 prev_pid=0", "prev_comm=sh prev_pid=5");
        let (before, behind) =
            text.split_once("<idle>-0 [1] d..1. 1.000120: cpu_idle: state=1 cpu_id=1").unwrap();
        headlines(&format!("{before}{}", behind.replace("<idle>-0 [1] d", "sh-5 [1] d")), "timer")
    };
    let (together, apart) = (told(34_010), told(31_500));
    let late = "hrtimer_wakeup on CPU 1 ran 31.001 ms late";
    assert!(
        together.contains(&format!("{late}: CPU 1 stood still for 31.000 ms, and so did CPU 0")),
        "{together}"
    );
    assert!(apart.contains(&format!("{late}: interrupts were off in sh-5 (nice 0)")), "{apart}");
}

#[test]
fn a_cpu_that_stood_still_may_have_done_so_in_its_other_silences() {
    let start = |timer: &str, expires_us: u32| {
        format!(
            "hrtimer_start: hrtimer={timer} function=tick_nohz_handler expires={expires_us}000 softexpires={expires_us}000"
        )
    };
    let expiry = |timer: &str, now_us: u32| {
        format!("hrtimer_expire_entry: hrtimer={timer} function=tick_nohz_handler now={now_us}000")
    };
    let (one, other) = ("00000000000000aa", "00000000000000bb");
    let told = headlines(
        &format!(
            "
            k-8      [1] d.h1. 1.000000: irq_handler_entry: irq=25 name=virtio0-requests
            k-8      [1] d.h1. 1.000005: irq_handler_exit: irq=25 ret=handled
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
            k-8      [1] d.h1. 1.000020: {}
            sh-5     [0] d..1. 1.000030: {}
            sh-5     [0] d..2. 1.000200: sched_waking: comm=w pid=7 prio=120 target_cpu=001
            <idle>-0 [0] d..1. 1.000300: cpu_idle: state=1 cpu_id=0
            k-8      [1] d.h.. 1.010000: local_timer_entry: vector=236
            k-8      [1] dNh.. 1.010001: {}
            k-8      [1] d.h1. 1.010010: {}
            k-8      [1] d.h.. 1.010020: local_timer_exit: vector=236
            <idle>-0 [0] d.h1. 1.010030: local_timer_entry: vector=236
            <idle>-0 [0] d.h1. 1.010031: {}
            <idle>-0 [0] d.h1. 1.010040: local_timer_exit: vector=236
            k-8      [1] d.h.. 1.018000: local_timer_entry: vector=236
            k-8      [1] dNh.. 1.018001: {}
            k-8      [1] d.h.. 1.018020: local_timer_exit: vector=236
            k-8      [1] d..2. 1.022030: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
            ",
            start(one, 4_000),
            start(other, 4_000),
            expiry(one, 10_001),
            start(one, 12_000),
            expiry(other, 10_031),
            expiry(one, 18_001),
        ),
        "wakeup",
    );
    assert!(told.contains(": interrupts were off or CPU 1 stood still twice for 12.000 ms"), "{told}");
}

/// A fair task waits for another one, whose tick comes 3 ms late, with these flags behind its entry.
#[test]
fn the_turn_of_a_fair_task_is_not_over_where_the_scheduler_keeps_it() {
    let told = |flags: &str| {
        headlines(
            &format!(
                "
                k-8  [1] d.h1. 1.000000: irq_handler_entry: irq=25 name=virtio0-requests
                k-8  [1] d.h1. 1.000005: irq_handler_exit: irq=25 ret=handled
                w-7  [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
                k-8  [1] d.h1. 1.000020: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires=1000000 softexpires=1000000
                sh-5 [0] d..2. 1.000200: sched_waking: comm=w pid=7 prio=120 target_cpu=001
                k-8  [1] d.h.. 1.004000: local_timer_entry: vector=236
                k-8  [1] {flags}.. 1.004001: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=4001000
                k-8  [1] {flags}.. 1.004020: local_timer_exit: vector=236
                k-8  [1] d.h.. 1.004900: local_timer_entry: vector=236
                k-8  [1] dNh.. 1.004910: local_timer_exit: vector=236
                k-8  [1] d..2. 1.005000: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
                "
            ),
            "wakeup",
        )
    };
    let (kept, ended) = (told("d.h"), told("dNh"));
    assert!(kept.contains("behind k-8 (nice 0) for 4.7") && !kept.contains("stood still"), "{kept}");
    assert!(ended.contains(", for 3.000 ms of which interrupts were off or CPU 1 stood still"), "{ended}");
}

/// A real-time task waits for CPU 1, which does what `meanwhile` says until it switches.
fn waits_behind(meanwhile: &str) -> String {
    headlines(
        &format!(
            "
            k-8      [1] d.h1. 1.000000: irq_handler_entry: irq=25 name=virtio0-requests
            k-8      [1] d.h1. 1.000005: irq_handler_exit: irq=25 ret=handled
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=k next_pid=8 next_prio=120
            {meanwhile}
            k-8      [1] d..2. 1.002000: sched_switch: prev_comm=k prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=49
            "
        ),
        "wakeup",
    )
}

#[test]
fn whoever_is_not_preempted_in_silence_may_have_stood_still() {
    let waking = "sh-5     [0] d..2. 1.000100: sched_waking: comm=w pid=7 prio=49 target_cpu=001";
    let told = waits_behind(waking);
    let expected = "k-8 (nice 0) could not be preempted for 1.900 ms, or CPU 1 stood still\n";
    assert!(told.ends_with(expected), "{told}");
    let told = waits_behind(&format!("{waking}\nk-8 [1] ..... 1.001000: print: busy"));
    assert!(!told.contains("stood still"), "{told}");
}

/// With preemption on, a CPU that is asked to switch does so at the end of the interrupt, unless it stands still.
#[test]
fn whoever_is_asked_to_switch_with_preemption_on_may_have_stood_still() {
    let told = |depth: &str| {
        waits_behind(&format!(
            "k-8 [1] d.h2. 1.000100: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            k-8 [1] dNh3. 1.000105: sched_wakeup: comm=w pid=7 prio=49 target_cpu=001
            k-8 [1] dNh{depth}. 1.000110: local_timer_exit: vector=236
            k-8 [1] dN.2. 1.001990: sched_stat_runtime: comm=k pid=8 runtime=1990000 [ns]"
        ))
    };
    let (on, off) = (told("."), told("1"));
    assert!(
        on.contains("k-8 (nice 0) could not be preempted for") && on.contains("or CPU 1 stood still"),
        "{on}"
    );
    assert!(off.contains("k-8 (nice 0) could not be preempted for") && !off.contains("stood still"), "{off}");
}

#[test]
fn a_softirq_known_by_its_flags_may_have_stood_still() {
    let soft = |t_us: u32| format!("k-8 [1] ..s1. 1.{t_us:06}: print: soft");
    let waking = "k-8 [1] d.s2. 1.000100: sched_waking: comm=w pid=7 prio=49 target_cpu=001";
    let told = waits_behind(&format!("{}\n{waking}\n{}", soft(90), soft(1_990)));
    assert!(told.contains("could not be preempted, or CPU 1 stood still"), "{told}");
}

/// A fair task waits for CPU 1, which another one has. Ticks are not recorded.
fn waits_for_its_turn(meanwhile: &str, end_ms: u32) -> String {
    headlines(
        &format!(
            "
            f-7      [1] d..2. 1.000010: sched_switch: prev_comm=f prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=g next_pid=8 next_prio=120
            sh-5     [0] d..2. 1.000100: sched_waking: comm=f pid=7 prio=120 target_cpu=001
            {meanwhile}
            g-8      [1] d..2. 1.{end_ms:03}100: sched_switch: prev_comm=g prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=f next_pid=7 next_prio=120
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_fair_task_that_keeps_its_cpu_in_silence_for_many_ticks_may_have_stood_still() {
    assert!(
        waits_for_its_turn("", 41).ends_with("behind g-8 (nice 0) for 41.000 ms, or CPU 1 stood still\n")
    );
    assert!(!waits_for_its_turn("", 21).contains("stood still"));
    let asked = "g-8 [1] d.h.. 1.041000: irq_handler_entry: irq=25 name=eth0\n\
                 g-8 [1] dNh.. 1.041010: irq_handler_exit: irq=25 ret=handled";
    let said = waits_for_its_turn(asked, 41);
    assert!(said.ends_with("behind g-8 (nice 0) for 40.990 ms, or CPU 1 stood still\n"), "{said}");
    let shown = "g-8      [1] ..... 1.021000: print: busy";
    assert!(!waits_for_its_turn(shown, 41).contains("stood still"));
}

/// A thread of the kernel has no such long work; a task may compute for as long as it likes.
#[test]
fn a_kernel_thread_that_keeps_its_cpu_in_silence_for_long_may_have_stood_still() {
    let behind = |comm: &str, prio: u32| {
        headlines(
            &format!(
                "
                w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=98 prev_state=S ==> next_comm={comm} next_pid=8 next_prio={prio}
                sh-5     [0] d..2. 1.000100: sched_waking: comm=w pid=7 prio=98 target_cpu=001
                {comm}-8 [1] d..2. 1.041100: sched_switch: prev_comm={comm} prev_pid=8 prev_prio={prio} prev_state=S ==> next_comm=w next_pid=7 next_prio=98
                "
            ),
            "wakeup",
        )
    };
    let said = behind("irq/25-virtio0", 49);
    assert!(
        said.contains("behind irq/25-virtio0-8 (rt 50, above rt 1) for 41.000 ms, or CPU 1 stood still"),
        "{said}"
    );
    let said = behind("rcuc/1", 98);
    assert!(said.contains("of the same priority, for 41.000 ms, or CPU 1 stood still"), "{said}");
    assert!(!behind("hog", 49).contains("stood still"));
}

/// `w` waits 15.5 ms behind `h`, in which one tick comes so late.
fn behind_late_tick(late_us: u32) -> String {
    let tick = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let ticks = [(4_000, late_us), (8_000, 0), (12_000, 0)].map(|(due_us, late_us)| {
        let (at, end, next) = (due_us + late_us, due_us + late_us + 4, due_us + 4_000);
        format!(
            "
            h-5 [0] d.h1. 1.{at:06}: local_timer_entry: vector=236
            h-5 [0] d.h1. 1.{at:06}: hrtimer_expire_entry: {tick} now={at}000
            h-5 [0] d.h1. 1.{end:06}: hrtimer_start: {tick} expires={next}000 softexpires={next}000
            h-5 [0] d.h1. 1.{end:06}: local_timer_exit: vector=236
            "
        )
    });
    let switch = |from: &str, state: &str, to: &str| {
        format!("sched_switch: prev_comm={from} prev_state={state} ==> next_comm={to}")
    };
    let (h, w, idle) =
        ("h prev_pid=5 prev_prio=9", "w next_pid=7 next_prio=19", "swapper/0 prev_pid=0 prev_prio=120");
    headlines(
        &format!(
            "
            <idle>-0 [0] d.h1. 0.999000: irq_handler_entry: irq=25 name=virtio0-requests
            <idle>-0 [0] d.h1. 0.999005: irq_handler_exit: irq=25 ret=handled
            <idle>-0 [0] d..2. 1.000000: {}
            h-5      [0] d..1. 1.000010: hrtimer_start: {tick} expires=4000000 softexpires=4000000
            h-5      [0] d..2. 1.000500: sched_waking: comm=w pid=7 prio=19 target_cpu=000
            {}
            h-5      [0] d..2. 1.016000: {}
            ",
            switch(idle, "R", "h next_pid=5 next_prio=9"),
            ticks.concat(),
            switch(h, "S", w),
        ),
        "wakeup",
    )
}

#[test]
fn silences_of_a_task_are_part_of_the_time_for_which_it_had_the_cpu() {
    let said = behind_late_tick(2_000);
    assert!(said.contains("behind h-5 (rt 90) for 15.488 ms"), "{said}");
    assert!(said.contains(", for 2.000 ms of which interrupts were off or CPU 0 stood still"), "{said}");
    let said = behind_late_tick(0);
    assert!(said.contains("behind h-5 (rt 90, above rt 80) for 15.488 ms"), "{said}");
    assert!(!said.contains("stood still"), "{said}");
}

/// A softirq that is handed to its thread, which gets to it so long after it got the CPU.
fn carried(late_us: u32) -> String {
    let entry_us = 110 + late_us;
    headlines(
        &format!(
            "
            <idle>-0     [0] d.h1. 0.999000: irq_handler_entry: irq=25 name=virtio0-requests
            <idle>-0     [0] d.h1. 0.999005: irq_handler_exit: irq=25 ret=handled
            a-5          [0] d.h1. 1.000000: softirq_raise: vec=1 [action=TIMER]
            a-5          [0] dNh4. 1.000010: sched_waking: comm=ktimers/0 pid=18 prio=98 target_cpu=000
            a-5          [0] d..2. 1.000100: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=ktimers/0 next_pid=18 next_prio=98
            ktimers/0-18 [0] d..3. 1.000105: sched_stat_runtime: comm=ktimers/0 pid=18 runtime=35562 [ns]
            ktimers/0-18 [0] ..s.2 1.{entry_us:06}: softirq_entry: vec=1 [action=TIMER]
            ktimers/0-18 [0] ..s.2 1.{:06}: softirq_exit: vec=1 [action=TIMER]
            ",
            entry_us + 9
        ),
        "softirq_raise",
    )
}

#[test]
fn a_thread_of_softirqs_has_nothing_else_to_do() {
    let said = carried(3_000);
    assert!(said.contains("CPU 0 stood still for 3.005 ms"), "{said}");
    let said = carried(100);
    assert!(!said.contains("stood still"), "{said}");
}

#[test]
fn what_one_handler_takes_is_not_normal_of_another() {
    // A device whose handler takes 2 ms as a rule, and another one that takes as long once.
    let mut text = String::new();
    for at_ms in 0..40_u32 {
        let (irq, name) = if at_ms % 2 == 0 { (28, "virtio1-requests") } else { (30, "eth0") };
        let is_long = irq == 28 || at_ms == 39;
        let (from_us, end_us) = (at_ms * 5_000, at_ms * 5_000 + if is_long { 2_000 } else { 20 });
        for (us, what) in [
            (from_us, format!("irq_handler_entry: irq={irq} name={name}")),
            (end_us, "sched_waking: comm=w pid=7 prio=120 target_cpu=000".to_owned()),
            (end_us + 5, format!("irq_handler_exit: irq={irq} ret=handled")),
        ] {
            text.push_str(&format!("<idle>-0 [0] d.h1. 1.{us:06}: {what}\n"));
        }
    }
    let said = headlines(&text, "irq");
    let still: Vec<&str> = said.lines().filter(|line| line.contains("stood still")).collect();
    assert_eq!(still.len(), 1, "{said}");
    assert!(still[0].starts_with("Interrupt eth0 [30] on CPU 0 took 2.005 ms"), "{said}");
}

/// Both CPUs stop in their interrupts, CPU 0 so many milliseconds before CPU 1, and both for 50 ms.
fn interrupts_that_stop(before_ms: u32) -> String {
    let interrupt = |cpu: u32, from_us: u32, us: u32| {
        let (seconds, from_us, to_us) = (1 + from_us / 1_000_000, from_us % 1_000_000, from_us + 10 + us);
        format!(
            "
            <idle>-0 [{cpu}] d.h1. {seconds}.{from_us:06}: irq_handler_entry: irq=25 name=virtio0-requests
            <idle>-0 [{cpu}] d.h1. {seconds}.{:06}: softirq_raise: vec=4 [action=BLOCK]
            <idle>-0 [{cpu}] d.h1. {}.{:06}: irq_handler_exit: irq=25 ret=handled
            ",
            from_us + 10,
            1 + to_us / 1_000_000,
            to_us % 1_000_000
        )
    };
    let usual: String = (0..20).map(|n| interrupt(n % 2, n * 10_000, 4)).collect();
    let stops = [interrupt(1, 300_000, 50_000), interrupt(0, 300_000 - before_ms * 1_000, 50_000)];
    headlines(&format!("{usual}{}", stops.concat()), "irq")
}

#[test]
fn how_long_the_other_cpu_stood_still_is_said_where_it_differs() {
    for (before_ms, said) in
        [(0, "and so did CPU 0\n"), (2, "and so did CPU 0\n"), (12, "and so did CPU 0, for 38.010 ms\n")]
    {
        let told = interrupts_that_stop(before_ms);
        assert!(
            told.contains(&format!("CPU 1 stood still for 50.000 ms (normally 4.0 µs), {said}")),
            "{told}"
        );
    }
}

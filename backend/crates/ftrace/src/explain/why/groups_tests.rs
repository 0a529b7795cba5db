//! What is one cause, however many links it is in.

use std::fmt::Write;

use crate::testing::explain::{headlines, switch};

/// On PREEMPT_RT, a softirq waits behind `b` for 1 ms, in which that switches interrupts off now and then, for so long each
/// time, in so many places.
fn behind_sections(count: u32, long_us: u32, places: u32) -> String {
    let mut text = String::from("ksoftirqd/0-14 [0] ..s.. 1.000000: softirq_entry: vec=8 [action=HRTIMER]\n");
    let to_rt = switch("ksoftirqd/0-14", "R", "b-2").replace("next_prio=120", "next_prio=19");
    writeln!(text, "ksoftirqd/0-14 [0] d.s2. 1.000100: {to_rt}").unwrap();
    let step_us = 1_000 / (count + 1);
    for section in 0..count {
        let (at_us, place) = (100 + step_us * (section + 1), section % places);
        let caller = format!("caller=lock_{place}+0x40/0x60 parent=work+0x2c/0x310");
        writeln!(text, "b-2 [0] d.... 1.{at_us:06}: irq_disable: {caller}").unwrap();
        writeln!(text, "b-2 [0] d.... 1.{:06}: irq_enable: {caller}", at_us + long_us).unwrap();
    }
    let from_rt = switch("b-2", "S", "ksoftirqd/0-14").replace("prev_prio=120", "prev_prio=19");
    writeln!(text, "b-2 [0] d..2. 1.001100: {from_rt}").unwrap();
    writeln!(text, "ksoftirqd/0-14 [0] ..s.. 1.001200: softirq_exit: vec=8 [action=HRTIMER]").unwrap();
    headlines(&text, "softirq")
}

#[test]
fn a_task_is_one_whatever_short_sections_it_is_in() {
    for (count, long_us) in [(0, 0), (1, 30), (3, 100), (9, 40), (30, 4), (90, 3)] {
        let said = behind_sections(count, long_us, count.max(1));
        assert!(said.contains("behind b-2 (rt 80) for 1.000 ms"), "{count} of {long_us} µs: {said}");
    }
}

#[test]
fn sections_of_one_place_that_take_much_are_told() {
    for (count, long_us) in [(2, 300), (9, 70), (90, 7)] {
        let said = behind_sections(count, long_us, 1);
        assert!(said.contains("interrupts were off"), "{count} of {long_us} µs: {said}");
        assert!(said.contains("in lock_0 ← work (b-2) for 6"), "{count} of {long_us} µs: {said}");
    }
}

/// `s` is woken in an interrupt of an idle CPU, and these run one after another before it.
fn behind_interrupts(between: &[(&str, &str, u32)]) -> String {
    let mut at_us = 10;
    let mut text = String::from(
        "
        <idle>-0 [0] d.h1. 1.000000: irq_handler_entry: irq=24 name=eth0
        <idle>-0 [0] dNh1. 1.000005: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.000010: irq_handler_exit: irq=24 ret=handled
        ",
    );
    for (entry, exit, long_us) in between {
        writeln!(text, "<idle>-0 [0] dNh1. 1.{:06}: {entry}", at_us + 1).unwrap();
        at_us += 1 + long_us;
        writeln!(text, "<idle>-0 [0] dNh1. 1.{at_us:06}: {exit}").unwrap();
    }
    let runs = switch("swapper/0-0", "R", "b-2");
    writeln!(text, "<idle>-0 [0] d..2. 1.{:06}: {runs}", at_us + 1).unwrap();
    writeln!(text, "b-2 [0] d..2. 1.{:06}: {}", at_us + 91, switch("b-2", "R", "s-7")).unwrap();
    headlines(&text, "wakeup")
}

#[test]
fn interrupts_and_softirqs_are_told_together_where_that_is_most_of_it() {
    let timer = ("local_timer_entry: vector=236", "local_timer_exit: vector=236");
    let call = ("call_function_entry: vector=252", "call_function_exit: vector=252");
    let soft = ("softirq_entry: vec=9 [action=RCU]", "softirq_exit: vec=9 [action=RCU]");
    let three = behind_interrupts(&[(timer.0, timer.1, 70), (call.0, call.1, 60), (soft.0, soft.1, 50)]);
    assert!(three.contains("interrupts and softirqs ran for 18"), "{three}");
    assert!(three.contains("longest interrupt local_timer for 70 µs"), "{three}");
    let two = behind_interrupts(&[(timer.0, timer.1, 80), (call.0, call.1, 70)]);
    assert!(two.contains("interrupts ran for 15"), "{two}");
    let few = behind_interrupts(&[(timer.0, timer.1, 30), (call.0, call.1, 20), (soft.0, soft.1, 20)]);
    assert!(few.contains("behind b-2 (nice 0) for 90 µs"), "{few}");
}

#[test]
fn the_step_to_a_softirq_is_no_part_of_it() {
    let timer = ("local_timer_entry: vector=236", "local_timer_exit: vector=236");
    let soft = ("softirq_entry: vec=1 [action=TIMER]", "softirq_exit: vec=1 [action=TIMER]");
    let text = behind_interrupts(&[(timer.0, timer.1, 10), (soft.0, soft.1, 300)]);
    assert!(text.contains("softirq TIMER ran for 300 µs"), "{text}");
}

/// `s` is woken on an idle CPU, which does not notice for 3 ms; then `b` has it, whose tick comes late.
fn behind_idle_and_silence(silent_us: u32, run_us: u32) -> String {
    let timer = "hrtimer=00000000000000aa function=tick_nohz_handler";
    let (tick_us, end_us) = (3_010 + silent_us, 3_010 + silent_us + run_us);
    let (to_b, to_s) = (switch("swapper/0-0", "R", "b-2"), switch("b-2", "R", "s-7"));
    let text = format!(
        "
        <idle>-0 [0] d..1. 0.999000: hrtimer_start: {timer} expires=1003020000 softexpires=1003020000
        <idle>-0 [0] ...1. 0.999500: cpu_idle: state=1 cpu_id=0
        a-9 [1] d..2. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] ...1. 1.003000: cpu_idle: state=4294967295 cpu_id=0
        <idle>-0 [0] d..2. 1.003010: {to_b}
        b-2 [0] d.h1. 1.{tick_us:06}: hrtimer_expire_entry: {timer} now=1{tick_us:06}000
        b-2 [0] d.h1. 1.{:06}: hrtimer_expire_exit: hrtimer=00000000000000aa
        b-2 [0] d..2. 1.{end_us:06}: {to_s}
        ",
        tick_us + 5
    );
    headlines(&text, "wakeup")
}

#[test]
fn a_task_and_its_silences_are_one_beside_what_took_most() {
    let said = behind_idle_and_silence(1_400, 1_300);
    let expected = "CPU 0 was idle and took 3.000 ms to notice, and it waited behind b-2 for 2.695 ms";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn what_a_cpu_takes_to_notice_is_a_part_of_a_short_wakeup() {
    let took = |woken_us: u32, runs_us: u32| {
        let to_s = switch("swapper/1-0", "R", "s-7");
        headlines(
            &format!(
                "
                a-9 [0] d..2. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=001
                a-9 [0] d..3. 1.{woken_us:06}: sched_wakeup: comm=s pid=7 prio=120 target_cpu=001
                <idle>-0 [1] d..2. 1.{runs_us:06}: {to_s}
                "
            ),
            "wakeup",
        )
    };
    let said = took(5, 9);
    assert!(said.contains("took 9.0 µs: the wakeup and the switch themselves took 9.0 µs"), "{said}");
    assert!(took(5, 19).contains("CPU 1 was idle and took 14 µs to notice"), "{}", took(5, 19));
}

/// A waker chooses its own CPU for a task of another one, in the middle of waking it.
#[test]
fn a_waking_that_moves_its_task_is_no_task_that_it_waits_for() {
    let said = headlines(
        "
        c-8 [0] d..3. 1.000000: sched_waking: comm=s pid=7 prio=120 target_cpu=001
        c-8 [0] d..3. 1.000003: sched_migrate_task: comm=s pid=7 prio=120 orig_cpu=1 dest_cpu=0
        c-8 [0] dN.4. 1.000010: sched_wakeup: comm=s pid=7 prio=120 target_cpu=000
        c-8 [0] d..2. 1.000015: sched_switch: prev_comm=c prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=s next_pid=7 next_prio=120
        ",
        "migration",
    );
    assert!(said.ends_with("the wakeup and the switch themselves took 12 µs\n"), "{said}");
}

/// `s` waits behind `b` on a guest's CPU, from 1.0801 s on: for so long `b` just runs, then a tick is 12 ms late, and the two
/// after it stop for so long each.
fn behind_ticks_that_stop(runs_us: u32, stop_us: u32) -> String {
    let timer = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let mut text = "<idle>-0 [0] d.h1. 0.999000: irq_handler_entry: irq=25 name=virtio0-requests
        <idle>-0 [0] d.h1. 0.999005: irq_handler_exit: irq=25 ret=handled\n"
        .to_owned();
    let first_us = 80_100 + runs_us;
    let usual = (0..20).map(|n| (n * 4_000, 0, 2));
    let late = [(first_us, 12_000, 2), (first_us + 16_000, 0, stop_us), (first_us + 28_000, 0, stop_us)];
    let ticks: Vec<(u32, u32, u32)> = usual.chain(late).collect();
    for (at, (due_us, late_us, stop_us)) in ticks.iter().copied().enumerate() {
        if at == 20 {
            text += &format!("s-7 [0] d..2. 1.080100: {}\n", switch("s-7", "R", "b-8"));
        }
        let next_us = ticks.get(at + 1).map_or(400_000, |(next_us, ..)| *next_us);
        let who = if at < 20 { "s-7" } else { "b-8" };
        for (us, event) in [
            (0, "local_timer_entry: vector=236".to_owned()),
            (2, format!("hrtimer_expire_entry: {timer} now={}", (due_us + late_us) * 1_000)),
            (6, format!("hrtimer_start: {timer} expires={0} softexpires={0}", next_us * 1_000)),
            (6 + stop_us, "local_timer_exit: vector=236".to_owned()),
        ] {
            let at_us = 1_000_000 + due_us + late_us + us;
            // After a late tick, the CPU is to switch.
            let flags = if at >= 20 && us > 6 { "dNh" } else { "d.h" };
            let (seconds, us) = (at_us / 1_000_000, at_us % 1_000_000);
            text += &format!("{who} [0] {flags}1. {seconds}.{us:06}: {event}\n");
        }
    }
    let end_us = first_us + 28_000 + stop_us + 40;
    text += &format!("b-8 [0] d..2. 1.{end_us:06}: {}\n", switch("b-8", "S", "s-7"));
    headlines(&text, "preempted")
}

#[test]
fn silences_and_stalls_that_are_longer_than_any_task_are_one_cause() {
    let said = behind_ticks_that_stop(3_000, 8_000);
    assert!(said.contains("interrupts were off or CPU 0 stood still 3 times for 27.998 ms"), "{said}");
    let said = behind_ticks_that_stop(90_000, 1_000);
    assert!(said.contains("behind b-8 (nice 0) for 1"), "{said}");
}

/// `s` waits behind `b`, a real-time task in user space on a guest's CPU, of whose ticks two are 12 ms late.
fn behind_a_chosen_task() -> String {
    let timer = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let tick = |who: &str, due_us: u32, late_us: u32, next_us: u32| {
        let at_us = due_us + late_us;
        format!(
            "
            {who} [0] d.h.. 1.{at_us:06}: local_timer_entry: vector=236
            {who} [0] d.h.. 1.{:06}: hrtimer_expire_entry: {timer} now={at_us}000
            {who} [0] d.h.. 1.{:06}: hrtimer_start: {timer} expires={next_us}000 softexpires={next_us}000
            {who} [0] d.h.. 1.{:06}: local_timer_exit: vector=236
            ",
            at_us + 1,
            at_us + 3,
            at_us + 5
        )
    };
    let before: String = (0..20).map(|n| tick("s-7", n * 4_000, 0, n * 4_000 + 4_000)).collect();
    let late = [tick("b-8", 80_000, 12_000, 96_000), tick("b-8", 96_000, 12_000, 112_000)];
    let switched = |from: &str, state: &str, to: &str| {
        switch(from, state, to)
            .replace("pid=8 prev_prio=120", "pid=8 prev_prio=49")
            .replace("pid=8 next_prio=120", "pid=8 next_prio=49")
    };
    headlines(
        &format!(
            "
            <idle>-0 [1] d.h1. 0.999000: irq_handler_entry: irq=25 name=virtio0-requests
            <idle>-0 [1] d.h1. 0.999005: irq_handler_exit: irq=25 ret=handled
            {before}
            s-7 [0] d..2. 1.079000: {}
            b-8 [0] ..... 1.079010: sys_exit: NR 230 = 0
            {}
            b-8 [0] ..... 1.111000: sys_enter: NR 230 (1, 1, 7f, 0, 0, 0)
            b-8 [0] d..2. 1.111020: {}
            ",
            switched("s-7", "R", "b-8"),
            late.concat(),
            switched("b-8", "S", "s-7"),
        ),
        "preempted",
    )
}

#[test]
fn what_a_chosen_task_is_silent_for_counts_to_it() {
    let said = behind_a_chosen_task();
    let told = "behind b-8 (rt 50) for 32.";
    let silent = ", for 23.998 ms of which interrupts were off or CPU 0 stood still";
    assert!(said.contains(told) && said.contains(silent), "{said}");
}

/// A real-time task is woken on the CPU of `k`, which does not let it run for 18 ms; one tick in that comes so late.
fn not_preempted_while_a_tick_is_late(late_us: u32) -> String {
    let timer = "hrtimer=00000000000000bb function=tick_nohz_handler";
    let tick = |due_us: u32, late_us: u32, flags: &str, next_us: u32| {
        let at_us = due_us + late_us;
        format!(
            "
            k-8 [1] {flags}1. 1.{at_us:06}: local_timer_entry: vector=236
            k-8 [1] {flags}1. 1.{:06}: hrtimer_expire_entry: {timer} now={at_us}000
            k-8 [1] {flags}1. 1.{:06}: hrtimer_start: {timer} expires={next_us}000 softexpires={next_us}000
            k-8 [1] {flags}1. 1.{:06}: local_timer_exit: vector=236
            ",
            at_us + 1,
            at_us + 3,
            at_us + 5
        )
    };
    // Those that it holds up do not come.
    let ticks =
        [40_000, 44_000, 48_000, 52_000].into_iter().filter(|due_us| *due_us == 40_000 || late_us == 0);
    let ticks: Vec<String> = ticks.map(|due_us| tick(due_us, late_us, "dNh", due_us + 4_000)).collect();
    let before: String = (0..10).map(|n| tick(n * 4_000, 0, "d.h", n * 4_000 + 4_000)).collect();
    headlines(
        &format!(
            "
            <idle>-0 [0] d.h1. 0.999000: irq_handler_entry: irq=25 name=virtio0-requests
            <idle>-0 [0] d.h1. 0.999005: irq_handler_exit: irq=25 ret=handled
            {before}
            k-8 [1] d..2. 1.036100: sched_waking: comm=w pid=7 prio=19 target_cpu=001
            k-8 [1] dN.3. 1.036105: sched_wakeup: comm=w pid=7 prio=19 target_cpu=001
            {}
            k-8 [1] d..2. 1.054105: {}
            ",
            ticks.concat(),
            switch("k-8", "R+", "w-7").replace("next_prio=120", "next_prio=19")
        ),
        "wakeup",
    )
}

#[test]
fn silences_that_are_most_of_what_a_task_kept_are_told_with_it() {
    let said = not_preempted_while_a_tick_is_late(12_000);
    let told = " could not be preempted for 17.9";
    let silent = ", for 11.999 ms of which interrupts were off or CPU 1 stood still";
    assert!(said.contains(told) && said.contains(silent), "{said}");
    let said = not_preempted_while_a_tick_is_late(0);
    assert!(said.contains(told) && !said.contains("of which interrupts were off"), "{said}");
}

/// `c` wakes `w`, and then stops it.
#[test]
fn a_task_that_is_stopped_sleeps_no_longer_for_that() {
    let told = headlines(
        "
        c-8      [0] d..2. 0.999000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=c next_pid=8 next_prio=120
        w-7      [1] ..... 1.000000: sys_enter: NR 0 (3, 0, 0, 0, 0, 0)
        w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        c-8      [0] d..3. 1.004000: sched_waking: comm=w pid=7 prio=120 target_cpu=001
        <idle>-0 [1] d..2. 1.004010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
        w-7      [1] d..2. 1.004020: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=T ==> next_comm=swapper/1 next_pid=0 next_prio=120
        c-8      [0] d..3. 1.010000: sched_waking: comm=w pid=7 prio=120 target_cpu=001
        <idle>-0 [1] d..2. 1.010010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
        w-7      [1] ..... 1.010020: sys_exit: NR 0 = 1
        ",
        "syscall",
    );
    assert!(told.contains("it was stopped for 5.980 ms until c-8"), "{told}");
    assert!(!told.contains("9.970 ms"), "{told}");
}

/// `w` waits behind two fair tasks with two turns each, each of which ends as it wakes another task: so long after the
/// scheduler was asked for a switch.
fn behind_turns(asked_us: u32) -> String {
    let mut text = String::new();
    writeln!(text, "w-9 [0] d..2. 1.000000: {}", switch("w-9", "R", "a-7")).unwrap();
    for (turn, [runs, next]) in [["a-7", "a-8"], ["a-8", "a-7"], ["a-7", "a-8"]].into_iter().enumerate() {
        let end_us = (turn as u32 + 1) * 1_000;
        writeln!(text, "{runs} [0] dN.3. 1.{:06}: print: x", end_us - asked_us).unwrap();
        writeln!(text, "{runs} [0] d..2. 1.{end_us:06}: {}", switch(runs, "S", next)).unwrap();
    }
    writeln!(text, "a-8 [0] d..2. 1.004000: {}", switch("a-8", "S", "w-9")).unwrap();
    headlines(&text, "preempted")
}

#[test]
fn the_short_step_from_a_wakeup_to_the_switch_is_no_way_to_keep_a_cpu() {
    let said = behind_turns(19);
    assert!(!said.contains("preempted for"), "{said}");
    let said = behind_turns(400);
    assert!(said.contains("could not be preempted for"), "{said}");
}

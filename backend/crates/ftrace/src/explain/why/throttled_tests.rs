//! Tasks that were kept from running, and those that waited for them.

use crate::testing::explain::{explain_file, headlines};

/// A task waits in a system call for one that leaves its CPU in a state, and is back after a while.
fn waits(state: &str, woken: &str) -> String {
    headlines(
        &format!(
            "
            sh-5     [1] d..2. 1.000000: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            w-7      [1] ..... 1.000050: sys_enter: NR 202 (1, 1, 1, 1, 1, 1)
            w-7      [1] d..2. 1.000060: sched_switch: prev_comm=w prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            h-8      [0] d..2. 1.000040: sched_switch: prev_comm=h prev_pid=8 prev_prio=120 prev_state={state} ==> next_comm=swapper/0 next_pid=0 next_prio=120
            {woken}
            <idle>-0 [0] d..2. 1.016000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=h next_pid=8 next_prio=120
            h-8      [0] d..2. 1.016040: sched_waking: comm=w pid=7 prio=49 target_cpu=001
            <idle>-0 [1] d..2. 1.016050: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=49
            w-7      [1] ..... 1.016060: sys_exit: NR 202 = 0
            "
        ),
        "syscall",
    )
}

#[test]
fn whoever_waits_for_a_throttled_task_waits_for_its_limit() {
    let told = waits("R", "");
    let expected = "until h-8 (nice 0) woke it, which was throttled for 15.940 ms";
    assert!(told.contains(expected), "{told}");
    // Printed by a tool that does not know the state of idle threads of the kernel, which are woken.
    let waking = "sh-5     [2] d..2. 1.015990: sched_waking: comm=h pid=8 prio=120 target_cpu=000";
    for (state, woken) in [("R", waking), ("S", waking), ("S", "")] {
        let told = waits(state, woken);
        assert!(!told.contains("throttled"), "{told}");
    }
}

#[test]
fn whoever_may_not_run_has_no_other_cpu() {
    let told = headlines(
        "
        <idle>-0 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=d next_pid=8 next_prio=-1
        d-8      [1] d..2. 1.000100: sched_switch: prev_comm=d prev_pid=8 prev_prio=-1 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        sh-5     [0] d..2. 1.000200: sched_switch: prev_comm=sh prev_pid=5 prev_prio=120 prev_state=R+ ==> next_comm=d next_pid=8 next_prio=-1
        d-8      [0] d..2. 1.002000: sched_switch: prev_comm=d prev_pid=8 prev_prio=-1 prev_state=R ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d..2. 1.009000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=d next_pid=8 next_prio=-1
        ",
        "preempted",
    );
    assert!(told.ends_with("it was throttled for 7.000 ms on idle CPU 0\n"), "{told}");
}

#[test]
fn whoever_the_stopper_moved_may_not_go_back() {
    let told = |mover: &str| {
        headlines(
            &format!(
                "
                <idle>-0 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=120
                w-7      [1] d..2. 1.000100: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm={mover} next_pid=31 next_prio=0
                sh-5     [0] d..2. 1.000110: sched_switch: prev_comm=sh prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
                b-8      [0] d.h1. 1.000115: irq_handler_entry: irq=24 name=eth0
                {mover}-31 [1] d..2. 1.000120: sched_migrate_task: comm=w pid=7 prio=120 orig_cpu=1 dest_cpu=0
                {mover}-31 [1] d..2. 1.000140: sched_switch: prev_comm={mover} prev_pid=31 prev_prio=0 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                b-8      [0] d.h1. 1.000150: irq_handler_exit: irq=24 ret=handled
                b-8      [0] d..2. 1.005000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
                "
            ),
            "migration",
        )
    };
    assert!(
        told("mover").contains("behind b-8 (nice 0) for 4.850 ms while CPU 1 was idle"),
        "{}",
        told("mover")
    );
    let moved = told("migration/1");
    assert!(moved.contains("behind b-8 (nice 0) for 4.850 ms") && !moved.contains("idle"), "{moved}");
}

/// `r` gives its CPU to `k`, which is as important, and others have it before `r` is back; `more` is between the two.
fn passed_over(more: &str, back: &str) -> String {
    headlines(
        &format!(
            "
            <idle>-0 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=r next_pid=7 next_prio=98
            r-7      [0] d..2. 1.000100: sched_switch: prev_comm=r prev_pid=7 prev_prio=98 prev_state=R ==> next_comm=k next_pid=8 next_prio=98
            k-8      [0] d..2. 1.000200: sched_switch: prev_comm=k prev_pid=8 prev_prio=98 prev_state=S ==> next_comm=low next_pid=9 next_prio=120
            {more}
            {back}
            "
        ),
        "preempted",
    )
}

#[test]
fn whoever_is_passed_over_may_have_slept_where_no_wakings_are_recorded() {
    let idle = "low-9 [0] d..2. 1.000300: sched_switch: prev_comm=low prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120";
    let here = "<idle>-0 [0] d..2. 1.009000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=r next_pid=7 next_prio=98";
    let told = passed_over(idle, here);
    assert!(told.contains("idle") && !told.contains("throttled"), "{told}");
    let waking = "sh-5 [1] d..2. 1.000010: sched_waking: comm=w pid=6 prio=49 target_cpu=001";
    let told = passed_over(&format!("{waking}\n{idle}"), here);
    assert!(told.contains("throttled"), "{told}");
}

#[test]
fn a_scheduler_that_chooses_between_others_is_not_kept_from_it() {
    let other = "low-9 [0] d..2. 1.000300: sched_switch: prev_comm=low prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=burn next_pid=10 next_prio=120";
    let away = "sh-5 [1] d..2. 1.009000: sched_switch: prev_comm=sh prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=r next_pid=7 next_prio=98";
    let told = passed_over(other, away);
    assert!(told.contains("burn-10 (nice 0) ran for 8.700 ms, and no record says why"), "{told}");
}

#[test]
fn within_a_tick_of_a_coarse_clock_nothing_says_that_a_cpu_chose() {
    let text = "\
# tracer: nop
#
           rcu-7       [000] d..2.        19870: sched_switch: prev_comm=rcu prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=c next_pid=5 next_prio=120
             c-5       [000] d.s3.        19881: sched_waking: comm=rcu pid=7 prio=120 target_cpu=000
             c-5       [000] d.s4.        19881: sched_wakeup: comm=rcu pid=7 prio=120 target_cpu=000
             c-5       [000] d..2.        19881: sched_switch: prev_comm=c prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     [000] d..2.        19882: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rcu next_pid=7 next_prio=120
";
    let mut told = String::new();
    explain_file(text, "wakeup", |_, explanation, _| told.push_str(&explanation.headline));
    assert!(told.contains("1 clock tick") && !told.contains("throttled"), "{told}");
}

/// A task of a cgroup with a limit waits while its CPU idles, and while others run there.
#[test]
fn whoever_was_throttled_is_none_of_those_that_ran() {
    let mut lines = String::from(
        "
        o-5      [1] d..2. 1.000000: sched_switch: prev_comm=o prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=w next_pid=7 next_prio=120
        w-7      [1] d..2. 1.000100: sched_switch: prev_comm=w prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=swapper/1 next_pid=0 next_prio=120
        ",
    );
    for at in 1..=4_u32 {
        let (from, to) = (at * 5_000, at * 5_000 + 2_000);
        let next = if at == 4 { "w next_pid=7" } else { "swapper/1 next_pid=0" };
        lines.push_str(&format!(
            "
            <idle>-0 [1] d.h3. 1.{from:06}: sched_waking: comm=o pid=5 prio=120 target_cpu=001
            <idle>-0 [1] d..2. 1.{from:06}: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=o next_pid=5 next_prio=120
            o-5      [1] d..2. 1.{to:06}: sched_switch: prev_comm=o prev_pid=5 prev_prio=120 prev_state=S ==> next_comm={next} next_prio=120
            "
        ));
    }
    let told = headlines(&lines, "preempted");
    let expected = "it was throttled for 21.900 ms, probably by its cgroup's CPU limit\n";
    assert!(told.ends_with(expected), "{told}");
}

/// Real-time bandwidth is used up by `s`, which is `R` or not as it is switched out. Then `w` is woken.
fn woken_without_bandwidth(state: &str) -> String {
    headlines(
        &format!(
            "
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=s next_pid=8 next_prio=49
            s-8      [1] d..2. 1.008000: sched_switch: prev_comm=s prev_pid=8 prev_prio=49 prev_state={state} ==> next_comm=f next_pid=5 next_prio=120
            f-5      [1] d.h2. 1.009000: sched_waking: comm=w pid=7 prio=19 target_cpu=001
            f-5      [1] d..2. 1.020000: sched_switch: prev_comm=f prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=19
            w-7      [1] d..2. 1.020100: sched_switch: prev_comm=w prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=s next_pid=8 next_prio=49
            "
        ),
        "wakeup",
    )
}

#[test]
fn whoever_is_woken_while_real_time_tasks_are_throttled_is_so_too() {
    let told = woken_without_bandwidth("R");
    assert!(told.ends_with("it was throttled for 11.000 ms while f-5 (nice 0) ran\n"), "{told}");
    let told = woken_without_bandwidth("S");
    assert!(!told.contains("throttled"), "{told}");
}

#[test]
fn whoever_makes_room_for_a_fair_task_is_throttled_however_shortly() {
    let told = headlines(
        "
        <idle>-0 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=49
        w-7      [1] d..2. 1.000100: sched_switch: prev_comm=w prev_pid=7 prev_prio=49 prev_state=R ==> next_comm=kworker/1:1 next_pid=35 next_prio=120
        kworker/1:1-35 [1] d..2. 1.000112: sched_switch: prev_comm=kworker/1:1 prev_pid=35 prev_prio=120 prev_state=I ==> next_comm=w next_pid=7 next_prio=49
        ",
        "preempted",
    );
    assert!(told.ends_with("it was throttled for 12 µs while kworker/1:1-35 (nice 0) ran\n"), "{told}");
}

/// A deadline task leaves its CPU in a state after its budget is used up, and `more` comes before its timer refills it.
fn out_of_budget(state: &str, more: &str, kind: &str) -> String {
    headlines(
        &format!(
            "
            <idle>-0 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=d next_pid=8 next_prio=-1
            d-8      [1] d.h2. 1.004000: hrtimer_start: hrtimer=00000000000000d1 function=dl_task_timer expires=2080000000 softexpires=2080000000 mode=ABS|HARD
            d-8      [1] d..2. 1.004010: sched_switch: prev_comm=d prev_pid=8 prev_prio=-1 prev_state={state} ==> next_comm=a next_pid=5 next_prio=120
            {more}
            a-5      [1] d..2. 1.030000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=b next_pid=6 next_prio=120
            b-6      [1] d..2. 1.050000: sched_switch: prev_comm=b prev_pid=6 prev_prio=120 prev_state=R ==> next_comm=e next_pid=9 next_prio=-1
            e-9      [1] d..2. 1.060000: sched_switch: prev_comm=e prev_pid=9 prev_prio=-1 prev_state=S ==> next_comm=c next_pid=7 next_prio=120
            c-7      [1] d.h1. 1.080005: local_timer_entry: vector=236
            c-7      [1] d.h1. 1.080006: hrtimer_expire_entry: hrtimer=00000000000000d1 function=dl_task_timer now=2080006000
            c-7      [1] dNh1. 1.080008: local_timer_exit: vector=236
            c-7      [1] d..2. 1.080010: sched_switch: prev_comm=c prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=d next_pid=8 next_prio=-1
            "
        ),
        kind,
    )
}

#[test]
fn whoever_ran_in_the_place_of_a_throttled_task_is_not_the_reason() {
    let told = out_of_budget("R", "", "preempted");
    let told = told.lines().find(|line| line.starts_with("d-8")).unwrap_or_default();
    assert!(told.ends_with(": it was throttled for 75.995 ms while other tasks ran"), "{told}");
}

#[test]
fn a_deadline_task_that_is_woken_waits_for_its_budget() {
    let waking = "
        a-5      [1] d.h2. 1.010000: sched_waking: comm=d pid=8 prio=-1 target_cpu=001
        a-5      [1] d.h3. 1.010002: sched_wakeup: comm=d pid=8 prio=-1 target_cpu=001";
    let told = out_of_budget("S", waking, "wakeup");
    assert!(told.ends_with(": it was throttled for 70.003 ms while other tasks ran\n"), "{told}");
    // Another timer of this kind, of the server that runs fair tasks, says nothing of this one.
    let early = "
        a-5      [1] d.h2. 1.010000: sched_waking: comm=d pid=8 prio=-1 target_cpu=001
        a-5      [1] d.h3. 1.010002: sched_wakeup: comm=d pid=8 prio=-1 target_cpu=001
        a-5      [1] d..2. 1.011000: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=d next_pid=8 next_prio=-1
        d-8      [1] d..2. 1.012000: sched_switch: prev_comm=d prev_pid=8 prev_prio=-1 prev_state=S ==> next_comm=a next_pid=5 next_prio=120";
    let told = out_of_budget("S", early, "wakeup");
    assert!(!told.contains("throttled"), "{told}");
}

/// Its cgroup's time is over as another task of it is switched to, and no record says that it runs again.
#[test]
fn whoever_is_left_behind_by_a_throttled_task_is_throttled_too() {
    let told = headlines(
        "
        h-8      [0] d..2. 1.000000: sched_switch: prev_comm=h prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=v next_pid=7 next_prio=120
        v-7      [0] d..2. 1.001000: sched_switch: prev_comm=v prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=h next_pid=8 next_prio=120
        h-8      [0] d..2. 1.001007: sched_switch: prev_comm=h prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
        <idle>-0 [0] d.h1. 1.004000: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.004008: local_timer_exit: vector=236
        <idle>-0 [0] d.h1. 1.009000: call_function_single_entry: vector=251
        <idle>-0 [0] dNh1. 1.009010: call_function_single_exit: vector=251
        v-7      [0] ..... 1.009020: sys_enter: NR 230 (1, 1, 0, 0, 0, 0)
        v-7      [0] d..1. 1.009030: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1003000000 softexpires=1003000000
        v-7      [0] d.h1. 1.009032: local_timer_entry: vector=236
        v-7      [0] d.h1. 1.009033: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1009033000
        v-7      [0] d.h2. 1.009034: sched_waking: comm=v pid=7 prio=120 target_cpu=000
        v-7      [0] d.h1. 1.009036: hrtimer_expire_exit: hrtimer=00000000000000aa
        v-7      [0] d.h1. 1.009038: local_timer_exit: vector=236
        v-7      [0] ..... 1.009040: sys_exit: NR 230 = 0
        v-7      [0] d..2. 1.009050: sched_switch: prev_comm=v prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ",
        "timer",
    );
    assert!(told.contains("after being throttled for 6.020 ms"), "{told}");
}

/// `w` is woken while `f` runs, which the server for fair tasks may have put there. The CPU is asked to switch, or not.
fn woken_while_a_fair_task_is_served(asks: &str) -> String {
    headlines(
        &format!(
            "
            w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=f next_pid=5 next_prio=120
            f-5      [1] d.h.. 1.008990: local_timer_entry: vector=236
            f-5      [1] d.h2. 1.009000: sched_waking: comm=w pid=7 prio=19 target_cpu=001
            f-5      [1] d{asks}h3. 1.009005: sched_wakeup: comm=w pid=7 prio=19 target_cpu=001
            f-5      [1] d{asks}h.. 1.009010: local_timer_exit: vector=236
            f-5      [1] d.h.. 1.012000: local_timer_entry: vector=236
            f-5      [1] d.h.. 1.012010: local_timer_exit: vector=236
            f-5      [1] d..2. 1.020000: sched_switch: prev_comm=f prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=19
            "
        ),
        "wakeup",
    )
}

#[test]
fn a_scheduler_that_keeps_a_fair_task_throttles_the_others() {
    let told = woken_while_a_fair_task_is_served("N");
    assert!(told.ends_with("it was throttled for 10.980 ms while f-5 (nice 0) ran\n"), "{told}");
    // The priority of `f` may have been another one.
    let told = woken_while_a_fair_task_is_served(".");
    assert!(told.ends_with("f-5 (nice 0) ran for 10.980 ms, and no record says why\n"), "{told}");
}

#[test]
fn late_ticks_of_whoever_runs_instead_do_not_end_it() {
    let told = headlines(
        "
        w-7      [1] d..2. 1.000010: sched_switch: prev_comm=w prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=s next_pid=8 next_prio=49
        s-8      [1] d.h1. 1.000020: hrtimer_start: hrtimer=00000000000000aa function=tick_nohz_handler expires=1004000000 softexpires=1004000000 mode=ABS
        s-8      [1] d.h2. 1.000030: sched_waking: comm=w pid=7 prio=19 target_cpu=001
        s-8      [1] dNh3. 1.000035: sched_wakeup: comm=w pid=7 prio=19 target_cpu=001
        s-8      [1] d..2. 1.000040: sched_switch: prev_comm=s prev_pid=8 prev_prio=49 prev_state=R ==> next_comm=f next_pid=5 next_prio=120
        f-5      [1] d.h.. 1.009000: local_timer_entry: vector=236
        f-5      [1] d.h.. 1.009002: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=1009002000
        f-5      [1] d.h.. 1.009005: hrtimer_expire_exit: hrtimer=00000000000000aa
        f-5      [1] d.h.. 1.009010: local_timer_exit: vector=236
        f-5      [1] d..2. 1.020000: sched_switch: prev_comm=f prev_pid=5 prev_prio=120 prev_state=R ==> next_comm=w next_pid=7 next_prio=19
        ",
        "wakeup",
    );
    assert!(told.ends_with("it was throttled for 19.950 ms while f-5 (nice 0) ran\n"), "{told}");
}

/// The recording is off for 13 ms after `v` was throttled, and before it starts its timer.
#[test]
fn whoever_was_throttled_is_so_whatever_of_the_time_was_not_recorded() {
    let told = headlines(
        "
        <idle>-0 [1] d..2. 0.999000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=5 next_prio=120
        v-7      [0] d..2. 1.001000: sched_switch: prev_comm=v prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=swapper/0 next_pid=0 next_prio=120
        sh-5     [1] ..... 1.011000: print: one
        sh-5     [1] ..... 1.021000: print: two
        <idle>-0 [0] d..2. 1.027000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=v next_pid=7 next_prio=120
        sh-5     [1] ..... 1.027010: print: three
        up-9     [1] ..... 1.040000: print: hello
        v-7      [0] ..... 1.040020: sys_enter: NR 230 (1, 1, 0, 0, 0, 0)
        v-7      [0] d..1. 1.040030: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1003000000 softexpires=1003000000
        v-7      [0] d.h1. 1.040032: local_timer_entry: vector=236
        v-7      [0] d.h1. 1.040033: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=1040033000
        v-7      [0] d.h2. 1.040034: sched_waking: comm=v pid=7 prio=120 target_cpu=000
        v-7      [0] d.h1. 1.040036: hrtimer_expire_exit: hrtimer=00000000000000aa
        v-7      [0] d.h1. 1.040038: local_timer_exit: vector=236
        v-7      [0] ..... 1.040040: sys_exit: NR 230 = 0
        v-7      [0] d..2. 1.040050: sched_switch: prev_comm=v prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ",
        "timer",
    );
    assert!(told.contains("after being throttled for 24.000 ms"), "{told}");
}

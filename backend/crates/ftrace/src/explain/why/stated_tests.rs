//! Records that say themselves how late something was: the chain says why.

use std::fmt::Write;

use crate::explain::why::Mechanism;
use crate::testing::explain::{explain_all, headlines, switch};

/// A task sleeps on a timer that is due at 10 ms and has some slack, wakes up, and says how late it is. Behind it, `b`
/// has the CPU for a while.
fn late(slack_us: u32, came_us: u32, behind_us: u32) -> String {
    late_after(0, (slack_us, came_us, behind_us))
}

/// The same, where another timer's handler is called in the same pass, so much earlier.
fn late_after(earlier_us: u32, (slack_us, came_us, behind_us): (u32, u32, u32)) -> String {
    let mut text = String::from(
        "
        <idle>-0 [0] d..2. 0.999000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        ",
    );
    let hard = 10_000_000 + slack_us * 1_000;
    let mut line = |t_us: u32, who: &str, event: &str| {
        writeln!(text, "{who} [0] d.h2. 1.{t_us:06}: {event}").unwrap();
    };
    let start = format!(
        "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={hard} softexpires=10000000"
    );
    line(4, "s-7", &start);
    line(10, "s-7", &switch("s-7", "S", "b-8"));
    let came = 10_000 + came_us;
    line(came, "b-8", "local_timer_entry: vector=236");
    let now = (came + 2) * 1_000;
    let handler = |timer: &str, function: &str| {
        format!("hrtimer_expire_entry: hrtimer=00000000000000{timer} function={function} now={now}")
    };
    if earlier_us > 0 {
        line(came + 2, "b-8", &handler("cc", "tick_nohz_handler"));
    }
    let own = came + 2 + earlier_us;
    line(own, "b-8", &handler("aa", "hrtimer_wakeup"));
    line(own + 2, "b-8", "sched_waking: comm=s pid=7 prio=120 target_cpu=000");
    line(own + 4, "b-8", "local_timer_exit: vector=236");
    let runs = own + 6 + behind_us;
    line(runs, "b-8", &switch("b-8", "S", "s-7"));
    let late_ns = (runs + 10 - 10_000) * 1_000;
    writeln!(text, "s-7 [0] ..... 1.{:06}: print: late_ns={late_ns}", runs + 10).unwrap();
    text
}

fn said(text: &str) -> String {
    headlines(text, "field")
}

/// However much others do on the CPU while the task sleeps, and whatever timers the scheduler starts on the task's way to
/// sleep, its own timer is found.
#[test]
fn slack_is_found_however_much_happens_during_the_sleep() {
    let quiet = late(50, 51, 0);
    let (before, after) = quiet.split_once("b-8 [0] d.h2. 1.010051").unwrap();
    for (ticks, servers) in [(0, 1), (1, 0), (30, 1), (300, 3)] {
        let mut text = String::new();
        let (armed, left) = before.split_once("s-7 [0] d.h2. 1.000010").unwrap();
        text.push_str(armed);
        for server in 0..servers {
            writeln!(text, "s-7 [0] d..3. 1.000007: hrtimer_start: hrtimer=00000000000000b{server} function=dl_task_timer expires=900000000 softexpires=900000000").unwrap();
        }
        text.push_str("s-7 [0] d.h2. 1.000010");
        text.push_str(left);
        for tick in 0..ticks {
            writeln!(text, "b-8 [0] d.h2. 1.{:06}: softirq_raise: vec=7 [action=SCHED]", 20 + tick * 30)
                .unwrap();
        }
        text.push_str("b-8 [0] d.h2. 1.010051");
        text.push_str(after);
        let said = said(&text);
        assert!(said.contains("its timer had 50 µs of slack"), "{ticks} {servers}: {said}");
    }
}

#[test]
fn slack_is_told_from_what_was_late() {
    let with_slack = said(&late(50, 51, 0));
    assert!(with_slack.contains("its timer had 50 µs of slack"), "{with_slack}");
    let early = said(&late(50, 31, 0));
    assert!(early.contains("its timer used 31 µs of its 50 µs of slack"), "{early}");
    let behind = said(&late(50, 51, 700));
    assert!(behind.contains("behind b-8 (nice 0) for 70"), "{behind}");
    for came_us in [1, 20, 300] {
        let without = said(&late(0, came_us, 0));
        assert!(!without.contains("slack"), "{without}");
    }
}

/// The record counts from before its own time: what it leaves out of the slack was used all the same.
#[test]
fn slack_is_told_whole_though_the_record_was_written_later_than_it_was_read() {
    for written_us in [0, 3, 12] {
        let text = late(50, 51, 0);
        let (before, record) = text.rsplit_once("s-7 [0] ..... 1.").unwrap();
        let (at, rest) = record.split_once(':').unwrap();
        let at_us: u32 = at.parse().unwrap();
        let said = said(&format!("{before}s-7 [0] ..... 1.{:06}:{rest}", at_us + written_us));
        assert!(said.contains("its timer had 50 µs of slack"), "{written_us}: {said}");
    }
}

/// `now` was read before the first handler of the pass was called: what that one took, the timer was late by.
#[test]
fn a_timer_is_due_by_the_clock_of_its_pass() {
    for earlier_us in [0, 2, 400] {
        let said = said(&late_after(earlier_us, (0, 2_000, 0)));
        assert!(said.contains("interrupts were off in b-8 (nice 0) for 2.000 ms"), "{earlier_us}: {said}");
    }
}

/// Whatever its parts are, they tile what the record states, and slack ends at the latest when the timer comes.
#[test]
fn the_parts_of_a_stated_time_tile_it() {
    let mut seen = 0;
    for (slack_us, came_us, behind_us) in
        [(0, 1, 0), (50, 1, 5), (50, 30, 0), (50, 49, 90), (50, 80, 3_000), (4_000, 900, 200), (1, 900, 0)]
    {
        explain_all(
            &late(slack_us, came_us, behind_us),
            |name| name == "field",
            |case, explanation, _| {
                seen += 1;
                let mut at_ns = case.start_ns;
                for link in &explanation.why {
                    assert_eq!(link.start_ns, at_ns, "{slack_us} {came_us} {behind_us}");
                    at_ns = link.end_ns;
                    if link.is_slack {
                        assert_eq!(link.mechanism, Mechanism::WaitsFor);
                        let slack_ns = i64::from(slack_us.min(came_us)) * 1_000;
                        assert!((link.duration_ns() - slack_ns).abs() <= 1_000);
                    }
                }
                assert_eq!(at_ns, case.end_ns());
                assert_eq!(explanation.why.iter().any(|link| link.is_slack), slack_us.min(came_us) > 0);
            },
        );
    }
    assert_eq!(seen, 7);
}

/// What an interrupt writes is none of the interrupted task's.
#[test]
fn a_record_of_an_interrupt_is_about_its_cpu() {
    let text = |flags: &str| {
        format!(
            "
            a-7 [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
            a-7 [0] {flags} 1.000500: probe: delta=300 [us]
            "
        )
    };
    assert!(said(&text(".....")).contains("the task itself ran for 300 µs"));
    assert!(!said(&text("d.h1.")).contains("the task itself"));
}

/// Its going to sleep lies before what is looked at, or before the recording.
#[test]
fn who_is_woken_was_asleep() {
    let text = "
        <idle>-0 [0] d.h1. 1.000500: local_timer_entry: vector=236
        <idle>-0 [0] d.h1. 1.000502: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=10043000
        <idle>-0 [0] d.h2. 1.000504: sched_waking: comm=s pid=7 prio=120 target_cpu=000
        <idle>-0 [0] dNh1. 1.000508: local_timer_exit: vector=236
        <idle>-0 [0] d..2. 1.000512: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
        s-7      [0] ..... 1.000520: print: late_ns=450000
    ";
    let said = said(text);
    assert!(said.contains("it slept 434 µs until interrupt local_timer woke it"), "{said}");
}

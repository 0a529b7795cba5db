//! What interrupts and softirqs did is named by their events, whichever of those are recorded.

use std::fmt::Write;

use proptest::prelude::*;

use crate::testing::explain::headlines;

/// What a softirq does, step by step, each so many microseconds after the one before.
#[derive(Clone, Debug)]
enum Step {
    Wakes(u32),
    Frees,
    Queues,
}

fn a_step() -> impl Strategy<Value = (Step, u32)> {
    let step = prop_oneof![(100..140_u32).prop_map(Step::Wakes), Just(Step::Frees), Just(Step::Queues)];
    (step, 1..40_u32)
}

/// How a recording shows it.
#[derive(Clone, Copy, Debug)]
struct Shown {
    has_flags: bool,
    has_waking: bool,
    has_wakeup: bool,
    cpu: u8,
}

fn shown() -> impl Strategy<Value = Shown> {
    let wakes = prop_oneof![Just((true, true)), Just((true, false)), Just((false, true))];
    (any::<bool>(), wakes, 0..4_u8).prop_map(|(has_flags, (has_waking, has_wakeup), cpu)| Shown {
        has_flags,
        has_waking,
        has_wakeup,
        cpu,
    })
}

/// The lines of a softirq of these steps, and how long its wakings take by what is shown of them.
fn softirq(steps: &[(Step, u32)], shown: Shown) -> (String, u32, u32) {
    let (mut text, mut at_us, mut wakings_us) = (String::new(), 0, 0);
    let mut line = |at_us: u32, event: &str| {
        let flags = if shown.has_flags { " ..s1." } else { "" };
        writeln!(text, "<idle>-0 [{}]{flags} 1.{at_us:06}: {event}", shown.cpu).unwrap();
    };
    line(at_us, "softirq_entry: vec=1 [action=TIMER]");
    for (step, us) in steps {
        at_us += 2;
        match step {
            Step::Wakes(pid) => {
                let task = format!("comm=w pid={pid} prio=120 target_cpu=000");
                if shown.has_waking {
                    line(at_us, &format!("sched_waking: {task}"));
                }
                at_us += us;
                if shown.has_wakeup {
                    line(at_us, &format!("sched_wakeup: {task}"));
                }
                if shown.has_waking && shown.has_wakeup {
                    wakings_us += us;
                }
            }
            Step::Frees => line(at_us, "sched_process_free: comm=gone pid=7 prio=120"),
            Step::Queues => line(at_us, "workqueue_queue_work: work struct=00000000000000aa function=f"),
        }
    }
    at_us += 2;
    line(at_us, "softirq_exit: vec=1 [action=TIMER]");
    (text, at_us, wakings_us)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// If waking tasks took half of the time or more, the headline gives the sum; otherwise it says what was done, and
    /// never that nothing is recorded.
    #[test]
    fn what_was_done_is_said(steps in proptest::collection::vec(a_step(), 1..6), shown in shown()) {
        let (text, whole_us, wakings_us) = softirq(&steps, shown);
        let said = headlines(&text, "softirq");
        prop_assert!(!said.contains("nothing recorded"), "{said}\n{text}");
        let time = crate::explain::words::time(i64::from(wakings_us) * 1_000);
        let is_most = wakings_us * 2 >= whole_us;
        prop_assert_eq!(said.contains(&format!(": {time} waking")), is_most, "{}\n{}", said, text);
        let woken = steps.iter().filter(|(step, _)| matches!(step, Step::Wakes(_))).count();
        if is_most && woken > 1 {
            prop_assert!(said.contains(&format!("{woken} tasks")), "{said}\n{text}");
        }
        // The sentence shows no raw event name for which it has words.
        for name in ["sched_waking", "sched_process_free", "workqueue_queue_work"] {
            prop_assert!(!said.contains(name), "{said}\n{text}");
        }
        let is_short = said.split_whitespace().count() <= 31;
        prop_assert!(is_short, "{said}");
    }

    /// Without any events inside, nothing is made up.
    #[test]
    fn nothing_is_made_up(shown in shown()) {
        let (text, ..) = softirq(&[], shown);
        prop_assert!(headlines(&text, "softirq").contains("nothing recorded in it says what it did"));
    }
}

/// A thread that runs softirqs sleeps for a lock, or is kept from the CPU; the states alone tell which.
#[test]
fn a_softirq_whose_thread_sleeps_waits_for_who_wakes_it() {
    let said = |state: &str, wakes: bool, boosts: bool| {
        let boost =
            "ktimers/1-34 [1] d.s33 1.000004: sched_pi_setprio: comm=owner pid=8 oldprio=120 newprio=98";
        let wake = "owner-8 [1] dN.3. 1.000050: sched_waking: comm=ktimers/1 pid=34 prio=98 target_cpu=001";
        headlines(
            &format!(
                "
                ktimers/1-34 [1] ..s.2 1.000000: softirq_entry: vec=8 [action=HRTIMER]
                ktimers/1-34 [1] ..s.3 1.000002: hrtimer_expire_entry: hrtimer=00000000000000aa function=posix_timer_fn now=1
                {}
                ktimers/1-34 [1] d.s23 1.000010: sched_switch: prev_comm=ktimers/1 prev_pid=34 prev_prio=98 prev_state={state} ==> next_comm=r next_pid=9 next_prio=98
                r-9 [1] d..2. 1.000020: sched_switch: prev_comm=r prev_pid=9 prev_prio=98 prev_state=S ==> next_comm=owner next_pid=8 next_prio=98
                {}
                owner-8 [1] d..2. 1.000060: sched_switch: prev_comm=owner prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=ktimers/1 next_pid=34 next_prio=98
                ktimers/1-34 [1] ..s.3 1.000064: hrtimer_expire_exit: hrtimer=00000000000000aa
                ktimers/1-34 [1] ..s.2 1.000066: softirq_exit: vec=8 [action=HRTIMER]
                ",
                if boosts { boost } else { "" },
                if wakes { wake } else { "" },
            ),
            "softirq",
        )
    };
    for state in ["D", "S", "D|K"] {
        let slept = said(state, true, false);
        assert!(slept.contains("its thread slept 40 µs until owner-8"), "{slept}");
        let boosted = said(state, true, true);
        assert!(boosted.contains("until owner-8 (nice 0, boosted to rt 1) woke it"), "{boosted}");
    }
    for (state, wakes) in [("R", false), ("R+", false), ("R+", true)] {
        let preempted = said(state, wakes, false);
        assert!(!preempted.contains("slept") && preempted.contains("behind"), "{preempted}");
    }
}

/// `s` waits for a message; softirq NET_RX wakes it, which `raiser` raised on CPU 1 with these flags.
fn woken_by_a_softirq(raiser: &str, flags: &str) -> String {
    headlines(
        &format!(
            "
            s-7 [0] ..... 1.000000: sys_enter: NR 0 (3, 1, 1, 1, 1, 1)
            s-7 [0] d..2. 1.000010: sched_switch: prev_comm=s prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            {raiser} [1] {flags}1. 1.000600: softirq_raise: vec=3 [action=NET_RX]
            {raiser} [1] ..s1. 1.000604: softirq_entry: vec=3 [action=NET_RX]
            {raiser} [1] d.s2. 1.000610: sched_waking: comm=s pid=7 prio=120 target_cpu=000
            {raiser} [1] ..s1. 1.000616: softirq_exit: vec=3 [action=NET_RX]
            <idle>-0 [0] d..2. 1.000620: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=s next_pid=7 next_prio=120
            s-7 [0] ..... 1.000630: sys_exit: NR 0 = 1
            "
        ),
        "syscall",
    )
}

#[test]
fn a_task_that_raised_the_softirq_which_woke_a_sleeper_is_named() {
    let until = |who: &str| format!("it slept 600 µs until softirq NET_RX{who} woke it\n");
    for (raiser, flags, who) in
        [("sshd-9", "d..", ", raised by sshd-9,"), ("sshd-9", "d.h", ""), ("<idle>-0", "d..", "")]
    {
        let said = woken_by_a_softirq(raiser, flags);
        assert!(said.ends_with(&until(who)), "{raiser} {flags}: {said}");
    }
}

#[test]
fn an_interrupt_that_its_handler_did_not_take_says_so() {
    let took = |ret: &str| {
        headlines(
            &format!(
                "a-5 [1] d.h1. 1.000000: irq_handler_entry: irq=4 name=ttyS0\na-5 [1] d.h1. 1.000002: irq_handler_exit: irq=4 ret={ret}"
            ),
            "irq",
        )
    };
    assert!(
        took("unhandled").ends_with("took 2.0 µs: its handler found nothing to do\n"),
        "{}",
        took("unhandled")
    );
    assert!(
        took("handled").ends_with("took 2.0 µs: nothing recorded in it says what it did\n"),
        "{}",
        took("handled")
    );
}

/// A softirq whose only deed lies so long after its beginning, and so long before its end.
#[test]
fn two_steps_that_took_most_together_are_both_told() {
    let told = |before_us: u32, after_us: u32| {
        headlines(
            &format!(
                "
                <idle>-0 [0] ..s1. 1.000000: softirq_entry: vec=9 [action=RCU]
                <idle>-0 [0] ..s1. 1.{before_us:06}: sched_process_free: comm=head pid=209 prio=120
                <idle>-0 [0] ..s1. 1.{:06}: softirq_exit: vec=9 [action=RCU]
                ",
                before_us + after_us
            ),
            "softirq",
        )
    };
    let said = told(32, 30);
    assert!(said.ends_with("32 µs of it before freeing an ended task, and 30 µs after it\n"), "{said}");
    let said = told(32, 9);
    assert!(said.ends_with("32 µs of it before freeing an ended task\n"), "{said}");
}

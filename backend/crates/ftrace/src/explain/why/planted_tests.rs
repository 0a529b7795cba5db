//! Recordings with one planted cause each, in many variants: the chain must name it, whom it is about and from when to
//! when, and must not name it where it is not.

use std::fmt::Write;

use super::Mechanism;
use crate::testing::explain::explain_file;

const VARIANTS: u64 = 100;

/// Numbers that differ from variant to variant, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, from: u64, to: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (self.0 >> 33) % (to - from + 1)
    }
}

/// A recording that is written line by line, in microseconds.
struct Trace {
    lines: Vec<(u64, String)>,
}

/// What is planted: how long, by whom.
struct Planted {
    text: String,
    mechanism: Mechanism,
    subject: String,
    from_us: u64,
    to_us: u64,
}

impl Trace {
    fn new() -> Self {
        Self { lines: Vec::new() }
    }

    fn at(&mut self, t_us: u64, who: &str, cpu: u8, flags: &str, event: &str) {
        let line = format!("{who} [{cpu:03}] {flags} 1.{t_us:06}: {event}");
        self.lines.push((t_us, line));
    }

    fn switch(&mut self, t_us: u64, cpu: u8, prev: (&str, i32), state: &str, next: (&str, i32)) {
        let name =
            |task: &str| task.rsplit_once('-').map(|(comm, pid)| (comm.to_owned(), pid.to_owned())).unwrap();
        let ((prev_comm, prev_pid), (next_comm, next_pid)) = (name(prev.0), name(next.0));
        let (prev_prio, next_prio) = (prev.1, next.1);
        self.at(t_us, prev.0, cpu, "d..2.", &format!(
            "sched_switch: prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} prev_state={state} ==> next_comm={next_comm} next_pid={next_pid} next_prio={next_prio}"
        ));
    }

    /// The ordinary life of another CPU: a task runs and sleeps there, ticks come.
    fn surroundings(&mut self, dice: &mut Dice, until_us: u64) {
        let mut t_us = 3;
        while t_us < until_us {
            self.switch(t_us, 0, ("swapper/0-0", 120), "R", ("bash-70", 120));
            self.at(t_us + 20, "bash-70", 0, "d.h1.", "local_timer_entry: vector=236");
            self.at(t_us + 24, "bash-70", 0, "d.h1.", "local_timer_exit: vector=236");
            self.switch(t_us + 40 + dice.roll(0, 50), 0, ("bash-70", 120), "S", ("swapper/0-0", 120));
            t_us += dice.roll(150, 300);
        }
    }

    fn arm(&mut self, t_us: u64, who: &str, cpu: u8, expires_us: u64) {
        self.at(t_us, who, cpu, "d..1.", &format!(
            "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={}000 softexpires={}000 mode=ABS",
            expires_us, expires_us
        ));
    }

    /// The timer's interrupt on CPU 1, which wakes rt-9 with `flags` from then on.
    fn fire(&mut self, t_us: u64, who: &str) {
        self.at(t_us, who, 1, "d.h1.", "local_timer_entry: vector=236");
        self.at(
            t_us + 2,
            who,
            1,
            "d.h1.",
            &format!(
                "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={}000",
                t_us + 1
            ),
        );
        self.at(t_us + 3, who, 1, "d.h2.", "sched_waking: comm=rt pid=9 prio=19 target_cpu=001");
        self.at(t_us + 5, who, 1, "dNh3.", "sched_wakeup: comm=rt pid=9 prio=19 target_cpu=001");
        self.at(t_us + 6, who, 1, "dNh1.", "hrtimer_expire_exit: hrtimer=00000000000000aa");
        self.at(t_us + 8, who, 1, "dNh1.", "local_timer_exit: vector=236");
    }

    fn text(mut self) -> String {
        self.lines.sort_by_key(|(t_us, _)| *t_us);
        let mut text = "# tracer: nop\n#\n".to_owned();
        for (_, line) in &self.lines {
            writeln!(text, "{line}").unwrap();
        }
        text
    }
}

/// Start times in the texts are relative to the first record, which is at 3 µs.
const FIRST_US: u64 = 3;

/// The beginning of all: rt-9 armed its timer and sleeps, and `runner` has CPU 1.
fn asleep(dice: &mut Dice, runner: (&str, i32)) -> (Trace, u64) {
    let mut trace = Trace::new();
    let expiry_us = dice.roll(1_000, 1_500);
    trace.surroundings(dice, expiry_us + 4_000);
    trace.arm(100, "rt-9", 1, expiry_us);
    trace.switch(110, 1, ("rt-9", 19), "S", runner);
    (trace, expiry_us)
}

fn irqs_off(dice: &mut Dice, length_us: u64) -> Planted {
    let runner = ("kworker/1:2-33", 120);
    let (mut trace, expiry_us) = asleep(dice, runner);
    trace.fire(expiry_us + length_us, runner.0);
    trace.switch(expiry_us + length_us + 12, 1, (runner.0, runner.1), "R+", ("rt-9", 19));
    let (from_us, to_us) = (expiry_us, expiry_us + length_us);
    Planted {
        text: trace.text(),
        mechanism: Mechanism::IrqsOff,
        subject: runner.0.to_owned(),
        from_us,
        to_us,
    }
}

fn recorded_section(dice: &mut Dice, length_us: u64) -> Planted {
    let runner = ("sh-33", 120);
    let (mut trace, expiry_us) = asleep(dice, runner);
    let to_us = expiry_us + length_us;
    trace.at(
        expiry_us - dice.roll(1, 400),
        runner.0,
        1,
        "d..1.",
        "irq_disable: caller=f+0x1/0x2 parent=g+0x1/0x2",
    );
    trace.at(to_us, runner.0, 1, "d..1.", "irq_enable: caller=f+0x9/0x2 parent=g+0x1/0x2");
    trace.fire(to_us, runner.0);
    trace.switch(to_us + 12, 1, runner, "R+", ("rt-9", 19));
    Planted {
        text: trace.text(),
        mechanism: Mechanism::IrqsOff,
        subject: runner.0.to_owned(),
        from_us: expiry_us,
        to_us,
    }
}

fn idle_exit(dice: &mut Dice, length_us: u64) -> Planted {
    let idle = ("swapper/1-0", 120);
    let (mut trace, expiry_us) = asleep(dice, idle);
    trace.at(112, "swapper/1-0", 1, "d..1.", "cpu_idle: state=3 cpu_id=1");
    let to_us = expiry_us + length_us;
    trace.fire(to_us, "swapper/1-0");
    trace.at(to_us + 10, "swapper/1-0", 1, "dN.1.", "cpu_idle: state=4294967295 cpu_id=1");
    trace.switch(to_us + 12, 1, idle, "R", ("rt-9", 19));
    Planted {
        text: trace.text(),
        mechanism: Mechanism::IdleExit,
        subject: "CPU 1".to_owned(),
        from_us: expiry_us,
        to_us,
    }
}

fn armed_late(dice: &mut Dice, length_us: u64) -> Planted {
    let mut trace = Trace::new();
    let expiry_us = dice.roll(1_000, 1_500);
    trace.surroundings(dice, expiry_us + 4_000);
    let armed_us = expiry_us + length_us;
    trace.arm(armed_us, "rt-9", 1, expiry_us);
    trace.switch(armed_us + 2, 1, ("rt-9", 19), "S", ("sh-33", 120));
    trace.fire(armed_us + 4, "sh-33");
    trace.switch(armed_us + 16, 1, ("sh-33", 120), "R+", ("rt-9", 19));
    Planted {
        text: trace.text(),
        mechanism: Mechanism::ArmedLate,
        subject: "rt-9".to_owned(),
        from_us: expiry_us,
        to_us: armed_us,
    }
}

fn other_interrupt(dice: &mut Dice, length_us: u64) -> Planted {
    let runner = ("sh-33", 120);
    let (mut trace, expiry_us) = asleep(dice, runner);
    let to_us = expiry_us + length_us;
    trace.at(expiry_us - dice.roll(1, 20), runner.0, 1, "d.h1.", "irq_handler_entry: irq=24 name=eth0");
    let mut t_us = expiry_us + 5;
    while t_us < to_us {
        trace.at(t_us, runner.0, 1, "d.h1.", "softirq_raise: vec=3 [action=NET_RX]");
        t_us += dice.roll(5, 18);
    }
    trace.at(to_us, runner.0, 1, "d.h1.", "irq_handler_exit: irq=24 ret=handled");
    trace.fire(to_us, runner.0);
    trace.switch(to_us + 12, 1, runner, "R+", ("rt-9", 19));
    let subject = "eth0 [24]".to_owned();
    Planted { text: trace.text(), mechanism: Mechanism::OtherInterrupt, subject, from_us: expiry_us, to_us }
}

fn stall(dice: &mut Dice, length_us: u64) -> Planted {
    let runner = ("sh-33", 120);
    let (mut trace, expiry_us) = asleep(dice, runner);
    // Ticks before it, in which nothing stood still.
    for tick in 1..8 {
        trace.at(112 + tick * 100, runner.0, 1, "d.h1.", "local_timer_entry: vector=236");
        trace.at(114 + tick * 100, runner.0, 1, "d.h1.", "hrtimer_expire_exit: hrtimer=00000000000000bb");
        trace.at(116 + tick * 100, runner.0, 1, "d.h1.", "local_timer_exit: vector=236");
    }
    let from_us = expiry_us + 8;
    trace.fire(expiry_us + 2, runner.0);
    let exit = trace.lines.pop().unwrap();
    let to_us = from_us + length_us;
    trace.lines.push((to_us, exit.1.replace(&format!("1.{:06}", exit.0), &format!("1.{to_us:06}"))));
    trace.switch(to_us + 4, 1, runner, "R+", ("rt-9", 19));
    Planted { text: trace.text(), mechanism: Mechanism::Stall, subject: "CPU 1".to_owned(), from_us, to_us }
}

fn behind(dice: &mut Dice, length_us: u64, prio: i32, mechanism: Mechanism) -> Planted {
    let runner = ("hog-33", prio);
    let (mut trace, expiry_us) = asleep(dice, runner);
    let flags = if prio < 20 { "d.h" } else { "dNh" };
    trace.fire(expiry_us + 2, runner.0);
    for (_, line) in trace.lines.iter_mut().rev().take(3) {
        *line = line.replace("dNh", flags);
    }
    let (from_us, to_us) = (expiry_us + 10, expiry_us + 10 + length_us);
    let state = if prio < 20 { "S" } else { "R+" };
    trace.switch(to_us, 1, runner, state, ("rt-9", 19));
    Planted { text: trace.text(), mechanism, subject: runner.0.to_owned(), from_us, to_us }
}

fn throttled(dice: &mut Dice, length_us: u64) -> Planted {
    let runner = ("hog-33", 19);
    let (mut trace, expiry_us) = asleep(dice, runner);
    trace.fire(expiry_us + 2, runner.0);
    let from_us = expiry_us + 14;
    trace.switch(from_us, 1, runner, "S", ("sh-34", 120));
    let to_us = from_us + length_us;
    trace.switch(to_us, 1, ("sh-34", 120), "R+", ("rt-9", 19));
    Planted {
        text: trace.text(),
        mechanism: Mechanism::Throttled,
        subject: "sh-34".to_owned(),
        from_us,
        to_us,
    }
}

fn deferred(dice: &mut Dice, length_us: u64) -> Planted {
    let (hog, carrier) = (("hog-33", 49), ("ksoftirqd/1-29", 120));
    let (mut trace, expiry_us) = asleep(dice, hog);
    let t_us = expiry_us + 2;
    trace.at(t_us, hog.0, 1, "d.h1.", "local_timer_entry: vector=236");
    trace.at(t_us + 2, hog.0, 1, "d.h1.", "softirq_raise: vec=8 [action=HRTIMER]");
    trace.at(t_us + 4, hog.0, 1, "d.h1.", "local_timer_exit: vector=236");
    trace.at(t_us + 5, hog.0, 1, "d..2.", "sched_waking: comm=ksoftirqd/1 pid=29 prio=120 target_cpu=001");
    trace.at(t_us + 6, hog.0, 1, "d..3.", "sched_wakeup: comm=ksoftirqd/1 pid=29 prio=120 target_cpu=001");
    let to_us = t_us + 7 + length_us;
    trace.switch(to_us - 2, 1, hog, "S", carrier);
    trace.at(to_us, carrier.0, 1, "..s1.", "softirq_entry: vec=8 [action=HRTIMER]");
    trace.at(
        to_us + 1,
        carrier.0,
        1,
        "d.s1.",
        &format!(
            "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={}000",
            to_us + 1
        ),
    );
    trace.at(to_us + 2, carrier.0, 1, "d.s2.", "sched_waking: comm=rt pid=9 prio=19 target_cpu=001");
    trace.at(to_us + 3, carrier.0, 1, "dNs3.", "sched_wakeup: comm=rt pid=9 prio=19 target_cpu=001");
    trace.at(to_us + 4, carrier.0, 1, ".Ns1.", "softirq_exit: vec=8 [action=HRTIMER]");
    trace.switch(to_us + 6, 1, carrier, "R+", ("rt-9", 19));
    let subject = carrier.0.to_owned();
    Planted { text: trace.text(), mechanism: Mechanism::Deferred, subject, from_us: t_us + 2, to_us }
}

/// Checks that most of every planted stretch, and more than half of the case, is explained as planted, in the chain
/// and in the sentence.
fn check(make: impl Fn(&mut Dice, u64) -> Planted) {
    for variant in 0..VARIANTS {
        let mut dice = Dice(variant + 1);
        let length_us = dice.roll(60, 2_000);
        let planted = make(&mut dice, length_us);
        let mut cases = 0;
        explain_file(&planted.text, "cyclic", |case, explanation, around| {
            cases += 1;
            let is_planted = |link: &&super::Link<'_>| {
                link.mechanism == planted.mechanism
                    && link.subject.is_some_and(|subject| subject.name(around) == planted.subject)
            };
            let found: Vec<_> = explanation.why.iter().filter(is_planted).collect();
            let to_ns = |t_us: u64| i64::try_from((t_us - FIRST_US) * 1_000).unwrap();
            let context = || {
                let links = explanation.why.iter().map(|link| {
                    format!(
                        "{} {} {} {}\n",
                        link.start_ns,
                        link.duration_ns(),
                        link.mechanism.name(),
                        link.sentence
                    )
                });
                format!(
                    "variant {variant}\n{}{}{}",
                    explanation.headline,
                    links.collect::<String>(),
                    planted.text
                )
            };
            let longest = found.iter().max_by_key(|link| link.duration_ns());
            let first_ns = longest.unwrap_or_else(|| panic!("{}", context())).start_ns;
            let last_ns = longest.unwrap().end_ns;
            let is_near = |a: i64, b: i64| (a - b).abs() <= 8_000;
            assert!(is_near(first_ns, to_ns(planted.from_us)), "{}", context());
            assert!(is_near(last_ns, to_ns(planted.to_us)), "{}", context());
            let name = planted.subject.replace("CPU 1", "CPU 1 ");
            assert!(explanation.headline.contains(name.trim_end()), "{}", context());
            let words = explanation.headline.split_whitespace().count();
            assert!(words <= 30 + 5, "{words} words: {}", explanation.headline);
            assert!(case.duration_ns > 0);
        });
        assert_eq!(cases, 1, "variant {variant}:\n{}", planted.text);
    }
}

#[test]
fn interrupts_off_keep_a_timer_waiting() {
    check(irqs_off);
    check(recorded_section);
}

#[test]
fn an_idle_cpu_takes_its_time() {
    check(idle_exit);
}

#[test]
fn a_timer_is_started_when_it_has_expired() {
    check(armed_late);
}

#[test]
fn another_interrupt_runs_over_the_expiry() {
    check(other_interrupt);
}

#[test]
fn a_cpu_stands_still_inside_an_interrupt() {
    check(stall);
}

#[test]
fn a_task_waits_behind_one_of_every_priority() {
    check(|dice, length_us| behind(dice, length_us, 9, Mechanism::HigherPriority));
    check(|dice, length_us| behind(dice, length_us, 19, Mechanism::EqualPriority));
    check(|dice, length_us| behind(dice, length_us, 120, Mechanism::NotPreemptible));
}

#[test]
fn a_task_that_is_passed_over_is_throttled() {
    check(throttled);
}

#[test]
fn a_softirq_waits_for_its_carrier() {
    check(deferred);
}

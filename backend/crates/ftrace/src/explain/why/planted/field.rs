//! A recording that grows from cause to cause: who has the CPU, what time it is, and what was planted so far.

use super::pairs::Cause;
use super::{Dice, Mechanism, Trace, Who};

const SLEEP: &str = "NR 230";

/// What is planted: why, by whom, from when to when.
pub struct Sown {
    pub cause: Cause,
    pub mechanism: Mechanism,
    pub subject: Option<String>,
    pub from_us: u64,
    pub to_us: u64,
}

impl Sown {
    pub fn length_us(&self) -> u64 {
        self.to_us - self.from_us
    }
}

pub struct Field<'d> {
    pub trace: Trace,
    pub sown: Vec<Sown>,
    dice: &'d mut Dice,
    sleeper: Who,
    runner: Who,
    now_us: u64,
    /// The CPU that the sleeper waits for.
    cpu: u8,
    /// Flags of the runner's CPU that is to switch.
    asked: &'static str,
}

/// What comes to pass at a stage, and how long it takes.
type Planned = Option<(Cause, u64)>;

impl<'d> Field<'d> {
    /// A sleeper, and the task that has its CPU in the meantime.
    pub fn new(mut trace: Trace, dice: &'d mut Dice, causes: [(Cause, u64); 2]) -> Self {
        let of = |wanted: Cause| causes.iter().any(|(cause, _)| *cause == wanted);
        let is_idle = of(Cause::IdleExit) || of(Cause::Notice) || of(Cause::StallOut);
        let runner = match () {
            () if is_idle => Who::idle(trace.cpu),
            () if of(Cause::Silence) || of(Cause::Ipi) => Who::new("kworker/u8:2", 33, 120),
            () => Trace::any_user(dice, 33),
        };
        let (now_us, cpu) = (dice.roll(1_000, 1_500), trace.cpu);
        let is_alone = of(Cause::Elsewhere) || causes.iter().any(|(cause, _)| cause.is_remote());
        if !is_alone {
            trace.life(dice, now_us + 6_000);
        }
        let sleeper = Who::new(dice.one_of(&["rt", "rt loop 1", "cyclictest"]), 9, 19);
        Self { trace, sown: Vec::new(), dice, sleeper, runner, now_us, cpu, asked: "dN.1." }
    }

    fn sow(&mut self, cause: Cause, mechanism: Mechanism, subject: Option<String>, length_us: u64) {
        let (from_us, to_us) = (self.now_us, self.now_us + length_us);
        self.sown.push(Sown { cause, mechanism, subject, from_us, to_us });
        self.now_us = to_us;
    }

    fn is_idle(&self) -> bool {
        self.runner.pid == 0
    }

    fn at(&mut self, t_us: u64, flags: &str, event: &str) {
        self.trace.at(t_us, &self.runner, self.cpu, flags, event);
    }

    fn switch(&mut self, state: &str, next: Who) {
        let state = if self.is_idle() { "R" } else { state };
        let runner = std::mem::replace(&mut self.runner, next);
        self.trace.switch(self.now_us, self.cpu, &runner, state, &self.runner);
    }

    fn goes_idle(&mut self, t_us: u64) {
        if self.is_idle() {
            self.at(t_us, "d..1.", &format!("cpu_idle: state=3 cpu_id={}", self.cpu));
        }
    }

    fn leaves_idle(&mut self, t_us: u64) {
        if self.is_idle() {
            self.at(t_us, "dN.1.", &format!("cpu_idle: state=4294967295 cpu_id={}", self.cpu));
        }
    }

    /// Up to the expiry: the sleeper arms its timer and sleeps, unless it does so too late.
    pub fn sleep(&mut self, armed_late: Option<u64>) {
        let (cpu, expiry_us) = (self.cpu, self.now_us);
        self.trace.at(90, &self.sleeper, cpu, ".....", &format!("sys_enter: {SLEEP} (1, 1, 1, 1, 1, 1)"));
        let armed_us = armed_late.map_or(100, |us| expiry_us + us);
        self.trace.arm(armed_us, &self.sleeper, expiry_us);
        self.trace.switch(armed_us + 2, cpu, &self.sleeper, "S", &self.runner);
        if armed_late.is_none() {
            self.goes_idle(103);
        }
        let before = if armed_late.is_some() { &self.sleeper } else { &self.runner };
        for tick in 1..8 {
            let t_us = 112 + tick * 100;
            self.trace.at(t_us, before, cpu, "d.h1.", "local_timer_entry: vector=236");
            self.trace.at(t_us + 2, before, cpu, "d.h1.", "hrtimer_expire_exit: hrtimer=00000000000000bb");
            self.trace.at(t_us + 4, before, cpu, "d.h1.", "local_timer_exit: vector=236");
        }
    }

    /// From the expiry to the interrupt.
    pub fn come_late(&mut self, planned: Planned) {
        let Some((cause, length_us)) = planned else { return };
        let (from_us, to_us) = (self.now_us - self.dice.roll(2, 20), self.now_us + length_us);
        let runner = self.runner.name();
        match cause {
            Cause::ArmedLate => {
                self.sow(cause, Mechanism::ArmedLate, Some(self.sleeper.name()), length_us);
                self.now_us += 4;
            }
            Cause::Section => {
                let site = "caller=f+0x1/0x2 parent=g+0x1/0x2";
                self.at(from_us, "d..1.", &format!("irq_disable: {site}"));
                self.at(to_us, "d..1.", &format!("irq_enable: {site}"));
                self.sow(cause, Mechanism::IrqsOff, Some(runner), length_us);
            }
            Cause::IdleExit => {
                self.sow(cause, Mechanism::IdleExit, Some(format!("CPU {}", self.cpu)), length_us);
            }
            Cause::OtherInterrupt => self.device(cause, "d.h1.", (from_us, length_us)),
            _ => self.sow(cause, Mechanism::IrqsOff, Some(runner), length_us),
        }
    }

    /// The interrupt of a device, from a time on and up to a length from now.
    fn device(&mut self, cause: Cause, flags: &str, (from_us, length_us): (u64, u64)) {
        let to_us = self.now_us + length_us;
        self.at(from_us, flags, "irq_handler_entry: irq=24 name=eth0");
        let mut t_us = from_us + 1;
        while t_us < to_us {
            self.at(t_us, flags, "softirq_raise: vec=3 [action=NET_RX]");
            t_us += self.dice.roll(5, 18);
        }
        self.at(to_us, flags, "irq_handler_exit: irq=24 ret=handled");
        self.sow(cause, Mechanism::OtherInterrupt, Some("eth0 [24]".to_owned()), length_us);
    }

    /// From the interrupt to the waking.
    pub fn handle(&mut self, planned: Planned) {
        self.now_us += 1;
        self.at(self.now_us, "d.h1.", "local_timer_entry: vector=236");
        self.now_us += 1;
        match planned {
            Some((Cause::Deferred, length_us)) => self.hand_on(length_us),
            Some((cause, length_us)) => {
                self.expire();
                let (mut t_us, to_us) = (self.now_us + 2, self.now_us + length_us);
                while t_us + 3 < to_us {
                    self.at(t_us, "d.h1.", "print: busy");
                    t_us += self.dice.roll(3, 12);
                }
                self.sow(cause, Mechanism::Handler, Some("local_timer".to_owned()), length_us);
            }
            None => self.expire(),
        }
        self.now_us += 1;
    }

    fn expire(&mut self) {
        self.trace.expire(self.now_us, &self.runner, "d.h1.", "00000000000000aa", "hrtimer_wakeup");
    }

    /// To a softirq's thread, which waits behind another task.
    fn hand_on(&mut self, length_us: u64) {
        let prio = self.dice.one_of(&[120, 98]);
        let name = format!("{}/{}", self.dice.one_of(&["ksoftirqd", "ktimers"]), self.cpu);
        let (carrier, keeper) = (Who::new(&name, 29, prio), Who::new("carried 1", 36, 49));
        let (from_us, softirq) = (self.now_us, "vec=8 [action=HRTIMER]");
        self.at(from_us, "d.h1.", &format!("softirq_raise: {softirq}"));
        self.at(from_us + 1, "d.h1.", "local_timer_exit: vector=236");
        self.trace.wake(from_us + 2, (&self.runner, self.cpu), (&carrier, self.cpu), ["d..2.", "d..3."]);
        self.now_us = from_us + 4;
        self.switch("R", keeper);
        self.now_us = from_us;
        self.sow(Cause::Deferred, Mechanism::Deferred, Some(carrier.name()), length_us);
        self.switch("S", carrier);
        self.now_us += 1;
        self.at(self.now_us, "..s1.", &format!("softirq_entry: {softirq}"));
        self.trace.expire(self.now_us, &self.runner, "d.s1.", "00000000000000aa", "hrtimer_wakeup");
    }

    /// From the waking to the end of the interrupt or softirq.
    pub fn wake(&mut self, stall: Planned) {
        let is_deferred = self.sown.iter().any(|sown| sown.cause == Cause::Deferred);
        let keeps = if is_deferred { ["d.s2.", "dNs3."] } else { ["d.h2.", "dNh3."] };
        let cpu = self.cpu;
        self.trace.wake(self.now_us, (&self.runner, cpu), (&self.sleeper, cpu), keeps);
        self.now_us += 1;
        if is_deferred {
            self.at(self.now_us, ".Ns1.", "softirq_exit: vec=8 [action=HRTIMER]");
            return;
        }
        self.at(self.now_us, "dNh1.", "hrtimer_expire_exit: hrtimer=00000000000000aa");
        if let Some((cause, length_us)) = stall {
            self.sow(cause, Mechanism::Stall, Some(format!("CPU {cpu}")), length_us);
        }
        self.now_us += 1;
        self.at(self.now_us, "dNh1.", "local_timer_exit: vector=236");
        self.leaves_idle(self.now_us + 1);
        self.now_us += 1;
    }

    /// From another CPU, up to the moment at which that of the sleeper takes notice, and what that one does then.
    pub fn wake_from_afar(&mut self, late: Planned, stall: Planned) {
        let (cpu, other) = (self.cpu, self.trace.other);
        let waker = Who::new("bystander", 44, 120);
        self.trace.switch(20, cpu, &self.sleeper, "S", &self.runner);
        self.goes_idle(22);
        self.trace.wake(self.now_us, (&waker, other), (&self.sleeper, cpu), ["d..2.", "d..3."]);
        match late {
            Some((Cause::Notice, us)) => {
                self.sow(Cause::Notice, Mechanism::IdleExit, Some(format!("CPU {cpu}")), us);
            }
            Some((cause, us)) => self.sow(cause, Mechanism::IrqsOff, Some(self.runner.name()), us),
            None => self.now_us += 2,
        }
        self.at(self.now_us, "dNh1.", "reschedule_entry: vector=253");
        self.at(self.now_us + 1, "dNh1.", "reschedule_exit: vector=253");
        self.leaves_idle(self.now_us + 2);
        self.now_us += 2;
        if let Some((cause, us)) = stall {
            self.sow(cause, Mechanism::Stall, Some(format!("CPU {cpu}")), us);
            self.asked = "dN.1.";
        }
    }

    /// What runs on the CPU that is to switch: a device's interrupt, or a softirq.
    pub fn interrupt(&mut self, planned: Planned) {
        let Some((cause, length_us)) = planned else { return };
        self.now_us += 1;
        match cause {
            Cause::Device => self.device(cause, "dNh1.", (self.now_us, length_us)),
            _ => {
                self.at(self.now_us, ".Ns1.", "softirq_entry: vec=3 [action=NET_RX]");
                self.at(self.now_us + length_us, ".Ns1.", "softirq_exit: vec=3 [action=NET_RX]");
                self.sow(cause, Mechanism::NotPreemptible, Some("NET_RX".to_owned()), length_us);
            }
        }
    }

    /// Until the sleeper is switched to.
    pub fn wait(&mut self, causes: &[(Cause, u64)]) {
        for (number, (cause, length_us)) in causes.iter().enumerate() {
            let (cause, pid) = (*cause, 40 + u32::try_from(number).unwrap());
            let (mechanism, next) = match cause {
                Cause::NotPreemptible => (Mechanism::NotPreemptible, None),
                Cause::Equal => (Mechanism::EqualPriority, Some(Who::new("peer", pid, self.sleeper.prio))),
                Cause::Throttled => (Mechanism::Throttled, Some(Who::new("sh 2", pid, 120))),
                Cause::Elsewhere => (Mechanism::HigherPriority, Some(Who::new("guard 3", pid, 9))),
                _ => (Mechanism::HigherPriority, Some(Who::new("hog", pid, 9))),
            };
            if cause == Cause::Elsewhere {
                self.move_away(number > 0);
            }
            if let Some(next) = next {
                self.now_us += 2;
                // Nothing but a task that leaves the queue makes room for one that is less important.
                let is_preempted = number == 0 && cause != Cause::Throttled;
                self.switch(if is_preempted { "R+" } else { "S" }, next);
            }
            self.sow(cause, mechanism, Some(self.runner.name()), *length_us);
        }
        self.now_us += 1;
        let is_preempted = causes.last().is_none_or(|(cause, _)| *cause == Cause::NotPreemptible);
        self.switch(if is_preempted { "R+" } else { "S" }, self.sleeper.clone());
    }

    /// To another CPU, on which a task of lower priority runs.
    fn move_away(&mut self, has_waited: bool) {
        let (from, to) = (self.cpu, self.trace.other);
        let stopper = Who::new(&format!("migration/{from}"), 18, 0);
        let mover = if has_waited { stopper } else { self.runner.clone() };
        let Who { comm, pid, prio } = &self.sleeper;
        let moved =
            format!("sched_migrate_task: comm={comm} pid={pid} prio={prio} orig_cpu={from} dest_cpu={to}");
        self.now_us += 1;
        self.trace.at(self.now_us, &mover, from, self.asked, &moved);
        let next = Who::new("guest", 47, 120);
        self.trace.switch(30, to, &Who::idle(to), "R", &next);
        (self.cpu, self.runner) = (to, next);
    }

    /// The task returns from its sleep to user space, after the time of `exit` in the kernel if one is planned.
    pub fn end(&mut self, exit: Planned) {
        if let Some((cause, length_us)) = exit {
            self.sow(cause, Mechanism::KernelExit, None, length_us);
        }
        self.now_us += 1;
        self.at(self.now_us, ".....", &format!("sys_exit: {SLEEP} = 0"));
    }
}

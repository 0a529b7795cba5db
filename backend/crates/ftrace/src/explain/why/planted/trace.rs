//! A recording that is written line by line, in surroundings that differ from variant to variant.

use std::fmt::Write;

/// Numbers that differ from variant to variant, the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(variant: u64) -> Self {
        Self(variant.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    /// A number from `from` to `to`, both included.
    pub fn roll(&mut self, from: u64, to: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (self.0 >> 33) % (to - from + 1)
    }

    /// True half of the time.
    pub fn toss(&mut self) -> bool {
        self.roll(0, 1) == 1
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.roll(0, choices.len() as u64 - 1)).unwrap()]
    }
}

/// How the flag column is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    None,
    Four,
    Five,
    /// A tree with lazy preemption in columns of its own.
    Seven,
}

/// A task: its name with blanks and digits, its pid, and the kernel's priority.
#[derive(Clone, Debug)]
pub struct Who {
    pub comm: String,
    pub pid: u32,
    pub prio: i32,
}

impl Who {
    pub fn new(comm: &str, pid: u32, prio: i32) -> Self {
        Self { comm: comm.to_owned(), pid, prio }
    }

    pub fn idle(cpu: u8) -> Self {
        Self::new(&format!("swapper/{cpu}"), 0, 120)
    }

    /// As the product names it.
    pub fn name(&self) -> String {
        format!("{}-{}", self.comm, self.pid)
    }

    /// As the kernel prints it at the beginning of a line, in columns.
    fn in_line(&self) -> String {
        let comm = if self.pid == 0 { "<idle>" } else { &self.comm };
        format!("{comm:>16}-{:<7}", self.pid)
    }
}

const USER_NAMES: [&str; 8] =
    ["sh", "Web Content", "7zip 2", "ThreadPoolForeg", "a-b-11", "my [task] 3", "x:y", "cc1plus"];

pub struct Trace {
    lines: Vec<(u64, usize, String)>,
    column: Column,
    seconds: u64,
    /// Events whose names begin so are not recorded.
    missing: Vec<&'static str>,
    /// The CPU of the case, and another one.
    pub cpu: u8,
    pub other: u8,
    cpus: u8,
}

impl Trace {
    /// `needs_flags` where nothing else shows the cause.
    pub fn new(dice: &mut Dice, needs_flags: bool) -> Self {
        let cpus = u8::try_from(dice.roll(2, 4)).unwrap();
        let cpu = u8::try_from(dice.roll(0, u64::from(cpus) - 1)).unwrap();
        let columns = [Column::Five, Column::Four, Column::Seven, Column::Five, Column::None];
        let column = dice.one_of(if needs_flags { &columns[..4] } else { &columns[..] });
        let (other, seconds) = ((cpu + 1) % cpus, dice.roll(1, 99_999));
        Self { lines: Vec::new(), column, seconds, missing: Vec::new(), cpu, other, cpus }
    }

    /// A kernel or a recording without some events, as the dice fall.
    pub fn may_miss(&mut self, dice: &mut Dice, events: &'static [&'static str]) {
        self.missing.extend(events.iter().filter(|_| dice.toss()));
    }

    /// A recording without some events.
    pub fn never(&mut self, events: &'static [&'static str]) {
        self.missing.extend(events);
    }

    /// A line of the recording; `event` is its name with its arguments, `flags` the five columns of the
    /// kernel's latency format. Nothing is written where the recording is to miss this event.
    pub fn at(&mut self, t_us: u64, who: &Who, cpu: u8, flags: &str, event: &str) {
        if self.missing.iter().any(|name| event.starts_with(name)) {
            return;
        }
        let flags = match (self.column, flags.as_bytes()) {
            (Column::None, _) => String::new(),
            (Column::Four, _) => format!(" {}", &flags[..4]),
            (Column::Seven, [irqs, resched, context, depth, migrate]) => {
                let (resched, lazy) = match resched {
                    b'l' => ('.', 'n'),
                    resched => (char::from(*resched), '.'),
                };
                let [irqs, context, depth, migrate] = [irqs, context, depth, migrate].map(|b| char::from(*b));
                format!(" {irqs}{resched}{lazy}{context}{depth}.{migrate}")
            }
            _ => format!(" {flags}"),
        };
        let seconds = self.seconds;
        let line = format!("{} [{cpu:03}]{flags} {seconds}.{t_us:06}: {event}", who.in_line());
        self.lines.push((t_us, self.lines.len(), line));
    }

    /// A switch on `cpu`, from `prev`, which is left in `state`, to `next`.
    pub fn switch(&mut self, t_us: u64, cpu: u8, prev: &Who, state: &str, next: &Who) {
        let event = format!(
            "sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={state} ==> next_comm={} next_pid={} next_prio={}",
            prev.comm, prev.pid, prev.prio, next.comm, next.pid, next.prio
        );
        self.at(t_us, prev, cpu, "d..2.", &event);
    }

    /// `waker` wakes a task on a CPU, in one go; `flags` from the wakeup on.
    pub fn wake(&mut self, t_us: u64, waker: (&Who, u8), wakee: (&Who, u8), flags: [&str; 2]) {
        let event = |name: &str| {
            let (who, cpu) = wakee;
            format!("{name}: comm={} pid={} prio={} target_cpu={cpu:03}", who.comm, who.pid, who.prio)
        };
        self.at(t_us, waker.0, waker.1, flags[0], &event("sched_waking"));
        self.at(t_us, waker.0, waker.1, flags[1], &event("sched_wakeup"));
    }

    /// The ordinary life of the other CPUs: a task runs and sleeps there, ticks come. They never idle for long.
    pub fn life(&mut self, dice: &mut Dice, until_us: u64) {
        let own = self.cpu;
        for cpu in (0..self.cpus).filter(|cpu| *cpu != own) {
            let (idle, shell) =
                (Who::idle(cpu), Who::new(dice.one_of(&USER_NAMES), 70 + u32::from(cpu), 120));
            let mut t_us = dice.roll(1, 40);
            while t_us < until_us {
                self.switch(t_us, cpu, &idle, "R", &shell);
                self.at(t_us + 6, &shell, cpu, "d.h1.", "local_timer_entry: vector=236");
                self.at(t_us + 9, &shell, cpu, "d.h1.", "local_timer_exit: vector=236");
                t_us += dice.roll(15, 150);
                self.switch(t_us, cpu, &shell, "S", &idle);
                t_us += dice.roll(1, 40);
            }
        }
    }

    /// Arms the timer of the case.
    pub fn arm(&mut self, t_us: u64, who: &Who, expires_us: u64) {
        let event = format!(
            "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={expires_us}000 softexpires={expires_us}000 mode=ABS"
        );
        self.at(t_us, who, self.cpu, "d..1.", &event);
    }

    /// The entry of a timer's handler; its clock reads the time of the line.
    pub fn expire(&mut self, t_us: u64, who: &Who, flags: &str, timer: &str, function: &str) {
        let event = format!("hrtimer_expire_entry: hrtimer={timer} function={function} now={t_us}000");
        self.at(t_us, who, self.cpu, flags, &event);
    }

    /// The timer's interrupt on the CPU of the case, which wakes a task with `resched` from then on; 8 µs.
    pub fn fire(&mut self, t_us: u64, who: &Who, wakee: &Who, resched: char) {
        let (cpu, after) = (self.cpu, format!("d{resched}h1."));
        self.fire_without_exit(t_us, who, wakee, resched);
        self.at(t_us + 8, who, cpu, &after, "local_timer_exit: vector=236");
    }

    /// The same up to the end of the timer's handler, which is the time that comes back.
    pub fn fire_without_exit(&mut self, t_us: u64, who: &Who, wakee: &Who, resched: char) -> u64 {
        let (cpu, after) = (self.cpu, format!("d{resched}h1."));
        self.at(t_us, who, cpu, "d.h1.", "local_timer_entry: vector=236");
        self.expire(t_us + 2, who, "d.h1.", "00000000000000aa", "hrtimer_wakeup");
        self.wake(t_us + 4, (who, cpu), (wakee, cpu), ["d.h2.", &format!("d{resched}h3.")]);
        self.at(t_us + 6, who, cpu, &after, "hrtimer_expire_exit: hrtimer=00000000000000aa");
        t_us + 6
    }

    /// A user-space task of ordinary priority with a name of any form.
    pub fn any_user(dice: &mut Dice, pid: u32) -> Who {
        Who::new(dice.one_of(&USER_NAMES), pid, 120)
    }

    /// The time of the first record, from which all times are counted, and the text.
    pub fn text(mut self) -> (u64, String) {
        self.lines.sort();
        let first_us = self.lines[0].0;
        let (count, cpus) = (self.lines.len(), self.cpus);
        let mut text = format!(
            "# tracer: nop\n#\n# entries-in-buffer/entries-written: {count}/{count}   #P:{cpus}\n#\n"
        );
        for (_, _, line) in &self.lines {
            writeln!(text, "{line}").unwrap();
        }
        (first_us, text)
    }
}

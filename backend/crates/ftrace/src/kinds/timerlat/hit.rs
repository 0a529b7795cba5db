//! What `rtla timerlat -a` prints about the hit that stopped it, for any hit.
//!
//! Source: tools/tracing/rtla/src/timerlat_aa.c, Linux 6.15. It reads the noise events between the
//! record of the timer's interrupt and that of the thread; so does this.

use crate::analyses::{Cause, SliceKind};
use crate::events::{Decoded, Noise, NoiseSource, TimerlatRecord};
use crate::explain::blame::blame;
use crate::explain::why::SLOWEST_WAY_NS;
use crate::explain::{Case, Leg, Part, Parts, Seen, Surroundings, words};
use crate::model::Flags;

/// A shorter way out of idle is not mentioned.
const IDLE_EXIT_MIN_NS: i64 = 10_000;
/// How long after its end a noise is recorded at most, and how far a stamp in microseconds is off.
const MAX_TOLD_LATE_NS: i64 = 100_000_000;
const STAMP_ROUNDING_NS: i64 = 1_000;

/// The numbers of a hit, in nanoseconds.
#[derive(Default)]
struct Hit {
    irq_latency_ns: i64,
    expected_ns: i64,
    /// How long the interrupt before took, and what of that lay after the expected expiry.
    previous_irq: Option<(i64, i64, String)>,
    handler: Option<Interval>,
    /// The CPU was idle, and no other interrupt was in the way.
    has_hit_idle: bool,
    /// The same, where the way out of idle took long.
    is_from_idle: bool,
    /// It came on top of a softirq.
    has_hit_softirq: bool,
    runner: Option<String>,
    blocking_ns: Option<i64>,
    nmis: Sum,
    irqs: Sum,
    softirqs: Sum,
    threads: Sum,
}

#[derive(Clone, Copy)]
struct Interval {
    start_ns: i64,
    duration_ns: i64,
}

/// What interfered, added up, and the longest of it.
#[derive(Default)]
struct Sum {
    total_ns: i64,
    longest: Option<(i64, String)>,
}

impl Sum {
    fn add(&mut self, name: String, duration_ns: i64) {
        self.total_ns = self.total_ns.saturating_add(duration_ns);
        if self.longest.as_ref().is_none_or(|(longest_ns, _)| *longest_ns < duration_ns) {
            self.longest = Some((duration_ns, name));
        }
    }
}

/// The records of one activation: the one that the case was measured by, and the one of its interrupt.
pub struct Records<'e, 'a> {
    pub own: &'e Seen<'a>,
    pub irq: Option<&'e Seen<'a>>,
}

impl<'e, 'a> Records<'e, 'a> {
    /// The records of the case's activation; `None` where its own is not among the events.
    pub fn of(case: &Case<'_>, around: &'e Surroundings<'e, 'a>) -> Option<Self> {
        let on_cpu = || around.events.iter().filter(|event| event.cpu == case.cpu);
        let context = case.key.unwrap_or_default();
        let is_it = |record: &TimerlatRecord<'_>| {
            record.latency_ns == case.duration_ns && record.context == context.as_bytes()
        };
        let mut at_end = on_cpu().rev().filter(|event| event.t_ns == case.end_ns());
        let own = at_end.find(|event| record_of(event).is_some_and(|record| is_it(&record)))?;
        let activation = record_of(own)?.activation;
        let irq = on_cpu().rev().filter(|event| event.seq <= own.seq).find(|event| {
            record_of(event).is_some_and(|record| record.context == b"irq" && record.activation == activation)
        });
        Some(Self { own, irq })
    }
}

/// How the interrupt was late, and what came between it and the thread, as the tracer's records state it.
pub fn parts(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
    let context = case.key.unwrap_or_default();
    let Some(Records { own: record, irq }) = Records::of(case, around) else { return Parts::default() };
    let Some((irq, irq_latency_ns)) = irq.and_then(|event| Some((event, record_of(event)?.latency_ns)))
    else {
        return Parts { items: total(case, context), ..Parts::default() };
    };
    let hit = Hit::read(case, around, irq, irq_latency_ns, record);
    let stack = around.stacks.iter().position(|stack| {
        stack.kind == "kernel" && stack.cpu.is_none_or(|cpu| cpu == case.cpu) && stack.t_ns >= irq.t_ns
    });
    Parts { items: hit.items(case, context), clause: hit.clause(case, context, around), stack }
}

fn record_of<'a>(event: &Seen<'a>) -> Option<TimerlatRecord<'a>> {
    match event.decoded() {
        Some(Decoded::Timerlat(record)) => Some(record),
        _ => None,
    }
}

/// The start of a noise from the trace's first record; the tracers state it on the clock `local`.
fn start_of(event: &Seen<'_>, noise: &Noise<'_>, around: &Surroundings<'_, '_>) -> i64 {
    let start_ns = noise.start_ns.saturating_sub(around.origin_ns());
    let late_ns = event.t_ns.saturating_sub(start_ns.saturating_add(noise.duration_ns));
    let fits = (-STAMP_ROUNDING_NS..=MAX_TOLD_LATE_NS).contains(&late_ns);
    if fits { start_ns } else { event.t_ns.saturating_sub(noise.duration_ns) }
}

/// The interrupt from its own events, where its noise is not recorded: tracing may have stopped in it.
fn recorded_handler(case: &Case<'_>, around: &Surroundings<'_, '_>, irq: &Seen<'_>) -> Option<Interval> {
    let interrupts = around.spans.iter().filter(|span| span.kind == SliceKind::Irq && span.cpu == case.cpu);
    let holding = interrupts.filter(|span| span.start_ns <= irq.t_ns && irq.t_ns <= span.end_ns);
    let innermost = holding.max_by_key(|span| span.start_ns)?;
    Some(Interval { start_ns: innermost.start_ns, duration_ns: innermost.duration_ns() })
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

impl Hit {
    fn read(
        case: &Case<'_>,
        around: &Surroundings<'_, '_>,
        irq: &Seen<'_>,
        irq_latency_ns: i64,
        record: &Seen<'_>,
    ) -> Self {
        let mut hit = Self {
            irq_latency_ns,
            expected_ns: irq.t_ns.saturating_sub(irq_latency_ns),
            has_hit_softirq: Flags(irq.flags.cast_unsigned()).has(Flags::SOFTIRQ),
            runner: around.task_name(irq.task_idx, irq.t_ns),
            ..Self::default()
        };
        for event in around.events.iter().filter(|event| event.cpu == case.cpu) {
            let Some(Decoded::Noise(noise)) = event.decoded() else { continue };
            let interval =
                Interval { start_ns: start_of(event, &noise, around), duration_ns: noise.duration_ns };
            if event.seq < irq.seq {
                hit.before(&noise, interval);
            } else if event.seq < record.seq || hit.is_handler(&noise, interval, irq) {
                let pid = |task_idx| around.task(task_idx).and_then(|task| task.pid);
                hit.after(&noise, interval, pid(event.task_idx) == pid(irq.task_idx));
            }
        }
        hit.handler = hit.handler.or_else(|| recorded_handler(case, around, irq));
        let delay_ns = hit.delay_ns().unwrap_or(0);
        hit.has_hit_idle = around.is_idle_task(irq.task_idx) && hit.previous_irq.is_none();
        hit.is_from_idle = hit.has_hit_idle && delay_ns > IDLE_EXIT_MIN_NS;
        hit
    }

    /// The interrupt in which the record of the interrupt lies is recorded after it, perhaps after that of
    /// the case, too.
    fn is_handler(&self, noise: &Noise<'_>, interval: Interval, irq: &Seen<'_>) -> bool {
        let is_around = interval.start_ns <= irq.t_ns.saturating_add(STAMP_ROUNDING_NS);
        self.handler.is_none() && is_around && matches!(noise.source, NoiseSource::Irq(_))
    }

    fn before(&mut self, noise: &Noise<'_>, interval: Interval) {
        let name = match noise.source {
            NoiseSource::Nmi => "an NMI".to_owned(),
            NoiseSource::Irq(name) => format!("interrupt {}", text(name)),
            _ => return,
        };
        let end_ns = interval.start_ns.saturating_add(interval.duration_ns);
        let over_ns = end_ns.saturating_sub(self.expected_ns);
        self.previous_irq = (over_ns > 0).then_some((interval.duration_ns, over_ns, name));
    }

    fn after(&mut self, noise: &Noise<'_>, interval: Interval, is_of_runner: bool) {
        let duration_ns = interval.duration_ns;
        match noise.source {
            NoiseSource::Irq(_) if self.handler.is_none() => self.handler = Some(interval),
            NoiseSource::Irq(name) => self.irqs.add(text(name), duration_ns),
            NoiseSource::Nmi => self.nmis.add("NMI".to_owned(), duration_ns),
            NoiseSource::Softirq(name) => self.softirqs.add(text(name), duration_ns),
            NoiseSource::Thread { .. } if is_of_runner && self.blocking_ns.is_none() => {
                self.blocking_ns = Some(duration_ns);
            }
            NoiseSource::Thread { comm, pid } => {
                self.threads.add(format!("{}-{pid}", text(comm)), duration_ns);
            }
            NoiseSource::Hardware => {}
        }
    }

    /// From the expected expiry to the beginning of the interrupt.
    fn delay_ns(&self) -> Option<i64> {
        self.handler.map(|handler| handler.start_ns.saturating_sub(self.expected_ns).max(0))
    }

    fn items(&self, case: &Case<'_>, context: &str) -> Vec<Part> {
        let mut items = Vec::new();
        let previous = self.previous_irq.as_ref();
        items.extend(previous.map(|(ns, ..)| Part::time("Previous IRQ interference, up to", *ns)));
        let delay =
            if self.is_from_idle { "IRQ handler delay (exit from idle)" } else { "IRQ handler delay" };
        items.extend(self.delay_ns().map(|ns| Part::time(delay, ns).of(case)));
        items.push(Part::time("IRQ latency", self.irq_latency_ns));
        // The largest of these is the `Max timerlat IRQ latency from idle`.
        items.extend(self.has_hit_idle.then(|| Part::time("IRQ latency from idle", self.irq_latency_ns)));
        let is_thread = context != "irq";
        let handler = self.handler.filter(|_| is_thread);
        items.extend(handler.map(|irq| Part::time("Timerlat IRQ duration", irq.duration_ns).of(case)));
        items.extend(self.runner.as_ref().map(|runner| match self.blocking_ns.filter(|_| is_thread) {
            Some(ns) => Part::time("Blocking thread", ns).of(case).named(runner),
            None => Part::text("Blocking thread", runner),
        }));
        let sums = [
            ("NMI interference", &self.nmis),
            ("IRQ interference", &self.irqs),
            ("Softirq interference", &self.softirqs),
            ("Thread interference", &self.threads),
        ];
        for (name, sum) in sums.into_iter().filter(|(_, sum)| is_thread && sum.total_ns > 0) {
            let part = Part::time(name, sum.total_ns).of(case);
            items.push(match &sum.longest {
                Some((_, longest)) => part.named(longest),
                None => part,
            });
        }
        items.extend(total(case, context));
        items
    }

    /// Why its interrupt came late. A task that ran does not keep a hard interrupt from coming: interrupts were off in
    /// it, or the CPU executed nothing.
    fn before_interrupt(&self, case: &Case<'_>, delay_ns: i64, around: &Surroundings<'_, '_>) -> String {
        let (time, cpu) = (words::time(delay_ns), case.cpu);
        if let Some((duration_ns, over_ns, name)) = &self.previous_irq
            && *over_ns >= delay_ns.saturating_sub(*over_ns)
        {
            let (over, whole) = (words::time(*over_ns), words::time(*duration_ns));
            return format!("{name}, {whole} long, went on for {over} after the expiry");
        }
        if let Some(meanwhile) = meanwhile(case, delay_ns, around) {
            return format!("{meanwhile} before its interrupt began, {time} after the expiry");
        }
        match &self.runner {
            _ if self.has_hit_idle => format!("CPU {cpu} was idle and took {time} to notice"),
            Some(runner) => format!("interrupts were off in {runner} for {time}, or CPU {cpu} stood still"),
            None => format!("its interrupt began {time} after the expiry, and no record says why"),
        }
    }

    /// Where only the tracer's records say anything about it: on which side of its interrupt most of it lies, and into
    /// what that interrupt came.
    fn by_records(&self, case: &Case<'_>, context: &str) -> String {
        let came = match &self.runner {
            _ if self.has_hit_softirq => "came into a softirq".to_owned(),
            _ if self.has_hit_idle => format!("came while CPU {} was idle", case.cpu),
            Some(runner) => format!("came while {runner} ran"),
            None => "came".to_owned(),
        };
        let behind_ns = case.duration_ns.saturating_sub(self.irq_latency_ns);
        let is_kept_away = self.irq_latency_ns >= SLOWEST_WAY_NS && !self.has_hit_idle;
        let kept_away = || format!("interrupts were off or CPU {} stood still; it {came}", case.cpu);
        let told = match context {
            "irq" if is_kept_away => return kept_away(),
            "irq" => format!("its interrupt {came}"),
            _ if behind_ns > self.irq_latency_ns => {
                format!("{} of it after its interrupt, which {came}", words::time(behind_ns))
            }
            _ => {
                let before = format!("{} of it before its interrupt", words::time(self.irq_latency_ns));
                if is_kept_away {
                    return format!("{before}: {}", kept_away());
                }
                format!("{before}, which {came}")
            }
        };
        format!("{told}, and no record says why")
    }

    fn clause(&self, case: &Case<'_>, context: &str, around: &Surroundings<'_, '_>) -> Option<String> {
        let share = |ns: i64| words::share(ns, case.duration_ns);
        let Some(handler) = self.handler else { return Some(self.by_records(case, context)) };
        let delay_ns = self.delay_ns()?;
        let mut causes = vec![(delay_ns, self.before_interrupt(case, delay_ns, around))];
        if context == "irq" {
            let inside_ns = self.irq_latency_ns.saturating_sub(delay_ns);
            causes.push((inside_ns, format!("{} from interrupt entry to timer handler", share(inside_ns))));
        } else {
            let ran = |what: &str, ns: i64| (ns, format!("{what} for {}", share(ns)));
            let interference = |what: &str, sum: &Sum| {
                let longest = sum.longest.as_ref().filter(|(ns, _)| *ns < sum.total_ns);
                let longest = longest.map(|(_, name)| format!(", {name} longest"));
                (
                    sum.total_ns,
                    format!("{what} ran for {}{}", share(sum.total_ns), longest.unwrap_or_default()),
                )
            };
            let runner = self.runner.as_deref().unwrap_or("a thread");
            causes.push(ran("the timer's interrupt ran", handler.duration_ns));
            causes.push(ran(&format!("{runner} kept the CPU"), self.blocking_ns.unwrap_or(0)));
            causes.push(ran("NMIs ran", self.nmis.total_ns));
            causes.push(interference("interrupts", &self.irqs));
            causes.push(interference("softirqs", &self.softirqs));
            causes.push(interference("other threads", &self.threads));
        }
        let sum_ns = causes.iter().fold(0_i64, |sum, (ns, _)| sum.saturating_add(*ns));
        if case.is_most(case.duration_ns.saturating_sub(sum_ns)) {
            return None;
        }
        causes.into_iter().rev().max_by_key(|(ns, _)| *ns).map(|(_, clause)| clause)
    }
}

/// What had the CPU while the interrupt could not begin, where one thing had it for the most part.
fn meanwhile(case: &Case<'_>, delay_ns: i64, around: &Surroundings<'_, '_>) -> Option<String> {
    let end_ns = case.start_ns.saturating_add(delay_ns);
    let leg = Leg { cpu: case.cpu, start_ns: case.start_ns, end_ns };
    let rows = blame(case, &[leg], around, 1);
    let most = rows.first().filter(|row| row.duration_ns >= delay_ns.saturating_sub(row.duration_ns))?;
    match most.cause {
        Cause::Irq => Some(format!("interrupt {} ran", most.what)),
        Cause::Softirq => Some(format!("softirq {} ran", most.what)),
        Cause::Irqsoff => Some(format!("interrupts were off in {}", most.what)),
        _ => None,
    }
}

fn total(case: &Case<'_>, context: &str) -> Vec<Part> {
    let name = match context {
        "irq" => return Vec::new(),
        "thread" => "Thread latency",
        _ => "Return to user latency",
    };
    vec![Part::time(name, case.duration_ns).of(case)]
}

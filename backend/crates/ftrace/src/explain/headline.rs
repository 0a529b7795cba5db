//! The headline of a case: what happened, and why.

use super::blame::Blame;
use super::case::Case;
use super::evidence;
use super::parts::Parts;
use super::phrases;
use super::place::{A_SOFTIRQ, AN_INTERRUPT};
use super::stages::Stage;
use super::surroundings::Surroundings;
use super::tracer_report;
use super::why::{Chain, Mechanism};
use super::words;
use crate::analyses::{Cause, SampleFlags, SliceKind};
use crate::model::priority_text;

/// What is known of a case, and the clauses that name its cause.
pub struct Findings<'f, 'a> {
    pub case: &'f Case<'a>,
    pub around: &'f Surroundings<'f, 'a>,
    pub stages: &'f [Stage],
    /// The largest first.
    pub blame: &'f [Blame<'a>],
    pub parts: &'f Parts,
    /// Why it took so long, link by link, and what took most of that.
    pub chain: &'f Chain<'a>,
}

/// One sentence: `cyclictest-1213 on CPU 1 woke 18.6 µs late: interrupt local_timer itself took 13 µs`
pub fn headline(findings: &Findings<'_, '_>) -> String {
    let case = findings.case;
    let event = case.kind.event(case, findings.around);
    let Some(cause) = case.kind.cause(findings) else { return event };
    // True of the case, whatever names the cause.
    match findings.chain.verdict.as_ref().and_then(|verdict| verdict.normally.as_ref()) {
        Some(normally) => format!("{event} ({normally}): {cause}"),
        None => format!("{event}: {cause}"),
    }
}

impl Findings<'_, '_> {
    /// What a tracer says, else what the chain says, else the largest cause.
    pub fn usual_cause(&self) -> Option<String> {
        self.parts.clause.clone().or(self.verdict()).or_else(|| self.largest_cause())
    }

    fn verdict(&self) -> Option<String> {
        self.chain.verdict.as_ref().map(|verdict| verdict.clause.clone())
    }

    /// What the chain says, unless that is mostly that nothing is recorded; else what the tracer says.
    pub fn verdict_or_parts(&self) -> Option<String> {
        let unknown = self.chain.links.iter().filter(|link| link.mechanism == Mechanism::Unknown);
        let unknown_ns = unknown.clone().fold(0, |sum: i64, link| sum.saturating_add(link.duration_ns()));
        let verdict = self.verdict();
        // That the recording had not begun says more than a place.
        let is_before = unknown.clone().any(|link| link.before_recording_ns().is_some());
        if self.is_most(unknown_ns) && !is_before { self.parts.clause.clone().or(verdict) } else { verdict }
    }

    /// The largest cause, unless it is the case itself.
    pub fn largest_cause(&self) -> Option<String> {
        let largest = self.blame.first()?;
        if largest.duration_ns == 0 || self.is_case_itself(largest) {
            return None;
        }
        let idle_ns = self.total(Cause::Idle);
        let is_idle = largest.cause == Cause::Idle && self.is_most(idle_ns);
        if self.case.flags.has(SampleFlags::REPORTED)
            && self.case.kind.waits_for_cpu()
            && let Some(clause) = tracer_report::clause(self.case, self.around, is_idle)
        {
            return Some(clause);
        }
        if is_idle && !self.is_most(largest.duration_ns) {
            return Some(format!("the CPU was idle for {}", self.share(idle_ns)));
        }
        self.several_tasks().or_else(|| Some(self.clause(largest)))
    }

    /// Tasks that together are the cause, though no single row is. A task that waits for a CPU also waits for what a
    /// task does with interrupts or preemption off.
    pub fn several_tasks(&self) -> Option<String> {
        let largest = self.blame.first().filter(|largest| !self.is_most(largest.duration_ns))?;
        let is_of_task = |cause: Cause| match cause {
            Cause::Task => true,
            Cause::Irqsoff | Cause::Preemptoff => self.case.kind.waits_for_cpu(),
            _ => false,
        };
        if !is_of_task(largest.cause) {
            return None;
        }
        let rows: Vec<&Blame<'_>> = self.blame.iter().filter(|row| is_of_task(row.cause)).collect();
        let sum = |ns: i64, row: &&Blame<'_>| ns.saturating_add(row.duration_ns);
        let of_task = |row: &Blame<'_>| rows.iter().filter(|other| other.pid == row.pid).fold(0, sum);
        let tasks = rows.iter().filter(|row| row.cause == Cause::Task && row.pid.is_some());
        let (most_ns, most) = tasks.map(|row| (of_task(row), row)).rev().max_by_key(|(ns, _)| *ns)?;
        let task = self.with_prio(most);
        if self.is_most(most_ns) {
            return Some(format!("{task} ran for {}", self.share(most_ns)));
        }
        let together_ns = rows.iter().fold(0, sum);
        let most = match most_ns >= together_ns.saturating_sub(most_ns) {
            true => format!("mostly {task}"),
            // It may have had it in many pieces.
            false => format!("above all {task} ({})", words::time(most_ns)),
        };
        self.is_most(together_ns).then(|| format!("other tasks ran for {}, {most}", self.share(together_ns)))
    }

    /// `hackbench-2001 (nice 0) ran for 60 % of it`
    pub fn clause(&self, row: &Blame<'_>) -> String {
        let (share, what, function) = (self.share(row.duration_ns), &row.what, self.in_function(row));
        match (row.cause, &row.span) {
            // The whole length of the section says more than its share.
            (Cause::Irqsoff | Cause::Preemptoff, Some(span))
                if self.is_most(span.overlap_ns(self.case.start_ns, self.case.end_ns())) =>
            {
                evidence::sentence(row.cause, span, self.around)
            }
            (Cause::Irqsoff, _) => format!("interrupts were off in {what} for {share}"),
            (Cause::Preemptoff, _) => format!("preemption was off in {what} for {share}"),
            (Cause::Task, _) if row.pid.is_none() && what == "the idle task" => {
                format!(
                    "CPU {} took {} to leave its idle loop",
                    row.cpu.unwrap_or(self.case.cpu),
                    words::time(row.duration_ns)
                )
            }
            (Cause::Task, _) => format!("{} ran for {share}{function}", self.with_prio(row)),
            (Cause::Irq | Cause::Softirq, _) if [AN_INTERRUPT, A_SOFTIRQ].contains(&what.as_str()) => {
                format!("{what} ran for {share}{function}")
            }
            (Cause::Irq, _) => format!("interrupt {what} ran for {share}{function}"),
            (Cause::Softirq, _) => format!("softirq {what} ran for {share}{function}"),
            (Cause::Nmi, _) => format!("an NMI ran for {share}"),
            (Cause::Gap, _) => format!("{} held the CPU for {share}", phrases::HARDWARE),
            (Cause::Idle, _) if what == "idle" => format!("the CPU was idle for {share}"),
            (Cause::Idle, _) => format!("the CPU was idle ({what}) for {share}"),
            (Cause::Itself, _) => format!("the task itself ran for {share}"),
            (Cause::Unknown, _) if what == "events were lost" && self.is_left_out() => {
                format!("the text leaves out {share}")
            }
            (Cause::Unknown, _) if what == "events were lost" => format!("events were lost during {share}"),
            (Cause::Unknown, _) if row.duration_ns >= self.case.duration_ns => {
                "no record of what ran then".to_owned()
            }
            (Cause::Unknown, _) => format!("no record of what ran during {share}"),
        }
    }

    /// Fewer lines of a report than this do not mean lost events: people who quote a report leave some out.
    fn is_left_out(&self) -> bool {
        let losses = self.around.sorted_losses(self.case.cpu);
        self.case.flags.has(SampleFlags::REPORTED) && losses.iter().all(|loss| loss.lost_count.is_none())
    }

    /// Nanoseconds of all rows with a cause.
    pub fn total(&self, cause: Cause) -> i64 {
        let rows = self.blame.iter().filter(|row| row.cause == cause);
        rows.fold(0, |sum, row| sum.saturating_add(row.duration_ns))
    }

    /// Half of the case or more.
    pub fn is_most(&self, part_ns: i64) -> bool {
        self.case.is_most(part_ns)
    }

    /// The share of the case from which on a function is named.
    pub fn is_much(&self, part_ns: i64) -> bool {
        part_ns >= self.case.duration_ns.div_euclid(5)
    }

    fn share(&self, part_ns: i64) -> String {
        words::share(part_ns, self.case.duration_ns)
    }

    /// A slice is its own cause where nothing shorter ran in it.
    fn is_case_itself(&self, largest: &Blame<'_>) -> bool {
        let own = match self.case.kind.slice_kind() {
            Some(SliceKind::Irq) => Cause::Irq,
            Some(SliceKind::Softirq) => Cause::Softirq,
            Some(SliceKind::Irqsoff) => Cause::Irqsoff,
            Some(SliceKind::Preemptoff) => Cause::Preemptoff,
            _ => return false,
        };
        let (start_ns, end_ns) = (self.case.start_ns, self.case.end_ns());
        let covers_case = largest.span.is_none_or(|span| span.start_ns <= start_ns && end_ns <= span.end_ns);
        largest.cause == own && covers_case
    }

    /// A task with its priority, which a headline names whether the events are examined now or were at load.
    fn with_prio(&self, row: &Blame<'_>) -> String {
        match row.prio.filter(|_| self.case.needs_events()) {
            Some(prio) => format!("{} ({})", row.what, priority_text(prio)),
            None => row.what.clone(),
        }
    }

    /// In a tracer's report, the function that took half of the case or more.
    fn in_function(&self, row: &Blame<'_>) -> String {
        let is_named =
            |(_, ns): &&(String, i64)| self.case.flags.has(SampleFlags::REPORTED) && self.is_most(*ns);
        let function = row.function.as_ref().filter(is_named);
        function.map(|(name, ns)| format!(", {} in {name}", words::time(*ns))).unwrap_or_default()
    }
}

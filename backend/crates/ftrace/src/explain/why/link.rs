//! One link of a chain, and how links become a chain.

use super::mechanism::{Certainty, Mechanism};
use super::stall::Usual;
use crate::explain::blame::Held;
use crate::explain::surroundings::{Seen, Surroundings};

/// Links of one chain at most; what is shorter joins its neighbour.
const MAX_LINKS: usize = 200;
/// Events of one link at most.
const MAX_EVIDENCE: usize = 8;

/// Whom or what a link is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    Task(i32),
    /// By its symbol; -1 where it is not named.
    Interrupt(i32),
    Softirq(i32),
    Function(i32),
    Cpu(i16),
}

impl Subject {
    /// The stable name of what it is, which the API shows.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Interrupt(_) => "interrupt",
            Self::Softirq(_) => "softirq",
            Self::Function(_) => "function",
            Self::Cpu(_) => "cpu",
        }
    }

    /// `hog-170`, `local_timer:236`, `CPU 1`.
    pub fn name(self, around: &Surroundings<'_, '_>) -> String {
        let symbol = |idx: i32, nameless: &str| around.symbol(idx).unwrap_or_else(|| nameless.to_owned());
        match self {
            Self::Task(idx) => around.task_name(idx).unwrap_or_else(|| "an unknown task".to_owned()),
            Self::Interrupt(idx) => symbol(idx, "an interrupt"),
            Self::Softirq(idx) => symbol(idx, "a softirq"),
            Self::Function(idx) => symbol(idx, "an unknown function"),
            Self::Cpu(cpu) => format!("CPU {cpu}"),
        }
    }
}

/// A stretch [start, end) of a case, and why it went by.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    pub cpu: i16,
    pub mechanism: Mechanism,
    /// What else held over it, but was not what kept it from ending.
    pub also: Vec<Mechanism>,
    pub subject: Option<Subject>,
    /// The kernel's priority of a task that it is about.
    pub subject_prio: Option<i32>,
    pub certainty: Certainty,
    /// It held at least from the one to the other.
    pub bounds: Option<(i64, i64)>,
    pub evidence: Vec<Seen<'a>>,
    /// What such a stretch takes as a rule.
    pub usual: Option<Usual>,
    /// The longest single piece, and how many pieces there are.
    pub longest_ns: i64,
    pub pieces: usize,
    /// The function in which it was, where a section or a report names it.
    pub function_idx: Option<i32>,
    /// Other CPUs that stood idle all the time, on which the task has run in this recording.
    pub idle_cpu: Option<i16>,
    /// The chain of what it hangs on.
    pub deeper: Vec<Link<'a>>,
    /// What an interrupt did for others, before it came to the timer of the case.
    pub is_for_others: bool,
    pub sentence: String,
}

impl<'a> Link<'a> {
    pub fn new(mechanism: Mechanism, cpu: i16, start_ns: i64, end_ns: i64) -> Self {
        Self {
            start_ns,
            end_ns,
            cpu,
            mechanism,
            also: Vec::new(),
            subject: None,
            subject_prio: None,
            certainty: match mechanism {
                Mechanism::Unknown => Certainty::Inferred,
                _ => Certainty::Recorded,
            },
            bounds: None,
            evidence: Vec::new(),
            usual: None,
            longest_ns: end_ns.saturating_sub(start_ns),
            pieces: 1,
            function_idx: None,
            idle_cpu: None,
            deeper: Vec::new(),
            is_for_others: false,
            sentence: String::new(),
        }
    }

    pub fn about(self, subject: Subject) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// About the task of the slice that says who had the CPU, where one does.
    pub fn about_task_of(self, held: &Held<'_>) -> Self {
        Self { subject: held.span.map(|span| Subject::Task(span.task_idx)), ..self }
    }

    pub fn also(mut self, mechanism: Mechanism) -> Self {
        self.add(mechanism);
        self
    }

    /// Says once that something else held, too.
    pub fn add(&mut self, mechanism: Mechanism) {
        if !self.also.contains(&mechanism) {
            self.also.push(mechanism);
        }
    }

    pub fn inferred(self) -> Self {
        Self { certainty: Certainty::Inferred, ..self }
    }

    pub fn seen_by<'e>(mut self, events: impl IntoIterator<Item = &'e Seen<'a>>) -> Self
    where
        'a: 'e,
    {
        self.evidence.extend(events.into_iter().copied());
        self
    }

    pub fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    fn is_same(&self, other: &Self) -> bool {
        let key =
            |link: &Self| (link.mechanism, link.subject, link.cpu, link.function_idx, link.is_for_others);
        key(self) == key(other) && self.deeper.is_empty() && other.deeper.is_empty()
    }

    fn join(&mut self, next: Self) {
        self.end_ns = next.end_ns;
        self.certainty = self.certainty.max(next.certainty);
        next.also.iter().for_each(|mechanism| self.add(*mechanism));
        self.bounds = match (self.bounds, next.bounds) {
            (Some((from, _)), Some((_, to))) => Some((from, to)),
            (one, other) => one.or(other),
        };
        self.evidence.extend(next.evidence);
        self.evidence.truncate(MAX_EVIDENCE);
        self.usual = self.usual.or(next.usual);
        self.pieces = self.pieces.saturating_add(next.pieces).saturating_sub(1);
        self.longest_ns = self.longest_ns.max(next.longest_ns).max(self.duration_ns());
        self.idle_cpu = self.idle_cpu.filter(|_| self.idle_cpu == next.idle_cpu);
    }
}

/// The links as a chain: neighbours of one mechanism and subject are one link, and no link is empty.
pub fn chained(links: Vec<Link<'_>>) -> Vec<Link<'_>> {
    let mut chain = joined(links, Link::is_same);
    let mut too_short_ns = 1_000_i64;
    while chain.len() > MAX_LINKS {
        chain = joined(chain, |last, next| last.is_same(next) || next.duration_ns() < too_short_ns);
        too_short_ns = too_short_ns.saturating_mul(2);
    }
    for link in &mut chain {
        link.evidence.truncate(MAX_EVIDENCE);
    }
    chain
}

fn joined<'a>(links: Vec<Link<'a>>, belong: impl Fn(&Link<'a>, &Link<'a>) -> bool) -> Vec<Link<'a>> {
    let mut chain: Vec<Link<'a>> = Vec::new();
    for link in links.into_iter().filter(|link| link.start_ns < link.end_ns) {
        match chain.last_mut() {
            Some(last) if belong(last, &link) => last.join(link),
            _ => chain.push(link),
        }
    }
    chain
}

//! Two causes after each other in one case, of different length: the headline names the longer one with its subject and its
//! length, and the shorter one's length beside it where the longer one leaves too much open; the chain names both.

use super::field::{Field, Sown};
use super::{Dice, Link, Mechanism, NEAR_NS, Trace, is_said, printed, subject_of};
use crate::explain::{Explanation, Surroundings, words};
use crate::testing::explain::explain_file;

const VARIANTS: u64 = 30;
/// A headline of fewer words has room for the shortest clause about another cause.
const ROOMY_WORDS: usize = 18;

/// What delays a sleeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    ArmedLate,
    Silence,
    Section,
    IdleExit,
    OtherInterrupt,
    Handler,
    Deferred,
    Stall,
    /// Woken from another CPU: an idle one does not notice, a busy one takes no interrupt.
    Notice,
    Ipi,
    /// An idle CPU that has noticed stands still.
    StallOut,
    Device,
    Softirq,
    NotPreemptible,
    Higher,
    Equal,
    Throttled,
    Elsewhere,
    KernelExit,
}

const CAUSES: [Cause; 19] = [
    Cause::ArmedLate,
    Cause::Silence,
    Cause::Section,
    Cause::IdleExit,
    Cause::OtherInterrupt,
    Cause::Handler,
    Cause::Deferred,
    Cause::Stall,
    Cause::Notice,
    Cause::Ipi,
    Cause::StallOut,
    Cause::Device,
    Cause::Softirq,
    Cause::NotPreemptible,
    Cause::Higher,
    Cause::Equal,
    Cause::Throttled,
    Cause::Elsewhere,
    Cause::KernelExit,
];

/// Where on the way of a sleeper a cause holds, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    BeforeInterrupt,
    InInterrupt,
    AtItsEnd,
    /// On a CPU that is to switch.
    Interrupted,
    Waiting,
    Back,
}

impl Cause {
    fn stage(self) -> Stage {
        match self {
            Self::ArmedLate | Self::Silence | Self::Section | Self::IdleExit | Self::OtherInterrupt => {
                Stage::BeforeInterrupt
            }
            Self::Notice | Self::Ipi => Stage::BeforeInterrupt,
            Self::Handler | Self::Deferred => Stage::InInterrupt,
            Self::Stall | Self::StallOut => Stage::AtItsEnd,
            Self::Device | Self::Softirq => Stage::Interrupted,
            Self::NotPreemptible | Self::Higher | Self::Equal | Self::Throttled | Self::Elsewhere => {
                Stage::Waiting
            }
            Self::KernelExit => Stage::Back,
        }
    }

    /// A task wakes the sleeper, on another CPU, instead of a timer.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Notice | Self::Ipi | Self::StallOut)
    }

    fn is_idle(self) -> bool {
        matches!(self, Self::IdleExit | Self::Notice | Self::StallOut)
    }

    fn is_timers(self) -> bool {
        self.stage() < Stage::Interrupted && !self.is_remote()
    }

    fn is_followed_by(self, next: Self) -> bool {
        let is_one = self.is_remote() || next.is_remote();
        match (self, next) {
            // No task runs; a softirq's thread is switched to; the waker has the other CPU.
            _ if self.is_idle() && next == Self::NotPreemptible => false,
            (Self::Deferred, Self::Stall | Self::Softirq) | (Self::Ipi, Self::StallOut) => false,
            _ if is_one && (self.is_timers() || next.is_timers()) => false,
            _ if is_one && matches!(next, Self::Elsewhere | Self::KernelExit) => false,
            // The task that ends a wait did not keep the CPU before.
            (Self::Elsewhere, _) if next.stage() == Stage::Waiting => false,
            _ if self.stage() == Stage::Waiting && next.stage() == Stage::Waiting => {
                self != next && next != Self::NotPreemptible
            }
            (Self::Device, Self::Softirq) | (Self::Softirq, Self::Device) => false,
            _ => self.stage() < next.stage(),
        }
    }
}

/// A recording with both, the kind of the case, and what was planted in it.
fn sow(dice: &mut Dice, causes: [(Cause, u64); 2]) -> (Trace, &'static str, Vec<Sown>) {
    let trace = Trace::new(dice, true);
    let mut field = Field::new(trace, dice, causes);
    let at_stage = |stage: Stage| causes.iter().copied().find(|(cause, _)| cause.stage() == stage);
    let waits: Vec<_> = causes.iter().copied().filter(|(cause, _)| cause.stage() == Stage::Waiting).collect();
    let is_remote = causes.iter().any(|(cause, _)| cause.is_remote());
    if is_remote {
        field.wake_from_afar(at_stage(Stage::BeforeInterrupt), at_stage(Stage::AtItsEnd));
    } else {
        let late = causes.iter().find(|(cause, _)| *cause == Cause::ArmedLate);
        field.sleep(late.map(|(_, us)| *us));
        field.come_late(at_stage(Stage::BeforeInterrupt));
        field.handle(at_stage(Stage::InInterrupt));
        field.wake(at_stage(Stage::AtItsEnd));
    }
    field.interrupt(at_stage(Stage::Interrupted));
    field.wait(&waits);
    if !is_remote {
        field.end(at_stage(Stage::Back));
    }
    (field.trace, if is_remote { "wakeup" } else { "cyclic" }, field.sown)
}

fn judge(trace: Trace, kind: &str, sown: &[Sown]) -> Result<(), String> {
    let (first_us, text) = trace.text();
    let mut found = Err(format!("no such case\n{text}"));
    let to_ns = |t_us: u64| i64::try_from(t_us - first_us).unwrap() * 1_000;
    explain_file(&text, kind, |case, explanation, around| {
        if case.pid != Some(9) {
            return;
        }
        let mut links = explanation.why.iter();
        let tiles =
            links.try_fold(case.start_ns, |at_ns, link| (link.start_ns == at_ns).then_some(link.end_ns));
        let problem = if tiles == Some(case.end_ns()) {
            sown.iter().find_map(|one| {
                let is_longer = sown.iter().all(|other| other.length_us() <= one.length_us());
                let at = (to_ns(one.from_us), to_ns(one.to_us));
                let is_told = is_longer || is_needed(one, sown, case.duration_ns, explanation);
                problem(one, (is_longer, is_told), at, explanation, around)
            })
        } else {
            Some("gaps or overlaps".to_owned())
        };
        found = problem.map_or(Ok(()), |problem| Err(format!("{problem}\n{}\n{text}", printed(explanation))));
    });
    found
}

/// True where the longer of two leaves more than a third of the case open, this one is a good part of that, and there is room
/// to say so.
fn is_needed(one: &Sown, sown: &[Sown], whole_ns: i64, explanation: &Explanation<'_>) -> bool {
    let length_ns = |one: &Sown| i64::try_from(one.length_us()).unwrap() * 1_000;
    let longest_ns = sown.iter().map(length_ns).max().unwrap();
    let is_open = (longest_ns + NEAR_NS) * 3 < whole_ns * 2;
    let is_much = (length_ns(one) - NEAR_NS) * 5 >= whole_ns;
    is_open && is_much && explanation.headline.split_whitespace().count() < ROOMY_WORDS
}

/// What is not said of something that was planted in [from, to).
fn problem(
    sown: &Sown,
    (is_longer, is_told): (bool, bool),
    (from_ns, to_ns): (i64, i64),
    explanation: &Explanation<'_>,
    around: &Surroundings<'_, '_>,
) -> Option<String> {
    let is_near = |ns: i64| (ns - (to_ns - from_ns)).abs() <= NEAR_NS;
    let is_its = |link: &&Link<'_>| {
        let is_subject = sown.subject.as_deref().is_none_or(|subject| subject_of(link, around) == subject);
        link.mechanism == sown.mechanism && is_subject
    };
    let all = explanation.why.iter().filter(is_its);
    // Its first steps may lie before something else.
    let whole_ns: i64 = all.clone().map(Link::duration_ns).sum();
    let links: Vec<&Link<'_>> = all.filter(|link| link.start_ns < to_ns && from_ns < link.end_ns).collect();
    let total_ns: i64 = links.iter().map(|link| link.duration_ns()).sum();
    if !is_near(total_ns) {
        return Some(format!("{:?} for {total_ns} of {}", sown.cause, to_ns - from_ns));
    }
    let headline = &explanation.headline;
    if is_longer && sown.subject.is_some() && !is_said(headline, &links, around) {
        return Some(format!("{:?} is longer", sown.cause));
    }
    // A task had the CPU in its silences, too.
    let is_silent = |link: &&Link<'_>| {
        let is_its = links.first().is_some_and(|first| first.subject == link.subject);
        is_its && link.mechanism == Mechanism::IrqsOff && link.also.contains(&Mechanism::Stall)
    };
    let silent_ns: i64 = explanation.why.iter().filter(is_silent).map(Link::duration_ns).sum();
    // Work that was handed on is named after what its carrier waited for.
    let parts = links.iter().flat_map(|link| [*link].into_iter().chain(&link.deeper));
    let mut lengths_ns = parts.map(Link::duration_ns).chain([total_ns, whole_ns, total_ns + silent_ns]);
    let has_length = |ns: i64| is_near(ns) && headline.contains(&words::time(ns));
    (is_told && !lengths_ns.any(has_length)).then(|| format!("{:?} with another length", sown.cause))
}

#[test]
fn the_longer_of_two_causes_is_the_headline_and_the_other_beside_it() {
    let mut wrong: Vec<String> = Vec::new();
    let pairs = CAUSES.iter().flat_map(|first| CAUSES.iter().map(move |second| (*first, *second)));
    let pairs: Vec<_> = pairs.filter(|(first, second)| first.is_followed_by(*second)).collect();
    assert!(pairs.len() > 80, "{}", pairs.len());
    for (first, second) in pairs {
        for variant in 0..VARIANTS {
            let mut dice = Dice::new(variant + VARIANTS * (first as u64 * 100 + second as u64));
            let short_us = dice.roll(60, 700);
            let long_us = short_us + short_us / 2 + dice.roll(60, 1_500);
            let [one_us, other_us] = if dice.toss() { [short_us, long_us] } else { [long_us, short_us] };
            let (trace, kind, sown) = sow(&mut dice, [(first, one_us), (second, other_us)]);
            if let Err(problem) = judge(trace, kind, &sown) {
                wrong.push(format!("{first:?} {one_us} µs, {second:?} {other_us} µs: {problem}"));
            }
        }
    }
    let first = wrong.first();
    assert!(first.is_none(), "{} wrong\n{}", wrong.len(), first.unwrap());
}

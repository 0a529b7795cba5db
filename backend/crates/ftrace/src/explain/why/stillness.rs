//! How long a CPU was silent in a case as a whole, whatever the links are in which it was.

use std::collections::BTreeMap;

use super::beside::STOOD_STILL;
use super::link::Link;
use super::mechanism::Mechanism;
use crate::explain::words;

/// A sentence tells silences that have this part of what it has to explain, or more.
const WORTH_TELLING: i64 = 3;
/// Nor does it tell shorter ones.
const LEAST_NS: i64 = 20_000;

/// A CPU that was silent.
struct Silent {
    cpu: i16,
    total_ns: i64,
    /// Of some of it interrupts may have been off.
    may_be_off: bool,
}

/// The CPU that was silent longest, and another one that was so for as much.
pub struct Stillness {
    longest: Silent,
    other: Option<Silent>,
}

impl Stillness {
    /// `None` where no CPU was silent for much of `whole_ns`, what is to be explained.
    pub fn of(chain: &[Link<'_>], whole_ns: i64) -> Option<Self> {
        let mut by_cpu: BTreeMap<i16, (i64, bool)> = BTreeMap::new();
        add(chain, &mut by_cpu);
        let all =
            by_cpu.into_iter().map(|(cpu, (total_ns, may_be_off))| Silent { cpu, total_ns, may_be_off });
        let is_much =
            |one: &Silent| one.total_ns >= LEAST_NS && one.total_ns.saturating_mul(WORTH_TELLING) >= whole_ns;
        let mut much: Vec<Silent> = all.filter(is_much).collect();
        much.sort_by_key(|one| -one.total_ns);
        let mut much = much.into_iter();
        Some(Self { longest: much.next()?, other: much.next() })
    }

    /// A text that says of one CPU that it was silent, with the other one if that was, too.
    pub fn with_other(&self, text: &str) -> Option<String> {
        let Silent { cpu, total_ns, may_be_off } = self.other.as_ref()?;
        let is_told = text.contains(&format!("CPU {cpu} {STOOD_STILL}")) || text.contains("so did CPU");
        // What is said of both is as certain of either.
        let is_said_so = !may_be_off || text.contains("interrupts were off");
        let time = words::time(*total_ns);
        match text.split_once(STOOD_STILL).filter(|_| is_said_so && !is_told)? {
            (_, rest) if rest.starts_with(' ') => Some(format!("{text}, and CPU {cpu} for {time}")),
            _ => Some(format!("{text}; CPU {cpu} {STOOD_STILL} for {time}")),
        }
    }

    /// A text that says of a CPU that it was silent, in as many ways as there are words, the fullest first, with that where it
    /// says nothing of the kind.
    pub fn told_in(&self, text: &str) -> Vec<String> {
        if text.contains(STOOD_STILL) || text.contains("interrupts were off") {
            return vec![text.to_owned()];
        }
        let Silent { cpu, total_ns, may_be_off } = self.longest;
        let time = words::time(total_ns);
        let still = format!("CPU {cpu} {STOOD_STILL} for {time}");
        let ways = match may_be_off {
            false => [format!("{still} in all"), still],
            true => [
                format!("interrupts were off or {still} in all"),
                format!("CPU {cpu} took no interrupts for {time}"),
            ],
        };
        ways.into_iter().map(|way| format!("{text}; {way}")).collect()
    }
}

/// What a task went through before something was due, or what a thread did to which work was handed on, is part of the case.
fn add(links: &[Link<'_>], by_cpu: &mut BTreeMap<i16, (i64, bool)>) {
    for link in links {
        let is_through = matches!(link.mechanism, Mechanism::ArmedLate | Mechanism::Deferred);
        if is_through && !link.deeper.is_empty() {
            add(&link.deeper, by_cpu);
            continue;
        }
        let may_be_off = link.mechanism == Mechanism::IrqsOff && link.function_idx.is_none();
        if may_be_off || link.mechanism == Mechanism::Stall {
            let of_cpu = by_cpu.entry(link.cpu).or_default();
            of_cpu.0 = of_cpu.0.saturating_add(link.duration_ns());
            of_cpu.1 |= may_be_off;
        }
    }
}

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

/// The CPU that was silent longest.
pub struct Stillness {
    cpu: i16,
    total_ns: i64,
    /// Of some of it interrupts may have been off.
    may_be_off: bool,
    /// Another CPU that was silent for as much.
    other: Option<(i16, i64)>,
}

impl Stillness {
    /// `None` where it has little of `whole_ns`, what is to be explained.
    pub fn of(chain: &[Link<'_>], whole_ns: i64) -> Option<Self> {
        let mut by_cpu: BTreeMap<i16, (i64, bool)> = BTreeMap::new();
        add(chain, &mut by_cpu);
        let mut silent: Vec<_> = by_cpu.into_iter().collect();
        silent.sort_by_key(|(cpu, (ns, _))| (-ns, *cpu));
        let is_much = |(_, (ns, _)): &(i16, (i64, bool))| {
            *ns >= LEAST_NS && ns.saturating_mul(WORTH_TELLING) >= whole_ns
        };
        let mut silent = silent.into_iter().take_while(is_much);
        let (cpu, (total_ns, may_be_off)) = silent.next()?;
        let other = silent.next().map(|(cpu, (ns, _))| (cpu, ns));
        Some(Self { cpu, total_ns, may_be_off, other })
    }

    /// A text that says of one CPU that it was silent, with the other one if that was, too.
    pub fn with_other(&self, text: &str) -> Option<String> {
        let (cpu, total_ns) = self.other?;
        let is_told = text.contains(&format!("CPU {cpu} {STOOD_STILL}")) || text.contains("so did CPU");
        let is_of_one = text.contains(STOOD_STILL) && !is_told;
        is_of_one.then(|| format!("{text}, and CPU {cpu} for {}", words::time(total_ns)))
    }

    /// A text that says of a CPU that it was silent, in as many ways as there are words, the fullest first, with that where it
    /// says nothing of the kind.
    pub fn told_in(&self, text: &str) -> Vec<String> {
        if text.contains(STOOD_STILL) || text.contains("interrupts were off") {
            return vec![text.to_owned()];
        }
        let (cpu, time) = (self.cpu, words::time(self.total_ns));
        let still = format!("CPU {cpu} {STOOD_STILL} for {time}");
        let ways = match self.may_be_off {
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

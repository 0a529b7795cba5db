//! What is normal: how long the same thing takes elsewhere in the blocks around a case.

mod elsewhere;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

use self::elsewhere::{
    Pair, expiries, gaps, notices, pace, pair_of, returns, signs, sleeps, switches, ticks,
};
use super::left_idle::leaves_idle;
use super::stall::{LONG_STALL_NS, MIN_STALL_NS};
use super::ticks::period_ns;
use crate::analyses::SliceKind;
use crate::explain::surroundings::{Seen, Surroundings};
use crate::explain::words;

/// Of fewer nothing is known.
const MIN_COUNT: usize = 5;
/// Of most recordings; what seems shorter may have taken so long.
const CLOCK_STEP_NS: i64 = 1_000;
/// The shortest twentieth of the gaps between two events is seldom shorter than their usual one by this factor.
const TIMES_THE_SHORTEST: i64 = 3;
/// A stall takes longer than usual by this factor.
const TIMES_THE_YARDSTICK: i64 = 20;
/// Of so many, the longest in a hundred says how long it may take,
const MANY: usize = 200;
/// and a stall takes longer than usual by this factor.
const TIMES_OF_MANY: i64 = 8;
/// A stretch that takes longer than usual by this factor is not usual, whatever it was.
const TIMES_MUCH: i64 = 5;
/// What takes less than so many times what is usual is usual, too.
const TIMES_USUAL: i64 = 3;

/// How long such a stretch takes elsewhere in the recording around the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    pub count: usize,
    /// 0 where most take less than a step of the clock.
    pub median_ns: i64,
    pub p99_ns: i64,
    /// What is called normal: the median, unless most of them stood still themselves.
    normal_ns: i64,
    /// The shortest twentieth: stalls lengthen even the median, but seldom that.
    short_ns: i64,
    /// Of this one; the longest is the first, and one that is shorter than all counts as the last.
    pub rank: usize,
}

impl Usual {
    /// Which place `duration_ns` has among sorted durations; `None` where they are too few.
    fn of(sorted: &[i64], duration_ns: i64) -> Option<Self> {
        if sorted.len() < MIN_COUNT {
            return None;
        }
        let at = |part: usize| {
            sorted.get(sorted.len().saturating_sub(1).saturating_mul(part).div_euclid(100)).copied()
        };
        let normal_ns = at(50)?;
        let longer = sorted.len().saturating_sub(sorted.partition_point(|one| *one <= duration_ns));
        Some(Self {
            count: sorted.len(),
            median_ns: normal_ns,
            p99_ns: at(99)?,
            normal_ns,
            short_ns: at(5)?.max(CLOCK_STEP_NS),
            rank: longer.saturating_add(1).min(sorted.len()),
        })
    }

    /// Of gaps, which are as long as the kernel's path between two events, or as long as its CPU stands still on it.
    fn of_gaps(sorted: &[i64], gap_ns: i64) -> Option<Self> {
        let usual = Self::of(sorted, gap_ns)?;
        let is_stall = usual.median_ns >= MIN_STALL_NS && usual.is_far_exceeded_by(usual.median_ns);
        Some(if is_stall { Self { normal_ns: usual.short_ns, ..usual } } else { usual })
    }

    /// What to say beside a stall: where such a path takes several times longer now and then, its median is an accident.
    pub fn of_stall(self) -> Self {
        let is_uneven = self.median_ns >= self.short_ns.saturating_mul(TIMES_MUCH);
        if is_uneven { Self { normal_ns: self.short_ns, ..self } } else { self }
    }

    /// True for a stretch so long that its CPU stood still: far longer than usual, or longer than nearly all of many.
    pub fn is_far_exceeded_by(&self, duration_ns: i64) -> bool {
        let is_rare = self.count >= MANY
            && duration_ns >= self.p99_ns.saturating_mul(TIMES_MUCH)
            && duration_ns >= self.yardstick_ns().saturating_mul(TIMES_OF_MANY);
        is_rare || duration_ns >= self.yardstick_ns().saturating_mul(TIMES_THE_YARDSTICK)
    }

    /// True for a stretch that is clearly no usual one.
    pub fn is_much_exceeded_by(&self, duration_ns: i64) -> bool {
        duration_ns >= self.yardstick_ns().saturating_mul(TIMES_MUCH)
    }

    /// True for a stretch that takes no longer than others, give or take.
    pub fn includes(&self, duration_ns: i64) -> bool {
        duration_ns < self.yardstick_ns().saturating_mul(TIMES_USUAL)
    }

    /// What is usual without stalls.
    pub fn yardstick_ns(&self) -> i64 {
        self.short_ns.saturating_mul(TIMES_THE_SHORTEST).min(self.median_ns.max(1))
    }

    /// True for a stretch so long that what is normal is worth a word beside it.
    pub fn is_exceeded_by(&self, duration_ns: i64) -> bool {
        duration_ns >= self.normal_ns.max(1).saturating_mul(2)
    }

    /// True where less is normal than of another stretch.
    pub fn is_below(&self, other: &Self) -> bool {
        self.normal_ns < other.normal_ns
    }

    /// `normally 6.1 µs`
    pub fn in_words(&self) -> String {
        // Of the shortest only, most are longer.
        let how = if self.normal_ns < self.median_ns { "at best" } else { "normally" };
        format!("{how} {}", words::time(self.normal_ns))
    }
}

/// Of fewer switches it is not known how long they take as a rule.
const MIN_SWITCHES: usize = 20;
/// What takes longer is no switch of a CPU that works, however slowly.
const SLOWEST_SWITCH_NS: i64 = 250_000;
/// What is usual around the cases of a batch, by the blocks that they lie in: many share theirs.
#[derive(Default)]
pub struct UsualsOfBlocks(Mutex<HashMap<Vec<i64>, Arc<Usuals>>>);

impl UsualsOfBlocks {
    /// `blocks` are the numbers of the first events of the blocks.
    pub fn of(&self, blocks: Vec<i64>) -> Arc<Usuals> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(blocks).or_default())
    }
}

/// The interrupts or softirqs of a symbol in the blocks of these places.
type RunsOfBlocks = (SliceKind, i32, Vec<usize>);

/// Found out when somebody asks, once for all cases in the same blocks.
#[derive(Default)]
pub struct Usuals {
    /// Each sorted.
    gaps: OnceLock<HashMap<Pair, Vec<i64>>>,
    has_stalls: OnceLock<bool>,
    /// Their blocks end elsewhere than those of events.
    runs: Mutex<HashMap<RunsOfBlocks, Vec<i64>>>,
    notices: OnceLock<Vec<i64>>,
    signs: OnceLock<Vec<i64>>,
    returns: OnceLock<Vec<i64>>,
    sleeps: OnceLock<Vec<i64>>,
    /// Of busy CPUs, and of idle ones.
    switches: OnceLock<[Vec<i64>; 2]>,
    /// Of timers that come into an idle CPU, and into a task.
    expiries: OnceLock<[Vec<i64>; 2]>,
    tick_ns: OnceLock<Option<i64>>,
    /// How many steps a clock that counts ticks makes in so many nanoseconds.
    pace: OnceLock<Option<(i64, i64)>>,
    ticks: OnceLock<Vec<i64>>,
    leaves_idle: OnceLock<bool>,
}

impl Usuals {
    /// How far apart two such events are that follow each other in one go.
    pub fn gap(&self, around: &Surroundings<'_, '_>, pair: [&Seen<'_>; 2], gap_ns: i64) -> Option<Usual> {
        let gaps = self.gaps.get_or_init(|| gaps(around));
        Usual::of_gaps(gaps.get(&pair_of(pair))?, gap_ns)
    }

    /// True where CPUs are known to have stood still elsewhere.
    pub fn has_stalls(&self, around: &Surroundings<'_, '_>) -> bool {
        *self.has_stalls.get_or_init(|| {
            let gaps = self.gaps.get_or_init(|| gaps(around));
            gaps.values().filter_map(|sorted| Some((sorted, *sorted.last()?))).any(|(sorted, longest_ns)| {
                let usual = Usual::of_gaps(sorted, longest_ns);
                longest_ns >= LONG_STALL_NS && usual.is_some_and(|usual| usual.is_far_exceeded_by(longest_ns))
            })
        })
    }

    /// How long such an interrupt or softirq runs.
    pub fn run(
        &self,
        around: &Surroundings<'_, '_>,
        (kind, symbol_idx): (SliceKind, i32),
        duration_ns: i64,
    ) -> Option<Usual> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (kind, symbol_idx, around.nearby_slice_blocks(kind).map(|(at, _)| at).collect());
        let durations = runs.entry(key).or_insert_with(|| {
            let mut durations: Vec<i64> = around.nearby_runs(kind, symbol_idx).collect();
            durations.sort_unstable();
            durations
        });
        Usual::of(durations, duration_ns)
    }

    /// True for as long as busy CPUs take to switch as a rule that are to do so.
    pub fn is_usual_switch(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> bool {
        let usual = || self.way_off(around, duration_ns);
        duration_ns < SLOWEST_SWITCH_NS && usual().is_some_and(|usual| usual.includes(duration_ns))
    }

    /// How long busy CPUs take that are to switch, from their last event on; `None` where that is seldom recorded.
    pub fn way_off(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        let [busy, _] = self.switches.get_or_init(|| switches(around));
        Usual::of(busy, duration_ns).filter(|usual| usual.count >= MIN_SWITCHES)
    }

    /// How long idle CPUs take that are to switch, from their last event on; `None` where that is seldom recorded.
    pub fn way_out(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        let [_, idle] = self.switches.get_or_init(|| switches(around));
        Usual::of(idle, duration_ns).filter(|usual| usual.count >= MIN_SWITCHES)
    }

    /// How long an idle CPU takes from the waking of a task to the switch to it.
    pub fn notice(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        Usual::of(self.notices.get_or_init(|| notices(around)), duration_ns)
    }

    /// How long an idle CPU takes from a wakeup by another one to its first event.
    pub fn sign(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        Usual::of(self.signs.get_or_init(|| signs(around)), duration_ns)
    }

    /// How long a task takes that was switched to to return from its call.
    pub fn way_back(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        Usual::of(self.returns.get_or_init(|| returns(around)), duration_ns)
    }

    /// How long a task takes from the start of its sleep's timer to the switch.
    pub fn way_to_sleep(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        Usual::of(self.sleeps.get_or_init(|| sleeps(around)), duration_ns)
    }

    /// How late the timers of CPUs are that are idle, or not.
    pub fn expiry(&self, around: &Surroundings<'_, '_>, is_idle: bool, late_ns: i64) -> Option<Usual> {
        let [idle, busy] = self.expiries.get_or_init(|| expiries(around));
        Usual::of(if is_idle { idle } else { busy }, late_ns)
    }

    /// How long interrupts run that run the tick.
    pub fn tick(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> Option<Usual> {
        Usual::of(self.ticks.get_or_init(|| ticks(around)), duration_ns)
    }

    /// How far the clock of the trace goes in a time by the clock of timers, which counts nanoseconds.
    pub fn steps_of_clock(&self, around: &Surroundings<'_, '_>, duration_ns: i64) -> i64 {
        let pace = self.pace.get_or_init(|| pace(around));
        let steps = |(steps, ns): (i64, i64)| {
            i64::try_from((i128::from(duration_ns) * i128::from(steps)).checked_div(i128::from(ns))?).ok()
        };
        pace.and_then(steps).unwrap_or(duration_ns)
    }

    /// True where idle CPUs are known to leave their state behind each interrupt.
    pub fn leaves_idle(&self, around: &Surroundings<'_, '_>) -> bool {
        *self.leaves_idle.get_or_init(|| leaves_idle(around))
    }

    /// The period of the tick, where ticks are recorded.
    pub fn tick_ns(&self, around: &Surroundings<'_, '_>) -> Option<i64> {
        *self.tick_ns.get_or_init(|| period_ns(around))
    }
}

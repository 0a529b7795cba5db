//! How often the kernel's tick comes in a recording.

use std::collections::BTreeMap;

use crate::events::TICK_HANDLERS;
use crate::explain::surroundings::{Seen, Surroundings};

/// `CONFIG_HZ` of the architectures that Linux 6.12 has.
const TICKS_HZ: [i64; 10] = [24, 32, 64, 100, 128, 250, 256, 300, 1000, 1024];
/// The interrupt of the local timer, which the tick and all other timers of a CPU share (x86).
const INTERRUPT: &str = "local_timer_entry";
/// That of 256 Hz: faster ticks are not distinguished from other timers by their interrupt.
const LONG_PERIOD_NS: i64 = 3_906_250;
/// Ticks that must lie on the grid of a period, or at its distance, before it is believed.
const MIN_TICKS: usize = 4;
/// Ticks come soon after a multiple of their period: within this part of it.
const SOON_PERCENT: i64 = 10;
/// A grid is believed from this share of ticks on it, and where chance would put far fewer there: this many standard
/// deviations of a binomial of SOON_PERCENT.
const MIN_ON_GRID_PERCENT: usize = 25;
const DEVIATIONS: usize = 4;
/// A multiple of the period has less than this share of the ticks on its grid, a part of the period about as many.
const MORE_THAN_A_MULTIPLE_PERCENT: usize = 51;

/// The period of the tick; `None` where too few ticks are recorded.
pub fn period_ns(around: &Surroundings<'_, '_>) -> Option<i64> {
    let is_unfired = !around.records("hrtimer_expire_entry");
    let tick = |event: Seen<'_>| if is_unfired { started_again(&event) } else { tick(&event) };
    let ticks: Vec<Tick> = around.nearby_events().filter_map(tick).collect();
    by_distance_ns(&ticks).or_else(|| by_grid_ns(&ticks)).or_else(|| by_interrupts_ns(around))
}

/// Where no timers are recorded: how far apart the interrupts of the local timer are while their CPU is busy. Those of other
/// timers come in between, so that only a period that is long is believed.
fn by_interrupts_ns(around: &Surroundings<'_, '_>) -> Option<i64> {
    if around.records("hrtimer_expire_entry") || !around.records(INTERRUPT) {
        return None;
    }
    let mut last: BTreeMap<i16, i64> = BTreeMap::new();
    let mut distances_ns = Vec::new();
    for event in around.nearby_events() {
        if around.is_idle_task(event.task_idx) {
            last.remove(&event.cpu);
        } else if around.event_name(&event) == INTERRUPT
            && let Some(before_ns) = last.insert(event.cpu, event.t_ns)
        {
            distances_ns.push(event.t_ns.saturating_sub(before_ns));
        }
    }
    most_common_ns(distances_ns.iter().copied(), |_| 0).filter(|period_ns| *period_ns >= LONG_PERIOD_NS)
}

struct Tick {
    cpu: i16,
    t_ns: i64,
    /// By the clock of timers, of which ticks are due at the multiples of their period (kernel/time/tick-sched.c).
    now_ns: i64,
}

/// Its handler says which interrupts are ticks: other timers, too, may expire every millisecond.
fn tick(event: &Seen<'_>) -> Option<Tick> {
    let expiry = event.timer_expiry().filter(|expiry| TICK_HANDLERS.contains(&expiry.function))?;
    Some(Tick { cpu: event.cpu, t_ns: event.t_ns, now_ns: expiry.now_ns })
}

/// A tick whose handler is not recorded, but that it starts itself again for the next multiple of its period.
fn started_again(event: &Seen<'_>) -> Option<Tick> {
    let start = event.timer_start().filter(|start| TICK_HANDLERS.contains(&start.function))?;
    let now_ns = start.expires_ns;
    event.is_in_hard_interrupt().then_some(Tick { cpu: event.cpu, t_ns: event.t_ns, now_ns })
}

fn periods_ns() -> impl DoubleEndedIterator<Item = i64> {
    TICKS_HZ.into_iter().map(|hz| 1_000_000_000_i64.div_euclid(hz))
}

/// The one of the kernel's periods at which most ticks of a CPU follow each other, if it is that of half of them.
fn by_distance_ns(ticks: &[Tick]) -> Option<i64> {
    let mut last: BTreeMap<i16, i64> = BTreeMap::new();
    let distances_ns = ticks.iter().filter_map(|tick| {
        let before_ns = last.insert(tick.cpu, tick.t_ns)?;
        Some(tick.t_ns.saturating_sub(before_ns))
    });
    // Periods that lie close to each other, such as those of 250 and 256 Hz, differ in their multiples.
    most_common_ns(distances_ns, |period_ns| on_grid(ticks, period_ns))
}

/// The one of the kernel's periods that most distances have, if half of them have it; of several the one that is `better`.
fn most_common_ns(distances_ns: impl Iterator<Item = i64>, better: impl Fn(i64) -> usize) -> Option<i64> {
    let mut pairs = 0_usize;
    let mut counts = [0_usize; TICKS_HZ.len()];
    for distance_ns in distances_ns {
        pairs = pairs.saturating_add(1);
        for (count, period_ns) in counts.iter_mut().zip(periods_ns()) {
            let off_ns = distance_ns.saturating_sub(period_ns).abs();
            *count = count.saturating_add(usize::from(off_ns <= period_ns.div_euclid(25)));
        }
    }
    let by_count = |(count, period_ns): &(usize, i64)| (*count, better(*period_ns));
    let (count, period_ns) = counts.into_iter().zip(periods_ns()).max_by_key(by_count)?;
    (count >= MIN_TICKS && count.saturating_mul(2) >= pairs).then_some(period_ns)
}

/// The longest of the kernel's periods after whose multiples most ticks come: a guest's ticks are often too late for
/// the distance between two of them to say it, and an idle CPU leaves most of them out.
fn by_grid_ns(ticks: &[Tick]) -> Option<i64> {
    let on_grid = |period_ns: i64| on_grid(ticks, period_ns);
    let most = periods_ns().map(on_grid).max().filter(|most| is_beyond_chance(*most, ticks.len()))?;
    periods_ns().find(|period_ns| {
        on_grid(*period_ns).saturating_mul(100) >= most.saturating_mul(MORE_THAN_A_MULTIPLE_PERCENT)
    })
}

/// How many of the ticks come soon after a multiple of a period.
fn on_grid(ticks: &[Tick], period_ns: i64) -> usize {
    let soon_ns = period_ns.saturating_mul(SOON_PERCENT).div_euclid(100);
    ticks.iter().filter(|tick| tick.now_ns.rem_euclid(period_ns) <= soon_ns).count()
}

/// With n ticks, a tenth of which chance puts on a grid, the variance is 9 n / 100.
fn is_beyond_chance(on_grid: usize, ticks: usize) -> bool {
    let beyond = on_grid.saturating_mul(10).saturating_sub(ticks);
    let is_far = beyond.saturating_mul(beyond) >= ticks.saturating_mul(9).saturating_mul(DEVIATIONS.pow(2));
    is_far && on_grid >= MIN_TICKS && on_grid.saturating_mul(100) >= ticks.saturating_mul(MIN_ON_GRID_PERCENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks of one CPU: the multiples of the period that are not left out, each as late as the function of its index.
    fn ticks(period_ns: i64, count: i64, every: i64, late_ns: impl Fn(i64) -> i64) -> Vec<Tick> {
        let at_ns = |idx: i64| idx * every * period_ns + late_ns(idx);
        (0..count).map(|idx| Tick { cpu: 0, t_ns: 5_000 + at_ns(idx), now_ns: at_ns(idx) }).collect()
    }

    #[test]
    fn every_period_of_the_kernel_is_told_from_its_grid() {
        for (hz, period_ns) in TICKS_HZ.into_iter().zip(periods_ns()) {
            let on_time = ticks(period_ns, 40, 1, |idx| idx * 977 % (period_ns / 20));
            assert_eq!(by_grid_ns(&on_time), Some(period_ns), "{hz} Hz");
            assert_eq!(by_distance_ns(&on_time), Some(period_ns), "{hz} Hz");
        }
    }

    #[test]
    fn a_guest_whose_ticks_are_mostly_late_or_left_out_says_its_period_all_the_same() {
        // Of ten ticks three are on time, the others late by anything up to the next tick.
        let late_ns = |idx: i64| if idx % 10 < 3 { 20_000 + idx * 13 } else { idx * 1_318_103 % 4_000_000 };
        let guest = ticks(4_000_000, 400, 2, late_ns);
        assert_eq!(by_grid_ns(&guest), Some(4_000_000));
        assert_eq!(by_distance_ns(&guest), None, "the distances say nothing");
    }

    #[test]
    fn ticks_off_every_grid_say_it_by_their_distance() {
        // Before Linux 6.4 the ticks began where the boot happened to set them up.
        let shifted = ticks(4_000_000, 40, 1, |_| 1_700_000);
        assert_eq!(by_grid_ns(&shifted), None);
        assert_eq!(
            by_distance_ns(&shifted).map(|period_ns| (period_ns - 4_000_000).abs() <= 160_000),
            Some(true)
        );
    }

    #[test]
    fn a_few_ticks_say_nothing() {
        assert_eq!(by_grid_ns(&ticks(4_000_000, 3, 1, |_| 0)), None);
    }
}

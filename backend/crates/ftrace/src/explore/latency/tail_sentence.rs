//! What is different about the slowest samples, in one sentence.

use std::collections::BTreeMap;

use super::tail::what;
use super::tail_bands::Band;
use super::tail_profile::{CauseKey, Profile};
use crate::analyses::{Cause, LatencyKind};
use crate::explain::share_ppm;

/// Fewer slow samples say little.
const MIN_SLOW: i64 = 10;
/// Shares that differ by less are the same, in parts per million.
const MIN_DIFFERENCE_PPM: i64 = 100_000;

/// The cause whose share rose most from the ordinary samples to the slowest ones, of which there are enough to judge
/// by. `None` without samples.
pub fn sentence(kind: &LatencyKind, whose: String, profile: &Profile, bands: &[Band]) -> Option<String> {
    let total: i64 = bands.iter().map(|band| band.count).sum();
    if total == 0 {
        return None;
    }
    let title = format!("{}{whose}", kind.title);
    // From the slowest bands down, until they are enough; what is left is ordinary.
    let mut slow: Vec<&Band> = Vec::new();
    let mut rest: Vec<&Band> = bands.iter().collect();
    while slow.iter().map(|band| band.count).sum::<i64>() < MIN_SLOW
        && rest.len() > 1
        && let Some(band) = rest.pop()
    {
        slow.push(band);
    }
    let slow_count: i64 = slow.iter().map(|band| band.count).sum();
    if slow_count < MIN_SLOW || rest.iter().map(|band| band.count).sum::<i64>() < slow_count {
        let samples = if total == 1 { "sample is" } else { "samples are" };
        return Some(format!("{title}: {total} {samples} too few to tell slow ones from ordinary ones."));
    }
    let (slow_shares, rest_shares) = (shares(profile, &slow), shares(profile, &rest));
    let difference = |key: &(&str, Option<&str>)| {
        let of = |shares: &BTreeMap<_, u32>| i64::from(shares.get(key).copied().unwrap_or(0));
        of(&slow_shares).saturating_sub(of(&rest_shares))
    };
    let most = slow_shares.keys().max_by_key(|key| difference(key)).copied();
    let Some(key) = most.filter(|key| difference(key) >= MIN_DIFFERENCE_PPM) else {
        return Some(format!("{title}: the causes of slow and of ordinary ones are the same."));
    };
    let of = |shares: &BTreeMap<_, u32>| percent(shares.get(&key).copied().unwrap_or(0));
    Some(format!(
        "{title}, the slowest {}: {} of the time {}; the others: {}.",
        percent(share_ppm(slow_count, total)),
        of(&slow_shares),
        phrase(key.0, key.1),
        of(&rest_shares),
    ))
}

/// The share of each cause in some bands together.
fn shares<'p>(profile: &'p Profile, bands: &[&Band]) -> BTreeMap<(&'p str, Option<&'p str>), u32> {
    let mut sums: BTreeMap<(&str, Option<&str>), i64> = BTreeMap::new();
    for (CauseKey { cause, name, .. }, cells) in &profile.causes {
        let duration_ns = bands.iter().map(|band| band.sum(cells)).fold(0, i64::saturating_add);
        let sum = sums.entry((cause, name.as_deref())).or_default();
        *sum = sum.saturating_add(duration_ns);
    }
    let total_ns = bands.iter().map(|band| band.total_ns).fold(0, i64::saturating_add);
    sums.into_iter().map(|(key, duration_ns)| (key, share_ppm(duration_ns, total_ns))).collect()
}

/// `behind hackbench`, `in the interrupt local_timer:236`, `idle`.
fn phrase(cause: &str, name: Option<&str>) -> String {
    let what = what(cause, name);
    let is = |known: Cause| cause == known.name();
    match name.filter(|name| !name.is_empty()) {
        Some(_) if is(Cause::Irq) => format!("in the interrupt {what}"),
        Some(_) if is(Cause::Softirq) => format!("in the softirq {what}"),
        Some(_) if is(Cause::Irqsoff) => format!("with interrupts off by {what}"),
        Some(_) if is(Cause::Preemptoff) => format!("with preemption off by {what}"),
        _ if is(Cause::Irqsoff) => "with interrupts off".to_owned(),
        _ if is(Cause::Preemptoff) => "with preemption off".to_owned(),
        _ if is(Cause::Task) || cause == "other" => format!("behind {what}"),
        _ if is(Cause::Idle) => "with the CPU idle".to_owned(),
        _ if is(Cause::Itself) => "in the task itself".to_owned(),
        _ if is(Cause::Unknown) => what,
        _ => format!("in {what}"),
    }
}

/// `61 %`, `1.2 %`, `0.01 %`: two digits that matter.
fn percent(ppm: u32) -> String {
    match ppm {
        0 => "0 %".to_owned(),
        95_000.. => format!("{} %", (ppm + 5_000) / 10_000),
        9_500.. => {
            let tenths = (ppm + 500) / 1_000;
            let (whole, tenth) = (tenths / 10, tenths % 10);
            if tenth == 0 { format!("{whole} %") } else { format!("{whole}.{tenth} %") }
        }
        _ => {
            let hundredths = ((ppm + 50) / 100).max(1);
            let text = format!("0.{hundredths:02}");
            format!("{} %", text.strip_suffix('0').unwrap_or(&text))
        }
    }
}

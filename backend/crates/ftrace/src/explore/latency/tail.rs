//! The tail profile of a kind: what took the time of its samples, from the ordinary ones to the slowest.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tail_bands::{Band, bands, chosen_band, edge_error_ppm};
use super::tail_choice::Choice;
use super::tail_profile::{CauseKey, Profile, read_parts, read_subjects};
use super::tail_sentence::sentence;
use super::worst::read_totals;
use super::{Selection, known_kind};
use crate::analyses::{Cause, LatencyKind};
use crate::explain::place::{A_SOFTIRQ, AN_INTERRUPT};
use crate::explain::stages::Mark;
use crate::explain::{phrases, share_ppm};
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::kinds::KINDS;
use crate::store::read::dictionaries::read_tasks;
use crate::store::tables;

/// Filters of lists that no profile is kept for.
const NOT_KEPT: [&str; 5] = ["cpu", "start", "end", "key", "field"];

#[derive(Serialize)]
struct Tail {
    kind: &'static str,
    title: &'static str,
    count: i64,
    total_ns: i64,
    /// Why there are no bands, and the way out.
    unavailable: Option<String>,
    resolution_ppm: i64,
    edge_error_ppm: i64,
    sentence: Option<String>,
    bands: Vec<BandItem>,
    /// Of the durations that were asked for.
    chosen: Option<BandItem>,
}

#[derive(Serialize)]
struct BandItem {
    name: &'static str,
    from_ppm: i64,
    to_ppm: i64,
    count: i64,
    total_ns: i64,
    min_ns: i64,
    max_ns: i64,
    causes: Vec<CauseItem>,
    stages: Vec<StageItem>,
    mechanisms: Vec<MechanismItem>,
    cases: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct CauseItem {
    cause: String,
    what: String,
    duration_ns: i64,
    share_ppm: u32,
    mechanisms: Vec<MechanismItem>,
}

#[derive(Serialize)]
struct StageItem {
    name: String,
    from: String,
    to: String,
    duration_ns: i64,
    share_ppm: u32,
}

#[derive(Serialize)]
struct MechanismItem {
    mechanism: String,
    duration_ns: i64,
    share_ppm: u32,
}

/// GET latencies/tail: nothing is read but the sums that were made when the trace was loaded.
pub async fn latency_tail(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let kind = kind_of(&params)?;
    refuse_filters(&params)?;
    let [task, latency_kind, latency_task, latency_tail, latency_tail_part] = stored
        .whole([
            &tables::TASK,
            &tables::LATENCY_KIND,
            &tables::LATENCY_TASK,
            &tables::LATENCY_TAIL,
            &tables::LATENCY_TAIL_PART,
        ])
        .await;
    let tasks = read_tasks(&task)?;
    let choice = Choice::from_params(&params, kind, &tasks, &latency_task)?;
    let subjects = read_subjects(&latency_tail, kind.code)?;
    let is_recorded = read_totals(&latency_kind)?.contains_key(&kind.code);
    let mut profile = Profile::default();
    let wanted = choice.subjects(subjects.iter().map(|(subject, _)| *subject), &tasks)?;
    for (_, counts) in subjects.iter().filter(|(subject, _)| wanted.contains(&subject.number)) {
        profile.count(counts);
    }
    read_parts(&latency_tail_part, kind.code, |number| wanted.contains(&number), &mut profile)?;
    let unavailable = (is_recorded && subjects.is_empty()).then(|| unavailable(kind));
    let range = chosen_range(&params)?;
    answer_json(&Tail::new(kind, &profile, &choice, range, unavailable))
}

fn kind_of(params: &Params) -> Result<&'static LatencyKind, ExploreError> {
    match params.names("kind")?.as_slice() {
        [name] => Ok(known_kind(name)?.latency()),
        _ => Selection::of_one_kind(params).map(|(_, kind)| kind),
    }
}

fn refuse_filters(params: &Params) -> Result<(), ExploreError> {
    for name in NOT_KEPT {
        if params.shown(name).is_some() {
            let detail = "tail profiles are kept of whole traces, by task; ask for pid, comm or priority_class, \
                          or ask latencies/stats about part of a trace";
            return Err(ExploreError::bad(name, detail));
        }
    }
    Ok(())
}

/// The durations that a band of their own is asked of: `min` to `max`, both included; `None` without either.
fn chosen_range(params: &Params) -> Result<Option<(i64, i64)>, ExploreError> {
    let (min_ns, max_ns) = (params.duration("min")?, params.duration("max")?);
    if min_ns.is_none() && max_ns.is_none() {
        return Ok(None);
    }
    Ok(Some((min_ns.unwrap_or(0), max_ns.unwrap_or(i64::MAX))))
}

/// Why samples of `kind` have no profile, and the way out.
pub(super) fn unavailable(kind: &LatencyKind) -> String {
    let why = KINDS.iter().find(|one| one.latency().code == kind.code).and_then(|one| one.why_unprofiled());
    match why {
        Some(why) => format!("There are no tail profiles of `{}`: {why}.", kind.name),
        None => {
            "An earlier version loaded this trace and made no tail profiles. Load it again to make them: \
                 `POST /traces/{trace}/reload`."
                .to_owned()
        }
    }
}

impl Tail {
    fn new(
        kind: &'static LatencyKind,
        profile: &Profile,
        choice: &Choice,
        range: Option<(i64, i64)>,
        unavailable: Option<String>,
    ) -> Self {
        let bands = bands(&profile.counts);
        let chosen = range.and_then(|(min_ns, max_ns)| chosen_band(&profile.counts, min_ns, max_ns));
        let counts = profile.counts.values();
        Self {
            kind: kind.name,
            title: kind.title,
            count: counts.clone().map(|cell| cell.count).sum(),
            total_ns: counts.map(|cell| cell.total_ns).fold(0, i64::saturating_add),
            unavailable,
            resolution_ppm: RESOLUTION_PPM,
            edge_error_ppm: edge_error_ppm(&bands),
            sentence: sentence(kind, choice.whose(), profile, &bands),
            bands: bands.iter().map(|band| BandItem::new(kind, band, profile, choice)).collect(),
            chosen: chosen.map(|band| BandItem::new(kind, &band, profile, choice)),
        }
    }
}

/// The width of a cell of durations, as a part of them.
const RESOLUTION_PPM: i64 = 15_625;

impl BandItem {
    fn new(kind: &LatencyKind, band: &Band, profile: &Profile, choice: &Choice) -> Self {
        let (causes, mechanisms) = sums(band, profile);
        let mut cases = choice.parameters();
        cases.extend([
            ("kind", kind.name.to_owned()),
            ("min", format!("{}ns", band.min_ns)),
            ("max", format!("{}ns", band.max_ns)),
        ]);
        Self {
            name: band.name,
            from_ppm: band.from_ppm,
            to_ppm: band.to_ppm,
            count: band.count,
            total_ns: band.total_ns,
            min_ns: band.min_ns,
            max_ns: band.max_ns,
            causes: cause_items(causes, band.total_ns),
            stages: stage_items(band, profile),
            mechanisms: mechanism_items(mechanisms, band.total_ns),
            cases,
        }
    }
}

/// Nanoseconds by mechanism.
type ByMechanism<'p> = BTreeMap<&'p str, i64>;
/// The same by cause and its name.
type ByCause<'p> = BTreeMap<(&'p str, Option<&'p str>), ByMechanism<'p>>;

/// What took the time of a band: by cause, and of all causes together.
fn sums<'p>(band: &Band, profile: &'p Profile) -> (ByCause<'p>, ByMechanism<'p>) {
    let (mut causes, mut mechanisms) = (ByCause::new(), ByMechanism::new());
    for (CauseKey { cause, name, mechanism }, cells) in &profile.causes {
        let duration_ns = band.sum(cells);
        if duration_ns > 0 {
            let of_cause = causes.entry((cause, name.as_deref())).or_default();
            for sums in [of_cause, &mut mechanisms] {
                let sum = sums.entry(mechanism).or_default();
                *sum = sum.saturating_add(duration_ns);
            }
        }
    }
    (causes, mechanisms)
}

/// The largest first.
fn cause_items(causes: ByCause<'_>, whole_ns: i64) -> Vec<CauseItem> {
    let items = causes.into_iter().map(|((cause, name), mechanisms)| {
        let duration_ns = mechanisms.values().copied().fold(0, i64::saturating_add);
        CauseItem {
            cause: cause.to_owned(),
            what: what(cause, name),
            duration_ns,
            share_ppm: share_ppm(duration_ns, whole_ns),
            mechanisms: mechanism_items(mechanisms, duration_ns),
        }
    });
    let mut items: Vec<CauseItem> = items.collect();
    items.sort_by(|a, b| (b.duration_ns, &a.cause, &a.what).cmp(&(a.duration_ns, &b.cause, &b.what)));
    items
}

/// In the order of a latency that has all marks.
fn stage_items(band: &Band, profile: &Profile) -> Vec<StageItem> {
    let items = profile.stages.iter().map(|((from, to), cells)| {
        let duration_ns = band.sum(cells);
        StageItem {
            name: format!("{from} → {to}"),
            from: from.clone(),
            to: to.clone(),
            duration_ns,
            share_ppm: share_ppm(duration_ns, band.total_ns),
        }
    });
    let mut items: Vec<StageItem> = items.filter(|stage| stage.duration_ns > 0).collect();
    let place = |name: &str| Mark::ALL.iter().position(|mark| mark.name() == name);
    items.sort_by_key(|stage| (place(&stage.from), place(&stage.to)));
    items
}

/// The largest first.
fn mechanism_items(sums: BTreeMap<&str, i64>, whole_ns: i64) -> Vec<MechanismItem> {
    let items = sums.into_iter().map(|(mechanism, duration_ns)| MechanismItem {
        mechanism: mechanism.to_owned(),
        duration_ns,
        share_ppm: share_ppm(duration_ns, whole_ns),
    });
    let mut items: Vec<MechanismItem> = items.collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.duration_ns));
    items
}

/// What a cause is called that has no name of its own.
pub fn what(cause: &str, name: Option<&str>) -> String {
    let nameless = || match cause {
        cause if cause == Cause::Nmi.name() => "NMI",
        cause if cause == Cause::Irq.name() => AN_INTERRUPT,
        cause if cause == Cause::Softirq.name() => A_SOFTIRQ,
        cause if cause == Cause::Gap.name() => phrases::HARDWARE,
        cause if cause == Cause::Idle.name() => "idle",
        cause if cause == Cause::Itself.name() => "the task itself",
        cause if cause == Cause::Unknown.name() => "not recorded",
        "other" => "other causes",
        _ => "unknown",
    };
    name.filter(|name| !name.is_empty()).unwrap_or_else(nameless).to_owned()
}

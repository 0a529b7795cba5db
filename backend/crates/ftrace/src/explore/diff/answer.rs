//! A comparison in the shape of the API.

use serde::Serialize;

use super::call_shapes::ShapeItem;
use super::causes::CauseItem;
use super::guard::Difference;
use super::instances::Spread as SpreadOfSide;
use super::sentence::sentence;
use super::side::Side;
use super::stage_pairs::StagePair;
use crate::diff::{Center, Contribution, Diff, Kind, Names, Place, Repeat, Row, Sides, Spread, Status};
use crate::explore::ExploreError;
use crate::explore::request::Params;
use crate::model::TimeUnit;

const DEFAULT_ROWS: i64 = 2_000;
const MAX_ROWS: i64 = 20_000;
/// What is less than this part of the difference is noise, unless the request says otherwise.
const NOISE_DIVISOR: u64 = 100;

/// How much of a comparison is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// One percent of the difference where absent.
    noise_floor_ns: Option<u64>,
    limit: usize,
}

impl Shown {
    /// Errors: a parameter that is malformed or out of its range.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let noise_floor_ns = params.duration("noise_floor")?.map(i64::unsigned_abs);
        let limit = params.int("limit", 1..=MAX_ROWS, DEFAULT_ROWS)?;
        Ok(Self { noise_floor_ns, limit: usize::try_from(limit).unwrap_or(usize::MAX) })
    }
}

/// Everything that an answer is made of.
pub struct Compared<'c> {
    pub names: &'c Names,
    pub diff: &'c Diff,
    pub sides: Sides<SideOfAnswer>,
    pub kind: &'static str,
    pub unit: TimeUnit,
    pub guard: Vec<Difference>,
    pub notes: Vec<String>,
    pub url: String,
    pub causes: Vec<CauseItem>,
    pub stages: Vec<StagePair>,
    pub shapes: Vec<ShapeItem>,
    /// What the causes and stages say, where they do.
    pub said: Option<String>,
    /// Where there is nothing that could say it.
    pub unexplained: Option<String>,
}

#[derive(Serialize)]
pub struct DiffAnswer {
    #[serde(flatten)]
    sides: Sides<SideOfAnswer>,
    kind: &'static str,
    unit: &'static str,
    delta_ns: i64,
    summary: String,
    /// The difference by the order of events, where `summary` is by causes.
    by_events: Option<String>,
    causes: Vec<CauseItem>,
    stages: Vec<StagePair>,
    shapes: Vec<ShapeItem>,
    is_doubtful: bool,
    guard: Vec<Difference>,
    noise_floor_ns: u64,
    contributions: ContributionLists,
    rows: Columns,
    rows_hidden: Rest,
    notes: Vec<String>,
    url: String,
}

#[derive(Serialize)]
pub struct SideOfAnswer {
    #[serde(flatten)]
    pub side: Side,
    pub set: Option<SetOfSide>,
}

/// The instances of a side.
#[derive(Serialize)]
pub struct SetOfSide {
    #[serde(flatten)]
    pub spread: SpreadOfSide,
    /// Instances that were aligned.
    pub used: usize,
}

/// What is not shown one by one.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Rest {
    count: usize,
    delta_ns: i64,
}

impl Rest {
    fn add(&mut self, delta_ns: i64) {
        self.count = self.count.saturating_add(1);
        self.delta_ns = self.delta_ns.saturating_add(delta_ns);
    }
}

#[derive(Serialize)]
struct ContributionLists {
    only_one_side: Vec<ContributionItem>,
    slower: Vec<ContributionItem>,
    below_floor: Rest,
}

#[derive(Serialize)]
struct ContributionItem {
    names: Vec<String>,
    under: Option<String>,
    path: Vec<String>,
    row: usize,
    delta_ns: i64,
    count: u32,
    is_interrupt: bool,
    /// Whether the other side makes them at another time.
    repeat: Option<&'static str>,
    hit: Vec<String>,
    sentence: String,
    seen: Option<Sides<Seen>>,
    distance_mad: Option<f64>,
}

/// In how many instances of a side something is there.
#[derive(Clone, Copy, Serialize)]
struct Seen {
    seen: u32,
    of: u32,
}

#[derive(Default, Serialize)]
struct Columns {
    id: Vec<usize>,
    parent: Vec<Option<usize>>,
    depth: Vec<u32>,
    name: Vec<String>,
    other_name: Vec<Option<String>>,
    status: Vec<&'static str>,
    kind: Vec<&'static str>,
    #[serde(flatten)]
    sides: Sides<SideColumns>,
    delta_ns: Vec<i64>,
    self_delta_ns: Vec<i64>,
    is_ambiguous: Vec<bool>,
    largest_ns: Vec<u64>,
    hit: Vec<Option<String>>,
}

#[derive(Default, Serialize)]
struct SideColumns {
    count: Vec<u32>,
    start_ns: Vec<Option<i64>>,
    duration_ns: Vec<Option<i64>>,
    #[serde(flatten)]
    spread: Option<SpreadColumns>,
}

#[derive(Default, Serialize)]
struct SpreadColumns {
    seen: Vec<u32>,
    of: Vec<u32>,
    median_ns: Vec<Option<i64>>,
    mad_ns: Vec<Option<i64>>,
}

impl DiffAnswer {
    /// A comparison as JSON: at most `shown.limit` rows, of which those with the largest differences are kept.
    pub fn new(compared: Compared<'_>, shown: Shown) -> Self {
        let Compared {
            names,
            diff,
            sides,
            kind,
            unit,
            guard,
            notes,
            url,
            causes,
            stages,
            shapes,
            said,
            unexplained,
        } = compared;
        let places = Places::of(&diff.rows, shown.limit);
        let lists = Lists { names, diff, places: &places };
        let noise_floor_ns = shown.noise_floor_ns.unwrap_or(diff.delta_ns.unsigned_abs() / NOISE_DIVISOR);
        let (rows, rows_hidden) = columns(names, &diff.rows, &places);
        Self {
            sides,
            kind,
            unit: unit.name(),
            delta_ns: diff.delta_ns,
            by_events: said.is_some().then(|| diff.summary.clone()),
            summary: said.or(unexplained).unwrap_or_else(|| diff.summary.clone()),
            causes,
            stages,
            shapes,
            is_doubtful: guard.iter().any(|difference| difference.is_doubtful),
            guard,
            noise_floor_ns,
            contributions: lists.contributions(noise_floor_ns),
            rows,
            rows_hidden,
            notes: diff.notes.iter().cloned().chain(notes).collect(),
            url,
        }
    }
}

/// Where the rows of a comparison are shown: those that matter most, with all that they lie in.
struct Places(Vec<Option<usize>>);

impl Places {
    fn of(rows: &[Row], limit: usize) -> Self {
        let mut ranked: Vec<usize> = (0..rows.len()).collect();
        // A caller's largest is never below that of what it calls, so that it comes before it.
        ranked.sort_by_key(|at| (std::cmp::Reverse(rows.get(*at).map(|row| row.largest_ns)), *at));
        let mut is_shown = vec![false; rows.len()];
        for at in ranked.into_iter().take(limit) {
            is_shown.get_mut(at).into_iter().for_each(|shown| *shown = true);
        }
        let mut next = 0_usize..;
        Self(is_shown.into_iter().map(|shown| if shown { next.next() } else { None }).collect())
    }

    fn of_row(&self, row: u32) -> Option<usize> {
        self.0.get(usize::try_from(row).ok()?).copied().flatten()
    }

    /// The row, else the nearest shown one that it lies in.
    fn nearest(&self, rows: &[Row], row: u32) -> usize {
        let at = |row: u32| rows.get(usize::try_from(row).ok()?);
        let mut callers = std::iter::successors(Some(row), |row| at(*row)?.parent);
        callers.find_map(|row| self.of_row(row)).unwrap_or(0)
    }
}

fn columns(names: &Names, rows: &[Row], places: &Places) -> (Columns, Rest) {
    let mut columns = Columns::default();
    let mut hidden = Rest::default();
    for (number, row) in (0_u32..).zip(rows) {
        let Some(id) = places.of_row(number) else {
            hidden.add(row.self_delta_ns);
            continue;
        };
        columns.id.push(id);
        columns.parent.push(row.parent.and_then(|parent| places.of_row(parent)));
        columns.depth.push(row.depth);
        columns.name.push(names.text(row.name).to_owned());
        columns.other_name.push(row.other_name.map(|name| names.text(name).to_owned()));
        columns.status.push(status_name(row.status));
        columns.kind.push(kind_name(row.kind));
        let has_set = row.spreads.into_iter().any(|spread| spread.is_some());
        columns.sides.abnormal.push(row.places.abnormal, row.spreads.abnormal, has_set);
        columns.sides.normal.push(row.places.normal, row.spreads.normal, has_set);
        columns.delta_ns.push(row.delta_ns);
        columns.self_delta_ns.push(row.self_delta_ns);
        columns.is_ambiguous.push(row.is_ambiguous);
        columns.largest_ns.push(row.largest_ns);
        columns.hit.push(row.hit.map(|name| names.text(name).to_owned()));
    }
    (columns, hidden)
}

impl SideColumns {
    /// With `has_set`, a side that is no set counts as one instance.
    fn push(&mut self, place: Option<Place>, spread: Option<Spread>, has_set: bool) {
        self.count.push(place.map_or(0, |place| place.count));
        self.start_ns.push(place.map(|place| place.start_ns));
        self.duration_ns.push(place.map(|place| place.duration_ns));
        if has_set {
            let whole = place.map(|place| Center { median_ns: place.duration_ns, mad_ns: 0 });
            let one = Spread { seen: u32::from(place.is_some()), of: 1, whole, own: None };
            self.spread.get_or_insert_default().push(spread.unwrap_or(one));
        }
    }
}

impl SpreadColumns {
    fn push(&mut self, spread: Spread) {
        self.seen.push(spread.seen);
        self.of.push(spread.of);
        self.median_ns.push(spread.whole.map(|center| center.median_ns));
        self.mad_ns.push(spread.whole.map(|center| center.mad_ns));
    }
}

struct Lists<'c> {
    names: &'c Names,
    diff: &'c Diff,
    places: &'c Places,
}

impl Lists<'_> {
    fn contributions(&self, noise_floor_ns: u64) -> ContributionLists {
        let mut below_floor = Rest::default();
        let mut list = |all: &[Contribution]| {
            let (shown, below): (Vec<_>, Vec<_>) =
                all.iter().partition(|one| one.delta_ns.unsigned_abs() >= noise_floor_ns);
            below.iter().for_each(|one| below_floor.add(one.delta_ns));
            shown.into_iter().map(|one| self.item(one)).collect()
        };
        let only_one_side = list(&self.diff.contributions.only_one_side);
        let slower = list(&self.diff.contributions.slower);
        ContributionLists { only_one_side, slower, below_floor }
    }

    fn item(&self, one: &Contribution) -> ContributionItem {
        let text = |name: &crate::diff::NameId| self.names.text(*name).to_owned();
        let is_one_sided = one.status != Status::Matched;
        let has_set = one.spreads.into_iter().any(|spread| spread.is_some());
        let is_there = Sides { abnormal: one.status != Status::Removed, normal: one.status != Status::Added };
        let seen = one.spreads.zip(is_there).map(|(spread, is_there)| match spread {
            Some(Spread { seen, of, .. }) => Seen { seen, of },
            None => Seen { seen: u32::from(is_there), of: 1 },
        });
        ContributionItem {
            names: one.names.iter().map(text).collect(),
            under: one.path.last().map(text),
            path: one.path.iter().map(text).collect(),
            row: self.places.nearest(&self.diff.rows, one.row),
            delta_ns: one.delta_ns,
            count: one.count,
            is_interrupt: one.kind == Kind::Interrupt,
            repeat: is_one_sided.then(|| repeat_name(one.repeat)),
            hit: one.hit.iter().map(text).collect(),
            sentence: sentence(self.names, one),
            seen: has_set.then_some(seen),
            distance_mad: one.distance_milli_mad.map(tenths),
        }
    }
}

/// How many times the usual distance, to one digit.
fn tenths(milli: i64) -> f64 {
    f64::from(i32::try_from(milli.saturating_abs() / 100).unwrap_or(i32::MAX)) / 10.0
}

fn repeat_name(repeat: Repeat) -> &'static str {
    match repeat {
        Repeat::New => "new",
        Repeat::More => "more",
        Repeat::Moved => "moved",
    }
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Matched => "matched",
        Status::Added => "added",
        Status::Removed => "removed",
        Status::Elided => "elided",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "call",
        Kind::Interrupt => "interrupt",
        Kind::Softirq => "softirq",
        Kind::Event => "event",
    }
}

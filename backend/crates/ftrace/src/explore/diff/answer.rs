//! A comparison in the shape of the API.

use serde::Serialize;

use super::guard::Difference;
use super::instances::Spread;
use super::side::Side;
use super::words::signed_microseconds;
use crate::diff::{Contribution, Diff, Kind, Names, Row, Status};
use crate::explore::ExploreError;
use crate::explore::request::Params;

const DEFAULT_ROWS: i64 = 2_000;
const MAX_ROWS: i64 = 20_000;

/// How much of a comparison is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    noise_floor_ns: u64,
    limit: usize,
}

impl Shown {
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let noise_floor_ns = params.duration("noise_floor")?.unwrap_or(0).unsigned_abs();
        let limit = params.int("limit", 1..=MAX_ROWS, DEFAULT_ROWS)?;
        Ok(Self { noise_floor_ns, limit: usize::try_from(limit).unwrap_or(usize::MAX) })
    }
}

/// Everything that an answer is made of.
pub struct Compared<'c> {
    pub names: &'c Names,
    pub diff: &'c Diff,
    pub abnormal: Side,
    pub normal: Side,
    pub set: Option<NormalSet>,
    pub kind: &'static str,
    pub guard: Vec<Difference>,
    pub notes: Vec<String>,
    pub url: String,
}

#[derive(Serialize)]
pub struct DiffAnswer {
    abnormal: Side,
    normal: Side,
    normal_set: Option<NormalSet>,
    kind: &'static str,
    a_ns: i64,
    b_ns: i64,
    delta_ns: i64,
    summary: String,
    is_doubtful: bool,
    guard: Vec<Difference>,
    contributions: ContributionLists,
    rows: Columns,
    rows_hidden: Rest,
    notes: Vec<String>,
    url: String,
}

/// The instances that are normal.
#[derive(Serialize)]
pub struct NormalSet {
    #[serde(flatten)]
    pub spread: Spread,
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
    sentence: String,
    seen_a: Option<u32>,
    of_a: Option<u32>,
    seen_b: Option<u32>,
    of_b: Option<u32>,
    distance_mad: Option<f64>,
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
    count_a: Vec<u32>,
    count_b: Vec<u32>,
    a_start_ns: Vec<Option<i64>>,
    b_start_ns: Vec<Option<i64>>,
    a_ns: Vec<Option<i64>>,
    b_ns: Vec<Option<i64>>,
    delta_ns: Vec<i64>,
    self_delta_ns: Vec<i64>,
    is_ambiguous: Vec<bool>,
    largest_ns: Vec<u64>,
    #[serde(flatten)]
    seen: Option<SeenColumns>,
}

#[derive(Default, Serialize)]
struct SeenColumns {
    seen_a: Vec<u32>,
    of_a: Vec<u32>,
    seen_b: Vec<u32>,
    of_b: Vec<u32>,
    median_b_ns: Vec<Option<i64>>,
    mad_b_ns: Vec<Option<i64>>,
}

impl DiffAnswer {
    pub fn new(compared: Compared<'_>, shown: Shown) -> Self {
        let Compared { names, diff, abnormal, normal, set, kind, guard, notes, url } = compared;
        let places = Places::of(&diff.rows, shown.limit);
        let lists = Lists { names, diff, places: &places };
        let (rows, rows_hidden) = columns(names, &diff.rows, &places);
        Self {
            abnormal,
            normal,
            normal_set: set,
            kind,
            a_ns: diff.a_ns,
            b_ns: diff.b_ns,
            delta_ns: diff.delta_ns,
            summary: diff.summary.clone(),
            is_doubtful: guard.iter().any(|difference| difference.is_doubtful),
            guard,
            contributions: lists.contributions(shown.noise_floor_ns),
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
        columns.count_a.push(row.a.map_or(0, |place| place.count));
        columns.count_b.push(row.b.map_or(0, |place| place.count));
        columns.a_start_ns.push(row.a.map(|place| place.start_ns));
        columns.b_start_ns.push(row.b.map(|place| place.start_ns));
        columns.a_ns.push(row.a.map(|place| place.duration_ns));
        columns.b_ns.push(row.b.map(|place| place.duration_ns));
        columns.delta_ns.push(row.delta_ns);
        columns.self_delta_ns.push(row.self_delta_ns);
        columns.is_ambiguous.push(row.is_ambiguous);
        columns.largest_ns.push(row.largest_ns);
        if let Some(set) = row.normal_set {
            let seen = columns.seen.get_or_insert_default();
            seen.seen_a.push(u32::from(row.a.is_some()));
            seen.of_a.push(1);
            seen.seen_b.push(set.seen);
            seen.of_b.push(set.of);
            seen.median_b_ns.push(set.median_ns);
            seen.mad_b_ns.push(set.mad_ns);
        }
    }
    (columns, hidden)
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
        let set = one.normal_set;
        ContributionItem {
            names: one.names.iter().map(text).collect(),
            under: one.path.last().map(text),
            path: one.path.iter().map(text).collect(),
            row: self.places.nearest(&self.diff.rows, one.row),
            delta_ns: one.delta_ns,
            count: one.count,
            is_interrupt: one.kind == Kind::Interrupt,
            sentence: self.sentence(one),
            seen_a: set.map(|_| u32::from(one.status != Status::Removed)),
            of_a: set.map(|_| 1),
            seen_b: set.map(|set| set.seen),
            of_b: set.map(|set| set.of),
            distance_mad: one.distance_milli_mad.map(tenths),
        }
    }

    /// `+8.369 µs: ktime_get, hrtimer_forward under enqueue_task_rt, which the normal one does not have`
    fn sentence(&self, one: &Contribution) -> String {
        let called: Vec<&str> = one.names.iter().map(|name| self.names.text(*name)).collect();
        let mut text = format!("{}: {}", signed_microseconds(one.delta_ns), called.join(", "));
        if let Some(under) = one.path.last().filter(|_| one.kind != Kind::Interrupt) {
            text += &format!(" under {}", self.names.text(*under));
        }
        if one.count > 1 && one.names.len() == 1 {
            text += &format!(", {} times", one.count);
        }
        text += match one.status {
            Status::Added => ", only in the abnormal one",
            Status::Removed => ", only in the normal one",
            _ if one.kind == Kind::Event && one.delta_ns > 0 => ", longer until the next event",
            _ if one.kind == Kind::Event => ", shorter until the next event",
            _ if one.delta_ns > 0 => ", slower by itself",
            _ => ", faster by itself",
        };
        if let Some(set) = one.normal_set {
            text += &format!(" (in {} of {} normal ones)", set.seen, set.of);
        }
        text
    }
}

/// How many times the usual distance, to one digit.
fn tenths(milli: i64) -> f64 {
    f64::from(i32::try_from(milli.saturating_abs() / 100).unwrap_or(i32::MAX)) / 10.0
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
        Kind::Event => "event",
    }
}

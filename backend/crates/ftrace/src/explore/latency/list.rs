//! The list of latencies, the worst first unless the request says otherwise.

use std::cmp::Ordering;

use serde::Serialize;

use super::item::{CaseItem, CaseItems};
use super::order::{Order, Place, Position};
use super::plan::refuse_above;
use super::samples::{StoredLatency, read_samples};
use super::selection::Selection;
use super::worst;
use crate::analyses::LatencyKind;
use crate::explore::plan::MAX_RAW_SLICES;
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json, dictionaries};

const MAX_LIMIT: i64 = 1_000;
const DEFAULT_LIMIT: i64 = 20;

/// Streams of the tables that name what samples are about.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameTables<'a> {
    pub task: &'a [u8],
    pub symbol: &'a [u8],
    /// JSON object: the first sentence of every case that was explained, by id.
    pub explained: &'a str,
}

#[derive(Serialize)]
struct Page {
    items: Vec<CaseItem>,
    next: Option<Position>,
}

/// The samples of one kind that are at hand.
struct KindSamples {
    kind: &'static LatencyKind,
    samples: Vec<StoredLatency>,
}

/// A wanted sample: its place in the order, and where it is.
type Found = (Place, usize, usize);

/// How much of the list can be told from the samples that are at hand.
#[derive(Default)]
struct AtHand {
    /// None where every sample is.
    bound: Option<Bound>,
    /// True where it is known that something follows.
    has_more: bool,
}

/// Up to where in the order every sample is at hand.
#[derive(Clone, Copy)]
enum Bound {
    Through(Place),
    /// Up to this key, without it.
    Before(i64),
}

impl AtHand {
    fn is_all(&self) -> bool {
        self.bound.is_none()
    }

    /// Of another kind, everything up to `last` is at hand.
    fn until(&mut self, last: Place) {
        self.bound = match self.bound {
            Some(Bound::Through(other)) => Some(Bound::Through(last.min(other))),
            _ => Some(Bound::Through(last)),
        };
    }

    fn is_sure(&self, place: &Place) -> bool {
        match self.bound {
            None => true,
            Some(Bound::Through(last)) => *place <= last,
            Some(Bound::Before(key)) => place.0 < key,
        }
    }
}

struct Request {
    selection: Selection,
    order: Order,
    after: Option<Position>,
    limit: usize,
}

impl Request {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let limit = params.int("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?;
        Ok(Self {
            selection: Selection::from_params(params)?,
            order: Order::from_params(params)?,
            after: Position::from_params(params)?,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        })
    }
}

/// JSON page from the worst samples of each kind, which are kept apart; `null` where that takes more.
pub fn worst_latencies(
    request: &str,
    latency_case: &[u8],
    latency_kind: &[u8],
    names: NameTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let request = Request::from_params(&params)?;
    if request.order != Order::Longest {
        return answer_json(&None::<Page>);
    }
    let totals = worst::read_totals(latency_kind)?;
    let mut kept = worst::read_worst(latency_case)?;
    let mut kinds = Vec::new();
    let mut at_hand = AtHand::default();
    for kind in request.selection.kinds.iter().copied() {
        let samples = kept.remove(&kind.code).unwrap_or_default();
        let count = totals.get(&kind.code).map_or(0, |totals| totals.count);
        if usize::try_from(count).is_ok_and(|count| count > samples.len()) {
            let Some(last) = samples.last() else { return answer_json(&None::<Page>) };
            at_hand.until(request.order.place(kind, last));
        }
        kinds.push(KindSamples { kind, samples });
    }
    // Without a filter, what is not at hand is on the list, too.
    at_hand.has_more = request.selection.is_whole() && !at_hand.is_all();
    answer(&request, &params, &kinds, names, &at_hand)
}

/// JSON page from blocks; `null` where those that hold `rest`, the smallest key of the order among the
/// samples that are not at hand, can hold some of it.
///
/// Errors: `window_too_large` where `is_last`, and more blocks would have to be read.
pub fn latencies(
    request: &str,
    sample_blocks: &[&[u8]],
    slice_blocks: &[&[u8]],
    rest: Option<i64>,
    is_last: bool,
    names: NameTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let request = Request::from_params(&params)?;
    let mut kinds = Vec::new();
    for kind in request.selection.kinds.iter().copied() {
        kinds.push(KindSamples { kind, samples: read_samples(kind, sample_blocks, slice_blocks)? });
    }
    let at_hand = AtHand { bound: rest.map(Bound::Before), has_more: false };
    let page = answer(&request, &params, &kinds, names, &at_hand)?;
    if page == b"null" && is_last {
        refuse_above(MAX_RAW_SLICES.saturating_add(1))?;
    }
    Ok(page)
}

/// The page, where all of it is sure to come before whatever is not at hand.
fn answer(
    request: &Request,
    params: &Params,
    kinds: &[KindSamples],
    names: NameTables<'_>,
    at_hand: &AtHand,
) -> Result<Vec<u8>, ExploreError> {
    let tasks = dictionaries::read_tasks(names.task)?;
    let symbols = dictionaries::read_symbols(names.symbol)?;
    let matcher = request.selection.matcher(&tasks, &symbols);
    let mut found: Vec<Found> = Vec::new();
    for (kind_at, KindSamples { kind, samples }) in kinds.iter().enumerate() {
        let wanted = samples.iter().enumerate().filter(|(_, sample)| matcher.matches(sample));
        found.extend(wanted.map(|(at, sample)| (request.order.place(kind, sample), kind_at, at)));
    }
    drop_read(request, &mut found);
    let count = found.len();
    let page = first_of(found, request.limit);
    let is_full = page.len() == request.limit;
    let has_next = is_full && (count > request.limit || at_hand.has_more);
    let is_sure = page.last().is_none_or(|(place, ..)| at_hand.is_sure(place));
    if !is_sure || !(has_next || at_hand.is_all()) {
        return answer_json(&None::<Page>);
    }
    let items = CaseItems::new(params, names.explained, &tasks, &symbols)?;
    let next = page.last().filter(|_| has_next).and_then(|last| position(kinds, last));
    answer_json(&Page { items: page_items(kinds, &items, &page), next })
}

/// Leaves out what earlier pages have shown.
fn drop_read(request: &Request, found: &mut Vec<Found>) {
    let Some(after) = request.after else { return };
    let last_place = after.place(request.order);
    let mut shown = 0_i64..=after.number;
    found.retain(|(place, ..)| match place.cmp(&last_place) {
        Ordering::Less => false,
        Ordering::Greater => true,
        // Those that look the same are shown in the order in which they are stored.
        Ordering::Equal => shown.next().is_none(),
    });
}

/// The first `limit` in order.
fn first_of(mut found: Vec<Found>, limit: usize) -> Vec<Found> {
    if found.len() > limit {
        found.select_nth_unstable(limit);
        found.truncate(limit);
    }
    found.sort_unstable();
    found
}

/// Where the page after `last` begins.
fn position(kinds: &[KindSamples], last: &Found) -> Option<Position> {
    let (_, kind_at, at) = *last;
    let KindSamples { kind, samples } = kinds.get(kind_at)?;
    let sample = samples.get(at)?;
    let before = samples.iter().take(at).filter(|other| other.severity() == sample.severity()).count();
    Some(Position::new(kind, sample, i64::try_from(before).ok()?))
}

/// Items in the order of the page; every kind's are named together.
fn page_items(kinds: &[KindSamples], items: &CaseItems<'_, '_>, page: &[Found]) -> Vec<CaseItem> {
    let mut numbered: Vec<(usize, CaseItem)> = Vec::new();
    for (number, KindSamples { kind, samples }) in kinds.iter().enumerate() {
        let of_kind = page.iter().enumerate().filter(|(_, (_, kind_at, _))| *kind_at == number);
        let (numbers, at): (Vec<usize>, Vec<usize>) =
            of_kind.map(|(on_page, (.., at))| (on_page, *at)).unzip();
        numbered.extend(numbers.into_iter().zip(items.items(kind, samples, &at)));
    }
    numbered.sort_by_key(|(on_page, _)| *on_page);
    numbered.into_iter().map(|(_, item)| item).collect()
}

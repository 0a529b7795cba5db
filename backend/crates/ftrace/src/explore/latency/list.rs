//! The list of latencies, the worst first unless the request says otherwise.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::field_series::{FieldSeries, params_with_series};
use super::item::{CaseItem, CaseItems, headlines};
use super::order::{Order, Place, Position};
use super::placed_sample::{PlacedSample, StoredAt};
use super::scan::{About, Names, Purpose, ScanTables, Work, scan};
use super::selection::Selection;
use super::sentences::tell;
use super::worst;
use crate::analyses::LatencyKind;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::store::read::dictionaries;
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

/// A block of samples; the service lets clients have fewer at once.
const MAX_LIMIT: i64 = 8_192;
const DEFAULT_LIMIT: i64 = 20;

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

/// A sample that is at hand: its place in the order, its kind and where it is among those of its kind.
type AtPlace = (Place, usize, usize);

/// How much of the list the samples at hand decide.
#[derive(Default)]
struct AtHand {
    /// The last place up to which every sample is at hand; `None` where all are.
    until: Option<Place>,
    /// True where it is known that something follows.
    has_more: bool,
}

impl AtHand {
    fn is_all(&self) -> bool {
        self.until.is_none()
    }

    /// Of another kind, everything up to `last` is at hand.
    fn limit(&mut self, last: Place) {
        self.until = Some(self.until.map_or(last, |other| last.min(other)));
    }

    fn is_sure(&self, place: &Place) -> bool {
        self.until.is_none_or(|last| *place <= last)
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

/// GET latencies: a page of them. The worst of each kind are at hand without their blocks.
pub async fn latencies(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let tables = ScanTables::fetch(&stored).await;
    if FieldSeries::of_events(&params).is_none() {
        let [latency_case] = stored.whole([&tables::LATENCY_CASE]).await;
        if let Some(mut page) = worst_latencies(&params, &latency_case, &tables)? {
            tell(&stored, &params, page.items.iter_mut()).await?;
            return answer_json(&page);
        }
    }
    scan(&stored, params, Purpose::List, tables).await
}

/// The page from the worst samples of each kind, which are kept apart; `None` where that takes more.
fn worst_latencies(
    params: &Params,
    latency_case: &[u8],
    tables: &ScanTables,
) -> Result<Option<Page>, ExploreError> {
    let request = Request::from_params(params)?;
    if request.order != Order::Worst {
        return Ok(None);
    }
    let totals = worst::read_totals(&tables.latency_kind)?;
    let mut kept = worst::read_worst(latency_case)?;
    let mut kinds = Vec::new();
    let mut at_hand = AtHand::default();
    for kind in request.selection.kinds.iter().copied() {
        let samples = kept.remove(&kind.code).unwrap_or_default();
        let count = totals.get(&kind.code).map_or(0, |totals| totals.count);
        if usize::try_from(count).is_ok_and(|count| count > samples.len()) {
            let Some(last) = samples.last() else { return Ok(None) };
            at_hand.limit(request.order.place(kind, last));
        }
        kinds.push(KindSamples { kind, samples });
    }
    // Without a filter, what is not at hand is on the list, too.
    at_hand.has_more = request.selection.is_whole() && !at_hand.is_all();
    answer(&request, params, &kinds, tables, &at_hand)
}

/// The page, where all of it is sure to come before whatever is not at hand.
fn answer(
    request: &Request,
    params: &Params,
    kinds: &[KindSamples],
    tables: &ScanTables,
    at_hand: &AtHand,
) -> Result<Option<Page>, ExploreError> {
    let tasks = dictionaries::read_tasks(&tables.task)?;
    let symbols = dictionaries::read_symbols(&tables.symbol)?;
    let matcher = request.selection.matcher(&tasks, &symbols);
    let mut found: Vec<AtPlace> = Vec::new();
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
        return Ok(None);
    }
    let items = CaseItems::new(params, headlines(&tables.explanation)?, &tasks, &symbols);
    let next = page.last().filter(|_| has_next).and_then(|last| position(kinds, last));
    Ok(Some(Page { items: page_items(kinds, &items, &page), next }))
}

/// Leaves out what earlier pages have shown.
fn drop_read(request: &Request, found: &mut Vec<AtPlace>) {
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
fn first_of(mut found: Vec<AtPlace>, limit: usize) -> Vec<AtPlace> {
    if found.len() > limit {
        found.select_nth_unstable(limit);
        found.truncate(limit);
    }
    found.sort_unstable();
    found
}

/// Where the page after `last` begins.
fn position(kinds: &[KindSamples], last: &AtPlace) -> Option<Position> {
    let (place, kind_at, at) = *last;
    let KindSamples { kind, samples } = kinds.get(kind_at)?;
    let sample = samples.get(at)?;
    let before = samples.iter().take(at).filter(|other| Order::Worst.place(kind, other) == place).count();
    Some(Position::new(kind, sample, i64::try_from(before).ok()?))
}

/// Items in the order of the page; every kind's are named together.
fn page_items(kinds: &[KindSamples], items: &CaseItems<'_, '_>, page: &[AtPlace]) -> Vec<CaseItem> {
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

/// A page in the making, from blocks in the order of the best that each can hold.
pub struct ListWork {
    request: Request,
    /// The first in order of those that are not on earlier pages, with some that look the same as the last
    /// one there.
    first: BTreeMap<(Place, StoredAt), PlacedSample>,
    room: usize,
}

impl ListWork {
    /// Errors: a parameter that is malformed or out of its range.
    pub fn new(params: &Params) -> Result<Self, ExploreError> {
        let request = Request::from_params(params)?;
        let shown_before = request.after.map_or(0, |after| after.number.saturating_add(1));
        let shown_before = usize::try_from(shown_before).unwrap_or(usize::MAX);
        // One more than the page holds shows that there is another page.
        let room = request.limit.saturating_add(1).saturating_add(shown_before);
        Ok(Self { request, first: BTreeMap::new(), room })
    }

    /// What the page shows, each with its place in the order, and whether something follows.
    fn page(&self) -> (Vec<(Place, &PlacedSample)>, bool) {
        let Request { order, after, limit, .. } = self.request;
        let last_place = after.map(|after| after.place(order));
        let mut shown_before = 0..after.map_or(0, |after| after.number.saturating_add(1));
        let mut rest = self.first.iter().filter(|((place, _), _)| {
            // Those that look the same are shown in the order in which they are stored.
            Some(*place) != last_place || shown_before.next().is_none()
        });
        let page = rest.by_ref().take(limit).map(|((place, _), found)| (*place, found)).collect();
        (page, rest.next().is_some())
    }

    /// The key of the last sample of a full page.
    fn last_key(&self) -> Option<i64> {
        let last = self.first.last_key_value().filter(|_| self.first.len() >= self.room)?;
        Some(last.0.0.0)
    }
}

impl Work for ListWork {
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, _names: &Names<'_>) {
        let order = self.request.order;
        let after = self.request.after.map(|after| after.place(order));
        for found in samples {
            let place = order.place(found.kind, &found.sample);
            if after.is_some_and(|after| place < after) {
                continue;
            }
            let key = (place, found.at);
            let is_full = self.first.len() >= self.room;
            if is_full && self.first.last_key_value().is_some_and(|(last, _)| *last < key) {
                continue;
            }
            self.first.insert(key, found);
            if self.first.len() > self.room {
                self.first.pop_last();
            }
        }
    }

    fn is_enough(&self, rest: i64) -> bool {
        self.last_key().is_some_and(|last| last < rest)
    }

    fn shown(&mut self) -> Vec<&mut PlacedSample> {
        self.first.values_mut().collect()
    }

    fn explained(&mut self) -> Vec<PlacedSample> {
        self.page().0.into_iter().map(|(_, found)| *found).collect()
    }

    fn answer(&mut self, items: &CaseItems<'_, '_>, _about: &About<'_>) -> Result<Vec<u8>, ExploreError> {
        let after = self.request.after;
        let last_place = after.map(|after| after.place(self.request.order));
        let (page, has_next) = self.page();
        let next = page.last().filter(|_| has_next).map(|(place, last)| {
            let same = page.iter().filter(|(other, _)| other == place).count();
            let before = after
                .filter(|_| Some(*place) == last_place)
                .map_or(0, |after| after.number.saturating_add(1));
            let number = i64::try_from(same).unwrap_or(i64::MAX).saturating_sub(1).saturating_add(before);
            Position::new(last.kind, &last.sample, number)
        });
        answer_json(&Page { items: page.iter().map(|(_, found)| items.placed(found)).collect(), next })
    }
}

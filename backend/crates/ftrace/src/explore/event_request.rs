//! What a page of events is asked for.

use super::ExploreError;
use super::filter::Filter;
use super::page::{self, Cursor};
use super::request::{Params, Window};

/// Events that the first step of a search looks at: one block.
const FIRST_STEP_EVENTS: i64 = 8_192;
/// Each step looks at twice as many as the one before, up to `STEP_EVENTS`, so that a rare match does not hold
/// up a request.
const STEP_DOUBLINGS: i64 = 3;
const STEP_EVENTS: i64 = FIRST_STEP_EVENTS << STEP_DOUBLINGS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Forwards,
    Backwards,
}

pub struct EventRequest {
    pub window: Window,
    pub order: Order,
    pub limit: usize,
    pub cursor: Option<Cursor>,
    pub cpus: Vec<i16>,
    pub pids: Vec<i32>,
    pub events: Vec<String>,
    pub comms: Vec<String>,
    pub filter: Filter,
    pub buffers: Vec<Option<String>>,
    /// How many steps have searched for this page before.
    pub step: i64,
}

impl EventRequest {
    /// Errors: a parameter that is malformed or out of its range, a filter with a mistake in it, or a cursor of
    /// another list.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let filter = Filter::from_params(params)?;
        let orders = [("asc", Order::Forwards), ("desc", Order::Backwards)];
        Ok(Self {
            window: filter.narrowed(params.window()?),
            order: params.choice("order", &orders, Order::Forwards)?,
            limit: page::limit(params)?,
            cursor: Cursor::from_params(params)?,
            cpus: params.ints("cpu")?,
            pids: params.ints("pid")?,
            events: params.names("event")?,
            comms: params.name_or_list("comm")?,
            filter,
            buffers: params.trace_buffers().to_vec(),
            step: 0,
        })
    }

    /// For questions that count: all events are looked at, as many at a time as a search ends with.
    pub fn of_all(params: &Params) -> Result<Self, ExploreError> {
        let limit = usize::try_from(STEP_EVENTS).unwrap_or(usize::MAX);
        Ok(Self { limit, step: STEP_DOUBLINGS, ..Self::from_params(params)? })
    }

    /// Number of the event that the page begins at, counted from the trace's first.
    fn first_seq(&self) -> i64 {
        let end = if self.order == Order::Forwards { 0 } else { i64::MAX };
        self.cursor.map_or(end, |Cursor(seq)| i64::try_from(seq).unwrap_or(i64::MAX))
    }

    /// How many of a block's events are on the page or after it.
    pub fn events_ahead(&self, first_seq: i64, last_seq: i64) -> i64 {
        let (low, high) = match self.order {
            Order::Forwards => (first_seq.max(self.first_seq()), last_seq),
            Order::Backwards => (first_seq, last_seq.min(self.first_seq())),
        };
        high.saturating_sub(low).saturating_add(1).max(0)
    }

    /// Events that one step looks at: where nothing is filtered, no more than the page holds; else few at first,
    /// since most filters find a page of matches at once, and more as the search goes on.
    pub fn step_events(&self) -> i64 {
        let is_filtered = !(self.cpus.is_empty()
            && self.pids.is_empty()
            && self.events.is_empty()
            && self.comms.is_empty()
            && self.filter.is_empty());
        if !is_filtered {
            return i64::try_from(self.limit).unwrap_or(STEP_EVENTS);
        }
        FIRST_STEP_EVENTS << self.step.clamp(0, STEP_DOUBLINGS)
    }

    /// True if the event with this number is on the page or after it.
    pub fn is_ahead(&self, seq: i64) -> bool {
        match self.order {
            Order::Forwards => seq >= self.first_seq(),
            Order::Backwards => seq <= self.first_seq(),
        }
    }
}

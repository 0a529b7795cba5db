//! A stored trace as a question sees it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::need::{Filter, Need, RowId};
use super::{Desk, Keep, Part};
use crate::explore::ExploreError;
use crate::explore::request::{Params, Window};
use crate::store::tables::Table;

/// The stored traces, with the parameters of the question and the trace that it is about.
#[derive(Clone)]
pub struct Stored {
    desk: Desk,
    request: Arc<Map<String, Value>>,
    trace: Arc<str>,
}

impl Stored {
    /// The request's JSON holds the trace's id and the parameters.
    ///
    /// Errors: it is not a JSON object.
    pub(super) fn new(desk: Desk, request: &str) -> Result<Self, ExploreError> {
        let mut request: Map<String, Value> =
            serde_json::from_str(request).map_err(|error| ExploreError::bad("request", error.to_string()))?;
        let trace = match request.remove("trace") {
            Some(Value::String(id)) => id.into(),
            _ => "".into(),
        };
        Ok(Self { desk, request: Arc::new(request), trace })
    }

    /// The same question about another trace, with other parameters.
    pub fn about(&self, trace: &str, request: Map<String, Value>) -> Self {
        Self { desk: self.desk.clone(), request: Arc::new(request), trace: trace.into() }
    }

    /// Id of the trace.
    pub fn trace_id(&self) -> &str {
        &self.trace
    }

    /// The parameters as they came.
    pub fn request(&self) -> &Map<String, Value> {
        &self.request
    }

    /// The parameters, with what is known of the trace.
    pub async fn params(&self) -> Result<Params, ExploreError> {
        Params::new((*self.request).clone(), self.json("trace").await?)
    }

    /// What is known of the trace under a name that is no table's.
    pub async fn json<T: DeserializeOwned>(&self, name: &'static str) -> Result<T, ExploreError> {
        let json = self.part(self.need(name)).await;
        serde_json::from_slice(&json).map_err(|error| ExploreError::bad(name, error.to_string()))
    }

    /// CPUs that labels or facts of the trace call isolated, as `isolcpus=` lists them.
    pub async fn isolated(&self) -> String {
        String::from_utf8_lossy(&self.part(self.need("isolation")).await).into_owned()
    }

    /// All rows of each of these tables.
    pub async fn whole<const N: usize>(&self, tables: [&'static Table; N]) -> [Part; N] {
        self.parts(tables.map(|table| self.all(table))).await
    }

    /// All rows of a table, to be narrowed by filters.
    pub fn all(&self, table: &'static Table) -> Need {
        self.need(table.name)
    }

    fn need(&self, table: &'static str) -> Need {
        Need::whole(&self.trace, table)
    }

    /// Rows by their primary keys.
    pub fn rows(&self, table: &'static Table, rows: Vec<RowId>) -> Need {
        self.all(table).filtered(Filter::Rows(rows))
    }

    /// Rows that have an instant in the window.
    pub fn touching(&self, table: &'static Table, window: Window) -> Need {
        self.all(table).filtered(Filter::Touches(window.start_ns, window.end_ns))
    }

    /// Blocks by kind and number.
    pub fn blocks(&self, table: &'static Table, blocks: &[(i16, i32)]) -> Need {
        self.rows(table, blocks.iter().map(|(kind, block)| vec![i32::from(*kind), *block]).collect())
    }

    /// Blocks of events by number.
    pub fn numbered(&self, table: &'static Table, numbers: &[i32]) -> Need {
        self.rows(table, numbers.iter().map(|number| vec![*number]).collect())
    }

    /// Waits for the rows of one need.
    pub async fn part(&self, need: Need) -> Part {
        let [part] = self.parts([need]).await;
        part
    }

    /// What was needed, in the same order.
    pub async fn parts<const N: usize>(&self, needs: [Need; N]) -> [Part; N] {
        let mut parts = self.fetch(needs.into()).await.into_iter();
        std::array::from_fn(|_| parts.next().unwrap_or_else(Part::empty))
    }

    /// What was needed, by its table; at most one need for each.
    pub async fn parts_by_table(&self, needs: Vec<Need>) -> PartsByTable {
        let tables: Vec<&'static str> = needs.iter().map(|need| need.table).collect();
        PartsByTable(tables.into_iter().zip(self.fetch(needs).await).collect())
    }

    /// A part for each need. What can hold no row is not asked for.
    async fn fetch(&self, needs: Vec<Need>) -> Vec<Part> {
        let is_asked: Vec<bool> = needs.iter().map(|need| !need.is_empty()).collect();
        let wanted: Vec<Need> = needs.into_iter().filter(|need| !need.is_empty()).collect();
        let mut fetched = Vec::new();
        if !wanted.is_empty() {
            fetched = Fetch { desk: self.desk.clone(), needs: Some(wanted) }.await;
        }
        let mut fetched = fetched.into_iter();
        let part = |is_asked: bool| if is_asked { fetched.next() } else { None };
        is_asked.into_iter().map(part).map(|part| part.unwrap_or_else(Part::empty)).collect()
    }

    /// Says what will be needed next, so that it can be fetched while this side works.
    pub fn expect(&self, needs: impl IntoIterator<Item = Need>) {
        let needs = needs.into_iter().filter(|need| !need.is_empty());
        self.desk.lock().turn.ahead.extend(needs);
    }

    /// What a question about this trace kept under the name.
    pub async fn kept(&self, name: &str) -> Option<Part> {
        let need = self.need("kept").filtered(Filter::Name(name.to_owned()));
        Some(self.part(need).await).filter(|part| !part.is_empty())
    }

    /// Leaves `bytes` for later questions about this trace.
    pub fn keep(&self, name: &str, bytes: Vec<u8>) {
        let keep = Keep { trace: self.trace.to_string(), name: name.to_owned(), bytes };
        self.desk.lock().turn.keeps.push(keep);
    }

    /// Hands out the next bytes of an answer of any length, and continues when they are taken.
    pub async fn write(&self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            Write { desk: self.desk.clone(), bytes: Some(bytes) }.await;
        }
    }

    /// True where the caller prefers part of the answer now.
    pub fn is_late(&self) -> bool {
        self.desk.lock().is_late
    }
}

/// Streams of several tables.
pub struct PartsByTable(Vec<(&'static str, Part)>);

impl PartsByTable {
    #[cfg(test)]
    pub fn new<const N: usize>(streams: [(&'static Table, Vec<u8>); N]) -> Self {
        Self(streams.into_iter().map(|(table, stream)| (table.name, Part::new(stream))).collect())
    }

    /// The rows of a table; empty where none were needed.
    pub fn of(&self, table: &Table) -> &[u8] {
        self.0.iter().find(|(name, _)| *name == table.name).map_or(&[], |(_, part)| part)
    }
}

/// Suspends the question until its driver has fetched.
struct Fetch {
    desk: Desk,
    needs: Option<Vec<Need>>,
}

impl Future for Fetch {
    type Output = Vec<Part>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Vec<Part>> {
        let needs = self.needs.take();
        let mut state = self.desk.lock();
        if let Some(needs) = needs {
            state.turn.needs = needs;
            state.parts = None;
            return Poll::Pending;
        }
        state.parts.take().map_or(Poll::Pending, Poll::Ready)
    }
}

/// Suspends the question until its driver has taken what is written.
struct Write {
    desk: Desk,
    bytes: Option<Vec<u8>>,
}

impl Future for Write {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let Some(bytes) = self.bytes.take() else { return Poll::Ready(()) };
        self.desk.lock().turn.written = bytes;
        Poll::Pending
    }
}

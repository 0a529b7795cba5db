//! The protocol in which questions about stored traces are asked: a question says what it needs until it can
//! answer, and its driver fetches them. Nothing here reads, waits or knows the time.
//!
//! A question is an `async fn` over [`Stored`]: it reads from top to bottom, and is suspended wherever it needs
//! rows. The only thing that ever wakes it is its driver, so no executor is involved.

mod need;
mod stored;
#[cfg(test)]
mod testing;

use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

pub use need::{Filter, Listed, Need, RowId};
pub use stored::{PartsByTable, Stored};
#[cfg(test)]
pub use testing::{Shelf, ask, ask_with};

use super::ExploreError;
use super::registry::QUESTIONS;

/// Rows that were fetched: a complete binary COPY stream, shared and never copied.
#[derive(Clone)]
pub struct Part(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl Part {
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self(Arc::new(bytes))
    }

    pub(super) fn empty() -> Self {
        Self::new([0_u8; 0])
    }
}

impl Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// JSON of an answer; of one that is written as it is made, what is left to write.
pub type Answer = Result<Vec<u8>, ExploreError>;
pub type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What a question has to say after it was given what it needed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// To be fetched, and handed over in this order. Empty with an answer.
    pub needs: Vec<Need>,
    /// Will be needed next, unless what is fetched now is enough.
    pub ahead: Vec<Need>,
    /// Worth keeping for later questions about the same trace.
    pub keeps: Vec<Keep>,
    /// The next bytes of an answer that is handed out as it is made; the last ones come with `answer`.
    pub written: Vec<u8>,
    pub answer: Option<Vec<u8>>,
}

/// Bytes to keep, by trace and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    pub trace: String,
    pub name: String,
    pub bytes: Vec<u8>,
}

/// One question on its way to its answer.
pub struct Question {
    work: Answering,
    desk: Desk,
}

impl Question {
    /// `request` is the JSON object of its parameters under their public names; `trace` among them is the id
    /// of the trace that it is about.
    ///
    /// Errors: there is no question of that name; the request is malformed.
    pub fn new(name: &str, request: &str) -> Result<Self, ExploreError> {
        let found = QUESTIONS.iter().find(|(known, _)| *known == name);
        let (_, ask) =
            found.ok_or_else(|| ExploreError::bad("question", format!("no question is {name:?}")))?;
        let desk = Desk::default();
        let stored = Stored::new(desk.clone(), request)?;
        Ok(Self { work: ask(stored), desk })
    }

    /// Hands over `parts`, which were needed in this order, and works on. `is_late` says that the caller would
    /// rather have part of an answer now.
    ///
    /// Errors: those of the question, which is over then.
    pub fn go_on(&mut self, parts: Vec<Part>, is_late: bool) -> Result<Turn, ExploreError> {
        {
            let mut state = self.desk.lock();
            state.parts = Some(parts);
            state.is_late = is_late;
        }
        let polled = self.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let mut turn = std::mem::take(&mut self.desk.lock().turn);
        if let Poll::Ready(answer) = polled {
            turn.answer = Some(answer?);
        }
        Ok(turn)
    }
}

/// Where a question and its driver leave things for each other.
#[derive(Clone, Default)]
struct Desk(Arc<Mutex<DeskState>>);

#[derive(Default)]
struct DeskState {
    turn: Turn,
    parts: Option<Vec<Part>>,
    is_late: bool,
}

impl Desk {
    /// Neither side ever waits: one works while the other does not.
    fn lock(&self) -> MutexGuard<'_, DeskState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

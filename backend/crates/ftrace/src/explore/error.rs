//! Why a question was not answered.

use thiserror::Error;

use crate::store::decode::DecodeError;

/// A refusal of a request, or damage in what is stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExploreError {
    /// The caller's mistake, by the public name of the parameter.
    #[error("{parameter}: {detail}")]
    Request {
        parameter: &'static str,
        code: &'static str,
        detail: String,
        /// Where in the parameter's text, from 1.
        column: Option<usize>,
    },
    /// The trace has no such thing; the sentence says which.
    #[error("{0}")]
    Missing(String),
    #[error(transparent)]
    Block(#[from] DecodeError),
}

impl ExploreError {
    /// A malformed or unknown value of a parameter.
    pub fn bad(parameter: &'static str, detail: impl Into<String>) -> Self {
        Self::Request { parameter, code: "bad_parameter", detail: detail.into(), column: None }
    }

    /// More records than one answer may look at; `detail` names the count, the limit and the way out.
    pub fn too_large(parameter: &'static str, detail: impl Into<String>) -> Self {
        Self::Request { parameter, code: "window_too_large", detail: detail.into(), column: None }
    }

    /// Two sides of a comparison that have nothing in common; `detail` says what to choose instead.
    pub fn not_comparable(parameter: &'static str, detail: impl Into<String>) -> Self {
        Self::Request { parameter, code: "not_comparable", detail: detail.into(), column: None }
    }

    pub fn no_call(id: &str, trace: &str) -> Self {
        Self::Missing(format!("There is no call {id:?} in the trace {trace:?}."))
    }

    pub fn no_case(id: &str, trace: &str) -> Self {
        Self::Missing(format!("There is no case {id:?} in the trace {trace:?}."))
    }

    /// A mistake in the filter `q`, at a column from 1.
    pub fn bad_filter(column: usize, detail: impl Into<String>) -> Self {
        let column = Some(column);
        Self::Request { parameter: "q", code: "bad_filter", detail: detail.into(), column }
    }
}

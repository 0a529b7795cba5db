//! Questions about stored traces: rows in, JSON out, without the GIL.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ftrace::explore::{self, ExploreError, Part};
use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use pyo3::wrap_pyfunction;

create_exception!(_ftrace, RequestError, PyValueError, "A parameter that cannot be used.");
create_exception!(_ftrace, MissingError, PyLookupError, "The trace has no such thing.");
create_exception!(
    _ftrace,
    BlockError,
    PyRuntimeError,
    "Stored bytes that are not what their table promises."
);

/// Adds questions and their exceptions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RequestError", module.py().get_type::<RequestError>())?;
    module.add("MissingError", module.py().get_type::<MissingError>())?;
    module.add("BlockError", module.py().get_type::<BlockError>())?;
    module.add_class::<Question>()?;
    module.add_class::<Turn>()?;
    module.add_function(wrap_pyfunction!(tables, module)?)
}

#[pyfunction]
fn tables(py: Python<'_>) -> PyResult<String> {
    explore::tables().map_err(|error| raise(py, error))
}

/// A question on its way to its answer. Its lock is never waited for: one turn follows the other.
#[pyclass(frozen)]
struct Question {
    question: Mutex<explore::Question>,
}

/// What a question has to say after it was given what it needed.
#[pyclass(frozen, get_all)]
struct Turn {
    /// JSON list of what to fetch.
    needs: String,
    /// JSON list of what will be needed next.
    ahead: String,
    /// Bytes to keep, by trace and name.
    keeps: Vec<(String, String, Py<PyBytes>)>,
    /// The next bytes of an answer that is handed out as it is made.
    written: Py<PyBytes>,
    answer: Option<Py<PyBytes>>,
}

#[pymethods]
impl Question {
    #[new]
    fn new(py: Python<'_>, name: &str, request: &str) -> PyResult<Self> {
        let question = explore::Question::new(name, request).map_err(|error| raise(py, error))?;
        Ok(Self { question: Mutex::new(question) })
    }

    fn go_on(&self, py: Python<'_>, parts: Vec<PyBackedBytes>, is_late: bool) -> PyResult<Turn> {
        let parts = parts.into_iter().map(Part::new).collect();
        let work = || {
            let mut question = self.question.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = question.go_on(parts, is_late)?;
            let json = |needs| serde_json::to_string(needs).unwrap_or_default();
            Ok::<_, ExploreError>((json(&turn.needs), json(&turn.ahead), turn))
        };
        // A bug in one answer must cost no more than that answer.
        let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
        let done = done.map_err(|_| PyRuntimeError::new_err("the question was given up"))?;
        let (needs, ahead, turn) = done.map_err(|error| raise(py, error))?;
        let bytes = |bytes: Vec<u8>| PyBytes::new(py, &bytes).unbind();
        Ok(Turn {
            needs,
            ahead,
            keeps: turn.keeps.into_iter().map(|keep| (keep.trace, keep.name, bytes(keep.bytes))).collect(),
            written: bytes(turn.written),
            answer: turn.answer.map(bytes),
        })
    }
}

/// The one place where errors of questions become exceptions.
pub fn raise(py: Python<'_>, error: ExploreError) -> PyErr {
    let message = error.to_string();
    match error {
        ExploreError::Block(_) => BlockError::new_err(message),
        ExploreError::Missing(_) => MissingError::new_err(message),
        ExploreError::Request { parameter, code, detail, column } => {
            let exception = RequestError::new_err(message);
            let value = exception.value(py);
            let set = value
                .setattr("parameter", parameter)
                .and_then(|()| value.setattr("code", code))
                .and_then(|()| value.setattr("detail", detail))
                .and_then(|()| value.setattr("column", column));
            set.err().unwrap_or(exception)
        }
    }
}

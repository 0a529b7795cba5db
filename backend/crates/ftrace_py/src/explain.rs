//! Explanations: of one case when somebody asks, of the worst ones when a trace is loaded.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ftrace::explain::ExplainTables;
use ftrace::explore::{self, ExploreError, SampleBlocks};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::wrap_pyfunction;

use crate::explore::{answer, raise};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plan_case, module)?)?;
    module.add_function(wrap_pyfunction!(locate_case, module)?)?;
    module.add_function(wrap_pyfunction!(case, module)?)?;
    module.add_function(wrap_pyfunction!(plan_worst_cases, module)?)?;
    module.add_function(wrap_pyfunction!(explain_worst_cases, module)?)
}

#[pyfunction]
fn plan_case(py: Python<'_>, request: &str, headers: &str, series_headers: &str) -> PyResult<String> {
    explore::plan_case(request, headers, series_headers).map_err(|error| raise(py, error))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn locate_case(
    py: Python<'_>,
    request: &str,
    headers: &str,
    event_headers: &str,
    sample_block: &[u8],
    slice_block: &[u8],
    event_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<String> {
    let blocks = SampleBlocks { sample_block, slice_block, event_block };
    let locate = || explore::locate_case(request, headers, event_headers, blocks, (task, symbol));
    py.detach(locate).map_err(|error| raise(py, error))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn case<'py>(
    py: Python<'py>,
    request: &str,
    located: &str,
    known: &str,
    slice_block: &[u8],
    event_block: &[u8],
    counter_block: &[u8],
    stack: &[u8],
    loss: &[u8],
    task: &[u8],
    symbol: &[u8],
    event_type: &[u8],
    counter: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = ExplainTables {
        slice_block,
        event_block,
        counter_block,
        stack,
        loss,
        task,
        symbol,
        event_type,
        counter,
    };
    answer(py, || explore::case(request, located, known, tables))
}

#[pyfunction]
fn plan_worst_cases(
    py: Python<'_>,
    request: &str,
    headers: &str,
    event_headers: &str,
    latency_case: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<String> {
    guarded(py, || explore::plan_worst_cases(request, headers, event_headers, latency_case, (task, symbol)))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn explain_worst_cases<'py>(
    py: Python<'py>,
    request: &str,
    batch: &str,
    known: &str,
    slice_block: &[u8],
    event_block: &[u8],
    counter_block: &[u8],
    loss: &[u8],
    task: &[u8],
    symbol: &[u8],
    event_type: &[u8],
    counter: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = ExplainTables {
        slice_block,
        event_block,
        counter_block,
        stack: b"",
        loss,
        task,
        symbol,
        event_type,
        counter,
    };
    let json = guarded(py, || explore::explain_worst_cases(request, batch, known, tables))?;
    Ok(PyBytes::new(py, &json))
}

/// A mistake of ours in a sentence must not cost anybody the trace: a panic becomes an exception that the
/// load survives.
fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, ExploreError> + Send) -> PyResult<T> {
    match py.detach(|| catch_unwind(AssertUnwindSafe(work))) {
        Ok(done) => done.map_err(|error| raise(py, error)),
        Err(_) => Err(PyRuntimeError::new_err("the explanation was given up")),
    }
}

//! Comparisons, and the calls of one function that they choose from.

use ftrace::explain::ExplainTables;
use ftrace::explore::{self, CallSideTables, SampleBlocks};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use pyo3::wrap_pyfunction;

use crate::explore::{answer, raise};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(group_symbols, module)?)?;
    module.add_function(wrap_pyfunction!(choose_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(function_calls, module)?)?;
    module.add_function(wrap_pyfunction!(instances, module)?)?;
    module.add_function(wrap_pyfunction!(locate_call, module)?)?;
    module.add_function(wrap_pyfunction!(choose_calls, module)?)?;
    module.add_function(wrap_pyfunction!(diff_calls, module)?)?;
    module.add_function(wrap_pyfunction!(plan_cases, module)?)?;
    module.add_function(wrap_pyfunction!(choose_cases, module)?)?;
    module.add_function(wrap_pyfunction!(diff_cases, module)?)
}

#[pyfunction]
fn group_symbols(py: Python<'_>, request: &str, symbol: &[u8]) -> PyResult<String> {
    explore::group_symbols(request, symbol).map_err(|error| raise(py, error))
}

#[pyfunction]
fn choose_blocks(py: Python<'_>, request: &str, headers: &str) -> PyResult<String> {
    explore::choose_blocks(request, headers).map_err(|error| raise(py, error))
}

#[pyfunction]
fn function_calls<'py>(
    py: Python<'py>,
    request: &str,
    slice_block: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::function_calls(request, slice_block, symbol))
}

#[pyfunction]
fn instances<'py>(
    py: Python<'py>,
    request: &str,
    choice: &str,
    calls: &[u8],
    task: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::instances(request, choice, calls, task))
}

#[pyfunction]
fn locate_call(
    py: Python<'_>,
    request: &str,
    headers: &str,
    slice_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<String> {
    py.detach(|| explore::locate_call(request, headers, slice_block, (task, symbol)))
        .map_err(|error| raise(py, error))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn choose_calls(
    py: Python<'_>,
    request: &str,
    pick: &str,
    abnormal: &str,
    choice: &str,
    headers: &str,
    calls: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<String> {
    let names = (task, symbol);
    py.detach(|| explore::choose_calls(request, pick, abnormal, (choice, headers), calls, names))
        .map_err(|error| raise(py, error))
}

/// The streams of one side of a comparison of calls: blocks of calls, symbols, losses, blocks of counters, counters.
type CallStreams = (PyBackedBytes, PyBackedBytes, PyBackedBytes, PyBackedBytes, PyBackedBytes);

fn call_tables(streams: &CallStreams) -> CallSideTables<'_> {
    let (slice_block, symbol, loss, counter_block, counter) = streams;
    CallSideTables { slice_block, symbol, loss, counter_block, counter }
}

#[pyfunction]
fn diff_calls<'py>(
    py: Python<'py>,
    request: &str,
    url: &str,
    abnormal: &str,
    abnormal_streams: CallStreams,
    normal: &str,
    normal_streams: CallStreams,
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || {
        let (a, b) = (call_tables(&abnormal_streams), call_tables(&normal_streams));
        explore::diff_calls(request, url, (abnormal, a), (normal, b))
    })
}

#[pyfunction]
fn plan_cases(py: Python<'_>, request: &str, headers: &str) -> PyResult<String> {
    explore::plan_cases(request, headers).map_err(|error| raise(py, error))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn choose_cases(
    py: Python<'_>,
    request: &str,
    pick: &str,
    abnormal: &str,
    plan: &str,
    headers: &str,
    event_headers: &str,
    sample_block: &[u8],
    slice_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<String> {
    let blocks = SampleBlocks { sample_block, slice_block, event_block: &[] };
    let asked = (pick, abnormal, plan);
    py.detach(|| explore::choose_cases(request, asked, (headers, event_headers), blocks, (task, symbol)))
        .map_err(|error| raise(py, error))
}

/// The streams of one side, in the order of the arguments of `case`.
type CaseStreams = (
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
);

fn case_tables(streams: &CaseStreams) -> ExplainTables<'_> {
    let (slice_block, event_block, counter_block, stack, loss, task, symbol, event_type, counter) = streams;
    ExplainTables { slice_block, event_block, counter_block, stack, loss, task, symbol, event_type, counter }
}

#[pyfunction]
fn diff_cases<'py>(
    py: Python<'py>,
    request: &str,
    url: &str,
    abnormal: &str,
    abnormal_streams: CaseStreams,
    normal: &str,
    normal_streams: CaseStreams,
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || {
        let (a, b) = (case_tables(&abnormal_streams), case_tables(&normal_streams));
        explore::diff_cases(request, url, (abnormal, a), (normal, b))
    })
}

//! The read path: request and blocks in, JSON out, without the GIL.

use ftrace::explore::{
    self, CallTables, CallTreeTables, ExploreError, KindTables, NameTables, TimelineTables,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{create_exception, wrap_pyfunction};

create_exception!(_ftrace, RequestError, PyValueError, "A parameter that cannot be used.");
create_exception!(
    _ftrace,
    BlockError,
    PyRuntimeError,
    "Stored bytes that are not what their table promises."
);

/// Adds the functions and exceptions of the read path to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RequestError", module.py().get_type::<RequestError>())?;
    module.add("BlockError", module.py().get_type::<BlockError>())?;
    module.add_function(wrap_pyfunction!(table_columns, module)?)?;
    module.add_function(wrap_pyfunction!(window, module)?)?;
    module.add_function(wrap_pyfunction!(plan_timeline, module)?)?;
    module.add_function(wrap_pyfunction!(timeline, module)?)?;
    module.add_function(wrap_pyfunction!(plan_calls, module)?)?;
    module.add_function(wrap_pyfunction!(calls, module)?)?;
    module.add_function(wrap_pyfunction!(call, module)?)?;
    module.add_function(wrap_pyfunction!(plan_calltree, module)?)?;
    module.add_function(wrap_pyfunction!(calltree, module)?)?;
    module.add_function(wrap_pyfunction!(functions, module)?)?;
    module.add_function(wrap_pyfunction!(wanted_in_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(plan_events, module)?)?;
    module.add_function(wrap_pyfunction!(events, module)?)?;
    module.add_function(wrap_pyfunction!(latency_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(worst_latencies, module)?)?;
    module.add_function(wrap_pyfunction!(interference, module)?)
}

#[pyfunction]
fn table_columns(py: Python<'_>) -> PyResult<String> {
    explore::table_columns().map_err(|error| raise(py, error))
}

#[pyfunction]
fn window(py: Python<'_>, request: &str) -> PyResult<(i64, i64)> {
    explore::window(request).map_err(|error| raise(py, error))
}

#[pyfunction]
fn plan_timeline(py: Python<'_>, request: &str, headers: &str) -> PyResult<String> {
    explore::plan_timeline(request, headers).map_err(|error| raise(py, error))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn timeline<'py>(
    py: Python<'py>,
    request: &str,
    slice_block: &[u8],
    rollup_block: &[u8],
    counter_block: &[u8],
    task: &[u8],
    symbol: &[u8],
    counter: &[u8],
    loss: &[u8],
    note: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let tables =
        TimelineTables { slice_block, rollup_block, counter_block, task, symbol, counter, loss, note };
    answer(py, || explore::timeline(request, tables))
}

#[pyfunction]
fn plan_calls(py: Python<'_>, request: &str, headers: &str) -> PyResult<String> {
    explore::plan_calls(request, headers).map_err(|error| raise(py, error))
}

#[pyfunction]
fn calls<'py>(
    py: Python<'py>,
    request: &str,
    slice_block: &[u8],
    rollup_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = CallTables { slice_block, rollup_block, task, symbol };
    answer(py, || explore::calls(request, tables))
}

#[pyfunction]
fn call<'py>(
    py: Python<'py>,
    request: &str,
    slice_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::call(request, slice_block, task, symbol))
}

#[pyfunction]
fn plan_calltree(py: Python<'_>, request: &str, headers: &str) -> PyResult<String> {
    explore::plan_calltree(request, headers).map_err(|error| raise(py, error))
}

#[pyfunction]
fn calltree<'py>(
    py: Python<'py>,
    request: &str,
    calltree_block: &[u8],
    slice_block: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = CallTreeTables { calltree_block, slice_block, task, symbol };
    answer(py, || explore::calltree(request, tables))
}

#[pyfunction]
fn functions<'py>(
    py: Python<'py>,
    request: &str,
    function_stat: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::functions(request, function_stat, task, symbol))
}

#[pyfunction]
fn wanted_in_blocks<'py>(
    py: Python<'py>,
    request: &str,
    task: &[u8],
    event_type: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::wanted_in_blocks(request, task, event_type))
}

#[pyfunction]
fn plan_events(py: Python<'_>, request: &str, headers: &str, holding: &str) -> PyResult<String> {
    explore::plan_events(request, headers, holding).map_err(|error| raise(py, error))
}

#[pyfunction]
fn events<'py>(
    py: Python<'py>,
    request: &str,
    plan: &str,
    event_block: &[u8],
    task: &[u8],
    event_type: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::events(request, plan, event_block, task, event_type))
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one stream for each table, by name in Python")]
fn latency_kinds<'py>(
    py: Python<'py>,
    request: &str,
    latency_kind: &[u8],
    latency_incomplete: &[u8],
    latency_case: &[u8],
    event_type: &[u8],
    task: &[u8],
    symbol: &[u8],
    explained: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = KindTables { latency_kind, latency_incomplete, latency_case, event_type };
    answer(py, || explore::latency_kinds(request, tables, NameTables { task, symbol, explained }))
}

#[pyfunction]
fn worst_latencies<'py>(
    py: Python<'py>,
    request: &str,
    latency_case: &[u8],
    latency_kind: &[u8],
    task: &[u8],
    symbol: &[u8],
    explained: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let names = NameTables { task, symbol, explained };
    answer(py, || explore::worst_latencies(request, latency_case, latency_kind, names))
}

#[pyfunction]
fn interference<'py>(
    py: Python<'py>,
    request: &str,
    interference: &[u8],
    task: &[u8],
    symbol: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::interference(request, interference, task, symbol))
}

pub fn answer<'py>(
    py: Python<'py>,
    compute: impl FnOnce() -> Result<Vec<u8>, ExploreError> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let json = py.detach(compute).map_err(|error| raise(py, error))?;
    Ok(PyBytes::new(py, &json))
}

/// The one place where errors of the read path become exceptions.
pub fn raise(py: Python<'_>, error: ExploreError) -> PyErr {
    let message = error.to_string();
    match error {
        ExploreError::Block(_) => BlockError::new_err(message),
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

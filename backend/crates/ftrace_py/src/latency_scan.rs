//! Answers from any number of latency samples, a few blocks at a time.

use std::sync::{Arc, Mutex, PoisonError};

use ftrace::explore::{self, ExploreError, Purpose, SampleBlocks, ScanTables};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::wrap_pyfunction;

use crate::explore::{answer, raise};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LatencyTables>()?;
    module.add_class::<LatencyScan>()?;
    module.add_function(wrap_pyfunction!(field_series, module)?)?;
    module.add_function(wrap_pyfunction!(latency_check, module)?)
}

/// Streams of the small tables that answers about latencies take.
#[pyclass(frozen)]
struct LatencyTables {
    tables: Arc<ScanTables>,
}

#[pymethods]
impl LatencyTables {
    #[new]
    fn new(
        task: Vec<u8>,
        symbol: Vec<u8>,
        explained: String,
        latency_kind: Vec<u8>,
        latency_incomplete: Vec<u8>,
        event_type: Vec<u8>,
    ) -> Self {
        let tables = ScanTables { task, symbol, explained, latency_kind, latency_incomplete, event_type };
        Self { tables: Arc::new(tables) }
    }
}

/// An answer in the making. Its lock is never waited for: one step follows the other.
#[pyclass(frozen)]
struct LatencyScan {
    scan: Mutex<explore::LatencyScan>,
}

const PURPOSES: [(&str, Purpose); 4] = [
    ("list", Purpose::List),
    ("stats", Purpose::Stats),
    ("series", Purpose::Series),
    ("check", Purpose::Check),
];

#[pymethods]
impl LatencyScan {
    #[new]
    fn new(
        py: Python<'_>,
        purpose: &str,
        request: &str,
        headers: &str,
        tables: &LatencyTables,
    ) -> PyResult<Self> {
        let found = PURPOSES.iter().find(|(name, _)| *name == purpose);
        let (_, purpose) = found.ok_or_else(|| PyValueError::new_err("no such purpose"))?;
        let scan = explore::LatencyScan::new(*purpose, request, headers, Arc::clone(&tables.tables));
        Ok(Self { scan: Mutex::new(scan.map_err(|error| raise(py, error))?) })
    }

    fn next_pass(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.step(py, explore::LatencyScan::next_pass)
    }

    fn add(
        &self,
        py: Python<'_>,
        sample_block: &[u8],
        slice_block: &[u8],
        event_block: &[u8],
    ) -> PyResult<bool> {
        self.step(py, |scan| scan.add(SampleBlocks { sample_block, slice_block, event_block }))
    }

    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let json = self.step(py, explore::LatencyScan::answer)?;
        Ok(PyBytes::new(py, &json))
    }
}

impl LatencyScan {
    fn step<T: Send>(
        &self,
        py: Python<'_>,
        step: impl FnOnce(&mut explore::LatencyScan) -> Result<T, ExploreError> + Send,
    ) -> PyResult<T> {
        py.detach(|| step(&mut self.scan.lock().unwrap_or_else(PoisonError::into_inner)))
            .map_err(|error| raise(py, error))
    }
}

#[pyfunction]
fn field_series<'py>(
    py: Python<'py>,
    request: &str,
    event_type: &[u8],
    event_field: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::field_series(request, event_type, event_field))
}

#[pyfunction]
fn latency_check<'py>(
    py: Python<'py>,
    request: &str,
    latency_case: &[u8],
    tables: &LatencyTables,
) -> PyResult<Bound<'py, PyBytes>> {
    answer(py, || explore::whole_check(request, latency_case, &tables.tables))
}

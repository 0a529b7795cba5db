//! Zstandard for answers on their way out, without the GIL.

use std::io::{self, Write};
use std::mem;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use zstd::stream::write::Encoder;

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ZstdCompressor>()
}

/// Its lock is never waited for: one piece follows the other.
#[pyclass(frozen)]
struct ZstdCompressor {
    /// `None` once it is finished.
    encoder: Mutex<Option<Encoder<'static, Vec<u8>>>>,
}

#[pymethods]
impl ZstdCompressor {
    #[new]
    fn new(level: i32) -> PyResult<Self> {
        Ok(Self { encoder: Mutex::new(Some(Encoder::new(Vec::new(), level)?)) })
    }

    fn compress(&self, py: Python<'_>, piece: PyBackedBytes) -> PyResult<Py<PyBytes>> {
        self.work(py, |encoder| {
            let Some(encoder) = encoder else { return Ok(None) };
            encoder.write_all(&piece)?;
            Ok(Some(mem::take(encoder.get_mut())))
        })
    }

    fn flush(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        self.work(py, |encoder| encoder.take().map(Encoder::finish).transpose())
    }
}

impl ZstdCompressor {
    fn work(
        &self,
        py: Python<'_>,
        step: impl FnOnce(&mut Option<Encoder<'static, Vec<u8>>>) -> io::Result<Option<Vec<u8>>> + Send,
    ) -> PyResult<Py<PyBytes>> {
        let written = py.detach(|| step(&mut self.encoder.lock().unwrap_or_else(PoisonError::into_inner)))?;
        let written = written.ok_or_else(|| PyValueError::new_err("the compressor is finished"))?;
        Ok(PyBytes::new(py, &written).unbind())
    }
}

//! The Python edge of the `ftrace` crate: the module `jitterscope._ftrace`.

use pyo3::prelude::*;

/// Holds the functions that Python may call; each is listed here.
#[pymodule]
fn _ftrace(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}

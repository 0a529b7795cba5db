//! The Python edge of the `ftrace` crate: the module `jitterscope._ftrace`.

mod explore;

use pyo3::prelude::*;

/// Holds the functions that Python may call; each is listed here.
#[pymodule]
fn _ftrace(module: &Bound<'_, PyModule>) -> PyResult<()> {
    explore::register(module)
}

//! The Python edge of the `ftrace` crate: the module `jitterscope._ftrace`.

mod confine;
mod diff;
mod explain;
mod explore;
mod latency_scan;
mod load;

use pyo3::prelude::*;

/// Holds the functions that Python may call; each is listed here.
#[pymodule]
fn _ftrace(module: &Bound<'_, PyModule>) -> PyResult<()> {
    load::register(module)?;
    confine::register(module)?;
    explore::register(module)?;
    latency_scan::register(module)?;
    explain::register(module)?;
    diff::register(module)
}

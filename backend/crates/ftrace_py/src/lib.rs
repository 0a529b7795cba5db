//! The Python edge of the `ftrace` crate: the module `jitterscope._ftrace`.

mod compress;
mod confine;
mod load;
mod question;
mod recordings;

use pyo3::prelude::*;

/// Holds what Python may call; each function and class is listed where it is defined.
#[pymodule]
fn _ftrace(module: &Bound<'_, PyModule>) -> PyResult<()> {
    load::register(module)?;
    confine::register(module)?;
    question::register(module)?;
    recordings::register(module)?;
    compress::register(module)
}

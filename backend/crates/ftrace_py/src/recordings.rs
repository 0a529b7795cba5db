//! Recordings that are held in this process, and questions about them, without the GIL.
#![expect(clippy::disallowed_types, reason = "this is the edge at which a parser's output comes in")]

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::RawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ftrace::explore::{Received, ShelfError, Shelves};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::load::{ScratchFile, file_of};
use crate::question::raise;

create_exception!(_ftrace, FramesError, PyRuntimeError, "Output that no sound parser writes.");

/// Adds the class and its exception to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FramesError", module.py().get_type::<FramesError>())?;
    module.add_class::<Recordings>()
}

/// Its lock is never waited for: a recording comes in, or a question is answered.
#[pyclass(frozen)]
struct Recordings {
    shelves: Mutex<Shelves<ScratchFile>>,
}

#[pymethods]
impl Recordings {
    #[new]
    fn new() -> Self {
        Self { shelves: Mutex::default() }
    }

    fn receive(
        &self,
        py: Python<'_>,
        id: &str,
        name: &str,
        trace_key: i64,
        scratch_fd: RawFd,
        frames_fd: RawFd,
    ) -> PyResult<(&'static str, Py<PyBytes>)> {
        let scratch = ScratchFile::new(file_of(scratch_fd)?);
        let mut frames = Interruptible { pipe: file_of(frames_fd)?, caught: None };
        let work = || self.lock().receive((id, name), trace_key, scratch, &mut frames);
        let received = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
        if let Some(interrupt) = frames.caught {
            return Err(interrupt);
        }
        let received = received.map_err(|_| PyRuntimeError::new_err("the recording was given up"))?;
        let json = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
        match received.map_err(|error| FramesError::new_err(error.to_string()))? {
            Received::Whole(known) => {
                let known =
                    serde_json::to_vec(&known).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
                Ok(("whole", json(&known)))
            }
            Received::Refused(error) => Ok(("refused", json(&error))),
            Received::Nothing => Ok(("nothing", json(b"null"))),
        }
    }

    fn ask(&self, py: Python<'_>, question: &str, request: &str) -> PyResult<Py<PyBytes>> {
        let work = || self.lock().ask(question, request);
        let answer = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
        let answer = answer.map_err(|_| PyRuntimeError::new_err("the question was given up"))?;
        match answer {
            Ok(answer) => Ok(PyBytes::new(py, &answer).unbind()),
            Err(ShelfError::Question(error)) => Err(raise(py, error)),
            Err(ShelfError::Scratch(error)) => Err(PyOSError::new_err(error.sentence)),
        }
    }
}

impl Recordings {
    fn lock(&self) -> std::sync::MutexGuard<'_, Shelves<ScratchFile>> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pipe of which reading ends at Ctrl-C.
struct Interruptible {
    pipe: File,
    /// What the signal's handler raised.
    caught: Option<PyErr>,
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.pipe.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    // Readers try again after `Interrupted`, so this is another error.
                    if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                        self.caught = Some(interrupt);
                        return Err(io::Error::other("interrupted"));
                    }
                }
                read => return read,
            }
        }
    }
}

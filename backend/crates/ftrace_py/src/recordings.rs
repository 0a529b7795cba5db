//! Recordings that are held in this process, and questions about them, without the GIL.
#![expect(clippy::disallowed_types, reason = "this is the edge at which files come in and answers go out")]

use std::fs::File;
use std::io::{self, Read, Write};
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
        let mut frames = Interruptible { file: file_of(frames_fd)?, caught: None };
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
        let answer = answer.map_err(|_| given_up())?;
        answer.map(|answer| PyBytes::new(py, &answer).unbind()).map_err(|error| refusal(py, error))
    }

    fn write(&self, py: Python<'_>, question: &str, request: &str, output_fd: RawFd) -> PyResult<()> {
        let mut output = Interruptible { file: file_of(output_fd)?, caught: None };
        let work = || self.lock().write(question, request, &mut output);
        let written = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
        if let Some(interrupt) = output.caught {
            return Err(interrupt);
        }
        written.map_err(|_| given_up())?.map_err(|error| refusal(py, error))
    }
}

fn given_up() -> PyErr {
    PyRuntimeError::new_err("the question was given up")
}

fn refusal(py: Python<'_>, error: ShelfError) -> PyErr {
    match error {
        ShelfError::Question(error) => raise(py, error),
        ShelfError::Scratch(error) => PyOSError::new_err(error.sentence),
        ShelfError::Output(error) => error.into(),
    }
}

impl Recordings {
    fn lock(&self) -> std::sync::MutexGuard<'_, Shelves<ScratchFile>> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file of which reading or writing ends at Ctrl-C.
struct Interruptible {
    file: File,
    /// What the signal's handler raised.
    caught: Option<PyErr>,
}

impl Interruptible {
    fn check_signals(&mut self) -> io::Result<()> {
        Python::attach(|py| py.check_signals()).map_err(|interrupt| {
            self.caught = Some(interrupt);
            // Readers and writers retry after `Interrupted`, so this is another error.
            io::Error::other("interrupted")
        })
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => self.check_signals()?,
                read => return read,
            }
        }
    }
}

impl Write for Interruptible {
    /// A disk is never waited for long enough to be interrupted, so signals are looked for at each piece.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check_signals()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! The load path: file descriptors in, frames out, without the GIL.
#![expect(clippy::disallowed_types, reason = "this is the edge at which files come in")]

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::fs::FileExt;

use ftrace::analyses::SampleFlags;
use ftrace::formats;
use ftrace::import::{self, Extent, ImportRequest};
use ftrace::input::{ReadAt, Scratch};
use ftrace::model::{Code, FailureClass, Limits, Place, ReadError};
use ftrace::store::frames::Output;
use ftrace::store::own_rows;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{create_exception, wrap_pyfunction};

use crate::question::BlockError;

create_exception!(_ftrace, UnsupportedError, PyValueError, "An upload that is not read.");

/// Adds the functions and exceptions of the load path to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("UnsupportedError", module.py().get_type::<UnsupportedError>())?;
    module.add_function(wrap_pyfunction!(sniff, module)?)?;
    module.add_function(wrap_pyfunction!(import_trace, module)?)?;
    module.add_function(wrap_pyfunction!(count_own_rows, module)?)?;
    module.add("NUMBER_FLAG", SampleFlags::NUMBER.0)?;
    module.add("STARTING_FLAG", SampleFlags::STARTING.0)?;
    module.add_function(wrap_pyfunction!(catalog, module)?)
}

#[pyfunction]
fn sniff(py: Python<'_>, head: &[u8], size_bytes: u64) -> PyResult<&'static str> {
    let file = Head { head, size_bytes };
    let format = py.detach(|| formats::sniff(&file, &Limits::default()));
    format.map(|format| format.name()).map_err(|error| unsupported(py, &error))
}

#[pyfunction]
fn import_trace(
    py: Python<'_>,
    input_fd: RawFd,
    scratch_fd: RawFd,
    output_fd: RawFd,
    trace_key: i64,
    limits_json: &str,
    is_whole: bool,
) -> PyResult<()> {
    let limits: Limits =
        serde_json::from_str(limits_json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let file = StoredFile::open(input_fd)?;
    let mut scratch = ScratchFile::new(file_of(scratch_fd)?);
    let mut output = Pipe(file_of(output_fd)?);
    let imported = py.detach(move || {
        let extent = if is_whole { Extent::Whole } else { Extent::Cases };
        let request =
            ImportRequest { file: &file, scratch: &mut scratch, limits: &limits, trace_key, extent };
        import::import(request, &mut output)
    });
    imported.map_err(|error| PyOSError::new_err(error.sentence))
}

#[pyfunction]
fn count_own_rows(
    py: Python<'_>,
    trace_key: i64,
    table: &str,
    frame: &[u8],
    start: usize,
) -> PyResult<usize> {
    let stream = frame.get(start..).unwrap_or_default();
    py.detach(|| own_rows::count_own_rows(trace_key, table, stream))
        .map_err(|refusal| BlockError::new_err(refusal.to_string()))
}

#[pyfunction]
fn catalog() -> PyResult<String> {
    serde_json::to_string(&ftrace::catalog::catalog())
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn unsupported(py: Python<'_>, error: &ReadError) -> PyErr {
    let exception = UnsupportedError::new_err(error.sentence.clone());
    let set = || -> PyResult<()> {
        let place = PyDict::new(py);
        place.set_item("line", error.place.line)?;
        place.set_item("byte_offset", error.place.byte_offset)?;
        let value = exception.value(py);
        value.setattr("code", error.code.name())?;
        value.setattr("sentence", &error.sentence)?;
        value.setattr("remedy", error.code.remedy())?;
        value.setattr("place", place)
    };
    set().err().unwrap_or(exception)
}

/// The first bytes of a file that is still being received.
struct Head<'a> {
    head: &'a [u8],
    size_bytes: u64,
}

impl ReadAt for Head<'_> {
    fn len(&self) -> u64 {
        self.size_bytes
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut rest = self.head.get(start..).unwrap_or_default();
        io::Read::read(&mut rest, buffer).map_err(|error| failed("read", offset, &error))
    }
}

/// An uploaded file. It is read with `pread`, because a mapped file that shrinks is a fatal signal.
struct StoredFile {
    file: File,
    size_bytes: u64,
}

impl StoredFile {
    fn open(fd: RawFd) -> PyResult<Self> {
        let mut file = file_of(fd)?;
        // Not by its metadata: the calls for those take paths, too, and are closed here.
        let size_bytes = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, size_bytes })
    }
}

impl ReadAt for StoredFile {
    fn len(&self) -> u64 {
        self.size_bytes
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        read_fully(&self.file, offset, buffer)
    }
}

/// The file that a compressed binary recording is expanded into.
pub struct ScratchFile {
    file: File,
    size_bytes: u64,
}

impl ScratchFile {
    /// An empty file.
    pub fn new(file: File) -> Self {
        Self { file, size_bytes: 0 }
    }
}

impl ReadAt for ScratchFile {
    fn len(&self) -> u64 {
        self.size_bytes
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        read_fully(&self.file, offset, buffer)
    }
}

impl Scratch for ScratchFile {
    fn append(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let written = self.file.write_all_at(bytes, self.size_bytes);
        written.map_err(|error| failed("expanded", self.size_bytes, &error))?;
        self.size_bytes = self.size_bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    fn clear(&mut self) {
        self.size_bytes = 0;
    }
}

/// The pipe to the worker.
struct Pipe(File);

impl Output for Pipe {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.0.write_all(bytes).map_err(|error| failed("passed on", 0, &error))
    }
}

fn read_fully(file: &File, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let at = offset.saturating_add(u64::try_from(filled).unwrap_or(u64::MAX));
        match file.read_at(rest, at) {
            Ok(0) => break,
            Ok(count) => filled = filled.saturating_add(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed("read", at, &error)),
        }
    }
    Ok(filled)
}

fn failed(what: &str, byte_offset: u64, error: &io::Error) -> ReadError {
    let sentence = format!("The stored file could not be {what}: {error}.");
    ReadError::new(FailureClass::Io, Code::ReadFailed, Place::byte(byte_offset), sentence)
}

/// The caller's open file under a descriptor of our own, so that both can be closed.
pub fn file_of(fd: RawFd) -> PyResult<File> {
    if fd < 0 {
        return Err(PyValueError::new_err("a file descriptor is negative"));
    }
    #[expect(unsafe_code, reason = "Python hands over descriptors as numbers")]
    // SAFETY: the descriptor is only duplicated, at once; one that is not open is an error of `dup`.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    Ok(File::from(borrowed.try_clone_to_owned()?))
}

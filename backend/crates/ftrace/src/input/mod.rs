//! Bytes on their way in: random access to the stored file, and the stream that it expands to.

pub mod clean;
pub mod container;
mod encoding;
pub mod lines;
pub mod page;
pub mod prefix;
mod unescape;
pub mod wrappings;

use std::io::Read;

use crate::model::ReadError;

/// Random access to a file that may shrink or fail under us, which is why nothing is mapped.
pub trait ReadAt {
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes read into `buffer` from `offset`; fewer than asked only at the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError>;
}

/// A file of our own that a compressed binary recording is expanded into, because it needs random access.
pub trait Scratch: ReadAt {
    fn append(&mut self, bytes: &[u8]) -> Result<(), ReadError>;

    /// Begins anew, with nothing in it.
    fn clear(&mut self);
}

/// The expanded recording as a format reads it.
pub enum Input<'a> {
    /// For formats that read from front to back. Errors of the decompressor arrive as `io::Error`
    /// with a [`ReadError`] inside.
    Stream(&'a mut dyn Read),
    /// A stream in which something is missing, such as what was damaged of a compressed file, and at which
    /// offsets, in order; the last may be its end.
    Broken(&'a mut dyn Read, &'a [u64]),
    /// For formats that follow offsets.
    Random(&'a dyn ReadAt),
}

/// Bytes in memory: the head of an upload, or a recording in a test.
impl ReadAt for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.get(start..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

impl Scratch for Vec<u8> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn clear(&mut self) {
        Vec::clear(self);
    }
}

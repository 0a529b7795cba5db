//! The compression inside version 7 files: one block at a time, to a size that the file states.

use std::cell::Cell;

use flate2::{Decompress, FlushDecompress, Status};
use zstd::zstd_safe::DCtx;

/// The compression that a version 7 file names in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    Zlib,
    Zstd,
}

impl Codec {
    /// The codec of that name; `None` for `none` and for names that are not known.
    pub fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"zlib" => Some(Self::Zlib),
            b"zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// As [`Expander::expand`], for a single block.
    pub fn expand(self, block: &[u8], size: usize, output: &mut Vec<u8>) -> bool {
        Expander::new(self).expand(block, size, output)
    }
}

/// Expands one block after another. It keeps zstd's tables of 160 KiB, which take longer to make than to expand a
/// small chunk with.
pub struct Expander {
    codec: Codec,
    zstd: Cell<Option<DCtx<'static>>>,
}

impl Expander {
    pub fn new(codec: Codec) -> Self {
        Self { codec, zstd: Cell::new(None) }
    }

    /// Replaces `output` by what `block` expands to; false where that is not exactly `size` bytes.
    pub fn expand(&self, block: &[u8], size: usize, output: &mut Vec<u8>) -> bool {
        output.clear();
        output.reserve_exact(size);
        match self.codec {
            Codec::Zlib => {
                let mut inflate = Decompress::new(true);
                let status = inflate.decompress_vec(block, output, FlushDecompress::Finish);
                matches!(status, Ok(Status::StreamEnd)) && output.len() == size
            }
            Codec::Zstd => {
                let mut context = self.zstd.take().unwrap_or_else(DCtx::create);
                let produced = context.decompress(output, block);
                self.zstd.set(Some(context));
                produced == Ok(size)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_block_expands_to_its_stated_size_only() {
        let text = b"page after page after page after page";
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(text).unwrap();
        let blocks =
            [(Codec::Zlib, zlib.finish().unwrap()), (Codec::Zstd, zstd::bulk::compress(text, 3).unwrap())];
        for (codec, block) in blocks {
            let (expander, mut output) = (Expander::new(codec), Vec::new());
            // One that was damaged does not spoil the next.
            for _ in 0..2 {
                assert!(expander.expand(&block, text.len(), &mut output));
                assert_eq!(output, text);
                assert!(!expander.expand(&block, text.len() - 1, &mut output));
                assert!(!expander.expand(&block, text.len() + 1, &mut output));
                assert!(!expander.expand(&block[..block.len() - 3], text.len(), &mut output));
                assert!(!expander.expand(b"", text.len(), &mut output));
            }
        }
    }
}

//! The compression inside version 7 files: one block at a time, to a size that the file states.

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

    /// Replaces `output` by what `block` expands to; false where that is not exactly `size` bytes.
    pub fn expand(self, block: &[u8], size: usize, output: &mut Vec<u8>) -> bool {
        output.clear();
        output.reserve_exact(size);
        match self {
            Self::Zlib => {
                let mut inflate = Decompress::new(true);
                let status = inflate.decompress_vec(block, output, FlushDecompress::Finish);
                matches!(status, Ok(Status::StreamEnd)) && output.len() == size
            }
            Self::Zstd => {
                output.resize(size, 0);
                let produced = DCtx::create().decompress(output.as_mut_slice(), block);
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
            let mut output = Vec::new();
            assert!(codec.expand(&block, text.len(), &mut output));
            assert_eq!(output, text);
            assert!(!codec.expand(&block, text.len() - 1, &mut output));
            assert!(!codec.expand(&block, text.len() + 1, &mut output));
            assert!(!codec.expand(&block[..block.len() - 3], text.len(), &mut output));
            assert!(!codec.expand(b"", text.len(), &mut output));
        }
    }
}

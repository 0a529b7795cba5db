//! Stored rows on their way back: the streams of COPY as columns and names.

pub mod blocks;
mod columns;
pub mod dictionaries;
pub mod headers;
pub mod name_idx;
pub mod samples;

pub use columns::read_rows;

//! Answers questions about a window of a stored trace: bytes of COPY streams in, JSON out.
//!
//! A request is a JSON object of query parameters ([`request`]); a plan says which blocks it needs
//! ([`plan`]); each answer is one file. Nothing here costs more than the screen or the page asked for.

pub mod blocks;
pub mod dictionaries;
mod error;

pub use error::ExploreError;

//! Reads Linux ftrace recordings into events, slices and calls, and answers questions about them.
//!
//! A pure function of bytes: no files, network, clock, SQL or Python. Data flows one way:
//! `input` (bytes, decompression, lines) → `formats` (one per recording layout) → [`model::Sink`]
//! (`import`: interns names, rebases time, runs `calls` and `analyses`) → `store` (blocks as
//! PostgreSQL binary COPY, and back). `explore` answers windows from stored blocks. No folder imports
//! one that follows it in this direction, which `testing/floors.rs` checks.
#![forbid(unsafe_code)]

pub mod analyses;
pub mod calls;
pub mod catalog;
pub mod diff;
pub mod events;
pub mod explain;
pub mod explore;
pub mod formats;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod import;
pub mod input;
pub mod kinds;
pub mod model;
mod rollup;
pub mod store;
#[cfg(test)]
mod testing;

//! From a recording to frames of stored tables, in one pass; in three where the first record is not the
//! earliest one. A compressed file that turns out to be damaged is begun anew from what of it is sound.
//!
//! [`import`] reads any format into an [`Importer`], which rebases time, interns names, runs the
//! analyses and writes blocks. Memory goes with the number of names, of open intervals and of rollup
//! cells, all of them limited, and never with the length of the file.

mod aggregates;
#[cfg(test)]
mod arrow_properties;
mod beginning;
#[cfg(test)]
mod buffer_tests;
mod buffers;
mod calls;
mod counting;
mod cpus;
#[cfg(test)]
mod damage_tests;
mod diagnostics;
mod doubtful_values;
mod fields;
mod file_progress;
mod importer;
#[cfg(test)]
mod interference_tests;
mod latencies;
mod losses;
mod missed_switches;
mod names;
mod partners;
mod recording;
mod repeats;
mod reports;
mod run;
#[cfg(test)]
mod slice_properties;
mod summaries;
pub(crate) mod summary;
mod tails;
mod tasks;
#[cfg(test)]
pub mod testing;

pub use importer::Importer;
pub use run::{Extent, ImportRequest, import};

/// A CPU number as it is stored. The importer drops records of CPUs past `i16::MAX`.
fn narrow(cpu: u16) -> i16 {
    i16::try_from(cpu).unwrap_or(i16::MAX)
}

/// An index as it is stored; dictionaries never grow past the range.
fn stored(idx: u32) -> i32 {
    i32::try_from(idx).unwrap_or(i32::MAX)
}

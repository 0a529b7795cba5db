//! The stored shape of a trace: its tables, and its records as blocks on their way to PostgreSQL and
//! back, in its binary COPY format.

pub mod copy;
pub mod counter_blocks;
pub mod decode;
mod distinct;
mod elements;
pub mod event_blocks;
pub mod frames;
pub mod id_runs;
mod long_times;
pub mod own_rows;
pub mod read;
pub mod sample_blocks;
pub mod slice_blocks;
pub mod tables;
#[cfg(test)]
pub mod testing;
pub mod text;
mod time_axis;
pub mod writer;

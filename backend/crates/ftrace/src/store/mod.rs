//! The stored shape of a trace: its tables, and its records as blocks on their way to PostgreSQL and
//! back, in its binary COPY format.

pub mod copy;
pub mod decode;
pub mod tables;
pub mod text;

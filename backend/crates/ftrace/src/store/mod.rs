//! Blocks on their way to PostgreSQL and back, in its binary COPY format.

pub mod decode;
#[cfg(test)]
pub mod test_stream;

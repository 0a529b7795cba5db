//! What a person should know of a format or a wrapping; the reference of formats is made of it.

use serde::Serialize;

/// Whole phrases, in the words of a person who records traces.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct About {
    /// How it is recognised by the content of a file.
    pub recognised_by: &'static str,
    pub reads: &'static str,
    /// What of it is not read, or not kept.
    pub leaves_out: &'static str,
}

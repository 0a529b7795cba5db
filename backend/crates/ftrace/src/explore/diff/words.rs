//! Texts of a comparison.

use std::fmt::Write;

use crate::diff::amount;

/// `+10.056 µs`, `−0.394 µs`, `+1.777 ms`, `±0.000 µs`: as the sentence of a comparison writes it.
pub fn signed_time(ns: i64) -> String {
    match ns {
        0 => format!("±{}", amount(ns)),
        1.. => format!("+{}", amount(ns)),
        _ => amount(ns),
    }
}

/// The text as a part of an address.
pub fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' | b'/' | b':' => {
                encoded.push(char::from(byte));
            }
            // Writing to a String cannot fail.
            _ => _ = write!(encoded, "%{byte:02X}"),
        }
    }
    encoded
}

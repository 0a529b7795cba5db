//! Texts of a comparison.

use std::fmt::Write;

/// `+10.056 µs`, `−0.394 µs`: to the nanosecond, because the numbers of a comparison add up.
pub fn signed_microseconds(ns: i64) -> String {
    let sign = match ns {
        ..0 => "−",
        0 => "±",
        _ => "+",
    };
    format!("{sign}{} µs", microseconds(ns))
}

/// `10.056`, without sign and unit.
fn microseconds(ns: i64) -> String {
    let ns = ns.unsigned_abs();
    format!("{}.{:03}", ns.div_euclid(1_000), ns.rem_euclid(1_000))
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

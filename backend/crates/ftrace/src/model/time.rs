//! Time on the trace clock.

use serde::{Deserialize, Serialize};

/// A reading of the trace clock, in integer nanoseconds; what lies between two is [`Ns`](super::Ns).
///
/// For clocks that do not count seconds (`x86-tsc`, `counter`, `uptime`) it holds the clock's own
/// ticks and [`TimeUnit::Ticks`] says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// What one step of a trace's [`Timestamp`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeUnit {
    #[default]
    Ns,
    Ticks,
}

impl TimeUnit {
    /// As the API names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Ticks => "ticks",
        }
    }
}

/// Where the positions of a trace's records come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeOrigin {
    /// The file holds stamps.
    #[default]
    Recorded,
    /// function_graph text without absolute times: positions are laid out from durations, per CPU.
    Derived,
}

/// Nanoseconds in `12.345678` or `12.345678901`; 1 to 9 fraction digits, each read as an integer.
///
/// `None` where the text is not of that form, or past the range of an `i64` of nanoseconds.
pub fn parse_seconds(text: &[u8]) -> Option<Timestamp> {
    let dot = memchr::memchr(b'.', text)?;
    let (whole, fraction) = (text.get(..dot)?, text.get(dot.checked_add(1)?..)?);
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let seconds = digits(whole)?;
    let scale = 10_i64.checked_pow(u32::try_from(9_usize.checked_sub(fraction.len())?).ok()?)?;
    let nanoseconds = digits(fraction)?.checked_mul(scale)?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds).map(Timestamp)
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0_i64, |value, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        value.checked_mul(10)?.checked_add(i64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<i64>) {
        assert_eq!(parse_seconds(text.as_bytes()), expected.map(Timestamp), "{text}");
    }

    #[test]
    fn seconds_are_read_as_integers() {
        check("14372.732649", Some(14_372_732_649_000));
        check("106439.675570920", Some(106_439_675_570_920));
        check("22.976", Some(22_976_000_000));
        check("9223372036.854775807", Some(i64::MAX));
    }

    #[test]
    fn what_is_no_time_or_too_large_is_none() {
        check("9223372036.854775808", None);
        check("1.", None);
        check(".5", None);
        check("1.0000000001", None);
        check("1.2.3", None);
        check("12", None);
    }
}

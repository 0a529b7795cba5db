//! What programs that measure latency state, in the one form in which their formats hand it on.

use std::io::Write;

use super::fields::leading_number;

/// A value that a program measured so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured<'a> {
    pub quantity: Quantity,
    /// How often: 1, or that of a bar of a histogram.
    pub count: i64,
    /// Program and thread, or what else distinguishes its series: `cyclictest thread 0`.
    pub source: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    LatencyNs(i64),
    /// Past the end of a histogram.
    AtLeastNs(i64),
    /// No time: a count of something, as the work that was done in a quantum.
    Number(i64),
    /// How many more there were is all that is stated.
    NotListed,
}

impl Measured<'_> {
    /// Appends the measurement as the arguments of the event that it is stored as.
    ///
    // latency_ns=19000 count=512 source=cyclictest thread 0
    pub fn write(&self, text: &mut Vec<u8>) {
        // Writing to a Vec cannot fail.
        let _ = match self.quantity {
            Quantity::LatencyNs(value) => write!(text, "latency_ns={value} "),
            Quantity::AtLeastNs(value) => write!(text, "at_least_ns={value} "),
            Quantity::Number(value) => write!(text, "number={value} "),
            Quantity::NotListed => write!(text, "not_listed "),
        };
        let _ = write!(text, "count={} source=", self.count);
        text.extend_from_slice(self.source);
    }
}

/// `None` for anything but what [`Measured::write`] makes of what can be measured: nothing is below zero.
pub fn parse_measured(text: &[u8]) -> Option<Measured<'_>> {
    let (word, rest) = text.split_at_checked(memchr::memchr(b' ', text)?)?;
    let name_end = memchr::memchr(b'=', word).unwrap_or(word.len());
    let (name, value) = word.split_at_checked(name_end)?;
    let value = || value.strip_prefix(b"=").and_then(whole_number);
    let quantity = match name {
        b"latency_ns" => Quantity::LatencyNs(value()?),
        b"at_least_ns" => Quantity::AtLeastNs(value()?),
        b"number" => Quantity::Number(value()?),
        b"not_listed" => Quantity::NotListed,
        _ => return None,
    };
    let (count, rest) = leading_number(rest.strip_prefix(b" count=")?)?;
    let source = rest.strip_prefix(b" source=")?;
    (count > 0).then_some(Measured { quantity, count, source })
}

fn whole_number(text: &[u8]) -> Option<i64> {
    leading_number(text).filter(|(value, rest)| rest.is_empty() && *value >= 0).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let quantities = [
            Quantity::LatencyNs(0),
            Quantity::AtLeastNs(i64::MAX),
            Quantity::Number(1_078),
            Quantity::NotListed,
        ];
        for quantity in quantities {
            let measured = Measured { quantity, count: 512, source: b"cyclictest thread 0" };
            let mut text = Vec::new();
            measured.write(&mut text);
            assert_eq!(parse_measured(&text), Some(measured));
        }
    }

    #[test]
    fn what_cannot_be_measured_is_none() {
        for text in [
            "",
            "latency_ns=5",
            "latency_ns=-5 count=1 source=x",
            "latency_ns=5 count=0 source=x",
            "latency_ns= count=1 source=x",
            "duration_ns=5 count=1 source=x",
            "latency_ns=5us count=1 source=x",
        ] {
            assert_eq!(parse_measured(text.as_bytes()), None, "{text}");
        }
    }
}

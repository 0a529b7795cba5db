//! The small text tables of a recording: saved command lines and printk formats.

use hashbrown::HashMap;

use super::odd_lines::OddLines;

/// The longest name of a task that the kernel keeps.
const MAX_COMM_BYTES: usize = 15;

/// Last known name of each pid, from `PID COMM` lines.
#[derive(Debug, Default)]
pub struct Cmdlines {
    names: HashMap<i32, Vec<u8>>,
    pub odd_lines: OddLines,
}

impl Cmdlines {
    /// A comm may contain blanks; of several lines for one pid the last counts.
    pub fn parse(text: &[u8]) -> Self {
        let mut known = Self::default();
        for line in text.split(|byte| *byte == b'\n') {
            let named = parse_name(line);
            // A name may contain a line feed, so that any text may follow one.
            let comm = named.map_or(line, |(_, comm)| comm);
            if comm.len() > MAX_COMM_BYTES || comm.contains(&0) {
                known.odd_lines.add(line);
            }
            if let Some((pid, comm)) = named {
                let comm = comm.split(|byte| *byte == 0).next().unwrap_or_default();
                known.names.insert(pid, comm.to_vec());
            }
        }
        known
    }

    /// The name of a task; `<idle>` for pid 0, empty where it is not known.
    pub fn name(&self, pid: i32) -> &[u8] {
        match pid {
            0 => b"<idle>",
            _ => self.names.get(&pid).map_or(b"", Vec::as_slice),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (i32, &[u8])> {
        self.names.iter().map(|(pid, name)| (*pid, name.as_slice()))
    }
}

fn parse_name(line: &[u8]) -> Option<(i32, &[u8])> {
    let (pid, comm) = line.split_at_checked(memchr::memchr(b' ', line)?)?;
    let pid = std::str::from_utf8(pid).ok()?.parse().ok()?;
    let comm = comm.get(1..).filter(|comm| comm != b"<...>")?;
    Some((pid, comm))
}

/// Strings that records point at by their kernel address, from `0xaddr : "text\n"` lines.
#[derive(Debug, Default)]
pub struct PrintkFormats {
    texts: HashMap<u64, Vec<u8>>,
    pub odd_lines: OddLines,
}

impl PrintkFormats {
    /// Lines `0xADDRESS : "TEXT"`.
    pub fn parse(text: &[u8]) -> Self {
        let mut known = Self::default();
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let parsed = parse_printk_line(line);
            if parsed.is_none() || !line.ends_with(b"\"") || line.contains(&0) {
                known.odd_lines.add(line);
            }
            known.texts.extend(parsed);
        }
        known
    }

    /// The text at an address.
    pub fn find(&self, address: u64) -> Option<&[u8]> {
        self.texts.get(&address).map(Vec::as_slice)
    }
}

/// `0xffffffff8c2b8c40 : "rcu: %s\n"`
fn parse_printk_line(line: &[u8]) -> Option<(u64, Vec<u8>)> {
    let line = std::str::from_utf8(line).ok()?;
    let (address, text) = line.split_once(':')?;
    let address = u64::from_str_radix(address.trim().trim_start_matches("0x"), 16).ok()?;
    let quoted = text.trim().strip_prefix('"')?;
    Some((address, unescape(quoted.strip_suffix('"').unwrap_or(quoted).as_bytes())))
}

/// C escapes of a quoted string.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else { break };
        rest = after;
        match escape {
            b'n' => plain.push(b'\n'),
            b't' => plain.push(b'\t'),
            b'r' => plain.push(b'\r'),
            b'x' => {
                let digits = rest.iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
                plain.push(digits_value(rest.get(..digits).unwrap_or_default(), 16));
                rest = rest.get(digits..).unwrap_or_default();
            }
            b'0'..=b'7' => {
                let more = rest.iter().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let digits = [&[escape], rest.get(..more).unwrap_or_default()].concat();
                plain.push(digits_value(&digits, 8));
                rest = rest.get(more..).unwrap_or_default();
            }
            other => plain.push(other),
        }
    }
    plain
}

fn digits_value(digits: &[u8], radix: u32) -> u8 {
    let value = digits.iter().filter_map(|byte| char::from(*byte).to_digit(radix));
    value.fold(0_u32, |sum, digit| sum.wrapping_mul(radix).wrapping_add(digit)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_a_pid_counts() {
        let names = Cmdlines::parse(b"7 my task\n7 other name\n9 <...>\nx y\n-3 odd\n");
        assert_eq!(names.name(7), b"other name");
        assert_eq!(names.name(9), b"");
        assert_eq!(names.name(-3), b"odd");
        assert_eq!(names.name(0), b"<idle>");
    }

    #[test]
    fn printk_formats_are_unescaped() {
        let formats = PrintkFormats::parse(b"0xc0a0 : \"a \\\"b\\\" %d\\n\"\nnonsense\n");
        assert_eq!(formats.find(0xc0a0), Some(&b"a \"b\" %d\n"[..]));
        assert_eq!(formats.find(1), None);
        assert_eq!(unescape(br"\x41\101\\"), b"AA\\");
    }
}

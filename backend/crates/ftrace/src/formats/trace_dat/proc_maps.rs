//! Which file of a process an address of its stack lies in.

use hashbrown::HashMap;

/// The mappings of processes by pid, as trace-cmd noted them when the recording ended.
#[derive(Debug, Default)]
pub struct ProcMaps {
    processes: HashMap<i32, Vec<Mapping>>,
}

#[derive(Debug)]
struct Mapping {
    start: u64,
    end: u64,
    name: Vec<u8>,
}

/// Processes and their libraries are few; a hostile file may claim any number.
const MAX_MAPPINGS: usize = 65_536;

impl ProcMaps {
    /// A line of `PID COUNT PROGRAM`, then lines of `START END FILE`, all numbers hexadecimal.
    /// Source: add_pid_maps in trace-cmd 3.1, tracecmd/trace-record.c.
    pub fn add(&mut self, text: &[u8]) {
        let mut lines = text.split(|byte| matches!(byte, b'\n' | 0));
        let Some((pid, _)) = lines.next().and_then(hex_word) else { return };
        let mappings = lines.take(MAX_MAPPINGS).filter_map(|line| {
            let (start, rest) = hex_word(line)?;
            let (end, name) = hex_word(rest)?;
            Some(Mapping { start, end, name: name.to_vec() })
        });
        if let (Ok(pid), true) = (i32::try_from(pid), self.processes.len() < MAX_MAPPINGS) {
            self.processes.insert(pid, mappings.collect());
        }
    }

    /// The file at an address of a process, and how far into its mapping that is.
    pub fn find(&self, pid: i32, address: u64) -> Option<(&[u8], u64)> {
        let mappings = self.processes.get(&pid)?;
        let mapping = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
        Some((&mapping.name, address.saturating_sub(mapping.start)))
    }
}

/// A hexadecimal number, and the text after the blank that follows it.
fn hex_word(line: &[u8]) -> Option<(u64, &[u8])> {
    let blank = memchr::memchr(b' ', line)?;
    let digits = std::str::from_utf8(line.get(..blank)?).ok()?;
    Some((u64::from_str_radix(digits, 16).ok()?, line.get(blank.checked_add(1)?..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_the_files_of_their_process() {
        let mut maps = ProcMaps::default();
        maps.add(b"1a 2 /usr/bin/a\n400000 401000 /usr/bin/a\n7f00 7f10 /lib/my lib.so\nx y\n\0");
        maps.add(b"nonsense");
        assert_eq!(maps.find(26, 0x7f0f), Some((&b"/lib/my lib.so"[..], 0xf)));
        assert_eq!(maps.find(26, 0x40_0000), Some((&b"/usr/bin/a"[..], 0)));
        assert_eq!(maps.find(26, 0x7f10), None);
        assert_eq!(maps.find(7, 0x7f00), None);
    }
}

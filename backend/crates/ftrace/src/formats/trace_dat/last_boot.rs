//! Addresses of the boot before, in an instance whose buffer outlived it.
//!
//! Source: show_last_boot_header and trace_adjust_address in kernel/trace/trace.c, Linux 6.18, and
//! Documentation/trace-cmd/trace-cmd.dat.v7.5.txt, trace-cmd 3.4.

use hashbrown::HashMap;

/// The addresses of the kernel and its modules then, and how far they have moved since.
#[derive(Debug)]
pub struct LastBoot {
    instance: Vec<u8>,
    /// In the order of the addresses.
    moves: Vec<Move>,
}

#[derive(Clone, Copy, Debug)]
struct Move {
    start: u64,
    /// Wraps around.
    distance: u64,
}

impl LastBoot {
    /// Of a `LAST_BOOT_INFO` option, which holds `INSTANCE:` and `last_boot_info`.
    ///
    /// `modules` is `/proc/modules` and `text_start` the symbol `_text`, both of the boot that wrote the file.
    /// `None` where the buffer is of this very boot, or where the kernel now is, is not known.
    pub fn parse(option: &[u8], modules: &[u8], text_start: Option<u64>) -> Option<Self> {
        let colon = memchr::memchr(b':', option)?;
        let (instance, info) = option.split_at_checked(colon)?;
        let info = std::str::from_utf8(info.get(1..)?).ok()?;
        let now = modules_by_name(modules);
        let now_of = |name| if name == "[kernel]" { text_start } else { now.get(name).copied() };
        let then = info.lines().filter_map(parse_line);
        // A module that is not loaded any more has not moved.
        let mut moves: Vec<_> = then
            .map(|(start, name)| Move { start, distance: now_of(name).unwrap_or(start).wrapping_sub(start) })
            .collect();
        let has_kernel = info.lines().filter_map(parse_line).any(|(_, name)| name == "[kernel]");
        moves.sort_by_key(|entry| entry.start);
        (has_kernel && text_start.is_some()).then(|| Self { instance: instance.to_vec(), moves })
    }

    /// Whether the records of an instance are of the boot before.
    pub fn is_of(&self, instance: &[u8]) -> bool {
        self.instance == instance
    }

    /// The present address of what was at an address then.
    pub fn address_now(&self, address: u64) -> u64 {
        let behind = self.moves.partition_point(|entry| entry.start <= address);
        let entry = behind.checked_sub(1).and_then(|at| self.moves.get(at));
        entry.map_or(address, |entry| address.wrapping_add(entry.distance))
    }
}

/// `ffffffff9a000000\t[kernel]` and `ffffffffc0700000\t\text4`, but no `# Current` and `trace_clock: local`.
fn parse_line(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.split_once('\t')?;
    Some((u64::from_str_radix(address, 16).ok()?, name.trim_matches(['\t', ' ', '\0'])))
}

/// Of lines like `ext4 1150976 1 - Live 0xffffffffc0123000`; hidden addresses are 0.
fn modules_by_name(text: &[u8]) -> HashMap<&str, u64> {
    let lines = std::str::from_utf8(text).unwrap_or_default().lines();
    let modules = lines.filter_map(|line| {
        let mut words = line.split(' ');
        let name = words.next()?;
        let address = u64::from_str_radix(words.nth(4)?.strip_prefix("0x")?, 16).ok()?;
        (address != 0).then_some((name, address))
    });
    modules.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULES: &[u8] = b"ext4 1150976 1 - Live 0xffffffffc0300000\n\
        crc 4096 1 ext4, Live 0xffffffffc0200000 (OE)\nhidden 1 0 - Live 0x0000000000000000\n";

    fn check(option: &str, moves: &[(u64, u64)]) {
        let boot = LastBoot::parse(option.as_bytes(), MODULES, Some(0xffff_ffff_8100_0000)).unwrap();
        assert!(boot.is_of(b"boot_map") && !boot.is_of(b""));
        for (then, now) in moves {
            assert_eq!(boot.address_now(*then), *now, "{then:#x}");
        }
    }

    #[test]
    fn addresses_move_with_the_kernel_or_their_module() {
        check(
            "boot_map:trace_clock: local\nffffffff9a000000\t[kernel]\nffffffffc0700000\t\tcrc\n\
             ffffffffc0800000\t\text4\nffffffffc0900000\t\tgone\nffffffffc0a00000\t\thidden\n\0",
            &[
                (0xffff_ffff_9a00_1004, 0xffff_ffff_8100_1004),
                (0xffff_ffff_c070_0010, 0xffff_ffff_c020_0010),
                (0xffff_ffff_c08f_ffff, 0xffff_ffff_c03f_ffff),
                (0xffff_ffff_c090_0001, 0xffff_ffff_c090_0001),
                (0xffff_ffff_c0a0_0001, 0xffff_ffff_c0a0_0001),
                (0x7fff_0000, 0x7fff_0000),
            ],
        );
    }

    #[test]
    fn modules_may_stand_below_the_kernel() {
        check(
            "boot_map:ffffffffa0000000\t[kernel]\nffffffff90000000\t\text4\n",
            &[(0xffff_ffff_a000_0004, 0xffff_ffff_8100_0004), (0xffff_ffff_9000_0004, 0xffff_ffff_c030_0004)],
        );
    }

    #[test]
    fn of_this_boot_nothing_has_moved() {
        for option in ["", "boot_map", "boot_map:# Current\n", "boot_map:zz\t[kernel]\n"] {
            assert!(LastBoot::parse(option.as_bytes(), MODULES, Some(1)).is_none(), "{option}");
        }
        assert!(LastBoot::parse(b"boot_map:ffffffff9a000000\t[kernel]\n", MODULES, None).is_none());
    }
}

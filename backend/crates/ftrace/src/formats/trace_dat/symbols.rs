//! Names for kernel addresses, from the kallsyms text of the recording.

use super::odd_lines::OddLines;

/// A resolved address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    pub name: &'a [u8],
    /// Empty for the kernel itself.
    pub module: &'a [u8],
    pub offset: u64,
    /// Distance to the next symbol; `None` for the last of the kernel or of a module.
    pub size: Option<u64>,
}

/// kallsyms, sorted by address.
#[derive(Debug, Default)]
pub struct Symbols {
    text: Vec<u8>,
    entries: Vec<Entry>,
    code_start: Option<u64>,
    text_start: Option<u64>,
    pub odd_lines: OddLines,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    address: u64,
    /// Of the name in `text`, which the line's module follows.
    name_start: u32,
    name_end: u32,
}

/// What a line of kallsyms is.
enum Line {
    Symbol(Entry),
    /// Absolute symbols (the offsets of per-CPU variables) name no address, and where the kernel hid its
    /// addresses all of them are 0.
    WithoutAddress,
}

/// Of a symbol that no other of its module's code follows nothing says where it ends, and what lies pages
/// behind it may be of a module that was removed before the symbols were saved.
const MAX_OPEN_BYTES: u64 = 4_096;

impl Symbols {
    /// Lines of `ffffffff81000000 T _text` and `ffffffffc0000000 t f\t[module]`.
    pub fn parse(text: Vec<u8>) -> Self {
        let mut entries = Vec::new();
        let (mut code_start, mut text_start, mut odd_lines) = (None, None, OddLines::default());
        let mut start = 0_usize;
        for newline in memchr::memchr_iter(b'\n', &text).chain([text.len()]) {
            let line = text.get(start..newline).unwrap_or_default();
            match parse_line(line, start) {
                Some(Line::Symbol(entry)) => {
                    if line.ends_with(b" _stext") {
                        code_start = Some(entry.address);
                    } else if line.ends_with(b" _text") {
                        text_start = Some(entry.address);
                    }
                    entries.push(entry);
                }
                Some(Line::WithoutAddress) => {}
                // The text ends with a line.
                None if start == text.len() => {}
                None => odd_lines.add(line),
            }
            start = newline.saturating_add(1);
        }
        // Stable: of several names for one address the first counts, as in the kernel.
        entries.sort_by_key(|entry: &Entry| entry.address);
        Self { text, entries, code_start, text_start, odd_lines }
    }

    /// The symbol that `address` lies in: one of code, or data that begins at the address. Inside of data
    /// or behind it, an address is of nothing known.
    pub fn find(&self, address: u64) -> Option<Symbol<'_>> {
        let behind = self.entries.partition_point(|entry| entry.address <= address);
        let last = self.entries.get(behind.checked_sub(1)?)?;
        let first = self.entries.partition_point(|entry| entry.address < last.address);
        let names = self.entries.get(first..behind)?;
        let code = names.iter().find(|entry| self.is_code(entry));
        let entry = code.or(names.first())?;
        let offset = address.saturating_sub(entry.address);
        let module = self.module_of(entry);
        let next = self.entries.get(behind).filter(|next| self.module_of(next) == module);
        let is_inside = match code {
            Some(_) => offset < MAX_OPEN_BYTES || next.is_some_and(|next| self.is_code(next)),
            None => offset == 0,
        };
        let size = next.map(|next| next.address.saturating_sub(entry.address));
        let name = self.text.get(entry.name_start as usize..entry.name_end as usize)?;
        is_inside.then_some(Symbol { name, module, offset, size })
    }

    /// Where the kernel's code begins: some events keep addresses as distances from it.
    pub fn code_start(&self) -> Option<u64> {
        self.code_start
    }

    /// Where the kernel's image begins, by which its address in another boot is found.
    pub fn text_start(&self) -> Option<u64> {
        self.text_start
    }

    /// By the letter before the name: `t`, and `w` where another definition may replace the function.
    fn is_code(&self, entry: &Entry) -> bool {
        let kind = (entry.name_start as usize).checked_sub(2).and_then(|at| self.text.get(at));
        kind.is_some_and(|kind| matches!(kind, b't' | b'T' | b'w' | b'W'))
    }

    fn module_of(&self, entry: &Entry) -> &[u8] {
        let rest = self.text.get(entry.name_end as usize..).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(b"\t[") else { return b"" };
        rest.split(|byte| matches!(byte, b']' | b'\n')).next().unwrap_or_default()
    }
}

/// `None` where the kernel prints no such line.
fn parse_line(line: &[u8], line_start: usize) -> Option<Line> {
    let digits = line.iter().position(|byte| !byte.is_ascii_hexdigit())?;
    let address = line.get(..digits)?.iter().try_fold(0_u64, |value, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        value.checked_mul(16)?.checked_add(u64::from(digit))
    })?;
    let &[b' ', kind, b' ', ..] = line.get(digits..)? else { return None };
    let name_at = digits.checked_add(3)?;
    let name = line.get(name_at..)?;
    let length = name.iter().position(|byte| !byte.is_ascii_graphic()).unwrap_or(name.len());
    let is_name = length > 0 && matches!(name.get(length), None | Some(b'\t' | b' '));
    if digits == 0 || !is_name {
        return None;
    }
    if address == 0 || kind.eq_ignore_ascii_case(&b'a') {
        return Some(Line::WithoutAddress);
    }
    let name_start = line_start.checked_add(name_at)?;
    Some(Line::Symbol(Entry {
        address,
        name_start: u32::try_from(name_start).ok()?,
        name_end: u32::try_from(name_start.checked_add(length)?).ok()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"0000000000000000 A fixed_percpu_data
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81001000 T do_idle
ffffffff81003000 W arch_idle
ffffffff81003100 D __end_of_code
ffffffff81003100 T last
ffffffff81003200 d idle_data
ffffffffc0000010 t helper\t[my_module]
ffffffffc0006000 t tool\t[other]
ffffffffc0006020 b count\t[other]
";

    fn check(address: u64, expected: Option<(&str, &str, u64, Option<u64>)>) {
        let symbols = Symbols::parse(TEXT.to_vec());
        let found = symbols.find(address).map(|symbol| {
            let text = |bytes| std::str::from_utf8(bytes).unwrap().to_owned();
            (text(symbol.name), text(symbol.module), symbol.offset, symbol.size)
        });
        let expected =
            expected.map(|(name, module, offset, size)| (name.into(), module.into(), offset, size));
        assert_eq!(found, expected);
    }

    #[test]
    fn addresses_are_found_in_the_symbol_that_begins_before_them() {
        check(0xffff_ffff_8100_0000, Some(("_text", "", 0, Some(0x1000))));
        check(0xffff_ffff_8100_0ff0, Some(("_text", "", 0xff0, Some(0x1000))));
        check(0xffff_ffff_8100_2ff0, Some(("do_idle", "", 0x1ff0, Some(0x2000))));
        check(0xffff_ffff_8100_3010, Some(("arch_idle", "", 0x10, Some(0x100))));
        check(0xffff_ffff_8100_3104, Some(("last", "", 4, Some(0x100))));
        check(0xffff_ffff_c000_0018, Some(("helper", "my_module", 8, None)));
    }

    #[test]
    fn data_names_only_the_address_at_which_it_begins() {
        check(0xffff_ffff_8100_3200, Some(("idle_data", "", 0, None)));
        check(0xffff_ffff_8100_3208, None);
        check(0xffff_ffff_c000_6020, Some(("count", "other", 0, None)));
        check(0xffff_ffff_c000_92b0, None);
    }

    #[test]
    fn addresses_pages_behind_the_last_symbol_of_a_module_have_no_name() {
        check(0xffff_ffff_c000_0ff0, Some(("helper", "my_module", 0xfe0, None)));
        check(0xffff_ffff_c000_3000, None);
    }

    #[test]
    fn addresses_outside_the_kernel_have_no_name() {
        check(0x7fff_0000, None);
        check(u64::MAX, None);
    }
}

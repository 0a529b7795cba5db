//! The arguments of functions, as the kernel prints them by the description of its own types (BTF).
//!
//! Source: print_function_args in kernel/trace/trace_output.c, Linux 6.15 to 7.0, and
//! Documentation/bpf/btf.rst.

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use super::btf_types::{Btf, ENUM, INT, KIND_NAMES, PTR, Type};
use super::byte_order::{ByteOrder, sign_extend};
use super::common_fields::kernel_version;
use super::print_fmt::number::push_hex;

/// No machine passes as many arguments in registers; a record could have thousands.
const MAX_ARGS: usize = 16;

/// What explains the arguments of a recording, and whether it did.
///
/// The types are taken in when the first arguments come, as most recordings have none. Printing only borrows
/// what it looks things up in, hence the cells.
pub struct FunctionArgs {
    order: ByteOrder,
    long_bytes: usize,
    style: Style,
    /// The file's copy of the kernel's `/sys/kernel/btf/vmlinux`, until it is needed.
    section: Cell<Option<Vec<u8>>>,
    btf: OnceCell<Option<Btf>>,
    left_out: Cell<u64>,
}

/// What newer kernels print otherwise.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// Numbers without a sign are hexadecimal (6.17).
    has_hex: bool,
    /// Values of enums have their names after them (7.0).
    has_enum_names: bool,
}

impl FunctionArgs {
    /// `kernel` is the release that the file names; without one, arguments are printed as the newest kernel
    /// does.
    pub fn new(section: Option<Vec<u8>>, order: ByteOrder, long_bytes: usize, kernel: Option<&str>) -> Self {
        let version = kernel.and_then(kernel_version).unwrap_or((u32::MAX, 0));
        let style = Style { has_hex: version >= (6, 17), has_enum_names: version >= (7, 0) };
        let (section, btf, left_out) = (Cell::new(section), OnceCell::new(), Cell::new(0));
        Self { order, long_bytes, style, section, btf, left_out }
    }

    /// Of how many records the arguments were left out, for want of types that could be read.
    pub fn left_out(&self) -> u64 {
        self.left_out.get()
    }

    /// Appends the text between the parentheses; nothing for a function without a description.
    ///
    /// `function` answers no name where the kernel knows none. False where there is nothing to print at all: the
    /// record holds no arguments, or the file has no types for any.
    pub fn push<'n>(
        &self,
        function: impl FnOnce() -> Option<&'n [u8]>,
        registers: &[u8],
        output: &mut Vec<u8>,
    ) -> bool {
        if self.long_bytes == 0 || registers.len() < self.long_bytes {
            return false;
        }
        let btf = self.btf.get_or_init(|| Btf::parse(self.section.take()?, self.order));
        let Some(btf) = btf else {
            self.left_out.set(self.left_out.get().saturating_add(1));
            return false;
        };
        let words = registers.chunks_exact(self.long_bytes).take(MAX_ARGS);
        let words = words.filter_map(|word| self.order.load(word, 0, self.long_bytes));
        let (style, long_bytes) = (self.style, self.long_bytes);
        let mut args = Args { btf, words, long_bytes, style, output };
        if let Some(parameters) = function().and_then(|name| btf.parameters(name)) {
            args.push_all(parameters);
        }
        true
    }
}

/// The arguments of one call while they are printed.
struct Args<'a, W> {
    btf: &'a Btf,
    /// What the registers held.
    words: W,
    long_bytes: usize,
    style: Style,
    output: &'a mut Vec<u8>,
}

impl<W: Iterator<Item = u64>> Args<'_, W> {
    /// `rq=0xffff88810c5a2a00, flags=8, ...`: as many as there are registers.
    fn push_all(&mut self, parameters: impl Iterator<Item = (Option<Range<usize>>, u32)>) {
        for (number, (name, type_id)) in parameters.enumerate() {
            if number > 0 {
                self.output.extend_from_slice(b", ");
            }
            let Some(word) = self.words.next() else {
                self.output.extend_from_slice(b"...");
                return;
            };
            if let Some(name) = name {
                self.output.extend_from_slice(self.btf.bytes(name));
                self.output.push(b'=');
            }
            let is_whole = match self.btf.unmodified(type_id) {
                Some(of_type) => self.push_value(of_type, word),
                // The rest of `printk(fmt, ...)`.
                None => {
                    self.output.push(b'?');
                    self.push_hex(word);
                    true
                }
            };
            if !is_whole {
                return;
            }
        }
    }

    /// False where the value takes more registers than there are.
    fn push_value(&mut self, of_type: Type, word: u64) -> bool {
        match of_type.kind {
            PTR => self.push_hex(word),
            INT if self.style.has_hex && !self.btf.is_signed(of_type) => self.push_hex(word),
            INT => self.push_signed(word),
            ENUM => {
                self.push_signed(word);
                let name = self.style.has_enum_names.then(|| self.enum_name(of_type, word)).flatten();
                if let Some(name) = name {
                    self.output.extend_from_slice(b" [");
                    self.output.extend_from_slice(self.btf.bytes(name));
                    self.output.push(b']');
                }
            }
            kind => return self.push_words(kind, of_type.size, word),
        }
        true
    }

    /// `(STRUCT)[0x6c2:0x39c41]`
    fn push_words(&mut self, kind: usize, size: usize, first: u64) -> bool {
        self.output.push(b'(');
        self.output.extend_from_slice(KIND_NAMES.get(kind).copied().unwrap_or_default().as_bytes());
        self.output.extend_from_slice(b")[");
        self.push_hex(first);
        for _ in 1..size.div_ceil(self.long_bytes) {
            self.output.push(b':');
            let Some(word) = self.words.next() else {
                self.output.extend_from_slice(b"...]");
                return false;
            };
            self.push_hex(word);
        }
        self.output.push(b']');
        true
    }

    /// The whole register is compared, of which a negative value fills the upper half only by chance.
    fn enum_name(&self, of_type: Type, word: u64) -> Option<Range<usize>> {
        let signed = sign_extend(word.cast_signed(), self.long_bytes);
        self.btf.enum_values(of_type).find(|(_, value)| i64::from(*value) == signed)?.0
    }

    fn push_hex(&mut self, word: u64) {
        self.output.extend_from_slice(b"0x");
        push_hex(self.output, word);
    }

    fn push_signed(&mut self, word: u64) {
        let value = sign_extend(word.cast_signed(), self.long_bytes);
        self.output.extend_from_slice(value.to_string().as_bytes());
    }
}

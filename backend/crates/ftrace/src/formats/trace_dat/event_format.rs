//! The kernel's description of an event: where its fields are, and how it is printed.

use std::ops::Range;

use super::byte_order::ByteOrder;
use crate::model::Limits;

/// Where and how a field's bytes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// One number or pointer.
    Scalar,
    /// `char comm[16]`
    Array,
    /// `unsigned long args[]` of size 0: the rest of the record.
    Rest,
    /// `__data_loc char[] name`: 16 bits offset from the record's start, 16 bits length above.
    DataLoc,
    /// `__rel_loc char[] name`: the same, from the end of this field.
    RelLoc,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: Vec<u8>,
    pub offset: usize,
    pub size: usize,
    /// Of a number, or of the elements of an array.
    pub is_signed: bool,
    pub element_bytes: usize,
    pub storage: Storage,
    /// `char[]` in any storage: text rather than numbers.
    pub is_text: bool,
    pub is_pointer: bool,
}

/// A parsed `format` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFormat {
    pub name: Vec<u8>,
    pub id: u32,
    /// `common_type`, `common_flags` ...
    pub common: Vec<Field>,
    pub fields: Vec<Field>,
    pub print_fmt: Vec<u8>,
}

/// Name and id, which is all that is needed until the first record of the event. `None` without a name, too:
/// its records are shown by their type's number.
pub fn name_and_id(text: &[u8]) -> Option<(&[u8], u32)> {
    let name = value_of(text, b"name:").filter(|name| !name.is_empty())?;
    let id = std::str::from_utf8(value_of(text, b"ID:")?).ok()?.parse().ok()?;
    Some((name, id))
}

/// The value after `key` at the start of one of the first lines.
fn value_of<'t>(text: &'t [u8], key: &[u8]) -> Option<&'t [u8]> {
    text.split(|byte| *byte == b'\n').take(8).find_map(|line| line.strip_prefix(key)).map(<[u8]>::trim_ascii)
}

impl EventFormat {
    /// `None` where a field lies outside any record (`max_record_bytes`) or there are too many.
    pub fn parse(text: &[u8], long_bytes: usize, max_record_bytes: usize, limits: &Limits) -> Option<Self> {
        let (name, id) = name_and_id(text)?;
        let mut format = Self { name: name.to_vec(), id, ..Self::default() };
        let print_at = memchr::memmem::find(text, b"\nprint fmt:");
        let (fields, print_fmt) = match print_at {
            Some(at) => (text.get(..at)?, text.get(at.checked_add(b"\nprint fmt:".len())?..)?),
            None => (text, &b""[..]),
        };
        format.print_fmt = print_fmt.trim_ascii().to_vec();
        for line in fields.split(|byte| *byte == b'\n') {
            let Some(declaration) = line.trim_ascii_start().strip_prefix(b"field") else { continue };
            let field = Field::parse(declaration, long_bytes)?;
            if field.offset.checked_add(field.size)? > max_record_bytes {
                return None;
            }
            let is_common = field.name.starts_with(b"common_");
            if is_common { &mut format.common } else { &mut format.fields }.push(field);
            if format.fields.len().saturating_add(format.common.len()) > limits.max_format_fields {
                return None;
            }
        }
        (!format.has_overlap()).then_some(format)
    }

    /// True where two fields claim the same bytes, as those of no structure do.
    fn has_overlap(&self) -> bool {
        let fields = self.fields.iter().chain(&self.common).filter(|field| field.size > 0);
        let mut places: Vec<_> = fields.map(|field| (field.offset, field.size)).collect();
        places.sort_unstable();
        let others = places.get(1..).unwrap_or_default();
        places.iter().zip(others).any(|((offset, size), (next, _))| offset.saturating_add(*size) > *next)
    }

    /// The field of that name, a common one included.
    pub fn field(&self, name: &[u8]) -> Option<&Field> {
        self.fields.iter().chain(&self.common).find(|field| field.name == name)
    }
}

impl Field {
    /// `:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;` (also `special`, in old kernels).
    fn parse(line: &[u8], long_bytes: usize) -> Option<Self> {
        let mut parts = line.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let declared = parts.next()?;
        let declared = declared.get(memchr::memchr(b':', declared)?.checked_add(1)?..)?.trim_ascii();
        let (mut offset, mut size, mut signed) = (None, None, None);
        for part in parts {
            if let Some(value) = part.strip_prefix(b"offset:") {
                offset = number(value);
            } else if let Some(value) = part.strip_prefix(b"size:") {
                size = number(value);
            } else if let Some(value) = part.strip_prefix(b"signed:") {
                signed = Some(value != b"0");
            }
        }
        let (offset, size) = (offset?, size?);
        let declaration = Declaration::parse(declared)?;
        let element_bytes = declaration.element_bytes(size, long_bytes);
        Some(Self {
            name: declaration.name.to_vec(),
            offset,
            size,
            is_signed: signed.unwrap_or_else(|| declaration.looks_signed()) && !declaration.is_pointer,
            element_bytes,
            storage: declaration.storage(size),
            is_text: (declaration.is_array || size == 0)
                && declaration.has_word(b"char")
                && element_bytes == 1,
            is_pointer: declaration.is_pointer,
        })
    }

    /// Where the bytes of the field are in `record`: of a dynamic one, those that it points at.
    ///
    /// `None` where they are not all inside the record.
    pub fn range(&self, record: &[u8], order: ByteOrder) -> Option<Range<usize>> {
        let (start, length) = match self.storage {
            Storage::Scalar | Storage::Array => (self.offset, self.size),
            Storage::Rest => (self.offset, record.len().checked_sub(self.offset)?),
            Storage::DataLoc | Storage::RelLoc => {
                let word = order.u32(record, self.offset)?;
                let base = match self.storage {
                    Storage::RelLoc => self.offset.checked_add(self.size)?,
                    _ => 0,
                };
                (base.checked_add(usize::from(word as u16))?, usize::from((word >> 16) as u16))
            }
        };
        let end = start.checked_add(length)?;
        (end <= record.len()).then_some(start..end)
    }

    /// The bytes at [`Field::range`].
    pub fn bytes<'r>(&self, record: &'r [u8], order: ByteOrder) -> Option<&'r [u8]> {
        record.get(self.range(record, order)?)
    }

    /// The number in the field, extended to 64 bits by its sign.
    pub fn number(&self, record: &[u8], order: ByteOrder) -> Option<i64> {
        order.load_signed(record, self.offset, self.size, self.is_signed)
    }
}

/// The C declaration of a field.
struct Declaration<'a> {
    type_words: &'a [u8],
    name: &'a [u8],
    is_array: bool,
    /// `[16]`; an empty one where the size is not in the text.
    dimension: &'a [u8],
    is_pointer: bool,
}

impl<'a> Declaration<'a> {
    /// `char prev_comm[16]`, `__data_loc char[] name`, `const char * str`, `unsigned long args[]`.
    fn parse(text: &'a [u8]) -> Option<Self> {
        let (head, dimension) = match (text.ends_with(b"]"), memchr::memrchr(b'[', text)) {
            (true, Some(at)) => {
                let inside = text.get(at.checked_add(1)?..text.len().checked_sub(1)?)?;
                (text.get(..at)?, Some(inside))
            }
            _ => (text, None),
        };
        let name_at = head
            .iter()
            .rposition(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')))
            .map_or(0, |at| at.saturating_add(1));
        let (type_words, name) = head.split_at_checked(name_at)?;
        let is_pointer = type_words.contains(&b'*');
        let is_dynamic = memchr::memmem::find(type_words, b"[]").is_some() || is_location(type_words);
        let is_array = dimension.is_some() || is_dynamic;
        Some(Self { type_words, name, is_array, dimension: dimension.unwrap_or_default(), is_pointer })
    }

    fn storage(&self, size: usize) -> Storage {
        match () {
            () if self.type_words.starts_with(b"__data_loc") => Storage::DataLoc,
            () if self.type_words.starts_with(b"__rel_loc") => Storage::RelLoc,
            // Old kernels declare the rest of a record without brackets: `u32 buf`.
            () if size == 0 => Storage::Rest,
            () if self.is_array => Storage::Array,
            () => Storage::Scalar,
        }
    }

    fn has_word(&self, wanted: &[u8]) -> bool {
        let is_separator = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_');
        self.type_words.split(is_separator).any(|word| word == wanted)
    }

    /// What one element takes: by the dimension of an array of fixed size, else by the type's name.
    fn element_bytes(&self, size: usize, long_bytes: usize) -> usize {
        if !self.is_array && size > 0 {
            return size;
        }
        let by_type = type_bytes(self.type_words, long_bytes);
        let by_dimension = number(self.dimension).and_then(|count| size.checked_div(count));
        by_dimension.filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8)).or(by_type).unwrap_or(1)
    }

    fn looks_signed(&self) -> bool {
        let is_unsigned = self.has_word(b"unsigned") || self.has_word(b"bool");
        let first = self.type_words.trim_ascii().trim_ascii_start();
        let is_short_name = first.starts_with(b"u") && first.get(1).is_some_and(u8::is_ascii_digit)
            || first.starts_with(b"__u")
            || first.starts_with(b"uint");
        !(is_unsigned || is_short_name)
    }
}

fn is_location(type_words: &[u8]) -> bool {
    type_words.starts_with(b"__data_loc") || type_words.starts_with(b"__rel_loc")
}

/// What a C type of that name takes; `None` for types that are not built in.
pub fn type_bytes(type_words: &[u8], long_bytes: usize) -> Option<usize> {
    let is_separator = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut longs = 0_usize;
    let mut found = None;
    if type_words.contains(&b'*') {
        return Some(long_bytes);
    }
    for word in type_words.split(is_separator) {
        match word {
            b"char" | b"u8" | b"s8" | b"__u8" | b"__s8" | b"uint8_t" | b"int8_t" | b"bool" | b"_Bool" => {
                return Some(1);
            }
            b"short" | b"u16" | b"s16" | b"__u16" | b"__s16" | b"uint16_t" | b"int16_t" | b"__le16"
            | b"__be16" | b"umode_t" => return Some(2),
            b"u64" | b"s64" | b"__u64" | b"__s64" | b"uint64_t" | b"int64_t" | b"__le64" | b"__be64"
            | b"loff_t" | b"sector_t" | b"ktime_t" | b"dma_addr_t" | b"phys_addr_t" => return Some(8),
            b"long" => longs = longs.saturating_add(1),
            b"size_t" | b"ssize_t" | b"uintptr_t" | b"pgoff_t" => return Some(long_bytes),
            b"int" | b"unsigned" | b"signed" | b"u32" | b"s32" | b"__u32" | b"__s32" | b"uint32_t"
            | b"int32_t" | b"__le32" | b"__be32" | b"pid_t" | b"gfp_t" | b"dev_t" | b"uid_t" | b"gid_t" => {
                found = Some(4);
            }
            _ => {}
        }
    }
    match longs {
        0 => found,
        1 => Some(long_bytes),
        _ => Some(8),
    }
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_side_by_side() {
        let parsed = |offset: usize| {
            let field = |name: &str, offset: usize| {
                format!("\tfield:int {name};\toffset:{offset};\tsize:4;\tsigned:1;\n")
            };
            let fields = field("common_pid", 4) + "\n" + &field("a", 8) + &field("b", offset);
            let text = format!("name: x\nID: 5\nformat:\n{fields}\nprint fmt: \"\"\n");
            EventFormat::parse(text.as_bytes(), 8, 4096, &Limits::default())
        };
        assert!(parsed(12).is_some() && parsed(16).is_some());
        for offset in [4, 6, 8, 11] {
            assert_eq!(parsed(offset), None, "{offset}");
        }
    }
}

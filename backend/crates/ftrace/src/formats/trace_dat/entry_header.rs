//! The first word of a ring-buffer entry: its kind, its length and the time since the one before it.
//!
//! Source: include/linux/ring_buffer.h, Linux 2.6.30 and 6.12.

use super::byte_order::ByteOrder;

const TIME_BITS: u32 = 27;
const TIME_MASK: u32 = (1 << TIME_BITS) - 1;

/// How the word is divided, as `events/header_event` of the recording describes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryHeader {
    /// `type_len : 5 bits`, since Linux 2.6.31.
    #[default]
    TypeLen,
    /// `type : 2 bits` and `len : 3 bits`.
    TypeAndLen,
}

/// What an entry is. `words` counts the 4-byte words of its data; 0 says that the next word holds their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Padding {
        words: u32,
    },
    TimeExtend,
    TimeStamp,
    /// Two words of seconds and one of nanoseconds, which no kernel has written.
    OldTimeStamp,
    Data {
        words: u32,
    },
}

impl EntryHeader {
    /// What the texts of `header_page` and `header_event` say.
    ///
    /// Kernels that had neither file divided the word in the old way; trace-cmd writes two empty texts for them.
    pub fn of_texts(header_page: &[u8], header_event: &[u8]) -> Self {
        let is_old = if header_event.is_empty() {
            header_page.is_empty()
        } else {
            // `\ttype        :    2 bits`
            header_event.split(|byte| *byte == b'\n').any(|line| {
                let mut words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b':');
                words.find(|word| !word.is_empty()) == Some(b"type")
            })
        };
        if is_old { Self::TypeAndLen } else { Self::TypeLen }
    }

    /// The kind of an entry and the time since the one before it.
    pub fn divide(self, word: u32, order: ByteOrder) -> (EntryKind, u64) {
        // The first field of a bit field is at the low end of a little-endian word and at the high end of a
        // big-endian one.
        let (delta, type_len) = match order {
            ByteOrder::Little => (word >> 5, word & 31),
            ByteOrder::Big => (word & TIME_MASK, word >> TIME_BITS),
        };
        let kind = match self {
            Self::TypeLen => kind_of_type_len(type_len),
            Self::TypeAndLen => match order {
                ByteOrder::Little => kind_of_type(type_len & 3, type_len >> 2),
                ByteOrder::Big => kind_of_type(type_len >> 3, type_len & 7),
            },
        };
        (kind, u64::from(delta))
    }
}

fn kind_of_type_len(type_len: u32) -> EntryKind {
    match type_len {
        29 => EntryKind::Padding { words: 0 },
        30 => EntryKind::TimeExtend,
        31 => EntryKind::TimeStamp,
        words => EntryKind::Data { words },
    }
}

fn kind_of_type(kind: u32, words: u32) -> EntryKind {
    match kind {
        0 => EntryKind::Padding { words },
        1 => EntryKind::TimeExtend,
        2 => EntryKind::OldTimeStamp,
        _ => EntryKind::Data { words },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &[u8] = b"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\
        \tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n";
    const OLD: &[u8] = b"# compressed entry header\n\ttype        :    2 bits\n\tlen         :    3 bits\n";

    #[test]
    fn the_text_of_the_kernel_decides() {
        let check = |page: &[u8], event: &[u8], expected| {
            assert_eq!(EntryHeader::of_texts(page, event), expected);
        };
        check(b"\tfield: u64 timestamp;", TODAY, EntryHeader::TypeLen);
        check(b"\tfield: u64 timestamp;", b"", EntryHeader::TypeLen);
        check(b"\tfield: u64 timestamp;", OLD, EntryHeader::TypeAndLen);
        check(b"", b"", EntryHeader::TypeAndLen);
        check(b"", TODAY, EntryHeader::TypeLen);
    }

    #[test]
    fn bits_are_counted_from_the_end_that_the_byte_order_says() {
        let check = |header: EntryHeader, order, word, expected| {
            assert_eq!(header.divide(word, order), expected, "{word:#x}");
        };
        let (today, old) = (EntryHeader::TypeLen, EntryHeader::TypeAndLen);
        check(today, ByteOrder::Little, 9 << 5 | 3, (EntryKind::Data { words: 3 }, 9));
        check(today, ByteOrder::Big, 3 << 27 | 9, (EntryKind::Data { words: 3 }, 9));
        check(today, ByteOrder::Big, 30 << 27 | 9, (EntryKind::TimeExtend, 9));
        check(old, ByteOrder::Little, 9 << 5 | 7 << 2 | 3, (EntryKind::Data { words: 7 }, 9));
        check(old, ByteOrder::Big, 3 << 30 | 7 << 27 | 9, (EntryKind::Data { words: 7 }, 9));
        check(old, ByteOrder::Little, 9 << 5 | 1, (EntryKind::TimeExtend, 9));
        check(old, ByteOrder::Big, 2 << 30, (EntryKind::OldTimeStamp, 0));
        check(old, ByteOrder::Little, 5 << 2, (EntryKind::Padding { words: 5 }, 0));
    }
}

//! Integers in the byte order of the recording.

/// The byte order that a trace.dat states in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The unsigned integer in 1, 2, 4 or 8 bytes from `offset`; `None` for other sizes and where
    /// `bytes` ends before.
    pub fn load(self, bytes: &[u8], offset: usize, size: usize) -> Option<u64> {
        match size {
            4 => self.u32(bytes, offset).map(u64::from),
            8 => self.u64(bytes, offset),
            2 => self.u16(bytes, offset).map(u64::from),
            1 => bytes.get(offset).copied().map(u64::from),
            _ => None,
        }
    }

    /// As [`ByteOrder::load`], with the sign of the value's own size where `is_signed`.
    pub fn load_signed(self, bytes: &[u8], offset: usize, size: usize, is_signed: bool) -> Option<i64> {
        let value = self.load(bytes, offset, size)?.cast_signed();
        Some(if is_signed { sign_extend(value, size) } else { value })
    }

    /// The two bytes from `offset`; `None` where `bytes` ends before.
    pub fn u16(self, bytes: &[u8], offset: usize) -> Option<u16> {
        let raw = *bytes.get(offset..)?.first_chunk::<2>()?;
        Some(match self {
            Self::Little => u16::from_le_bytes(raw),
            Self::Big => u16::from_be_bytes(raw),
        })
    }

    /// The four bytes from `offset`; `None` where `bytes` ends before.
    pub fn u32(self, bytes: &[u8], offset: usize) -> Option<u32> {
        let raw = *bytes.get(offset..)?.first_chunk::<4>()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(raw),
            Self::Big => u32::from_be_bytes(raw),
        })
    }

    /// The eight bytes from `offset`; `None` where `bytes` ends before.
    pub fn u64(self, bytes: &[u8], offset: usize) -> Option<u64> {
        let raw = *bytes.get(offset..)?.first_chunk::<8>()?;
        Some(match self {
            Self::Little => u64::from_le_bytes(raw),
            Self::Big => u64::from_be_bytes(raw),
        })
    }
}

/// The low `size` bytes of `value` as a signed number of that size.
pub fn sign_extend(value: i64, size: usize) -> i64 {
    match size {
        1 => i64::from(value as i8),
        2 => i64::from(value as i16),
        4 => i64::from(value as i32),
        _ => value,
    }
}

/// The low `size` bytes of `value` as an unsigned number of that size.
pub fn zero_extend(value: i64, size: usize) -> i64 {
    match size {
        1 => i64::from(value as u8),
        2 => i64::from(value as u16),
        4 => i64::from(value as u32),
        _ => value,
    }
}

//! Bitmaps and CPU masks as the kernel prints them.

use super::number::push_decimal;
use crate::formats::trace_dat::byte_order::ByteOrder;

/// Bits in words of the kernel's `long`.
#[derive(Clone, Copy, Debug)]
pub struct Bitmap<'b> {
    pub bytes: &'b [u8],
    pub bits: usize,
    pub word_bytes: usize,
    pub order: ByteOrder,
}

impl Bitmap<'_> {
    /// `%*pb`: groups of 32 bits in hexadecimal, the highest first: `00000000,0000010f`.
    pub fn push_words(&self, output: &mut Vec<u8>) {
        for group in (0..self.bits.div_ceil(32)).rev() {
            let first = group.saturating_mul(32);
            let count = self.bits.saturating_sub(first).min(32);
            let value = (0..count).fold(0_u32, |value, bit| {
                value | u32::from(self.bit(first.saturating_add(bit))) << (bit & 31)
            });
            let digits = count.div_ceil(4);
            output.extend_from_slice(format!("{value:0digits$x}").as_bytes());
            if group > 0 {
                output.push(b',');
            }
        }
    }

    /// `%*pbl`: `0-3,8`.
    pub fn push_list(&self, output: &mut Vec<u8>) {
        let mut at = 0_usize;
        let mut is_first = true;
        while at < self.bits {
            if !self.bit(at) {
                at = at.saturating_add(1);
                continue;
            }
            let start = at;
            while at < self.bits && self.bit(at) {
                at = at.saturating_add(1);
            }
            if !is_first {
                output.push(b',');
            }
            is_first = false;
            push_decimal(output, start as u64);
            let last = at.saturating_sub(1);
            if last > start {
                output.push(b'-');
                push_decimal(output, last as u64);
            }
        }
    }

    fn bit(&self, index: usize) -> bool {
        let byte = index / 8;
        let byte = match (self.order, self.word_bytes) {
            // The bytes of each word are in reverse order.
            (ByteOrder::Big, 2 | 4 | 8) => byte ^ self.word_bytes.saturating_sub(1),
            _ => byte,
        };
        self.bytes.get(byte).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], bits: usize, order: ByteOrder, words: &str, list: &str) {
        let bitmap = Bitmap { bytes, bits, word_bytes: 8, order };
        let (mut as_words, mut as_list) = (Vec::new(), Vec::new());
        bitmap.push_words(&mut as_words);
        bitmap.push_list(&mut as_list);
        assert_eq!((as_words.as_slice(), as_list.as_slice()), (words.as_bytes(), list.as_bytes()));
    }

    #[test]
    fn masks_print_as_words_and_as_lists() {
        let little = [0x0f, 1, 0, 0, 0, 0, 0, 0];
        check(&little, 64, ByteOrder::Little, "00000000,0000010f", "0-3,8");
        let big = [0, 0, 0, 0, 0, 0, 1, 0x0f];
        check(&big, 64, ByteOrder::Big, "00000000,0000010f", "0-3,8");
        check(&little, 12, ByteOrder::Little, "10f", "0-3,8");
        check(&[], 0, ByteOrder::Little, "", "");
    }
}

//! Bytes on their way out.

use super::super::protocol::Stored;

/// What is handed out at once.
const CHUNK_BYTES: usize = 256 << 10;

/// Collects what is written until it is worth handing out.
pub struct Out<'s> {
    stored: &'s Stored,
    pub bytes: Vec<u8>,
}

impl<'s> Out<'s> {
    pub fn new(stored: &'s Stored) -> Self {
        Self { stored, bytes: Vec::with_capacity(CHUNK_BYTES) }
    }

    pub fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number in decimal, with zeros before it up to `width`.
    pub fn padded(&mut self, number: u64, width: usize) {
        let mut digits = [b'0'; 20];
        let mut rest = number;
        let mut used = 0_usize;
        for digit in digits.iter_mut().rev() {
            if rest == 0 && used > 0 {
                break;
            }
            *digit = b'0'.wrapping_add(u8::try_from(rest % 10).unwrap_or_default());
            rest /= 10;
            used = used.saturating_add(1);
        }
        let from = digits.len().saturating_sub(used.max(width).min(digits.len()));
        self.bytes.extend_from_slice(digits.get(from..).unwrap_or_default());
    }

    /// Appends a number in decimal.
    pub fn number(&mut self, number: i64) {
        if number < 0 {
            self.byte(b'-');
        }
        self.padded(number.unsigned_abs(), 1);
    }

    /// Hands out what there is, once it is much.
    pub async fn pass(&mut self) {
        if self.bytes.len() >= CHUNK_BYTES {
            let full = std::mem::replace(&mut self.bytes, Vec::with_capacity(CHUNK_BYTES));
            self.stored.write(full).await;
        }
    }

    /// What has not been handed out.
    pub fn rest(self) -> Vec<u8> {
        self.bytes
    }
}

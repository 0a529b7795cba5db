//! The wire format of protocol buffers, as much of it as is written here.
//!
//! Source: <https://protobuf.dev/programming-guides/encoding/>.

const VARINT: u32 = 0;
const BYTES: u32 = 2;

/// A message in the making.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    /// A field of type `uint64`, `int64` (two's complement), `bool` or an enum.
    pub fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.tag(field, VARINT);
        self.varint(value);
        self
    }

    /// A negative number takes ten bytes.
    pub fn signed(&mut self, field: u32, value: i64) -> &mut Self {
        self.number(field, value.cast_unsigned())
    }

    /// A field of type `bytes`.
    pub fn bytes(&mut self, field: u32, value: &[u8]) -> &mut Self {
        self.tag(field, BYTES);
        self.varint(u64::try_from(value.len()).unwrap_or_default());
        self.0.extend_from_slice(value);
        self
    }

    pub fn text(&mut self, field: u32, value: &str) -> &mut Self {
        self.bytes(field, value.as_bytes())
    }

    /// A nested message, whose fields `fill` writes.
    pub fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message)) -> &mut Self {
        self.tag(field, BYTES);
        // Room for the length, which takes one byte mostly: the fields are not copied then.
        let length_at = self.0.len();
        self.0.push(0);
        let start = self.0.len();
        fill(self);
        let length = self.0.len().saturating_sub(start);
        match (u8::try_from(length), self.0.get_mut(length_at)) {
            (Ok(short @ ..=0x7f), Some(room)) => *room = short,
            _ => {
                let mut long = Message::default();
                long.varint(u64::try_from(length).unwrap_or_default());
                self.0.splice(length_at..start, long.0);
            }
        }
        self
    }

    fn tag(&mut self, field: u32, wire_type: u32) {
        self.varint(u64::from(field << 3 | wire_type));
    }

    fn varint(&mut self, value: u64) {
        let mut rest = value;
        while rest > 0x7f {
            self.0.push(u8::try_from(rest & 0x7f | 0x80).unwrap_or_default());
            rest >>= 7;
        }
        self.0.push(u8::try_from(rest).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_messages_are_encoded_as_the_specification_has_them() {
        let mut message = Message::default();
        message.number(1, 150).text(2, "testing").message(3, |inner| _ = inner.number(1, 150)).signed(4, -1);
        let expected =
            b"\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        assert_eq!(message.0, expected);
    }

    #[test]
    fn messages_within_messages_may_be_long() {
        for length in [0_usize, 1, 127, 128, 16_383, 16_384] {
            let (text, mut inner, mut outer) = ("x".repeat(length), Message::default(), Message::default());
            inner.text(1, &text);
            let mut middle = Message::default();
            middle.number(3, 7).bytes(2, &inner.0).number(4, 8);
            outer.number(1, 5).bytes(9, &middle.0).number(2, 6);
            let mut written = Message::default();
            written.number(1, 5).message(9, |middle| {
                middle.number(3, 7).message(2, |inner| _ = inner.text(1, &text)).number(4, 8);
            });
            written.number(2, 6);
            assert_eq!(written.0, outer.0, "{length}");
        }
    }
}

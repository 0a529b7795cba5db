//! A description of types (BTF) to be, for tests.

use super::Image;

pub const INT: u32 = 1;
pub const PTR: u32 = 2;
pub const STRUCT: u32 = 4;
pub const ENUM: u32 = 6;
pub const TYPEDEF: u32 = 8;
pub const CONST: u32 = 10;
pub const FUNC: u32 = 12;
pub const FUNC_PROTO: u32 = 13;
pub const ENUM64: u32 = 19;

/// Types in the byte order of an image.
pub struct BtfImage<'i> {
    image: &'i Image,
    types: Vec<u8>,
    strings: Vec<u8>,
    count: u32,
}

impl<'i> BtfImage<'i> {
    pub fn new(image: &'i Image) -> Self {
        Self { image, types: Vec::new(), strings: vec![0], count: 0 }
    }

    /// The offset of a name among the strings.
    fn name(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let offset = self.strings.len() as u32;
        self.strings.extend_from_slice(name.as_bytes());
        self.strings.push(0);
        offset
    }

    /// Adds a type and answers its number; `tail` are the words after its first three.
    pub fn add(&mut self, kind: u32, name: &str, members: u32, size: u32, tail: &[u32]) -> u32 {
        let head = [self.name(name), kind << 24 | members, size];
        for word in head.iter().chain(tail) {
            self.types.extend(self.image.u32(*word));
        }
        self.count += 1;
        self.count
    }

    /// Adds a function whose parameters have these names and types.
    pub fn function(&mut self, name: &str, parameters: &[(&str, u32)]) -> u32 {
        let tail = self.members(parameters);
        let prototype = self.add(FUNC_PROTO, "", parameters.len() as u32, 0, &tail);
        self.add(FUNC, name, 0, prototype, &[])
    }

    /// Adds an enum of four bytes.
    pub fn enumeration(&mut self, name: &str, values: &[(&str, i32)]) -> u32 {
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.cast_unsigned())).collect();
        let tail = self.members(&values);
        self.add(ENUM, name, values.len() as u32, 4, &tail)
    }

    fn members(&mut self, members: &[(&str, u32)]) -> Vec<u32> {
        members.iter().flat_map(|(name, word)| [self.name(name), *word]).collect()
    }

    pub fn build(&self) -> Vec<u8> {
        let (types, strings) = (self.types.len() as u32, self.strings.len() as u32);
        let mut bytes = self.image.u16(0xeb9f);
        bytes.extend([1, 0]);
        for word in [24, 0, types, types, strings] {
            bytes.extend(self.image.u32(word));
        }
        bytes.extend_from_slice(&self.types);
        bytes.extend_from_slice(&self.strings);
        bytes
    }
}

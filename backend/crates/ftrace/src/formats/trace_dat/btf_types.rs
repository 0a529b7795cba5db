//! BTF, in which the kernel describes its own types: as much of it as names arguments and their kinds.
//!
//! Source: Documentation/bpf/btf.rst, Linux 6.18.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::byte_order::ByteOrder;

pub const INT: usize = 1;
pub const PTR: usize = 2;
const ARRAY: usize = 3;
const STRUCT: usize = 4;
const UNION: usize = 5;
pub const ENUM: usize = 6;
const FWD: usize = 7;
const TYPEDEF: usize = 8;
const RESTRICT: usize = 11;
const FUNC: usize = 12;
const FUNC_PROTO: usize = 13;
const VAR: usize = 14;
const DATASEC: usize = 15;
const FLOAT: usize = 16;
const DECL_TAG: usize = 17;
const TYPE_TAG: usize = 18;
const ENUM64: usize = 19;

/// By the number of the kind.
pub const KIND_NAMES: [&str; 20] = [
    "UNKNOWN",
    "INT",
    "PTR",
    "ARRAY",
    "STRUCT",
    "UNION",
    "ENUM",
    "FWD",
    "TYPEDEF",
    "VOLATILE",
    "CONST",
    "RESTRICT",
    "FUNC",
    "FUNC_PROTO",
    "VAR",
    "DATASEC",
    "FLOAT",
    "DECL_TAG",
    "TYPE_TAG",
    "ENUM64",
];

const MAGIC: u16 = 0xeb9f;
/// Name, kind with the number of members, size or type.
const TYPE_BYTES: usize = 12;
/// The kernel's own limits (`BTF_MAX_TYPE`, `KSYM_NAME_LEN`).
const MAX_TYPES: usize = 0xf_ffff;
const MAX_NAME_BYTES: usize = 512;
/// `typedef`, `const` and the like around one type.
const MAX_MODIFIERS: usize = 32;
/// Each argument goes through them; the kernel's own enums have some hundreds.
const MAX_ENUM_VALUES: usize = 4_096;

/// The kernel's types, in the bytes they were recorded as.
pub struct Btf {
    types: Types,
    /// The offset of each type, from type 1 on.
    places: Vec<u32>,
    /// The offset of each function, by its name. Of several by one name the first counts, as in the kernel.
    functions: HashTable<usize>,
    hasher: DefaultHashBuilder,
}

/// A type as the bytes hold it.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    place: usize,
    name: usize,
    pub kind: usize,
    members: usize,
    /// Or the number of another type, by the kind.
    pub size: usize,
}

struct Types {
    order: ByteOrder,
    bytes: Vec<u8>,
    strings: Range<usize>,
}

impl Btf {
    /// `None` where any of it does not fit.
    pub fn parse(bytes: Vec<u8>, order: ByteOrder) -> Option<Self> {
        let word = |at| order.u32(&bytes, at).map(|word| word as usize);
        if order.u16(&bytes, 0)? != MAGIC {
            return None;
        }
        let header_bytes = word(4)?;
        let part = |offset_at, size_at| {
            let start = header_bytes.checked_add(word(offset_at)?)?;
            let end = start.checked_add(word(size_at)?)?;
            (end <= bytes.len()).then_some(start..end)
        };
        let (section, strings) = (part(8, 12)?, part(16, 20)?);
        let types = Types { order, bytes, strings };
        let hasher = DefaultHashBuilder::default();
        let (mut places, mut functions) = (Vec::new(), HashTable::new());
        let mut place = section.start;
        while place < section.end {
            let found = types.at(place)?;
            let end = found.end()?;
            if end > section.end || places.len() == MAX_TYPES {
                return None;
            }
            places.push(u32::try_from(place).ok()?);
            if found.kind == FUNC {
                let name_at = |place: usize| types.at(place).and_then(|other| types.name_of(other));
                let name = types.name_of(found);
                let hash = |name: Option<&[u8]>| hasher.hash_one(name);
                functions
                    .entry(hash(name), |other| name_at(*other) == name, |other| hash(name_at(*other)))
                    .or_insert(place);
            }
            place = end;
        }
        Some(Self { types, places, functions, hasher })
    }

    /// Name and type of every parameter of a function.
    pub fn parameters(&self, function: &[u8]) -> Option<impl Iterator<Item = (Option<Range<usize>>, u32)>> {
        let is_wanted = |place: &usize| {
            self.types.at(*place).is_some_and(|found| self.types.name_of(found) == Some(function))
        };
        let place = self.functions.find(self.hasher.hash_one(Some(function)), is_wanted)?;
        let prototype = self.get(u32::try_from(self.types.at(*place)?.size).ok()?)?;
        (prototype.kind == FUNC_PROTO).then(|| self.members(prototype))
    }

    /// The type without `typedef`, `volatile`, `const`, `restrict` and tags; `None` for `void`.
    pub fn unmodified(&self, id: u32) -> Option<Type> {
        let mut found = self.get(id)?;
        for _ in 0..MAX_MODIFIERS {
            if !matches!(found.kind, TYPEDEF..=RESTRICT | TYPE_TAG) {
                return Some(found);
            }
            found = self.get(u32::try_from(found.size).ok()?)?;
        }
        None
    }

    /// Whether an INT is shown with its sign.
    pub fn is_signed(&self, of_type: Type) -> bool {
        self.types.word(of_type.place.saturating_add(TYPE_BYTES)).is_some_and(|word| word & 1 << 24 != 0)
    }

    /// Name and value of every member of an ENUM.
    pub fn enum_values(&self, of_type: Type) -> impl Iterator<Item = (Option<Range<usize>>, i32)> {
        let values = self.members(of_type).take(MAX_ENUM_VALUES);
        values.map(|(name, value)| (name, value.cast_signed()))
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: Range<usize>) -> &[u8] {
        self.types.bytes.get(name).unwrap_or_default()
    }

    fn get(&self, id: u32) -> Option<Type> {
        self.types.at(*self.places.get((id as usize).checked_sub(1)?)? as usize)
    }

    /// Members of two words, the first of which is a name.
    fn members(&self, of_type: Type) -> impl Iterator<Item = (Option<Range<usize>>, u32)> {
        let first = of_type.place.saturating_add(TYPE_BYTES);
        (0..of_type.members).map_while(move |number| {
            let place = first.checked_add(number.checked_mul(8)?)?;
            let name = self.types.name(self.types.word(place)? as usize);
            Some((name, self.types.word(place.checked_add(4)?)?))
        })
    }
}

impl Types {
    fn word(&self, place: usize) -> Option<u32> {
        self.order.u32(&self.bytes, place)
    }

    fn at(&self, place: usize) -> Option<Type> {
        let word = |at| self.word(place.checked_add(at)?).map(|word| word as usize);
        let (name, info, size) = (word(0)?, word(4)?, word(8)?);
        Some(Type { place, name, kind: info >> 24 & 0x1f, members: info & 0xffff, size })
    }

    fn name_of(&self, of_type: Type) -> Option<&[u8]> {
        self.bytes.get(self.name(of_type.name)?)
    }

    /// The range of the string at an offset, without the NUL that ends it.
    fn name(&self, offset: usize) -> Option<Range<usize>> {
        let start = self.strings.start.checked_add(offset)?;
        let rest = self.bytes.get(start..self.strings.end)?;
        let length = memchr::memchr(0, rest.get(..MAX_NAME_BYTES).unwrap_or(rest))?;
        Some(start..start.checked_add(length)?)
    }
}

impl Type {
    /// After its members; `None` for kinds that are not known, after which nothing can be found.
    fn end(self) -> Option<usize> {
        let tail_bytes = match self.kind {
            PTR | FWD..=FUNC | FLOAT | TYPE_TAG => 0,
            INT | VAR | DECL_TAG => 4,
            ARRAY => 12,
            ENUM | FUNC_PROTO => self.members.checked_mul(8)?,
            STRUCT | UNION | DATASEC | ENUM64 => self.members.checked_mul(12)?,
            _ => return None,
        };
        self.place.checked_add(TYPE_BYTES)?.checked_add(tail_bytes)
    }
}

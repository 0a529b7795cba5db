//! The C types of expressions: the part of them that printing depends on.

use super::token::Token;
use crate::formats::trace_dat::event_format::type_bytes;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Integer {
        bytes: u8,
        is_signed: bool,
    },
    /// Text that was printed, or a string of the format.
    Text,
    /// A stretch of the record, seen as elements.
    Bytes {
        element: u8,
        is_signed: bool,
    },
    /// The target of a cast: a pointer to such elements.
    Pointer {
        element: u8,
        is_signed: bool,
    },
}

impl Type {
    pub const INT: Self = Self::Integer { bytes: 4, is_signed: true };

    /// Integers smaller than `int` are calculated with as `int`.
    pub fn promoted(self) -> Self {
        match self {
            Self::Integer { bytes, .. } if bytes < 4 => Self::INT,
            Self::Integer { .. } => self,
            _ => Self::Integer { bytes: 8, is_signed: false },
        }
    }

    /// The type of a result from two: the larger, unsigned where one of equal size is.
    pub fn merged(self, other: Self) -> Self {
        match (self, other) {
            (
                Self::Integer { bytes, is_signed },
                Self::Integer { bytes: other_bytes, is_signed: other_signed },
            ) => match bytes.cmp(&other_bytes) {
                std::cmp::Ordering::Greater => self,
                std::cmp::Ordering::Less => other,
                std::cmp::Ordering::Equal => Self::Integer { bytes, is_signed: is_signed && other_signed },
            },
            (Self::Integer { .. }, _) => other,
            _ => self,
        }
    }
}

/// The type of a cast whose `(` was taken, and the tokens after its `)`.
///
/// `None` where the bracket holds an expression. A name that is no known type is one where a `*` or an
/// operand follows: `(xfs_ino_t)REC->ino`.
pub fn cast_type<'t>(tokens: &'t [Token<'t>], long_bytes: usize) -> Option<(Type, &'t [Token<'t>])> {
    let close = tokens.iter().position(|token| *token == Token::Sign(b")"))?;
    let (inside, behind) = (tokens.get(..close)?, tokens.get(close.checked_add(1)?..)?);
    let mut words = Vec::new();
    let mut is_pointer = false;
    for token in inside {
        match token {
            Token::Word(word) if !is_pointer => {
                words.extend_from_slice(word);
                words.push(b' ');
            }
            Token::Sign(b"*") if !words.is_empty() => is_pointer = true,
            Token::Word(b"const") => {}
            _ => return None,
        }
    }
    let is_tagged =
        [&b"struct "[..], b"enum ", b"union ", b"void ", b"const "].iter().any(|tag| words.starts_with(tag));
    let known = type_bytes(&words, long_bytes);
    let is_operand_next = matches!(behind.first(), Some(Token::Word(_) | Token::Number { .. }))
        || behind.first() == Some(&Token::Sign(b"("));
    if words.is_empty() || words.starts_with(b"REC ") {
        return None;
    }
    if !(known.is_some() || is_tagged || is_pointer || (is_operand_next && inside.len() == 1)) {
        return None;
    }
    let is_signed = !words.starts_with(b"u") && !words.starts_with(b"__u") && !has_word(&words, b"unsigned");
    let bytes = match known {
        Some(bytes) => u8::try_from(bytes).unwrap_or(8),
        None if words.starts_with(b"enum ") => 4,
        None if is_pointer => 1,
        None => 8,
    };
    let kind = if is_pointer {
        Type::Pointer { element: bytes, is_signed }
    } else {
        Type::Integer { bytes, is_signed: is_signed && !has_word(&words, b"bool") }
    };
    Some((kind, behind))
}

fn has_word(words: &[u8], wanted: &[u8]) -> bool {
    words.split(|byte| *byte == b' ').any(|word| word == wanted)
}

//! The elements of arrays in a COPY stream.

/// `smallint`, `integer` and `bigint`, alone and as array elements.
pub trait Int: Copy + Sized {
    const OID: i32;
    fn read(bytes: &[u8]) -> Option<Self>;
    /// `None` unless the elements are exactly `count` values without NULL.
    fn read_dense(elements: &[u8], count: usize) -> Option<Vec<Self>>;
    /// `None` unless the elements are `count` values or NULLs.
    fn read_sparse(elements: &[u8], count: usize) -> Option<Vec<Option<Self>>>;
}

macro_rules! int {
    ($type:ty, $oid:literal, $width:literal, $stride:literal) => {
        impl Int for $type {
            const OID: i32 = $oid;

            fn read(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self::from_be_bytes)
            }

            fn read_dense(elements: &[u8], count: usize) -> Option<Vec<Self>> {
                let (chunks, rest) = elements.as_chunks::<$stride>();
                if chunks.len() != count || !rest.is_empty() {
                    return None;
                }
                // The lengths are folded into one flag instead of tested one by one: that keeps the
                // loop free of branches, and a block has a hundred thousand of these.
                let mut wrong_lengths = 0;
                let values = chunks
                    .iter()
                    .map(|[a, b, c, d, value @ ..]| {
                        wrong_lengths |= i32::from_be_bytes([*a, *b, *c, *d]) ^ $width;
                        Self::from_be_bytes(*value)
                    })
                    .collect();
                (wrong_lengths == 0).then_some(values)
            }

            fn read_sparse(elements: &[u8], count: usize) -> Option<Vec<Option<Self>>> {
                let mut values = Vec::with_capacity(count);
                let mut rest = elements;
                for _ in 0..count {
                    let (length, after) = rest.split_first_chunk::<4>()?;
                    rest = after;
                    values.push(match i32::from_be_bytes(*length) {
                        -1 => None,
                        $width => {
                            let (value, after) = rest.split_first_chunk::<$width>()?;
                            rest = after;
                            Some(Self::from_be_bytes(*value))
                        }
                        _ => return None,
                    });
                }
                rest.is_empty().then_some(values)
            }
        }
    };
}

int!(i16, 21, 2, 6);
int!(i32, 23, 4, 8);
int!(i64, 20, 8, 12);

/// `None` unless the elements are `count` texts in UTF-8; NULL comes back empty.
pub fn read_texts(elements: &[u8], count: usize) -> Option<Vec<&str>> {
    let mut values = Vec::with_capacity(count);
    let mut rest = elements;
    for _ in 0..count {
        let (length, after) = rest.split_first_chunk::<4>()?;
        rest = after;
        values.push(match i32::from_be_bytes(*length) {
            -1 => "",
            length => {
                let (text, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
                rest = after;
                str::from_utf8(text).ok()?
            }
        });
    }
    rest.is_empty().then_some(values)
}

//! Names that differ in one sign, two that are exchanged, or the case of their letters.

/// Shorter names may differ in one sign by chance.
const MIN_NAME_BYTES: usize = 4;

/// True where a name is `other` but for a sign that is another, gone or too many, two that are exchanged, or the case of
/// its letters. Numbers may count on: `worker-1` and `worker-2` are names of one thread that is used again.
pub fn is_similar_name(comm: &[u8], other: &[u8]) -> bool {
    if comm == other || comm.len().abs_diff(other.len()) > 1 || comm.len().min(other.len()) < MIN_NAME_BYTES {
        return false;
    }
    let same = comm.iter().zip(other).take_while(|(one, other)| one == other).count();
    let is_digit = |name: &[u8]| name.get(same).is_none_or(u8::is_ascii_digit);
    if is_digit(comm) && is_digit(other) {
        return false;
    }
    if comm.eq_ignore_ascii_case(other) {
        return true;
    }
    if let (Some([first, second, rest @ ..]), Some([one, two, end @ ..])) =
        (comm.get(same..), other.get(same..))
        && (first, second) == (two, one)
        && rest == end
    {
        return true;
    }
    let behind = |name: &[u8], other: &[u8]| same.saturating_add(usize::from(name.len() >= other.len()));
    comm.get(behind(comm, other)..) == other.get(behind(other, comm)..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_sign_more_less_or_other_is_misspelt() {
        for other in [
            "kworker/u32(4",
            "kworker/u324",
            "kworker/u32::4",
            "Kworker/u32:4",
            "KWORKER/U32:4",
            "kwokrer/u32:4",
            "kworkr/u32:4",
        ] {
            assert!(is_similar_name(b"kworker/u32:4", other.as_bytes()), "{other}");
            assert!(is_similar_name(other.as_bytes(), b"kworker/u32:4"), "{other}");
        }
        for other in ["kworker/u32:4", "kworker/u32:5", "kworker/u32:41", "kworker/u3", "bash"] {
            assert!(!is_similar_name(b"kworker/u32:4", other.as_bytes()), "{other}");
        }
        assert!(!is_similar_name(b"sh", b"ssh"));
    }
}

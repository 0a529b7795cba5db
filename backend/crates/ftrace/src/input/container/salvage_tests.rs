use std::io::{Read, Write};

use proptest::prelude::*;

use super::tests::{gzip, xz, zlib, zstd};
use super::*;

/// Lines that say which they are, so that none can be taken for another.
fn text(from: usize, lines: usize) -> Vec<u8> {
    let number = |n: usize| n.wrapping_mul(0x9e37_79b9) & 0xffff_ffff;
    (from..from + lines)
        .flat_map(|n| format!("line {n} {:08x} {:08x}\n", number(n), number(n + 7)).into_bytes())
        .collect()
}

fn read(file: &Vec<u8>, holes: Holes) -> Result<(Vec<u8>, Vec<Damage>, u64), ReadError> {
    let limits = Limits::default();
    let (_, mut stream) = expand(file, &limits)?;
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes).map_err(read_error) {
        Ok(_) => Ok((bytes, Vec::new(), 0)),
        Err(error) => {
            let salvage = salvage(file, &limits, error)?;
            let mut kept = Vec::new();
            salvage.expand(file, &limits, holes).read_to_end(&mut kept).map_err(read_error)?;
            Ok((kept, salvage.damages().to_vec(), salvage.skipped_bytes(holes)))
        }
    }
}

/// Text with the damage in it: code, place, bytes, hole.
fn check(file: &Vec<u8>, kept: &[u8], damages: &[(Code, usize, usize, Option<usize>)]) {
    let (bytes, found, skipped) = read(file, Holes::LeftOut).unwrap();
    let known = |size: &Option<usize>| size.map(|size| size as u64);
    let expected: Vec<_> = damages
        .iter()
        .map(|(code, start, bytes, hole)| (*code, *start as u64, *bytes as u64, known(hole)))
        .collect();
    let found: Vec<_> =
        found.iter().map(|damage| (damage.code, damage.start, damage.bytes, damage.hole_bytes)).collect();
    assert_eq!(found, expected);
    assert!(bytes == kept, "{} bytes instead of {}", bytes.len(), kept.len());
    assert_eq!(skipped, expected.iter().map(|(_, _, bytes, _)| *bytes).sum::<u64>());
}

fn xz_of_blocks(bytes: &[u8], block_bytes: usize) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    for block in bytes.chunks(block_bytes) {
        encoder.write_all(block).unwrap();
        encoder.flush().unwrap();
    }
    encoder.finish().unwrap()
}

#[test]
fn a_cut_keeps_what_expands() {
    let text = text(0, 40_000);
    let atrace = [b"TRACE:\n".to_vec(), zlib(&text)].concat();
    for file in [gzip(&text), zstd(&text), xz(&text), xz_of_blocks(&text, 200_000), atrace] {
        let file = file[..file.len() / 10 * 9].to_vec();
        let (bytes, damages, skipped) = read(&file, Holes::LeftOut).unwrap();
        assert!(text.starts_with(&bytes));
        assert!(bytes.len() > text.len() / 2, "{} of {}", bytes.len(), text.len());
        let at_end = Damage {
            code: Code::CompressedTruncated,
            start: file.len() as u64,
            bytes: 0,
            expanded_at: bytes.len() as u64,
            hole_bytes: None,
        };
        assert_eq!((damages, skipped), (vec![at_end], 0));
    }
}

#[test]
fn a_damaged_member_costs_itself() {
    let texts = [text(0, 900), text(900, 900), text(1_800, 900)];
    let members: Vec<_> = texts.iter().map(|text| gzip(text)).collect();
    let (first, second) = (members[0].len(), members[1].len());
    let kept = [texts[0].clone(), texts[2].clone()].concat();
    for at in [0, 2, 12, second / 2, second - 8, second - 5] {
        let mut file = members.concat();
        file[first + at] ^= 0x81;
        let (bytes, damages, skipped) = read(&file, Holes::LeftOut).unwrap();
        assert!(bytes == kept, "at {at}");
        let [damage] = damages.as_slice() else { panic!("{damages:?}") };
        assert_eq!((damage.start, damage.bytes, skipped), (first as u64, second as u64, second as u64));
        assert_eq!(
            (damage.expanded_at, damage.hole_bytes),
            (texts[0].len() as u64, Some(texts[1].len() as u64))
        );
    }
}

#[test]
fn a_member_whose_sum_is_wrong_is_not_shown() {
    let mut file = gzip(&text(0, 900));
    let trailer = file.len() - 8;
    file[trailer] ^= 1;
    assert_eq!(read(&file, Holes::LeftOut).unwrap_err().code, Code::ChecksumMismatch);
}

/// Some of these hide the end of the data, so that it seems to go on to the end of the file and to be cut there.
#[test]
fn a_changed_byte_in_the_last_member_costs_that_member() {
    let texts = [text(0, 300), text(300, 900)];
    let (first, file) = (gzip(&texts[0]).len(), [gzip(&texts[0]), gzip(&texts[1])].concat());
    let trailer = file.len() - 8;
    let changes = |at: usize| if at < trailer - 30 { at as u8 | 1..=at as u8 | 1 } else { 1..=255 };
    let mut seemed_cut = 0;
    for (at, change) in (first + 10..trailer).flat_map(|at| changes(at).map(move |change| (at, change))) {
        let mut file = file.clone();
        file[at] ^= change;
        let (bytes, damages, _) = read(&file, Holes::LeftOut).unwrap();
        // A copy of the same bytes from elsewhere is no damage.
        let kept = if damages.is_empty() { texts.concat() } else { texts[0].clone() };
        assert!(bytes == kept, "at {at}: {} bytes, {damages:?}", bytes.len());
        seemed_cut += damages.iter().filter(|damage| damage.code == Code::CompressedTruncated).count();
    }
    assert!(seemed_cut > 100, "{seemed_cut}");
}

#[test]
fn a_cut_trailer_costs_nothing() {
    let text = text(0, 5);
    let file = gzip(&text);
    for cut in 1..8 {
        check(
            &file[..file.len() - cut].to_vec(),
            &text,
            &[(Code::CompressedTruncated, file.len() - cut, 0, None)],
        );
    }
}

#[test]
fn junk_behind_and_between_members_is_passed_over() {
    let (one, two) = (text(0, 50), text(50, 50));
    let (code, size) = (Code::CompressedCorrupt, gzip(&one).len());
    check(&[gzip(&one), b"junk".to_vec()].concat(), &one, &[(code, size, 4, None)]);
    let file = [gzip(&one), b"junk".to_vec(), gzip(&two)].concat();
    let (bytes, damages, _) = read(&file, Holes::LeftOut).unwrap();
    assert!(bytes == [one.clone(), two.clone()].concat());
    assert_eq!((damages[0].start, damages[0].bytes), (size as u64, 4));
    for wrap in [zstd, xz] {
        let file = [wrap(&one), b"junk, junk, junk".to_vec(), wrap(&two)].concat();
        let (bytes, damages, skipped) = read(&file, Holes::LeftOut).unwrap();
        assert!(bytes == [one.clone(), two.clone()].concat(), "{} bytes, {damages:?}", bytes.len());
        assert_eq!((damages.len(), damages[0].start, skipped), (1, wrap(&one).len() as u64, 16));
    }
}

#[test]
fn a_damaged_block_of_zstd_costs_its_frame() {
    let (long, next) = (text(0, 40_000), text(40_000, 900));
    let mut file = [zstd(&long), zstd(&next)].concat();
    let frame = zstd(&long).len();
    file[frame / 2..][..64].fill(0x5a);
    let (bytes, damages, _) = read(&file, Holes::LeftOut).unwrap();
    assert!(bytes == next, "{} bytes", bytes.len());
    let [damage] = damages.as_slice() else { panic!("{damages:?}") };
    assert_eq!((damage.code, damage.start, damage.bytes), (Code::CompressedCorrupt, 0, frame as u64));
}

/// Wherever a bit of a frame of several blocks flips, what comes out was put in: most of these are noticed only
/// in a later block than theirs.
#[test]
fn a_flipped_bit_in_a_frame_of_many_blocks_makes_nothing_up() {
    let (long, next) = (text(0, 12_000), text(12_000, 100));
    let file = [zstd(&long), zstd(&next)].concat();
    let frame = zstd(&long).len();
    // Without its magic it is no frame.
    for at in (4..frame).step_by(frame / 150) {
        let mut file = file.clone();
        file[at] ^= 1 << (at % 8);
        let (bytes, damages, _) = read(&file, Holes::LeftOut).unwrap();
        assert!(bytes == next || damages.is_empty() && bytes.ends_with(&next), "at {at}: {damages:?}");
    }
}

#[test]
fn a_damaged_block_of_xz_costs_itself() {
    let text = text(0, 40_000);
    let mut file = xz_of_blocks(&text, 300_000);
    let middle = file.len() / 2;
    file[middle] ^= 4;
    let (bytes, damages, _) = read(&file, Holes::LeftOut).unwrap();
    let [damage] = damages.as_slice() else { panic!("{damages:?}") };
    let (at, hole) = (damage.expanded_at as usize, damage.hole_bytes.unwrap() as usize);
    assert!(hole <= 300_000 && (damage.start..damage.start + damage.bytes).contains(&(middle as u64)));
    assert!(bytes[..at] == text[..at] && bytes[at..] == text[at + hole..]);

    let (filled, _, skipped) = read(&file, Holes::Filled).unwrap();
    assert_eq!((filled.len(), skipped), (text.len(), 0));
    assert!(filled[at..at + hole].iter().all(|byte| *byte == 0) && filled[at + hole..] == text[at + hole..]);
}

#[test]
fn a_file_with_offsets_ends_at_a_hole_of_unknown_size() {
    let (one, two) = (text(0, 50), text(50, 50));
    let file = [gzip(&one), b"junk".to_vec(), gzip(&two)].concat();
    // The four bytes before a member are taken for the length of one; no four bytes expand to so many.
    let (bytes, _, skipped) = read(&file, Holes::Filled).unwrap();
    assert!(bytes == one);
    assert_eq!(skipped, 4 + gzip(&two).len() as u64);
}

#[test]
fn places_where_members_seem_to_begin_are_tried_in_linear_time() {
    // Stored blocks of deflate, in each of which a member seems to begin that goes on to the end.
    let nested = |count: usize| {
        let mut file = gzip(b"one");
        for _ in 0..count {
            file.extend_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0, 10, 0, 0xf5, 0xff]);
        }
        file
    };
    let work = |count| {
        let file = Counted { file: nested(count), read_bytes: std::cell::Cell::new(0) };
        let error = corrupt(0, "tried");
        let salvage = salvage(&file, &Limits::default(), error).unwrap();
        assert_eq!(salvage.damages().len(), 1);
        file.read_bytes.get() as f64 / file.file.len() as f64
    };
    let (small, large) = (work(1_000), work(64_000));
    assert!(large < small * 4.0, "{small} and {large} bytes read for each byte of the file");
}

struct Counted {
    file: Vec<u8>,
    read_bytes: std::cell::Cell<usize>,
}

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.file.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let count = self.file.read_at(offset, buffer)?;
        self.read_bytes.set(self.read_bytes.get() + count);
        Ok(count)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever one byte is changed to, no line comes out that was not put in, and less never comes silently.
    #[test]
    fn nothing_false_comes_out(
        kind in 0..5_usize, at in any::<prop::sample::Index>(), change in 1..=255_u8, edit in 0..3_usize,
    ) {
        let texts = [text(0, 3_000), text(3_000, 3_000), text(6_000, 300)];
        let whole = texts.concat();
        let mut file: Vec<u8> = match kind {
            0 => texts.iter().flat_map(|text| gzip(text)).collect(),
            1 => texts.iter().flat_map(|text| zstd(text)).collect(),
            2 => texts.iter().flat_map(|text| xz(text)).collect(),
            3 => xz_of_blocks(&whole, 40_000),
            _ => gzip(&whole),
        };
        // Without the magic at its start it is no such file.
        let magic = [3, 4, 6, 6, 3][kind];
        let at = magic + at.index(file.len() - magic);
        match edit {
            0 => file[at] ^= change,
            1 => file.insert(at, change),
            _ => drop(file.remove(at)),
        }
        if let Ok((bytes, damages, _)) = read(&file, Holes::LeftOut) {
            let lines: std::collections::HashSet<&[u8]> = whole.split(|byte| *byte == b'\n').collect();
            let breaks: Vec<usize> = damages.iter().map(|damage| damage.expanded_at as usize).collect();
            prop_assert!(bytes == whole || !damages.is_empty());
            let mut start = 0;
            for end in breaks.into_iter().chain([bytes.len()]) {
                let mut inner = bytes[start..end].split(|byte| *byte == b'\n').skip(1).peekable();
                while let Some(line) = inner.next() {
                    prop_assert!(inner.peek().is_none() || lines.contains(line), "{}", String::from_utf8_lossy(line));
                }
                start = end;
            }
        }
    }
}

use std::io::{Read, Write};

use super::*;

fn expanded(file: &Vec<u8>, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let (_, mut stream) = expand(file, limits)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map_err(read_error)?;
    Ok(bytes)
}

fn check_text(file: Vec<u8>, expected: &[u8]) {
    let bytes = expanded(&file, &Limits::default()).unwrap();
    assert!(bytes == expected, "{} bytes instead of {}", bytes.len(), expected.len());
}

fn check_error(file: Vec<u8>, limits: &Limits, class: FailureClass, code: Code, byte_offset: u64) {
    let error = expanded(&file, limits).unwrap_err();
    assert_eq!((error.class, error.code, error.place), (class, code, Place::byte(byte_offset)), "{error}");
}

fn small() -> Limits {
    Limits { max_expanded_bytes: 64 << 10, ..Limits::default() }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Text that does not compress to nothing, longer than any buffer.
fn long_text() -> Vec<u8> {
    (0_u64..40_000).flat_map(|n| format!("line {} {n}\n", n.wrapping_mul(0x9e37_79b9)).into_bytes()).collect()
}

#[test]
fn every_wrapping_is_taken_off() {
    let text = long_text();
    check_text(text.clone(), &text);
    check_text(gzip(&text), &text);
    check_text(zstd(&text), &text);
    check_text(xz(&text), &text);
    check_text([b"TRACE:\n".to_vec(), zlib(&text)].concat(), &text);
}

#[test]
fn one_wrapping_claims_each_file() {
    let zlib_behind_prefix = [b"TRACE:\n".to_vec(), zlib(b"one")].concat();
    for (file, claims) in [
        (gzip(b"one"), 1),
        (zstd(b"one"), 1),
        (vec![0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], 1),
        (xz(b"one"), 1),
        (zlib_behind_prefix, 1),
        (zlib(b"one"), 0),
        (b"TRACE:\n# tracer: nop".to_vec(), 0),
    ] {
        let found = WRAPPINGS.iter().filter(|wrapping| (wrapping.is_of)(&file)).count();
        assert_eq!(found, claims, "{file:x?}");
    }
}

#[test]
fn members_frames_and_streams_follow_each_other() {
    check_text([gzip(b"one "), gzip(b""), gzip(b"two")].concat(), b"one two");
    check_text([gzip(b"one"), vec![0; 100]].concat(), b"one");
    check_text([zstd(b"one "), zstd(b"two")].concat(), b"one two");
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9];
    check_text([skippable.to_vec(), zstd(b"one"), skippable.to_vec()].concat(), b"one");
    check_text([xz(b"one "), xz(b"two")].concat(), b"one two");
}

#[test]
fn optional_gzip_header_fields_are_skipped() {
    let mut encoder = flate2::GzBuilder::new()
        .filename("trace.txt")
        .comment("why")
        .extra(vec![1, 2, 3])
        .write(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"text").unwrap();
    check_text(encoder.finish().unwrap(), b"text");
}

#[test]
fn a_cut_is_named_with_its_place() {
    for wrapped in [gzip(&long_text()), zstd(&long_text()), xz(&long_text())] {
        let cut = wrapped.len() / 2;
        let (class, code) = (FailureClass::Truncated, Code::CompressedTruncated);
        check_error(wrapped[..cut].to_vec(), &Limits::default(), class, code, cut as u64);
    }
    let inside_trailer = gzip(b"text").split_last_chunk::<3>().unwrap().0.to_vec();
    let end = inside_trailer.len() as u64;
    let (class, code) = (FailureClass::Truncated, Code::CompressedTruncated);
    check_error(inside_trailer, &Limits::default(), class, code, end);
}

#[test]
fn damage_is_named_with_its_place() {
    let mut bad_crc = gzip(b"text");
    let trailer = bad_crc.len() - 8;
    bad_crc[trailer] ^= 1;
    let (class, code) = (FailureClass::Corrupt, Code::ChecksumMismatch);
    check_error(bad_crc, &Limits::default(), class, code, trailer as u64);

    let mut bad_sum = zstd(b"text");
    let end = bad_sum.len();
    bad_sum[end - 1] ^= 1;
    assert_eq!(expanded(&bad_sum, &Limits::default()).unwrap_err().code, Code::ChecksumMismatch);

    let followed = [gzip(b"text"), b"junk behind it".to_vec()].concat();
    let code = Code::CompressedCorrupt;
    check_error(followed, &Limits::default(), class, code, gzip(b"text").len() as u64);
}

#[test]
fn expansion_stops_at_the_size_limit() {
    let text = long_text();
    for wrapped in [gzip(&text), zstd(&text), xz(&text)] {
        let (class, code) = (FailureClass::Limit, Code::ExpandedTooLarge);
        check_error(wrapped, &small(), class, code, 64 << 10);
    }
    let exactly = Limits { max_expanded_bytes: text.len() as u64, ..Limits::default() };
    assert_eq!(expanded(&gzip(&text), &exactly), Ok(text));
}

#[test]
fn expansion_stops_at_the_ratio() {
    let zeros = zstd(&vec![0; 1 << 20]);
    assert!(zeros.len() < 100);
    let (class, code) = (FailureClass::Limit, Code::ExpansionRatio);
    check_error(zeros, &small(), class, code, 16 << 10);
}

#[test]
fn decoder_memory_is_judged_from_the_header() {
    let mut window_of_2_tib = zstd(&long_text());
    window_of_2_tib[4] &= !0x20;
    window_of_2_tib[5] = 31 << 3;
    let (class, code) = (FailureClass::Unsupported, Code::DecoderMemory);
    check_error(window_of_2_tib, &Limits::default(), class, code, 5);

    let one_mib = Limits { max_decoder_memory_bytes: 1 << 20, ..Limits::default() };
    check_error(xz(b"text"), &one_mib, class, code, 12);
}

#[test]
fn archives_and_nothing_are_refused() {
    let (class, code) = (FailureClass::Unsupported, Code::ArchiveNotSupported);
    check_error(b"PK\x03\x04rest".to_vec(), &Limits::default(), class, code, 0);
    check_error(b"BZh91AY".to_vec(), &Limits::default(), class, code, 0);
    let mut tar = vec![b'a'; 600];
    tar[257..262].copy_from_slice(b"ustar");
    check_error(tar, &Limits::default(), class, code, 0);
    check_error(Vec::new(), &Limits::default(), class, Code::EmptyFile, 0);
}

#[test]
fn a_failed_stream_keeps_failing_with_the_same() {
    let file = gzip(&long_text());
    let file = file[..file.len() / 2].to_vec();
    let (_, mut stream) = expand(&file, &Limits::default()).unwrap();
    let first = read_error(stream.read_to_end(&mut Vec::new()).unwrap_err());
    assert_eq!(read_error(stream.read(&mut [0; 8]).unwrap_err()), first);
}

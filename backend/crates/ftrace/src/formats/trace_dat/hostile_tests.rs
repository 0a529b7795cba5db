//! Damaged and hostile images: the damage is named with its place, and the data around it is kept.

use expect_test::expect;
use proptest::prelude::*;

use super::codec::Codec;
use super::testing::recordings::{self, FIRST_PAGE};
use super::testing::{Image, LITTLE_V6, Layout, Recorder};
use super::tests::{check, check_bytes};
use super::*;

/// A page of two ticks on each of two CPUs.
fn two_cpus() -> Image {
    recordings::two_cpus(LITTLE_V6, &[[1, 2]])
}

#[test]
fn bad_pages_are_skipped_and_other_cpus_kept() {
    let mut file = two_cpus().build();
    file[FIRST_PAGE + 8..FIRST_PAGE + 16].fill(0xff);
    check_bytes(
        file,
        expect![[r#"
            ! bad_commit x1 at byte 4096
            lost None on CPU Some(0) before None
            1001 cat-7 [1] sched_tick: n=1
            1011 cat-7 [1] sched_tick: n=2
            4096 bytes skipped
        "#]],
    );
    let mut file = two_cpus().build();
    file[FIRST_PAGE + 8..FIRST_PAGE + 16].fill(0x5a);
    check_bytes(
        file,
        expect![[r#"
            ! bad_page x1 at byte 4096
            lost None on CPU Some(0) before None
            1001 cat-7 [1] sched_tick: n=1
            1011 cat-7 [1] sched_tick: n=2
            4096 bytes skipped
        "#]],
    );
}

#[test]
fn an_event_without_a_name_is_told_by_its_number() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.tick_format().format("sched", "", 301, "int n;8;4;1", r#""n=%d", REC->n"#);
    let entries = [image.tick(0, 1), image.record(10, 301, &image.u32(2))];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=1
        ! unknown_event x1 at byte 4096
        1010 cat-7 [0] unknown: type: 301
    "#]],
    );
}

#[test]
fn a_record_of_no_length_ends_its_page() {
    let mut image = two_cpus();
    let entries = [image.tick(0, 7), image.entry(0, 1, &image.u32(0)), image.tick(0, 8)];
    image.page(0, 2_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            1001 cat-7 [1] sched_tick: n=1
            1010 cat-7 [0] sched_tick: n=2
            1011 cat-7 [1] sched_tick: n=2
            2000 cat-7 [0] sched_tick: n=7
            ! bad_event_length x1 at byte 8192
            lost None on CPU Some(0) before None
            24 bytes skipped
        "#]],
    );
}

#[test]
fn times_past_the_range_are_dropped() {
    let mut image = two_cpus();
    let entries = [image.entry(30, 1, &image.u32(u32::MAX)), image.tick(0, 8)];
    image.page(0, u64::MAX - 5, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            1001 cat-7 [1] sched_tick: n=1
            1010 cat-7 [0] sched_tick: n=2
            ! timestamp_out_of_range x1 at byte 8192
            lost None on CPU Some(0) before None
            1011 cat-7 [1] sched_tick: n=2
            ! doubtful_value x1 at byte 8192
            12 bytes skipped
        "#]],
    );
}

#[test]
fn records_of_unknown_types_are_counted() {
    let mut image = two_cpus();
    let entries = [image.record(0, 999, &[]), image.tick(1, 3)];
    image.page(0, 2_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            1001 cat-7 [1] sched_tick: n=1
            1010 cat-7 [0] sched_tick: n=2
            1011 cat-7 [1] sched_tick: n=2
            ! unknown_event x1 at byte 8192
            2000 cat-7 [0] unknown: type: 999
            2001 cat-7 [0] sched_tick: n=3
        "#]],
    );
}

#[test]
fn a_description_outside_any_record_drops_its_records_only() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.tick_format();
    image.format("sched", "far", 301, "int n;4294967295;4;1", r#""n=%d", REC->n"#);
    let entries = [image.record(0, 301, &[0; 4]), image.record(1, 301, &[0; 4]), image.tick(1, 3)];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            ! bad_format x1 at byte 608
            1002 cat-7 [0] sched_tick: n=3
            ! bad_format x1 at byte 608
            24 bytes skipped
        "#]],
    );
}

#[test]
fn print_formats_that_are_not_followed_show_raw_fields() {
    let mut image = Image::new(LITTLE_V6, 1);
    let fields = "int n;8;4;1\nchar comm[4];12;4;0\nu8 raw[2];16;2;0\n__data_loc char[] name;20;4;0";
    let deep = format!("\"%d\", {}REC->n{}", "(".repeat(50_000), ")".repeat(50_000));
    image.format("x", "deep", 400, fields, &deep);
    image.format("x", "strange", 401, fields, r#""%d", strange(REC->n)"#);
    let data = [&image.u32(u32::MAX)[..], b"cat\0", &[1, 2, 0, 0], &image.u32(2 << 16 | 24), b"ab\0\0"];
    let far = [&image.u32(5)[..], b"cat\0", &[1, 2, 0, 0], &image.u32(9_000)];
    let entries = [
        image.record(0, 400, &data.concat()),
        image.record(1, 401, &data.concat()),
        image.record(1, 401, &far.concat()),
    ];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            ! print_fmt_too_deep x1 at byte 235
            1000 cat-7 [0] deep: n=-1 comm=cat raw={0x1,0x2} name=ab
            ! print_fmt_unknown x1 at byte 100749
            1001 cat-7 [0] strange: n=-1 comm=cat raw={0x1,0x2} name=ab
            ! data_loc_out_of_record x1 at byte 102400
            1002 cat-7 [0] strange: n=5 comm=cat raw={0x1,0x2} name=<missing>
        "#]],
    );
}

#[test]
fn a_cut_file_keeps_the_whole_records_before_the_cut() {
    let mut image = two_cpus();
    let entries = [image.tick(0, 7), image.tick(1, 8)];
    image.page(1, 2_000, &entries);
    let mut file = image.build();
    file.truncate(file.len() - 4_096 + 16 + 20);
    check_bytes(
        file,
        expect![[r#"
            ! cpu_data_truncated x1 at byte 12324
            1000 cat-7 [0] sched_tick: n=1
            1001 cat-7 [1] sched_tick: n=1
            1010 cat-7 [0] sched_tick: n=2
            1011 cat-7 [1] sched_tick: n=2
            2000 cat-7 [1] sched_tick: n=7
            lost None on CPU Some(1) before None
            4 bytes skipped
        "#]],
    );
}

#[test]
fn bytes_that_two_cpus_claim_are_read_once() {
    let mut file = two_cpus().build();
    let table = memchr::memmem::find(&file, b"flyrecord\0").unwrap() + 10;
    file.copy_within(table + 16..table + 32, table);
    let (mut recorder, overlap) = (Recorder::default(), format!("! cpu_data_overlap x1 at byte {table}"));
    TraceDat.read(Input::Random(&file), &Limits::default(), &mut recorder).unwrap();
    let lines: Vec<_> = recorder.lines.lines().collect();
    let expected = [
        overlap.as_str(),
        "lost None on CPU Some(0) before None",
        "1001 cat-7 [1] sched_tick: n=1",
        "1011 cat-7 [1] sched_tick: n=2",
        "! unread_bytes x7493 at byte 699",
        "lost None on CPU None before None",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn damaged_chunks_are_skipped() {
    let mut image = Image::new(Layout { version: 7, codec: Some(Codec::Zstd), ..LITTLE_V6 }, 1);
    image.tick_format();
    for page in 0..2 {
        let entries = [image.tick(0, page)];
        image.page(0, 1_000 + u64::from(page.cast_unsigned()), &entries);
    }
    let mut file = image.build();
    // The chunk before the last occurrence of the magic is the first page's.
    let magics: Vec<_> = memchr::memmem::find_iter(&file, b"\x28\xb5\x2f\xfd").collect();
    let first_chunk = magics[magics.len() - 3];
    file[first_chunk] ^= 1;
    let (recorder, result) = super::tests::read_bytes(&file);
    assert_eq!(result, Ok(()));
    let place = first_chunk - 8;
    let expected = format!(
        "! bad_chunk x1 at byte {place}\nlost None on CPU Some(0) before None\n1001 cat-7 [0] sched_tick: n=1\n"
    );
    assert_eq!(recorder.lines, expected);
}

#[test]
fn of_packed_pages_no_more_is_skipped_than_they_take_in_the_file() {
    let mut image = Image::new(Layout { version: 7, codec: Some(Codec::Zstd), ..LITTLE_V6 }, 1);
    image.tick_format();
    let mut entries = vec![image.entry(0, 1, &image.u32(0))];
    entries.extend((0..100).map(|n| image.tick(0, n)));
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            ! bad_event_length x1 at byte 585
            lost None on CPU Some(0) before None
            ! no_events x1 at byte 900
            64 bytes skipped
        "#]],
    );
}

#[test]
fn option_sections_in_a_circle_are_refused() {
    let mut file = Image::new(Layout { version: 7, ..LITTLE_V6 }, 1).tick_format().build();
    let pointer = 24;
    let first = u64::from_le_bytes(file[pointer..pointer + 8].try_into().unwrap());
    let end = file.len();
    file[end - 8..].copy_from_slice(&first.to_le_bytes());
    let (_, result) = super::tests::read_bytes(&file);
    let error = result.unwrap_err();
    assert_eq!((error.code, error.place), (Code::OptionLoop, Place::byte(first)));
}

fn images() -> impl Strategy<Value = Vec<u8>> {
    let v7 = |codec| recordings::all_kinds_of_fields(Layout { version: 7, codec, ..LITTLE_V6 });
    prop_oneof![
        Just(recordings::all_kinds_of_fields(LITTLE_V6)),
        Just(v7(None)),
        Just(v7(Some(Codec::Zlib))),
        Just(v7(Some(Codec::Zstd))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_mutation_panics_or_loses_count(
        mut file in images(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::weighted(0.3, any::<prop::sample::Index>()),
    ) {
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len()).max(header::MAGIC.len()));
        }
        let mut recorder = Recorder::default();
        if TraceDat.read(Input::Random(&file), &Limits::default(), &mut recorder).is_ok() {
            let (used, skipped) = recorder.account;
            prop_assert_eq!(used + skipped, file.len() as u64);
        }
    }

    #[test]
    fn no_print_format_panics(text in r#""[%a-z0-9*.\- ]{0,20}"(, [REC>a-z0-9()?:+*/&|<!~\[\]{}"_,\- ]{0,40}){0,3}"#) {
        let mut image = Image::new(LITTLE_V6, 1);
        image.format("x", "x", 300, "int n;8;4;1\nchar a[4];12;4;0", &text);
        let entries = [image.record(0, 300, &[7; 8])];
        image.page(0, 1_000, &entries);
        let mut recorder = Recorder::default();
        TraceDat.read(Input::Random(&image.build()), &Limits::default(), &mut recorder).unwrap();
    }
}

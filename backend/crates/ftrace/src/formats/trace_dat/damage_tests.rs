//! Nothing that a file loses is lost silently: unread bytes, impossible values, missing records.

use expect_test::{Expect, expect};

use super::codec::Codec;
use super::testing::recordings::{self, FIRST_PAGE};
use super::testing::{Image, LITTLE_V6, Layout};
use super::tests::printed;

pub const V7: Layout = Layout { version: 7, ..LITTLE_V6 };

/// Two pages of two ticks on each of two CPUs; those of CPU 0 come first.
pub fn two_cpus(layout: Layout) -> Image {
    recordings::two_cpus(layout, &[[0, 10], [1, 11]])
}

/// What is read of the image once its file is damaged. Ticks in a row are one line with their times, of which CPU 0
/// has the even ones.
pub fn check(image: &Image, damage: impl FnOnce(&mut Vec<u8>), expected: Expect) {
    let mut file = image.build();
    damage(&mut file);
    let mut text = String::new();
    for line in printed(file).lines() {
        let is_in_row = !text.is_empty() && !text.ends_with('\n');
        match line.split_once(" cat-7 ") {
            Some((time, _)) if is_in_row => text += &format!(" {time}"),
            Some((time, _)) => text += &format!("ticks {time}"),
            None if is_in_row => text += &format!("\n{line}\n"),
            None => text += &format!("{line}\n"),
        }
    }
    expected.assert_eq(&(text.trim_end().to_owned() + "\n"));
}

/// Where the section of that number begins.
pub fn place_of(file: &[u8], id: u16, is_compressed: bool) -> usize {
    let head = [&id.to_le_bytes()[..], &[u8::from(is_compressed), 0, 0, 0, 0, 0]].concat();
    memchr::memmem::find(file, &head).unwrap()
}

/// The entry of a CPU in the table of a version 6 file: u64 offset, u64 size.
fn table_entry(file: &[u8], cpu: usize) -> usize {
    memchr::memmem::find(file, b"flyrecord\0").unwrap() + 10 + 16 * cpu
}

#[test]
fn a_cpu_whose_pages_the_file_lacks_is_lost_to_the_end() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file.truncate(file.len() - 4_096),
        expect![[r#"
        ! cpu_data_truncated x1 at byte 16384
        ticks 1000 1001 1010 1011
        lost None on CPU Some(1) before None
        ticks 2000 2010
    "#]],
    );
}

#[test]
fn a_cpu_without_any_page_left_is_lost_from_the_start() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file.truncate(file.len() - 2 * 4_096),
        expect![[r#"
        ! cpu_data_truncated x1 at byte 12288
        lost None on CPU Some(1) before None
        ticks 1000 1010 2000 2010
    "#]],
    );
}

#[test]
fn bytes_behind_the_last_page_are_skipped() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file.extend([0; 16]),
        expect![[r#"
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        ! unread_bytes x16 at byte 20480
        16 bytes skipped
    "#]],
    );
}

#[test]
fn pages_that_no_cpu_claims_are_skipped() {
    check(
        &two_cpus(LITTLE_V6),
        |file| {
            let entry = table_entry(file, 0);
            file[entry + 8..entry + 16].fill(0);
        },
        expect![[r#"
            ticks 1001 1011 2001 2011
            ! unread_bytes x11589 at byte 699
            lost None on CPU None before None
            11589 bytes skipped
        "#]],
    );
}

#[test]
fn pages_shifted_by_inserted_bytes_are_reported() {
    check(
        &two_cpus(LITTLE_V6),
        |file| {
            file.splice(FIRST_PAGE..FIRST_PAGE, [0; 512]);
        },
        expect![[r#"
            ! bad_page x1 at byte 4096
            lost None on CPU Some(0) before None
            ! bad_page x1 at byte 12288
            lost None on CPU Some(1) before None
            ticks 1000 1001 1010
            ! bad_page x1 at byte 8704
            lost None on CPU Some(0) before None
            ticks 1011
            ! bad_page x1 at byte 16896
            lost None on CPU Some(1) before None
            ! unread_bytes x512 at byte 20480
            8704 bytes skipped
        "#]],
    );
}

#[test]
fn an_empty_page_is_reported_where_it_is() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file[FIRST_PAGE..FIRST_PAGE + 4_096].fill(0),
        expect![[r#"
        ! empty_page x1 at byte 4096
        lost None on CPU Some(0) before None
        ticks 1001 1011 2000 2001 2010 2011
        4096 bytes skipped
    "#]],
    );
}

#[test]
fn records_behind_the_stated_length_of_a_page_are_skipped() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file[FIRST_PAGE + 8] = 16,
        expect![[r#"
        ! junk_on_page x1 at byte 4128
        ticks 1000
        lost None on CPU Some(0) before Some(2000)
        ticks 1001 1011 2000 2001 2010 2011
        13 bytes skipped
    "#]],
    );
}

#[test]
fn a_page_in_the_place_of_another_is_reported() {
    check(
        &two_cpus(LITTLE_V6),
        |file| file.copy_within(FIRST_PAGE..FIRST_PAGE + 4_096, FIRST_PAGE + 4_096),
        expect![[r#"
            ticks 1000 1001 1010
            ! out_of_order x1 at byte 8192
            lost None on CPU Some(0) before Some(1000)
            ticks 1000 1010 1011 2001 2011
        "#]],
    );
}

#[test]
fn a_record_that_hides_the_next_is_reported() {
    // Three words of data become seven: those of the next record, and its header.
    check(
        &two_cpus(LITTLE_V6),
        |file| file[FIRST_PAGE + 16] += 4,
        expect![[r#"
        ticks 1000
        ! record_too_long x1 at byte 4116
        lost None on CPU Some(0) before Some(2000)
        ticks 1001 1011 2000 2001 2010 2011
        16 bytes skipped
    "#]],
    );
}

#[test]
fn two_time_stamps_in_a_row_are_no_entries() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.tick_format();
    let stamps = [0xff; 16].to_vec();
    let entries = [image.tick(0, 1), stamps, image.tick(0, 2)];
    image.page(0, 1_000, &entries);
    check(
        &image,
        |_| (),
        expect![[r#"
        ticks 1000
        ! bad_event_length x1 at byte 4096
        lost None on CPU Some(0) before None
        24 bytes skipped
    "#]],
    );
}

#[test]
fn fewer_records_than_the_statistics_count_are_reported() {
    let mut image = two_cpus(LITTLE_V6);
    for (cpu, count) in [(0, 4), (1, 9)] {
        let text = format!("CPU: {cpu}\nentries: 1\noverrun: 0\nread events: {count}\n");
        image.options.push((2, text.into_bytes()));
    }
    check(
        &image,
        |_| (),
        expect![[r#"
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        ! fewer_than_stated x5 at byte 707
        lost Some(5) on CPU None before None
    "#]],
    );
}

#[test]
fn records_that_were_left_in_the_buffer_are_counted_with_those_that_were_read() {
    let mut image = two_cpus(LITTLE_V6);
    for (cpu, left) in [(0, 4), (1, 7)] {
        let text = format!("CPU: {cpu}\nentries: {left}\noverrun: 0\nbytes: 80\nread events: 0\n");
        image.options.push((2, text.into_bytes()));
    }
    check(
        &image,
        |_| (),
        expect![[r#"
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        ! fewer_than_stated x3 at byte 717
        lost Some(3) on CPU None before None
    "#]],
    );
}

#[test]
fn options_that_make_no_sense_are_skipped() {
    let mut image = two_cpus(LITTLE_V6);
    image.options.push((1, b"no number\0".to_vec()));
    image.options.push((8, b"\x02\0\0\0 more".to_vec()));
    check(
        &image,
        |_| (),
        expect![[r#"
        ! option_not_read x1 at byte 657
        ! option_not_read x1 at byte 673
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        21 bytes skipped
    "#]],
    );
}

#[test]
fn a_damaged_section_costs_what_it_describes() {
    const KALLSYMS: u16 = 19;
    for (codec, expected) in [
        (
            Codec::Zlib,
            expect![[r#"
        ! bad_section x1 at byte 441
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        36 bytes skipped
    "#]],
        ),
        (
            Codec::Zstd,
            expect![[r#"
        ! bad_section x1 at byte 444
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
        37 bytes skipped
    "#]],
        ),
    ] {
        check(
            &two_cpus(Layout { codec: Some(codec), ..V7 }),
            // After the section's header and the two sizes of its block.
            |file| {
                let at = place_of(file, KALLSYMS, true) + 16 + 8 + 1;
                file[at] ^= 0x40;
            },
            expected,
        );
    }
}

#[test]
fn lines_of_names_that_the_kernel_does_not_print_are_reported() {
    let mut image = two_cpus(LITTLE_V6);
    image.kallsyms = "ffffffff81000000 T outer\nffffffff81000100 t in\u{7}er\t[mod]\n\0\0\0\n".to_owned();
    image.printk_formats = "0x1000 : \"n=%d\\n\"\n0x2000 : \"cut\n".to_owned();
    image.cmdlines = "7 cat\n8 longer than a name\n".to_owned();
    check(
        &image,
        |_| {},
        expect![[r#"
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            ! bad_section x2 at byte 590
            ! bad_section x1 at byte 654
            ! bad_section x1 at byte 690
        "#]],
    );
}

#[test]
fn a_chunk_that_claims_too_much_is_skipped() {
    const BUFFER: u16 = 3;
    check(
        &two_cpus(Layout { codec: Some(Codec::Zstd), ..V7 }),
        // The highest byte of the size that the first chunk of CPU 0 expands to.
        |file| {
            let at = place_of(file, BUFFER, true) + 16 + 4 + 7;
            file[at] ^= 0x40;
        },
        expect![[r#"
            ! bad_chunk x1 at byte 585
            lost None on CPU Some(0) before None
            ticks 1001 1011 2000 2001 2010 2011
            50 bytes skipped
        "#]],
    );
}

#[test]
fn a_cpu_with_fewer_chunks_than_its_bytes_hold_has_lost_some() {
    const BUFFER: u16 = 3;
    let whole = two_cpus(Layout { codec: Some(Codec::Zstd), ..V7 }).build();
    let count = place_of(&whole, BUFFER, true) + 16;
    let packed_bytes = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap()) as usize;
    let second = count + 4 + 8 + packed_bytes(count + 4);
    let end = second + 8 + packed_bytes(second);
    // The number of chunks alone, and zeros over all of them, as of a sector that was not written.
    for zeros in [count..count + 4, count..end] {
        let mut file = whole.clone();
        file[zeros.clone()].fill(0);
        let text = printed(file);
        assert!(
            text.contains("! bad_chunk x1") && text.contains("lost None on CPU Some(0)"),
            "{zeros:?}: {text}"
        );
    }
}

#[test]
fn the_names_of_sections_are_read_and_others_that_nothing_points_to_are_not() {
    check(
        &two_cpus(V7),
        |file| {
            for (id, names) in [(15_u16, b"options\0events\0"), (19, b"ffffff81 T lost")] {
                file.extend([id.to_le_bytes(), [0; 2], [0; 2], [0; 2]].concat());
                file.extend((names.len() as u64).to_le_bytes());
                file.extend(names);
            }
        },
        expect![[r#"
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            ! unread_bytes x31 at byte 17365
            31 bytes skipped
        "#]],
    );
}

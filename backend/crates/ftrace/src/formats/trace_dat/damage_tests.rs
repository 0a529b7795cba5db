//! Nothing that a file loses is lost silently: what nobody reads, what cannot be right, what is missing.

use expect_test::{Expect, expect};

use super::codec::Codec;
use super::testing::recordings::{self, FIRST_PAGE};
use super::testing::{Image, LITTLE_V6, Layout};
use super::tests::{check, check_bytes};

/// Two pages of two ticks on each of two CPUs; those of CPU 0 come first.
fn two_cpus(layout: Layout) -> Image {
    recordings::two_cpus(layout, &[[0, 10], [1, 11]])
}

fn check_damaged(damage: impl FnOnce(&mut Vec<u8>), expected: Expect) {
    let mut file = two_cpus(LITTLE_V6).build();
    damage(&mut file);
    check_bytes(file, expected);
}

/// The entry of a CPU in the table of a version 6 file: u64 offset, u64 size.
fn table_entry(file: &[u8], cpu: usize) -> usize {
    memchr::memmem::find(file, b"flyrecord\0").unwrap() + 10 + 16 * cpu
}

#[test]
fn a_cpu_whose_pages_the_file_lacks_is_lost_to_the_end() {
    check_damaged(
        |file| file.truncate(file.len() - 4_096),
        expect![[r#"
        ! cpu_data_truncated x1 at byte 16384
        1000 cat-7 [0] sched_tick: n=0
        1001 cat-7 [1] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        1011 cat-7 [1] sched_tick: n=10
        lost None on CPU Some(1) before None
        2000 cat-7 [0] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
    "#]],
    );
}

#[test]
fn a_cpu_without_any_page_left_is_lost_from_the_start() {
    check_damaged(
        |file| file.truncate(file.len() - 2 * 4_096),
        expect![[r#"
        ! cpu_data_truncated x1 at byte 12288
        lost None on CPU Some(1) before None
        1000 cat-7 [0] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
    "#]],
    );
}

#[test]
fn bytes_behind_the_last_page_are_skipped() {
    check_damaged(
        |file| file.extend([0; 16]),
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=0
        1001 cat-7 [1] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        ! unread_bytes x16 at byte 20480
        16 bytes skipped
    "#]],
    );
}

#[test]
fn pages_that_no_cpu_claims_are_skipped() {
    check_damaged(
        |file| {
            let entry = table_entry(file, 0);
            file[entry + 8..entry + 16].fill(0);
        },
        expect![[r#"
            1001 cat-7 [1] sched_tick: n=0
            1011 cat-7 [1] sched_tick: n=10
            2001 cat-7 [1] sched_tick: n=1
            2011 cat-7 [1] sched_tick: n=11
            ! unread_bytes x11589 at byte 699
            lost None on CPU None before None
            11589 bytes skipped
        "#]],
    );
}

#[test]
fn inserted_bytes_shift_pages_which_is_told() {
    check_damaged(
        |file| {
            file.splice(FIRST_PAGE..FIRST_PAGE, [0; 512]);
        },
        expect![[r#"
            ! bad_page x1 at byte 4096
            lost None on CPU Some(0) before None
            ! bad_page x1 at byte 12288
            lost None on CPU Some(1) before None
            1000 cat-7 [0] sched_tick: n=0
            1001 cat-7 [1] sched_tick: n=0
            1010 cat-7 [0] sched_tick: n=10
            ! bad_page x1 at byte 8704
            lost None on CPU Some(0) before None
            1011 cat-7 [1] sched_tick: n=10
            ! bad_page x1 at byte 16896
            lost None on CPU Some(1) before None
            ! unread_bytes x512 at byte 20480
            8704 bytes skipped
        "#]],
    );
}

#[test]
fn an_empty_page_is_told_where_it_stands() {
    check_damaged(
        |file| file[FIRST_PAGE..FIRST_PAGE + 4_096].fill(0),
        expect![[r#"
        ! empty_page x1 at byte 4096
        lost None on CPU Some(0) before None
        1001 cat-7 [1] sched_tick: n=0
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        4096 bytes skipped
    "#]],
    );
}

#[test]
fn records_behind_the_stated_length_of_a_page_are_skipped() {
    check_damaged(
        |file| file[FIRST_PAGE + 8] = 16,
        expect![[r#"
        ! junk_on_page x1 at byte 4128
        1000 cat-7 [0] sched_tick: n=0
        lost None on CPU Some(0) before Some(2000)
        1001 cat-7 [1] sched_tick: n=0
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        13 bytes skipped
    "#]],
    );
}

#[test]
fn a_page_in_the_place_of_another_one_is_told() {
    check_damaged(
        |file| file.copy_within(FIRST_PAGE..FIRST_PAGE + 4_096, FIRST_PAGE + 4_096),
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=0
            1001 cat-7 [1] sched_tick: n=0
            1010 cat-7 [0] sched_tick: n=10
            ! out_of_order x1 at byte 8192
            lost None on CPU Some(0) before Some(1000)
            1000 cat-7 [0] sched_tick: n=0
            1010 cat-7 [0] sched_tick: n=10
            1011 cat-7 [1] sched_tick: n=10
            2001 cat-7 [1] sched_tick: n=1
            2011 cat-7 [1] sched_tick: n=11
        "#]],
    );
}

#[test]
fn a_record_that_hides_the_next_one_is_told() {
    // Three words of data become seven: those of the next record, and its header.
    check_damaged(
        |file| file[FIRST_PAGE + 16] += 4,
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=0
        ! record_too_long x1 at byte 4116
        lost None on CPU Some(0) before Some(2000)
        1001 cat-7 [1] sched_tick: n=0
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
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
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=1
        ! bad_event_length x1 at byte 4096
        lost None on CPU Some(0) before None
        24 bytes skipped
    "#]],
    );
}

#[test]
fn fewer_records_than_the_statistics_count_are_told() {
    let mut image = two_cpus(LITTLE_V6);
    for (cpu, count) in [(0, 4), (1, 9)] {
        let text = format!("CPU: {cpu}\nentries: 1\noverrun: 0\nread events: {count}\n");
        image.options.push((2, text.into_bytes()));
    }
    check(
        &image,
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=0
        1001 cat-7 [1] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        ! fewer_than_stated x5 at byte 707
        lost Some(5) on CPU None before None
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
        expect![[r#"
        ! option_not_read x1 at byte 657
        ! option_not_read x1 at byte 673
        1000 cat-7 [0] sched_tick: n=0
        1001 cat-7 [1] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        21 bytes skipped
    "#]],
    );
}

/// What becomes of a file of version 7 when the byte at `place` of its sections changes.
fn check_section(codec: Option<Codec>, id: u16, offset: usize, expected: Expect) {
    let mut file = two_cpus(Layout { version: 7, codec, ..LITTLE_V6 }).build();
    let mut head = id.to_le_bytes().to_vec();
    head.extend([u8::from(codec.is_some()), 0, 0, 0, 0, 0]);
    let section = memchr::memmem::find(&file, &head).unwrap();
    file[section + offset] ^= 0x40;
    check_bytes(file, expected);
}

#[test]
fn a_damaged_section_costs_what_it_describes() {
    const KALLSYMS: u16 = 19;
    // Behind the section's header and the two sizes of its block.
    for (codec, expected) in [
        (
            Some(Codec::Zlib),
            expect![[r#"
                ! bad_section x1 at byte 441
                1000 cat-7 [0] sched_tick: n=0
                1001 cat-7 [1] sched_tick: n=0
                1010 cat-7 [0] sched_tick: n=10
                1011 cat-7 [1] sched_tick: n=10
                2000 cat-7 [0] sched_tick: n=1
                2001 cat-7 [1] sched_tick: n=1
                2010 cat-7 [0] sched_tick: n=11
                2011 cat-7 [1] sched_tick: n=11
                36 bytes skipped
            "#]],
        ),
        (
            Some(Codec::Zstd),
            expect![[r#"
                ! bad_section x1 at byte 444
                1000 cat-7 [0] sched_tick: n=0
                1001 cat-7 [1] sched_tick: n=0
                1010 cat-7 [0] sched_tick: n=10
                1011 cat-7 [1] sched_tick: n=10
                2000 cat-7 [0] sched_tick: n=1
                2001 cat-7 [1] sched_tick: n=1
                2010 cat-7 [0] sched_tick: n=11
                2011 cat-7 [1] sched_tick: n=11
                37 bytes skipped
            "#]],
        ),
    ] {
        check_section(codec, KALLSYMS, 16 + 8 + 1, expected);
    }
}

#[test]
fn a_chunk_that_claims_too_much_is_skipped() {
    const BUFFER: u16 = 3;
    // The highest byte of the size that the first chunk of CPU 0 expands to.
    check_section(
        Some(Codec::Zstd),
        BUFFER,
        16 + 4 + 7,
        expect![[r#"
        ! bad_chunk x1 at byte 585
        lost None on CPU Some(0) before None
        1001 cat-7 [1] sched_tick: n=0
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        50 bytes skipped
    "#]],
    );
}

#[test]
fn the_names_of_sections_are_read_and_others_that_nothing_points_to_are_not() {
    let mut file = two_cpus(Layout { version: 7, ..LITTLE_V6 }).build();
    for (id, names) in [(15_u16, b"options\0events\0"), (19, b"ffffff81 T lost")] {
        file.extend([id.to_le_bytes(), [0; 2], [0; 2], [0; 2]].concat());
        file.extend((names.len() as u64).to_le_bytes());
        file.extend(names);
    }
    check_bytes(
        file,
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=0
        1001 cat-7 [1] sched_tick: n=0
        1010 cat-7 [0] sched_tick: n=10
        1011 cat-7 [1] sched_tick: n=10
        2000 cat-7 [0] sched_tick: n=1
        2001 cat-7 [1] sched_tick: n=1
        2010 cat-7 [0] sched_tick: n=11
        2011 cat-7 [1] sched_tick: n=11
        ! unread_bytes x31 at byte 17365
        31 bytes skipped
    "#]],
    );
}

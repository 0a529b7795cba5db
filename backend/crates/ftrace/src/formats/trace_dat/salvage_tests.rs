//! Files that were cut, or whose options or what they point to are not where they should be.

use expect_test::expect;

use super::codec::Codec;
use super::damage_tests::{V7, check, place_of, two_cpus};
use super::testing::{Image, LITTLE_V6, Layout};
use super::tests::read_bytes;

/// A page on each of two CPUs, on which that CPU's idle task is named.
fn with_idle_tasks(layout: Layout) -> Vec<u8> {
    let mut image = Image::new(layout, 2);
    image.tick_format();
    image.format("sched", "idle", 301, "char comm[16];8;16;0", r#""comm=%s", REC->comm"#);
    for cpu in 0..2 {
        let comm = format!("swapper/{cpu}\0\0\0\0\0\0\0");
        let entries = [image.tick(0, 1), image.record(10, 301, comm.as_bytes())];
        image.page(cpu, 1_000 + cpu as u64, &entries);
    }
    image.build()
}

/// Where the options begin, to which the header points.
fn options_of(file: &[u8]) -> usize {
    let pointer = 10 + 2 + 1 + 1 + 4 + memchr::memmem::find(&file[18..], b"\0").unwrap() + 1;
    let pointer = pointer + memchr::memchr(0, &file[pointer..]).unwrap() + 1;
    usize::try_from(u64::from_le_bytes(file[pointer..pointer + 8].try_into().unwrap())).unwrap()
}

#[test]
fn pages_without_any_options_are_of_the_cpu_whose_idle_task_they_name() {
    let events = "1000 cat-7 [0] sched_tick: n=1\n\
                  1001 cat-7 [1] sched_tick: n=1\n\
                  1010 cat-7 [0] idle: comm=swapper/0\n\
                  1011 cat-7 [1] idle: comm=swapper/1\n";
    for codec in [None, Some(Codec::Zlib), Some(Codec::Zstd)] {
        let mut file = with_idle_tasks(Layout { codec, ..V7 });
        file.truncate(options_of(&file));
        let (recorder, result) = read_bytes(&file);
        assert_eq!(result, Ok(()));
        let kept: String = recorder
            .lines
            .lines()
            .filter(|line| line.contains("cat-7"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(kept, events, "{codec:?}: {}", recorder.lines);
        assert!(recorder.lines.contains("! bad_section"), "{}", recorder.lines);
        assert!(recorder.lines.contains("lost None on CPU None before None"), "{}", recorder.lines);
        assert_eq!(recorder.account.0 + recorder.account.1, file.len() as u64);
    }
}

#[test]
fn no_cut_invents_events() {
    let events = |file: &Vec<u8>| -> Vec<String> {
        let lines = read_bytes(file).0.lines;
        lines.lines().filter(|line| line.contains("cat-7")).map(str::to_owned).collect()
    };
    let layouts = [LITTLE_V6, V7, Layout { codec: Some(Codec::Zstd), ..V7 }];
    for whole in layouts.map(with_idle_tasks) {
        let all = events(&whole);
        assert_eq!(all.len(), 4);
        for end in (0..whole.len()).step_by(61) {
            let kept = events(&whole[..end].to_vec());
            assert!(kept.iter().all(|event| all.contains(event)), "of {end} bytes: {kept:?}");
        }
    }
}

fn check_refusal(file: &Vec<u8>, sentence: &str) {
    let error = read_bytes(file).1.unwrap_err();
    assert_eq!(error.sentence, sentence);
}

#[test]
fn pages_that_may_be_of_any_cpu_are_refused() {
    let mut file = two_cpus(V7).build();
    let end = options_of(&file);
    file.truncate(end);
    check_refusal(
        &file,
        &format!(
            "The file ends at byte {end}, before its last section. Pages are there, but without the table of \
             CPUs it cannot be known which CPU they are of."
        ),
    );
    let end = place_of(&file, 19, false) + 20;
    file.truncate(end);
    check_refusal(
        &file,
        &format!(
            "The file ends at byte {end}, before its last section. No pages of any CPU are there, only \
             descriptions."
        ),
    );
}

#[test]
fn pages_without_event_formats_are_refused() {
    let mut file = two_cpus(V7).build();
    let formats = place_of(&file, 18, false);
    file[formats + 16..formats + 24].fill(0xff);
    check_refusal(
        &file,
        "The pages are there, but no event format is (sections 17 and 18), without which no record can be \
         decoded.",
    );
}

#[test]
fn sections_behind_inserted_bytes_are_found() {
    check(
        &two_cpus(V7),
        |file| {
            let symbols = place_of(file, 19, false) + 16;
            file.splice(symbols..symbols, [7; 100]);
        },
        expect![[r#"
            ! bad_section x1 at byte 17138
            ! bad_section x1 at byte 17222
            ! bad_section x1 at byte 652
            ! bad_section x1 at byte 772
            ! bad_section x1 at byte 792
            ! bad_section x1 at byte 822
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            ! unread_bytes x100 at byte 672
            120 bytes skipped
        "#]],
    );
    check(
        &two_cpus(Layout { codec: Some(Codec::Zstd), ..V7 }),
        |file| {
            let symbols = place_of(file, 20, true);
            file.splice(symbols..symbols, [7; 100]);
        },
        expect![[r#"
            ! bad_section x1 at byte 799
            ! bad_section x1 at byte 899
            ! bad_section x1 at byte 581
            ! bad_section x1 at byte 618
            ! bad_section x1 at byte 665
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            ! unread_bytes x100 at byte 481
            100 bytes skipped
        "#]],
    );
}

#[test]
fn sections_behind_missing_bytes_are_found() {
    check(
        &two_cpus(Layout { codec: Some(Codec::Zlib), ..V7 }),
        |file| {
            let symbols = place_of(file, 19, true) + 26;
            file.drain(symbols..symbols + 5);
        },
        expect![[r#"
            ! bad_section x1 at byte 866
            ! bad_section x1 at byte 843
            ! bad_section x1 at byte 441
            ! bad_section x1 at byte 472
            ! bad_section x1 at byte 508
            ! bad_section x1 at byte 549
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            147 bytes skipped
        "#]],
    );
}

#[test]
fn options_to_which_nothing_points_are_found() {
    check(
        &two_cpus(V7),
        |file| file[24..32].fill(0xee),
        expect![[r#"
        ! bad_section x1 at byte 17334
        ! bad_section x1 at byte 17122
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
    "#]],
    );
    check(
        &two_cpus(V7),
        |file| file[24..32].fill(0),
        expect![[r#"
        ! bad_section x1 at byte 0
        ! bad_section x1 at byte 17122
        ticks 1000 1001 1010 1011 2000 2001 2010 2011
    "#]],
    );
}

#[test]
fn an_option_that_is_damaged_costs_itself() {
    check(
        &two_cpus(V7),
        |file| {
            let first = options_of(file) + 16;
            file[first + 5] = 0x7f;
        },
        expect![[r#"
            ! bad_section x1 at byte 17140
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            29 bytes skipped
        "#]],
    );
}

#[test]
fn a_section_with_a_wrong_number_is_read_where_it_is() {
    check(
        &two_cpus(V7),
        |file| {
            let formats = place_of(file, 18, false);
            file[formats] = 0x80;
        },
        expect![[r#"
            ! bad_section x1 at byte 263
            ticks 1000 1001 1010 1011 2000 2001 2010 2011
            2 bytes skipped
        "#]],
    );
}

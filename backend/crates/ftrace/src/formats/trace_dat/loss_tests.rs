//! Lost events: marks in the pages, and what the statistics of each CPU say of the whole.

use expect_test::expect;

use super::testing::{Image, LITTLE_V6, Layout};
use super::tests::{check, check_bytes};

#[test]
fn lost_events_come_before_the_record_behind_them() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.tick_format();
    let entries = [image.tick(0, 1)];
    image.page(0, 1_000, &entries);
    image.page_with_commit(0, 2_000, &entries, 1 << 31);
    let counted = [image.tick(0, 2), image.u64(1_234)];
    image.page_with_commit(0, 3_000, &counted, u64::MAX << 32 | 1 << 31 | 1 << 30);
    // The count follows the records, so it is no part of their length.
    let mut file = image.build();
    let commit = file.len() - 4_096 + 8;
    file[commit] -= 8;
    let stats = b"CPU: 0\noverrun: 2000\ndropped events: 34\n";
    image.options.push((2, stats.to_vec()));
    check_bytes(
        file,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            lost None on CPU Some(0) before Some(2000)
            2000 cat-7 [0] sched_tick: n=1
            lost Some(1234) on CPU Some(0) before Some(3000)
            3000 cat-7 [0] sched_tick: n=2
        "#]],
    );
}

#[test]
fn statistics_of_all_instances_and_uncounted_marks_are_taken_together() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.tick_format();
    let entries = [image.tick(0, 1)];
    image.page(0, 1_000, &entries).page_with_commit(0, 2_000, &entries, 1 << 31);
    image.options.push((2, b"CPU: 0\noverrun: 20\n".to_vec()));
    image.options.push((2, b"CPU: 0\noverrun: 3\ncommit overrun: 1\n".to_vec()));
    image.options.push((2, b"CPU: 1\noverrun: 5\n".to_vec()));
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            lost None on CPU Some(0) before Some(2000)
            2000 cat-7 [0] sched_tick: n=1
            lost Some(24) on CPU None before None
            lost Some(5) on CPU Some(1) before None
        "#]],
    );
}

#[test]
fn losses_are_those_of_one_instance() {
    for version in [6, 7] {
        let mut image = Image::new(Layout { version, ..LITTLE_V6 }, 1);
        let entries = [image.tick_format().tick(0, 1)];
        image.page(0, 1_000, &entries).instance("rt").page(0, 1_500, &entries);
        image.page_with_commit(0, 2_000, &entries, 1 << 31);
        image.options.push((2, b"CPU: 0\noverrun: 7\n".to_vec()));
        image.options.push((2, b"\nBuffer: rt\n\n\0".to_vec()));
        image.options.push((2, b"CPU: 0\noverrun: 20\n".to_vec()));
        check(
            &image,
            expect![[r#"
                buffer rt
                1000 cat-7 [0] sched_tick: n=1
                1500 of rt cat-7 [0] sched_tick: n=1
                lost None on CPU Some(0) of rt before Some(2000)
                2000 of rt cat-7 [0] sched_tick: n=1
                lost Some(7) on CPU Some(0) before Some(1000)
                lost Some(20) on CPU None of rt before None
            "#]],
        );
    }
}

#[test]
fn statistics_tell_losses_that_no_page_marks() {
    let mut image = Image::new(LITTLE_V6, 1);
    let entries = [image.tick_format().tick(0, 1)];
    image.page(0, 1_000, &entries);
    image.options.push((2, b"CPU: 0\noverrun: 2000\ndropped events: 34\n".to_vec()));
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            lost Some(2000) on CPU Some(0) before Some(1000)
            lost Some(34) on CPU None before None
        "#]],
    );
}

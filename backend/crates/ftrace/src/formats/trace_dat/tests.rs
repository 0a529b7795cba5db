use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::byte_order::ByteOrder;
use super::codec::Codec;
use super::entry_header::EntryHeader;
use super::testing::{Image, LITTLE_V6, Layout, Recorder};
use super::*;

pub fn read_bytes(file: &Vec<u8>) -> (Recorder, Result<(), ReadError>) {
    let mut recorder = Recorder::default();
    let result = TraceDat.read(Input::Random(file), &Limits::default(), &mut recorder);
    let result = result.map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::BeginsEarlier => unreachable!("a recorder does not count from the first record"),
    });
    (recorder, result)
}

/// What is read of a file, a record or a report in each line, and how many bytes were skipped.
pub fn printed(file: Vec<u8>) -> String {
    let (mut recorder, result) = read_bytes(&file);
    match result {
        Ok(()) => {
            let (used, skipped) = recorder.account;
            assert_eq!(used + skipped, file.len() as u64, "every byte is accounted for");
            if skipped > 0 {
                writeln!(recorder.lines, "{skipped} bytes skipped").unwrap();
            }
        }
        Err(error) => {
            let (code, place) = (error.code.name(), error.place.byte_offset);
            writeln!(recorder.lines, "{:?} {code} at byte {place}", error.class).unwrap();
        }
    }
    recorder.lines
}

pub fn check_bytes(file: Vec<u8>, expected: Expect) {
    expected.assert_eq(&printed(file));
}

pub fn check(image: &Image, expected: Expect) {
    check_bytes(image.build(), expected);
}

/// Two CPUs whose records interleave, on two pages each.
fn interleaved(layout: Layout) -> Image {
    let mut image = Image::new(layout, 2);
    image.tick_format();
    for cpu in 0..2_u32 {
        for page in 0..2_u32 {
            let first = i32::try_from(cpu * 10 + page * 2).unwrap();
            let entries = [image.tick(0, first), image.tick(100, first + 1)];
            image.page(cpu as usize, u64::from(1_000 + page * 1_000 + cpu * 50), &entries);
        }
    }
    image
}

#[test]
fn every_layout_gives_the_same_events() {
    let expected = || {
        expect![[r#"
        1000 cat-7 [0] sched_tick: n=0
        1050 cat-7 [1] sched_tick: n=10
        1100 cat-7 [0] sched_tick: n=1
        1150 cat-7 [1] sched_tick: n=11
        2000 cat-7 [0] sched_tick: n=2
        2050 cat-7 [1] sched_tick: n=12
        2100 cat-7 [0] sched_tick: n=3
        2150 cat-7 [1] sched_tick: n=13
    "#]]
    };
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for long_bytes in [4, 8] {
            for page_bytes in [4_096, 16_384, 65_536] {
                let v6 = Layout { order, page_bytes, long_bytes, ..LITTLE_V6 };
                check(&interleaved(v6), expected());
                for codec in [None, Some(Codec::Zlib), Some(Codec::Zstd)] {
                    check(&interleaved(Layout { version: 7, codec, ..v6 }), expected());
                }
            }
        }
    }
}

#[test]
fn instances_are_merged_by_time() {
    for version in [6, 7] {
        let mut image = Image::new(Layout { version, ..LITTLE_V6 }, 2);
        image.tick_format();
        let ticks = |image: &Image, n| [image.tick(0, n), image.tick(100, n + 1)];
        let (first, second, third) = (ticks(&image, 1), ticks(&image, 11), ticks(&image, 21));
        image.page(0, 1_000, &first).instance("rt").page(0, 1_050, &second).instance("other one");
        image.page(1, 1_060, &third);
        check(
            &image,
            expect![[r#"
                buffer rt
                buffer other one
                1000 cat-7 [0] sched_tick: n=1
                1050 of rt cat-7 [0] sched_tick: n=11
                1060 of other one cat-7 [1] sched_tick: n=21
                1100 cat-7 [0] sched_tick: n=2
                1150 of rt cat-7 [0] sched_tick: n=12
                1160 of other one cat-7 [1] sched_tick: n=22
            "#]],
        );
    }
}

#[test]
fn a_host_names_its_guests() {
    let mut image = Image::new(LITTLE_V6, 1);
    let entries = [image.tick_format().tick(0, 1)];
    image.page(0, 1_000, &entries);
    let vcpus = [image.u32(1), image.u32(0), image.u32(812)].concat();
    image.options.push((13, [b"vm one\0".as_slice(), &image.u64(0xabc), &vcpus].concat()));
    image.options.push((13, [b"two\0".as_slice(), &image.u64(1), &image.u32(0)].concat()));
    image.options.push((13, b"cut".to_vec()));
    image.options.push((11, image.u64(0x1234)));
    let (recorder, result) = read_bytes(&image.build());
    assert_eq!(result, Ok(()));
    let fact = |name: &str| recorder.facts.other.get(name).map(String::as_str);
    assert_eq!(
        fact("guests"),
        Some("vm one (trace 0000000000000abc, 1 vCPUs), two (trace 0000000000000001, 0 vCPUs)")
    );
    assert_eq!(fact("trace_id"), Some("0000000000001234"));
}

#[test]
fn symbols_of_the_boot_before_are_found_where_they_stand_now() {
    let mut image = Image::new(Layout { version: 7, codec: Some(Codec::Zstd), ..LITTLE_V6 }, 1);
    let fields = "unsigned long ip;8;8;0\nunsigned long parent_ip;16;8;0";
    image.format("ftrace", "function", 1, fields, "\"\"");
    image.kallsyms = "ffffffff81000000 T _text\nffffffff81001000 T do_idle\nffffffff81002000 T other\n\
        ffffffffc0200000 t f\t[crc]\n"
        .into();
    image.modules = "crc 4096 1 - Live 0xffffffffc0200000\n".into();
    let info = "old:trace_clock: local\nffffffff9a000000\t[kernel]\nffffffffc0700000\t\tcrc\n\0";
    image.options.push((24, info.into()));
    let function =
        |image: &Image, ip, parent_ip| [image.record(0, 1, &[image.u64(ip), image.u64(parent_ip)].concat())];
    let now = function(&image, 0xffff_ffff_c020_0000, 0xffff_ffff_8100_1004);
    let then = function(&image, 0xffff_ffff_c070_0000, 0xffff_ffff_9a00_1004);
    image.page(0, 1_000, &now).page(0, 1_001, &then).instance("old").page(0, 1_002, &then);
    check(
        &image,
        expect![[r#"
            buffer old
            1000 cat-7 [0] function: f [crc] <-do_idle
            1001 cat-7 [0] function: 0xffffffffc0700000 <-0xffffffff9a001004
            1002 of old cat-7 [0] function: f [crc] <-do_idle
        "#]],
    );
}

#[test]
fn options_that_are_not_read_are_named() {
    let mut image = Image::new(LITTLE_V6, 1);
    let entries = [image.tick_format().tick(0, 1)];
    image.page(0, 1_000, &entries);
    image.options.extend([(76, vec![0; 8]), (77, vec![1]), (77, vec![2]), (6, b"a,b/c,d\0".to_vec())]);
    check(
        &image,
        expect![[r#"
            ! option_not_read x1 at byte 657
            ! option_not_read x2 at byte 671
            1000 cat-7 [0] sched_tick: n=1
            28 bytes skipped
        "#]],
    );
    let (recorder, _) = read_bytes(&image.build());
    assert_eq!(recorder.facts.other.get("hooks").map(String::as_str), Some("a,b/c,d"));
}

#[test]
fn stacks_of_user_space_are_told_by_the_maps_of_their_process() {
    let mut image = Image::new(LITTLE_V6, 1);
    let fields = "unsigned int tgid;8;4;0\nunsigned long caller[8];16;64;0";
    image.format("ftrace", "user_stack", 12, fields, "\"\"");
    image.options.push((10, b"9 1 /bin/cat\n7f00 7f10 /lib/libc.so.6\n\0".to_vec()));
    let stack = |pid| [image.u64(pid), image.u64(0x7f04), image.u64(0x1000), image.u64(0)].concat();
    let entries = [image.record(0, 12, &stack(9)), image.record(1, 12, &stack(8))];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] user_stack: <user stack trace>
            User stack /lib/libc.so.6[+0x4] < <0000000000001000>
            1001 cat-7 [0] user_stack: <user stack trace>
            User stack <0000000000007f04> < <0000000000001000>
        "#]],
    );
}

#[test]
fn time_extends_absolute_stamps_and_discarded_records_keep_the_time() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let mut image = Image::new(Layout { order, ..LITTLE_V6 }, 1);
        image.tick_format();
        let entries = [
            image.tick(0, 1),
            image.entry(30, 5, &image.u32(1)),
            image.tick(0, 2),
            image.entry(29, 7, &[image.u32(8), vec![0xff; 4]].concat()),
            image.tick(1, 3),
            image.entry(31, 9, &image.u32(0x10)),
            image.tick(0, 4),
            image.entry(29, 0, &[0xff; 8]),
        ];
        image.page(0, 1_000, &entries);
        check(
            &image,
            expect![[r#"
                1000 cat-7 [0] sched_tick: n=1
                134218733 cat-7 [0] sched_tick: n=2
                134218741 cat-7 [0] sched_tick: n=3
                2147483657 cat-7 [0] sched_tick: n=4
                ! discarded_records x1 at byte 4096
            "#]],
        );
    }
}

#[test]
fn entries_with_two_bits_of_type_are_read_by_the_text_that_describes_them() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for (long_bytes, has_header_texts) in [(8, true), (4, true), (8, false), (4, false)] {
            let entry_header = EntryHeader::TypeAndLen;
            let mut image = Image::new(Layout { order, long_bytes, entry_header, ..LITTLE_V6 }, 1);
            image.has_header_texts = has_header_texts;
            image.tick_format();
            image.format("ftrace", "print", 5, "unsigned long ip;8;8;0\nchar buf[];16;0;0", "\"\"");
            let marker = [&[0; 8], b"a marker longer than 28 bytes\0".as_slice()].concat();
            let entries = [
                image.tick(0, 1),
                image.extend(1 << 27 | 5),
                image.tick(0, 2),
                // Discarded, with its length in the word and after it.
                image.entry(2, 7, &[0xff; 8]),
                image.entry(0, 2, &[image.u32(8), vec![0xff; 4]].concat()),
                image.record(1, 5, &marker),
                image.entry(0, 0, &[0xff; 8]),
            ];
            image.page(0, 1_000, &entries);
            check(
                &image,
                expect![[r#"
                    1000 cat-7 [0] sched_tick: n=1
                    134218733 cat-7 [0] sched_tick: n=2
                    134218743 cat-7 [0] print: a marker longer than 28 bytes
                    ! discarded_records x2 at byte 4096
                "#]],
            );
        }
    }
}

#[test]
fn a_time_stamp_of_two_bit_types_ends_its_page() {
    let mut image = Image::new(Layout { entry_header: EntryHeader::TypeAndLen, ..LITTLE_V6 }, 1);
    image.tick_format();
    let entries = [image.tick(0, 1), image.entry(2 << 3, 0, &[0; 12]), image.tick(0, 2)];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sched_tick: n=1
            ! bad_event_length x1 at byte 4096
            lost None on CPU Some(0) before None
            32 bytes skipped
        "#]],
    );
}

#[test]
fn clock_options_correct_the_time() {
    let mut image = Image::new(LITTLE_V6, 1);
    let entries = [image.tick_format().tick(0, 1)];
    image.page(0, 1 << 40, &entries);
    image.options[0].1 = b"local [x86-tsc]\0".to_vec();
    let scale = [image.u32(1 << 23), image.u32(24), image.u64(5)].concat();
    image.options.extend([(14, scale), (1, b"0x10\0".to_vec()), (7, b"-3\0".to_vec())]);
    image.options.push((5, b"Linux box 6.12.1 #1 x86_64\0".to_vec()));
    let (recorder, result) = read_bytes(&image.build());
    assert_eq!(result, Ok(()));
    let half = (1_u64 << 39) + 5 + 16_000 - 3;
    assert_eq!(recorder.lines, format!("{half} cat-7 [0] sched_tick: n=1\n"));
    assert_eq!(recorder.facts.clock.as_deref(), Some("x86-tsc"));
    assert_eq!(recorder.facts.kernel.as_deref(), Some("6.12.1 #1 x86_64"));
    assert_eq!(recorder.facts.time_unit, Some(crate::model::TimeUnit::Ns));
}

#[test]
fn a_latency_tracers_text_is_read_as_text() {
    let text = "# tracer: nop\n#\n        <idle>-0       [001] d..2.   100.000050: sched_tick: n=1\n";
    let zstd = Layout { version: 7, codec: Some(Codec::Zstd), ..LITTLE_V6 };
    for layout in [LITTLE_V6, Layout { version: 7, ..LITTLE_V6 }, zstd] {
        let mut image = Image::new(layout, 2);
        image.text = Some(text.to_owned());
        let (recorder, result) = read_bytes(&image.build());
        assert_eq!(result, Ok(()));
        assert_eq!(recorder.lines, "100000050000 <idle>-0 [1] sched_tick: n=1\n");
    }
}

#[test]
fn entries_of_ftrace_print_as_in_the_kernels_text() {
    let mut image = Image::new(LITTLE_V6, 1);
    image.kallsyms = "ffffffff81000000 T outer\nffffffff81000100 t inner\t[mod]\n".to_owned();
    image.printk_formats = "0x1000 : \"n=%d s=%s\\n\"\n".to_owned();
    let own = |image: &mut Image, name: &str, id: u32, fields: &str| {
        image.format("ftrace", name, id, fields, "\"\"");
    };
    own(&mut image, "function", 1, "unsigned long ip;8;8;0\nunsigned long parent_ip;16;8;0");
    own(&mut image, "funcgraph_entry", 11, "unsigned long func;8;8;0\nint depth;16;4;1");
    let exit = "unsigned long func;8;8;0\nunsigned long retval;16;8;0\nint depth;24;4;1
        unsigned long long calltime;32;8;0\nunsigned long long rettime;40;8;0";
    own(&mut image, "funcgraph_exit", 10, exit);
    own(&mut image, "kernel_stack", 4, "int size;8;4;1\nunsigned long caller[8];16;64;0");
    own(&mut image, "print", 5, "unsigned long ip;8;8;0\nchar buf[];16;0;0");
    own(&mut image, "bprint", 6, "unsigned long ip;8;8;0\nconst char * fmt;16;8;0\nu32 buf[];24;0;0");
    own(
        &mut image,
        "timerlat",
        18,
        "unsigned int seqnum;8;4;0\nint context;12;4;1\nu64 timer_latency;16;8;0",
    );
    let (outer, inner) = (image.u64(0xffff_ffff_8100_0000), image.u64(0xffff_ffff_8100_0104));
    let errno = (-22_i64).cast_unsigned();
    let exit = [outer.clone(), image.u64(errno), image.u64(1), image.u64(100), image.u64(350)].concat();
    let entries = [
        image.record(0, 1, &[inner.clone(), outer.clone()].concat()),
        image.record(1, 11, &[outer.clone(), image.u64(1)].concat()),
        image.record(1, 10, &exit),
        image.record(1, 4, &[image.u64(2), inner.clone(), outer.clone()].concat()),
        image.record(1, 5, &[&image.u64(0)[..], b"hello world\n\0"].concat()),
        image.record(1, 6, &[&outer[..], &image.u64(0x1000), &image.u32(7), b"text\0"].concat()),
        image.record(1, 18, &[image.u32(3), image.u32(1), image.u64(33_987)].concat()),
    ];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] function: inner [mod] <-outer
            1001 depth 1 enter outer
            1002 depth 1 exit outer after Some(250) = -22
            1003 cat-7 [0] kernel_stack: <stack trace>
            Kernel stack inner [mod] < outer
            1004 cat-7 [0] print: hello world
            1005 cat-7 [0] bprint: outer: n=7 s=text
            1006 cat-7 [0] timerlat: #3     context thread timer_latency     33987 ns
        "#]],
    );
}

#[test]
fn system_calls_print_as_in_the_kernels_brackets() {
    let mut image = Image::new(LITTLE_V6, 1);
    let fields = "int __syscall_nr;8;4;1\nint dfd;16;8;0\nconst char * filename;24;8;0";
    image.format("syscalls", "sys_enter_openat", 600, fields, "\"\"");
    image.format("syscalls", "sys_exit_openat", 601, "int __syscall_nr;8;4;1\nlong ret;16;8;1", "\"\"");
    let entries = [
        image.record(0, 600, &[image.u64(257), image.u64(0xffff_ff9c), image.u64(0x7ffe_0000)].concat()),
        image.record(5, 601, &[image.u64(257), image.u64((-2_i64).cast_unsigned())].concat()),
    ];
    image.page(0, 1_000, &entries);
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sys_enter_openat: dfd: ffffff9c, filename: 7ffe0000
            1005 cat-7 [0] sys_exit_openat: -> 0xfffffffffffffffe
        "#]],
    );
    image.options.push((5, b"Linux box 6.18.1\0".to_vec()));
    check(
        &image,
        expect![[r#"
            1000 cat-7 [0] sys_enter_openat: dfd: 0xffffff9c, filename: 0x7ffe0000
            1005 cat-7 [0] sys_exit_openat: -> 0xfffffffffffffffe
        "#]],
    );
}

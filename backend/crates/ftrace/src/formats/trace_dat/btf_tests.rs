//! Arguments of functions: as the kernel prints them, whatever the types look like.

use expect_test::expect;
use proptest::prelude::*;

use super::btf::FunctionArgs;
use super::byte_order::ByteOrder;
use super::codec::Codec;
use super::testing::btf::*;
use super::testing::{Image, LITTLE_V6, Layout, Recorder};
use super::tests::{check, read_bytes};
use super::*;
use crate::formats::text::{FUNCTION_GRAPH, TRACEFS};

const LITTLE_V7: Layout = Layout { version: 7, ..LITTLE_V6 };

fn types(image: &Image) -> Vec<u8> {
    let mut btf = BtfImage::new(image);
    let int = btf.add(INT, "int", 0, 4, &[1 << 24 | 32]);
    let unsigned = btf.add(INT, "unsigned int", 0, 4, &[32]);
    let boolean = btf.add(INT, "_Bool", 0, 1, &[4 << 24 | 8]);
    let character = btf.add(INT, "char", 0, 1, &[8]);
    let structure = btf.add(STRUCT, "timespec64", 0, 16, &[]);
    let pointer = btf.add(PTR, "", 0, structure, &[]);
    let constant = btf.add(CONST, "", 0, unsigned, &[]);
    let alias = btf.add(TYPEDEF, "gfp_t", 0, constant, &[]);
    let mode = btf.enumeration("mode", &[("MODE_NONE", 0), ("MODE_ON", 2), ("MODE_BAD", -1)]);
    let wide = btf.add(ENUM64, "wide", 1, 8, &[0, 7, 0]);
    let circle = btf.add(TYPEDEF, "circle", 0, 12, &[]);
    assert_eq!(btf.add(TYPEDEF, "circle", 0, circle, &[]), 12);
    btf.function("wake", &[("p", pointer), ("n", int), ("sync", boolean), ("c", character), ("gfp", alias)]);
    btf.function("set_mode", &[("mode", mode), ("wide", wide)]);
    btf.function("add_safe", &[("lhs", structure), ("n", int), ("rhs", structure)]);
    btf.function("print", &[("fmt", pointer), ("", 0)]);
    btf.function("nothing", &[]);
    btf.function("turns", &[("c", circle), ("far", 9_999)]);
    btf.function("nothing", &[("second", int)]);
    btf.add(FUNC, "no_prototype", 0, int, &[]);
    btf.build()
}

fn check_args(kernel: &str, function: &str, registers: &[u64], expected: &str) {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let image = Image::new(Layout { order, ..LITTLE_V7 }, 1);
        let args = FunctionArgs::new(Some(types(&image)), order, 8, Some(kernel));
        let registers: Vec<u8> = registers.iter().flat_map(|register| image.u64(*register)).collect();
        let mut output = Vec::new();
        assert!(args.push(|| Some(function.as_bytes()), &registers, &mut output));
        assert_eq!(String::from_utf8(output).unwrap(), expected);
        assert_eq!(args.left_out(), 0);
    }
}

#[test]
fn each_kind_of_argument_prints_as_in_the_kernel() {
    let five = [0xffff_8881_0c5a_2a00, 3, 1, 0x41, 0xcc0, 9];
    check_args("6.17.1", "wake", &five, "p=0xffff88810c5a2a00, n=3, sync=0x1, c=0x41, gfp=0xcc0");
    check_args("6.15.0", "wake", &five, "p=0xffff88810c5a2a00, n=3, sync=1, c=65, gfp=3264");
    // The whole register is shown, of which an int fills half.
    check_args(
        "6.18.0",
        "wake",
        &[0, 0xffff_fffe, u64::MAX],
        "p=0x0, n=4294967294, sync=0xffffffffffffffff, ...",
    );
}

#[test]
fn values_of_enums_have_their_names_since_7_0() {
    check_args("7.0.1", "set_mode", &[2, 7], "mode=2 [MODE_ON], wide=(ENUM64)[0x7]");
    check_args("7.0.1", "set_mode", &[u64::MAX, 7], "mode=-1 [MODE_BAD], wide=(ENUM64)[0x7]");
    check_args("7.0.1", "set_mode", &[0xffff_ffff, 7], "mode=4294967295, wide=(ENUM64)[0x7]");
    check_args("6.19.0", "set_mode", &[2, 7], "mode=2, wide=(ENUM64)[0x7]");
}

#[test]
fn structures_take_as_many_registers_as_they_fill() {
    check_args(
        "6.17.0",
        "add_safe",
        &[1, 2, 3, 4, 5, 6],
        "lhs=(STRUCT)[0x1:0x2], n=3, rhs=(STRUCT)[0x4:0x5]",
    );
    check_args("6.17.0", "add_safe", &[1, 2, 3, 4], "lhs=(STRUCT)[0x1:0x2], n=3, rhs=(STRUCT)[0x4:...]");
    check_args("6.17.0", "add_safe", &[1, 2, 3], "lhs=(STRUCT)[0x1:0x2], n=3, ...");
    check_args("6.17.0", "add_safe", &[1], "lhs=(STRUCT)[0x1:...]");
}

#[test]
fn what_has_no_type_is_marked_or_left_empty() {
    check_args("6.17.0", "print", &[1, 2], "fmt=0x1, =?0x2");
    check_args("6.17.0", "turns", &[1, 2], "c=?0x1, far=?0x2");
    check_args("6.17.0", "nothing", &[1], "");
    check_args("6.17.0", "not_there", &[1], "");
    check_args("6.17.0", "no_prototype", &[1], "");
}

#[test]
fn longs_of_four_bytes_have_their_own_sign() {
    let image = Image::new(LITTLE_V7, 1);
    let args = FunctionArgs::new(Some(types(&image)), ByteOrder::Little, 4, Some("7.0"));
    let mut output = Vec::new();
    let registers = [image.u32(1), image.u32(u32::MAX)].concat();
    assert!(args.push(|| Some(b"wake"), &registers, &mut output));
    assert_eq!(output, b"p=0x1, n=-1, ...");
    output.clear();
    assert!(args.push(|| Some(b"set_mode"), &image.u32(u32::MAX), &mut output));
    assert_eq!(output, b"mode=-1 [MODE_BAD], ...");
}

/// A function that is called, and a call of the graph.
fn recording(layout: Layout) -> Image {
    let mut image = Image::new(layout, 1);
    image.kallsyms = "ffffffff81000000 T wake\nffffffff81000100 t set_mode\t[mod]\n".to_owned();
    image.options.push((5, b"Linux box 6.18.1\0".to_vec()));
    let args = "unsigned long args[];24;0;0";
    let function = format!("unsigned long ip;8;8;0\nunsigned long parent_ip;16;8;0\n{args}");
    image.format("ftrace", "function", 1, &function, "\"\"");
    let entry = format!("unsigned long func;8;8;0\nunsigned int depth;16;4;0\n{args}");
    image.format("ftrace", "funcgraph_entry", 11, &entry, "\"\"");
    let exit = "unsigned long func;8;8;0\nint depth;16;4;1
        unsigned long long calltime;24;8;0\nunsigned long long rettime;32;8;0";
    image.format("ftrace", "funcgraph_exit", 10, exit, "\"\"");
    let (wake, set_mode) = (image.u64(0xffff_ffff_8100_0004), image.u64(0xffff_ffff_8100_0104));
    let registers: Vec<u8> = (1..=6).flat_map(|register| image.u64(register)).collect();
    let entries = [
        image.record(0, 1, &[&set_mode[..], &wake, &registers].concat()),
        image.record(1_000, 1, &[&wake[..], &set_mode].concat()),
        image.record(1_000, 11, &[&wake[..], &image.u64(0), &registers].concat()),
        image.record(1_000, 11, &[&set_mode[..], &image.u64(1)].concat()),
        image.record(1_000, 10, &[set_mode, image.u64(1), image.u64(3_000), image.u64(4_000)].concat()),
        image.record(1_000, 10, &[wake, image.u64(0), image.u64(2_000), image.u64(5_000)].concat()),
    ];
    image.page(0, 1_000, &entries);
    image
}

#[test]
fn functions_and_calls_have_their_arguments() {
    for codec in [None, Some(Codec::Zlib), Some(Codec::Zstd)] {
        let mut image = recording(Layout { codec, ..LITTLE_V7 });
        image.btf = Some(types(&image));
        check(
            &image,
            expect![[r#"
                1000 cat-7 [0] function: set_mode [mod](mode=1, wide=(ENUM64)[0x2]) <-wake
                2000 cat-7 [0] function: wake <-set_mode [mod]
                3000 depth 0 enter wake(p=0x1, n=2, sync=0x3, c=0x4, gfp=0x5)
                4000 depth 1 enter set_mode [mod]
                5000 depth 1 exit set_mode [mod] after Some(1000) = 
                6000 depth 0 exit wake after Some(3000) = 
            "#]],
        );
    }
}

/// A text, and the lines of a trace.dat with the same records; of depths a text is not sure at once.
fn check_same_lines(format: &dyn TraceFormat, text: &str, lines: std::ops::Range<usize>) {
    let mut image = recording(LITTLE_V7);
    image.btf = Some(types(&image));
    let (from_dat, _) = read_bytes(&image.build());
    let mut from_text = Recorder::default();
    format.read(Input::Stream(&mut text.as_bytes()), &Limits::default(), &mut from_text).unwrap();
    let without_depth = |line: &str| line.replace(" depth 0", "").replace(" depth 1", "");
    let expected: Vec<_> = from_text.lines.lines().map(without_depth).collect();
    let seen: Vec<_> = from_dat.lines.lines().map(without_depth).collect();
    assert_eq!(seen[lines], expected);
}

#[test]
fn the_kernels_text_gives_the_same_functions_and_calls() {
    check_same_lines(
        &TRACEFS,
        "# tracer: function
             cat-7       [000] d..21     0.000001: set_mode [mod](mode=1, wide=(ENUM64)[0x2]) <-wake
             cat-7       [000] d..21     0.000002: wake <-set_mode [mod]\n",
        0..2,
    );
    check_same_lines(
        &FUNCTION_GRAPH,
        "# tracer: function_graph
     0.000003 |   0)     cat-7    |               |  wake(p=0x1, n=2, sync=0x3, c=0x4, gfp=0x5) {
     0.000004 |   0)     cat-7    |               |    set_mode [mod]() {
     0.000005 |   0)     cat-7    |   1.000 us    |    } /* set_mode [mod] */
     0.000006 |   0)     cat-7    |   3.000 us    |  } /* wake */\n",
        2..6,
    );
}

/// Without arguments, and with one word of what is missing.
fn check_left_out(image: &Image) {
    check(
        image,
        expect![[r#"
            1000 cat-7 [0] function: set_mode [mod] <-wake
            2000 cat-7 [0] function: wake <-set_mode [mod]
            3000 depth 0 enter wake
            4000 depth 1 enter set_mode [mod]
            5000 depth 1 exit set_mode [mod] after Some(1000) = 
            6000 depth 0 exit wake after Some(3000) = 
            ! function_args_left_out x2 at byte 0
        "#]],
    );
}

#[test]
fn arguments_without_their_types_are_left_out() {
    let mut image = recording(LITTLE_V7);
    check_left_out(&image);
    let whole = types(&image);
    let with_words = |words: &[(usize, u32)]| {
        let mut damaged = whole.clone();
        for (at, word) in words {
            damaged[*at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        damaged
    };
    let damages = [
        Vec::new(),
        b"ELF".to_vec(),
        whole[..20].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        with_words(&[(0, 0x1_9feb)]),
        // Types, and strings, past the end.
        with_words(&[(8, u32::MAX)]),
        with_words(&[(12, u32::MAX)]),
        with_words(&[(20, u32::MAX)]),
        // A kind that is not known, and a last type whose members reach into the strings.
        with_words(&[(28, 31 << 24)]),
        with_words(&[(12, 14)]),
    ];
    for damaged in damages {
        image.btf = Some(damaged);
        check_left_out(&image);
    }
}

#[test]
fn a_damaged_section_of_types_costs_the_arguments_alone() {
    let (whole, _) = read_bytes(&recording(LITTLE_V7).build());
    for (codec, offset) in [(None, 1 << 40), (Some(Codec::Zstd), 0)] {
        let mut image = recording(Layout { codec, ..LITTLE_V7 });
        image.options.push((23, image.u64(offset)));
        let (damaged, _) = read_bytes(&image.build());
        let (first, others) = damaged.lines.split_once('\n').unwrap();
        assert!(first.starts_with("! bad_section x1"), "{first}");
        assert_eq!(others, whole.lines);
    }
}

#[test]
fn of_records_without_arguments_nothing_is_said() {
    let mut image = Image::new(LITTLE_V7, 1);
    image.btf = Some(b"damaged".to_vec());
    let entries = [image.tick_format().tick(0, 1)];
    image.page(0, 1_000, &entries);
    check(&image, expect!["1000 cat-7 [0] sched_tick: n=1\n"]);
}

proptest! {
    #[test]
    fn any_types_print_within_bounds(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        registers in prop::collection::vec(any::<u64>(), 0..20),
    ) {
        let image = Image::new(LITTLE_V7, 1);
        let mut bytes = types(&image);
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        let args = FunctionArgs::new(Some(bytes), ByteOrder::Little, 8, None);
        let registers: Vec<u8> = registers.iter().flat_map(|register| image.u64(*register)).collect();
        for function in ["wake", "set_mode", "add_safe", "print", "nothing", "turns", "no_prototype"] {
            let mut output = Vec::new();
            let is_known = args.push(|| Some(function.as_bytes()), &registers, &mut output);
            prop_assert!(is_known || output.is_empty());
            prop_assert!(output.len() < 20_000);
        }
    }
}

use super::values::Machine;
use super::*;
use crate::formats::trace_dat::byte_order::ByteOrder;
use crate::formats::trace_dat::event_format::EventFormat;
use crate::formats::trace_dat::symbols::Symbols;
use crate::formats::trace_dat::text_tables::PrintkFormats;
use crate::model::Limits;

const FIELDS: &str = "name: test
ID: 7
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;

\tfield:int number;\toffset:4;\tsize:4;\tsigned:1;
\tfield:unsigned long bits;\toffset:8;\tsize:8;\tsigned:0;
\tfield:char comm[16];\toffset:16;\tsize:16;\tsigned:0;
\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;
\tfield:__rel_loc u8[] raw;\toffset:36;\tsize:4;\tsigned:0;
\tfield:u16 pair[2];\toffset:40;\tsize:4;\tsigned:0;
\tfield:unsigned char small;\toffset:44;\tsize:1;\tsigned:0;
\tfield:void * where;\toffset:48;\tsize:8;\tsigned:0;
\tfield:__data_loc unsigned long[] mask;\toffset:56;\tsize:4;\tsigned:0;

print fmt: ";

fn record() -> Vec<u8> {
    let mut record = vec![0; 76];
    record[4..8].copy_from_slice(&(-3_i32).to_le_bytes());
    record[8..16].copy_from_slice(&0x1002_u64.to_le_bytes());
    record[16..19].copy_from_slice(b"cat");
    record[32..36].copy_from_slice(&(4_u32 << 16 | 60).to_le_bytes());
    record[36..40].copy_from_slice(&(3_u32 << 16 | 24).to_le_bytes());
    record[40..44].copy_from_slice(&[1, 0, 0xff, 0xff]);
    record[44] = 200;
    record[48..56].copy_from_slice(&0xffff_ffff_8100_1004_u64.to_le_bytes());
    record[56..60].copy_from_slice(&(8_u32 << 16 | 68).to_le_bytes());
    record[60..64].copy_from_slice(b"eth\0");
    record[64..67].copy_from_slice(&[0xab, 0xcd, 0xef]);
    record[68] = 0b1011;
    record
}

fn program(print_fmt: &str) -> Result<Program, Failure> {
    let text = format!("{FIELDS}{print_fmt}\n");
    let format = EventFormat::parse(text.as_bytes(), 8, 4096, &Limits::default()).unwrap();
    compile(&format, &symbols(), 8, &Limits::default())
}

fn symbols() -> Symbols {
    let text = b"ffffffff81000000 T _stext\nffffffff81001000 T do_idle\nffffffff81001040 T next\nffffffffc0000000 t f\t[mod]\n";
    Symbols::parse(text.to_vec())
}

fn print(program: &Program, record: &[u8]) -> (String, bool) {
    let symbols = symbols();
    let printk_formats = PrintkFormats::parse(b"0xffffffff81001004 : \"pointed at\"\n");
    let context = PrintContext {
        order: ByteOrder::Little,
        symbols: Some(&symbols),
        printk_formats: Some(&printk_formats),
        ..Machine::default().context
    };
    let mut output = Vec::new();
    let is_whole = Printer::default().print(program, record, context, &mut output);
    (String::from_utf8(output).unwrap(), is_whole)
}

fn check(print_fmt: &str, expected: &str) {
    let program = program(print_fmt).unwrap_or_else(|failure| panic!("{print_fmt}: {failure:?}"));
    assert_eq!(print(&program, &record()), (expected.to_owned(), true), "{print_fmt}");
}

#[test]
fn fields_print_by_their_conversion() {
    check(r#""n=%d u=%u x=%lx", REC->number, REC->number, REC->bits"#, "n=-3 u=4294967293 x=1002");
    check(
        r#""%s|%16s|%-5s|%.2s|", REC->comm, REC->comm, REC->comm, REC->comm"#,
        "cat|             cat|cat  |ca|",
    );
    check(r#""%u %x %d %3u", REC->pair[0], REC->pair[1], REC->pair[1], REC->pair[0]"#, "1 ffff 65535   1");
    check(r#""irq=%03d name=%s 100%%", REC->small, __get_str(name)"#, "irq=200 name=eth 100%");
    check(r#""%c%c", 'o', 107"#, "ok");
    check(r#""%.*s %.*s", 2, __get_str(name), -1, __get_str(name)"#, "et eth");
    check(r#""a" " b\t" "c""#, "a b\tc");
    check(r#""%*d|%-*d|", 4, 7, 4, 7"#, "   7|7   |");
}

#[test]
fn addresses_print_as_symbols() {
    check(
        r#""%ps %pS %p", (void *)REC->where, REC->where, REC->where"#,
        "do_idle do_idle+0x4/0x40 0xffffffff81001004",
    );
    check(r#""%s", REC->where"#, "pointed at");
    check(r#""%s %s", "a", ((void *)0)"#, "a (null)");
    check(r#""%ps", (void *)0"#, "0x0");
    check(r#""%pS", (void *)((unsigned long)(_stext) + REC->small)"#, "_stext+0xc8/0x1000");
}

#[test]
fn expressions_calculate_as_c_does() {
    check(r#""%d", 2 + 3 * 4 - 10 / 3"#, "11");
    check(r#""%d", (2 + 3) * 4 % 7"#, "6");
    check(r#""%d", 1 << 3 | 1 & 3 ^ 2"#, "11");
    check(r#""%d %d", 1 < 2 && 2 < 1, 0 || 5"#, "0 1");
    check(r#""%d", -REC->number"#, "3");
    check(r#""%u", ~0"#, "4294967295");
    check(r#""%d", !REC->number"#, "0");
    check(r#""%u", (unsigned int) ((REC->bits) & ((1U << 20) - 1))"#, "4098");
    check(r#""%d", (u8)REC->number"#, "253");
    check(r#""%d", (s8)0xff"#, "-1");
    check(r#""%lld", (long long)(REC->number >> 1)"#, "-2");
    check(r#""%llu", REC->bits / 0"#, "0");
    check(r#""%d", REC->number < 2u"#, "0");
    check(r#""%d", 0x80000000 > 0"#, "1");
    check(r#""%d", __builtin_expect(!!(REC->bits), 1)"#, "1");
    check(r#""%d", (REC)->number"#, "-3");
    check(r#""%lu %lu", sizeof(u64), sizeof(REC->comm)"#, "8 16");
    check(r#""%x", __builtin_constant_p(REC->small) ? 1 : __fswab32(REC->small)"#, "c8000000");
}

#[test]
fn conditions_choose_one_side() {
    check(r#""%s", REC->number ? "yes" : "no""#, "yes");
    check(r#""%s", REC->number == 1 ? "one" : REC->number == -3 ? "minus three" : "many""#, "minus three");
    check(r#""%s%s", 0 ? "a" : "b", 1 ? 0 ? "c" : "d" : "e""#, "bd");
    check(r#""%d", REC->number == 1 ? 1 : 2"#, "2");
    check(r#""%s", REC->small & 0x100 ? REC->comm : __get_str(name)"#, "eth");
}

#[test]
fn names_replace_values_and_bits() {
    let flags = r#"__print_flags(REC->bits & 0xffff, "|", { 0x2, "TWO" }, { (1UL << 12), "HIGH" })"#;
    check(&format!("\"%s\", {flags}"), "TWO|HIGH");
    check(r#""%s", __print_flags(REC->bits, "|", { 0x2, "TWO" })"#, "TWO|0x1000");
    check(r#""%s", __print_flags(0, "", { 1, "ONE" })"#, "");
    check(r#""%s", __print_flags(0, "|", { 0, "none" }, { 1, "ONE" })"#, "");
    check(r#""%s", __print_flags(1, "|", { 0, "none" }, { 1, "ONE" }, { 0, "late" })"#, "none|ONE");
    check(r#""%s", __print_symbolic(7, { 7, "SEVEN" }, { -1, ((void *)0) })"#, "SEVEN");
    check(r#""%s", __print_symbolic(1, { 7, "SEVEN" }, { -1, 0 })"#, "0x1");
    check(r#""%s", __print_flags(1, NULL, { 1, "ONE" }, { -1, NULL })"#, "ONE");
    check(r#""%s", __print_symbolic(REC->number, { -3, "minus" }, { 0, "zero" })"#, "minus");
    check(r#""%s", __print_symbolic(REC->small, { 0, "zero" })"#, "0xc8");
    check(
        r#""%s", __print_symbolic(TIMER_SOFTIRQ, { HI_SOFTIRQ, "HI" }, { TIMER_SOFTIRQ, "TIMER" })"#,
        "TIMER",
    );
}

#[test]
fn a_name_that_is_not_known_leaves_its_value() {
    let print_fmt = r#""%s", __print_symbolic(REC->small, { 1, "ONE" }, { STRANGE, "STRANGE" })"#;
    assert!(program(print_fmt).unwrap().code.has_unknown_names);
    check(print_fmt, "0xc8");
}

#[test]
fn what_only_the_kernel_knows_is_left_out() {
    check(
        r#""n=%d age=%lu of %s", REC->number, (jiffies - REC->bits) / 250, __get_str(name)"#,
        "n=-3 age=<unknown> of eth",
    );
    check(r#""%d %d %s", 1, 2, ({ static char *x = "a)"; x; }) ? "b" : "c""#, "1 2 <unknown>");
    let program = program(r#""%d %d %u", 1, 2, jiffies_to_msecs(REC->bits)"#).unwrap();
    assert!(program.code.has_unknown_names);
    check(r#""%p %d %d", ((void *)vmemmap_base + (REC->bits)), 1, 2"#, "<unknown> 1 2");
}

#[test]
fn arrays_print_in_all_their_ways() {
    check(r#""%s", __print_hex(__get_rel_dynamic_array(raw), 2)"#, "ab cd");
    check(
        r#""%s", __print_hex_str(__get_rel_dynamic_array(raw), __get_rel_dynamic_array_len(raw))"#,
        "abcdef",
    );
    check(r#""%s", __print_array(REC->pair, 2, 2)"#, "{0x1,0xffff}");
    check(r#""%d %d", REC->pair[1], REC->comm[0]"#, "65535 99");
    check(r#""%x", ((u8 *)__get_rel_dynamic_array(raw))[1]"#, "cd");
    check(r#""%x", *(u16 *)__get_rel_dynamic_array(raw)"#, "cdab");
    check(r#""mask=%s", __get_bitmask(mask)"#, "mask=00000000,0000000b");
    check(r#""%*pbl", 16, __get_dynamic_array(mask)"#, "0-1,3");
    check(r#""%*ph", 3, __get_rel_dynamic_array(raw)"#, "ab cd ef");
    check(r#""%*ph", 2, (u8 *)__get_rel_dynamic_array(raw) + 1"#, "cd ef");
}

#[test]
fn nanoseconds_are_cut_into_seconds() {
    let both = "__print_ns_to_secs(REC->bits), __print_ns_without_secs(REC->bits)";
    check(&format!("\"%llu.%09u\", {both}"), "0.000004098");
}

#[test]
fn what_is_not_known_is_refused() {
    for print_fmt in [
        "",
        "REC->number",
        r#""%d""#,
        r#""%d", REC->absent"#,
        r#""%d", strange(REC->number)"#,
        r#""%d %lu", jiffies, REC->bits"#,
        r#""%d", REC->number +"#,
        r#""%d", (REC->number"#,
        r#""%d", REC->number)"#,
        r#""%d", 1 ? 2"#,
        r#""%d", 1 : 2"#,
        r#""%d", REC->pair[0"#,
        r#""%d", REC->number[0]"#,
        r#""%s", __print_flags(REC->bits)"#,
        r#""%d", ({ 1; })"#,
        r#""%d", REC->number REC->number"#,
        r#""open"#,
    ] {
        assert_eq!(program(print_fmt).unwrap_err(), Failure::Unknown, "{print_fmt}");
    }
}

#[test]
fn nesting_past_the_limit_is_refused_without_recursion() {
    for open in ["(", "!", "-(", "1 ? ", "1 + (", "REC->pair["] {
        let print_fmt = format!("\"%d\", {}1", open.repeat(50_000));
        assert_eq!(program(&print_fmt).unwrap_err(), Failure::TooDeep, "{open}");
    }
    check(&format!("\"%d\", {}7{}", "(".repeat(100), ")".repeat(100)), "7");
}

#[test]
fn fields_outside_the_record_are_missing() {
    let program = program(r#""n=%d name=%s", REC->number, __get_str(name)"#).unwrap();
    let mut short = record();
    short.truncate(62);
    assert_eq!(print(&program, &short), ("n=-3 name=<missing>".to_owned(), false));
    assert_eq!(print(&program, &[]), ("n=<missing> name=<missing>".to_owned(), false));
}

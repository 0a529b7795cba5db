//! Recordings to damage.

use super::{Image, Layout};

/// Where the first page of a small version 6 file is.
pub const FIRST_PAGE: usize = 4_096;

/// Two CPUs with as many pages as `numbers` has pairs, which are those of the two ticks on a page.
///
/// A page comes every 1,000 ns, its second tick 10 ns behind the first, and CPU 1 is 1 ns behind CPU 0.
pub fn two_cpus(layout: Layout, numbers: &[[i32; 2]]) -> Image {
    let mut image = Image::new(layout, 2);
    image.tick_format();
    for cpu in 0..2 {
        for (page, [first, second]) in (1_u64..).zip(numbers) {
            let entries = [image.tick(0, *first), image.tick(10, *second)];
            image.page(cpu, 1_000 * page + cpu as u64, &entries);
        }
    }
    image
}

/// A page on each of two CPUs, with formats of every kind of field.
pub fn all_kinds_of_fields(layout: Layout) -> Vec<u8> {
    let mut image = Image::new(layout, 2);
    image.tick_format();
    image.kallsyms = "ffffffff81000000 T outer\n".to_owned();
    image.printk_formats = "0x1000 : \"n=%d s=%s\\n\"\n".to_owned();
    image.format(
        "irq",
        "irq_handler_entry",
        301,
        "int irq;8;4;1\n__data_loc char[] name;12;4;0",
        r#""irq=%d name=%s %s", REC->irq, __get_str(name), __print_flags(REC->irq & 0xff, "|", { 1, "A" })"#,
    );
    image.format(
        "ftrace",
        "bprint",
        6,
        "unsigned long ip;8;8;0\nconst char * fmt;16;8;0\nu32 buf[];24;0;0",
        "\"\"",
    );
    image.options.push((2, b"CPU: 0\noverrun: 5\n".to_vec()));
    for cpu in 0..2 {
        let name = [&image.u32(34)[..], &image.u32(5 << 16 | 16), b"eth0\0"].concat();
        let packed = [&image.u64(0)[..], &image.u64(0x1000), &image.u32(7), b"text\0"].concat();
        let entries = [
            image.tick(0, 1),
            image.record(3, 301, &name),
            image.record(3, 6, &packed),
            image.entry(30, 5, &image.u32(1)),
            image.tick(0, 2),
        ];
        image.page(cpu, 1_000, &entries);
    }
    image.build()
}

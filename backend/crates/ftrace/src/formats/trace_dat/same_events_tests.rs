//! One trace as trace.dat and as the text of tracefs gives the same events.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::byte_order::ByteOrder;
use super::codec::Codec;
use super::entry_header::EntryHeader;
use super::testing::{Image, Layout, Recorder};
use super::{Input, Limits, TraceDat, TraceFormat};
use crate::formats::text::TRACEFS;

const CPUS: usize = 3;
/// Few, so that most CPUs have several pages.
const RECORDS_A_PAGE: usize = 4;

/// What happens after how many microseconds on which CPU: a tick with its number, or a marker with its text.
#[derive(Clone, Debug)]
struct Happening {
    cpu: usize,
    after_us: u32,
    number: i32,
    marker: Option<String>,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    // Nothing that the text form may be cleaned of: quotes of mail, HTML entities, escapes of scripts; nor what looks
    // damaged there, as `C|||||A` does, a counter of Android with too many parts.
    let marker = "[A-Za-z0-9 :=_.,/()|#%-]{0,60}[A-Za-z0-9]"
        .prop_filter("a counter", |marker| !marker.starts_with("C|"));
    let marker = prop::option::weighted(0.3, marker);
    // Within the 27 bits of nanoseconds that a record holds itself, and past them.
    let after_us = prop_oneof![3 => 0..5_u32, 2 => 0..100_000_u32, 1 => 200_000..4_000_000_u32];
    let one = (0..CPUS, after_us, any::<i32>(), marker)
        .prop_map(|(cpu, after_us, number, marker)| Happening { cpu, after_us, number, marker });
    prop::collection::vec(one, 1..60)
}

fn layouts() -> impl Strategy<Value = Layout> {
    let codecs = prop_oneof![Just(None), Just(Some(Codec::Zlib)), Just(Some(Codec::Zstd))];
    let orders = prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)];
    let sizes = prop_oneof![Just(4_096), Just(8_192)];
    let headers = prop_oneof![Just(EntryHeader::TypeLen), Just(EntryHeader::TypeAndLen)];
    let versions = prop_oneof![Just(6), Just(7)];
    (versions, codecs, orders, sizes, prop_oneof![Just(4), Just(8)], headers).prop_map(
        |(version, codec, order, page_bytes, long_bytes, entry_header)| Layout {
            order,
            version,
            codec: codec.filter(|_| version == 7),
            page_bytes,
            long_bytes,
            entry_header,
        },
    )
}

/// A page that is being filled.
struct Page {
    start_ns: u64,
    last_ns: u64,
    entries: Vec<Vec<u8>>,
}

fn image_of(happenings: &[Happening], layout: Layout) -> Vec<u8> {
    let mut image = Image::new(layout, CPUS);
    image.tick_format();
    image.format("ftrace", "print", 5, "unsigned long ip;8;8;0\nchar buf[];16;0;0", "\"\"");
    let mut now_ns = 1_000_000_u64;
    let mut pages: BTreeMap<usize, Vec<Page>> = BTreeMap::new();
    for happening in happenings {
        now_ns += u64::from(happening.after_us) * 1_000;
        let of_cpu = pages.entry(happening.cpu).or_default();
        if of_cpu.last().is_none_or(|page| page.entries.len() >= RECORDS_A_PAGE * 2) {
            of_cpu.push(Page { start_ns: now_ns, last_ns: now_ns, entries: Vec::new() });
        }
        let Page { last_ns, entries, .. } = of_cpu.last_mut().unwrap();
        let delta_ns = now_ns - *last_ns;
        *last_ns = now_ns;
        // Always with an extend, of which the kernel writes one where the delta does not fit.
        entries.push(image.extend(delta_ns));
        entries.push(match &happening.marker {
            None => image.tick(0, happening.number),
            Some(text) => image.record(0, 5, &[&image.u64(0)[..], text.as_bytes(), b"\n\0"].concat()),
        });
    }
    for (cpu, pages) in pages {
        for page in pages {
            image.page(cpu, page.start_ns, &page.entries);
        }
    }
    image.build()
}

fn text_of(happenings: &[Happening]) -> String {
    let mut text = "# tracer: nop\n#\n".to_owned();
    let mut now_us = 1_000_u64;
    for happening in happenings {
        now_us += u64::from(happening.after_us);
        let (cpu, seconds, fraction) = (happening.cpu, now_us / 1_000_000, now_us % 1_000_000);
        write!(text, "             cat-7       [{cpu:03}] d..21 {seconds:5}.{fraction:06}: ").unwrap();
        match &happening.marker {
            None => writeln!(text, "sched_tick: n={}", happening.number).unwrap(),
            Some(marker) => writeln!(text, "tracing_mark_write: {marker}").unwrap(),
        }
    }
    text
}

/// Lines of events, sorted within a time: the text has them as they happened, pages by CPU.
fn events_of(recorder: &Recorder) -> Vec<(i64, String)> {
    let lines = recorder.lines.lines().map(|line| (line.split(' ').next().unwrap().parse().unwrap(), line));
    let mut lines: Vec<_> = lines.map(|(ts, line)| (ts, line.to_owned())).collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_trace_says_the_same_as_text_and_as_trace_dat(happenings in happenings(), layout in layouts()) {
        let (mut from_dat, mut from_text) = (Recorder::default(), Recorder::default());
        let dat = image_of(&happenings, layout);
        TraceDat.read(Input::Random(&dat), &Limits::default(), &mut from_dat).unwrap();
        let text = text_of(&happenings);
        TRACEFS.read(Input::Stream(&mut text.as_bytes()), &Limits::default(), &mut from_text).unwrap();
        prop_assert_eq!(events_of(&from_dat), events_of(&from_text));
        prop_assert_eq!(from_dat.account, (dat.len() as u64, 0));
        prop_assert_eq!(from_text.account, (text.len() as u64, 0));
    }
}

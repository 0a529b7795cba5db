//! The numbers of a line of the hwlat tracer.

use crate::events::Decoded;
use crate::explain::{Case, Part, Parts, Seen, Surroundings};

const NS_PER_US: i64 = 1_000;

/// The numbers of the tracer's line about the case; none where the line is not found.
pub fn parts(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
    let is_there = |event: &&Seen<'_>| event.cpu == case.cpu && event.t_ns == case.end_ns();
    let line = around.events.iter().filter(is_there).find(
        |event| matches!(event.decoded(), Some(Decoded::Hwlat { longest_ns }) if longest_ns == case.duration_ns),
    );
    let items = line.map(|event| items(event.args)).unwrap_or_default();
    Parts { items, ..Parts::default() }
}

// #1     inner/outer(us): 17403/16024 ts:1795220337.000647021 count:180
fn items(args: &str) -> Vec<Part> {
    let words = || args.split_ascii_whitespace();
    let readings = words().skip_while(|word| !word.starts_with("inner/outer")).nth(1);
    let readings = readings.and_then(|readings| readings.split_once('/'));
    let time = |name, text: &str| Some(Part::time(name, text.parse::<i64>().ok()?.checked_mul(NS_PER_US)?));
    let count = words().find_map(|word| word.strip_prefix("count:")?.parse().ok());
    let mut items = Vec::new();
    if let Some((inner, outer)) = readings {
        items.extend(time("between two readings of the clock", inner));
        items.extend(time("between two loops", outer));
    }
    items.extend(count.map(|count| Part::count("over the threshold", count)));
    items
}

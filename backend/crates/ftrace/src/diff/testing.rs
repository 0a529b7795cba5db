//! Trees and comparisons as text.

use std::fmt::Write;

use super::*;

/// A tree of lines like `  irq_enter 8.986` (µs), `  ...`, `  !eth0 3` (an interrupt), `  @sched_waking 2` (an event).
///
/// A call starts where its elder sibling ends.
pub fn tree(names: &mut Names, text: &str) -> Tree {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .collect();
    let mut builder = TreeBuilder::new(names, 1_000_000);
    let mut open: Vec<(usize, i64)> = Vec::new();
    let mut start_ns = 0;
    for (indent, line) in lines {
        while open.last().is_some_and(|(at, _)| *at >= indent) {
            start_ns = open.pop().unwrap().1;
            builder.close().unwrap();
        }
        if line == "..." {
            builder.elided();
            continue;
        }
        let (name, time) = line.rsplit_once(' ').unwrap();
        let (kind, name) = match name.split_at(1) {
            ("!", name) => (Kind::Interrupt, name),
            ("@", name) => (Kind::Event, name),
            _ => (Kind::Call, name),
        };
        let (whole, fraction) = time.split_once('.').unwrap_or((time, "0"));
        let duration_ns =
            whole.parse::<i64>().unwrap() * 1_000 + format!("{fraction:0<3}").parse::<i64>().unwrap();
        builder.open(name, kind, start_ns, duration_ns).unwrap();
        open.push((indent, start_ns + duration_ns));
    }
    builder.finish().unwrap()
}

/// Compares two trees of text, and the two the other way round.
pub fn compare(abnormal: &str, normal: &str) -> (Names, Diff) {
    let mut names = Names::default();
    let trees = Sides { abnormal, normal }.map(|text| tree(&mut names, text));
    let found = diff(&names, trees.as_ref(), &Limits::default());
    let mirrored = diff(&names, trees.as_ref().swapped(), &Limits::default());
    verify(&found);
    verify_mirror(&found, &mirrored);
    (names, found)
}

/// What holds for every comparison.
pub fn verify(diff: &Diff) {
    let own: i64 = diff.rows.iter().map(|row| row.self_delta_ns).sum();
    assert_eq!(own, diff.delta_ns, "the rows' own deltas add up to the difference");
    let contributed: i64 = diff.contributions.all().map(|one| one.delta_ns).sum();
    assert_eq!(contributed, diff.delta_ns, "contributions add up to the difference");
    for row in &diff.rows {
        let durations_ns = row.places.map(|place| place.map_or(0, |place| place.duration_ns));
        let delta_ns = if row.status == Status::Elided { 0 } else { durations_ns.delta() };
        assert_eq!(row.delta_ns, delta_ns);
    }
}

pub fn verify_mirror(diff: &Diff, mirrored: &Diff) {
    assert_eq!(diff.delta_ns, -mirrored.delta_ns);
    assert_eq!(diff.rows.len(), mirrored.rows.len());
    assert_eq!(diff.notes.len(), mirrored.notes.len());
    for (row, other) in diff.rows.iter().zip(&mirrored.rows) {
        assert_eq!(row.places, other.places.swapped());
        assert_eq!((row.delta_ns, row.self_delta_ns), (-other.delta_ns, -other.self_delta_ns));
        assert_eq!((row.parent, row.is_ambiguous), (other.parent, other.is_ambiguous));
    }
}

/// Rows as `  + ktime_get 0.470`, those that are equal on both sides left out.
pub fn text(names: &Names, diff: &Diff) -> String {
    let mut text = String::new();
    for row in
        diff.rows.iter().filter(|row| row.delta_ns != 0 || row.status != Status::Matched || row.is_ambiguous)
    {
        let sign = match row.status {
            Status::Matched => "=",
            Status::Added => "+",
            Status::Removed => "-",
            Status::Elided => ".",
        };
        let indent = "  ".repeat(usize::try_from(row.depth).unwrap());
        let other = row.other_name.map(|name| format!(" ({})", names.text(name))).unwrap_or_default();
        write!(
            text,
            "{indent}{sign} {}{other} {} self {}",
            names.text(row.name),
            row.delta_ns,
            row.self_delta_ns
        )
        .unwrap();
        writeln!(text, "{}", if row.is_ambiguous { " ambiguous" } else { "" }).unwrap();
    }
    text.push_str(&diff.summary);
    text.push('\n');
    diff.notes.iter().for_each(|note| writeln!(text, "note: {note}").unwrap());
    text
}

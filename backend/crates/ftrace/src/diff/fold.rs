//! Runs of equal siblings as one row, with their number: a loop is one line, not a thousand.

use super::row::{Place, Row, at, settle};
use super::set::{Center, Spread};

/// Rows that become one: the same place in each of several equal siblings.
struct Members {
    rows: Vec<u32>,
    /// Of the folded rows.
    parent: Option<u32>,
}

/// The rows with runs of at least `fold_from` equal siblings folded, and of each row before, its row now.
pub fn fold(rows: &[Row], fold_from: usize) -> (Vec<Row>, Vec<u32>) {
    let ends = ends(rows);
    let mut folded: Vec<Row> = Vec::new();
    let mut row_now = vec![0; rows.len()];
    let mut waiting = Vec::new();
    waiting.extend((!rows.is_empty()).then(|| Members { rows: vec![0], parent: None }));
    while let Some(members) = waiting.pop() {
        let idx = u32::try_from(folded.len()).unwrap_or(u32::MAX);
        let found = members.rows.iter().filter_map(|row| at(rows, *row));
        let Some(row) = found.copied().reduce(join) else { continue };
        folded.push(Row { parent: members.parent, ..row });
        for member in &members.rows {
            usize::try_from(*member)
                .ok()
                .and_then(|row| row_now.get_mut(row))
                .into_iter()
                .for_each(|now| *now = idx);
        }
        let groups = fold_runs(children(&members.rows, &ends), rows, &ends, fold_from);
        waiting.extend(groups.into_iter().rev().map(|rows| Members { rows, parent: Some(idx) }));
    }
    settle(&mut folded);
    (folded, row_now)
}

/// One past the last row of each row's subtree.
fn ends(rows: &[Row]) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..).take(rows.len()).collect();
    for (idx, row) in rows.iter().enumerate().rev() {
        let end = ends.get(idx).copied().unwrap_or(0);
        let parent = row.parent.and_then(|parent| ends.get_mut(usize::try_from(parent).ok()?));
        parent.into_iter().for_each(|of_parent| *of_parent = end.max(*of_parent));
    }
    ends
}

/// The first children of all members together, then the second ones, and so on: members have equal subtrees.
fn children(members: &[u32], ends: &[u32]) -> Vec<Vec<u32>> {
    let mut children: Vec<Vec<u32>> = Vec::new();
    for member in members {
        let (mut child, mut number) = (member.saturating_add(1), 0);
        let end = at(ends, *member).copied().unwrap_or(child);
        while child < end {
            match children.get_mut(number) {
                Some(group) => group.push(child),
                None => children.push(vec![child]),
            }
            child = at(ends, child).copied().unwrap_or(end);
            number += 1;
        }
    }
    children
}

fn fold_runs(groups: Vec<Vec<u32>>, rows: &[Row], ends: &[u32], fold_from: usize) -> Vec<Vec<u32>> {
    let mut folded: Vec<Vec<u32>> = Vec::with_capacity(groups.len());
    let mut run: Vec<Vec<u32>> = Vec::new();
    for group in groups {
        let is_equal = run.last().is_some_and(|last| is_equal(last, &group, rows, ends));
        if !is_equal {
            fold_run(std::mem::take(&mut run), rows, fold_from, &mut folded);
        }
        run.push(group);
    }
    fold_run(run, rows, fold_from, &mut folded);
    folded
}

/// One that makes most of a run's difference stays by itself.
fn fold_run(run: Vec<Vec<u32>>, rows: &[Row], fold_from: usize, folded: &mut Vec<Vec<u32>>) {
    let delta_ns = |group: &Vec<u32>| {
        let deltas = group.iter().filter_map(|row| at(rows, *row)).map(|row| row.delta_ns);
        deltas.fold(0_i64, i64::saturating_add).unsigned_abs()
    };
    let all_ns = run.iter().map(delta_ns).fold(0_u64, u64::saturating_add);
    let mut alike: Vec<Vec<u32>> = Vec::new();
    for group in run {
        if all_ns > 0 && delta_ns(&group) > all_ns / 2 {
            join_all(std::mem::take(&mut alike), fold_from, folded);
            folded.push(group);
        } else {
            alike.push(group);
        }
    }
    join_all(alike, fold_from, folded);
}

fn join_all(alike: Vec<Vec<u32>>, fold_from: usize, folded: &mut Vec<Vec<u32>>) {
    if fold_from > 1 && alike.len() >= fold_from {
        folded.push(alike.into_iter().flatten().collect());
    } else {
        folded.extend(alike);
    }
}

/// Costs at most what the smaller of the two subtrees has.
fn is_equal(one: &[u32], other: &[u32], rows: &[Row], ends: &[u32]) -> bool {
    let (Some(one), Some(other)) = (one.first(), other.first()) else { return false };
    let subtree = |row: u32| {
        let (start, end) =
            (usize::try_from(row).ok(), at(ends, row).and_then(|end| usize::try_from(*end).ok()));
        start.zip(end).and_then(|(start, end)| rows.get(start..end)).unwrap_or_default()
    };
    let is_alike = |(one, other): (&Row, &Row)| {
        let key = |row: &Row| (row.depth, row.name, row.other_name, row.status, row.kind);
        let is_there = |row: &Row| row.places.map(|place| place.is_some());
        key(one) == key(other) && is_there(one) == is_there(other)
    };
    let (one, other) = (subtree(*one), subtree(*other));
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

fn join(one: Row, other: Row) -> Row {
    Row {
        places: one.places.zip(other.places).map(join_places),
        delta_ns: one.delta_ns.saturating_add(other.delta_ns),
        is_ambiguous: one.is_ambiguous || other.is_ambiguous,
        hit: one.hit.filter(|hit| other.hit == Some(*hit)),
        spreads: one.spreads.zip(other.spreads).map(join_spreads),
        ..one
    }
}

fn join_places((one, other): (Option<Place>, Option<Place>)) -> Option<Place> {
    let (one, other) = (one?, other?);
    Some(Place {
        duration_ns: one.duration_ns.saturating_add(other.duration_ns),
        self_ns: one.self_ns.saturating_add(other.self_ns),
        count: one.count.saturating_add(other.count),
        ..one
    })
}

fn join_spreads((one, other): (Option<Spread>, Option<Spread>)) -> Option<Spread> {
    let (one, other) = (one?, other?);
    Some(Spread {
        seen: one.seen.min(other.seen),
        of: one.of,
        whole: join_centers(one.whole, other.whole),
        own: join_centers(one.own, other.own),
    })
}

fn join_centers(one: Option<Center>, other: Option<Center>) -> Option<Center> {
    let (one, other) = (one?, other?);
    Some(Center {
        median_ns: one.median_ns.saturating_add(other.median_ns),
        mad_ns: one.mad_ns.saturating_add(other.mad_ns),
    })
}

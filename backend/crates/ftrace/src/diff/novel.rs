//! Functions that one side makes and the other nowhere.

use hashbrown::HashSet;

use super::names::{NameId, Names};
use super::row::{Row, Status, at};

/// Of each row, whether the other side nowhere makes its function, and makes that of its caller.
pub fn novel(names: &Names, rows: &[Row]) -> Vec<bool> {
    let functions = |is_made: fn(&Row) -> bool| -> HashSet<NameId> {
        rows.iter().filter(|row| is_made(row)).map(|row| names.function(row.name)).collect()
    };
    if rows.iter().all(|row| matches!(row.status, Status::Matched | Status::Elided)) {
        return vec![false; rows.len()];
    }
    let (of_a, of_b) = (functions(|row| row.a.is_some()), functions(|row| row.b.is_some()));
    let mut is_within: Vec<bool> = Vec::with_capacity(rows.len());
    let mut novel = Vec::with_capacity(rows.len());
    for row in rows {
        let is_around = row.parent.and_then(|parent| at(&is_within, parent)).copied().unwrap_or(false);
        let is_unknown_to = |other: &HashSet<NameId>| !other.contains(&names.function(row.name));
        let is_new = match row.status {
            Status::Added => is_unknown_to(&of_b),
            Status::Removed => is_unknown_to(&of_a),
            Status::Matched | Status::Elided => false,
        };
        is_within.push(is_around || is_new);
        novel.push(is_new && !is_around);
    }
    novel
}

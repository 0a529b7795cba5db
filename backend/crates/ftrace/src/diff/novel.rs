//! Functions that one side makes and the other nowhere.

use hashbrown::HashSet;

use super::names::{NameId, Names};
use super::row::{Row, Status, at};
use super::sides::Sides;

/// Of each row, whether the other side nowhere makes its function, and makes that of its caller.
pub fn novel(names: &Names, rows: &[Row]) -> Vec<bool> {
    if rows.iter().all(|row| matches!(row.status, Status::Matched | Status::Elided)) {
        return vec![false; rows.len()];
    }
    let mut functions = Sides::<HashSet<NameId>>::default();
    for row in rows {
        let function = names.function(row.name);
        functions.abnormal.extend(row.places.abnormal.map(|_| function));
        functions.normal.extend(row.places.normal.map(|_| function));
    }
    let mut is_within: Vec<bool> = Vec::with_capacity(rows.len());
    let mut novel = Vec::with_capacity(rows.len());
    for row in rows {
        let is_around = row.parent.and_then(|parent| at(&is_within, parent)).copied().unwrap_or(false);
        let is_unknown_to = |other: &HashSet<NameId>| !other.contains(&names.function(row.name));
        let is_new = match row.status {
            Status::Added => is_unknown_to(&functions.normal),
            Status::Removed => is_unknown_to(&functions.abnormal),
            Status::Matched | Status::Elided => false,
        };
        is_within.push(is_around || is_new);
        novel.push(is_new && !is_around);
    }
    novel
}

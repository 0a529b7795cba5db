//! Reservations about a comparison.

use super::align::Shortcut;
use super::names::Names;
use super::row::{Row, Status};
use super::sides::Sides;
use super::tree::Kind;
use crate::model::grouped;

/// Places that are named.
const MOST_PLACES: usize = 3;

/// Sentences on what may mislead in these rows: alignments that were not tried, calls that a person left out.
pub fn notes(names: &Names, rows: &[Row], shortcuts: &[Shortcut]) -> Vec<String> {
    let name = |row: u32| {
        let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
        row.map(|row| names.text(row.name)).unwrap_or_default()
    };
    let mut notes: Vec<String> = shortcuts.iter().take(MOST_PLACES).map(|shortcut| {
        let (Sides { abnormal, normal }, name) = (shortcut.lens, name(shortcut.row));
        format!(
            "{name} has too many calls to try every alignment ({} abnormal, {} normal): among equal calls, the wrong one may be marked as extra.",
            grouped(abnormal),
            grouped(normal),
        )
    }).collect();
    if let more @ 1.. = shortcuts.len().saturating_sub(MOST_PLACES) {
        notes.push(format!("The same applies to {} more calls.", grouped(more)));
    }
    match rows.iter().filter(|row| row.status == Status::Elided).count() {
        0 => (),
        1 => notes
            .push("One call is elided (...) on the other side: its time counts for its caller.".to_owned()),
        elided => notes.push(format!(
            "{} calls are elided (...) on the other side: their time counts for their callers.",
            grouped(elided)
        )),
    }
    let is_of_events = rows.first().is_some_and(|root| root.kind == Kind::Event);
    let what = if is_of_events { "event" } else { "call" };
    match rows.iter().filter(|row| row.is_ambiguous).count() {
        0 => (),
        1 => notes.push(format!("One {what} could equally be matched in another way; it is marked.")),
        ambiguous => {
            notes.push(format!(
                "{} {what}s could equally be matched in another way; they are marked.",
                grouped(ambiguous)
            ));
        }
    }
    notes
}

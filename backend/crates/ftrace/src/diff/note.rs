//! What is to be known about how two trees were compared.

use super::align::Shortcut;
use super::names::Names;
use super::row::{Row, Status};
use super::sides::Sides;
use super::tree::Kind;

/// Places that are named.
const MOST_PLACES: usize = 3;

pub fn notes(names: &Names, rows: &[Row], shortcuts: &[Shortcut]) -> Vec<String> {
    let name = |row: u32| {
        let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
        row.map(|row| names.text(row.name)).unwrap_or_default()
    };
    let mut notes: Vec<String> = shortcuts.iter().take(MOST_PLACES).map(|shortcut| {
        let (Sides { abnormal, normal }, name) = (shortcut.lens, name(shortcut.row));
        format!(
            "There is too much under {name} ({abnormal} calls in the abnormal one, {normal} in the normal one) to try every way to align it: which of equal calls is extra may be wrong."
        )
    }).collect();
    if let more @ 1.. = shortcuts.len().saturating_sub(MOST_PLACES) {
        notes.push(format!("The same goes for {more} more calls."));
    }
    match rows.iter().filter(|row| row.status == Status::Elided).count() {
        0 => (),
        1 => notes.push("One call stands where the other side was left out by hand (...): its time is its caller's own.".to_owned()),
        elided => notes.push(format!(
            "{elided} calls stand where the other side was left out by hand (...): their time is their callers' own."
        )),
    }
    let is_of_events = rows.first().is_some_and(|root| root.kind == Kind::Event);
    let what = if is_of_events { "event" } else { "call" };
    match rows.iter().filter(|row| row.is_ambiguous).count() {
        0 => (),
        1 => notes.push(format!("One {what} could be matched in another way just as well; it is marked.")),
        ambiguous => {
            notes.push(format!(
                "{ambiguous} {what}s could be matched in another way just as well; they are marked."
            ));
        }
    }
    notes
}

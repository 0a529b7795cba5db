//! `key=value` pairs, and the `key: number` of modules' own events.

use super::Args;
use super::value::Value;
use crate::events::{leading_number, pairs};

/// Adds the pairs of `text`.
pub fn parse<'a>(event: &str, text: &'a str, args: &mut Args<'a>) {
    for pair in pairs(event, text) {
        let value = match number(pair.value) {
            Some(number) if pair.is_colon => number,
            _ if pair.is_free_text => Value::text(pair.value.trim_end()),
            _ => trimmed(pair.value),
        };
        args.push(pair.name, value);
    }
}

fn number(value: &str) -> Option<Value<'_>> {
    leading_number(value).map(|number| Value { text: number.text, number: Some(number.value) })
}

/// A value without what separates it from the next: `R+ ==>`, `do_it,`, `TIMER]`, `12345 [ns]`.
fn trimmed(value: &str) -> Value<'_> {
    let value = value.trim();
    let value = value.strip_suffix("==>").unwrap_or(value);
    let value = value.trim_end_matches([',', ';', ' ', '[', '(', '{']);
    let value = if value.contains(['[', '(', '{']) { value } else { value.trim_end_matches([']', ')', '}']) };
    number(value).unwrap_or_else(|| Value::text(value))
}

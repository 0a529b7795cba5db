//! Whether the only record of its kind is the beginning of one line and the end of another.

use super::scan;
use super::shapes::Shapes;

/// Places in a line looked at.
const MAX_COLONS: usize = 8;
/// Letters of a name that are no coincidence.
const MIN_PART_BYTES: usize = 3;

/// True where the arguments hold another event, or the name is put together from two.
pub fn is_glued(name: &[u8], form: u64, args: &[u8], shapes: &Shapes) -> bool {
    has_event(args, shapes) || shapes.record_count(name) == 1 && is_glued_name(name, form, shapes)
}

/// `now=429492cal_timer_exit: vector=236`, `valueget: action=0x0`: the end of a known name, and its arguments.
fn has_event(args: &[u8], shapes: &Shapes) -> bool {
    scan::places_of(args, *b": ").take(MAX_COLONS).any(|colon| {
        let before = args.get(..colon).unwrap_or_default();
        let length = before.iter().rev().take_while(|byte| is_of_name(**byte)).count();
        let word = before.get(before.len().saturating_sub(length)..).unwrap_or_default();
        let digits = word.iter().rposition(u8::is_ascii_digit).map_or(0, |at| at.saturating_add(1));
        let word = word.get(digits..).unwrap_or_default();
        let rest = scan::skip_blanks(args.get(colon.saturating_add(1)..).unwrap_or_default());
        let is_end_of = |known: &[u8]| common(known.iter().rev(), word.iter().rev()) >= MIN_PART_BYTES;
        word.len() >= MIN_PART_BYTES && shapes.names_with(shapes.form_hash(rest), b"").any(is_end_of)
    })
}

/// `sched_wak581` with the arguments of sched_stat_runtime, `irq_handlock_entry` with those of lock_entry.
///
/// Where the parts meet at an underscore, it is a name as the kernel gives them: `irq_work_exit` beside
/// `irq_work_entry` and `local_timer_exit`.
fn is_glued_name(name: &[u8], form: u64, shapes: &Shapes) -> bool {
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let begun = longest(&mut shapes.other_names(name).map(|known| common(name.iter(), known.iter())));
    if begun < MIN_PART_BYTES {
        return false;
    }
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let ended = longest(
        &mut shapes.names_with(form, name).map(|known| common(name.iter().rev(), known.iter().rev())),
    );
    let is_same_form = shapes.names_with(form, name).next().is_some();
    let is_of_columns =
        digits >= MIN_PART_BYTES && begun.saturating_add(digits) >= name.len() && is_same_form;
    let (first, last) = (name.len().saturating_sub(ended), begun.min(name.len()));
    let has_seam = first > 0 && first <= last && ended >= MIN_PART_BYTES && ended < name.len();
    let is_at_word = |at: usize| name.get(at.saturating_sub(1)) == Some(&b'_') || name.get(at) == Some(&b'_');
    is_of_columns || has_seam && !(first..=last).any(is_at_word)
}

fn common<'a>(one: impl Iterator<Item = &'a u8>, other: impl Iterator<Item = &'a u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

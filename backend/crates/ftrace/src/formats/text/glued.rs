//! Whether the only record of its kind is the beginning of one line and the end of another.

use hashbrown::HashMap;

use super::scan;
use super::shapes::{MIN_OTHERS, Shapes};

/// Places in a line looked at.
const MAX_COLONS: usize = 8;
/// So many words of other events may be in a text that is whole.
const MIN_STRANGE_WORDS: usize = 2;
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
        let is_end_of = |known: &[u8]| scan::common(known.iter().rev(), word.iter().rev()) >= MIN_PART_BYTES;
        word.len() >= MIN_PART_BYTES && shapes.names_with(shapes.form_hash(rest), b"").any(is_end_of)
    })
}

/// `sched_wak581` with the arguments of sched_stat_runtime, `irq_handlock_entry` with those of lock_entry.
///
/// Where the parts meet at an underscore, it is a name as the kernel gives them: `irq_work_exit` beside
/// `irq_work_entry` and `local_timer_exit`.
fn is_glued_name(name: &[u8], form: u64, shapes: &Shapes) -> bool {
    // `cp: 0` of `cpuhp_exit: cpu: 0004  state: 145 step: 145 ret: 0`
    let is_stump = |known: &[u8]| {
        let begun = scan::common(name.iter(), known.iter());
        shapes.record_count(known) >= MIN_OTHERS
            && begun >= 2
            && begun.saturating_add(1) >= name.len()
            && known.get(begun) != Some(&b'_')
    };
    if name.len() <= MIN_PART_BYTES && shapes.other_names(name).any(is_stump) {
        return true;
    }
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let begun = longest(&mut shapes.other_names(name).map(|known| scan::common(name.iter(), known.iter())));
    if begun < MIN_PART_BYTES {
        return false;
    }
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let ended = longest(
        &mut shapes.names_with(form, name).map(|known| scan::common(name.iter().rev(), known.iter().rev())),
    );
    let is_same_form = shapes.names_with(form, name).next().is_some();
    let is_of_columns =
        digits >= MIN_PART_BYTES && begun.saturating_add(digits) >= name.len() && is_same_form;
    let (first, last) = (name.len().saturating_sub(ended), begun.min(name.len()));
    let has_seam = first > 0 && first <= last && ended >= MIN_PART_BYTES && ended < name.len();
    let is_at_word = |at: usize| name.get(at.saturating_sub(1)) == Some(&b'_') || name.get(at) == Some(&b'_');
    is_of_columns || has_seam && !(first..=last).any(is_at_word)
}

/// The words of all events, each with the only event that has it, or none where several have it.
pub struct Words<'s>(HashMap<&'s [u8], Option<&'s [u8]>>);

impl<'s> Words<'s> {
    pub fn of(shapes: &'s Shapes) -> Self {
        let mut owners = HashMap::new();
        for (name, sample) in shapes.samples() {
            for word in words(sample) {
                let owner = owners.entry(word).or_insert(Some(name));
                *owner = owner.filter(|known| *known == name);
            }
        }
        Self(owners)
    }

    /// True for arguments with words of other events that no other record of this one has: `End cons:-1 reason:flush on task
    /// switch (0)` beside `Start context switch`.
    pub fn has_of_others(&self, name: &[u8], args: &[u8], shapes: &Shapes) -> bool {
        let own: Vec<&[u8]> = shapes.samples_of(name).filter(|sample| *sample != args).collect();
        let is_strange = |word: &&[u8]| {
            self.0.get(word).is_some_and(|owner| *owner != Some(name))
                && !own.iter().any(|sample| words(sample).any(|other| other == *word))
        };
        !args.contains(&b'=')
            && !own.is_empty()
            && words(args).filter(is_strange).nth(MIN_STRANGE_WORDS).is_some()
    }
}

/// Words of small letters that are no coincidence.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_lowercase()).filter(|word| word.len() > MIN_PART_BYTES)
}

/// True for arguments that begin with the beginning of a constant, where others have the whole of it:
/// `CPU_DMA_LA prev_value=2` beside `CPU_DMA_LATENCY value=0`.
pub fn is_cut_word(args: &[u8], shapes: &Shapes) -> bool {
    let word = scan::word(args).0;
    let is_constant = word.len() > MIN_PART_BYTES
        && word.contains(&b'_')
        && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    is_constant
        && shapes.samples().any(|(_, sample)| {
            sample
                .strip_prefix(word)
                .and_then(<[u8]>::first)
                .is_some_and(|next| next.is_ascii_uppercase() || *next == b'_')
        })
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

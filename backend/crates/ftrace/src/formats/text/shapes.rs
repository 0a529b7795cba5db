//! Whether the records of an event look like the others of that event in the same text.
//!
//! `sched_waking: comm=rcu_preempt pid=18 prio=120 target_cpu=001` has the same keys every time. A record whose
//! keys are seen nowhere else has lost a part of its line, or is put together from two.

use std::hash::{BuildHasher, Hasher};

use hashbrown::{DefaultHashBuilder, HashMap};

use super::glued;
use super::known_fields::Extent;
use super::{known_fields, line_form};
use crate::model::{Place, is_similar_name};

/// Event names, and forms of each, that are followed.
const MAX_NAMES: usize = 4_096;
const MAX_NAME_BYTES: usize = 128;
const MAX_FORMS: usize = 8;
/// Among this many records, one whose keys no other has is odd; among fewer, the event may look like that.
const MIN_RECORDS: u64 = 3;
/// The same of a form, which says less than keys do: programs print words as they like.
pub const MIN_OTHERS: u64 = 4;
/// Among as many records with all their fields, one without some of them was not shortened by a person.
const MIN_WHOLE_RECORDS: u64 = 8;
/// Records looked at for another one's name inside them.
const MAX_LONE_RECORDS: usize = 256;
const SAMPLE_BYTES: usize = 512;
/// Names under which things other than event fields are looked at. A function without a parent is whole: the
/// wakeup tracers print entries of no function as `0`, and the last one as `__schedule`.
const COLUMNS: [&[u8]; 4] = [b"frame", b"function", b"graph", b"rule"];
/// Source: kernel/trace/trace_entries.h, Linux 2.6.30 to 7.3.
const MARKERS: [&[u8]; 2] = [b"bprint", b"bputs"];
/// Keys of a record that are compared with those of another.
const MAX_KEYS: usize = 32;
/// Names of events that a function's may begin.
const MAX_LONGER_NAMES: usize = 256;

#[derive(Debug)]
pub struct Form {
    hash: u64,
    count: u64,
    first: Place,
    sample: Vec<u8>,
    /// Hashes of the first keys, of the first two, and so on, but not of all; of no key first.
    beginnings: Vec<u64>,
}

#[derive(Debug, Default)]
struct Forms {
    forms: Vec<Form>,
    record_count: u64,
    /// There were more forms than are followed.
    has_others: bool,
}

/// What is known of an event.
#[derive(Debug, Default)]
pub struct Shape {
    keys: Forms,
    forms: Forms,
}

#[derive(Debug, Default)]
pub struct Shapes {
    names: HashMap<Vec<u8>, Shape>,
    hasher: DefaultHashBuilder,
}

impl Shapes {
    /// Takes note of one record of the event `name`.
    pub fn look(&mut self, name: &[u8], args: &[u8], place: Place) {
        if name.len() > MAX_NAME_BYTES {
            return;
        }
        let (keys, form) = (self.keys_hash(args), self.form_hash(args));
        if !self.names.contains_key(name) {
            if self.names.len() >= MAX_NAMES {
                return;
            }
            self.names.insert(name.to_vec(), Shape::default());
        }
        let beginnings = |hasher: &DefaultHashBuilder| beginnings(args, hasher);
        let Self { names, hasher } = self;
        if let Some(known) = names.get_mut(name) {
            known.keys.add(keys, args, place, || beginnings(hasher));
            known.forms.add(form, args, place, Vec::new);
        }
    }

    /// Records unlike all others of their event: where, and their arguments; in the order of the text.
    pub fn odd(&self) -> Vec<(Place, &[u8])> {
        let mut odd: Vec<_> = self.names.values().filter_map(Shape::odd).collect();
        let lone = self.names.iter().flat_map(|(name, shape)| {
            let alone = shape.forms.forms.iter().filter(|form| form.count == 1);
            alone.map(move |form| (name.as_slice(), form))
        });
        let lone = lone.take(MAX_LONE_RECORDS);
        let of_events = self.names.iter().filter(|(name, _)| !COLUMNS.contains(&name.as_slice()));
        odd.extend(of_events.clone().flat_map(|(_, shape)| shape.keys.clipped()));
        odd.extend(of_events.filter_map(|(_, shape)| shape.forms.emptied()));
        odd.extend(self.shortened());
        let misspelt = self.names.iter().filter(|(name, shape)| self.is_misspelt(name, shape));
        odd.extend(
            misspelt
                .filter_map(|(_, shape)| shape.forms.forms.first())
                .map(|form| (form.first, form.sample.as_slice())),
        );
        let words = glued::Words::of(self);
        odd.extend(
            lone.filter(|(name, form)| {
                glued::is_glued(name, form.hash, &form.sample, self)
                    || glued::is_cut_word(&form.sample, self)
                    || words.has_of_others(name, &form.sample, self)
            })
            .map(|(_, form)| (form.first, form.sample.as_slice())),
        );
        odd.sort_unstable_by_key(|(place, _)| place.byte_offset);
        odd.dedup_by_key(|(place, _)| place.byte_offset);
        odd
    }

    /// The only record that has lost fields which every kernel prints, where many others are whole: people who shorten
    /// lines shorten more of them.
    fn shortened(&self) -> Option<(Place, &[u8])> {
        let forms = self.names.iter().flat_map(|(name, shape)| {
            let whole_samples = shape.forms.forms.iter().filter(|form| form.sample.len() < SAMPLE_BYTES);
            whole_samples.filter_map(move |form| Some((known_fields::extent(name, &form.sample)?, form)))
        });
        let (mut shortened, mut whole_count) = (None, 0_u64);
        for (extent, form) in forms {
            match extent {
                Extent::Whole => whole_count = whole_count.saturating_add(form.count),
                Extent::Shortened if shortened.is_some() || form.count > 1 => return None,
                Extent::Shortened => shortened = Some((form.first, form.sample.as_slice())),
            }
        }
        shortened.filter(|_| whole_count >= MIN_WHOLE_RECORDS)
    }

    /// True for the name of another event in the other case, and for a name that differs by one character from that of
    /// an event with many records of the same form, where no other record has it.
    fn is_misspelt(&self, name: &[u8], shape: &Shape) -> bool {
        let is_upper = name.iter().any(u8::is_ascii_uppercase);
        if is_upper && self.names.contains_key(name.to_ascii_lowercase().as_slice()) {
            return true;
        }
        // `bprintprint`: no tracepoint is called like the kernel's own events of `trace_printk`.
        if MARKERS.iter().any(|marker| name.starts_with(marker)) {
            return true;
        }
        if shape.forms.forms.first().is_some_and(|form| known_fields::is_misspelt(name, &form.sample)) {
            return true;
        }
        let Some(form) = shape.forms.forms.first().filter(|_| shape.keys.record_count == 1) else {
            return false;
        };
        let is_many = |known: &[u8]| self.record_count(known) >= MIN_OTHERS;
        self.names.len() <= MAX_LONGER_NAMES
            && !name.starts_with(b"sys_")
            && self.names_with(form.hash, name).any(|known| is_many(known) && is_similar_name(name, known))
    }

    /// The names of events that have records of this form, except `except`.
    pub fn names_with(&self, form: u64, except: &[u8]) -> impl Iterator<Item = &[u8]> {
        let has_form = move |shape: &Shape| shape.forms.forms.iter().any(|known| known.hash == form);
        self.names
            .iter()
            .filter(move |(name, shape)| *name != except && has_form(shape))
            .map(|(name, _)| name.as_slice())
    }

    /// The arguments of a record of each form of all events, with the name of each.
    pub fn samples(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let events = self.names.iter().filter(|(name, _)| !COLUMNS.contains(&name.as_slice()));
        events.flat_map(|(name, shape)| {
            shape.forms.forms.iter().map(|form| (name.as_slice(), form.sample.as_slice()))
        })
    }

    /// The same of one event.
    pub fn samples_of(&self, name: &[u8]) -> impl Iterator<Item = &[u8]> {
        let forms = self.names.get(name).into_iter().flat_map(|shape| &shape.forms.forms);
        forms.map(|form| form.sample.as_slice())
    }

    /// The names of all events except `except`.
    pub fn other_names(&self, except: &[u8]) -> impl Iterator<Item = &[u8]> {
        self.names.keys().map(Vec::as_slice).filter(move |name| *name != except)
    }

    /// The first function without a parent, where others have one.
    pub fn function_without_parent(&self) -> Option<Place> {
        let forms = &self.names.get(&b"function"[..])?.keys.forms;
        let first = forms.iter().find(|form| form.sample.is_empty())?;
        (forms.len() > 1).then_some(first.first)
    }

    /// True where the name of an event is `start` and `name`, and continues after them.
    pub fn has_longer_name(&self, start: &[u8], name: &[u8]) -> bool {
        let goes_on = |known: &Vec<u8>| {
            known
                .strip_prefix(start)
                .and_then(|known| known.strip_prefix(name))
                .is_some_and(|rest| !rest.is_empty())
        };
        !name.is_empty() && self.names.len() <= MAX_LONGER_NAMES && self.names.keys().any(goes_on)
    }

    /// How many records there are of an event.
    pub fn record_count(&self, name: &[u8]) -> u64 {
        self.names.get(name).map_or(0, |shape| shape.keys.record_count)
    }

    /// The only record of an event, where there is no other.
    pub fn only_record(&self, name: &[u8]) -> Option<(Place, &[u8])> {
        let shape = self.names.get(name).filter(|shape| shape.keys.record_count == 1)?;
        shape.forms.forms.first().map(|form| (form.first, form.sample.as_slice()))
    }

    /// True where `args` name a field twice: `irq=3 name=arch_tiq_handler_exit: irq=3 ret=handled`
    pub fn has_field_twice(args: &[u8]) -> bool {
        const MAX_KEYS: usize = 16;
        let mut seen = [&b""[..]; MAX_KEYS];
        for (count, key) in line_form::keys(args).take(MAX_KEYS).enumerate() {
            if !key.is_empty() && seen.get(..count).is_some_and(|seen| seen.contains(&key)) {
                return true;
            }
            if let Some(slot) = seen.get_mut(count) {
                *slot = key;
            }
        }
        false
    }

    /// Of `comm=` `pid=` in this order, whatever their values.
    fn keys_hash(&self, args: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for key in line_form::keys(args) {
            hasher.write(key);
            hasher.write_u8(b'=');
        }
        hasher.finish()
    }

    /// A hash of the arguments in which numbers count as alike.
    pub fn form_hash(&self, args: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        line_form::write(args, &mut hasher);
        hasher.finish()
    }
}

/// Of each beginning of the keys, as [`Shapes::keys_hash`] has it.
fn beginnings(args: &[u8], hasher: &DefaultHashBuilder) -> Vec<u64> {
    let mut hasher = hasher.build_hasher();
    let keys = line_form::keys(args).take(MAX_KEYS);
    keys.map(|key| {
        let before = hasher.finish();
        hasher.write(key);
        hasher.write_u8(b'=');
        before
    })
    .collect()
}

impl Shape {
    /// The record whose keys differ from those of all others of this event, or the only one of another form.
    fn odd(&self) -> Option<(Place, &[u8])> {
        let by_keys = self.keys.alone().filter(|_| self.keys.record_count >= MIN_RECORDS);
        let place = by_keys.or_else(|| self.forms.alone().filter(|_| self.forms.are_others_usual()))?.first;
        let sample = self.forms.forms.iter().find(|form| form.first == place);
        Some((place, sample.map(|form| form.sample.as_slice()).unwrap_or_default()))
    }
}

impl Forms {
    fn add(&mut self, hash: u64, args: &[u8], place: Place, beginnings: impl FnOnce() -> Vec<u64>) {
        self.record_count = self.record_count.saturating_add(1);
        if let Some(form) = self.forms.iter_mut().find(|form| form.hash == hash) {
            form.count = form.count.saturating_add(1);
            return;
        }
        if self.forms.len() < MAX_FORMS {
            let sample = args.get(..SAMPLE_BYTES).unwrap_or(args).to_vec();
            self.forms.push(Form { hash, count: 1, first: place, sample, beginnings: beginnings() });
        } else {
            self.has_others = true;
        }
    }

    /// Forms that others continue, and that fewer records have: the end of their lines is gone. A text without any
    /// field is what a program wrote.
    fn clipped(&self) -> impl Iterator<Item = (Place, &[u8])> {
        let goes_on = |form: &Form, other: &Form| {
            other.count > form.count && other.count >= MIN_RECORDS && other.beginnings.contains(&form.hash)
        };
        let has_fields = |form: &&Form| form.sample.is_empty() || form.sample.contains(&b'=');
        let clipped = self.forms.iter().filter(has_fields);
        let clipped = clipped.filter(move |form| self.forms.iter().any(|other| goes_on(form, other)));
        clipped.map(|form| (form.first, form.sample.as_slice()))
    }

    /// The only record without any text, where others have one.
    fn emptied(&self) -> Option<(Place, &[u8])> {
        let has_text = self.forms.iter().any(|form| !form.sample.is_empty());
        let emptied = self.forms.iter().find(|form| form.sample.is_empty() && form.count == 1);
        emptied.filter(|_| has_text).map(|form| (form.first, form.sample.as_slice()))
    }

    /// The first form of which there is one record.
    fn alone(&self) -> Option<&Form> {
        self.forms.iter().find(|form| form.count == 1)
    }

    /// True where there are many records of each form but of one.
    fn are_others_usual(&self) -> bool {
        let usual = self.forms.iter().filter(|form| form.count >= MIN_OTHERS).count();
        !self.has_others && usual > 0 && usual.saturating_add(1) == self.forms.len()
    }
}

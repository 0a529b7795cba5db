//! What is known of an interrupt or softirq that was measured itself: what it did longest, and what is normal.

use std::collections::BTreeMap;

use super::deeds::Deeds;
use super::ipi_sender::sent_by;
use super::link::Link;
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::usual::Usual;
use super::verdict::is_case_itself;
use crate::analyses::SliceKind;
use crate::events::Role;
use crate::explain::reported_section::interrupted;
use crate::explain::surroundings::Seen;
use crate::explain::words;
use crate::model::grouped;

/// Two deeds with more words than this leave too little room for the rest of a headline.
const MAX_WORDS_OF_BOTH: usize = 10;

/// A second step is mentioned only from this length on.
const MIN_SECOND_NS: i64 = 5_000;

/// Of an interrupt or softirq without an event of its own in it.
const NOTHING: &str = "nothing recorded in it says what it did";

/// Of an interrupt that its handler did not take for its own (include/linux/irqreturn.h, `IRQ_NONE`).
const UNHANDLED: &str = "its handler found nothing to do";

/// What is known of it.
pub struct Itself {
    /// How long these usually are.
    pub normally: Option<String>,
    /// What it did or what took longest in it, the fullest way to say it first, or that nothing in it is recorded. Empty
    /// of a section: its place says enough.
    pub did: Vec<String>,
}

/// What interrupted it, or ran while it was switched out, is no part of what it did.
pub fn itself(scene: &Scene<'_, '_>, link: &Link<'_>, chain: &[Link<'_>]) -> Itself {
    let case = scene.case;
    let events = own_events(scene);
    let is_other = |link: &&Link<'_>| link.mechanism != Mechanism::Handler && !is_case_itself(scene, link);
    let others: Vec<&Link<'_>> = chain.iter().filter(is_other).collect();
    let [longest, second] = longest_stretches(&events, &others);
    let is_section = is_section(scene);
    let usual = case.kind.usual(case, scene.around).or(link.usual).filter(|_| !is_section);
    let deeds = Deeds::of(scene, &events);
    let inside = Inside { scene, events: &events, others: &others, deeds: &deeds, usual, longest, second };
    let is_most = longest.is_some_and(|(ns, _)| case.is_most(ns));
    let did = match is_section {
        true => {
            let stretch = inside.stretch().into_iter().filter(|_| is_most);
            interrupted(case, scene.around).map_or_else(|| stretch.collect(), |interrupted| vec![interrupted])
        }
        false => inside.did(),
    };
    let is_told = |usual: &Usual| did.is_empty() || usual.is_exceeded_by(case.duration_ns);
    let normally = usual.filter(is_told).map(|usual| usual.in_words());
    let sender = sent_by(scene, link).map(|sender| format!("sent by {sender}, and {NOTHING}"));
    let is_unhandled = |event: &&&Seen<'_>| event.ends_interrupt() && event.args.contains("ret=unhandled");
    let is_for_others = events.last().filter(is_unhandled).is_some();
    let alone = if is_for_others { UNHANDLED } else { NOTHING };
    let nothing = || (!is_section).then(|| sender.unwrap_or_else(|| alone.to_owned()));
    let mut did = if did.is_empty() { nothing().into_iter().collect() } else { did };
    if let Some(first) = did.first().filter(|_| link.may_have_stood_still()) {
        let is_nothing = first.ends_with(NOTHING);
        let still = if is_nothing { "may have stood still" } else { "stood still" };
        let or = if is_nothing { ";" } else { ", or" };
        did.insert(0, format!("{first}{or} CPU {} {still}", link.cpu));
    }
    Itself { normally, did }
}

/// True of a section with interrupts or preemption off.
fn is_section(scene: &Scene<'_, '_>) -> bool {
    matches!(scene.case.kind.slice_kind(), Some(SliceKind::Irqsoff | SliceKind::Preemptoff))
}

/// What is known of an interrupt, a softirq or a section.
struct Inside<'e, 's, 'a> {
    scene: &'e Scene<'s, 'a>,
    events: &'e [&'s Seen<'a>],
    others: &'e [&'e Link<'e>],
    deeds: &'e Deeds<'e, 's, 'a>,
    /// How long all of it usually takes.
    usual: Option<Usual>,
    longest: Option<Stretch<'s, 'a>>,
    second: Option<Stretch<'s, 'a>>,
}

impl Inside<'_, '_, '_> {
    /// Its timers, or the function whose sections it is in; or what its events say was done.
    fn did(&self) -> Vec<String> {
        let longest_ns = self.longest.map_or(0, |(ns, _)| ns);
        let named = timers(self, longest_ns).or_else(|| place(self.scene, self.events));
        if let Some(named) = named.or_else(|| self.wakings()) {
            return vec![named];
        }
        let stretch = self.stretch();
        if self.scene.case.is_most(longest_ns) && !stretch.is_empty() {
            return stretch;
        }
        let done = self.deeds.in_words();
        let alone = self.whole_waking();
        let both = done.as_ref().zip(stretch.last()).map(|(done, stretch)| format!("{done}; {stretch}"));
        match done {
            // The stretch of a task that was woken says how long that took.
            Some(_) if alone.is_some() => alone.into_iter().collect(),
            Some(done) => both.into_iter().chain([done]).collect(),
            None => stretch,
        }
    }

    /// `it woke rcu_preempt-16, which took 4.0 µs`, where it did nothing else.
    fn whole_waking(&self) -> Option<String> {
        let [waking] = self.deeds.wakings.as_slice() else { return None };
        let ns = own_ns(self.others, waking.start_ns, waking.end_ns);
        let only = format!("it woke {}", waking.name());
        let is_only = self.deeds.in_words().as_ref() == Some(&only) && ns > 0;
        is_only.then(|| format!("{only}, which took {}", words::time(ns)))
    }

    /// `30 µs waking 5 tasks, longest rcu_preempt-16 for 12 µs`, where that took most of it.
    fn wakings(&self) -> Option<String> {
        let took = self.deeds.wakings.iter();
        let took: Vec<_> =
            took.map(|waking| (own_ns(self.others, waking.start_ns, waking.end_ns), waking)).collect();
        let total_ns = took.iter().fold(0_i64, |sum, (ns, _)| sum.saturating_add(*ns));
        let (longest_ns, longest) = took.iter().rev().max_by_key(|(ns, _)| *ns)?;
        if !self.scene.case.is_most(total_ns) {
            return None;
        }
        let (total, name) = (words::time(total_ns), longest.name());
        Some(match took.len() {
            1 => format!("{total} waking {name}"),
            count => {
                format!(
                    "{total} waking {} tasks, longest {name} for {}",
                    grouped(count),
                    words::time(*longest_ns)
                )
            }
        })
    }

    /// `194 µs of it in or after tick_nohz_handler (normally 12 µs)`, of the longest stretch between two events, and of the
    /// next one where that took a third, too. The fullest way comes first.
    fn stretch(&self) -> Vec<String> {
        let is_part = |stretch: &Stretch<'_, '_>| stretch.0 > 0 && stretch.0 < self.scene.case.duration_ns;
        // All of it is not a part of it.
        let Some((ns, pair)) = self.longest.filter(|longest| self.events.len() > 2 && is_part(longest))
        else {
            return Vec::new();
        };
        let (usual, time, place) = (self.normally(ns, pair), words::time(ns), self.where_between(pair));
        let is_section = is_section(self.scene);
        let longest = match self.scene.case.is_most(ns) {
            // It did nothing but to go on.
            true if is_section && place.starts_with("between ") => {
                format!("nothing recorded for {time} {place}{usual}")
            }
            true => format!("{time} of it {place}{usual}"),
            false => format!("its longest step was {time}, {place}{usual}"),
        };
        let is_told = |(ns, _): &Stretch<'_, '_>| {
            *ns >= MIN_SECOND_NS && ns.saturating_mul(3) >= self.scene.case.duration_ns
        };
        let second =
            self.second.filter(|second| is_told(second) && !is_section && self.scene.case.is_most(ns));
        let second = second.map(|(ns, pair)| {
            let (second, usual) = (self.where_between(pair), self.normally(ns, pair));
            // `after it`, of the same deed.
            let is_same =
                |second: &(&str, &str)| place.split_once(' ').is_some_and(|(_, deed)| deed == second.1);
            let same = second.split_once(' ').filter(is_same).map(|(side, _)| format!("{side} it"));
            format!("{longest}, and {} {}{usual}", words::time(ns), same.unwrap_or(second))
        });
        second.into_iter().chain([longest]).collect()
    }

    /// ` (normally 12 µs)`, of a stretch that took longer, if that is less than the whole usually takes.
    fn normally(&self, ns: i64, pair: [&Seen<'_>; 2]) -> String {
        let is_part = |usual: &Usual| self.usual.is_none_or(|whole| usual.is_below(&whole));
        let usual = self.scene.usual_gap(pair, ns).filter(|usual| usual.is_exceeded_by(ns)).filter(is_part);
        usual.map_or_else(String::new, |usual| format!(" ({})", usual.in_words()))
    }

    /// What was going on between two events after each other: a task was woken, or a timer's function ran; else between
    /// what they say was done, or between which events.
    fn where_between(&self, pair: [&Seen<'_>; 2]) -> String {
        if let Some(waking) = self.deeds.waking_around(pair) {
            return format!("waking {}", waking.name());
        }
        let [before, after] = pair.map(|event| self.deeds.doing(event));
        let is_end =
            |event: Option<&&Seen<'_>>, of: &Seen<'_>| event.is_some_and(|event| event.seq == of.seq);
        let (is_first, is_last) = (is_end(self.events.first(), pair[0]), is_end(self.events.last(), pair[1]));
        match (before, after) {
            (Some(before), _) if is_last => return format!("after {before}"),
            (None, Some(after)) if is_first => return format!("before {after}"),
            (Some(before), Some(after)) if before == after => return before,
            (Some(before), Some(after)) => {
                let words = before.split_whitespace().chain(after.split_whitespace()).count();
                return match words <= MAX_WORDS_OF_BOTH {
                    true => format!("between {before} and {after}"),
                    false => format!("after {before}"),
                };
            }
            _ => {}
        }
        if let Some(handler) = last_handler(self.scene, self.events, pair[0]) {
            return handler;
        }
        let [first, second] = pair.map(|event| self.scene.around.event_name(event));
        format!("between {first} and {second}")
    }
}

/// `in or after tick_nohz_handler`, of the timer whose handler was entered last up to an event, where its exit is not
/// recorded until then; `after tick_nohz_handler` where the event is its exit.
fn last_handler(scene: &Scene<'_, '_>, events: &[&Seen<'_>], until: &Seen<'_>) -> Option<String> {
    let is = |event: &Seen<'_>, end: &str| scene.around.event_name(event).ends_with(end);
    let before = || events.iter().take_while(|event| event.seq <= until.seq);
    let of_timer = |event: &&&Seen<'_>| is(event, "_expire_entry") || is(event, "_expire_exit");
    let last = before().filter(of_timer).last()?;
    let entry = before().filter(|event| is(event, "_expire_entry")).last()?;
    let function = word(entry.args, "function=").filter(|function| !function.starts_with("0x"));
    let function = function.unwrap_or("a timer's handler");
    match is(last, "_expire_exit") {
        false => Some(format!("in or after {function}")),
        true => (last.seq == until.seq).then(|| format!("after {function}")),
    }
}

/// The events of the case, without those of what interrupted it.
fn own_events<'s, 'a>(scene: &Scene<'s, 'a>) -> Vec<&'s Seen<'a>> {
    let case = scene.case;
    let is_softirq = case.kind.slice_kind() == Some(SliceKind::Softirq);
    let is_own = |event: &&&Seen<'_>| {
        !is_softirq
            || !event.is_in_hard_interrupt()
                && scene
                    .span_at(SliceKind::Irq, case.cpu, event.t_ns)
                    .is_none_or(|irq| irq.start_ns < case.start_ns)
    };
    scene.events(case.cpu, case.start_ns, case.end_ns()).iter().filter(is_own).copied().collect()
}

/// [start, end) without the time that others had.
fn own_ns(others: &[&Link<'_>], start_ns: i64, end_ns: i64) -> i64 {
    let taken = others.iter().map(|link| link.end_ns.min(end_ns).saturating_sub(link.start_ns.max(start_ns)));
    taken.fold(end_ns.saturating_sub(start_ns), |left, ns| left.saturating_sub(ns.max(0)))
}

/// `10 µs in delayed_work_timer_fn`, or `it ran 4 timers; the longest, delayed_work_timer_fn, took 11 µs`, where they
/// took most of it; and the one that took longer than anything else between two events. The same for tasklets.
fn timers(inside: &Inside<'_, '_, '_>, longest_stretch_ns: i64) -> Option<String> {
    let (scene, others) = (inside.scene, inside.others);
    let case = scene.case;
    let mut open: Option<(&str, i64)> = None;
    let mut runs: Vec<(i64, &str, (i64, i64))> = Vec::new();
    for event in inside.events {
        match scene.around.event_name(event) {
            "timer_expire_entry" | "hrtimer_expire_entry" | "tasklet_entry" | "tasklet_hi_entry" => {
                open = word(event.args, "function=").map(|function| (function, event.t_ns));
            }
            "timer_expire_exit" | "hrtimer_expire_exit" | "tasklet_exit" | "tasklet_hi_exit" => {
                let run =
                    |(name, since_ns)| (own_ns(others, since_ns, event.t_ns), name, (since_ns, event.t_ns));
                runs.extend(open.take().map(run));
            }
            _ => {}
        }
    }
    let total_ns = runs.iter().fold(0_i64, |sum, (ns, ..)| sum.saturating_add(*ns));
    let (longest_ns, name, extent) = runs.iter().rev().max_by_key(|(ns, ..)| *ns)?;
    let (time, woken) = (words::time(*longest_ns), || woken(inside, *extent));
    match runs.len() {
        _ if case.is_most(*longest_ns) => Some(format!("{time} in {name}{}", woken())),
        count if count > 1 && case.is_most(total_ns) => {
            let longest = if count == 2 { "longer" } else { "longest" };
            let what = if is_of_tasklets(scene) { "tasklets" } else { "timers" };
            Some(format!("it ran {} {what}; the {longest}, {name}, took {time}", grouped(count)))
        }
        _ if *longest_ns >= longest_stretch_ns && *longest_ns > 0 => {
            Some(format!("{time} of it in {name}{}", woken()))
        }
        _ => None,
    }
}

fn is_of_tasklets(scene: &Scene<'_, '_>) -> bool {
    scene.case.key.is_some_and(|vector| matches!(vector, "TASKLET" | "HI"))
}

/// `, which woke cyclictest-354`, of the only task that was woken in [from, to].
fn woken(inside: &Inside<'_, '_, '_>, (from_ns, to_ns): (i64, i64)) -> String {
    let mut woken = inside.deeds.wakings.iter();
    let mut woken = woken.by_ref().filter(|one| from_ns <= one.start_ns && one.end_ns <= to_ns);
    match (woken.next(), woken.next()) {
        (Some(one), None) => format!(", which woke {}", one.name()),
        _ => String::new(),
    }
}

/// `51 µs between events of rcu_do_batch`: the function that switches interrupts or preemption off, or whose locks do,
/// over most of it.
fn place(scene: &Scene<'_, '_>, events: &[&Seen<'_>]) -> Option<String> {
    let mut extents: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for event in events {
        let is_section = matches!(
            event.role,
            Some(Role::IrqDisable | Role::IrqEnable | Role::PreemptDisable | Role::PreemptEnable)
        );
        let caller = word(event.args, "caller=").filter(|_| is_section);
        let function = caller.filter(|caller| !caller.contains("_lock") && !caller.contains("_unlock"));
        if let Some(function) = function.or_else(|| word(event.args, "parent=").filter(|_| is_section)) {
            let extent = extents.entry(function).or_insert((event.t_ns, event.t_ns));
            extent.1 = event.t_ns;
        }
    }
    let length_ns = |(from_ns, to_ns): (i64, i64)| to_ns.saturating_sub(from_ns);
    // The events that open and close it do not say what it does.
    let inner = extents.iter().filter(|(name, _)| !is_entry_function(name));
    let (name, extent) = inner.max_by_key(|(_, extent)| length_ns(**extent))?;
    let part_ns = length_ns(*extent);
    scene.case.is_most(part_ns).then(|| format!("{} in {name}", words::time(part_ns)))
}

fn is_entry_function(name: &str) -> bool {
    [
        "handle_softirqs",
        "__do_softirq",
        "irq_exit",
        "__irq_exit",
        "irq_enter",
        "sysvec_",
        "asm_",
        "run_ksoftirqd",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// How long it is between two events.
type Stretch<'s, 'a> = (i64, [&'s Seen<'a>; 2]);

/// The longest stretches between two events, without the time that others had; of two as long, the earlier one first.
fn longest_stretches<'s, 'a>(events: &[&'s Seen<'a>], others: &[&Link<'_>]) -> [Option<Stretch<'s, 'a>>; 2] {
    let mut longest = [None; 2];
    for (first, second) in events.iter().zip(events.iter().skip(1)) {
        let stretch = (own_ns(others, first.t_ns, second.t_ns), [*first, *second]);
        let is_longer = |than: Option<Stretch<'_, '_>>| than.is_none_or(|than| stretch.0 > than.0);
        if is_longer(longest[0]) {
            longest = [Some(stretch), longest[0]];
        } else if is_longer(longest[1]) {
            longest[1] = Some(stretch);
        }
    }
    longest
}

/// The name behind a key: without its offset, and what follows.
fn word<'a>(args: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = args.split_once(key)?;
    rest.split([' ', '+', '/']).next().filter(|name| !name.is_empty())
}
